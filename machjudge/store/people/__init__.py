"""Persons and what opens their seats."""
