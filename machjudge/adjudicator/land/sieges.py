"""Sieges and conversions between city and province (areas SIE, CNV)."""

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
    """Who stands where a city is besieged from (SIE-02, SIE-03)."""
    return state.field.get(world.siege_post(city))


def lapsed_sieges(world: World, state: State) -> list[Event]:
    """The end of sieges whose besieger, or whom it besieges, is gone (SIE-10, SIE-17)."""
    ended: list[Event] = []
    for city in sorted(state.sieges):
        besieger = besieger_of(world, state, city)
        if besieger is None:
            ended.append(SiegeEnded(city, SiegeEnd.BESIEGER_GONE))
        elif city not in state.garrisons and not _rebels_against(state, besieger, city):
            ended.extend(_nothing_left(world, state, city))
    return ended


def with_lapses(world: World, state: State, events: Iterable[Event]) -> list[Event]:
    """The same events, and the end of every siege that they leave without object.

    For units that leave the map outside movement (SIE-10, SIE-17).
    """
    so_far = list(events)
    return [*so_far, *lapsed_sieges(world, evolve_all(state, so_far))]


def _nothing_left(world: World, state: State, city: PlaceId) -> list[Event]:
    """A siege without anybody to besiege lapses, or succeeds by itself (SIE-10)."""
    if world.rules.siege.garrison_loss is GarrisonLoss.LAPSE:
        return [SiegeEnded(city, SiegeEnd.NOTHING_LEFT)]
    counted = world.rules.control.timing is Timing.CONTINUOUS
    taken = changes_of_control(world, state) if counted else []
    return [SiegeEnded(city, SiegeEnd.WON), *(event for event in taken if event.place == city)]


def end_lapsed_sieges(turn: Turn) -> list[Event]:
    """Sieges end with their besieger and with the besieged, however these leave (SIE-17)."""
    return lapsed_sieges(turn.world, turn.state)


def has_target(state: State, unit: Unit, city: PlaceId) -> bool:
    """Whether a foreign garrison, or rebels against the unit's owner, hold the city (SIE-14)."""
    garrison = state.garrisons.get(city)
    if garrison is not None:
        return garrison.owner != unit.owner
    return _rebels_against(state, unit, city)


def _rebels_against(state: State, unit: Unit, city: PlaceId) -> bool:
    return state.city_rebellions.get(city) == unit.owner


def under_siege_rules(
    world: World, state: State, unit: Unit, order: UnitOrder | HeldInstead
) -> UnitOrder | HeldInstead:
    """What becomes of a field unit's order through its own siege (SIE-04, SIE-12, SIE-14).

    Before a garrison that is its owner's by now it stays, and the siege ends, whatever was ordered.
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
    """What a besieger does whose siege is half done."""
    if _holds_city(state, unit, city) and not isinstance(order, LiftSiege):
        return HeldInstead(Forced.OWN_CITY, "SIE-12")
    if isinstance(order, HeldInstead | Besiege | Hold | LiftSiege):
        return order
    if rules.other_order is OtherOrder.FREE_MOVE:
        return order
    return HeldInstead(Forced.SIEGE_GOES_ON, "SIE-04")


def _holds_city(state: State, unit: Unit, city: PlaceId) -> bool:
    """Whether the garrison before which the unit stands is its owner's (SIE-12)."""
    garrison = state.garrisons.get(city)
    return garrison is not None and garrison.owner == unit.owner


def siege_results(
    world: World, state: State, standing: Iterable[tuple[Unit, UnitOrder | HeldInstead]]
) -> list[Event]:
    """What the campaign did to the sieges.

    *standing* are the field units before half-done sieges, and those that besiege, if they were not
    dislodged, with what they did; *state* is the position at movement.  A siege whose besieger is
    not among them ends (SIE-09, SIE-17).
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


Intent = UnitOrder | HeldInstead
"""What a unit will do in the campaign: its order, or hold instead of it."""


def leaves_city(intent: Intent | None) -> bool:
    """Whether it is a conversion of a garrison."""
    return isinstance(intent, Convert) and intent.into is not GARRISON


def enters_city(intent: Intent | None) -> bool:
    """Whether it is a conversion into a garrison."""
    return isinstance(intent, Convert) and intent.into is GARRISON


def objection_to_conversion(rules: ConversionRules, state: State, unit: Unit) -> HeldInstead | None:
    """Why the unit cannot convert at movement, whoever else does what (CNV-01, CNV-14)."""
    if not (unit.is_garrison and unit.place in state.sieges):
        return None
    if rules.besieged is Besieged.NEVER:
        return HeldInstead(Forced.UNDER_SIEGE, "CNV-14")
    if rules.besieged_elite_stays and unit.quality.strength > 1:
        return HeldInstead(Forced.UNDER_SIEGE, "SPC-08")
    return None


def without_sallies(world: World, units: Sequence[Unit], chosen: list[Intent]) -> None:
    """Turn conversions out of a city that is besieged in this campaign into holds (CNV-12)."""
    besieged = {
        world.city_before(unit.place)
        for unit, intent in zip(units, chosen, strict=True)
        if isinstance(intent, Besiege)
    }
    for number, unit in enumerate(units):
        if leaves_city(chosen[number]) and unit.place in besieged:
            chosen[number] = HeldInstead(Forced.UNDER_SIEGE, "CNV-12")


def without_trades(units: Sequence[Unit], chosen: list[Intent]) -> None:
    """Turn into holds what cannot be: trading places, and entering a held city.

    *chosen* is what each of the units will do.  A garrison and the field unit of its province
    never trade places (MOV-20); whoever stays in the city keeps others out of it (CNV-01).
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
    """Whether rebels keep the power that they are against, or all, out of their city.

    (CNV-06, MOV-42, REB-08)
    """
    if unit.place not in rebellions:
        return False
    return rules.locked if rebellions[unit.place] == unit.owner else not rules.third_party
