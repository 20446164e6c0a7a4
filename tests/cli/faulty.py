"""Commands that end badly, for the tests of what the top makes of it."""

import ctypes
import os
import sys

import click

from machjudge.adjudicator.names import MachjudgeError

# Linux: prctl(2), capabilities(7)
_DROP_FROM_BOUNDING_SET = 24
_DAC_OVERRIDE = 1
_DAC_READ_SEARCH = 2


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
def ask() -> None:
    """Ask something."""
    click.prompt("Who")


@faulty.command()
def talk() -> None:
    """Write more than a pipe holds, without looking who listens."""
    for _ in range(100_000):
        sys.stdout.write("a line of some length\n")


def without_permission() -> None:
    """Take the superuser's right from a new process to read and write everything."""
    if os.geteuid() == 0:
        for right in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, right)
