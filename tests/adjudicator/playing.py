"""Plays a phase that is given as data, as ``machjudge adjudicate`` does."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from machjudge.adjudicator.events import EndThrown, Event, TieBroken, VictoryReached
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.reasons import Objection
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from machjudge.cli.adjudicate import Spoken
from machjudge.formats.adjudicate import AnsweredLine, NotRead, Result, answer
from machjudge.formats.position import position_of
from machjudge.formats.values import write
from machjudge.map_files.folders import Atlas
from machjudge.settings import maps_folder

ATLAS = Atlas([maps_folder()])
_SPOKEN = Spoken()


class NotPlayed(Exception):
    """The question is not valid; the text says where."""


@dataclass(frozen=True)
class Outcome:
    """What came of a phase."""

    position: Mapping[str, Any]
    """The position after, in the format of ``machjudge adjudicate``."""
    marks: Mapping[str, list[str]]
    """Power and line, or power and order of a unit without a line -> the marks."""
    reasons: Mapping[str, Mapping[str, Any]]
    """The same -> why there are marks, as ``machjudge adjudicate`` writes it."""
    refused: list[str]
    """Power and line of everything that was not taken."""
    victory: list[str]
    """Who fulfils the victory condition."""
    ties: tuple[str, ...]
    """The tie-breaks that decided something."""
    world: World
    before: State
    after: State
    events: tuple[Event, ...]


def played(question: Mapping[str, Any]) -> Outcome:
    """The outcome of a phase.  Raises NotPlayed."""
    told = answer(json.dumps(question).encode(), ATLAS, _SPOKEN)
    if not isinstance(told, AnsweredLine):
        msg = f"{told.id}: {told.where}: {told.says}"
        raise NotPlayed(msg)
    return outcome_of(told)


def outcome_of(told: AnsweredLine) -> Outcome:
    """What came of a phase that was played."""
    marks: dict[str, list[str]] = {}
    reasons: dict[str, Any] = {}
    for result in told.results:
        marks.setdefault(_line(result), []).extend(result.marked.marks)
        if result.marked.why is not None:
            reasons.setdefault(_line(result), write(result.marked.why))
    return Outcome(
        position=position_of(told.played.state, told.task.world),
        marks=marks,
        reasons=reasons,
        refused=[_line(result) for result in told.results if _was_refused(result)],
        victory=_winners(told.played.events),
        ties=tuple(e.rule for e in told.played.events if isinstance(e, TieBroken)),
        world=told.task.world,
        before=told.task.state,
        after=told.played.state,
        events=told.played.events,
    )


def _winners(events: Iterable[Event]) -> list[PowerId]:
    """Who fulfils the condition of victory; if nobody does, who leads when a die ends the game."""
    won = [event.power for event in events if isinstance(event, VictoryReached)]
    ends = (event for event in events if isinstance(event, EndThrown) and event.is_end)
    return won or [power for event in ends for power in event.leaders]


def _line(result: Result) -> str:
    return f"{result.power} {result.given or result.order}"


def _was_refused(result: Result) -> bool:
    return isinstance(result.marked.why, Objection | NotRead)
