"""What may be ordered about money and in the adjustment, judged by each order alone.

What depends on the other orders of the same sheet is decided when the phase is played: funds,
numbers, one build a province, special units.  An expense that may turn out useless is taken, and
costs its money (EXP-01, EXP-31).
"""

from machjudge.adjudicator.legality.dealings import objection_to_dealing, objection_to_partner
from machjudge.adjudicator.legality.possible import objection_to_target
from machjudge.adjudicator.model.board import City, Terrain
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    AdjustmentOrder,
    Ally,
    Borrow,
    Build,
    Burn,
    Cede,
    Excommunicate,
    Expense,
    MoneyOrder,
    Pay,
    Permit,
    PowerOrder,
    Purpose,
    Tax,
    Waive,
)
from machjudge.adjudicator.model.prices import BRIBES, ON_PLACES, controller_of, target_unit
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import (
    AssassinNumbers,
    BuildControl,
    FleetBuilds,
    ForcedTaxes,
    FortBuilds,
    RebelControl,
)
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import GARRISON, Kind, Quality
from machjudge.adjudicator.model.world import World

EXPENSES = 4
"""How many expenses a power has in a campaign (EXP-01)."""


def objection_to_money(
    world: World, state: State, power: PowerId, order: MoneyOrder | PowerOrder
) -> Objection | None:
    """Why an order about money, or one that names a power, may not be given, or nothing."""
    match order:
        case Ally() | Permit() | Excommunicate() | Cede() | Burn():
            return objection_to_dealing(world, state, power, order)
        case Borrow():
            return _objection_to_loan(world, state, power, order)
        case Pay():
            return _objection_to_payment(world, state, power, order)
        case Expense():
            return _objection_to_expense(world, state, power, order)


def objection_to_adjustment(
    world: World, state: State, power: PowerId, order: AdjustmentOrder
) -> Objection | None:
    """Why a build, a waived build or a tax may not be ordered, or nothing."""
    if isinstance(order, Waive) and world.rules.game.money:
        return Objection(Flaw.FLAG_OFF, "ADJ-15")
    if isinstance(order, Tax):
        return _objection_to_tax(world, state, power, order.place)
    if isinstance(order, Build):
        if world.only_pays_the_set_up(state.moment.campaign):
            return Objection(Flaw.SET_UP, "INC-16")
        return _objection_to_site(world, state, power, order) or _objection_to_raising(
            world, state, power, order
        )
    return None


# --- money -----------------------------------------------------------------------------------


def _objection_to_loan(
    world: World, state: State, power: PowerId, order: Borrow
) -> Objection | None:
    """Whether it fits the credit is seen only when the bank opens (BNK-20)."""
    if not world.rules.game.money or not world.rules.money.loans:
        return Objection(Flaw.FLAG_OFF, "BNK-13")
    if order.years not in (1, 2):
        return Objection(Flaw.BAD_TERM, "BNK-02")
    if order.ducats < 0:
        return Objection(Flaw.BAD_AMOUNT, "BNK-04")
    if power in state.defaulted and order.ducats:
        return Objection(Flaw.NO_CREDIT, "BNK-10")
    return None


def _objection_to_payment(
    world: World, state: State, power: PowerId, order: Pay
) -> Objection | None:
    if not world.rules.game.money:
        return Objection(Flaw.FLAG_OFF, "SET-03")
    if order.ducats < 0:
        return Objection(Flaw.BAD_AMOUNT, "BNK-05")
    if order.to is None:
        return None
    return objection_to_partner(world, state, power, order.to, "BNK-21")


