"""The seal of a game's record: what people did in it, so that no line of that can be changed alone.

Dice, events and positions follow from what stands before them and can be computed again. What was
written, by whom, under which version and in which game cannot; a chain of SHA-256 over that ends in
one seal, which goes to everybody with the game's last message.

The chain holds texts and numbers only, none of our own forms, so that a later version of the
program comes to the same seal.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from machjudge.codec.document.shape import Json

if TYPE_CHECKING:
    from machjudge.codec.document.chronicle import Chronicle, ChronicleEntry


def head_link(chronicle: "Chronicle") -> str:
    """The first link: which game this is."""
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
    """The link of a phase after the one *before*: its place, its version, and who ordered what."""
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
    """The seal: the last link, with the number of the phase that ended the game."""
    return _link(before, {"last": last})


def phase_links(chronicle: "Chronicle") -> Iterator[str]:
    """The link of each phase, in their order."""
    link = head_link(chronicle)
    for entry in chronicle.phases:
        link = phase_link(link, entry)
        yield link


def seal_of(chronicle: "Chronicle") -> str:
    """The seal of a whole record: 64 hexadecimal digits."""
    links = [head_link(chronicle), *phase_links(chronicle)]
    return last_link(links[-1], chronicle.last)


def _link(before: str, said: Json) -> str:
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(f"{before}\n{text}".encode("ascii")).hexdigest()
