"""Positions and events as somebody reads them from whom the fog of war hides units (area FOG)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.year.fog import units_in_contact

_OF_ORDERS = (
    happened.OrderRefused,
    happened.OrderReplaced,
    happened.OrderIgnored,
    happened.AdjustmentFailed,
    happened.BuildsWaived,
)
"""Events that tell what a power ordered for its units, or did not."""


def without_hidden(world: World, state: State, own: Collection[PowerId]) -> State:
    """The position without the units that nobody learns of but their own player.

    Nor does a half-done siege tell of a besieger that is not seen.
    """
    contact = units_in_contact(world, state)

    def seen(units: Mapping[PlaceId, Unit]) -> dict[PlaceId, Unit]:
        # By place, so that not even their order tells of a unit between them.
        told = (unit for unit in units.values() if unit.owner in own or unit in contact)
        return {unit.place: unit for unit in sorted(told, key=lambda unit: unit.place)}

    field = seen(state.field)
    sieges = frozenset(place for place in state.sieges if world.siege_post(place) in field)
    return replace(state, field=field, garrisons=seen(state.garrisons), sieges=sieges)


def events_seen(
    world: World, before: State, after: State, events: Iterable[Event], own: Collection[PowerId]
) -> Iterator[Event]:
    """The events of an adjustment that tell of no hidden unit (FOG-05).

    *after* is the position as the reader sees it.
    """
    for event in events:
        match event:
            case happened.SiegeEnded(city=city):
                two = (before.field.get(world.siege_post(city)), before.garrisons.get(city))
                is_seen = any(unit is not None and unit.owner in own for unit in two)
            case _ if isinstance(event, _OF_ORDERS):
                is_seen = event.power in own
            case _:
                unit = getattr(event, "unit", None)
                is_seen = unit is None or unit.owner in own or _stands(after, unit)
        if is_seen:
            yield event


def _stands(after: State, unit: Unit) -> bool:
    """Whether the reader sees a unit of that power there."""
    there = after.standing_at(unit)
    return there is not None and there.owner == unit.owner
