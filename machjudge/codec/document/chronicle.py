"""A whole game as one JSON document: everything that is needed to check it without its judge.

The format is described in ``docs/export.md``.  A file has one line for each field and one for each
phase, so that a fault in it is found again; any other layout is read as well.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from machjudge.adjudicator.events import DiceThrown, Event
from machjudge.adjudicator.model.dice import shared_key
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.state import State
from machjudge.codec.document.document import read_document, write_document
from machjudge.codec.document.ends import ChronicleEnd, end_of, instant_of, read_end
from machjudge.codec.document.happened import events_of, read_events
from machjudge.codec.document.seals import phase_links, seal_of
from machjudge.codec.document.shape import (
    Json,
    as_instant,
    as_number,
    as_object,
    as_text,
    as_truth,
    each,
    entries,
    needed,
    refuse,
)
from machjudge.codec.document.values import form_of
from machjudge.codec.document.whole import (
    read_whole_position,
    read_whole_rules,
    whole_position_of,
    whole_rules_of,
)

FORMAT = "machjudge game"
"""What the file says it is."""

VERSION = 2
"""The version of the format that is written; older ones are read, newer ones are refused."""

_SECRET_BYTES = 32
_MOST = 2**31
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_FIELDS = (
    "format", "version", "game", "scenario", "judge", "commitment", "secret", "words", "last",
    "end", "seal", "phases",
)  # fmt: skip
_PHASE = (
    "number", "parent", "phase", "adjudicator", "played", "rules", "before", "orders", "dice",
    "events", "after", "seal",
)  # fmt: skip
_NEW = ("end", "played")
"""What the format has since its version 2."""
_LINE = ("written", "canonical", "by_judge")
_THROW = ("purpose", "n", "dice")


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """One order: as it was written, and as it was understood."""

    written: str
    canonical: str
    by_judge: bool = False
    """Whether the judge wrote it in place of a silent player."""


@dataclass(frozen=True, slots=True)
class ChronicleEntry:
    """One phase as it was processed."""

    number: int
    """0 is the opening; numbers go up and are never used twice."""
    parent: int | None
    """The phase from whose outcome it went on: after a rollback not the one before."""
    moment: str
    """The code of the phase, such as ``S1454M``."""
    adjudicator: str
    """The version of the program that played it."""
    rules: Rules
    before: State
    orders: Mapping[PowerId, tuple[ChronicleLine, ...]]
    dice: tuple[DiceThrown, ...]
    """The dice that were thrown, which stand among the events, too."""
    events: tuple[Event, ...]
    after: State
    played: datetime | None = None
    """When it was played; None if a file of version 1 does not say so."""
    seal: str = field(default="", compare=False)
    """What a file says is the link of this phase in the chain of seals; empty in place."""


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A game from its opening to its last phase."""

    game: str
    scenario: str
    judge: str
    """The code of the judge that kept it."""
    commitment: str
    """The SHA-256 of the secret in hexadecimal, as the game's first mail published it."""
    secret: bytes
    words: tuple[str, ...] | None
    """The words that the players mailed, in the order of their receipt; None if the dice follow
    from the secret alone."""
    last: int | None
    """The number of the phase whose outcome is the last position; None before the opening."""
    phases: tuple[ChronicleEntry, ...]
    end: ChronicleEnd | None = None
    """How the game ended; None if it goes on, or if that is not known, as of version 1."""
    seal: str = field(default="", compare=False)
    """What a file says is the seal of the whole record; empty in place."""

    @property
    def key(self) -> bytes:
        """From what the dice follow."""
        return self.secret if self.words is None else shared_key(self.secret, self.words)


def throws_of(events: tuple[Event, ...]) -> tuple[DiceThrown, ...]:
    """The dice among the events of a phase."""
    return tuple(event for event in events if isinstance(event, DiceThrown))


# --- writing ---------------------------------------------------------------------------------


def chronicle_lines(chronicle: Chronicle) -> Iterator[str]:
    """The file, line by line, in ASCII."""
    fields = _head_of(chronicle)
    yield "{"
    yield from (f"{write_document(key)}: {write_document(fields[key])}," for key in fields)
    yield '"phases": ['
    last = len(chronicle.phases) - 1
    for index, (entry, link) in enumerate(
        zip(chronicle.phases, phase_links(chronicle), strict=True)
    ):
        yield write_document({**_entry_of(entry), "seal": link}) + ("," if index < last else "")
    yield "]"
    yield "}"


def _head_of(chronicle: Chronicle) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": chronicle.game,
        "scenario": chronicle.scenario,
        "judge": chronicle.judge,
        "commitment": chronicle.commitment,
        "secret": chronicle.secret.hex(),
        "words": None if chronicle.words is None else [*chronicle.words],
        "last": chronicle.last,
        "end": None if chronicle.end is None else end_of(chronicle.end),
        "seal": seal_of(chronicle),
    }