def _objection_to_expense(
    world: World, state: State, power: PowerId, order: Expense
) -> Objection | None:
    if not world.rules.game.money:
        return Objection(Flaw.FLAG_OFF, "SET-03")
    if not 1 <= order.number <= EXPENSES:
        return Objection(Flaw.BAD_NUMBER, "EXP-01")
    if order.purpose is None:
        return None
    if order.ducats is not None and order.ducats <= 0:
        return Objection(Flaw.BAD_AMOUNT, "EXP-37")
    if order.purpose is Purpose.ASSASSINATE:
        return _objection_to_murder(world, power, order)
    if order.purpose in ON_PLACES:
        return _objection_to_upheaval(world, state, power, order)
    return _objection_to_bribe(world, state, power, order)


def _objection_to_murder(world: World, power: PowerId, order: Expense) -> Objection | None:
    """The dead may be aimed at, in vain (ASN-15), so may those of whom one holds no chit."""
    if not world.rules.money.assassinations or not world.rules.game.dice:
        return Objection(Flaw.FLAG_OFF, "ASN-12")
    if order.power not in world.in_play:
        return Objection(Flaw.UNKNOWN_POWER, "ASN-01")
    if order.power == power and not world.rules.money.self_bribe:
        return Objection(Flaw.YOURSELF, "EXP-26")
    if order.faces and world.rules.assassins.numbers is AssassinNumbers.CHANCE:
        return Objection(Flaw.FLAG_OFF, "ASN-03")
    return None


def _objection_to_upheaval(
    world: World, state: State, power: PowerId, order: Expense
) -> Objection | None:
    place = order.place
    if place is None or world.place(place).is_sea:
        return Objection(Flaw.BAD_TARGET, "EXP-37", place)
    if place in world.closed:
        return Objection(Flaw.NEUTRAL, "MAP-30", place)
    own = controller_of(state, place) == power
    if order.purpose is Purpose.CAUSE_REBELLION and own and not world.rules.money.self_bribe:
        return Objection(Flaw.YOURSELF, "EXP-26", place)
    return None


def _objection_to_bribe(
    world: World, state: State, power: PowerId, order: Expense
) -> Objection | None:
    """One's own unit may be protected, but not bribed: bought under no rules at all."""
    if order.unit is None:
        return Objection(Flaw.BAD_TARGET, "EXP-37", order.place)
    only_garrisons = order.purpose is Purpose.TO_AUTONOMOUS
    objection = objection_to_target(world, order.unit, garrison=only_garrisons)
    if objection is not None:
        return objection
    unit = target_unit(state, order)
    if unit is None or unit.owner != power or order.purpose not in BRIBES:
        return None
    if world.rules.money.self_bribe and order.purpose is not Purpose.BUY:
        return None
    return Objection(Flaw.YOURSELF, "EXP-26", order.unit.place)


# --- taxes -----------------------------------------------------------------------------------


def _objection_to_tax(
    world: World, state: State, power: PowerId, place: PlaceId
) -> Objection | None:
    """Whether a province can be taxed by force; it has to be one's own with its city (INC-19)."""
    rules, city = world.rules, world.cities.get(place)
    needs_die = rules.income.forced is ForcedTaxes.KARTTUNEN
    if rules.income.forced is ForcedTaxes.OFF or not rules.game.money:
        return Objection(Flaw.FLAG_OFF, "INC-19")
    if needs_die and not rules.game.dice:
        return Objection(Flaw.FLAG_OFF, "SET-04")
    owners = (state.provinces.get(place), state.cities.get(place) if city else power)
    if owners != (power, power):
        return Objection(Flaw.NO_CITY_CONTROL, "INC-19", place)
    flaw = _untaxable(state, place, city)
    return None if flaw is None else Objection(flaw, "INC-19", place)


def _untaxable(state: State, place: PlaceId, city: City | None) -> Flaw | None:
    if place in state.famine:
        return Flaw.FAMINE
    if place in state.province_rebellions or place in state.city_rebellions:
        return Flaw.REBELLION
    return Flaw.MAJOR_CITY if city is not None and city.income > 1 else None


# --- builds ----------------------------------------------------------------------------------


