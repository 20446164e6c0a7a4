"""What is on file and what it will cost, for whoever ordered it."""
