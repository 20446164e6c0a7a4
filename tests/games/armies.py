"""Random orders for the units of a power: attacks with support, convoys, sieges, conversions."""

from machjudge.adjudicator import legality
from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.land.sieges import has_target
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, PlaceId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Burn,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Hold,
    LiftSiege,
    Named,
    Order,
    Permit,
    StrategicMove,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.rules import LongMoves
from machjudge.adjudicator.units import Kind, Unit
from tests.games.mind import Mind


def campaign_orders(mind: Mind) -> list[Order]:
    """One order for nearly every unit of the power, and now and then an alliance."""
    plan = _convoys(mind)
    units = mind.state.units_of(mind.power)
    mind.chance.shuffle(units)
    for unit in units:
        if unit not in plan and not mind.now_and_then(0.03):
            plan[unit] = _order_for(mind, unit, plan)
    return [*plan.values(), *_alliances(mind)]


def order_for_any(mind: Mind, unit: Unit) -> UnitOrder:
    """An order for a unit that may come to belong to the power."""
    return _order_for(mind, unit, {})


def named(unit: Unit) -> Named:
    """The unit as its owner names it."""
    return Named(unit.kind, unit.place, unit.coast)


def _order_for(mind: Mind, unit: Unit, plan: dict[Unit, UnitOrder]) -> UnitOrder:
    if mind.now_and_then(0.03):
        return _nonsense(mind, unit)
    city = mind.world.city_before(unit.place)
    if city in mind.state.sieges and not unit.is_garrison:
        return _on_with_the_siege(mind, unit)
    if unit.is_garrison:
        return _garrison_order(mind, unit)
    if has_target(mind.state, unit, city) and mind.now_and_then(0.5):
        return Besiege(named(unit))
    helped = _support_of_plan(mind, unit, plan)
    if helped is not None and mind.now_and_then(0.7):
        return helped
    return _on_its_own(mind, unit)


def _on_its_own(mind: Mind, unit: Unit) -> UnitOrder:
    if mind.world.rules.orders.long_moves is not LongMoves.OFF and mind.now_and_then(0.4):
        return _march(mind, unit)
    kind = mind.chance.random()
    if kind < 0.7:
        return _advance(mind, unit)
    if kind < 0.8:
        return _support_of_anybody(mind, unit)
    if kind < 0.86 and mind.world.holds_garrison(unit.place):
        return Convert(named(unit), Kind.GARRISON)
    if kind < 0.88:
        return Disband(named(unit))
    return Hold(named(unit))


def _on_with_the_siege(mind: Mind, unit: Unit) -> UnitOrder:
    kind = mind.chance.random()
    if kind < 0.7:
        return Besiege(named(unit))
    if kind < 0.8:
        return LiftSiege(named(unit))
    return Hold(named(unit)) if kind < 0.9 else _advance(mind, unit)


def _garrison_order(mind: Mind, unit: Unit) -> UnitOrder:
    kind = mind.chance.random()
    if kind < 0.35:
        into = Kind.FLEET if mind.world.is_port(unit.place) and kind < 0.15 else Kind.ARMY
        spots = mind.world.board.spots(unit.place) if into is Kind.FLEET else ()
        coast = mind.chance.choice(spots).coast if spots else NO_COAST
        return Convert(named(unit), into, coast)
    around = mind.state.field.get(unit.place)
    if kind < 0.5 and around is not None:
        return Support(named(unit), named(around))
    return Hold(named(unit))


# --- advances and supports -------------------------------------------------------------------


def ways(mind: Mind, unit: Unit) -> list[Spot]:
    """Where a field unit can go in one step."""
    if unit.kind is Kind.ARMY:
        return [Spot(place) for place in sorted(mind.world.army.get(unit.place, ()))]
    return sorted(mind.world.fleet.get(Spot(unit.place, unit.coast), ()))


def _advance(mind: Mind, unit: Unit) -> UnitOrder:
    near = ways(mind, unit)
    if not near:
        return Hold(named(unit))
    spot = mind.chance.choices(near, [_worth(mind, spot.place) for spot in near])[0]
    return Advance(named(unit), spot.place, spot.coast)


def _worth(mind: Mind, place: PlaceId) -> int:
    """How much a power would like to be there: foreign cities first, one's own land last."""
    if mind.world.place(place).is_sea:
        return 2
    foreign = mind.state.provinces.get(place) != mind.power
    rich = place in mind.world.cities and mind.state.cities.get(place) != mind.power
    return 1 + 3 * foreign + 4 * rich


def _support_of_plan(mind: Mind, unit: Unit, plan: dict[Unit, UnitOrder]) -> Support | None:
    """Support for what another unit of the power does, if there is something in reach."""
    fitting = []
    for other, order in plan.items():
        goal = _goal(other, order)
        if mind.world.reaches(unit, goal or other.place) and (goal or not other.is_garrison):
            fitting.append(Support(named(unit), named(other), goal))
    # Where a unit stands, an attack needs support to succeed.
    attacks = [support for support in fitting if support.to in mind.state.field]
    return mind.chance.choice(attacks or fitting) if fitting else None


