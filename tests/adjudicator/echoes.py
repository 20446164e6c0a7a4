"""Whether what is told of each unit is about the order that it was given."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    Held,
    SupportFailed,
    SupportGiven,
    Transported,
    TransportFailed,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Convert,
    Hold,
    Order,
    Orders,
    Support,
    Transport,
)
from machjudge.adjudicator.reasons import NotMatched
from machjudge.adjudicator.units import Kind

Deed = (
    Advanced
    | AdvanceFailed
    | Converted
    | ConversionFailed
    | SupportGiven
    | SupportFailed
    | Transported
    | TransportFailed
    | Held
)
"""What became of the order of a unit, besieging and lifting apart."""

Spot = tuple[PowerId, bool, PlaceId]
"""Whose unit, whether in the city, and where."""


@dataclass(frozen=True)
class Echoes:
    """The orders of a campaign that stood, and its events."""

    standing: Orders
    events: tuple[Event, ...]

    def faults(self) -> Iterator[str]:
        """Every unit of which two things are told, or another than was ordered."""
        deeds = [event for event in self.events if isinstance(event, Deed)]
        for spot, count in Counter(map(spot_of, deeds)).items():
            if count > 1:
                yield f"{spot}: is told of {count} times"
        told = {spot_of(deed): deed for deed in deeds}
        for power, sheet in self.standing.items():
            for order in sheet:
                if isinstance(order, Advance | Convert | Support | Transport | Hold):
                    in_city = order.unit.kind is Kind.GARRISON
                    deed = told.get((power, in_city, order.unit.place))
                    if deed is not None and not was_barred(deed) and not is_echo(order, deed):
                        yield f"{order}: is told as {deed}"


def was_barred(deed: Deed) -> bool:
    """True if the unit held although it was ordered something else."""
    return isinstance(deed, Held) and deed.because is not None


def spot_of(event: Deed) -> Spot:
    """Which unit an event is about."""
    return event.unit.owner, event.unit.is_garrison, event.unit.place


def is_echo(order: Order, deed: Deed) -> bool:
    """True if the event says the same as the order."""
    match order, deed:
        case Advance(), Advanced() | AdvanceFailed():
            return (order.to, order.coast, order.via) == (deed.to, deed.coast, deed.via)
        case Convert(), Converted():
            return (order.into, order.coast) == (deed.into, deed.coast)
        case Convert(), ConversionFailed():
            return order.into is deed.into
        case Support(), SupportGiven():
            return (order.supported.place, order.to) == (deed.supported.place, deed.to)
        case Transport(), Transported():
            return (order.army.place, order.to) == (deed.army.place, deed.to)
        case (Support(supported=named), SupportFailed()) | (
            Transport(army=named),
            TransportFailed(),
        ):
            return not isinstance(deed.because, NotMatched) or deed.because.named == named
        case _:
            return isinstance(order, Hold) and isinstance(deed, Held)
