"""What is stored as JSON documents: positions, events, rules, orders on file, conduct.

Single values are written as the codec writes them, positions and rules complete by themselves; the
document of a phase says its version.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_origin, get_type_hints

from sqlalchemy import Connection, Select, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.db.engine import Prepared
from machjudge.db.tables import Base
from machjudge.formats.position import (
    read_whole_position,
    read_whole_rules,
    whole_position_of,
    whole_rules_of,
)
from machjudge.formats.values import (
    Form,
    Json,
    Unfit,
    as_instant,
    as_number,
    as_object,
    as_text,
    each,
    entries,
    events_of,
    form_of,
    needed,
    read_events,
    refuse,
)
from machjudge.judge.game_settings import (
    SERVICE_OPTION_FIELDS,
    GameSettings,
    PhaseTiming,
    PressRules,
)
from machjudge.judge.ports import Stale
from machjudge.judge.records import FiledOrder, MailId

T = TypeVar("T")


class OnConnection(Session):
    """A session for as long as a transaction of its connection; it begins none of its own."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, autoflush=False, expire_on_commit=False)
        self._connection = connection

    def connection(self, *_: object, **__: object) -> Connection:
        """The connection."""
        return self._connection


FRESH = {"populate_existing": True}


def rows(session: Session, statement: Select[T]) -> Sequence[T]:
    """All rows that *statement* selects."""
    return session.scalars(statement, execution_options=FRESH).all()


def row(session: Session, statement: Select[T]) -> T | None:
    """The first row that *statement* selects."""
    return session.scalars(statement.limit(1), execution_options=FRESH).one_or_none()


def add_rows(
    session: Session, table: type[Base], values: Sequence[Mapping[str, object]], taken: str
) -> None:
    """Add rows.  Raises Stale, with *taken* as its message, if one of them is there already."""
    if not values:
        return
    try:
        _adding(table).run(session.connection(), *values)
    except IntegrityError as fault:
        raise Stale(taken) from fault


@cache
def _adding(table: type[Base]) -> Prepared:
    return Prepared(insert(table))


VERSION = 1
"""The version of the documents that are written; those of newer versions are refused."""


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
    orders: Mapping[PowerId, tuple[FiledOrder, ...]]
    rules: Rules
    events: tuple[Event, ...]


def write_phase(phase: PhaseDocument) -> Json:
    """The document of a phase."""
    return {
        "version": VERSION,
        "before": whole_position_of(phase.before),
        "after": whole_position_of(phase.after),
        "orders": {power: write_lines(lines) for power, lines in sorted(phase.orders.items())},
        "rules": write_rules(phase.rules),
        "events": [*events_of(phase.events)],
    }


def read_phase(value: Json, name: str) -> PhaseDocument:
    """The inverse of `write_phase`.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, _phase)


def write_rules(rules: Rules) -> Json:
    """The rules, every field of them."""
    return whole_rules_of(rules)


def read_rules(value: Json, name: str) -> Rules:
    """The inverse of `write_rules`.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, read_whole_rules)


def write_conduct(conduct: GameSettings) -> Json:
    """The conduct of a game, every field of it."""
    return dataclasses.asdict(conduct, dict_factory=_fields)


def _fields(found: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name: one.value if isinstance(one, Enum) else one for name, one in found}


def read_conduct(value: Json, name: str) -> GameSettings:
    """The inverse of `write_conduct`.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, _conduct)


def write_lines(lines: Iterable[FiledOrder]) -> Json:
    """The lines of an order set."""
    return [
        {
            "written": line.written,
            "canonical": line.canonical,
            "received": line.received.isoformat(),
            "mail": line.mail,
        }
        for line in lines
    ]


def read_lines(value: Json, name: str) -> tuple[FiledOrder, ...]:
    """The inverse of `write_lines`.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, _lines)


def read_document(value: Json, name: str, read: Callable[[Json], T]) -> T:
    """What *read* makes of a document.  Raises BrokenDocument, which says *name*."""
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
        before=needed(fields, "before", read_whole_position),
        after=needed(fields, "after", read_whole_position),
        orders=dict(needed(fields, "orders", _orders)),
        rules=needed(fields, "rules", read_whole_rules),
        events=needed(fields, "events", read_events),
    )


def _orders(value: Json) -> list[tuple[PowerId, tuple[FiledOrder, ...]]]:
    return entries(value, lambda power, lines: (PowerId(power), _lines(lines)))


def _lines(value: Json) -> tuple[FiledOrder, ...]:
    return tuple(each(value, _line))


def _line(value: Json) -> FiledOrder:
    fields = as_object(value, _LINE)
    return FiledOrder(
        written=needed(fields, "written", as_text),
        canonical=needed(fields, "canonical", as_text),
        received=needed(fields, "received", as_instant),
        mail=needed(fields, "mail", _mail),
    )


def _mail(value: Json) -> MailId | None:
    return None if value is None else MailId(as_number(value, 0, _MOST))


def _conduct(value: Json) -> GameSettings:
    known = get_type_hints(GameSettings)
    fields = as_object(value, known)
    there = [name for name in known if name in fields or name not in _LATER]
    return GameSettings(**{name: needed(fields, name, _form(known[name]).read) for name in there})


_LATER = frozenset(option.field for option in SERVICE_OPTION_FIELDS.values())
"""Options that may be younger than a game, which is run as usual then."""


def _timing(value: Json) -> PhaseTiming:
    known = get_type_hints(PhaseTiming)
    fields = as_object(value, known)
    return PhaseTiming(**{name: needed(fields, name, form_of(known[name]).read) for name in known})


def _press(value: Json) -> PressRules:
    known = get_type_hints(PressRules)
    fields = as_object(value, known)
    return PressRules(**{name: needed(fields, name, _form(known[name]).read) for name in known})


def _choice(of: type[Enum]) -> Form:
    """One of the values of an enumeration."""

    def read(value: Json) -> Enum:
        found = next((each for each in of if each.value == as_text(value)), None)
        if found is None:
            refuse(f"is no value of {of.__name__}")
        return found

    return Form(lambda one: one.value, read)


def _form(of: type) -> Form:
    """The form of a field of the conduct."""
    if issubclass(get_origin(of) or of, Enum):
        return _choice(of)
    return _PARTS.get(of) or form_of(of)


_PARTS: Mapping[type, Form] = {
    PhaseTiming: Form(dataclasses.asdict, _timing),
    PressRules: Form(dataclasses.asdict, _press),
}
