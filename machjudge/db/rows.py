"""Turn values into rows and JSON documents.

Single values are written as the formats do; the document of a phase says its version.
"""

import dataclasses
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import cache, lru_cache
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import Connection, Select, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from machjudge.adjudicator.names import MachjudgeError
from machjudge.adjudicator.rules import Rules
from machjudge.bots.policies import BotPolicy
from machjudge.db.engine import Prepared
from machjudge.db.tables import Base
from machjudge.formats.game_file import SEALED_SET
from machjudge.formats.position import WHOLE_POSITION, WHOLE_RULES
from machjudge.formats.values import (
    Form,
    Json,
    Unfit,
    as_instant,
    as_number,
    as_object,
    as_text,
    form_of,
    mapping,
    needed,
    object_form,
    optional,
    refuse,
    sequence,
)
from machjudge.judge.faults import Stale
from machjudge.judge.game_settings import (
    SERVICE_OPTION_FIELDS,
    GameSettings,
    PhaseTiming,
    PressRules,
)
from machjudge.judge.records import (
    Absence,
    Attendance,
    Clock,
    Ending,
    FiledOrder,
    MailId,
    RandomWord,
    StoredPhase,
)

# Reading and adding rows, always as the database has them now. A session remembers the rows it
# has read; after statements that change them behind its back they would be stale, so every
# reading refreshes them.
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


def _as_is(value: Any) -> Any:  # noqa: ANN401 - what a column or JSON has by itself
    return value


_PLAIN = Form(_as_is, _as_is)
_LISTED = (Absence, Attendance, RandomWord)
"""Types written as a list of their fields."""
_ADDED: Mapping[type, Collection[str]] = {
    Clock: (
        "won", "entered", "out_of_reach", "resumes", "briefed", "cautioned", "reminded", "excused",
    ),
    Ending: ("origin",),
}  # fmt: skip
"""Fields written only if not the default."""


@cache
def document_form(of: Any) -> Form:  # noqa: ANN401 - types, unions and aliases have no common type
    """Return the JSON form of a type, read without a check."""
    if get_origin(of) in (Union, UnionType):
        form = document_form(get_args(of)[0])
        return form if form is _PLAIN else _optional(form)
    if get_origin(of) is tuple:
        return _sequence(document_form(get_args(of)[0]))
    if of is datetime:
        return Form(datetime.isoformat, lambda said: datetime.fromisoformat(as_text(said)))
    if of is timedelta:
        return Form(timedelta.total_seconds, _seconds)
    if isinstance(of, type) and issubclass(of, Enum):
        # As fast as a dictionary: an enumeration looks its members up in Python.
        return Form(lambda one: one.value, {each.value: each for each in of}.__getitem__)
    if dataclasses.is_dataclass(of):
        return _listed(of) if of in _LISTED else _object(of)
    return _PLAIN


def _optional(form: Form) -> Form:
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda value: None if value is None else form.read(value),
    )


def _sequence(form: Form) -> Form:
    def read(said: Any) -> tuple[Any, ...]:  # noqa: ANN401
        return tuple(said) if form is _PLAIN else tuple(map(form.read, said))

    return Form(list if form is _PLAIN else lambda values: [*map(form.write, values)], read)


def _seconds(said: Any) -> timedelta:  # noqa: ANN401
    return timedelta(seconds=said)


def _object(of: Any) -> Form:  # noqa: ANN401
    fields = FieldForms[Any](of, is_document=True)
    return Form(fields.write, fields.read)


def _listed(of: Any) -> Form:  # noqa: ANN401
    fields = FieldForms[Any](of, is_document=True)

    def read(said: Any) -> object:  # noqa: ANN401
        # Fields that are younger than the document have their defaults.
        return fields.read(dict(zip(fields.names, said, strict=False)))

    return Form(lambda value: [*fields.write(value).values()], read)


class FieldForms(Generic[T]):
    """The stored form of a class: each field in the column or key of its name.

    A missing field has its default. *apart* are fields of the caller, *called* renamed columns,
    *forms* special forms of fields.
    """

    def __init__(
        self,
        of: type[T],
        apart: Collection[str] = (),
        called: Mapping[str, str] | None = None,
        forms: Mapping[str, Form] | None = None,
        *,
        is_document: bool = False,
    ) -> None:
        self._of = of
        self._get: Callable[..., Any] = dict.get if is_document else getattr
        self._added = _ADDED.get(of, ()) if is_document else ()
        self._fields: list[tuple[str, str, Form, object]] = []
        hints = get_type_hints(of)
        # Any: mypy does not know that T is a dataclass.
        every: Any = of
        for field in dataclasses.fields(every):
            if field.name not in apart:
                hint = hints[field.name]
                is_column = not is_document and hint in (datetime, datetime | None)
                form = _PLAIN if is_column else document_form(hint)
                form = (forms or {}).get(field.name, form)
                column = (called or {}).get(field.name, field.name)
                self._fields.append((field.name, column, form, field.default))

    @property
    def names(self) -> Sequence[str]:
        """The columns or keys."""
        return [column for _, column, _, _ in self._fields]

    def write(self, value: T) -> dict[str, Any]:
        """The columns, or the object, for a value."""
        written = {}
        for name, column, form, default in self._fields:
            field = getattr(value, name)
            if name not in self._added or field != default:
                written[column] = field if form is _PLAIN else form.write(field)
        return written

    def read(self, row: Any, **apart: Any) -> T:  # noqa: ANN401 - rows of all kinds
        """The value in a row or an object, with the fields that stand *apart*."""
        fields = apart
        for name, column, form, default in self._fields:
            value = self._get(row, column, None)
            if value is not None:
                fields[name] = value if form is _PLAIN else form.read(value)
            elif default is dataclasses.MISSING:
                fields[name] = None
        return self._of(**fields)


