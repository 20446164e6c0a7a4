"""A whole game as one JSON document, verifiable without its judge."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import NoReturn, TypeVar

from machjudge.adjudicator.dice import shared_key
from machjudge.adjudicator.events import DiceThrown, Event
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.formats.position import (
    read_whole_position,
    read_whole_rules,
    whole_position_of,
    whole_rules_of,
)
from machjudge.formats.values import (
    Json,
    as_instant,
    as_number,
    as_object,
    as_text,
    as_truth,
    each,
    entries,
    events_of,
    form_of,
    needed,
    read_events,
    refuse,
    shown,
)

T = TypeVar("T")

TOO_DEEP = "it is nested too deeply"


def read_document(line: bytes) -> Json:
    """Return the JSON value of a line, or of a file.

    Raises Unfit for what is no UTF-8 or JSON, NaN and infinity, a repeated key in an object, and
    too deep nesting.
    """
    try:
        value: Json = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse(f"it is not UTF-8: the byte at {error.start}")
    except json.JSONDecodeError as error:
        refuse(f"it is not JSON: {error.msg.lower()}, {_place(error)}")
    except RecursionError:
        refuse(TOO_DEEP)
    except ValueError:
        refuse("a number has too many digits")
    return value


def _place(error: json.JSONDecodeError) -> str:
    """The place of a fault, by line in longer documents."""
    line = "" if error.doc.count("\n") < 1 else f"in line {error.lineno} "
    end = ", where it ends" if error.pos >= len(error.doc.rstrip()) else ""
    return f"{line}at character {error.colno}{end}"


def write_document(value: Json) -> str:
    """Return the value on one line, in ASCII."""
    return _ENCODER.encode(value)


def _each_key_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        refuse(f'the key "{shown(twice)}" stands twice in one object')
    return found


def _refuse_constant(name: str) -> NoReturn:
    refuse(f"{name} is no number of JSON")


# What is written was made here, and holds nothing within itself.
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)
_DECODER = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_refuse_constant)


HOW = ("victory", "draw", "concession", "terminated")
"""The ends of games; a ``terminated`` one was broken off without winner."""

_END = ("how", "winners", "at", "by_vote")


@dataclass(frozen=True, slots=True)
class ChronicleEnd:
    """How and when a game ended."""

    how: str
    """One of `HOW`."""
    winners: tuple[PowerId, ...]
    at: datetime
    by_vote: bool
    """True if the players' votes ended it."""


def end_of(end: ChronicleEnd) -> Json:
    """The end as JSON."""
    return {
        "how": end.how,
        "winners": [*end.winners],
        "at": instant_of(end.at),
        "by_vote": end.by_vote,
    }


def read_end(value: Json) -> ChronicleEnd:
    """The inverse of `end_of`.  Raises Unfit."""
    fields = as_object(value, _END)
    end = ChronicleEnd(
        how=needed(fields, "how", _read_how),
        winners=tuple(map(PowerId, needed(fields, "winners", lambda all_: each(all_, as_text)))),
        at=needed(fields, "at", as_instant),
        by_vote=needed(fields, "by_vote", as_truth),
    )
    if (end.how == "terminated") != (not end.winners):
        refuse("somebody has won, unless the game was terminated", "winners")
    return end


def _read_how(value: Json) -> str:
    how = as_text(value)
    if how not in HOW:
        refuse(f'"{shown(how)}" is none of {", ".join(HOW)}')
    return how


def instant_of(at: datetime) -> str:
    """An instant in UTC as RFC 3339 has it."""
    return at.isoformat().replace("+00:00", "Z")


def head_link(chronicle: "Chronicle") -> str:
    """Return the first link, of the game."""
    return _link(
        "",
        {
            "game": chronicle.game,
            "scenario": chronicle.scenario,
            "judge": chronicle.judge,
            "commitment": chronicle.commitment,
            "words": None if chronicle.words is None else [*chronicle.words],
        },
    )


def phase_link(before: str, entry: "ChronicleEntry") -> str:
    """Return the link of a phase after *before*: place, version, orders."""
    orders: dict[str, Json] = {
        power: [[line.written, line.canonical, line.by_judge] for line in lines]
        for power, lines in entry.orders.items()
    }
    return _link(
        before,
        {
            "number": entry.number,
            "parent": entry.parent,
            "phase": entry.moment,
            "adjudicator": entry.adjudicator,
            "orders": orders,
        },
    )


def last_link(before: str, last: int | None) -> str:
    """Return the seal: the last link, with the number of the last phase."""
    return _link(before, {"last": last})


