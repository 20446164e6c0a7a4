"""How a game ended, and when, as the file of the game says it."""

from dataclasses import dataclass
from datetime import datetime

from machjudge.adjudicator.model.names import PowerId
from machjudge.codec.document.shape import (
    Json,
    as_instant,
    as_object,
    as_text,
    as_truth,
    each,
    needed,
    refuse,
    shown,
)

HOW = ("victory", "draw", "concession", "terminated")
"""How games end; one that was broken off is ``terminated``, and nobody has won it."""

_END = ("how", "winners", "at", "by_vote")


@dataclass(frozen=True, slots=True)
class ChronicleEnd:
    """How and when a game ended."""

    how: str
    """One of `HOW`."""
    winners: tuple[PowerId, ...]
    at: datetime
    by_vote: bool
    """Whether the votes of the players ended it."""


def end_of(end: ChronicleEnd) -> Json:
    """The end as JSON."""
    return {
        "how": end.how,
        "winners": [*end.winners],
        "at": instant_of(end.at),
        "by_vote": end.by_vote,
    }


def read_end(value: Json) -> ChronicleEnd:
    """The inverse of `end_of`.  Raises Unfit."""
    fields = as_object(value, _END)
    end = ChronicleEnd(
        how=needed(fields, "how", _read_how),
        winners=tuple(map(PowerId, needed(fields, "winners", lambda all_: each(all_, as_text)))),
        at=needed(fields, "at", as_instant),
        by_vote=needed(fields, "by_vote", as_truth),
    )
    if (end.how == "terminated") != (not end.winners):
        refuse("somebody has won, unless the game was terminated", "winners")
    return end


def _read_how(value: Json) -> str:
    how = as_text(value)
    if how not in HOW:
        refuse(f'"{shown(how)}" is none of {", ".join(HOW)}')
    return how


def instant_of(at: datetime) -> str:
    """An instant in UTC as RFC 3339 has it."""
    return at.isoformat().replace("+00:00", "Z")
