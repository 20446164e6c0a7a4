"""The sequence of a phase, and what only some seasons bring: adjustments and disasters."""
