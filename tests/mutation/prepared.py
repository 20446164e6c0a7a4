"""Phases that are read once and played many times: a mutant is tried with all that reach it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from machjudge.adjudicator.year.steps import Played
from machjudge.formats.adjudicate import (
    AnsweredLine,
    LineEntry,
    Task,
    play_entries,
    read_entries,
    read_task,
    results,
)
from machjudge.formats.values import as_object
from tests.replays.judge import ATLAS, SPOKEN


@dataclass(frozen=True)
class Prepared:
    """A phase that waits to be played."""

    task: Task
    entries: tuple[LineEntry, ...]

    def play(self) -> Played:
        """What happens."""
        return play_entries(self.task, self.entries)

    def answer(self) -> AnsweredLine:
        """What ``machjudge adjudicate`` would answer."""
        played = self.play()
        return AnsweredLine(
            None, self.task, results(self.task, self.entries, played, SPOKEN), played
        )


def prepared(question: Mapping[str, Any]) -> Prepared:
    """The phase that a question is about.  Raises Unfit where it cannot be read."""
    task = read_task(as_object(dict(question)), ATLAS)
    return Prepared(task, read_entries(task, SPOKEN))
