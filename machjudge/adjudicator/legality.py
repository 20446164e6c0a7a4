"""Decide if an order may be given here and now: an objection, or None."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from machjudge.adjudicator.board import City, Spot, Terrain
from machjudge.adjudicator.events import OrderRefused, OrderReplaced
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    BulkOrder,
    Burn,
    CampaignOrder,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    MoneyOrder,
    Named,
    Order,
    Orders,
    Pay,
    Permit,
    PowerOrder,
    Purpose,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    UnitOrder,
    Verb,
    Waive,
)
from machjudge.adjudicator.prices import BRIBES, ON_PLACES, controller_of, target_unit
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.rules import (
    AssassinNumbers,
    Ban,
    BuildControl,
    FleetBuilds,
    ForcedTaxes,
    FortBuilds,
    Legality,
    LongMoves,
    OrderNotation,
    RebelControl,
    Route,
    SupportTarget,
)
from machjudge.adjudicator.state import Dislodged, State, View
from machjudge.adjudicator.units import (
    ARMY,
    FLEET,
    GARRISON,
    Kind,
    Quality,
    Unit,
    unit_order,
)
from machjudge.adjudicator.world import World, carries_armies

OfUnit = TypeVar("OfUnit", bound=UnitOrder | Maintain | Remove)
WithCoast = TypeVar("WithCoast", bound=Advance | Convert | Build)


def unit_named(world: World, state: State, power: PowerId, named: Named) -> Unit | None:
    """Return the unit of an order; without a type the power's own A/F before its garrison."""
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
    """Return the order with its unit in full."""
    named = order.unit
    if named.kind is unit.kind and named.coast == unit.coast and named.owner is None:
        return order
    return replace(order, unit=Named.of(unit))


def toward(order: WithCoast, coast: Coast) -> WithCoast:
    """Return the order with its coast filled in."""
    return order if order.coast == coast else replace(order, coast=coast)


def coast_meant(
    world: World, place: PlaceId, coast: Coast, spots: Sequence[Spot]
) -> Coast | Objection:
    """Return a fleet's coast: the one named, or the only one in reach (MOV-06)."""
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
"""A space for one unit: True for a city, and the place."""


def space_of(unit: Unit) -> Space:
    """The space of a unit."""
    return unit.kind is GARRISON, unit.place


def spaces_ordered(
    world: World, state: State, power: PowerId, orders: Iterable[Order]
) -> set[Space]:
    """Return the spaces with orders; a bribe is none."""
    about_units = [each for each in orders if isinstance(each, UnitOrder | Maintain | Remove)]
    units = [unit_named(world, state, power, order.unit) for order in about_units]
    return {(unit.kind is GARRISON, unit.place) for unit in units if unit is not None}


def without_order(
    world: World, state: State, power: PowerId, units: Iterable[Unit], orders: Iterable[Order]
) -> tuple[Unit, ...]:
    """Return the units without an order, sorted."""
    ordered = spaces_ordered(world, state, power, orders)
    left = [unit for unit in units if (unit.kind is GARRISON, unit.place) not in ordered]
    return tuple(sorted(left, key=unit_order))


# Sea routes: which fleets carry an army, over which borders, and what a route must look like. A
# route is a chain of fleets between two shores (MOV-08 to MOV-12); coasts are not jumped
# (MOV-10), and every leg that a strait closes ends it (MAP-35).
Leg = frozenset[PlaceId]
"""A border of a convoy's route, as its two places."""

_NOWHERE: frozenset[int] = frozenset()


def is_shore(world: World, place: PlaceId) -> bool:
    """Return whether a convoy can start or end there (MOV-08)."""
    return world.place(place).terrain is Terrain.COASTAL and not world.place(place).afloat


def may_carry(world: World, place: PlaceId) -> bool:
    """Return whether a fleet there may carry: at sea, or on a coast by the rules (MOV-07)."""
    return carries_armies(world.rules, world.place(place))


def objection_to_march(world: World, state: State, unit: Unit, order: Advance) -> Objection | None:
    """Return why an army may not move so, by land or sea (MOV-06, MOV-08 to MOV-10)."""
    by_route = bool(order.via) and world.rules.movement.convoy_route is Route.EXPLICIT
    if not by_route and not order.by_sea and order.to in world.army.get(unit.place, ()):
        return None
    if world.place(order.to).is_sea:
        return Objection(Flaw.WRONG_TERRAIN, "MOV-06", order.to)
    if by_route:
        return _objection_to_route(world, unit.place, order)
    if world.rules.movement.convoy_route is Route.IMPLICIT:
        return _objection_to_passage(world, state, unit.place, order)
    return Objection(Flaw.NOT_ADJACENT, "MOV-09", order.to)


def _objection_to_route(world: World, start: PlaceId, order: Advance) -> Objection | None:
    for end in (start, order.to):
        if not is_shore(world, end):
            return Objection(Flaw.WRONG_TERRAIN, "MOV-08", end)
    for at in order.via:
        if not may_carry(world, at):
            return Objection(Flaw.NOT_A_CONVOY, "MOV-07", at)
    if len(set(order.via)) < len(order.via) or not _holds_together(world, start, order):
        return Objection(Flaw.NO_ROUTE, "MOV-10")
    return None


def _holds_together(world: World, start: PlaceId, order: Advance) -> bool:
    """Return whether fleets along the route could touch each other (MOV-10)."""
    reached: set[Spot] = {
        spot for spot in _spots(world, order.via[0]) if touches(world, spot, start)
    }
    for at in order.via[1:]:
        reached = {
            spot
            for spot in _spots(world, at)
            if any(spot in world.fleet[before] for before in reached)
        }
    return any(touches(world, spot, order.to) for spot in reached)


