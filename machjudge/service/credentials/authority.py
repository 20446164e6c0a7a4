"""What a mail may do: one table of what it proves and what it asks for.

Nothing else decides.  The address in From is no column of it: it counts beside a password where
the verdict says so, and nowhere else.  ``docs/identity.md`` shows the same table, and a test holds
them equal.
"""

from collections.abc import Mapping
from enum import Enum


class Proven(Enum):
    """The surest proof of a mail."""

    NOTHING = "nothing"
    UNCONFIRMED = "unconfirmed"
    """The password of a seat whose address is not confirmed."""
    PASSWORD = "password"  # noqa: S105  no password
    TOKEN = "token"  # noqa: S105
    SENDER = "sender"
    """A verified sender."""
    BOTH = "both"
    """A password and a verified sender, who is an address of whoever sits there."""


class Act(Enum):
    """What a mail asks for; each command says which of these it is."""

    READ = "read"
    """What everybody may read."""
    ENTER = "enter"
    """Join, watch, take over, create."""
    WISH = "wish"
    """Wishes, the password and the address of the seat."""
    PLAY = "play"
    """Orders, press, diary of the seat."""
    PERSON = "person"
    """What holds for a person at all games: name, time zone, language, how messages come."""
    GAMES = "games"
    """The unlisted games of a person, and all that is known of them."""
    STEER = "steer"
    """What the master of the game may do."""
    FINAL = "final"
    """What cannot be taken back.  Chits that are given away are orders, and belong to it too."""


class Verdict(Enum):
    """What becomes of it."""

    YES = "yes"
    ANSWERED = "answered"
    """It is kept, and counts for nothing until somebody answers from the claimed address."""
    FRESH = "fresh"
    """It waits for the answer to a message to the address on file."""
    ON_FILE = "file"
    """If the mail comes from an address on file: the password of one game is not that of others."""
    OWN = "own"
    """In a game that nobody else sees yet, because its creator is not confirmed; and to go."""
    NO = "no"


_YES, _ANSWERED, _NO, _OWN = Verdict.YES, Verdict.ANSWERED, Verdict.NO, Verdict.OWN
_ON_FILE = Verdict.ON_FILE

TABLE: Mapping[Act, Mapping[Proven, Verdict]] = {
    act: dict(zip(Proven, verdicts, strict=True))
    for act, verdicts in {
        Act.READ: (_YES, _YES, _YES, _YES, _YES, _YES),
        Act.ENTER: (_ANSWERED, _NO, _NO, _YES, _YES, _NO),
        Act.WISH: (_NO, _YES, _YES, _YES, _NO, _YES),
        Act.PLAY: (_NO, _NO, _YES, _YES, _NO, _YES),
        Act.PERSON: (_ANSWERED, _ANSWERED, _ON_FILE, _YES, _YES, _YES),
        Act.GAMES: (_NO, _NO, _NO, _YES, _YES, _YES),
        Act.STEER: (_NO, _OWN, _YES, _YES, _NO, _YES),
        Act.FINAL: (_NO, _OWN, Verdict.FRESH, _YES, _NO, _YES),
    }.items()
}


def verdict(act: Act, proven: Proven) -> Verdict:
    """What becomes of an act under a proof; a seat's acts need that seat to be open."""
    return TABLE[act][proven]
