"""What each kind of event does to a position, by area; `evolve` puts the tables together."""