def _spots(world: World, place: PlaceId) -> tuple[Spot, ...]:
    return tuple(spot for spot in world.board.spots(place) if spot in world.fleet)


def touches(world: World, fleet: Spot, shore: PlaceId) -> bool:
    """Return whether a fleet at that spot touches *shore*, at any coast."""
    return shore in world.landings.get((fleet.place, fleet.coast), ())


def _objection_to_passage(
    world: World, state: State, start: PlaceId, order: Advance
) -> Objection | None:
    """Why the fleets as they stand could not carry the army (MOV-09)."""
    if not is_shore(world, start) or not is_shore(world, order.to):
        return Objection(Flaw.NOT_ADJACENT, "MOV-09", order.to)
    if world.waters.get(start, _NOWHERE).isdisjoint(world.waters.get(order.to, _NOWHERE)):
        return Objection(Flaw.NO_ROUTE, "MOV-09", order.to)
    if not by_the_board(world, state):
        return None
    fleets = fleets_at_sea(world, state)
    if order.via:
        fleets = frozenset(spot for spot in fleets if spot.place in order.via)
    if stations(world, start, order.to, fleets):
        return None
    return Objection(Flaw.NO_FLEETS, "MOV-09", order.to)


def by_the_board(world: World, state: State) -> bool:
    """Return whether an order is legal only if the units could make it succeed.

    So in standard Diplomacy (SYN-10, DATC 4.E.1); not while units may be hidden in fog.
    """
    by_units = world.rules.orders.legality is Legality.AS_UNITS_STAND
    return by_units and not (isinstance(state, View) and state.in_fog)


def fleets_at_sea(world: World, state: State) -> frozenset[Spot]:
    """Return the places of fleets that may carry armies (MOV-07)."""
    standing = {(unit.place, unit.coast) for unit in state.field.values() if unit.kind is FLEET}
    return frozenset([spot for spot in world.carrying if spot in standing])


def objection_to_carrier(
    world: World, state: State, fleet: Unit, start: PlaceId, to: PlaceId | None
) -> Objection | None:
    """Return why a fleet is on no possible route of an army (MOV-09, DATC 4.E.1)."""
    if not by_the_board(world, state):
        return None
    army = state.field.get(start)
    if army is None or army.kind is not ARMY:
        return Objection(Flaw.NOBODY_THERE, "MOV-09", start)
    spot = Spot(fleet.place, fleet.coast)
    if to is None or spot in stations(world, start, to, fleets_at_sea(world, state)):
        return None
    return Objection(Flaw.NOT_ON_A_WAY, "MOV-09", to)


@lru_cache(maxsize=1024)
def stations(world: World, start: PlaceId, to: PlaceId, fleets: frozenset[Spot]) -> frozenset[Spot]:
    """Return these fleets' spots on proper ways from *start* to *to*; none without a way.

    No step of a proper way leads to a neighbour of a place before the last.
    """
    found: set[Spot] = set()

    def follow(way: tuple[Spot, ...], choices: frozenset[Spot], left: frozenset[Spot]) -> None:
        left -= choices
        for spot in choices:
            if touches(world, spot, to):
                found.update(way, (spot,))
            else:
                follow((*way, spot), left & world.fleet[spot], left)

    follow((), frozenset(spot for spot in fleets if touches(world, spot, start)), fleets)
    return frozenset(found)


def passage_exists(
    world: World,
    start: PlaceId,
    to: PlaceId,
    fleets: Iterable[Spot],
    closed: Collection[Leg] = (),
) -> bool:
    """Return whether fleets there form a chain from *start* to *to* over no *closed* border."""

    def lands(spot: Spot, shore: PlaceId) -> bool:
        return touches(world, spot, shore) and frozenset((spot.place, shore)) not in closed

    def hands_on(spot: Spot, after: Spot) -> bool:
        near = after in world.fleet[spot]
        return near and frozenset((spot.place, after.place)) not in closed

    left = set(fleets)
    edge = {spot for spot in left if lands(spot, start)}
    while edge:
        if any(lands(spot, to) for spot in edge):
            return True
        left -= edge
        edge = {spot for spot in left if any(hands_on(near, spot) for near in edge)}
    return False


def legs(start: PlaceId, via: Sequence[PlaceId], to: PlaceId) -> tuple[Leg, ...]:
    """Return the borders of a listed route, in order."""
    stations = (start, *via, to)
    return tuple(frozenset(pair) for pair in pairwise(stations))


def fleets_hold_together(world: World, start: PlaceId, fleets: Sequence[Spot], to: PlaceId) -> bool:
    """Return whether the fleets of a listed route, in their places, touch each other (MOV-10)."""
    if not touches(world, fleets[0], start) or not touches(world, fleets[-1], to):
        return False
    pairs = pairwise(fleets)
    return all(after in world.fleet.get(before, ()) for before, after in pairs)


def objection_to_dealing(
    world: World, state: State, power: PowerId, order: PowerOrder
) -> Objection | None:
    """Return why an order about powers and their land may not be given, or None."""
    match order:
        case Ally():
            if not world.straits:
                return Objection(Flaw.FLAG_OFF, "MAP-11")
            return objection_to_partner(world, state, power, order.power, "MAP-11")
        case Permit():
            if not world.rules.game.money or not world.rules.bribes.by_permission:
                return Objection(Flaw.FLAG_OFF, "EXP-29")
            return objection_to_partner(world, state, power, order.power, "EXP-29")
        case Excommunicate():
            return _objection_to_ban(world, state, power, order)
        case Cede():
            return _objection_to_cession(world, state, power, order)
        case Burn():
            return _objection_to_burning(world, state, power, order)


