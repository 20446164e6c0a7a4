"""Ducats: income, loans, gifts, expenses and bribes, assassins."""
