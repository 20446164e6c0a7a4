"""The adjustment: maintain, build and remove units, for ducats or by cities (area ADJ).

Wrong orders are refused before. Of two builds in one province the later is valid (ADJ-05, ADJ-11),
which is settled when orders are sorted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator.events import (
    AdjustmentFailed,
    BuildsWaived,
    Event,
    Maintained,
    UnitBuilt,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.land.control import cities_of
from machjudge.adjudicator.land.homes import living_powers
from machjudge.adjudicator.land.sieges import with_lapses
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Build, Maintain, Named, Order, Remove, Waive
from machjudge.adjudicator.prices import unit_of_kind
from machjudge.adjudicator.reasons import Flaw, Objection, Removal
from machjudge.adjudicator.rules import Trades, Unpaid
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import FLEET, Quality, Unit, unit_order
from machjudge.adjudicator.world import World

# The adjustment without money: as many units as cities, as in Diplomacy (ADJ-15).
NO_CAP = 999
"""More than the units of any kind."""


def units_due(world: World, state: State, power: PowerId) -> int:
    """Return the number of builds or, below zero, of removals (ADJ-15)."""
    supported = [
        c for c in cities_of(world, state.cities, power) if state.provinces.get(c) == power
    ]
    return len(supported) - len(state.units_of(power))


def adjust_by_cities(
    world: World, state: State, power: PowerId, orders: Sequence[Order]
) -> list[Event]:
    """Build or remove units by cities, in order of writing (ADJ-15)."""
    due = units_due(world, state, power)
    # A removal of nobody took back a build when the orders were sorted out (ADJ-11).
    orders = [o for o in orders if not isinstance(o, Remove) or _meant(state, o) is not None]
    if due >= 0:
        return _build(world, state, power, orders, due)
    return _remove(world, state, power, orders, -due)


def _meant(state: State, order: Remove) -> Unit | None:
    return unit_of_kind(state, order.unit.place, order.unit.kind)


def _build(
    world: World, state: State, power: PowerId, orders: Sequence[Order], due: int
) -> list[Event]:
    """The builds due; special units within their limit (SPC-06, SPC-10)."""
    events: list[Event] = []
    left = due
    units = state.units_of(power)
    special = sum(_is_special(unit) for unit in units)
    kinds = Counter(unit.kind for unit in units)
    for order in orders:
        if isinstance(order, Remove):
            events.append(_failed(power, order, Flaw.NOTHING_TO_REMOVE))
        if not isinstance(order, Build):
            continue
        built = _unit_built(state, power, order)
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


def _unit_built(state: State, power: PowerId, order: Build) -> Unit:
    since = state.moment.campaign
    return Unit(power, order.kind, order.place, order.coast, order.quality, since)


def _is_special(unit: Unit) -> bool:
    return unit.quality is not Quality.PLAIN


def _failed(power: PowerId, order: Order, flaw: Flaw) -> AdjustmentFailed:
    return AdjustmentFailed(power, order, Objection(flaw, "ADJ-15"))


def _remove(
    world: World, state: State, power: PowerId, orders: Sequence[Order], due: int
) -> list[Event]:
    """The removals ordered, as far as due; then the rules choose (ADJ-12, ADJ-15)."""
    events: list[Event] = []
    gone: list[Unit] = []
    for order in orders:
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
    """Return units in the order of default removal."""
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
    """Farthest first, then fleets, then by place name (DATC 4.D.8)."""
    steps = far.get(unit.place, len(world.board.places))
    return (-steps, unit.kind is not FLEET, world.place(unit.place).name)


def distances(world: World, centres: Iterable[PlaceId]) -> Mapping[PlaceId, int]:
    """Return each place's steps from the nearest of *centres*."""
    far = dict.fromkeys(centres, 0)
    edge = list(far)
    while edge:
        beyond = {near for place in edge for near in world.borders[place]} - far.keys()
        far.update(dict.fromkeys(beyond, far[edge[0]] + 1))
        edge = list(beyond)
    return far


def adjust(turn: Turn) -> Sequence[Event]:
    """Carry out all adjustment orders (ADJ-01 to ADJ-16)."""
    world, state = turn.world, turn.state
    events: list[Event] = []
    for power in living_powers(world, state):
        orders = turn.orders.get(power, ())
        if world.rules.game.money:
            events.extend(_adjust_for_ducats(world, state, power, orders))
        else:
            events.extend(adjust_by_cities(world, state, power, orders))
    return with_lapses(world, state, events)


Line = Maintain | Remove | Build
"""An adjustment order where there is money."""


@dataclass(frozen=True, slots=True)
class Item:
    """An adjustment order with its price; False if the money did not reach (ADJ-12)."""

    order: Line
    unit: Unit
    """The existing or new unit."""
    ducats: int
    paid: bool
    within_limit: bool = True
    """True if the special unit fits the limit (SPC-06, SPC-10)."""
    barred: Objection | None = None
    """Why a build is neither done nor paid (ADJ-06, ADJ-09)."""


