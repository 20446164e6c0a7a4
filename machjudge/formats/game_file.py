"""A whole game as one JSON document, verifiable without its judge."""

import hmac
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import NoReturn

from machjudge.adjudicator.dice import shared_key
from machjudge.adjudicator.events import DiceThrown, Event
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.formats.position import WHOLE_POSITION, WHOLE_RULES
from machjudge.formats.values import (
    Form,
    Json,
    ObjectForm,
    as_instant,
    as_number,
    as_object,
    as_text,
    each,
    entries,
    events_of,
    form_of,
    literal,
    mapping,
    needed,
    object_form,
    optional,
    refuse,
    sequence,
    shown,
)

_MAX_KEYS = 256
"""Keys and nonces that are kept: a phase tells the same ones again and again."""

# A text ↔ a JSON document, in the strict sense of RFC 8259.
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


@dataclass(frozen=True, slots=True)
class ChronicleEnd:
    """How and when a game ended."""

    how: str
    """One of `HOW`."""
    winners: tuple[PowerId, ...]
    at: datetime
    by_vote: bool
    """True if the players' votes ended it."""


_END = object_form(ChronicleEnd, {"how": literal(HOW)})


def _read_end(value: Json) -> ChronicleEnd:
    end: ChronicleEnd = _END.read(value)
    if (end.how == "terminated") != (not end.winners):
        refuse("somebody has won, unless the game was terminated", "winners")
    return end


# The seal of a game's record: what people did in it, so that no line of that can be changed
# alone. Dice, events and positions follow from what stands before them and can be computed again.
# What was written, by whom, under which version and in which game cannot; a chain of SHA-256 over
# that ends in one seal, which goes to everybody with the game's last message. The chain holds
# texts and numbers only, none of our own forms, so that a later version of the program comes to
# the same seal.
def head_link(chronicle: "Chronicle") -> str:
    """Return the first link, of the game."""
    return _link("", _HEAD.write(chronicle))


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


# The orders of a phase, sealed: each order set on file has a SHA-256 over its text and a nonce,
# which its player reads with the receipt. The nonce follows from the game's secret, so that nothing
# needs to be stored but the orders. With a phase's results everybody reads one SHA-256 over those
# of all powers; whoever may read all orders of the phase also reads the key of its nonces.
@dataclass(frozen=True, slots=True)
class SealedSet:
    """The order set of a power that was in force when its phase was played."""

    number: int
    """0 for a power without orders on file."""
    orders: tuple[tuple[str, ...], ...]
    """Each order, canonical, and the letter of the seat that gave it; ``M`` is a master."""
    void: bool = False
    """The judge ordered in its place, as its player was late."""


NO_PART = "nothing"
"""Stands for the part of a side of an agreement that only receives."""


@lru_cache(maxsize=_MAX_KEYS)
def sealing_key(secret: bytes, game: str, phase: str) -> bytes:
    """Return the key of the nonces of a phase with that code."""
    return hmac.digest(secret, f"sealed/{game.lower()}/{phase}".encode(), "sha256")


@lru_cache(maxsize=_MAX_KEYS)
def nonce_of(key: bytes, power: PowerId, number: int) -> str:
    """Return the nonce of an order set: 128 bits in hexadecimal digits."""
    return hmac.digest(key, f"{power}/{number}".encode(), "sha256").hex()[:32]


def sealed_text(game: str, phase: str, power: PowerId, sealed: SealedSet, nonce: str) -> str:
    """Return the text of which the SHA-256 is told: JSON with sorted keys, without spaces."""
    said = {
        "game": game.lower(),
        "phase": phase,
        "power": power,
        "number": sealed.number,
        "orders": sealed.orders,
        "nonce": nonce,
    }
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def sealed_digest(key: bytes, game: str, phase: str, power: PowerId, sealed: SealedSet) -> str:
    """Return the SHA-256 of an order set, in hexadecimal digits."""
    nonce = nonce_of(key, power, sealed.number)
    text = sealed_text(game, phase, power, sealed, nonce)
    return sha256(text.encode("ascii")).hexdigest()


def sealed_root(digests: Mapping[PowerId, str]) -> str:
    """Return the SHA-256 over those of all powers: a line for each, by its letter."""
    lines = "".join(f"{power} {digests[power]}\n" for power in sorted(digests))
    return sha256(lines.encode("ascii")).hexdigest()


def sealed_root_of(key: bytes, game: str, phase: str, sealed: Mapping[PowerId, SealedSet]) -> str:
    """Return the SHA-256 over all order sets of a phase."""
    return sealed_root(
        {power: sealed_digest(key, game, phase, power, each) for power, each in sealed.items()}
    )


