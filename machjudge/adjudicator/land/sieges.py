"""Sieges and conversions between city and province (areas SIE, CNV).

A siege takes two seasons: one order begins it, a second one completes it (SIE-01, SIE-05).
"""

from collections.abc import Iterable, Sequence

from machjudge.adjudicator.events import (
    Event,
    RebellionEnded,
    SiegeBegun,
    SiegeCompleted,
    SiegeEnded,
    SiegeKept,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn, evolve_all
from machjudge.adjudicator.land.control import changes_of_control
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.orders import Besiege, Convert, Hold, LiftSiege, UnitOrder
from machjudge.adjudicator.reasons import (
    Forced,
    HeldInstead,
    RebellionEnd,
    Removal,
    SiegeEnd,
)
from machjudge.adjudicator.rules import (
    Besieged,
    ConversionRules,
    GarrisonLoss,
    OtherOrder,
    SiegeRules,
    Timing,
)
from machjudge.adjudicator.state import Rebellions, State
from machjudge.adjudicator.units import GARRISON, Unit, unit_order
from machjudge.adjudicator.world import World


def besieger_of(world: World, state: State, city: PlaceId) -> Unit | None:
    """Return the unit that can besiege a city (SIE-02, SIE-03)."""
    return state.field.get(world.siege_post(city))


def lapsed_sieges(world: World, state: State) -> list[Event]:
    """Return the ends of sieges without besieger or besieged (SIE-10, SIE-17)."""
    ended: list[Event] = []
    for city in sorted(state.sieges):
        besieger = besieger_of(world, state, city)
        if besieger is None:
            ended.append(SiegeEnded(city, SiegeEnd.BESIEGER_GONE))
        elif city not in state.garrisons and not _rebels_against(state, besieger, city):
            ended.extend(_nothing_left(world, state, city))
    return ended


def with_lapses(world: World, state: State, events: Iterable[Event]) -> list[Event]:
    """Return the events with the ends of sieges left without object (SIE-10, SIE-17).

    For units that leave the map outside movement.
    """
    so_far = list(events)
    return [*so_far, *lapsed_sieges(world, evolve_all(state, so_far))]


def _nothing_left(world: World, state: State, city: PlaceId) -> list[Event]:
    """A siege with nothing to besiege lapses, or succeeds by itself (SIE-10)."""
    if world.rules.siege.garrison_loss is GarrisonLoss.LAPSE:
        return [SiegeEnded(city, SiegeEnd.NOTHING_LEFT)]
    counted = world.rules.control.timing is Timing.CONTINUOUS
    taken = changes_of_control(world, state) if counted else []
    return [SiegeEnded(city, SiegeEnd.WON), *(event for event in taken if event.place == city)]


def end_lapsed_sieges(turn: Turn) -> list[Event]:
    """End sieges without besieger or besieged (SIE-17)."""
    return lapsed_sieges(turn.world, turn.state)


def has_target(state: State, unit: Unit, city: PlaceId) -> bool:
    """Return whether a foreign garrison, or rebels against the owner, hold the city (SIE-14)."""
    garrison = state.garrisons.get(city)
    if garrison is not None:
        return garrison.owner != unit.owner
    return _rebels_against(state, unit, city)


def _rebels_against(state: State, unit: Unit, city: PlaceId) -> bool:
    return state.city_rebellions.get(city) == unit.owner


def under_siege_rules(
    world: World, state: State, unit: Unit, order: UnitOrder | HeldInstead
) -> UnitOrder | HeldInstead:
    """Return a field unit's order as changed by its siege (SIE-04, SIE-12, SIE-14).

    Before its owner's garrison it stays, and the siege ends, whatever was ordered.
    """
    city = world.city_before(unit.place)
    if city in state.sieges:
        return _half_way(world.rules.siege, state, unit, city, order)
    match order:
        case LiftSiege():
            return HeldInstead(Forced.NOTHING_TO_BESIEGE, "SIE-10")
        case Besiege() if not has_target(state, unit, city):
            own = city in state.garrisons
            why = Forced.OWN_CITY if own else Forced.NOTHING_TO_BESIEGE
            return HeldInstead(why, "SIE-12" if own else "SIE-14")
        case _:
            return order


def _half_way(
    rules: SiegeRules, state: State, unit: Unit, city: PlaceId, order: UnitOrder | HeldInstead
) -> UnitOrder | HeldInstead:
    """The order of a besieger whose siege is half done."""
    if _holds_city(state, unit, city) and not isinstance(order, LiftSiege):
        return HeldInstead(Forced.OWN_CITY, "SIE-12")
    if isinstance(order, HeldInstead | Besiege | Hold | LiftSiege):
        return order
    if rules.other_order is OtherOrder.FREE_MOVE:
        return order
    return HeldInstead(Forced.SIEGE_GOES_ON, "SIE-04")


def _holds_city(state: State, unit: Unit, city: PlaceId) -> bool:
    """Return whether the garrison before the unit is its owner's (SIE-12)."""
    garrison = state.garrisons.get(city)
    return garrison is not None and garrison.owner == unit.owner


def siege_results(
    world: World, state: State, standing: Iterable[tuple[Unit, UnitOrder | HeldInstead]]
) -> list[Event]:
    """Return the campaign's results of sieges.

    *standing* are the field units before half-done sieges, and those that besiege, if not
    dislodged, with their actions; *state* is the position at movement. A siege without its besieger
    ends (SIE-09, SIE-17).
    """
    events: list[Event] = []
    stayed = sorted(standing, key=lambda pair: unit_order(pair[0]))
    for unit, order in stayed:
        events.extend(_siege_result(world, state, unit, order))
    present = {world.city_before(unit.place) for unit, _ in stayed}
    gone = sorted(state.sieges - present)
    events.extend(SiegeEnded(city, SiegeEnd.BESIEGER_GONE) for city in gone)
    return events


def _siege_result(
    world: World, state: State, unit: Unit, order: UnitOrder | HeldInstead
) -> Sequence[Event]:
    city = world.city_before(unit.place)
    elsewhere = city if city != unit.place else None
    if isinstance(order, Besiege):
        if city in state.sieges:
            return [SiegeCompleted(unit, elsewhere), *_fall(state, unit, city)]
        return [SiegeBegun(unit, elsewhere)]
    if isinstance(order, LiftSiege) or _holds_city(state, unit, city):
        return [SiegeEnded(city, SiegeEnd.LIFTED)]
    if world.rules.siege.other_order is OtherOrder.HOLD_KEEPS:
        return [SiegeKept(unit, elsewhere)]
    return [SiegeEnded(city, SiegeEnd.ABANDONED)]


def _fall(state: State, unit: Unit, city: PlaceId) -> list[Event]:
    """The garrison is starved out, or the rebels of city and province give up (SIE-05, REB-28)."""
    garrison = state.garrisons.get(city)
    if garrison is not None:
        return [UnitRemoved(garrison, Removal.STARVED)]
    in_province = city in state.province_rebellions
    return [RebellionEnded(city, in_province, True, RebellionEnd.SIEGE, unit.owner)]


# City and province: when a conversion is possible at all, and when it succeeds (area CNV). A
# conversion out of the city is an advance into the province and fights like one (CNV-19); a
# conversion into the city succeeds unless the city rebels (CNV-05, CNV-06).
Intent = UnitOrder | HeldInstead
"""A unit's action: its order, or a hold instead."""


def leaves_city(intent: Intent | None) -> bool:
    """Return whether it is a conversion of a garrison."""
    return isinstance(intent, Convert) and intent.into is not GARRISON


def enters_city(intent: Intent | None) -> bool:
    """Return whether it is a conversion into a garrison."""
    return isinstance(intent, Convert) and intent.into is GARRISON


def objection_to_conversion(rules: ConversionRules, state: State, unit: Unit) -> HeldInstead | None:
    """Return why the unit cannot convert at movement, whatever others do (CNV-01, CNV-14)."""
    if not (unit.is_garrison and unit.place in state.sieges):
        return None
    if rules.besieged is Besieged.NEVER:
        return HeldInstead(Forced.UNDER_SIEGE, "CNV-14")
    if rules.besieged_elite_stays and unit.quality.strength > 1:
        return HeldInstead(Forced.UNDER_SIEGE, "SPC-08")
    return None


def without_sallies(world: World, units: Sequence[Unit], chosen: list[Intent]) -> None:
    """Turn conversions out of a besieged city into holds (CNV-12)."""
    besieged = {
        world.city_before(unit.place)
        for unit, intent in zip(units, chosen, strict=True)
        if isinstance(intent, Besiege)
    }
    for number, unit in enumerate(units):
        if leaves_city(chosen[number]) and unit.place in besieged:
            chosen[number] = HeldInstead(Forced.UNDER_SIEGE, "CNV-12")


def without_trades(units: Sequence[Unit], chosen: list[Intent]) -> None:
    """Turn exchanges of places and entries of a held city into holds.

    *chosen* are the units' intents. A garrison and the field unit of its province never trade
    places (MOV-20); a unit staying in the city keeps others out (CNV-01).
    """
    garrisons = {u.place: n for n, u in enumerate(units) if u.kind is GARRISON}
    for number, unit in enumerate(units) if garrisons else ():
        if not enters_city(chosen[number]) or unit.place not in garrisons:
            continue
        garrison = garrisons[unit.place]
        if leaves_city(chosen[garrison]):
            chosen[number] = chosen[garrison] = HeldInstead(Forced.TRADING_PLACES, "MOV-20")
        else:
            chosen[number] = HeldInstead(Forced.CITY_TAKEN, "CNV-01")


def locks_out(rules: ConversionRules, rebellions: Rebellions, unit: Unit) -> bool:
    """Return whether rebels keep their target, or all, out of the city (CNV-06, MOV-42, REB-08)."""
    if unit.place not in rebellions:
        return False
    return rules.locked if rebellions[unit.place] == unit.owner else not rules.third_party
