"""The adjustment: units maintained, built and removed, for ducats or by cities (area ADJ).

Orders that are wrong in themselves never come here (``afford``).  Of two builds in one province
the later stands (ADJ-05, ADJ-11), which is settled when a sheet is sorted out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator.events import AdjustmentFailed, Event, Maintained, UnitBuilt, UnitRemoved
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.home import living_powers
from machjudge.adjudicator.land.sieges import with_lapses
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Build, Maintain, Named, Order, Remove
from machjudge.adjudicator.model.prices import unit_of_kind
from machjudge.adjudicator.model.reasons import Flaw, Objection, Removal
from machjudge.adjudicator.model.rules import Trades
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Quality, Unit
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.year.allowance import NO_CAP, adjust_by_cities, first_to_go


def adjust(turn: Turn) -> Sequence[Event]:
    """Carry out the adjustment orders of all powers (ADJ-01 to ADJ-16)."""
    world, state = turn.world, turn.state
    events: list[Event] = []
    for power in living_powers(world, state):
        sheet = turn.orders.get(power, ())
        if world.rules.game.money:
            events.extend(_adjust_for_ducats(world, state, power, sheet))
        else:
            events.extend(adjust_by_cities(world, state, power, sheet))
    return with_lapses(world, state, events)


Line = Maintain | Remove | Build
"""What an adjustment sheet consists of where there is money."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of an adjustment sheet with its price, and whether the money reached (ADJ-12)."""

    order: Line
    unit: Unit
    """The unit that is there, or that would be built."""
    ducats: int
    paid: bool
    within_limit: bool = True
    """Whether the special unit may be built beside those that stay (SPC-06, SPC-10)."""
    barred: Objection | None = None
    """What keeps a build from being carried out, and from being paid (ADJ-06, ADJ-09)."""


def items_of(world: World, state: State, power: PowerId, sheet: Sequence[Order]) -> list[Item]:
    """What each line costs and whether it can be paid from what the lines before it left.

    A build that is barred costs nothing, so the others are reckoned anew without it.
    """
    barred: dict[int, Objection] = {}
    at_will = world.rules.adjustment.voluntary
    if not at_will or world.only_pays_the_set_up(state.moment.campaign):
        sheet = _upkeep_first(world, state, power, sheet)
    items = _priced(state, power, sheet, barred)
    while (found := _first_barred(world, state, items)) is not None:
        number, objection = found
        barred[number] = objection
        items = _priced(state, power, sheet, barred)
    return list(_limited(items, world.special_limit(state.moment.campaign)))


def _upkeep_first(
    world: World, state: State, power: PowerId, sheet: Sequence[Order]
) -> list[Order]:
    """A sheet with which every unit is kept that can be paid, and only then something is built.

    Those that nobody maintains come after the others, and those to be removed last.
    """
    written = [order for order in sheet if isinstance(order, Maintain)]
    removed = [order.unit for order in sheet if isinstance(order, Remove)]
    last = [unit for named in removed if (unit := unit_of_kind(state, named.place, named.kind))]
    first = [unit_of_kind(state, order.unit.place, order.unit.kind) for order in written]
    rest = [unit for unit in state.units_of(power) if unit not in first and unit not in last]
    left = state.treasuries.get(power, 0) - sum(unit.quality.price for unit in first if unit)
    kept: list[Order] = []
    for unit in (*reversed(first_to_go(world, state, power, rest)), *last):
        if unit.quality.price <= left:
            left -= unit.quality.price
            kept.append(Maintain(Named(unit.kind, unit.place, unit.coast)))
    return [*written, *kept, *(order for order in sheet if order not in written)]


def _priced(
    state: State, power: PowerId, sheet: Sequence[Order], barred: Mapping[int, Objection]
) -> list[Item]:
    left = state.treasuries.get(power, 0)
    items: list[Item] = []
    kept: set[Unit] = set()
    for order in sheet:
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
    """The first build that the lines beside it rule out, by its number."""
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
    """Whether an old unit goes from the province where the power builds a new one (ADJ-06)."""
    old = (state.field.get(built.place), state.garrisons.get(built.place))
    return any(unit not in kept for unit in old if unit and unit.owner == built.owner)


def _unit_of(state: State, power: PowerId, order: Line) -> Unit | None:
    """The unit that a line is about; None if it only took back a build (ADJ-11)."""
    match order:
        case Maintain() | Remove():
            return unit_of_kind(state, order.unit.place, order.unit.kind)
        case Build():
            since = state.moment.campaign
            return Unit(power, order.kind, order.place, order.coast, order.quality, since)


def _limited(items: Sequence[Item], limit: int) -> Iterator[Item]:
    """Mark the special units beyond the limit, which counts what is left in the end (SPC-10).

    A build that fails by the limit costs the same as one that succeeds, so who can pay for what
    does not depend on the limit.
    """
    special = sum(_keeps_special(item) for item in items)
    for item in items:
        if isinstance(item.order, Build) and _is_special(item) and item.paid:
            special += 1
            yield replace(item, within_limit=special <= limit)
        else:
            yield item


def _is_special(item: Item) -> bool:
    return item.unit.quality is not Quality.PLAIN


def _keeps_special(item: Item) -> bool:
    return isinstance(item.order, Maintain) and item.paid and _is_special(item)


def _adjust_for_ducats(
    world: World, state: State, power: PowerId, sheet: Sequence[Order]
) -> list[Event]:
    """Carry out a sheet; units that nobody pays for go (ADJ-01, ADJ-12)."""
    events: list[Event] = []
    settled: set[Unit] = set()
    for item in items_of(world, state, power, sheet):
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
