"""Where pages are, below the folder of the keeper."""

INDEX = "index.html"
FOLDERS = ("games", "replays")
"""Of each game that is listed a page is in both, under the game's name."""
