"""Convert values to JSON and back by their types, and the format's short words."""

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NewType,
    NoReturn,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import (
    DisasterStruck,
    Event,
    Retreated,
    SiegeBegun,
    SiegeCompleted,
    SiegeKept,
)
from machjudge.adjudicator.moments import Campaign, Moment, read_campaign, read_moment
from machjudge.adjudicator.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import Build, Burn, Excommunicate, Expense, Named, Permit
from machjudge.adjudicator.rules import FACTS, Table
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Quality, Unit

T = TypeVar("T")

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value as the standard library reads it."""

_QUOTED = 60
"""The most characters of a wrong value that are repeated."""
_HUGE = 10**15
_YEARS = range(1970, 3000)
"""Other years are slips, some outside all time zones."""


class Unfit(Exception):
    """A value is not as required; `answer` turns it into a refusal."""

    def __init__(self, says: str, where: str = "") -> None:
        self.says = says
        self.where = where
        super().__init__(f"{where}: {says}")

    def within(self, step: str) -> "Unfit":
        """Return the same fault one level up: *step* leads to the value."""
        joint = "." if self.where and not self.where.startswith("[") else ""
        return Unfit(self.says, step + joint + self.where)


def as_object(value: Json, keys: Collection[str] | None = None) -> dict[str, Json]:
    """Return the object with keys *keys* only.  Raises Unfit."""
    if not isinstance(value, dict):
        _unwanted(value, "an object")
    if keys is not None:
        for key in value:
            if key not in keys:
                refuse(f"there is no such field; known are {', '.join(keys)}", shown(key))
    return value


def as_list(value: Json) -> list[Json]:
    """Return the list.  Raises Unfit."""
    if not isinstance(value, list):
        _unwanted(value, "a list")
    return value


def as_text(value: Json) -> str:
    """Return the string.  Raises Unfit."""
    if not isinstance(value, str):
        _unwanted(value, "a string")
    return value


def as_number(value: Json, least: int, most: int) -> int:
    """Return the whole number from *least* to *most*.  Raises Unfit."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        _unwanted(value, f"a whole number from {least} to {most}")
    return value


def as_whole(value: Json) -> int:
    """Return the whole number of any size.  Raises Unfit."""
    if not isinstance(value, int) or isinstance(value, bool):
        _unwanted(value, "a whole number")
    return value


def as_truth(value: Json) -> bool:
    """Return the truth value.  Raises Unfit."""
    if not isinstance(value, bool):
        _unwanted(value, "true or false")
    return value


def as_instant(value: Json) -> datetime:
    """Return the instant in UTC, from RFC 3339.  Raises Unfit."""
    try:
        at = datetime.fromisoformat(as_text(value))
    except ValueError:
        at = None
    if at is None or at.utcoffset() != timedelta() or at.year not in _YEARS:
        _unwanted(value, "an instant in UTC such as 2026-11-20T12:30:00Z")
    return at


def each(value: Json, read: Callable[[Json], T]) -> list[T]:
    """Return the entries of a list, read by *read*.  Raises Unfit."""
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
    """Return the field *key* read by *read*; None if absent.  Raises Unfit."""
    return needed(fields, key, read) if key in fields else None


def needed(fields: Mapping[str, Json], key: str, read: Callable[[Json], T]) -> T:
    """Return the field *key* read by *read*.  Raises Unfit, also if absent."""
    if key not in fields:
        refuse("is missing", key)
    try:
        return read(fields[key])
    except Unfit as unfit:
        raise unfit.within(key) from None


def entries(value: Json, read: Callable[[str, Json], T]) -> list[T]:
    """Return the entries of an object, read by *read*.  Raises Unfit."""
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
    """Return the text cut short, without control characters, for a message."""
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


_KINDS = {kind.value: kind for kind in Kind}
_QUALITIES = {quality.value: quality for quality in Quality if quality.value}
_PLAIN = Quality.PLAIN
_SINCE = " since "
_NO_KIND = "-"
_NUMBERED = re.compile("[AFG][1-9][0-9]{0,2}")
"""A type with a number, ``A2``."""
_LONGEST_TIME = 6
"""Characters of a phase, ``S1454M``."""


