"""``python -m machjudge`` is the same as ``machjudge``."""

from machjudge.cli import main

main(prog_name="machjudge")
