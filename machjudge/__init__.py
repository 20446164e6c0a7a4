"""machjudge: a judge server for play-by-mail games of Machiavelli."""

__version__ = "1.1.0"
