"""Bots: policies that choose a power's orders from what its seat sees."""
