"""Pages for a web server that only hands files over: what anybody may see of each game."""
