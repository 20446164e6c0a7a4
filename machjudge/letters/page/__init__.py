"""A message as a whole: its head, its template, its tables."""
