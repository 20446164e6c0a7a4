"""Besiege, lift, starve out: what a siege asks of the besieger, and how it ends (area SIE)."""

from collections.abc import Iterable, Sequence

from machjudge.adjudicator.events import (
    CityTaken,
    Event,
    RebellionEnded,
    SiegeBegun,
    SiegeCompleted,
    SiegeEnded,
    SiegeKept,
    UnitRemoved,
)
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Besiege, Hold, LiftSiege, UnitOrder
from machjudge.adjudicator.model.reasons import Forced, HeldInstead, RebellionEnd, Removal, SiegeEnd
from machjudge.adjudicator.model.rules import GarrisonLoss, OtherOrder, Rules, SiegeRules, Timing
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit, unit_order


def is_besieged(state: State, city: PlaceId) -> bool:
    """Whether a siege of the city is half done (SIE-01, CNV-14)."""
    return city in state.sieges


def lapsed_sieges(rules: Rules, state: State) -> list[Event]:
    """The end of sieges whose besieger, or whom it besieges, is gone (SIE-10, SIE-17)."""
    ended: list[Event] = []
    for city in sorted(state.sieges):
        besieger = state.field.get(city)
        if besieger is None:
            ended.append(SiegeEnded(city, SiegeEnd.BESIEGER_GONE))
        elif city not in state.garrisons and not _rebels_against(state, besieger):
            ended.extend(_nothing_left(rules, state, besieger))
    return ended


def _nothing_left(rules: Rules, state: State, besieger: Unit) -> list[Event]:
    """A siege without anybody to besiege lapses, or succeeds by itself (SIE-10)."""
    city, owner = besieger.place, state.cities.get(besieger.place)
    if rules.siege.garrison_loss is GarrisonLoss.LAPSE:
        return [SiegeEnded(city, SiegeEnd.NOTHING_LEFT)]
    counted = rules.control.timing is Timing.CONTINUOUS and owner != besieger.owner
    taken = [CityTaken(city, besieger.owner, owner)] if counted else []
    return [SiegeEnded(city, SiegeEnd.WON), *taken]


def end_lapsed_sieges(turn: Turn) -> list[Event]:
    """Sieges end with their besieger and with the besieged, however these leave (SIE-17)."""
    return lapsed_sieges(turn.world.rules, turn.state)


def has_target(state: State, unit: Unit) -> bool:
    """Whether a foreign garrison, or rebels against the unit's owner, hold the city (SIE-14)."""
    garrison = state.garrisons.get(unit.place)
    if garrison is not None:
        return garrison.owner != unit.owner
    return _rebels_against(state, unit)


def _rebels_against(state: State, unit: Unit) -> bool:
    return state.city_rebellions.get(unit.place) == unit.owner


def under_siege_rules(
    rules: SiegeRules, state: State, unit: Unit, order: UnitOrder | HeldInstead
) -> UnitOrder | HeldInstead:
    """What becomes of a field unit's order through its own siege (SIE-04, SIE-12, SIE-14).

    Before a garrison that is its owner's by now it stays, and the siege ends, whatever was ordered.
    """
    if unit.place in state.sieges:
        return _half_way(rules, state, unit, order)
    match order:
        case LiftSiege():
            return HeldInstead(Forced.NOTHING_TO_BESIEGE, "SIE-10")
        case Besiege() if not has_target(state, unit):
            own = unit.place in state.garrisons
            why = Forced.OWN_CITY if own else Forced.NOTHING_TO_BESIEGE
            return HeldInstead(why, "SIE-12" if own else "SIE-14")
        case _:
            return order


def _half_way(
    rules: SiegeRules, state: State, unit: Unit, order: UnitOrder | HeldInstead
) -> UnitOrder | HeldInstead:
    """What a besieger does whose siege is half done."""
    if _holds_city(state, unit) and not isinstance(order, LiftSiege):
        return HeldInstead(Forced.OWN_CITY, "SIE-12")
    if isinstance(order, HeldInstead | Besiege | Hold | LiftSiege):
        return order
    if rules.other_order is OtherOrder.FREE_MOVE:
        return order
    return HeldInstead(Forced.SIEGE_GOES_ON, "SIE-04")


def _holds_city(state: State, unit: Unit) -> bool:
    """Whether the garrison before which the unit stands is its owner's (SIE-12)."""
    garrison = state.garrisons.get(unit.place)
    return garrison is not None and garrison.owner == unit.owner


def siege_results(
    rules: SiegeRules, state: State, standing: Iterable[tuple[Unit, UnitOrder | HeldInstead]]
) -> list[Event]:
    """What the campaign did to the sieges.

    *standing* are the field units before half-done sieges, and those that besiege, if they were not
    dislodged, with what they did; *state* is the position at movement.  A siege whose besieger is
    not among them ends (SIE-09, SIE-17).
    """
    events: list[Event] = []
    stayed = sorted(standing, key=lambda pair: unit_order(pair[0]))
    for unit, order in stayed:
        events.extend(_siege_result(rules, state, unit, order))
    present = {unit.place for unit, _ in stayed}
    gone = sorted(state.sieges - present)
    events.extend(SiegeEnded(city, SiegeEnd.BESIEGER_GONE) for city in gone)
    return events


def _siege_result(
    rules: SiegeRules, state: State, unit: Unit, order: UnitOrder | HeldInstead
) -> Sequence[Event]:
    if isinstance(order, Besiege):
        half_done = is_besieged(state, unit.place)
        return _completed(state, unit) if half_done else [SiegeBegun(unit)]
    if isinstance(order, LiftSiege) or _holds_city(state, unit):
        return [SiegeEnded(unit.place, SiegeEnd.LIFTED)]
    if rules.other_order is OtherOrder.HOLD_KEEPS:
        return [SiegeKept(unit)]
    return [SiegeEnded(unit.place, SiegeEnd.ABANDONED)]


def _completed(state: State, unit: Unit) -> list[Event]:
    """The garrison is starved out, or the rebels of city and province give up (SIE-05, REB-28)."""
    events: list[Event] = [SiegeCompleted(unit)]
    garrison = state.garrisons.get(unit.place)
    if garrison is not None:
        events.append(UnitRemoved(garrison, Removal.STARVED))
    else:
        in_province = unit.place in state.province_rebellions
        events.append(RebellionEnded(unit.place, in_province, True, RebellionEnd.SIEGE, unit.owner))
    return events
