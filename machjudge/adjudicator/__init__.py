"""The game itself, pure: positions and orders in, events out.

Nothing here reads a clock, a file or a random number; the same position, orders, rules and dice
give the same events on any machine.
"""
