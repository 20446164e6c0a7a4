"""A game before it starts: its rules, its scenario, its players; and what can be set."""
