"""A game as one value that leaves the database: export, replay and verification."""