def objection_to_partner(
    world: World, state: State, power: PowerId, partner: PowerId, rule: str
) -> Objection | None:
    """Return why the other power is wrong: itself, out of the game or dead."""
    if partner == power:
        return Objection(Flaw.YOURSELF, rule)
    if partner not in world.in_play:
        return Objection(Flaw.UNKNOWN_POWER, rule)
    if world.leads(partner, state.sides) != partner:
        return Objection(Flaw.LED_BY_ANOTHER, "SET-24")
    if partner in state.eliminated:
        return Objection(Flaw.ELIMINATED, rule)
    return None


def _objection_to_ban(
    world: World, state: State, power: PowerId, order: Excommunicate
) -> Objection | None:
    """Each power once; where nobody may talk to it, one power in the game (BNK-22)."""
    ban, victim = world.rules.orders.ban, order.power
    if ban is Ban.OFF:
        return Objection(Flaw.FLAG_OFF, "BNK-22")
    # The Papacy, or who has its units among those of one player (SET-24).
    popes = (each.id for each in world.scenario.powers.values() if each.papal)
    if not any(world.leads(pope, state.sides) == power for pope in popes):
        return Objection(Flaw.NOT_THE_POPE, "BNK-22")
    if state.excommunicated if ban is Ban.NO_TALK else victim in state.excommunicated:
        return Objection(Flaw.BANNED_BEFORE, "BNK-22")
    return objection_to_partner(world, state, power, victim, "BNK-22")


def _objection_to_cession(
    world: World, state: State, power: PowerId, order: Cede
) -> Objection | None:
    if not world.rules.orders.cession:
        return Objection(Flaw.FLAG_OFF, "CTL-17")
    if order.to is None:
        return None
    # It has to be one's own, calm, and empty but for units of the other power.
    place = order.place
    taken = any(unit.owner != order.to for unit in state.units_at(place))
    flaw = _why_not_free(world, state, power, place) or (Flaw.OCCUPIED if taken else None)
    if flaw is not None:
        return Objection(flaw, "CTL-17", order.place)
    return objection_to_partner(world, state, power, order.to, "CTL-17")


def _objection_to_burning(
    world: World, state: State, power: PowerId, order: Burn
) -> Objection | None:
    """The land must be own and calm, with an own army or fleet (INC-20)."""
    if not world.rules.game.money or not world.rules.orders.scorched_earth:
        return Objection(Flaw.FLAG_OFF, "INC-20")
    if not order.burnt:
        return None
    place = order.place
    unit = state.field.get(place)
    absent = Flaw.NO_UNIT if unit is None or unit.owner != power else None
    flaw = _why_not_free(world, state, power, place) or absent
    return Objection(flaw, "INC-20", place) if flaw is not None else None


def _why_not_free(world: World, state: State, power: PowerId, place: PlaceId) -> Flaw | None:
    """Why a power does not control a calm province with its city."""
    city = state.cities.get(place) if place in world.cities else power
    if state.provinces.get(place) != power or city != power:
        return Flaw.NO_CITY_CONTROL
    return Flaw.REBELLION if state.has_rebels(place) else None


# What no position of this world could ever make work: such an order is refused as read (SYN-10).
# An order about units that are not there, or that do something else, may turn out useless, and is
# taken. One about a unit that can never be there, or about the very unit that it is given to, is
# a slip of its writer.
def can_stand(world: World, kind: Kind | None, place: PlaceId) -> bool:
    """Return whether a unit of that kind, or any, can be in a place or city (MOV-03, MAP-30)."""
    if kind is ARMY:
        return place in world.army
    if kind is FLEET:
        return place in world.ports_of_call
    return world.holds_garrison(place) if kind is GARRISON else place not in world.closed


def objection_to_backing(
    world: World, state: State, unit: Unit, order: Support
) -> Objection | None:
    """Return why the supported unit can never be there, or None (MOV-13, MOV-22).

    In standard Diplomacy it has to be there, and able to make the move (DATC 4.E.1, 6.D.31).
    """
    named, to = order.supported, order.to
    if named.kind is not ARMY or named.place not in world.army:
        if named.kind is GARRISON and to != named.place:
            return Objection(Flaw.GARRISON_ONLY, "MOV-22", named.place)
        if not can_stand(world, named.kind, named.place):
            flaw = Flaw.NO_CITY if named.kind is GARRISON else Flaw.WRONG_TERRAIN
            return Objection(flaw, "MOV-13", named.place)
    if not by_the_board(world, state):
        return None
    units = state.garrisons if named.kind is GARRISON else state.field
    other = units.get(named.place)
    if other is None or other.kind is not named.kind:
        return Objection(Flaw.NOBODY_THERE, "MOV-13", named.place)
    if to is None or (other.kind is ARMY and to in world.army[other.place]):
        return None
    if _could_move(world, state, other, order, unit):
        return None
    return Objection(Flaw.CANNOT_GO, "MOV-13", to)


def _could_move(world: World, state: State, other: Unit, order: Support, backer: Unit) -> bool:
    """Return whether a unit could make the supported move, the supporter's convoy left out."""
    start, to = other.place, order.to or other.place
    if other.kind is not ARMY:
        coasts = [spot.coast for spot in world.spots_reached(other, to)]
        return order.coast in coasts or (world.reaches(other, to) and not order.coast)
    if to == start or not (is_shore(world, start) and is_shore(world, to)):
        return False
    by_others = fleets_at_sea(world, state) - {Spot(backer.place, backer.coast)}
    return bool(stations(world, start, to, by_others))


