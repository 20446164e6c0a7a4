"""Frozen values ↔ JSON, by their types: one codec for events, reasons and orders alike.

A dataclass is an object with its ``kind``, the class's name in small letters (``AdvanceFailed`` is
``advance_failed``), and every field; units, times and places are the short words of the format; a
choice is its name in small letters.  Writing and reading are made once for each class.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from machjudge.adjudicator.events import (
    DisasterStruck,
    Retreated,
    SiegeBegun,
    SiegeCompleted,
    SiegeKept,
)
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.moments import Campaign, Moment
from machjudge.adjudicator.model.orders import (
    Build,
    Burn,
    Excommunicate,
    Expense,
    Named,
    Permit,
)
from machjudge.adjudicator.model.rules.option import FACTS, Table
from machjudge.adjudicator.model.units import Kind, Quality, Unit
from machjudge.codec.document import short_names
from machjudge.codec.document.shape import (
    Json,
    as_object,
    as_text,
    as_truth,
    as_whole,
    each,
    entries,
    needed,
    refuse,
    shown,
)

Write = Callable[[Any], Json]
"""What JSON has itself is written by `_as_is`."""
Read = Callable[[Json], Any]

KIND = "kind"
"""The field that says what an object is."""

_RENAMED: Mapping[tuple[type, str], str] = {
    (Build, "kind"): "type",
    (DisasterStruck, "kind"): "disaster",
}
"""Fields that go by another name in JSON, as ``kind`` is taken there."""

_LATER: Mapping[type, frozenset[str]] = {
    Expense: frozenset({"faces"}),
    Permit: frozenset({"allowed"}),
    Excommunicate: frozenset({"banned"}),
    Burn: frozenset({"burnt"}),
    Retreated: frozenset({"instead_of"}),
    **dict.fromkeys((SiegeBegun, SiegeKept, SiegeCompleted), frozenset({"city"})),
}
"""Fields that records of earlier versions lack, beside options of the rules.

An option that is younger than a game plays there as it usually does.
"""

_BY_VALUE = (Kind, Quality)
"""Choices whose values are the words of the format."""


@dataclasses.dataclass(frozen=True, slots=True)
class Form:
    """How values of one type are written and read."""

    write: Write
    read: Read


def _as_is(value: Json) -> Json:
    return value


_WORDS: Mapping[object, Form] = {
    Unit: Form(short_names.full_unit_text, short_names.read_full_unit),
    Named: Form(short_names.named_text, short_names.read_named),
    Spot: Form(str, short_names.read_spot),
    Moment: Form(lambda moment: moment.code, short_names.read_phase),
    Campaign: Form(lambda campaign: campaign.code, short_names.read_when),
    str: Form(_as_is, as_text),
    bool: Form(_as_is, as_truth),
    int: Form(_as_is, as_whole),
}


def kind_of(of: type) -> str:
    """The name of a class in JSON."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", of.__name__).lower()


def write(value: object) -> Json:
    """A frozen value as JSON."""
    of: Any = type(value)
    form: Form = form_of(of)
    return form.write(value)


@cache
def form_of(of: Any) -> Form:  # noqa: ANN401 - types, unions and aliases have no common type
    """How values of the type *of* are written and read: a class, a union, a tuple, a literal."""
    if of in _WORDS:
        return _WORDS[of]
    if isinstance(of, NewType):
        return form_of(of.__supertype__)
    origin = get_origin(of)
    if origin is Literal:
        return _literal(get_args(of))
    if origin is tuple:
        return _sequence(get_args(of)[0])
    if origin is Table:
        return _table(get_args(of)[0])
    if origin in (Union, UnionType):
        return _union(get_args(of))
    if isinstance(of, type):
        return _choice(of) if issubclass(of, Enum) else _object(of)
    msg = f"{of} has no form in JSON"
    raise TypeError(msg)


def _object(of: type) -> Form:
    kind = kind_of(of)
    hints = get_type_hints(of)
    parts = [
        (field.name, _RENAMED.get((of, field.name), field.name), form_of(hints[field.name]))
        for field in dataclasses.fields(of)
    ]
    keys = (KIND, *(key for _, key, _ in parts))
    options = {field.name for field in dataclasses.fields(of) if FACTS in field.metadata}
    later = _LATER.get(of, frozenset()) | options
    writers = tuple(
        (name, key, None if form.write is _as_is else form.write) for name, key, form in parts
    )

    def write_object(value: object) -> Json:
        written: dict[str, Json] = {KIND: kind}
        for name, key, writer in writers:
            field = getattr(value, name)
            written[key] = field if writer is None else writer(field)
        return written

    def read_object(value: Json) -> object:
        fields = as_object(value, keys)
        return of(
            **{
                name: needed(fields, key, form.read)
                for name, key, form in parts
                if key in fields or name not in later
            }
        )

    return Form(write_object, read_object)


def _union(members: Iterable[Any]) -> Form:
    """Nothing or one type, or one of several classes that tell themselves by their kind."""
    types = [member for member in members if member is not NoneType]
    form = form_of(types[0]) if len(types) == 1 else _one_of(types)
    if NoneType not in members:
        return form
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


def _sequence(of: object) -> Form:
    form = form_of(of)
    return Form(
        _each(form.write),
        lambda value: tuple(each(value, form.read)),
    )


def _each(write_it: Write) -> Write:
    if write_it is _as_is:
        return list
    return lambda values: [write_it(value) for value in values]


def _table(of: object) -> Form:
    form = form_of(of)
    return Form(
        lambda values: {key: form.write(value) for key, value in values.items()},
        lambda value: Table(dict(entries(value, lambda key, item: (key, form.read(item))))),
    )


def _choice(of: type[Enum]) -> Form:
    names = {member: str(member.value) if of in _BY_VALUE else member.name.lower() for member in of}
    return _named({name: member for member, name in names.items()}, names.__getitem__)


def _literal(texts: Iterable[str]) -> Form:
    return _named({text: text for text in texts}, _as_is)


def _named(members: Mapping[str, Any], write_name: Write) -> Form:
    def read_name(value: Json) -> object:
        name = as_text(value)
        if name not in members:
            refuse(f'"{shown(name)}" is none of {", ".join(members)}')
        return members[name]

    return Form(write_name, read_name)
