"""machjudge: a judge server for play-by-mail games of Machiavelli."""
