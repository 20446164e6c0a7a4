"""Set up the battle: each unit's intent, and the units that meet."""

from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from machjudge.adjudicator.battle import convoys
from machjudge.adjudicator.battle.convoys import Passage, without_fleets
from machjudge.adjudicator.battle.strength import (
    Battle,
    Contender,
    Guards,
    apply_conflict_rules,
    assign_supports,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.land.rebellions import rebels_for
from machjudge.adjudicator.land.sieges import (
    Intent,
    enters_city,
    locks_out,
    objection_to_conversion,
    under_siege_rules,
    without_sallies,
    without_trades,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    Orders,
    StrategicMove,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.reasons import Forced, HeldInstead
from machjudge.adjudicator.rules import (
    ConflictRules,
    ConversionRules,
    EliteBounce,
    Legality,
    OrderNotation,
    OwnConflict,
    RebelSupport,
    Route,
    StraitEntry,
)
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import FLEET, GARRISON, Unit, unit_order
from machjudge.adjudicator.world import World

_NO_ORDER = HeldInstead(Forced.NO_ORDER, "MOV-26")
_ASSASSINATED = HeldInstead(Forced.ASSASSINATED, "ASN-04")
_REBELS_IN_VENICE = HeldInstead(Forced.REBELS_IN_VENICE, "MAP-28")


class Whose(NamedTuple):
    """The unit and giver of an order; field units sort before garrisons."""

    in_city: bool
    power: PowerId
    place: PlaceId


@dataclass(frozen=True, slots=True)
class GivenOrders:
    """The valid unit orders, by the units' places."""

    afield: Mapping[PlaceId, UnitOrder]
    garrisons: Mapping[PlaceId, UnitOrder]
    about_sieges: frozenset[PlaceId]
    """The field units that besiege, or lift their sieges."""
    void: Mapping[Whose, UnitOrder]
    """Orders for units that the power does not own."""


def orders_given(state: State, orders: Orders) -> GivenOrders:
    """Return the valid unit orders, those for own units and the others."""
    afield: dict[PlaceId, UnitOrder] = {}
    garrisons: dict[PlaceId, UnitOrder] = {}
    about_sieges: set[PlaceId] = set()
    void: dict[Whose, UnitOrder] = {}
    for power, own in orders.items():
        for order in own:
            if not isinstance(order, UnitOrder):
                continue
            if isinstance(order, Besiege | LiftSiege):
                about_sieges.add(order.unit.place)
            in_city = order.unit.kind is GARRISON
            unit = (state.garrisons if in_city else state.field).get(order.unit.place)
            if unit is None or unit.owner != power or unit.kind is not order.unit.kind:
                void[Whose(in_city, power, order.unit.place)] = order
            else:
                (garrisons if in_city else afield)[unit.place] = order
    return GivenOrders(afield, garrisons, frozenset(about_sieges), void)


def intents(turn: Turn, given: GivenOrders, units: Sequence[Unit]) -> list[Intent]:
    """Return the intent of each unit, in their order."""
    victims = turn.assassinated()
    chosen = [_intent(turn, given, unit, victims) for unit in units]
    if turn.world.rules.game.notation is OrderNotation.NUMBERS:
        _to_where_it_goes(units, chosen)
    if not turn.world.rules.conversion.against_first_siege:
        without_sallies(turn.world, units, chosen)
    without_trades(units, chosen)
    rules = turn.world.rules
    implicit = rules.movement.convoy_route is Route.IMPLICIT
    if implicit and rules.orders.legality is Legality.EVER:
        without_fleets(turn.world, units, chosen)
    return chosen


def _to_where_it_goes(units: Sequence[Unit], chosen: MutableSequence[Intent]) -> None:
    """Carriers of an army to anywhere take it to its goal (MOV-09)."""
    ends = {
        unit.place: intent.to
        for unit, intent in zip(units, chosen, strict=True)
        if isinstance(intent, Advance)
    }
    for number, intent in enumerate(chosen):
        if isinstance(intent, Transport) and intent.to is None:
            start = intent.army.place
            chosen[number] = replace(intent, to=ends.get(start, start))


def _intent(turn: Turn, given: GivenOrders, unit: Unit, victims: frozenset[PowerId]) -> Intent:
    if unit.owner in victims:
        return _ASSASSINATED
    if unit.kind is GARRISON:
        return _unless_barred(turn, unit, given.garrisons.get(unit.place))
    intent = _unless_barred(turn, unit, given.afield.get(unit.place))
    half_way = turn.state.sieges and turn.world.city_before(unit.place) in turn.state.sieges
    if half_way or unit.place in given.about_sieges:
        return under_siege_rules(turn.world, turn.state, unit, intent)
    return intent


def _unless_barred(turn: Turn, unit: Unit, order: UnitOrder | None) -> Intent:
    """The order, if its own siege or rebels do not bar it."""
    if order is None:
        return _NO_ORDER
    if isinstance(order, Convert):
        return objection_to_conversion(turn.world.rules.conversion, turn.state, unit) or order
    if isinstance(order, Advance) and order.to in turn.world.venice:
        rebels_against = turn.state.city_rebellions.get(order.to)
        return _REBELS_IN_VENICE if rebels_against == unit.owner else order
    return order


def _set_guards_of_straits(turn: Turn, battle: Battle, chosen: Sequence[Intent]) -> None:
    """Set which fleets may close each strait."""
    if not turn.world.straits:
        return
    allowed = frozenset((power, o.power) for power, o in turn.orders_of(Ally) if o.allowed)
    for edge, strait in turn.world.straits.items():
        battle.guards[edge] = _guards(turn.world, battle, chosen, strait.guard, allowed)


def _guards(
    world: World,
    battle: Battle,
    chosen: Sequence[Intent],
    guard: PlaceId,
    allowed: frozenset[tuple[PowerId, PowerId]],
) -> Guards:
    """The possible guards of the strait at *guard* (MAP-13 to MAP-16, MAP-36)."""
    rules = world.rules.strait
    staying: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    number = battle.holder.get(guard)
    if number is not None and battle.contenders[number].unit.kind is FLEET:
        fleet, intent = battle.contenders[number], chosen[number]
        if enters_city(intent):
            stays = rules.convert_in_blocks
        else:
            stays = rules.leaver_blocks or not fleet.leaves
        staying, leaving = ((number,), ()) if stays else ((), (number,))
    entering = tuple(
        n for n in battle.into.get(guard, ()) if _closes_by_entering(world, battle, chosen[n], n)
    )
    if rules.entry is StraitEntry.IF_NO_FLEET and (staying or leaving):
        entering = tuple(n for n in entering if battle.contenders[n].stands_in is None)
    return Guards(staying, leaving, entering, allowed)


def _closes_by_entering(world: World, battle: Battle, intent: Intent, number: int) -> bool:
    rules = world.rules.strait
    if isinstance(intent, Convert):
        return intent.into is FLEET and rules.convert_out_blocks
    is_fleet = battle.contenders[number].unit.kind is FLEET
    return is_fleet and rules.entry is not StraitEntry.NEVER


@dataclass(frozen=True, slots=True)
class BattleSetup:
    """A battle with what its events need afterwards."""

    battle: Battle
    intents: Sequence[Intent]
    """The intent of each contender, by its number."""
    supported: Mapping[int, int]
    """The unit of each matched supporter."""
    passages: Mapping[int, Passage]
    """The sea routes of convoyed armies."""
    garrison_at: Mapping[PlaceId, int]
    questions: tuple[int, ...]
    """The solver's questions: convoys, then supports, then advances."""


def set_up(turn: Turn, given: GivenOrders) -> BattleSetup:
    """Set up the battle of a campaign from the position and the valid orders."""
    world, state = turn.world, turn.state
    units = sorted(state.units(), key=unit_order)
    chosen = intents(turn, given, units)
    by_order = _contenders_by_order(world.rules.conversion, units, chosen)
    battle = Battle(by_order.contenders, [None] * (2 * len(units)))
    battle.holder = {f.stands_in: f.number for f in by_order.contenders if f.stands_in is not None}
    garrison_at = {f.unit.place: f.number for f in by_order.contenders if f.stands_in is None}
    _apply_rules_of_venice(world, battle, garrison_at)
    _set_help_of_rebels(world, state, battle)
    passages = convoys.passages(world, battle, by_order.advancing, by_order.transporting)
    _set_goals(world, battle)
    if not world.rules.conversion.follows_leaver:
        _forbid_following(battle, by_order.converting)
    _set_bars(world.rules.conflict, battle)
    apply_conflict_rules(battle, world.rules.conflict)
    supported = assign_supports(world, battle, chosen, by_order.supporting, garrison_at)
    _set_guards_of_straits(turn, battle, chosen)
    for army, passage in passages.items():
        battle.route_answer[army] = partial(convoys.is_carried, battle, world, passage)
    size = len(battle.contenders)
    questions = (
        *(size + army for army in passages),
        *(f.number for f in battle.contenders if f.supports is not None),
        *(f.number for f in battle.contenders if f.goal is not None),
    )
    _settle_entries_of_cities(world.rules.conversion, state, battle, by_order.converting)
    return BattleSetup(battle, chosen, supported, passages, garrison_at, questions)


# --- contenders --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Contenders:
    contenders: list[Contender]
    advancing: list[tuple[Contender, Advance]]
    supporting: list[tuple[Contender, Support]]
    transporting: list[tuple[Contender, Transport]]
    converting: list[tuple[Contender, Convert]]


def _contenders_by_order(
    rules: ConversionRules, units: Sequence[Unit], chosen: Sequence[Intent]
) -> _Contenders:
    by_order = _Contenders([], [], [], [], [])
    for number, unit in enumerate(units):
        stands_in = None if unit.kind is GARRISON else unit.place
        contender = Contender(unit, number, unit.quality.strength, stands_in)
        by_order.contenders.append(contender)
        intent = chosen[number]
        match intent:
            case Advance():
                contender.goal, contender.leaves = intent.to, True
                by_order.advancing.append((contender, intent))
            case Support():
                by_order.supporting.append((contender, intent))
            case Transport():
                by_order.transporting.append((contender, intent))
            case Convert():
                contender.goal = None if enters_city(intent) else unit.place
                contender.leaves = contender.goal is not None or not rules.in_holds
                by_order.converting.append((contender, intent))
            case Hold() | Besiege() | LiftSiege() | Disband() | StrategicMove() | HeldInstead():
                pass
    return by_order


def _apply_rules_of_venice(
    world: World, battle: Battle, garrison_at: Mapping[PlaceId, int]
) -> None:
    """In Venice city and province are one space: conversions stay in it (MAP-23)."""
    battle.venice = world.venice
    for place in world.venice:
        if place in garrison_at:
            battle.city_holder[place] = garrison_at[place]
        if place in battle.holder:
            holder = battle.contenders[battle.holder[place]]
            holder.leaves = holder.goal is not None


def _set_help_of_rebels(world: World, state: State, battle: Battle) -> None:
    """Whom rebels help on its way in (REB-11, REB-15)."""
    if state.province_rebellions or state.city_rebellions:
        rules = world.rules.rebellion
        battle.rebels_help_each = rules.support is RebelSupport.EACH
        for contender in battle.contenders:
            converts = contender.stands_in is None
            if contender.goal is not None and (rules.helps_conversions or not converts):
                contender.rebels_help = rebels_for(state, contender.unit, contender.goal)


def _settle_entries_of_cities(
    rules: ConversionRules,
    state: State,
    battle: Battle,
    converting: Iterable[tuple[Contender, Convert]],
) -> None:
    """Conversions into cities are settled at once: only rebels can stop them (CNV-05, CNV-06)."""
    for contender, order in converting:
        if enters_city(order):
            locked = locks_out(rules, state.city_rebellions, contender.unit)
            battle.answers[contender.number] = not locked


def _set_goals(world: World, battle: Battle) -> None:
    """Set the goals and opponents (MOV-18, MOV-19)."""
    for contender in battle.contenders:
        if contender.goal is not None:
            battle.into.setdefault(contender.goal, []).append(contender.number)
            contender.leg = world.strait_leg(contender.unit, contender.goal)
    for contender in battle.contenders:
        if contender.goal is None or contender.stands_in is None or contender.by_sea:
            continue
        other = battle.contenders[battle.holder.get(contender.goal, contender.number)]
        if other.goal == contender.stands_in and not other.by_sea and other is not contender:
            contender.facing = other.number


def _forbid_following(battle: Battle, converting: Iterable[tuple[Contender, Convert]]) -> None:
    """Garrisons do not follow an enemy out of their province (CNV-16)."""
    for contender, _ in converting:
        number = battle.holder.get(contender.unit.place)
        if contender.goal is not None and number is not None:
            contender.follows = battle.contenders[number].unit.owner == contender.unit.owner


def _set_bars(rules: ConflictRules, battle: Battle) -> None:
    """Units of one power that bar each other from their goal, if the rules say so (MOV-16)."""
    all_hold = rules.own_conflict is OwnConflict.ALL_HOLD
    if not all_hold and rules.elite_bounce is EliteBounce.ELITE_WINS:
        return
    for numbers in battle.into.values():
        for contender in (battle.contenders[n] for n in numbers):
            rivals = (battle.contenders[n] for n in numbers if n != contender.number)
            contender.bars = tuple(
                rival.number
                for rival in rivals
                if rival.unit.owner == contender.unit.owner
                and (all_hold or rival.force != contender.force)
            )
