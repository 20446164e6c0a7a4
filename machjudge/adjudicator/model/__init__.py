"""What a position is made of: names, board, units, orders, rules, dice; plain frozen values."""