def is_itself(unit: Unit, named: Named) -> bool:
    """Return whether an order names its own unit.

    Without a type it names the army or fleet, for a garrison cannot be supported to hold.
    """
    kind = unit.kind if named.kind is None and unit.kind is not GARRISON else named.kind
    return named.place == unit.place and kind is unit.kind


def objection_to_carrying(
    world: World, state: State, unit: Unit, order: Transport
) -> Objection | None:
    """Return why this fleet could never carry an army so, or None (MOV-08, MOV-09)."""
    start, to = order.army.place, order.to
    if start == to:
        return Objection(Flaw.SAME_PLACE, "MOV-08", to)
    if start == unit.place:
        return Objection(Flaw.OCCUPIED, "MOV-04", start)
    for end in (start, to):
        if end is None:
            continue
        if end in world.closed:
            return Objection(Flaw.NEUTRAL, "MAP-30", end)
        if world.basins[Spot(unit.place, unit.coast)] not in world.waters.get(end, ()):
            return Objection(Flaw.NO_ROUTE, "MOV-09", end)
    return objection_to_carrier(world, state, unit, start, to)


def objection_to_target(world: World, named: Named, *, garrison: bool) -> Objection | None:
    """Return why an expense could never find its unit, or None (EXP-31).

    :param garrison: only garrisons can be meant.
    """
    kind = GARRISON if garrison else named.kind
    if not can_stand(world, kind, named.place):
        flaw = Flaw.NO_CITY if kind is GARRISON else Flaw.WRONG_TERRAIN
        return Objection(flaw, "EXP-31", named.place)
    afield = named.owner == AUTONOMOUS and kind in (ARMY, FLEET)
    if afield and not world.rules.special.autonomous_afield:
        return Objection(Flaw.BAD_TARGET, "EXP-32", named.place)
    return None


# Strategic movement: the way that an order names, spot by spot (MOV-34).
Way = tuple[Spot, ...]

MAX_RIDDEN = 2
"""The most provinces of cavalry in a campaign, after the conflicts (SPC-11)."""


def is_cavalry(world: World, unit: Unit) -> bool:
    """Return whether a unit is cavalry, where the rules have it."""
    is_mounted = unit.quality is Quality.CAVALRY and unit.kind is ARMY
    return is_mounted and world.rules.special.cavalry


def read_march(world: World, unit: Unit, order: StrategicMove) -> StrategicMove | Objection:
    """Return the order with its final coast, or why there is no such way."""
    rides = is_cavalry(world, unit)
    if world.rules.orders.long_moves is LongMoves.OFF and not rides:
        return Objection(Flaw.FLAG_OFF, "MOV-34")
    if rides and len(order.route) > MAX_RIDDEN:
        return Objection(Flaw.NO_ROUTE, "SPC-11", order.route[MAX_RIDDEN])
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if order.route[-1] == unit.place:
        return Objection(Flaw.SAME_PLACE, "MOV-06")
    ways = list(_ways(world, unit, order.route))
    if not ways:
        return Objection(Flaw.NO_ROUTE, "MOV-34", order.route[-1])
    ends = sorted({way[-1] for way in ways})
    coast = coast_meant(world, order.route[-1], order.coast, ends)
    return coast if isinstance(coast, Objection) else replace(order, coast=coast)


def way_of(world: World, unit: Unit, order: StrategicMove) -> Way:
    """Return the spots of a unit's way, with its own."""
    ways = _ways(world, unit, order.route)
    return min(way for way in ways if way[-1].coast == order.coast)


def _ways(world: World, unit: Unit, route: Sequence[PlaceId]) -> Iterator[Way]:
    """All ways by these places; a fleet may have several, by coast."""
    ways: list[Way] = [(Spot(unit.place, unit.coast),)]
    for place in route:
        ways = [(*way, spot) for way in ways for spot in _steps(world, unit, way[-1], place)]
    yield from ways


def _steps(world: World, unit: Unit, start: Spot, to: PlaceId) -> Sequence[Spot]:
    if unit.kind is ARMY:
        return (Spot(to),) if to in world.army.get(start.place, ()) else ()
    return world.spots_reached(unit.at(start.place, start.coast), to)


Slot = tuple[str, object]
"""The subject of an order: of two for one slot the later is valid (SYN-10)."""


def slot_of(world: World, state: State, power: PowerId, order: Order, line: int = 0) -> Slot:
    """Return the slot of *order*; each gift of a chit, by its *line*, has its own."""
    match order:
        case (
            Advance() | Support() | Hold() | Convert() | Transport() | Besiege() | LiftSiege()
            | StrategicMove()
        ):  # fmt: skip
            kind = order.unit.kind or _kind_named(world, state, power, order.unit)
            return ("garrison" if kind is GARRISON else "unit", order.unit.place)
        case Maintain() | Remove() | Disband():
            return _slot_of_unit(world, state, power, order)
        case Borrow():
            return ("borrow", order.years)
        case Pay():
            return ("pay", (order.to, order.agreement))
        case Expense():
            return ("expense", order.number)
        case Ally() | Permit() | Excommunicate() | Cede() | Burn():
            return _slot_of_power(world, order)
        case Waive():
            return ("waive", None)
        case GiveChit():
            return ("chit", (line, order))
        case Build() | Tax():
            return ("build" if isinstance(order, Build) else "tax", order.place)