def spot_text(place: PlaceId, coast: Coast) -> str:
    """Return a place with its coast."""
    return f"{place}/{coast}" if coast else place


def read_spot(value: Json) -> Spot:
    """Return a place and coast, unchecked against the board.  Raises Unfit."""
    place, _, coast = as_text(value).partition("/")
    return Spot(PlaceId(place), Coast(coast))


def unit_text(unit: Unit, *, with_since: bool = False) -> str:
    """Return a unit as in positions; as in events also *with_since*, if its building is known."""
    coast = unit.coast
    place = f"{unit.place}/{coast}" if coast else unit.place
    number = unit.number or ""
    words = f"{unit.owner} {unit.kind.letter}{number} {place}"
    if unit.quality is not _PLAIN:
        words = f"{words} {unit.quality.value}"
    return f"{words}{_SINCE}{unit.since.code}" if with_since and unit.since is not None else words


def read_unit(value: Json, since: Campaign | None = None) -> Unit:
    """Return a unit of a position, unchecked against the board.  Raises Unfit."""
    match as_text(value).split(" "):
        case [owner, kind, spot] if kind in _KINDS:
            quality = Quality.PLAIN
        case [owner, kind, spot, mark] if kind in _KINDS and mark in _QUALITIES:
            quality = _QUALITIES[mark]
        case [owner, kind, spot, *marks] if _NUMBERED.fullmatch(kind):
            plain = read_unit(" ".join((owner, kind[0], spot, *marks)), since)
            return plain.numbered(int(kind[1:]))
        case _:
            refuse(f'"{shown(as_text(value))}" is no unit; one is written "V F pro/nc em"')
    place, _, coast = spot.partition("/")
    return Unit(PowerId(owner), _KINDS[kind], PlaceId(place), Coast(coast), quality, since)


def read_full_unit(value: Json) -> Unit:
    """The inverse of ``unit_text`` with the time of its building.  Raises Unfit."""
    text, since, code = as_text(value).partition(_SINCE)
    return read_unit(text, read_when(code) if since else None)


def named_text(named: Named) -> str:
    """Return a unit as in orders: ``pad``, ``A pad``, ``V A pad``, ``V - pad`` without a type."""
    spot = spot_text(named.place, named.coast)
    kind = _NO_KIND if named.kind is None else named.kind.letter
    if named.owner is not None:
        return f"{named.owner} {kind} {spot}"
    return spot if named.kind is None else f"{kind} {spot}"


def read_named(value: Json) -> Named:
    """The inverse of ``named_text``.  Raises Unfit."""
    match as_text(value).split(" "):
        case [spot]:
            owner, kind = None, None
        case [letter, spot] if letter in _KINDS:
            owner, kind = None, _KINDS[letter]
        case [power, letter, spot] if letter in _KINDS or letter == _NO_KIND:
            owner, kind = PowerId(power), _KINDS.get(letter)
        case _:
            refuse(f'"{shown(as_text(value))}" names no unit; one is named "A pad" or "pad"')
    place, coast = read_spot(spot)
    return Named(kind, place, coast, owner)


def read_phase(value: Json) -> Moment:
    """Return a phase such as ``S1454M``.  Raises Unfit."""
    text = as_text(value)
    found = read_moment(text) if len(text) <= _LONGEST_TIME else None
    if found is None:
        refuse(f'"{shown(text)}" is no phase; one is written "S1454M"')
    return found


def read_when(value: Json) -> Campaign:
    """Return a campaign such as ``S1454``.  Raises Unfit."""
    text = as_text(value)
    found = read_campaign(text) if 0 < len(text) < _LONGEST_TIME else None
    if found is None:
        refuse(f'"{shown(text)}" is no campaign; one is written "S1454"')
    return found


Write = Callable[[Any], Json]
"""Writes a value; JSON's own types are written by `_as_is`."""
Read = Callable[[Json], Any]

