"""What is stored as JSON documents: positions, events, rules, orders on file, conduct.

Single values are written as the codec writes them; the document of a phase says its version.
Unlike the positions of ``machjudge adjudicate``, a stored one is complete by itself: it is read
without its scenario, so that no map file can change what has been played.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TypeVar, get_args, get_origin, get_type_hints

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.codec.happened import events_of, read_events
from machjudge.codec.shape import (
    Json,
    Unfit,
    as_number,
    as_object,
    as_text,
    each,
    entries,
    needed,
    refuse,
)
from machjudge.codec.values import Form, form_of
from machjudge.service.records import Conduct, MailId, SheetLine

VERSION = 1
"""The version of the documents that are written; those of newer versions are refused."""

T = TypeVar("T")

_PHASE = ("version", "before", "after", "orders", "rules", "events")
_LINE = ("written", "canonical", "received", "mail")
_MOST = 2**63 - 1


class BrokenDocument(MachjudgeError):
    """A stored document that this version cannot read: which one, and where it is wrong."""


@dataclasses.dataclass(frozen=True, slots=True)
class PhaseDocument:
    """What the document of a phase says."""

    before: State
    after: State
    orders: Mapping[PowerId, tuple[SheetLine, ...]]
    rules: Rules
    events: tuple[Event, ...]


def write_phase(phase: PhaseDocument) -> Json:
    """The document of a phase."""
    return {
        "version": VERSION,
        "before": _STATE.write(phase.before),
        "after": _STATE.write(phase.after),
        "orders": {power: write_lines(lines) for power, lines in sorted(phase.orders.items())},
        "rules": write_rules(phase.rules),
        "events": [*events_of(phase.events)],
    }


def read_phase(value: Json, name: str) -> PhaseDocument:
    """The inverse of `write_phase`.  Raises BrokenDocument, which says *name*."""
    return _read(value, name, _phase)


def write_rules(rules: Rules) -> Json:
    """The rules, every field of them."""
    written: Json = _RULES.write(rules)
    return written


def read_rules(value: Json, name: str) -> Rules:
    """The inverse of `write_rules`; a field that is younger than the document has its default.

    Raises BrokenDocument, which says *name*.
    """
    return _read(value, name, _rules)


def write_conduct(conduct: Conduct) -> Json:
    """The conduct of a game, every field of it."""
    return dataclasses.asdict(conduct)


def read_conduct(value: Json, name: str) -> Conduct:
    """The inverse of `write_conduct`; a field younger than the document has its default.

    Raises BrokenDocument, which says *name*.
    """
    return _read(value, name, _conduct)


def write_lines(lines: Iterable[SheetLine]) -> Json:
    """The lines of an order sheet."""
    return [
        {
            "written": line.written,
            "canonical": line.canonical,
            "received": line.received.isoformat(),
            "mail": line.mail,
        }
        for line in lines
    ]


def read_lines(value: Json, name: str) -> tuple[SheetLine, ...]:
    """The inverse of `write_lines`.  Raises BrokenDocument, which says *name*."""
    return _read(value, name, _lines)


def _read(value: Json, name: str, read: Callable[[Json], T]) -> T:
    try:
        return read(value)
    except Unfit as unfit:
        message = f"{name}: {unfit}"
        raise BrokenDocument(message) from unfit


def _phase(value: Json) -> PhaseDocument:
    # First the version: a newer one may have fields that would only be called unknown.
    needed(as_object(value), "version", lambda version: as_number(version, 1, VERSION))
    fields = as_object(value, _PHASE)
    return PhaseDocument(
        before=needed(fields, "before", _STATE.read),
        after=needed(fields, "after", _STATE.read),
        orders=dict(needed(fields, "orders", _orders)),
        rules=needed(fields, "rules", _rules),
        events=needed(fields, "events", read_events),
    )


def _orders(value: Json) -> list[tuple[PowerId, tuple[SheetLine, ...]]]:
    return entries(value, lambda power, lines: (PowerId(power), _lines(lines)))


def _lines(value: Json) -> tuple[SheetLine, ...]:
    return tuple(each(value, _line))


def _line(value: Json) -> SheetLine:
    fields = as_object(value, _LINE)
    return SheetLine(
        written=needed(fields, "written", as_text),
        canonical=needed(fields, "canonical", as_text),
        received=needed(fields, "received", _instant),
        mail=needed(fields, "mail", _mail),
    )


def _instant(value: Json) -> datetime:
    try:
        return datetime.fromisoformat(as_text(value))
    except ValueError:
        refuse("is no instant")


def _mail(value: Json) -> MailId | None:
    return None if value is None else MailId(as_number(value, 0, _MOST))


def _rules(value: Json) -> Rules:
    rules: Rules = _RULES.read(_completed(value, _RULES.write(Rules())))
    return rules


def _completed(value: Json, defaults: Json) -> Json:
    """The value, with the defaults for what is absent from its objects."""
    if not isinstance(value, dict) or not isinstance(defaults, dict):
        return value
    missing = {key: default for key, default in defaults.items() if key not in value}
    return missing | {key: _completed(item, defaults.get(key)) for key, item in value.items()}


def _conduct(value: Json) -> Conduct:
    known = get_type_hints(Conduct)
    fields = as_object(value, known)
    given = {name: needed(fields, name, form_of(known[name]).read) for name in fields}
    return Conduct(**given)


def _form(of: object) -> Form:
    """How the field of a position is written: as the codec does, or a mapping or set of that."""
    origin = get_origin(of)
    if origin is Mapping:
        return _mapping(_form(get_args(of)[1]))
    if origin is frozenset:
        return _set(_form(get_args(of)[0]))
    return form_of(of)


def _mapping(form: Form) -> Form:
    return Form(
        lambda values: {key: form.write(value) for key, value in sorted(values.items())},
        lambda value: dict(entries(value, lambda key, item: (key, form.read(item)))),
    )


def _set(form: Form) -> Form:
    return Form(
        lambda values: [form.write(value) for value in sorted(values)],
        lambda value: frozenset(each(value, form.read)),
    )


def _state() -> Form:
    hints = get_type_hints(State)
    forms = {field.name: _form(hints[field.name]) for field in dataclasses.fields(State)}

    def read(value: Json) -> State:
        fields = as_object(value, forms)
        return State(**{name: needed(fields, name, form.read) for name, form in forms.items()})

    return Form(
        lambda state: {name: form.write(getattr(state, name)) for name, form in forms.items()},
        read,
    )


_STATE = _state()
_RULES = form_of(Rules)