def _slot_of_power(world: World, order: PowerOrder) -> Slot:
    if isinstance(order, Cede | Burn):
        return ("cede" if isinstance(order, Cede) else "burn", order.place)
    if not isinstance(order, Excommunicate):
        return ("ally" if isinstance(order, Ally) else "permit", order.power)
    # Where nobody may talk to it, one power in the game can be banned (BNK-22).
    return ("ban", None if world.rules.orders.ban is Ban.NO_TALK else order.power)


def _slot_of_unit(
    world: World, state: State, power: PowerId, order: Maintain | Remove | Disband
) -> Slot:
    unit = unit_named(world, state, power, order.unit)
    removal = isinstance(order, Remove | Disband)
    if unit is None and removal and state.moment.stage is Stage.ADJUSTMENT:
        return ("build", order.unit.place)
    kind = order.unit.kind if unit is None else unit.kind
    return ("garrison" if kind is GARRISON else "unit", order.unit.place)


def _kind_named(world: World, state: State, power: PowerId, named: Named) -> Kind | None:
    unit = unit_named(world, state, power, named)
    return None if unit is None else unit.kind


def read_unit_order(
    world: World, state: State, unit: Unit, order: UnitOrder
) -> UnitOrder | Objection:
    """Return the order of *unit* with types and coasts filled in, or an objection."""
    match order:
        case Advance():
            return _read_advance(world, state, unit, order)
        case Support():
            return _read_support(world, state, unit, order)
        case Hold():
            return order
        case StrategicMove():
            return read_march(world, unit, order)
        case Convert():
            return _read_convert(world, unit, order)
        case Transport():
            return _objection_to_transport(world, state, unit, order) or order
        case Besiege():
            return _objection_to_besiege(world, unit) or order
        case LiftSiege():
            return _objection_to_lift(world, state, unit) or order
        case Disband():
            allowed = world.rules.movement.disband_order
            return order if allowed else Objection(Flaw.FLAG_OFF, "MOV-31")


def _read_advance(world: World, state: State, unit: Unit, order: Advance) -> Advance | Objection:
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if order.to == unit.place:
        return Objection(Flaw.SAME_PLACE, "MOV-06")
    if order.to in world.closed:
        return Objection(Flaw.NEUTRAL, "MAP-30", order.to)
    if unit.kind is FLEET:
        return _read_fleet_advance(world, unit, order)
    objection = objection_to_march(world, state, unit, order)
    return toward(order, NO_COAST) if objection is None else objection


def _read_fleet_advance(world: World, unit: Unit, order: Advance) -> Advance | Objection:
    if order.via:
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11")
    spots = world.spots_reached(unit, order.to)
    if not spots:
        return Objection(Flaw.NOT_ADJACENT, "MOV-06", order.to)
    if len(spots) == 1 and spots[0].coast == order.coast:
        return order
    coast = coast_meant(world, order.to, order.coast, spots)
    return coast if isinstance(coast, Objection) else toward(order, coast)


def _read_support(world: World, state: State, unit: Unit, order: Support) -> Support | Objection:
    if world.rules.conflict.support_target is SupportTarget.PLACE:
        return _read_support_of_place(world, state, unit, order)
    if order.supported.kind is GARRISON and order.to is None:
        return Objection(Flaw.GARRISON_HOLDS, "MOV-13")
    if order.supported.place == unit.place and is_itself(unit, order.supported):
        return Objection(Flaw.ITSELF, "MOV-13")
    into = order.to if order.to is not None else order.supported.place
    if unit.kind is GARRISON and into != unit.place:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if not world.reaches(unit, into):
        return Objection(Flaw.CANNOT_REACH, "MOV-13", into)
    if order.supported.kind is None:
        named = replace(order.supported, kind=_kind_supported(state, order))
        order = replace(order, supported=named)
    if order.to == order.supported.place and order.supported.kind is not GARRISON:
        # ``S A pst - pst`` is a support to hold, save in standard Diplomacy (MOV-13, DATC 6.A.5).
        is_illegal = world.rules.orders.legality is Legality.AS_UNITS_STAND
        order = order if is_illegal else replace(order, to=None, coast=NO_COAST)
    return objection_to_backing(world, state, unit, order) or order


def _read_support_of_place(
    world: World, state: State, unit: Unit, order: Support
) -> Support | Objection:
    """Support into a place in favour of a power, whichever units it has there (MOV-13)."""
    into = order.to if order.to is not None else order.supported.place
    if unit.kind is GARRISON and into != unit.place:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if not world.reaches(unit, into):
        return Objection(Flaw.CANNOT_REACH, "MOV-13", into)
    favoured = Named(None, into, owner=_favoured(state, unit, order))
    return replace(order, supported=favoured, to=None)


def _favoured(state: State, unit: Unit, order: Support) -> PowerId:
    """The power named, or that of the named unit; else the supporter's own."""
    named = order.supported
    if named.owner is not None:
        return named.owner
    units = state.garrisons if named.kind is GARRISON else state.field
    there = units.get(named.place) if named.kind is not None else None
    return unit.owner if there is None else there.owner


def _kind_supported(state: State, order: Support) -> Kind | None:
    """The supported type where none is named: the garrison only if nothing else can be meant."""
    place = order.supported.place
    afield = state.field.get(place)
    if order.to == place and place in state.garrisons:
        return GARRISON
    return afield.kind if afield is not None else None


