"""Provinces that their own power lays waste, where the rules have scorched earth (INC-20)."""

from collections.abc import Sequence

from machjudge.adjudicator.events import Event, ProvinceBurnt
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.orders import Burn


def burn_provinces(turn: Turn) -> Sequence[Event]:
    """What is burnt pays nobody in the next income; it burns before anything else happens."""
    burnt = [
        (order.place, power)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, Burn) and order.burnt and order.place not in turn.state.taxed
    ]
    return [ProvinceBurnt(place, power) for place, power in sorted(burnt)]
