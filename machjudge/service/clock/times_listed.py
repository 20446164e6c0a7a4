"""The times of a game as its listing says them."""

from collections.abc import Iterator
from itertools import groupby

from machjudge.adjudicator.model.moments import Stage
from machjudge.sentence import Sentence
from machjudge.service.game.timetable import NEVER, timing_of
from machjudge.service.model.conduct import ANY_DAY, Conduct

_MANY = 3


def times(conduct: Conduct) -> Sentence:
    """How long phases take, and what happens with those who are late."""
    timings = tuple(timing_of(conduct, stage) for stage in Stage)
    days = tuple(() if each.days == ANY_DAY else due_days(each.days) for each in timings)
    return Sentence("clock.times", conduct=conduct, timings=timings, days=days)


def due_days(days: str) -> tuple[Sentence, ...]:
    """The days of a template, which has them from Sunday, as ``Mon to Fri``."""
    week = enumerate(f"{days[1:]}{days[:1]}")
    runs = groupby(week, key=lambda day: NEVER if day[1] == NEVER else day[1].islower())
    return tuple(
        Sentence("clock.due_days", first=first, last=last, from_noon=kind is True)
        for kind, run in runs
        if kind != NEVER
        for first, last in _joined([number for number, _ in run])
    )


def _joined(run: list[int]) -> Iterator[tuple[int, int]]:
    """Days that follow each other: the first and the last of many, or each."""
    yield from [(run[0], run[-1])] if len(run) >= _MANY else zip(run, run, strict=True)