def _entry_of(entry: ChronicleEntry) -> dict[str, Json]:
    return {
        "number": entry.number,
        "parent": entry.parent,
        "phase": entry.moment,
        "adjudicator": entry.adjudicator,
        "played": None if entry.played is None else instant_of(entry.played),
        "rules": whole_rules_of(entry.rules),
        "before": whole_position_of(entry.before),
        "orders": {
            power: [_line_of(line) for line in lines]
            for power, lines in sorted(entry.orders.items())
        },
        "dice": [{"purpose": d.purpose, "n": d.n, "dice": [*d.dice]} for d in entry.dice],
        "events": [*events_of(entry.events)],
        "after": whole_position_of(entry.after),
    }


def _line_of(line: ChronicleLine) -> Json:
    return {"written": line.written, "canonical": line.canonical, "by_judge": line.by_judge}


# --- reading ---------------------------------------------------------------------------------


def read_chronicle(content: bytes) -> Chronicle:
    """The inverse of `chronicle_lines`.  Raises Unfit, which says where the fault is."""
    fields = as_object(_storable(read_document(content)))
    # First what it is: anything else would only be called unknown.
    if needed(fields, "format", as_text) != FORMAT:
        refuse(f'this is no "{FORMAT}"', "format")
    version = needed(fields, "version", lambda version: as_number(version, 1, VERSION))
    fields = as_object(fields, _known(_FIELDS, version))
    return Chronicle(
        game=needed(fields, "game", as_text),
        scenario=needed(fields, "scenario", as_text),
        judge=needed(fields, "judge", as_text),
        commitment=needed(fields, "commitment", as_text),
        secret=needed(fields, "secret", _read_secret),
        words=needed(fields, "words", _read_words),
        last=needed(fields, "last", _read_number_or_none),
        phases=tuple(
            needed(
                fields,
                "phases",
                lambda phases: each(phases, lambda phase: _read_entry(phase, version)),
            )
        ),
        end=needed(fields, "end", _read_end_or_none) if version > 1 else None,
        seal=needed(fields, "seal", as_text),
    )


def _known(names: tuple[str, ...], version: int) -> tuple[str, ...]:
    """The fields that a version has."""
    return names if version > 1 else tuple(name for name in names if name not in _NEW)


def _read_secret(value: Json) -> bytes:
    text = as_text(value)
    if len(text) != 2 * _SECRET_BYTES or set(text) - set("0123456789abcdef"):
        refuse(f"a secret is {2 * _SECRET_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _read_words(value: Json) -> tuple[str, ...] | None:
    return None if value is None else tuple(each(value, as_text))


def _storable(value: Json) -> Json:
    """The value, if UTF-8 and a database can hold all texts in it.  Raises Unfit."""
    match value:
        case str() if _UNSTORABLE.search(value):
            refuse("a NUL or half a character stands in it")
        case list():
            each(value, _storable)
        case dict():
            entries(value, lambda key, item: (_storable(key), _storable(item)))
        case _:
            pass
    return value


def _read_number(value: Json) -> int:
    return as_number(value, 0, _MOST)


def _read_number_or_none(value: Json) -> int | None:
    return None if value is None else _read_number(value)


def _read_end_or_none(value: Json) -> ChronicleEnd | None:
    return None if value is None else read_end(value)


def _read_entry(value: Json, version: int) -> ChronicleEntry:
    fields = as_object(value, _known(_PHASE, version))
    return ChronicleEntry(
        number=needed(fields, "number", _read_number),
        parent=needed(fields, "parent", _read_number_or_none),
        moment=needed(fields, "phase", as_text),
        adjudicator=needed(fields, "adjudicator", as_text),
        rules=needed(fields, "rules", read_whole_rules),
        before=needed(fields, "before", read_whole_position),
        orders=dict(needed(fields, "orders", _read_orders)),
        dice=tuple(needed(fields, "dice", lambda throws: each(throws, _read_throw))),
        events=needed(fields, "events", read_events),
        after=needed(fields, "after", read_whole_position),
        played=needed(fields, "played", as_instant) if version > 1 else None,
        seal=needed(fields, "seal", as_text),
    )


def _read_orders(value: Json) -> list[tuple[PowerId, tuple[ChronicleLine, ...]]]:
    return entries(value, lambda power, lines: (PowerId(power), tuple(each(lines, _read_line))))


def _read_line(value: Json) -> ChronicleLine:
    fields = as_object(value, _LINE)
    return ChronicleLine(
        written=needed(fields, "written", as_text),
        canonical=needed(fields, "canonical", as_text),
        by_judge=needed(fields, "by_judge", as_truth),
    )


def _read_throw(value: Json) -> DiceThrown:
    fields = as_object(value, _THROW)
    return DiceThrown(
        purpose=needed(fields, "purpose", as_text),
        dice=needed(fields, "dice", form_of(tuple[int, ...]).read),
        n=needed(fields, "n", _read_number),
    )
