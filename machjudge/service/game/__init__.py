"""One game at an instant: its position, its people, what is due, and for what it waits."""