def _objection_to_transport(
    world: World, state: State, unit: Unit, order: Transport
) -> Objection | None:
    if unit.kind is not FLEET:
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11")
    if not may_carry(world, unit.place):
        return Objection(Flaw.NOT_A_CONVOY, "MOV-07", unit.place)
    if order.army.kind not in (ARMY, None):
        return Objection(Flaw.NOT_A_CONVOY, "MOV-11", order.army.place)
    numbered = world.rules.game.notation is OrderNotation.NUMBERS
    if order.to is None and not numbered:
        return Objection(Flaw.FLAG_OFF, "MOV-03")
    for end in (order.army.place, order.to):
        if end is not None and not is_shore(world, end):
            return Objection(Flaw.WRONG_TERRAIN, "MOV-08", end)
    return objection_to_carrying(world, state, unit, order)


def _read_convert(world: World, unit: Unit, order: Convert) -> Convert | Objection:
    if order.into is unit.kind:
        return Objection(Flaw.SAME_KIND, "CNV-01")
    if GARRISON not in (order.into, unit.kind):
        return Objection(Flaw.ARMY_FLEET, "CNV-02")
    if not world.holds_garrison(unit.place):
        return Objection(Flaw.NO_CITY, "CNV-01")
    if FLEET in (order.into, unit.kind) and not world.is_port(unit.place):
        return Objection(Flaw.NO_PORT, "CNV-01")
    if order.into is ARMY and world.place(unit.place).afloat:
        return Objection(Flaw.WRONG_TERRAIN, "MAP-37")
    if FLEET not in (order.into, unit.kind):
        return toward(order, NO_COAST)
    named = order.coast if order.into is FLEET else unit.coast
    coast = coast_meant(world, unit.place, named, world.harbours(unit.place))
    if isinstance(coast, Objection):
        return replace(coast, rule="MOV-30")
    return toward(order, coast if order.into is FLEET else NO_COAST)


def _objection_to_besiege(world: World, unit: Unit) -> Objection | None:
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    city = world.city_before(unit.place)
    if not world.holds_garrison(city):
        return Objection(Flaw.NO_CITY, "SIE-01")
    if world.place(unit.place).venice:
        return Objection(Flaw.VENICE, "MAP-25")
    if world.place(unit.place).afloat:
        return Objection(Flaw.VENICE, "MAP-37")
    if unit.kind is FLEET and not world.is_port(city):
        return Objection(Flaw.NO_PORT, "SIE-02")
    return None


def _objection_to_lift(world: World, state: State, unit: Unit) -> Objection | None:
    if unit.kind is GARRISON:
        return Objection(Flaw.GARRISON_ONLY, "MOV-22")
    if world.city_before(unit.place) not in state.sieges:
        return Objection(Flaw.NO_SIEGE, "SIE-08")
    return None


# What may be ordered about money and in the adjustment, judged by each order alone. What depends
# on the other orders of the same order set is decided when the phase is played: funds, numbers,
# one build a province, special units. An expense that may turn out useless is taken, and costs
# its money (EXP-01, EXP-31).
EXPENSES = 4
"""The number of a power's expenses in a campaign (EXP-01)."""


def objection_to_money(
    world: World, state: State, power: PowerId, order: MoneyOrder | PowerOrder
) -> Objection | None:
    """Return why an order about money, or with a power, may not be given, or None."""
    match order:
        case Ally() | Permit() | Excommunicate() | Cede() | Burn():
            return objection_to_dealing(world, state, power, order)
        case Borrow():
            return _objection_to_loan(world, state, power, order)
        case Pay():
            if not world.rules.game.money:
                return Objection(Flaw.FLAG_OFF, "SET-03")
            if order.ducats < 0:
                return Objection(Flaw.BAD_AMOUNT, "BNK-05")
            if order.to is None:
                return None
            return objection_to_partner(world, state, power, order.to, "BNK-21")
        case Expense():
            return _objection_to_expense(world, state, power, order)


# --- money -----------------------------------------------------------------------------------


def _objection_to_loan(
    world: World, state: State, power: PowerId, order: Borrow
) -> Objection | None:
    """The credit is checked only at the bank (BNK-20)."""
    if not world.rules.game.money or not world.rules.money.loans:
        return Objection(Flaw.FLAG_OFF, "BNK-13")
    if order.years not in (1, 2):
        return Objection(Flaw.BAD_TERM, "BNK-02")
    if order.ducats < 0:
        return Objection(Flaw.BAD_AMOUNT, "BNK-04")
    if power in state.defaulted and order.ducats:
        return Objection(Flaw.NO_CREDIT, "BNK-10")
    return None


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
    """Dead victims and missing chits are allowed, in vain (ASN-15)."""
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
    """One's own unit may be protected, but not bought."""
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
    """Why a province cannot be taxed by force; it must be own with its city (INC-19)."""
    rules, city = world.rules, world.cities.get(place)
    needs_die = rules.income.forced is ForcedTaxes.KARTTUNEN
    if rules.income.forced is ForcedTaxes.OFF or not rules.game.money:
        return Objection(Flaw.FLAG_OFF, "INC-19")
    if needs_die and not rules.game.dice:
        return Objection(Flaw.FLAG_OFF, "SET-04")
    owners = (state.provinces.get(place), state.cities.get(place) if city else power)
    if owners != (power, power):
        return Objection(Flaw.NO_CITY_CONTROL, "INC-19", place)
    if place in state.famine:
        return Objection(Flaw.FAMINE, "INC-19", place)
    if state.has_rebels(place):
        return Objection(Flaw.REBELLION, "INC-19", place)
    if city is not None and city.is_major:
        return Objection(Flaw.MAJOR_CITY, "INC-19", place)
    return None


# --- builds ----------------------------------------------------------------------------------


