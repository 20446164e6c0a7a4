"""What a line can turn out to say: orders, or a problem with its column.

A player's mistake is a value: nothing in this room raises for anything that somebody typed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from machjudge.adjudicator.model.orders import Order
from machjudge.sentence import Wording


class Fault(Enum):
    """Why a line could not be read."""

    UNEXPECTED = "unexpected"
    """A word or sign that cannot stand where it stands."""
    INCOMPLETE = "incomplete"
    """The line stops before the order is complete."""
    LEFT_OVER = "left over"
    """Something follows a complete order that is neither part of it nor a comment."""
    HALF = "half"
    """A piece behind a complete order that is no order by itself; the whole line falls."""
    NO_PLACE = "no such place"
    NO_POWER = "no such power"
    NUMBER = "number"
    """An amount, a year or the number of an expense that cannot be."""
    PHASE = "phase"
    """An order of another kind of phase."""
    CONTRADICTION = "contradiction"
    """A complete order that says two things at once."""
    UNCLEAR = "unclear"
    """A complete order that may say one of two things."""
    INSTANT = "instant"
    """A date or time that cannot be read, or does not exist."""
    TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class Problem:
    """A line, or a part of it, that could not be read, and what would have been right."""

    line: str
    """The line as it was written."""
    column: int
    """Where the trouble begins, counted from 0."""
    fault: Fault
    reason: Wording
    """One sentence for the player, without a full stop."""
    found: str = ""
    """The words that made the trouble; empty at the end of the line."""
    expected: tuple[Wording, ...] = ()
    """What may stand there, in words."""
    nearest: str | None = None
    """The nearest line that can be read, where there is one."""


class Candidate(NamedTuple):
    """One of several things that an abbreviation may mean."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A word that may mean several places or powers; the line is refused (SYN-09)."""

    line: str
    column: int
    text: str
    candidates: tuple[Candidate, ...]


Refused: TypeAlias = Problem | Ambiguous
Said: TypeAlias = Order | Problem | Ambiguous


@dataclass(frozen=True, slots=True)
class Parsed:
    """Everything that one line says, in the order written."""

    said: tuple[Said, ...]
    ignored: str = ""
    """A comment behind the orders that was not read."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where in the line each thing stands; empty where the line says one thing at most."""

    def parts(self) -> tuple[tuple[Said, tuple[int, int] | None], ...]:
        """Each thing that the line says, with where it stands if there are several."""
        return tuple(zip(self.said, self.spans or (None,) * len(self.said), strict=True))

    @property
    def overlooked(self) -> str:
        """The comment, unless ``#`` or ``//`` says that it is none of the judge's business."""
        return "" if self.ignored.startswith(("#", "//")) else self.ignored.strip()

    @property
    def refused(self) -> tuple[Refused, ...]:
        """What could not be read."""
        return tuple(one for one in self.said if isinstance(one, Problem | Ambiguous))

    @property
    def understood(self) -> tuple[Order, ...]:
        """What could be read."""
        return tuple(one for one in self.said if not isinstance(one, Problem | Ambiguous))


def in_words(items: Sequence[str], last: str = "or") -> str:
    """A list as a sentence has it: ``a, b or c``."""
    if len(items) <= 1:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
