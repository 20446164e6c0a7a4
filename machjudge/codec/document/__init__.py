"""Documents of positions, phases and whole games."""