KIND = "kind"
"""The field that says what an object is."""

_RENAMED: Mapping[tuple[type, str], str] = {
    (Build, "kind"): "type",
    (DisasterStruck, "kind"): "disaster",
}
"""Fields renamed in JSON, as ``kind`` is taken there."""

_LATER: Mapping[type, frozenset[str]] = {
    Expense: frozenset({"faces"}),
    Permit: frozenset({"allowed"}),
    Excommunicate: frozenset({"banned"}),
    Burn: frozenset({"burnt"}),
    Retreated: frozenset({"instead_of"}),
    **dict.fromkeys((SiegeBegun, SiegeKept, SiegeCompleted), frozenset({"city"})),
    State: frozenset({"home_holders"}),
}
"""Fields missing in records of earlier versions, beside options of the rules.

A later option has its default there.
"""

_BY_VALUE = (Kind, Quality)
"""Enumerations written by their values."""


@dataclasses.dataclass(frozen=True, slots=True)
class Form:
    """The JSON form of a type."""

    write: Write
    read: Read


def _as_is(value: Json) -> Json:
    return value


_WORDS: Mapping[object, Form] = {
    Unit: Form(partial(unit_text, with_since=True), read_full_unit),
    Named: Form(named_text, read_named),
    Spot: Form(str, read_spot),
    Moment: Form(lambda moment: moment.code, read_phase),
    Campaign: Form(lambda campaign: campaign.code, read_when),
    datetime: Form(lambda at: at.isoformat().replace("+00:00", "Z"), as_instant),
    str: Form(_as_is, as_text),
    bool: Form(_as_is, as_truth),
    int: Form(_as_is, as_whole),
}


