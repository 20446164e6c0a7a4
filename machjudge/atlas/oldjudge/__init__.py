"""The map file of the old judge: read into a board and its powers, and written from a scenario.

The format is that of appendix 1 of the rules of 2004, with the tables that its files have beyond
that: storms, opening treasuries, and which special units a power may have.
"""
