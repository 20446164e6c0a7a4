"""What the press of a game may be: who may write when, signed or not, to some or to all."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Tones(Enum):
    """Whether press is signed; of two, the first is meant where nothing is said."""

    NONE = "none"
    WHITE = "white"
    GREY = "grey"
    WHITE_GREY = "white/grey"
    GREY_WHITE = "grey/white"


class Fakes(Enum):
    """Whether press to some may say that it went to others."""

    NONE = "none"
    MAY = "may"
    BROADCAST = "broadcast"
    """It says that it went to everybody, unless its writer says otherwise."""


class FromObservers(Enum):
    """What observers may write."""

    ANY = "any"
    WHITE = "white"
    NONE = "no"


class FromLate(Enum):
    """What a player may write while his orders are late."""

    ANY = "any"
    PARTIAL = "partial"
    BROADCAST = "broadcast"
    NONE = "no"


@dataclass(frozen=True, slots=True)
class PressRules:
    """The press rules of a game.  Press to the master alone is always allowed, and signed."""

    tones: Tones = Tones.WHITE
    partial: bool = True
    """Whether there is press to some."""
    fakes: Fakes = Fakes.NONE
    observers: FromObservers = FromObservers.ANY
    late: FromLate = FromLate.ANY
    grace: bool = True
    """Whether anybody may write between the deadline and the results."""
    must_order: bool = False
    """Whether players write only once they have orders on file."""
    postal: bool = False
    """Whether there is press that is published with the results."""
    watched: bool = False
    """Whether observers may read along press to some."""
    opened: bool = False
    """Whether all press may be read, with its writers, when the game is over."""


_TONES = {
    Tones.NONE: ("No press, except to the master.",),
    Tones.WHITE: ("Press is signed (white).",),
    Tones.GREY: ("Press is anonymous (grey).",),
    Tones.WHITE_GREY: ("Press is signed (white),", "  or anonymous (grey) on request."),
    Tones.GREY_WHITE: ("Press is anonymous (grey),", "  or signed (white) on request."),
}
_FAKES = {
    Fakes.NONE: (),
    Fakes.MAY: ("Press to some may be faked:", "  it may say that it went to others."),
    Fakes.BROADCAST: ("Press to some is faked: it says that", "  it went to all, unless NO FAKE."),
}
_OBSERVERS = {
    FromObservers.ANY: "Observers may write.",
    FromObservers.WHITE: "Observers may write with their names.",
    FromObservers.NONE: "Observers write to the master only.",
}
_LATE = {
    FromLate.ANY: "Whoever is late may write.",
    FromLate.PARTIAL: "Whoever is late writes to some only.",
    FromLate.BROADCAST: "Whoever is late writes to all only.",
    FromLate.NONE: "Whoever is late writes to the master only.",
}


def press_lines(rules: PressRules) -> tuple[str, ...]:
    """What a listing says of the press of a game, in lines of 44 signs at most."""
    if rules.tones is Tones.NONE:
        return (*_TONES[rules.tones], *_postal(rules), *_revealed(rules))
    return (
        *_TONES[rules.tones],
        "To all, or to some." if rules.partial else "To all only.",
        *(_FAKES[rules.fakes] if rules.partial else ()),
        _OBSERVERS[rules.observers],
        _LATE[rules.late],
        *_limits(rules),
        *_postal(rules),
        "A master who does not play can read all.",
        *_revealed(rules),
    )


def _limits(rules: PressRules) -> Iterator[str]:
    if not rules.grace:
        yield "None between deadline and results."
    if rules.must_order:
        yield "Players write once they have ordered."
    if rules.watched:
        yield "Observers may read along press to some."


def _postal(rules: PressRules) -> Iterator[str]:
    if rules.postal:
        yield "Postal press comes with the results."


def _revealed(rules: PressRules) -> Iterator[str]:
    if rules.opened:
        yield "All press is open when the game is over."
