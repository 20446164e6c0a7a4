"""What the press of a game may be: who may write when, signed or not, to some or to all."""

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
    """What a player may write while their orders are late."""

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
