"""Whose orders did not come, as the results of a phase say it to everybody."""

from dataclasses import dataclass

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording


def by_default_words(order: Wording) -> Sentence:
    """An order, or whose orders, with the words for what the judge wrote in place of a player."""
    return Sentence("results.by_default", order=order)


@dataclass(frozen=True, slots=True)
class Absent:
    """The powers for which a phase was played without their orders, or without all of them."""

    silent: frozenset[PowerId] = frozenset()
    """Nothing of theirs was on file."""
    partial: frozenset[PowerId] = frozenset()
    """Orders of theirs were missing."""
    ordered_for: frozenset[PowerId] = frozenset()
    """The judge has written orders in their place."""


def absent_lines(words: Words, absent: Absent, stage: Stage) -> tuple[Sentence, ...]:
    """Who sent nothing, or not everything, and for whom the judge has ordered."""
    told = {
        "results.no_orders": absent.silent,
        "results.not_all_orders": absent.partial,
        "results.hold" if stage is Stage.CAMPAIGN else "results.keeps": absent.ordered_for,
    }
    return tuple(
        Sentence(key, powers=_names(words, powers)) for key, powers in told.items() if powers
    )


def _names(words: Words, powers: frozenset[PowerId]) -> tuple[str, ...]:
    return tuple(words.power(p) for p in words.world.scenario.in_play if p in powers)