def correction_digest(key: bytes, game: str, phase: str, event: Event) -> str:
    """Return the SHA-256 of a master's correction in a phase, with a nonce of its own."""
    (said,) = events_of([event])
    nonce = hmac.digest(key, f"FIX/{write_document(said)}".encode(), "sha256").hex()[:32]
    text = {"game": game.lower(), "phase": phase, "correction": said, "nonce": nonce}
    return sha256(json.dumps(text, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


FORMAT = "machjudge game"
"""The file's format field."""

VIEW_FORMAT = "machjudge view"
"""The same of a game that goes on, as one seat sees it."""

VERSION = 3
"""The format's version; older ones are read, newer ones refused."""

_SECRET_BYTES = 32
_MAX = 2**31
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_FIELDS = (
    "format", "version", "game", "scenario", "judge", "commitment", "secret", "words", "last",
    "end", "master_plays", "seal", "phases",
)  # fmt: skip
_PHASE = (
    "number", "parent", "phase", "adjudicator", "played", "rules", "before", "orders", "dice",
    "events", "after", "sealed", "agreements", "seal",
)  # fmt: skip
_SINCE = {"end": 2, "played": 2, "master_plays": 3, "sealed": 3, "agreements": 3}
"""The version in which a field appeared; others are in all of them."""


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
    sealed: Mapping[PowerId, SealedSet] = field(default_factory=dict)
    """The order sets in force; nothing for what was played before they were sealed."""
    agreements: Mapping[str, SealedSet] = field(default_factory=dict)
    """What was agreed and carried out, by the number of the agreement, in the same form."""
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
    master_plays: bool = False
    """The game lets its master play, who sees nothing that others do not."""
    seal: str = field(default="", compare=False)
    """The seal of the record, as in the file; or empty."""

    @property
    def key(self) -> bytes:
        """Return the key of the dice."""
        return self.secret if self.words is None else shared_key(self.secret, self.words)


def throws_of(events: tuple[Event, ...]) -> tuple[DiceThrown, ...]:
    """Return the dice among a phase's events."""
    return tuple(event for event in events if isinstance(event, DiceThrown))


def _read_secret(value: Json) -> bytes:
    text = as_text(value)
    if len(text) != 2 * _SECRET_BYTES or set(text) - set("0123456789abcdef"):
        refuse(f"a secret is {2 * _SECRET_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _known(names: tuple[str, ...], version: int) -> tuple[str, ...]:
    return tuple(name for name in names if _SINCE.get(name, 1) <= version)


_NUMBER = Form(form_of(int).write, lambda value: as_number(value, 0, _MAX))
_LINE = object_form(ChronicleLine)
SEALED_SET = object_form(SealedSet)
_THROW = object_form(DiceThrown, {"n": _NUMBER}, keys=("purpose", "n", "dice"))


def _phase_form(version: int) -> ObjectForm:
    forms = {
        "number": _NUMBER,
        "parent": optional(_NUMBER),
        "rules": WHOLE_RULES,
        "before": WHOLE_POSITION,
        "orders": mapping(sequence(_LINE)),
        "dice": sequence(_THROW),
        "after": WHOLE_POSITION,
        "sealed": mapping(SEALED_SET),
        "agreements": mapping(SEALED_SET),
        "played": Form(form_of(datetime | None).write, as_instant),
    }
    return object_form(
        ChronicleEntry, forms, called={"moment": "phase"}, keys=_known(_PHASE, version)
    )


def _game_form(version: int) -> ObjectForm:
    forms = {
        "secret": Form(bytes.hex, _read_secret),
        "last": optional(_NUMBER),
        "phases": sequence(_phase_form(version)),
        "end": optional(Form(_END.write, _read_end)),
    }
    return object_form(Chronicle, forms, keys=_known(_FIELDS, version))


_FORMS = {version: _game_form(version) for version in range(1, VERSION + 1)}
_WRITTEN_PHASE = _phase_form(VERSION)
_HEAD = object_form(Chronicle, keys=("game", "scenario", "judge", "commitment", "words"))


def chronicle_lines(chronicle: Chronicle) -> Iterator[str]:
    """Return the lines of the file, in ASCII."""
    head = _FORMS[VERSION].write(replace(chronicle, phases=(), seal=seal_of(chronicle)))
    del head["phases"]
    fields: dict[str, Json] = {"format": FORMAT, "version": VERSION, **head}
    yield "{"
    yield from (f"{write_document(key)}: {write_document(fields[key])}," for key in fields)
    yield '"phases": ['
    last = len(chronicle.phases) - 1
    for index, (entry, link) in enumerate(
        zip(chronicle.phases, phase_links(chronicle), strict=True)
    ):
        yield write_document({**_WRITTEN_PHASE.write(entry), "seal": link}) + (
            "," if index < last else ""
        )
    yield "]"
    yield "}"


def read_chronicle(content: bytes) -> Chronicle:
    """The inverse of `chronicle_lines`.  Raises Unfit with the place of the fault."""
    fields = as_object(_storable(read_document(content)))
    # First what it is: anything else would only be called unknown.
    kind = needed(fields, "format", as_text)
    if kind == VIEW_FORMAT:
        refuse("this is what one seat sees of a game that goes on; it is whole after the end")
    if kind != FORMAT:
        refuse(f'this is no "{FORMAT}"', "format")
    version = needed(fields, "version", lambda version: as_number(version, 1, VERSION))
    chronicle: Chronicle = _FORMS[version].read(fields)
    return chronicle


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