def _objection_to_site(
    world: World, state: State, power: PowerId, order: Build
) -> Objection | None:
    """Why the power cannot build there (ADJ-03, ADJ-07, ADJ-08, CTL-10, MAP-21)."""
    place, city = order.place, world.cities.get(order.place)
    if city is None or (city.fortress and world.rules.adjustment.fort_builds is FortBuilds.NONE):
        return Objection(Flaw.NO_CITY, "ADJ-03", place)
    if state.homes.get(place) != power:
        return Objection(Flaw.NOT_HOME, "ADJ-03", place)
    needed = [state.provinces.get(place)]
    if world.rules.adjustment.build_control is BuildControl.BOTH:
        needed.append(state.cities.get(place))
    if not all(owner == power for owner in needed):
        return Objection(Flaw.NO_CITY_CONTROL, "CTL-10", place)
    if world.place(place).venice and (place in state.field or place in state.garrisons):
        return Objection(Flaw.VENICE, "MAP-21", place)
    if place in state.famine:
        return Objection(Flaw.FAMINE, "ADJ-08", place)
    if _rebels_bar(world, state, order):
        return Objection(Flaw.REBELLION, "ADJ-07", place)
    return None


def _rebels_bar(world: World, state: State, order: Build) -> bool:
    """Return whether rebels prevent a unit in a city (ADJ-07), or in nobody's land (REB-05)."""
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
    """Why such a unit cannot be raised there (ADJ-04, ADJ-06, SPC-01)."""
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
            if world.place(order.place).terrain is not Terrain.COASTAL:
                return Flaw.WRONG_TERRAIN
            on_any_coast = world.rules.adjustment.fleet_builds is FleetBuilds.COASTS
            return None if city.port or on_any_coast else Flaw.NO_PORT


@dataclass(frozen=True, slots=True)
class Sorted:
    """The orders of a phase, sorted out."""

    standing: Orders
    refused: tuple[OrderRefused, ...]
    replaced: tuple[OrderReplaced, ...]


def sort_out(world: World, state: State, orders: Orders) -> Sorted:
    """Sort each power's orders into valid, refused and replaced ones."""
    standing: dict[PowerId, tuple[Order, ...]] = {}
    refused: list[OrderRefused] = []
    replaced: list[OrderReplaced] = []
    for power in sorted(orders):
        kept, no, old = _sort_orders(world, state, power, orders[power])
        standing[power] = tuple(kept)
        refused.extend(no)
        replaced.extend(old)
    return Sorted(standing, tuple(refused), tuple(replaced))


def _sort_orders(
    world: World, state: State, power: PowerId, orders: Sequence[Order]
) -> tuple[Sequence[Order], list[OrderRefused], list[OrderReplaced]]:
    kept: dict[Slot, tuple[int, Order]] = {}
    refused: list[OrderRefused] = []
    replaced: list[OrderReplaced] = []
    is_out, reader = power in state.eliminated, _READERS[state.moment.stage]
    for line, order in enumerate(orders):
        if is_out or isinstance(order, GiveChit):
            read = order_as_meant(world, state, power, order)
        else:
            read = reader(world, state, power, order)
        if isinstance(read, Objection):
            slot, lawful = slot_of(world, state, power, order, line), order
            if not _cancels_build(order, kept.get(slot)):
                refused.append(OrderRefused(power, line, order, read))
                continue
        else:
            slot, lawful = slot_of(world, state, power, read, line), read
        if slot in kept:
            replaced.append(OrderReplaced(power, kept.pop(slot)[0], line))
        kept[slot] = (line, lawful)
    if world.rules.rebellion.invalid_puts_down and state.moment.stage is Stage.CAMPAIGN:
        for number, no in enumerate(refused):
            held = _held_instead(world, state, power, no.order)
            if held is not None:
                kept.setdefault(slot_of(world, state, power, held), (len(orders) + number, held))
    return [order for _, order in kept.values()], refused, replaced


def _held_instead(world: World, state: State, power: PowerId, order: Order) -> Hold | None:
    """The hold in place of an invalid order for an own unit (REB-26)."""
    unit = unit_named(world, state, power, order.unit) if isinstance(order, UnitOrder) else None
    if unit is None or unit.owner != power:
        return None
    return Hold(Named.of(unit))


def _cancels_build(order: Order, earlier: tuple[int, Order] | None) -> bool:
    """Return whether *order* cancels a build, and so is for no unit there (ADJ-11)."""
    if earlier is None or not isinstance(order, Remove | Disband):
        return False
    _, build = earlier
    return isinstance(build, Build) and order.unit.kind in (build.kind, None)


def objection_to(world: World, state: State, power: PowerId, order: Order) -> Objection | None:
    """Return why *power* may not give *order* now, or None."""
    read = order_as_meant(world, state, power, order)
    return read if isinstance(read, Objection) else None


