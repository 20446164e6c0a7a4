"""The places at a game."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records.ids import PersonId


class Role(Enum):
    """As what somebody sits at a game."""

    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away: no deadline that is set afterwards falls into this time."""

    start: datetime
    end: datetime
    """After *start*."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever sits at a seat wishes about press, their diary and their mails."""

    broadcasts: bool = True
    """Whether broadcasts come to an observer or a master."""
    all_press: bool = False
    """Whether they read along press to some, as far as they may."""
    open_diary: bool = False
    """Whether their diary is published when the game is over."""
    plain_subject: bool = False
    """Whether subjects of results have the code of the phase instead of the news."""
    in_letters: bool = False
    """Whether they read orders in the letters of the book of 1978, where units have numbers."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """How somebody came to a seat whose address was not confirmed at first."""

    person: PersonId
    """The provisional person for whom the seat was taken."""
    since: datetime
    reminded: bool = False
    """Whether they were reminded to answer."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at one game, known by its number; a player's seat keeps it through every change."""

    number: int
    role: Role
    person: PersonId | None
    """None: the seat is abandoned and waits for somebody."""
    address: str
    """Where mails of this game go: the address of record."""
    password: str
    """The argon2id hash; never the password."""
    powers: tuple[PowerId, ...] = ()
    """The powers that a player leads; empty until they are dealt, and for the others."""
    preferences: str = ""
    """The preference list in canonical form, such as ``LV[IP]*``."""
    waits: bool = False
    """Whether the phase shall not be processed before its deadline; cleared each phase."""
    absences: tuple[Absence, ...] = ()
    """When whoever sits here is away, by their beginnings."""
    priority: tuple[str, ...] = ()
    """Which units are kept first where the judge has to choose; ``A mil``, ``mil`` or ``A``."""
    draw: tuple[PowerId, ...] | None = None
    """Among whom the game shall end drawn, sorted; None: no such vote.  Cleared each phase."""
    concede: PowerId | None = None
    """To whom the game shall be given; cleared each phase."""
    wishes: Wishes = Wishes()
    approved: bool = True
    """Whether the master has approved whoever sits here, where they do so."""
    public: bool = False
    """Whether others at the game may read the address."""
    generation: int = 0
    """How often its reply tokens were ended; those of earlier generations open nothing."""
    former: PersonId | None = None
    """Of an abandoned seat: who was late and may come back; None if its player has left."""
    claimed: Claimed | None = None
    """None for a seat that was taken with a proof."""
