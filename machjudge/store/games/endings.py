"""How a game ended and what its players vote, as JSON beside the columns of games and seats."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.ends import End, Ending, Provenance

Json = Any


def write_ending(ending: Ending | None) -> Json:
    """An ending as an object; None for a game that goes on."""
    if ending is None:
        return None
    said: dict[str, Json] = {
        "end": ending.end.value,
        "winners": list(ending.winners),
        "at": ending.at.isoformat(),
        "by_vote": ending.by_vote,
    }
    if ending.origin is not None:
        said["origin"] = asdict(ending.origin)
    return said


def read_ending(said: Json) -> Ending | None:
    """The inverse of `write_ending`."""
    if said is None:
        return None
    winners = tuple(PowerId(power) for power in said["winners"])
    return Ending(
        End(said["end"]),
        winners,
        datetime.fromisoformat(said["at"]),
        by_vote=said["by_vote"],
        origin=Provenance(**said["origin"]) if "origin" in said else None,
    )


def write_votes(draw: tuple[PowerId, ...] | None, concede: PowerId | None) -> Json:
    """The votes of a seat; None if it has none."""
    if draw is None and concede is None:
        return None
    return {"draw": None if draw is None else list(draw), "concede": concede}


def read_votes(said: Json) -> tuple[tuple[PowerId, ...] | None, PowerId | None]:
    """The inverse of `write_votes`."""
    if said is None:
        return None, None
    draw, concede = said["draw"], said["concede"]
    return (
        None if draw is None else tuple(PowerId(power) for power in draw),
        None if concede is None else PowerId(concede),
    )
