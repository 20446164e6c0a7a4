"""The stage of ``machjudge demo``: a judge, a post office, four players and a script."""
