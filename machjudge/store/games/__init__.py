"""Games, their phases, and what is on file for them."""
