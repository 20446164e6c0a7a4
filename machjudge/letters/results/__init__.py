"""What happened in a phase, in sentences."""
