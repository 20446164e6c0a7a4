"""Which unit and which coast an order means, where it may leave something out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Build,
    Convert,
    Maintain,
    Named,
    Order,
    Remove,
    UnitOrder,
)
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import GARRISON, Unit, unit_order
from machjudge.adjudicator.model.world import World

OfUnit = TypeVar("OfUnit", bound=UnitOrder | Maintain | Remove)
WithCoast = TypeVar("WithCoast", bound=Advance | Convert | Build)


def unit_named(world: World, state: State, power: PowerId, named: Named) -> Unit | None:
    """The unit that an order means; without a type the power's own A/F before its garrison."""
    kind = named.kind
    if kind is GARRISON:
        return state.garrisons.get(named.place)
    if state.dislodged and state.moment.stage is Stage.RETREATS:
        afield = next((d.unit for d in state.dislodged if d.unit.place == named.place), None)
    else:
        afield = state.field.get(named.place)
    if kind is not None:
        return afield if afield is not None and afield.kind is kind else None
    garrison = state.garrisons.get(named.place)
    found = [unit for unit in (afield, garrison) if unit is not None]
    own = [unit for unit in found if unit.owner == power]
    return next(iter(own + found), None)


def in_full(order: OfUnit, unit: Unit) -> OfUnit:
    """The order with its unit named in full."""
    named = order.unit
    if named.kind is unit.kind and named.coast == unit.coast and named.owner is None:
        return order
    return replace(order, unit=Named(unit.kind, unit.place, unit.coast))


def toward(order: WithCoast, coast: Coast) -> WithCoast:
    """The order with its coast filled in."""
    return order if order.coast == coast else replace(order, coast=coast)


def coast_meant(
    world: World, place: PlaceId, coast: Coast, spots: Sequence[Spot]
) -> Coast | Objection:
    """The coast that a fleet goes to: the one named, or the only one within reach (MOV-06)."""
    if not world.place(place).coasts:
        return NO_COAST
    if not coast and len(spots) == 1:
        return spots[0].coast
    open_coasts = tuple(spot.coast for spot in spots)
    if not coast:
        return Objection(Flaw.COAST_NEEDED, "MOV-06", place, open_coasts)
    if coast not in open_coasts:
        return Objection(Flaw.NO_SUCH_COAST, "MOV-06", place, open_coasts)
    return coast


Space = tuple[bool, PlaceId]
"""A space for one unit: whether it is a city, and where."""


def space_of(unit: Unit) -> Space:
    """The space of a unit."""
    return unit.kind is GARRISON, unit.place


def spaces_ordered(
    world: World, state: State, power: PowerId, orders: Iterable[Order]
) -> set[Space]:
    """Where the units stand that orders are for; a bribe only speaks of one."""
    about_units = (each for each in orders if isinstance(each, UnitOrder | Maintain | Remove))
    units = (unit_named(world, state, power, order.unit) for order in about_units)
    return {space_of(unit) for unit in units if unit is not None}


def without_order(
    world: World, state: State, power: PowerId, units: Iterable[Unit], orders: Iterable[Order]
) -> tuple[Unit, ...]:
    """Those of some units for which none of the orders is, sorted."""
    ordered = spaces_ordered(world, state, power, orders)
    return tuple(sorted((u for u in units if space_of(u) not in ordered), key=unit_order))
