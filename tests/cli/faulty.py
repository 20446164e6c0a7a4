"""Commands that end badly, for the tests of what the top makes of it."""

import sys

import click

from machjudge.adjudicator.names import MachjudgeError


@click.group()
def faulty() -> None:
    """End badly."""


@faulty.command()
def fault() -> None:
    """Meet a fault of ours."""
    message = "the map classic\nis broken"
    raise MachjudgeError(message)


@faulty.command()
def interrupt() -> None:
    """Be interrupted."""
    raise KeyboardInterrupt


@faulty.command()
def talk() -> None:
    """Write more than a pipe holds, without looking who listens."""
    for _ in range(100_000):
        sys.stdout.write("a line of some length\n")
