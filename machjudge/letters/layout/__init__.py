"""How a message looks: one text with a kind for each of its lines, and the HTML made of both."""