def _goal(unit: Unit, order: UnitOrder) -> PlaceId | None:
    """Where the order leads; nowhere if the unit stays in its place."""
    match order:
        case Advance():
            return order.to
        case Convert() if order.into is not Kind.GARRISON:
            return unit.place
        case _:
            return None


def _support_of_anybody(mind: Mind, unit: Unit) -> UnitOrder:
    """Support for a neighbour, of whatever power, to hold or to go somewhere."""
    others = [u for u in mind.state.field.values() if u != unit]
    near = [u for u in others if mind.world.reaches(unit, u.place)]
    far = [u for u in others if not mind.world.reaches(unit, u.place)]
    if near and mind.now_and_then(0.6):
        return Support(named(unit), named(mind.chance.choice(near)))
    goals = [spot.place for spot in ways(mind, unit)]
    movers = [(u, to) for u in far for to in goals if mind.world.reaches(u, to)]
    if not movers:
        return Hold(named(unit))
    mover, to = mind.chance.choice(movers)
    return Support(named(unit), named(mover), to)


# --- convoys ---------------------------------------------------------------------------------


def _convoys(mind: Mind) -> dict[Unit, UnitOrder]:
    """Now and then an army goes by sea, over one or two fleets of the power or anybody's."""
    plan: dict[Unit, UnitOrder] = {}
    armies = [u for u in mind.state.units_of(mind.power) if u.kind is Kind.ARMY]
    for army in armies:
        route = _route(mind, army) if mind.now_and_then(0.25) else []
        if not route:
            continue
        ends = [spot.place for spot in ways(mind, route[-1]) if spot.place in mind.world.army]
        ends = [place for place in ends if place != army.place]
        if ends:
            to = mind.chance.choices(ends, [_worth(mind, place) for place in ends])[0]
            plan[army] = Advance(named(army), to, via=tuple(fleet.place for fleet in route))
            plan |= {f: Transport(named(f), named(army), to) for f in route if _is_own(mind, f)}
    return plan


def _is_own(mind: Mind, unit: Unit) -> bool:
    return unit.owner == mind.power


def _route(mind: Mind, army: Unit) -> list[Unit]:
    fleets = [u for u in mind.state.field.values() if u.kind is Kind.FLEET]
    carrying = [u for u in fleets if legality.may_carry(mind.world, u.place)]
    first = [u for u in carrying if mind.world.reaches(u, army.place)]
    if not first:
        return []
    route = [mind.chance.choice(first)]
    second = [u for u in carrying if u not in route and mind.world.reaches(route[0], u.place)]
    if second and mind.now_and_then(0.5):
        route.append(mind.chance.choice(second))
    return route


def _march(mind: Mind, unit: Unit) -> StrategicMove:
    """A way of up to three places, which may be none for this unit."""
    route = [unit.place]
    for _ in range(mind.chance.choice([1, 2, 3])):
        route.append(mind.chance.choice(sorted(mind.world.borders[route[-1]])))
    return StrategicMove(named(unit), tuple(route[1:]))


# --- the rest --------------------------------------------------------------------------------


def _alliances(mind: Mind) -> list[Order]:
    powers = list(mind.world.scenario.in_play)
    if not mind.now_and_then(0.05):
        return []
    held = sorted(place for place, owner in mind.state.provinces.items() if owner == mind.power)
    if held and mind.now_and_then(0.3):
        return [Cede(mind.chance.choice(held), mind.chance.choice(powers))]
    if held and mind.now_and_then(0.2):
        return [Burn(mind.chance.choice(held))]
    if mind.now_and_then(0.2):
        return [Permit(mind.chance.choice(powers))]
    if mind.now_and_then(0.3):
        return [Excommunicate(mind.chance.choice(powers))]
    return [Ally(mind.chance.choice(powers), allowed=mind.now_and_then(0.8))]


def _nonsense(mind: Mind, unit: Unit) -> UnitOrder:
    """An order that makes no sense, or that nobody may give."""
    chance = mind.chance
    places = sorted(mind.world.board.places)
    own, where = named(unit), chance.choice(places)
    other = Named(chance.choice([None, *Kind]), chance.choice(places))
    return chance.choice(
        [
            Advance(own, where),
            Advance(own, where, via=tuple(chance.sample(places, 2))),
            Advance(own, where, by_sea=True),
            Advance(Named(None, unit.place), where, chance.choice(["", "nc", "sc"])),
            Support(own, other, where),
            Support(own, Named(Kind.ARMY, where, owner=AUTONOMOUS)),
            Transport(own, other, where),
            Convert(own, chance.choice([*Kind])),
            Besiege(own),
            LiftSiege(own),
            Disband(own),
            Hold(other),
        ]
    )
