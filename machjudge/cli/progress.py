"""How far long work has come, on the terminal of whoever waits; elsewhere nothing is shown."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

T = TypeVar("T")


def with_progress(work: Iterable[T], total: int, label: str) -> Iterator[T]:
    """The pieces of work as they are done, *total* of them."""
    hidden = sys.stderr is None or not sys.stderr.isatty()
    if hidden:
        yield from work
        return
    with click.progressbar(work, length=total, label=label, file=sys.stderr) as shown:
        yield from shown
