"""What the codec asks of a language: to read the lines of orders, and to write orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Named, Order, Sweep
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.units import Unit


@dataclass(frozen=True, slots=True)
class NotRead:
    """A line, or a part of it, that could not be read, and why in one sentence."""

    says: str


Said = Order | Sweep | NotRead
"""One thing that a line says; most lines say one thing."""


class Notation(Protocol):
    """Whoever reads and writes orders in words; the language, when the program runs."""

    def read(self, scenario: Scenario, stage: Stage, power: PowerId, text: str) -> Sequence[Said]:
        """Everything that a line of a power says for a phase of *stage*; nothing for a remark."""
        ...

    def nobody_there(self, scenario: Scenario, named: Named) -> NotRead:
        """Why an order for many units says nothing: a unit that it leaves out is not there."""
        ...

    def in_places(
        self, scenario: Scenario, power: PowerId, units: Iterable[Unit], lines: Sequence[str]
    ) -> Sequence[str | NotRead]:
        """The lines of a sheet with places for the numbers of units, where units have numbers."""
        ...

    def write(self, scenario: Scenario, order: Order) -> str:
        """The order in its canonical text."""
        ...