def phase_links(chronicle: "Chronicle") -> Iterator[str]:
    """Return the link of each phase."""
    link = head_link(chronicle)
    for entry in chronicle.phases:
        link = phase_link(link, entry)
        yield link


def seal_of(chronicle: "Chronicle") -> str:
    """Return the seal of a whole record: 64 hexadecimal digits."""
    links = [head_link(chronicle), *phase_links(chronicle)]
    return last_link(links[-1], chronicle.last)


def _link(before: str, said: Json) -> str:
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(f"{before}\n{text}".encode("ascii")).hexdigest()


FORMAT = "machjudge game"
"""The file's format field."""

VERSION = 2
"""The format's version; older ones are read, newer ones refused."""

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
"""Fields since version 2."""
_LINE = ("written", "canonical", "by_judge")
_THROW = ("purpose", "n", "dice")


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """An order as written and as understood."""

    written: str
    canonical: str
    by_judge: bool = False
    """True if the judge wrote it for a silent player."""


@dataclass(frozen=True, slots=True)
class ChronicleEntry:
    """A processed phase."""

    number: int
    """0 is the opening; numbers go up and are never used twice."""
    parent: int | None
    """The phase from which it started; after a rollback not the one before."""
    moment: str
    """The code of the phase, such as ``S1454M``."""
    adjudicator: str
    """The version of the program."""
    rules: Rules
    before: State
    orders: Mapping[PowerId, tuple[ChronicleLine, ...]]
    dice: tuple[DiceThrown, ...]
    """The dice, also among the events."""
    events: tuple[Event, ...]
    after: State
    played: datetime | None = None
    """When it was played; None in a file of version 1 without it."""
    seal: str = field(default="", compare=False)
    """The phase's link in the chain of seals, as in the file; or empty."""


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
    """The players' words in order of receipt; None if the secret alone gives the dice."""
    last: int | None
    """The last phase; None before the opening."""
    phases: tuple[ChronicleEntry, ...]
    end: ChronicleEnd | None = None
    """The end of the game; None if it goes on or, in version 1, is unknown."""
    seal: str = field(default="", compare=False)
    """The seal of the record, as in the file; or empty."""

    @property
    def key(self) -> bytes:
        """Return the key of the dice."""
        return self.secret if self.words is None else shared_key(self.secret, self.words)


def throws_of(events: tuple[Event, ...]) -> tuple[DiceThrown, ...]:
    """Return the dice among a phase's events."""
    return tuple(event for event in events if isinstance(event, DiceThrown))


# --- writing ---------------------------------------------------------------------------------


def chronicle_lines(chronicle: Chronicle) -> Iterator[str]:
    """Return the lines of the file, in ASCII."""
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
            power: [
                {"written": line.written, "canonical": line.canonical, "by_judge": line.by_judge}
                for line in lines
            ]
            for power, lines in sorted(entry.orders.items())
        },
        "dice": [{"purpose": d.purpose, "n": d.n, "dice": [*d.dice]} for d in entry.dice],
        "events": [*events_of(entry.events)],
        "after": whole_position_of(entry.after),
    }


# --- reading ---------------------------------------------------------------------------------


def read_chronicle(content: bytes) -> Chronicle:
    """The inverse of `chronicle_lines`.  Raises Unfit with the place of the fault."""
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
        words=needed(fields, "words", _or_none(lambda value: tuple(each(value, as_text)))),
        last=needed(fields, "last", _or_none(_read_number)),
        phases=tuple(
            needed(
                fields,
                "phases",
                lambda phases: each(phases, lambda phase: _read_entry(phase, version)),
            )
        ),
        end=needed(fields, "end", _or_none(read_end)) if version > 1 else None,
        seal=needed(fields, "seal", as_text),
    )


def _known(names: tuple[str, ...], version: int) -> tuple[str, ...]:
    return names if version > 1 else tuple(name for name in names if name not in _NEW)


def _read_secret(value: Json) -> bytes:
    text = as_text(value)
    if len(text) != 2 * _SECRET_BYTES or set(text) - set("0123456789abcdef"):
        refuse(f"a secret is {2 * _SECRET_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _or_none(read: Callable[[Json], T]) -> Callable[[Json], T | None]:
    return lambda value: None if value is None else read(value)


def _storable(value: Json) -> Json:
    """The value, if UTF-8 and a database can hold its texts.  Raises Unfit."""
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


def _read_entry(value: Json, version: int) -> ChronicleEntry:
    fields = as_object(value, _known(_PHASE, version))
    return ChronicleEntry(
        number=needed(fields, "number", _read_number),
        parent=needed(fields, "parent", _or_none(_read_number)),
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
