"""Whose orders did not come, as the results of a phase say it to everybody."""

from collections.abc import Iterator
from dataclasses import dataclass

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.wording.words import Words, listed

DEFAULT = "(no order)"
"""What stands behind an order that the judge wrote in place of a player."""


@dataclass(frozen=True, slots=True)
class Absent:
    """The powers for which a phase was played without their orders, or without all of them."""

    silent: frozenset[PowerId] = frozenset()
    """Nothing of theirs was on file."""
    partial: frozenset[PowerId] = frozenset()
    """Orders of theirs were missing."""
    ordered_for: frozenset[PowerId] = frozenset()
    """The judge has written orders in their place."""


def absent_lines(words: Words, absent: Absent, stage: Stage) -> tuple[str, ...]:
    """Who sent nothing, or not everything, and for whom the judge has ordered."""
    return tuple(_lines(words, absent, stage))


def _lines(words: Words, absent: Absent, stage: Stage) -> Iterator[str]:
    if absent.silent:
        yield f"No orders came from {_names(words, absent.silent)}."
    if absent.partial:
        yield f"Not all orders came from {_names(words, absent.partial)}."
    if absent.ordered_for and stage is Stage.CAMPAIGN:
        yield f"By default the units of {_names(words, absent.ordered_for)} hold."
    elif absent.ordered_for:
        yield f"By default {_names(words, absent.ordered_for)} keeps what the ducats pay for."


def _names(words: Words, powers: frozenset[PowerId]) -> str:
    return listed(words.power(p) for p in words.world.scenario.in_play if p in powers)
