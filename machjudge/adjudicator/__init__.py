"""Adjudicate the game, purely: positions and orders in, events out.

No clock, file or random number is read; the same position, orders, rules and dice give the same
events on any machine.
"""
