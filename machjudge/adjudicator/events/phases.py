"""What happens to a phase and its orders as such."""

from dataclasses import dataclass

from machjudge.adjudicator.model.moments import Moment
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.reasons import Objection


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """The phase is over; *after* is the next one."""

    after: Moment


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """Dice were thrown for a purpose.  Tells only."""

    purpose: str
    dice: tuple[int, ...]
    n: int = 1


@dataclass(frozen=True, slots=True)
class OrderRefused:
    """A written order may not be given; *line* counts the power's orders from 0.  Tells only."""

    power: PowerId
    line: int
    order: Order
    because: Objection


@dataclass(frozen=True, slots=True)
class OrderReplaced:
    """A later line for the same unit or number took an order's place.  Tells only."""

    power: PowerId
    line: int
    by: int


@dataclass(frozen=True, slots=True)
class OrderIgnored:
    """An order for a unit that the power did not come to own (SYN-12).  Tells only."""

    power: PowerId
    order: Order


PhaseEvent = PhaseEnded | DiceThrown | OrderRefused | OrderReplaced | OrderIgnored
