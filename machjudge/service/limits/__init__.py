"""How much somebody may do: passwords tried, answers caused.

Everything is counted in the database by the clock that the judge is given.
"""
