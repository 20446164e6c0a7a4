"""What is stored of how people keep the deadlines of a game."""

from collections.abc import Iterable
from typing import Any

from machjudge.service.model.records import Attendance, PersonId

Json = Any


def write_attendance(attendance: Iterable[Attendance]) -> Json:
    """A list of person, phases in time, phases late, seats left."""
    return [[each.person, each.on_time, each.late, each.left] for each in attendance]


def read_attendance(said: Json) -> tuple[Attendance, ...]:
    """The inverse of `write_attendance`."""
    return tuple(
        Attendance(PersonId(person), on_time, late, left) for person, on_time, late, left in said
    )