def _objection_to_site(
    world: World, state: State, power: PowerId, order: Build
) -> Objection | None:
    """Whether the power may build there at all (ADJ-03, ADJ-07, ADJ-08, CTL-10, MAP-21)."""
    place, city = order.place, world.cities.get(order.place)
    if city is None or (city.fortress and world.rules.adjustment.fort_builds is FortBuilds.NONE):
        return Objection(Flaw.NO_CITY, "ADJ-03", place)
    if state.homes.get(place) != power:
        return Objection(Flaw.NOT_HOME, "ADJ-03", place)
    if not _controls_site(world, state, power, place):
        return Objection(Flaw.NO_CITY_CONTROL, "CTL-10", place)
    if world.place(place).venice and (place in state.field or place in state.garrisons):
        return Objection(Flaw.VENICE, "MAP-21", place)
    if place in state.famine:
        return Objection(Flaw.FAMINE, "ADJ-08", place)
    if _rebels_bar(world, state, order):
        return Objection(Flaw.REBELLION, "ADJ-07", place)
    return None


def _controls_site(world: World, state: State, power: PowerId, place: PlaceId) -> bool:
    """Whether the power controls what the rules ask for where it builds (CTL-10)."""
    needed = [state.provinces.get(place)]
    if world.rules.adjustment.build_control is BuildControl.BOTH:
        needed.append(state.cities.get(place))
    return all(owner == power for owner in needed)


def _rebels_bar(world: World, state: State, order: Build) -> bool:
    """Whether rebels keep the unit from being raised: no unit joins them in a city (ADJ-07).

    Nor is one raised where nobody controls what rebels (REB-05).
    """
    in_city = order.kind is GARRISON or world.place(order.place).venice
    rebels_in_city = order.place in state.city_rebellions
    if world.rules.rebellion.control is not RebelControl.KEPT:
        return rebels_in_city or order.place in state.province_rebellions
    if not world.rules.adjustment.rebels_bar_builds:
        return in_city and rebels_in_city
    return rebels_in_city or (order.place in state.province_rebellions and not in_city)


def _objection_to_raising(
    world: World, state: State, power: PowerId, order: Build
) -> Objection | None:
    """Whether a unit of this kind can be raised there (ADJ-04, ADJ-06, SPC-01)."""
    if order.quality is not Quality.PLAIN and not world.rules.game.special:
        return Objection(Flaw.FLAG_OFF, "SPC-01")
    if order.quality is Quality.CAVALRY and not world.rules.special.cavalry:
        return Objection(Flaw.FLAG_OFF, "SPC-11")
    if order.quality is Quality.CAVALRY and order.kind is not Kind.ARMY:
        return Objection(Flaw.NO_CAVALRY, "SPC-11", order.place)
    if not world.allows(power, order.quality):
        return Objection(Flaw.FLAG_OFF, "SET-20")
    misfit = _misfit(world, world.cities[order.place], order)
    if misfit is not None:
        return Objection(misfit, "ADJ-04", order.place)
    space = state.garrisons if order.kind is GARRISON else state.field
    old = space.get(order.place)
    if old is not None:
        flaw = Flaw.NO_TRADE if old.owner == power else Flaw.OCCUPIED
        return Objection(flaw, "ADJ-06", order.place)
    return None


def _misfit(world: World, city: City, order: Build) -> Flaw | None:
    match order.kind:
        case Kind.ARMY:
            return Flaw.WRONG_TERRAIN if world.place(order.place).afloat else None
        case Kind.GARRISON:
            fits = world.holds_garrison(order.place) and not city.fortress
            return None if fits else Flaw.NO_CITY
        case Kind.FLEET:
            return _no_harbour(world, city, order.place)


def _no_harbour(world: World, city: City, place: PlaceId) -> Flaw | None:
    if world.place(place).terrain is not Terrain.COASTAL:
        return Flaw.WRONG_TERRAIN
    on_any_coast = world.rules.adjustment.fleet_builds is FleetBuilds.COASTS
    return None if city.port or on_any_coast else Flaw.NO_PORT
