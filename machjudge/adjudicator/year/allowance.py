"""The adjustment without money: as many units as cities, as in Diplomacy (ADJ-15)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from machjudge.adjudicator.events import (
    AdjustmentFailed,
    BuildsWaived,
    Event,
    UnitBuilt,
    UnitRemoved,
)
from machjudge.adjudicator.land.control import cities_of
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Build, Order, Remove, Waive
from machjudge.adjudicator.model.prices import unit_of_kind
from machjudge.adjudicator.model.reasons import Flaw, Objection, Removal
from machjudge.adjudicator.model.rules import Unpaid
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import FLEET, Quality, Unit, unit_order
from machjudge.adjudicator.model.world import World

NO_CAP = 999
"""More units of a kind than anybody can have."""


def units_due(world: World, state: State, power: PowerId) -> int:
    """How many units a power may build, or, below zero, must remove (ADJ-15)."""
    supported = [c for c in cities_of(world, state.cities, power) if _is_whole(state, power, c)]
    return len(supported) - len(state.units_of(power))


def _is_whole(state: State, power: PowerId, city: PlaceId) -> bool:
    return state.provinces.get(city) == power


def adjust_by_cities(
    world: World, state: State, power: PowerId, sheet: Sequence[Order]
) -> list[Event]:
    """Carry out a power's builds or removals, those written first before the others (ADJ-15)."""
    due = units_due(world, state, power)
    # A removal of nobody took back a build when the sheet was sorted out (ADJ-11).
    orders = [o for o in sheet if not isinstance(o, Remove) or _meant(state, o) is not None]
    if due >= 0:
        return _build(world, state, power, orders, due)
    return _remove(world, state, power, orders, -due)


def _meant(state: State, order: Remove) -> Unit | None:
    return unit_of_kind(state, order.unit.place, order.unit.kind)


def _build(
    world: World, state: State, power: PowerId, sheet: Sequence[Order], due: int
) -> list[Event]:
    """The builds due; special units within their limit (SPC-06, SPC-10)."""
    events: list[Event] = []
    left = due
    units = state.units_of(power)
    special = sum(_is_special(unit) for unit in units)
    kinds = Counter(unit.kind for unit in units)
    for order in sheet:
        if isinstance(order, Remove):
            events.append(_failed(power, order, Flaw.NOTHING_TO_REMOVE))
        if not isinstance(order, Build):
            continue
        built = _built(state, power, order)
        if not left:
            events.append(_failed(power, order, Flaw.NOTHING_TO_BUILD))
        elif kinds[built.kind] >= world.rules.adjustment.caps.get(built.kind.letter, NO_CAP):
            barred = Objection(Flaw.TOO_MANY_UNITS, "ADJ-09")
            events.append(AdjustmentFailed(power, order, barred))
        elif _is_special(built) and special >= world.special_limit(state.moment.campaign):
            barred = Objection(Flaw.TOO_MANY_SPECIAL, "SPC-06")
            events.append(AdjustmentFailed(power, order, barred))
        else:
            left -= 1
            special += _is_special(built)
            kinds[built.kind] += 1
            events.append(UnitBuilt(built, 0))
    return [*events, BuildsWaived(power, left)] if left else events


def _built(state: State, power: PowerId, order: Build) -> Unit:
    since = state.moment.campaign
    return Unit(power, order.kind, order.place, order.coast, order.quality, since)


def _is_special(unit: Unit) -> bool:
    return unit.quality is not Quality.PLAIN


def _failed(power: PowerId, order: Order, flaw: Flaw) -> AdjustmentFailed:
    return AdjustmentFailed(power, order, Objection(flaw, "ADJ-15"))


def _remove(
    world: World, state: State, power: PowerId, sheet: Sequence[Order], due: int
) -> list[Event]:
    """The removals ordered, as far as they are due; then the rules choose (ADJ-12, ADJ-15)."""
    events: list[Event] = []
    gone: list[Unit] = []
    for order in sheet:
        if isinstance(order, Build | Waive):
            events.append(_failed(power, order, Flaw.NOTHING_TO_BUILD))
        if not isinstance(order, Remove):
            continue
        unit = _meant(state, order)
        if unit is None or unit in gone or len(gone) == due:
            events.append(_failed(power, order, Flaw.NOTHING_TO_REMOVE))
        else:
            gone.append(unit)
            events.append(UnitRemoved(unit, Removal.ORDERED))
    left = [unit for unit in state.units_of(power) if unit not in gone]
    chosen = first_to_go(world, state, power, left)[: due - len(gone)]
    return [*events, *(UnitRemoved(unit, Removal.TOO_FEW_CITIES) for unit in chosen)]


# --- whom the rules choose -------------------------------------------------------------------


def first_to_go(world: World, state: State, power: PowerId, units: Iterable[Unit]) -> list[Unit]:
    """Units in the order in which the rules remove them when nobody chooses."""
    match world.rules.adjustment.unpaid:
        case Unpaid.OLDEST_OUTSIDE_CITIES:
            return sorted(units, key=lambda unit: _age(world, unit))
        case Unpaid.DISTANCE:
            centres = cities_of(world, state.cities, power)
            far = distances(world, centres)
            return sorted(units, key=lambda unit: _distance(world, far, unit))


def _age(world: World, unit: Unit) -> tuple[object, ...]:
    """Outside the provinces of cities first, then the oldest; the set-up is older than all."""
    city = world.cities.get(unit.place)
    at_city = city is not None and not city.fortress
    return (at_city, unit.since is not None, unit.since, *unit_order(unit))


def _distance(world: World, far: Mapping[PlaceId, int], unit: Unit) -> tuple[object, ...]:
    """The farthest first, then fleets, then by the name of the place (DATC 4.D.8)."""
    steps = far.get(unit.place, len(world.board.places))
    return (-steps, unit.kind is not FLEET, world.place(unit.place).name)


def distances(world: World, centres: Iterable[PlaceId]) -> Mapping[PlaceId, int]:
    """How many steps over land and sea each place is from the nearest of *centres*."""
    far = dict.fromkeys(centres, 0)
    edge = list(far)
    while edge:
        beyond = {near for place in edge for near in world.borders[place]} - far.keys()
        far.update(dict.fromkeys(beyond, far[edge[0]] + 1))
        edge = list(beyond)
    return far