def order_as_meant(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    """Return the order with everything filled in that is unambiguous, or an objection.

    An eliminated power gives no orders (ELI-02); chits pass in every phase.
    """
    if power in state.eliminated:
        return Objection(Flaw.OUT_OF_THE_GAME, "ELI-02")
    if isinstance(order, GiveChit):
        return order
    return _READERS[state.moment.stage](world, state, power, order)


def orders_for_many(
    world: World, state: State, power: PowerId, sweep: BulkOrder, given: Iterable[Order]
) -> tuple[Hold | Maintain, ...] | Named:
    """Return the orders of one for many units: each unit with none among *given*.

    A unit whose order is refused has none. A missing excepted unit is returned.
    """
    left_out: list[Unit] = []
    for named in sweep.excepted:
        unit = unit_named(world, state, power, named)
        if unit is None or unit.owner != power:
            return named
        left_out.append(unit)
    lawful = [order for order in given if objection_to(world, state, power, order) is None]
    free = without_order(world, state, power, state.units_of(power), lawful)
    verb = Hold if sweep.verb is Verb.HOLD else Maintain
    meant = (unit for unit in free if unit not in left_out and sweep.kind in (None, unit.kind))
    return tuple(verb(Named.of(unit)) for unit in meant)


# --- the campaign ----------------------------------------------------------------------------


def _read_campaign(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    if isinstance(order, UnitOrder):
        return _read_of_unit(world, state, power, order)
    if isinstance(order, CampaignOrder):
        return objection_to_money(world, state, power, order) or order
    return Objection(Flaw.WRONG_PHASE, "SYN-08")


def _read_of_unit(
    world: World, state: State, power: PowerId, order: UnitOrder
) -> UnitOrder | Objection:
    unit = unit_named(world, state, power, order.unit)
    if unit is None and isinstance(state, View) and state.in_fog:
        return _read_of_unseen(world, state, order)
    if unit is None:
        return Objection(Flaw.NO_UNIT, "SYN-10", order.unit.place)
    if unit.owner != power and not world.rules.game.money:
        return Objection(Flaw.NOT_YOURS, "SYN-10")
    return read_unit_order(world, state, unit, in_full(order, unit))


def _read_of_unseen(world: World, state: View, order: UnitOrder) -> UnitOrder | Objection:
    """The order for a unit that may stand in the fog, and be bought (FOG-08)."""
    kind, place, coast = order.unit.kind, order.unit.place, order.unit.coast
    if kind is None or not world.rules.game.money or not can_stand(world, kind, place):
        return Objection(Flaw.UNSEEN, "FOG-08", place)
    if kind is FLEET:
        found = coast_meant(world, place, coast, world.board.spots(place))
        if isinstance(found, Objection):
            return found
        coast = found
    unit = Unit(AUTONOMOUS, kind, place, coast)
    return read_unit_order(world, state, unit, in_full(order, unit))


# --- retreats and adjustments ----------------------------------------------------------------


def _read_retreat(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    if not isinstance(order, Advance | Convert | Disband):
        return Objection(Flaw.WRONG_PHASE, "MOV-47")
    waiting = [d for d in state.dislodged if d.unit.place == order.unit.place]
    waiting = [d for d in waiting if order.unit.kind in (d.unit.kind, None)]
    if not waiting:
        return Objection(Flaw.NOT_DISLODGED, "MOV-47")
    if waiting[0].unit.owner != power:
        return Objection(Flaw.NOT_YOURS, "SYN-10")
    return _read_way_out(world, state, waiting[0], in_full(order, waiting[0].unit))


def _read_way_out(
    world: World, state: State, waiting: Dislodged, order: Advance | Convert | Disband
) -> Order | Objection:
    """The retreat, if it is one; a unit placed later by a master closes it."""
    match order:
        case Disband():
            return order
        case Convert():
            is_open = waiting.convert and waiting.unit.place not in state.garrisons
            if order.into is not GARRISON or not is_open:
                return Objection(Flaw.NO_RETREAT_THERE, "MOV-44")
            return order
        case Advance():
            spots = [spot for spot in waiting.retreats if spot.place == order.to]
            if not spots or order.via or order.to in state.field:
                return Objection(Flaw.NO_RETREAT_THERE, "MOV-40", order.to)
            if waiting.unit.kind is ARMY:
                return toward(order, NO_COAST)
            coast = coast_meant(world, order.to, order.coast, spots)
            return coast if isinstance(coast, Objection) else toward(order, coast)


def _read_adjustment(world: World, state: State, power: PowerId, order: Order) -> Order | Objection:
    match order:
        case Disband():
            return _read_adjustment(world, state, power, Remove(order.unit))
        case Maintain() | Remove():
            unit = unit_named(world, state, power, order.unit)
            if unit is None:
                return Objection(Flaw.NO_UNIT, "SYN-10", order.unit.place)
            return (
                in_full(order, unit) if unit.owner == power else Objection(Flaw.NOT_YOURS, "SYN-10")
            )
        case Build():
            return _read_build(world, state, power, order)
        case Waive() if not world.rules.game.money:
            return order
        case Waive():
            return Objection(Flaw.FLAG_OFF, "ADJ-15")
        case Tax():
            return _objection_to_tax(world, state, power, order.place) or order
        case Pay() if order.to is not None and world.rules.money.adjustment_gifts:
            return objection_to_money(world, state, power, order) or order
        case _:
            return Objection(Flaw.WRONG_PHASE, "SYN-08")


def _read_build(world: World, state: State, power: PowerId, order: Build) -> Build | Objection:
    if world.only_pays_the_set_up(state.moment.campaign):
        return Objection(Flaw.SET_UP, "INC-16")
    objection = _objection_to_site(world, state, power, order) or _objection_to_raising(
        world, state, power, order
    )
    if objection is not None:
        return objection
    if order.kind is not FLEET:
        return toward(order, NO_COAST)
    coast = coast_meant(world, order.place, order.coast, world.harbours(order.place))
    return coast if isinstance(coast, Objection) else toward(order, coast)


_READERS: Mapping[Stage, Callable[[World, State, PowerId, Order], Order | Objection]] = {
    Stage.CAMPAIGN: _read_campaign,
    Stage.RETREATS: _read_retreat,
    Stage.ADJUSTMENT: _read_adjustment,
}