VERSION = 1
"""The version of the documents that are written; those of newer versions are refused."""


_MAX = 2**63 - 1


class BrokenDocument(MachjudgeError):
    """A stored document that this version cannot read, and the place."""


_MAIL = Form(_as_is, lambda value: MailId(as_number(value, 0, _MAX)))
_LINE = object_form(
    FiledOrder,
    {"received": Form(datetime.isoformat, as_instant), "mail": optional(_MAIL)},
    keys=("written", "canonical", "received", "mail"),
)
_MASTERS_LINE = object_form(
    FiledOrder, {"received": Form(datetime.isoformat, as_instant), "mail": optional(_MAIL)}
)


def _read_line(value: Json) -> FiledOrder:
    """A line; only those that a master wrote say so."""
    form = _MASTERS_LINE if isinstance(value, dict) and "by_master" in value else _LINE
    line: FiledOrder = form.read(value)
    return line


def _write_line(line: FiledOrder) -> Json:
    return (_MASTERS_LINE if line.by_master else _LINE).write(line)


@lru_cache(maxsize=64)
def _once(rules: Rules) -> Rules:
    """The first of equal rules: the world of a game is found by them, and compares them else."""
    return rules


@lru_cache(maxsize=64)
def _rules_in(document: str) -> Rules:
    """The rules in a document, read once: many games have the same, and each of their phases."""
    return _once(WHOLE_RULES.read(json.loads(document)))


_RULES = Form(WHOLE_RULES.write, lambda value: _rules_in(json.dumps(value)))
_LINES = sequence(Form(_write_line, _read_line))
_PHASE = object_form(
    StoredPhase,
    {
        "before": WHOLE_POSITION,
        "after": WHOLE_POSITION,
        "orders": mapping(_LINES),
        "rules": _RULES,
        "sealed": mapping(SEALED_SET),
        "agreements": mapping(SEALED_SET),
    },
    keys=(
        "version",
        "before",
        "after",
        "orders",
        "rules",
        "events",
        "sealed",
        "agreements",
    ),
)


def write_phase(phase: StoredPhase) -> Json:
    """The document of a phase."""
    return {"version": VERSION, **_PHASE.write(phase)}


def read_phase(value: Json, name: str) -> dict[str, Any]:
    """The fields of a phase that its document has.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, _phase)


def write_rules(rules: Rules) -> Json:
    """The rules, every field of them."""
    return WHOLE_RULES.write(rules)


def read_rules(value: Json, name: str) -> Rules:
    """The inverse of `write_rules`.  Raises BrokenDocument, which says *name*."""
    rules: Rules = read_document(value, name, _RULES.read)
    return rules


def write_settings(settings: GameSettings) -> Json:
    """The settings of a game, every field of them."""
    return dataclasses.asdict(
        settings,
        dict_factory=lambda found: {
            name: one.value if isinstance(one, Enum) else one for name, one in found
        },
    )


def read_settings(value: Json, name: str) -> GameSettings:
    """The inverse of `write_settings`.  Raises BrokenDocument, which says *name*."""
    settings: GameSettings = read_document(value, name, _form(GameSettings).read)
    return settings


def write_lines(lines: Iterable[FiledOrder]) -> Json:
    """The lines of an order set."""
    return [_write_line(line) for line in lines]


def read_lines(value: Json, name: str) -> tuple[FiledOrder, ...]:
    """The inverse of `write_lines`.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, _LINES.read)


def read_document(value: Json, name: str, read: Callable[[Json], T]) -> T:
    """What *read* makes of a document.  Raises BrokenDocument, which says *name*."""
    try:
        return read(value)
    except Unfit as unfit:
        message = f"{name}: {unfit}"
        raise BrokenDocument(message) from unfit


def _phase(value: Json) -> dict[str, Any]:
    # First the version: a newer one may have fields that would only be called unknown.
    fields = as_object(value)
    needed(fields, "version", lambda version: as_number(version, 1, VERSION))
    return _PHASE.read_fields({"sealed": {}, "agreements": {}, **fields})


_LATER = frozenset(option.field for option in SERVICE_OPTION_FIELDS.values()) | {
    "vacant", "practice", "tutorial", "briefing_hours", "notice_hours", "excused_hours",
    "excused_yearly", "newcomers", "substitute_hours", "offers",
    "master_plays",
}  # fmt: skip
"""Settings younger than a game, which get their defaults: options, and these."""


def _settings_form(of: type[T]) -> Form:
    known = get_type_hints(of)

    def read(value: Json) -> T:
        fields = as_object(value, known)
        there = [name for name in known if name in fields or name not in _LATER]
        return of(**{name: needed(fields, name, _form(known[name]).read) for name in there})

    return Form(dataclasses.asdict, read)


def _choice(of: type[Enum]) -> Form:
    def read(value: Json) -> Enum:
        found = next((each for each in of if each.value == as_text(value)), None)
        if found is None:
            refuse(f"is no value of {of.__name__}")
        return found

    return Form(lambda one: one.value, read)


def _form(of: type) -> Form:
    if issubclass(get_origin(of) or of, Enum):
        return _choice(of)
    return _PARTS.get(of) or form_of(of)


def _bot_policy(value: Json) -> BotPolicy | None:
    # Older versions have written "off" for no bots.
    return None if value in (None, "off") else _choice(BotPolicy).read(value)


_PARTS: Mapping[Any, Form] = {
    BotPolicy | None: Form(_as_is, _bot_policy),
    **{each: _settings_form(each) for each in (GameSettings, PhaseTiming, PressRules)},
}
