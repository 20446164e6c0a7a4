"""Targets, reach and prices of expenses (EXP-05 to EXP-37)."""

from collections.abc import Iterable
from dataclasses import dataclass

from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Named, Purpose
from machjudge.adjudicator.rules import Adjacency, BribeRules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import GARRISON, Kind, Quality, Unit
from machjudge.adjudicator.world import World

STEP = 3
"""The ducats of a bribe's or counter-bribe's step (EXP-23)."""

ATTEMPT = 12
"""Ducats for one number of the assassin's die (ASN-03)."""

BRIBES = frozenset({Purpose.DISBAND, Purpose.BUY, Purpose.TO_AUTONOMOUS})
"""Expenses subject to counter-bribes (EXP-16)."""

ON_PLACES = frozenset({Purpose.FAMINE_RELIEF, Purpose.PACIFY, Purpose.CAUSE_REBELLION})


@dataclass(frozen=True, slots=True)
class Price:
    """The least price, with its doublings (EXP-17, EXP-18)."""

    base: int
    """Ducats of the price list."""
    major_city: bool = False
    """Twice for a garrison in a major city."""
    quality: Quality = Quality.PLAIN
    """Twice for militia and professionals."""
    factor: int = 1
    """Return the product of both."""

    @property
    def ducats(self) -> int:
        """Return the price in ducats."""
        return self.base * self.factor


def target_unit(state: State, expense: Expense) -> Unit | None:
    """Return an expense's unit, if it is there (EXP-31, EXP-32)."""
    named = expense.unit
    if named is None:
        return None
    kind = named.kind
    if kind is None and expense.purpose is Purpose.TO_AUTONOMOUS:
        kind = GARRISON
    return unit_of_kind(state, named.place, kind)


def unit_of_kind(state: State, place: PlaceId, kind: Kind | None) -> Unit | None:
    """Return the unit of that kind; without one the A/F, else the garrison."""
    afield, garrison = state.field.get(place), state.garrisons.get(place)
    match kind:
        case None:
            return afield or garrison
        case Kind.GARRISON:
            return garrison
        case Kind.ARMY | Kind.FLEET:
            return afield if afield is not None and afield.kind is kind else None


def target_place(expense: Expense) -> PlaceId | None:
    """Return the place that must be in reach; none for an assassination (EXP-27)."""
    if expense.purpose in ON_PLACES:
        return expense.place
    return expense.unit.place if isinstance(expense.unit, Named) else None


def is_within_reach(world: World, state: State, power: PowerId, expense: Expense) -> bool:
    """Return whether a unit of *power* is at the target or next to it (EXP-27 to EXP-29).

    Expenses without that condition reach everything.
    """
    money, place = world.rules.money, target_place(expense)
    if place is None or money.adjacency is Adjacency.NONE:
        return True
    if price_code(world, state, expense) not in money.near:
        return True
    near = {place, *world.borders[place]}
    if money.adjacency is Adjacency.UNITS_OR_CONTROL:
        return _touches(state, power, place, near)
    own = [unit.place for unit in state.units() if unit.owner == power]
    return not near.isdisjoint(own)


def _touches(state: State, power: PowerId, place: PlaceId, near: Iterable[PlaceId]) -> bool:
    """Return whether an A/F or province of *power* is near, or its garrison or city is there.

    Beyond its own province a garrison reaches nothing, unless the province is its owner's too.
    """
    if state.cities.get(place) == power or is_of(power, state.garrisons.get(place)):
        return True
    return any(
        state.provinces.get(each) == power or is_of(power, state.field.get(each)) for each in near
    )


def is_of(power: PowerId, unit: Unit | None) -> bool:
    """Return whether a unit is there and the power's."""
    return unit is not None and unit.owner == power


def controller_of(state: State, place: PlaceId) -> PowerId | None:
    """Return the controller of a province; None for nobody's, or an autonomous city's."""
    owner = state.provinces.get(place)
    return None if owner == AUTONOMOUS else owner


def price_code(world: World, state: State, expense: Expense) -> str:
    """Return an expense's letter of the price list, by purpose and target (EXP-37)."""
    match expense.purpose:
        case Purpose.FAMINE_RELIEF | Purpose.PACIFY | Purpose.COUNTER_BRIBE | Purpose.ASSASSINATE:
            return str(expense.purpose.value)
        case Purpose.TO_AUTONOMOUS:
            return "f"
        case Purpose.CAUSE_REBELLION:
            at_home = expense.place is not None and _is_home(world, state, expense.place)
            return "k" if at_home else "j"
        case Purpose.DISBAND | Purpose.BUY as bribe:
            return _code_of_bribe(bribe, target_unit(state, expense))
        case None:
            return ""


def _code_of_bribe(bribe: Purpose, unit: Unit | None) -> str:
    if unit is not None and unit.owner == AUTONOMOUS:
        return "d" if bribe is Purpose.DISBAND else "e"
    if bribe is Purpose.BUY:
        return "i"
    return "g" if unit is not None and unit.is_garrison else "h"


def price_of(world: World, state: State, expense: Expense) -> Price:
    """Return an expense's least price; of a counter-bribe and an assassin the minimum."""
    if expense.purpose in (Purpose.COUNTER_BRIBE, None):
        return Price(STEP)
    if expense.purpose is Purpose.ASSASSINATE:
        return Price(ATTEMPT * max(len(expense.faces), 1))
    base = world.rules.money.prices[price_code(world, state, expense)]
    unit = target_unit(state, expense) if expense.purpose in BRIBES else None
    if unit is None:
        return Price(base)
    city = world.cities.get(unit.place)
    major = unit.is_garrison and city is not None and city.is_major
    return Price(base, major, unit.quality, _factor(world.rules.bribes, unit.quality, major=major))


def _factor(rules: BribeRules, quality: Quality, *, major: bool) -> int:
    """The factors of a major city's garrison, and of militia and professionals (EXP-17)."""
    if not major:
        return quality.bribe_factor
    return rules.major_factor if quality.bribe_factor == 1 else rules.special_major_factor


def _is_home(world: World, state: State, place: PlaceId) -> bool:
    """Return whether a province is in a home of its controller (EXP-14)."""
    controller = controller_of(state, place)
    if controller is None or state.homes.get(place) != controller:
        return False
    return world.rules.control.conquered_is_home or place in world.scenario.powers[controller].home
