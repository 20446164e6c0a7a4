"""What the codec asks of a language: to read the lines of orders, and to write orders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Order
from machjudge.adjudicator.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Gift:
    """An assassination chit handed on at once, before the phase (ASN-02)."""

    of: PowerId
    """Whose assassination the chit is for."""
    to: PowerId


@dataclass(frozen=True, slots=True)
class NotRead:
    """A line, or a part of it, that could not be read, and why in one sentence."""

    says: str


Said = Order | Gift | NotRead


class Notation(Protocol):
    """Whoever reads and writes orders in words; the language, when the program runs."""

    def read(self, scenario: Scenario, stage: Stage, text: str) -> Sequence[Said]:
        """What a line says that was written for a phase of *stage*; at least one thing."""
        ...

    def write(self, scenario: Scenario, order: Order) -> str:
        """The order in its canonical text."""
        ...
