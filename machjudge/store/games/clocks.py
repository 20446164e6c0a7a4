"""What is stored of clocks and absences as JSON, beside the columns of a game and a seat."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import Absence, Clock, Jump, PersonId

Json = Any
T = TypeVar("T")


def write_times(clock: Clock) -> Json:
    """What a clock says beside its beginning, its deadline and its last late notice."""
    jump = clock.jump
    return {
        "start": _written(clock.start),
        "grace": _written(clock.grace),
        "warned": list(clock.warned),
        "opened": clock.opened,
        "turned_out": [list(each) for each in clock.turned_out],
        "vacant": list(clock.vacant),
        "paused": _written(clock.paused),
        "jump": None if jump is None else _written_jump(jump),
        "ends": _written(clock.ends),
        **({"won": True} if clock.won else {}),
        **({"entered": clock.entered} if clock.entered is not None else {}),
        **({"out_of_reach": [*clock.out_of_reach]} if clock.out_of_reach else {}),
    }


def read_clock(
    began: datetime, deadline: datetime, late_told: datetime | None, times: Json
) -> Clock:
    """The clock of a game; *times* as `write_times` wrote them."""
    return Clock(
        began,
        deadline,
        late_told,
        start=_read(times["start"], datetime.fromisoformat),
        grace=_read(times["grace"], datetime.fromisoformat),
        warned=tuple(times["warned"]),
        opened=times["opened"],
        turned_out=tuple((seat, PersonId(who)) for seat, who in times["turned_out"]),
        vacant=tuple(PowerId(power) for power in times["vacant"]),
        paused=_read(times["paused"], datetime.fromisoformat),
        jump=_read(times["jump"], _jump),
        ends=_read(times["ends"], datetime.fromisoformat),
        won=times.get("won", False),
        entered=times.get("entered"),
        out_of_reach=tuple(times.get("out_of_reach", ())),
    )


def read_grace(times: Json) -> datetime | None:
    """When the grace of the phase ends; None without a clock or a grace."""
    return None if times is None else _read(times["grace"], datetime.fromisoformat)


def write_absences(absences: tuple[Absence, ...]) -> Json:
    """Absences as pairs of instants."""
    return [[_written(each.start), _written(each.end)] for each in absences]


def read_absences(pairs: Json) -> tuple[Absence, ...]:
    """The inverse of `write_absences`."""
    return tuple(
        Absence(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in pairs
    )


def _written_jump(jump: Jump) -> Json:
    return {
        "since": _written(jump.since),
        "by": jump.by.total_seconds(),
        "deadline": None if jump.deadline is None else jump.deadline.total_seconds(),
        "grace": None if jump.grace is None else jump.grace.total_seconds(),
        "start": None if jump.start is None else jump.start.total_seconds(),
    }


def _jump(said: Json) -> Jump:
    return Jump(
        datetime.fromisoformat(said["since"]),
        _seconds(said["by"]),
        deadline=_read(said["deadline"], _seconds),
        grace=_read(said["grace"], _seconds),
        start=_read(said["start"], _seconds),
    )


def _seconds(number: Json) -> timedelta:
    return timedelta(seconds=number)


def _written(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def _read(value: Json, read: Callable[[Json], T]) -> T | None:
    return None if value is None else read(value)
