"""What is wrong with a position, and where in it."""

from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.state import Loan
from machjudge.adjudicator.model.units import Unit

Step: TypeAlias = str | Unit | Spot | Loan
"""A field of a position or of a part of it, or what stands in one: a unit, a place, a loan."""


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """Something in a position that no game could have led to."""

    at: tuple[Step, ...]
    """The way to it: ``("sieges", "pad")``, ``("dislodged", unit, "convert")``."""
    says: str
    """What is wrong, in a few words without a full stop."""
    harmless: bool = False
    """Whether it changes no result: another judge may leave it so, and the next phase clears it."""


def named(unit: Unit) -> str:
    """A unit as positions write it, without its quality."""
    spot = Spot(unit.place, unit.coast)
    return f"{unit.owner} {unit.kind.letter} {spot}"
