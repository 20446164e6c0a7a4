"""Deadlines, grace, pauses and absences, and what is told about them."""
