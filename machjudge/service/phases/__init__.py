"""A phase is played, foreseen or corrected, for whoever steers the game."""