def kind_of(of: type) -> str:
    """Return a class's name in JSON."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", of.__name__).lower()


def write(value: object) -> Json:
    """Return a frozen value as JSON."""
    of: Any = type(value)
    form: Form = form_of(of)
    return form.write(value)


@cache
def form_of(of: Any) -> Form:  # noqa: ANN401 - types, unions and aliases have no common type
    """Return the form of type *of*: a class, a union, a tuple, a literal."""
    if of in _WORDS:
        return _WORDS[of]
    if isinstance(of, NewType):
        return form_of(of.__supertype__)
    origin = get_origin(of)
    if origin is Literal:
        return literal(get_args(of))
    if origin is tuple:
        return sequence(form_of(get_args(of)[0]))
    if origin is frozenset:
        return _set(form_of(get_args(of)[0]))
    if origin is dict:
        return mapping(form_of(get_args(of)[1]))
    if origin is Table:
        return _table(get_args(of)[0])
    if origin in (Union, UnionType):
        return _union(get_args(of))
    if isinstance(of, type):
        return _choice(of) if issubclass(of, Enum) else object_form(of, kind=kind_of(of))
    msg = f"{of} has no form in JSON"
    raise TypeError(msg)


@dataclasses.dataclass(frozen=True, slots=True)
class ObjectForm(Form):
    """The JSON form of a class as an object."""

    write: Callable[[Any], dict[str, Json]]
    read_fields: Callable[[Json], dict[str, Any]]
    """Reads the values of the fields, by their names."""
    keys: Sequence[str]


def object_form(
    of: type,
    forms: Mapping[str, Form] | None = None,
    *,
    called: Mapping[str, str] | None = None,
    keys: Sequence[str] = (),
    kind: str = "",
) -> ObjectForm:
    """Return the form of a class, whose fields are read in the order of the class.

    *forms* are special forms of fields, *called* special keys. *keys* are all keys in order of
    writing: a field without one is left to the caller, as is a key without a field.
    """
    hints = get_type_hints(of)
    named = {
        field.name: _RENAMED.get((of, field.name), field.name) for field in dataclasses.fields(of)
    }
    named |= called or {}
    known = keys or (*((KIND,) if kind else ()), *named.values())
    parts = [
        (name, key, (forms or {}).get(name) or form_of(hints[name]))
        for name, key in named.items()
        if key in known
    ]
    options = {field.name for field in dataclasses.fields(of) if FACTS in field.metadata}
    later = _LATER.get(of, frozenset()) | options
    writers = tuple(
        (name, key, None if form.write is _as_is else form.write)
        for name, key, form in sorted(parts, key=lambda part: known.index(part[1]))
    )

    def write_object(value: object) -> dict[str, Json]:
        written: dict[str, Json] = {KIND: kind} if kind else {}
        for name, key, writer in writers:
            field = getattr(value, name)
            written[key] = field if writer is None else writer(field)
        return written

    def read_fields(value: Json) -> dict[str, Any]:
        fields = as_object(value, known)
        return {
            name: needed(fields, key, form.read)
            for name, key, form in parts
            if key in fields or name not in later
        }

    return ObjectForm(
        write=write_object,
        read=lambda value: of(**read_fields(value)),
        read_fields=read_fields,
        keys=known,
    )


def _union(members: Iterable[Any]) -> Form:
    """Nothing or one type, or one of several classes, told apart by kind."""
    types = [member for member in members if member is not NoneType]
    form = form_of(types[0]) if len(types) == 1 else _one_of(types)
    return optional(form) if NoneType in members else form


def optional(form: Form) -> Form:
    """Return the form of null or a value."""
    return Form(
        _unless_none(form.write),
        lambda value: None if value is None else form.read(value),
    )


def _unless_none(write_it: Write) -> Write:
    if write_it is _as_is:
        return _as_is
    return lambda value: None if value is None else write_it(value)


def _one_of(classes: Iterable[type]) -> Form:
    by_kind = {kind_of(of): of for of in classes}

    def read_one(value: Json) -> object:
        fields = as_object(value)
        kind = needed(fields, KIND, as_text)
        if kind not in by_kind:
            refuse(f'"{shown(kind)}" is none of {", ".join(by_kind)}', KIND)
        return form_of(by_kind[kind]).read(value)

    return Form(write, read_one)


def sequence(form: Form) -> Form:
    """Return the form of a tuple."""
    return Form(
        _each(form.write),
        lambda value: tuple(each(value, form.read)),
    )


def _each(write_it: Write) -> Write:
    if write_it is _as_is:
        return list
    return lambda values: [write_it(value) for value in values]


def _set(form: Form) -> Form:
    return Form(
        lambda values: [form.write(value) for value in sorted(values)],
        lambda value: frozenset(each(value, form.read)),
    )


def mapping(form: Form) -> Form:
    """Return the form of a mapping, sorted by its keys."""
    return Form(
        lambda values: {key: form.write(value) for key, value in sorted(values.items())},
        lambda value: dict(entries(value, lambda key, item: (key, form.read(item)))),
    )


def _table(of: object) -> Form:
    form = form_of(of)
    return Form(
        lambda values: {key: form.write(value) for key, value in values.items()},
        lambda value: Table(dict(entries(value, lambda key, item: (key, form.read(item))))),
    )


def _choice(of: type[Enum]) -> Form:
    names = {member: str(member.value) if of in _BY_VALUE else member.name.lower() for member in of}
    return _named({name: member for member, name in names.items()}, names.__getitem__)


def literal(texts: Iterable[str]) -> Form:
    """Return the form of one of the texts."""
    return _named({text: text for text in texts}, _as_is)


def _named(members: Mapping[str, Any], write_name: Write) -> Form:
    def read_name(value: Json) -> object:
        name = as_text(value)
        if name not in members:
            refuse(f'"{shown(name)}" is none of {", ".join(members)}')
        return members[name]

    return Form(write_name, read_name)


_EVENT = form_of(Event)


def events_of(events: Iterable[Event]) -> list[Json]:
    """Return the events, each an object with its ``kind``."""
    return [write(event) for event in events]


def read_events(value: Json) -> tuple[Event, ...]:
    """The inverse of ``events_of``.  Raises Unfit."""
    return tuple(each(value, _EVENT.read))
