"""Provinces that one power leaves to another, where the rules let them trade (CTL-17)."""

from collections.abc import Sequence

from machjudge.adjudicator.events import CityTaken, Event, ProvinceTaken
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Cede
from machjudge.adjudicator.model.world import World


def cede_provinces(turn: Turn) -> Sequence[Event]:
    """Province and city pass to the other power before anything else of the campaign."""
    ceded = [
        (order.place, power, order.to)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, Cede) and order.to is not None
    ]
    return [
        event
        for place, giver, receiver in sorted(ceded)
        for event in _passed(turn.world, place, giver, receiver)
    ]


def _passed(world: World, place: PlaceId, giver: PowerId, receiver: PowerId) -> list[Event]:
    events: list[Event] = [ProvinceTaken(place, receiver, giver)]
    return [*events, CityTaken(place, receiver, giver)] if place in world.cities else events
