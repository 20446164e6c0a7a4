"""What becomes of each line of a mail: a command, an order, or neither."""
