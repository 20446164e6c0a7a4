"""The shape of JSON values: what one has to be, and where in the document one is not.

Readers take a value and know nothing of its place; ``each`` and ``entry`` add the place to a
fault on its way up.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import NoReturn, TypeAlias, TypeVar

T = TypeVar("T")

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value as the standard library reads it."""

_QUOTED = 60
"""Characters of a wrong value that a message repeats."""
_HUGE = 10**15
_YEARS = range(1970, 3000)
"""Others are slips, and some of them no zone can tell."""


class Unfit(Exception):
    """A value is not what is asked for; the border of the codec makes an answer of it."""

    def __init__(self, says: str, where: str = "") -> None:
        self.says = says
        self.where = where
        super().__init__(f"{where}: {says}")

    def within(self, step: str) -> "Unfit":
        """The same fault, seen from one level further out: *step* leads to the value."""
        joint = "." if self.where and not self.where.startswith("[") else ""
        return Unfit(self.says, step + joint + self.where)


def as_object(value: Json, keys: Collection[str] | None = None) -> dict[str, Json]:
    """The object, all of whose keys are among *keys*.  Raises Unfit."""
    if not isinstance(value, dict):
        _unwanted(value, "an object")
    if keys is not None:
        for key in value:
            if key not in keys:
                refuse(f"there is no such field; known are {', '.join(keys)}", shown(key))
    return value


def as_list(value: Json) -> list[Json]:
    """The list.  Raises Unfit."""
    if not isinstance(value, list):
        _unwanted(value, "a list")
    return value


def as_text(value: Json) -> str:
    """The string.  Raises Unfit."""
    if not isinstance(value, str):
        _unwanted(value, "a string")
    return value


def as_number(value: Json, least: int, most: int) -> int:
    """The whole number between *least* and *most*, both included.  Raises Unfit."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        _unwanted(value, f"a whole number from {least} to {most}")
    return value


def as_whole(value: Json) -> int:
    """The whole number, whatever its size.  Raises Unfit."""
    if not isinstance(value, int) or isinstance(value, bool):
        _unwanted(value, "a whole number")
    return value


def as_truth(value: Json) -> bool:
    """True or false.  Raises Unfit."""
    if not isinstance(value, bool):
        _unwanted(value, "true or false")
    return value


def as_instant(value: Json) -> datetime:
    """The instant in UTC, written as RFC 3339 has it.  Raises Unfit."""
    try:
        at = datetime.fromisoformat(as_text(value))
    except ValueError:
        at = None
    if at is None or at.utcoffset() != timedelta() or at.year not in _YEARS:
        _unwanted(value, "an instant in UTC such as 2026-11-20T12:30:00Z")
    return at


def each(value: Json, read: Callable[[Json], T]) -> list[T]:
    """The entries of a list, each as *read* reads it.  Raises Unfit."""
    items = as_list(value)
    done: list[T] = []
    try:
        for item in items:
            done.append(read(item))  # noqa: PERF401 - a fault asks how far it got
    except Unfit as unfit:
        step = f"[{len(done)}]"
        raise unfit.within(step) from None
    return done


def entry(fields: Mapping[str, Json], key: str, read: Callable[[Json], T]) -> T | None:
    """The field *key* as *read* reads it; nothing if it is absent.  Raises Unfit."""
    return needed(fields, key, read) if key in fields else None


def needed(fields: Mapping[str, Json], key: str, read: Callable[[Json], T]) -> T:
    """The field *key* as *read* reads it.  Raises Unfit, also if it is absent."""
    if key not in fields:
        refuse("is missing", key)
    try:
        return read(fields[key])
    except Unfit as unfit:
        raise unfit.within(key) from None


def entries(value: Json, read: Callable[[str, Json], T]) -> list[T]:
    """The entries of an object, each as *read* reads its key and value.  Raises Unfit."""
    done: list[T] = []
    for key, item in as_object(value).items():
        try:
            done.append(read(key, item))
        except Unfit as unfit:
            raise unfit.within(shown(key)) from None
    return done


def refuse(says: str, where: str = "") -> NoReturn:
    """Raise Unfit."""
    raise Unfit(says, where)


def shown(text: str) -> str:
    """The text as a message may repeat it: cut short, nothing that a terminal would obey."""
    plain = "".join(char if char.isprintable() else "?" for char in text[:_QUOTED])
    return plain if len(text) <= _QUOTED else plain + "..."


def _unwanted(value: Json, wanted: str) -> NoReturn:
    refuse(f"{_described(value)} stands where {wanted} is wanted")


def _described(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}" if abs(value) < _HUGE else "a huge number"
        case str():
            return f'the text "{shown(value)}"'
        case list():
            return "a list"
        case dict():
            return "an object"
