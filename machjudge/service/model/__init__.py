"""What the service keeps and works with: games, persons, seats, order sheets, as plain values."""
