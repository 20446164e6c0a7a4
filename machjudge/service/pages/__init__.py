"""A whole game to look through: replays and web pages, of what their readers may see."""