def items_of(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> list[Item]:
    """Return each line's cost, and whether the money left reaches.

    A barred build costs nothing, so the others are computed anew without it.
    """
    barred: dict[int, Objection] = {}
    at_will = world.rules.adjustment.voluntary
    if not at_will or world.only_pays_the_set_up(state.moment.campaign):
        orders = _upkeep_first(world, state, power, orders)
    items = _priced(state, power, orders, barred)
    while (found := _first_barred(world, state, items)) is not None:
        number, objection = found
        barred[number] = objection
        items = _priced(state, power, orders, barred)
    return list(_limited(items, world.special_limit(state.moment.campaign)))


def _upkeep_first(
    world: World, state: State, power: PowerId, orders: Sequence[Order]
) -> list[Order]:
    """Orders that keep all affordable units before building.

    Units not maintained come last but for those to be removed.
    """
    written = [order for order in orders if isinstance(order, Maintain)]
    removed = [order.unit for order in orders if isinstance(order, Remove)]
    last = [unit for named in removed if (unit := unit_of_kind(state, named.place, named.kind))]
    first = [unit_of_kind(state, order.unit.place, order.unit.kind) for order in written]
    rest = [unit for unit in state.units_of(power) if unit not in first and unit not in last]
    left = state.treasuries.get(power, 0) - sum(unit.quality.price for unit in first if unit)
    kept: list[Order] = []
    for unit in (*reversed(first_to_go(world, state, power, rest)), *last):
        if unit.quality.price <= left:
            left -= unit.quality.price
            kept.append(Maintain(Named.of(unit)))
    return [*written, *kept, *(order for order in orders if order not in written)]


def _priced(
    state: State, power: PowerId, orders: Sequence[Order], barred: Mapping[int, Objection]
) -> list[Item]:
    left = state.treasuries.get(power, 0)
    items: list[Item] = []
    kept: set[Unit] = set()
    for order in orders:
        if isinstance(order, Line) and (unit := _unit_of(state, power, order)) is not None:
            objection = barred.get(len(items))
            if isinstance(order, Remove) and unit in kept:
                objection = Objection(Flaw.NOTHING_TO_REMOVE, "ADJ-15")
            ducats = 0 if isinstance(order, Remove) else unit.quality.price
            paid = ducats <= left and objection is None
            left -= ducats if paid else 0
            kept.update([unit] if isinstance(order, Maintain) and paid else ())
            items.append(Item(order, unit, ducats, paid, barred=objection))
    return items


def _first_barred(
    world: World, state: State, items: Sequence[Item]
) -> tuple[int, Objection] | None:
    """The index of the first build ruled out by other lines."""
    rules = world.rules.adjustment
    if not rules.caps and rules.trades is Trades.SPACE:
        return None
    kept = [item.unit for item in items if isinstance(item.order, Maintain) and item.paid]
    count = Counter(unit.kind for unit in kept)
    for number, item in enumerate(items):
        if isinstance(item.order, Build) and item.paid:
            count[item.unit.kind] += 1
            if count[item.unit.kind] > rules.caps.get(item.unit.kind.letter, NO_CAP):
                return number, Objection(Flaw.TOO_MANY_UNITS, "ADJ-09")
            if rules.trades is Trades.PROVINCE and _trades(state, kept, item.unit):
                return number, Objection(Flaw.NO_TRADE, "ADJ-06", item.unit.place)
    return None


def _trades(state: State, kept: Sequence[Unit], built: Unit) -> bool:
    """Return whether an old unit is replaced in the province of the build (ADJ-06)."""
    old = state.units_at(built.place)
    return any(unit not in kept for unit in old if unit.owner == built.owner)


def _unit_of(state: State, power: PowerId, order: Line) -> Unit | None:
    """The unit of a line; None if it cancels a build (ADJ-11)."""
    match order:
        case Maintain() | Remove():
            return unit_of_kind(state, order.unit.place, order.unit.kind)
        case Build():
            return _unit_built(state, power, order)


def _limited(items: Sequence[Item], limit: int) -> Iterator[Item]:
    """Mark special units beyond the limit, which counts the final units (SPC-10).

    A failed build costs the same, so payments do not depend on the limit.
    """
    kept = (item.unit for item in items if isinstance(item.order, Maintain) and item.paid)
    special = sum(_is_special(unit) for unit in kept)
    for item in items:
        if isinstance(item.order, Build) and _is_special(item.unit) and item.paid:
            special += 1
            yield replace(item, within_limit=special <= limit)
        else:
            yield item


def _adjust_for_ducats(
    world: World, state: State, power: PowerId, orders: Sequence[Order]
) -> list[Event]:
    """Carry out a power's orders; unpaid units are removed (ADJ-01, ADJ-12)."""
    events: list[Event] = []
    settled: set[Unit] = set()
    for item in items_of(world, state, power, orders):
        events.append(_carried_out(power, item))
        if item.paid:
            settled.add(item.unit)
    unpaid = [unit for unit in state.units_of(power) if unit not in settled]
    return [*events, *(UnitRemoved(unit, Removal.NOT_MAINTAINED) for unit in unpaid)]


def _carried_out(power: PowerId, item: Item) -> Event:
    if item.barred is not None:
        return AdjustmentFailed(power, item.order, item.barred)
    if not item.paid:
        return AdjustmentFailed(power, item.order, Objection(Flaw.NO_MONEY, "ADJ-12"))
    match item.order:
        case Remove():
            return UnitRemoved(item.unit, Removal.ORDERED)
        case Maintain():
            return Maintained(item.unit, item.ducats)
        case Build() if not item.within_limit:
            barred = Objection(Flaw.TOO_MANY_SPECIAL, "SPC-06")
            return AdjustmentFailed(power, item.order, barred, lost=item.ducats)
        case Build():
            return UnitBuilt(item.unit, item.ducats)
