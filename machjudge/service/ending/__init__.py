"""How a game ends or goes back: votes, draws, termination, rollback."""
