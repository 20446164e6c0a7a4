"""Draw up the battle: what each unit will do, and who has to do with whom."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from machjudge.adjudicator import convoys
from machjudge.adjudicator.conversion import (
    Intent,
    city_is_open,
    enters_city,
    leaves_city,
    objection_to_conversion,
    without_trades,
)
from machjudge.adjudicator.convoys import Passage
from machjudge.adjudicator.events import Event, PowerAssassinated
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Borrow,
    Build,
    Convert,
    Expense,
    GiveChit,
    Maintain,
    Order,
    Orders,
    Pay,
    Remove,
    Support,
    UnitOrder,
    Waive,
)
from machjudge.adjudicator.reasons import Forced, HeldInstead
from machjudge.adjudicator.rebellion import rebels_for
from machjudge.adjudicator.rules import CoastSupport, StraitEntry
from machjudge.adjudicator.sieges import under_siege_rules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.strength import NOBODY, Answer, Battle, Fighter, Guards
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.units import Kind, Unit, unit_order
from machjudge.adjudicator.world import World


@dataclass(frozen=True, slots=True)
class Muster:
    """A battle drawn up, with what is needed to tell about it afterwards."""

    battle: Battle
    intents: tuple[Intent, ...]
    """What each fighter will do, by his number."""
    supported: Mapping[int, int]
    """Whom a supporter really supports; supporters without a match are not in it."""
    passages: Mapping[int, Passage]
    """How armies that go by sea are to be carried."""
    garrison_at: Mapping[PlaceId, int]
    questions: tuple[int, ...]


def muster(turn: Turn) -> Muster:
    """Draw up the battle of a campaign from the position and the orders that stand."""
    world, state = turn.world, turn.state
    afield, cities = intents(turn)
    units = sorted(state.units(), key=unit_order)
    chosen = tuple((cities if u.is_garrison else afield)[u.place] for u in units)
    fighters = [
        _fighter(world, state, number, unit, intent)
        for number, (unit, intent) in enumerate(zip(units, chosen, strict=True))
    ]
    battle = Battle(fighters, [None] * (2 * len(fighters)), {}, {})
    garrison_at: dict[PlaceId, int] = {}
    for fighter in fighters:
        if fighter.stands_in is None:
            garrison_at[fighter.unit.place] = fighter.number
        else:
            battle.holder[fighter.stands_in] = fighter.number
    _stay_in_venice(world, battle, garrison_at)
    passages = _passages(world, battle, chosen)
    _meet(world, battle, chosen)
    supported = _line_up_supports(world, battle, chosen, garrison_at)
    _guard_straits(turn, battle, chosen)
    questions = _questions(world, battle, passages)
    _lock_cities(state, battle, chosen)
    return Muster(battle, chosen, supported, passages, garrison_at, questions)


# --- what each unit will do ------------------------------------------------------------------


def intents(turn: Turn) -> tuple[dict[PlaceId, Intent], dict[PlaceId, Intent]]:
    """What the field units and the garrisons will do, by place."""
    victims = assassinated(turn.so_far)
    afield_orders, city_orders = orders_by_place(turn.orders)
    afield = {
        place: _intent(turn, unit, afield_orders.get((unit.owner, place)), victims)
        for place, unit in turn.state.field.items()
    }
    cities = {
        place: _intent(turn, unit, city_orders.get((unit.owner, place)), victims)
        for place, unit in turn.state.garrisons.items()
    }
    without_trades(turn.state, afield, cities)
    return afield, cities


def assassinated(events: Iterable[Event]) -> frozenset[PowerId]:
    """The powers whose leaders were killed in this campaign (ASN-04)."""
    return frozenset(event.victim for event in events if isinstance(event, PowerAssassinated))


OrdersByPlace = Mapping[tuple[PowerId, PlaceId], UnitOrder]


def orders_by_place(orders: Orders) -> tuple[OrdersByPlace, OrdersByPlace]:
    """The unit orders that stand, for field units and for garrisons."""
    afield: dict[tuple[PowerId, PlaceId], UnitOrder] = {}
    cities: dict[tuple[PowerId, PlaceId], UnitOrder] = {}
    for power, sheet in orders.items():
        for order in sheet:
            unit_order_given = _unit_order(order)
            if unit_order_given is not None:
                named = unit_order_given.unit
                space = cities if named.kind is Kind.GARRISON else afield
                space[power, named.place] = unit_order_given
    return afield, cities


def _unit_order(order: Order) -> UnitOrder | None:
    if isinstance(
        order, GiveChit | Ally | Borrow | Pay | Expense | Build | Maintain | Remove | Waive
    ):
        return None
    return order


def _intent(turn: Turn, unit: Unit, order: UnitOrder | None, victims: frozenset[PowerId]) -> Intent:
    """What a unit will do; whatever keeps it from its order is looked at in turn."""
    if unit.owner in victims:
        return HeldInstead(Forced.ASSASSINATED, "ASN-04")
    if order is None or order.unit.kind is not unit.kind:
        order_or_hold: Intent = HeldInstead(Forced.NO_ORDER, "MOV-26")
    else:
        order_or_hold = order
    if isinstance(order_or_hold, Convert):
        order_or_hold = objection_to_conversion(turn.state, unit) or order_or_hold
    if isinstance(order_or_hold, Advance) and _locked_venice(turn, unit, order_or_hold):
        order_or_hold = HeldInstead(Forced.REBELS_IN_VENICE, "MAP-28")
    if unit.is_garrison:
        return order_or_hold
    return under_siege_rules(turn.world.rules.siege, turn.state, unit, order_or_hold)


def _locked_venice(turn: Turn, unit: Unit, order: Advance) -> bool:
    """Whether it would enter a Venice that rebels against its power (MAP-28)."""
    state = turn.state
    return (
        turn.world.place(order.to).venice
        and order.to in state.city_rebellions
        and state.city_rebellions[order.to] == unit.owner
    )


# --- fighters --------------------------------------------------------------------------------


def _fighter(world: World, state: State, number: int, unit: Unit, intent: Intent) -> Fighter:
    fighter = Fighter(unit, number, unit.quality.strength)
    if not unit.is_garrison:
        fighter.stands_in = unit.place
    if isinstance(intent, Advance):
        fighter.goal, fighter.leaves = intent.to, True
    elif leaves_city(intent):
        fighter.goal, fighter.leaves = unit.place, True
    elif enters_city(intent):
        fighter.leaves = True
    if fighter.goal is not None:
        fighter.rebels_help = rebels_for(world, state, unit, fighter.goal)
    return fighter


def _stay_in_venice(world: World, battle: Battle, garrison_at: Mapping[PlaceId, int]) -> None:
    """In Venice city and province are one space: who converts there stays in it (MAP-23)."""
    venice = frozenset(p.id for p in world.board.places.values() if p.venice)
    battle.venice = venice
    battle.city_holder = {p: garrison_at[p] for p in venice if p in garrison_at}
    for place in venice & battle.holder.keys():
        holder = battle.fighters[battle.holder[place]]
        if holder.goal is None:
            holder.leaves = False


def _lock_cities(state: State, battle: Battle, chosen: tuple[Intent, ...]) -> None:
    """Conversions into cities are settled at once: only rebels can stop them (CNV-05, CNV-06)."""
    for fighter, intent in zip(battle.fighters, chosen, strict=True):
        if enters_city(intent):
            battle.answers[fighter.number] = city_is_open(state, fighter.unit)


def _meet(world: World, battle: Battle, chosen: tuple[Intent, ...]) -> None:
    """Who goes where, and who faces whom (MOV-18, MOV-19)."""
    for fighter in battle.fighters:
        if fighter.goal is not None:
            battle.into.setdefault(fighter.goal, []).append(fighter.number)
            fighter.leg = _strait_leg(world, fighter.unit, fighter.goal)
    for fighter in battle.fighters:
        if fighter.goal is None or fighter.stands_in is None or fighter.by_sea:
            continue
        other = battle.fighters[battle.holder.get(fighter.goal, fighter.number)]
        if other.goal == fighter.stands_in and not other.by_sea and other is not fighter:
            fighter.facing = other.number


def _strait_leg(world: World, unit: Unit, into: PlaceId) -> frozenset[PlaceId] | None:
    if unit.kind is not Kind.FLEET:
        return None
    border = frozenset((unit.place, into))
    return border if border in world.straits else None


# --- convoys ---------------------------------------------------------------------------------


def _passages(world: World, battle: Battle, chosen: tuple[Intent, ...]) -> dict[int, Passage]:
    passages: dict[int, Passage] = {}
    for fighter, intent in zip(battle.fighters, chosen, strict=True):
        if isinstance(intent, Advance) and fighter.unit.kind is Kind.ARMY:
            passage = _passage(world, battle, chosen, fighter, intent)
            if passage is not None:
                passages[fighter.number] = passage
                fighter.by_sea = True
    return passages


def _passage(
    world: World, battle: Battle, chosen: tuple[Intent, ...], army: Fighter, order: Advance
) -> Passage | None:
    carriers = [
        n for n, intent in enumerate(chosen) if convoys.carries(intent, army.unit, order.to)
    ]
    carrying = [battle.fighters[n].unit for n in carriers]
    if not convoys.goes_by_sea(world, army.unit, order, carrying):
        return None
    if not order.via:
        return Passage(army.number, army.unit.place, order.to, tuple(carriers), listed=False)
    at = {battle.fighters[n].unit.place: n for n in carriers}
    return convoys.listed_passage(world, battle.fighters, army, order, at.get)


# --- supports --------------------------------------------------------------------------------


def _line_up_supports(
    world: World,
    battle: Battle,
    chosen: tuple[Intent, ...],
    garrison_at: Mapping[PlaceId, int],
) -> dict[int, int]:
    supported: dict[int, int] = {}
    for fighter, intent in zip(battle.fighters, chosen, strict=True):
        if not isinstance(intent, Support):
            continue
        target = _supported(battle, intent, garrison_at)
        if target is None or not _matches(world, fighter, intent, target, chosen[target.number]):
            continue
        supported[fighter.number] = target.number
        to_hold = intent.to is None and target.goal is not None
        (target.held_by if to_hold else target.backers).append(fighter.number)
        fighter.supports = intent.to if intent.to is not None else target.unit.place
        fighter.leg = _strait_leg(world, fighter.unit, fighter.supports)
    return supported


def _supported(
    battle: Battle, order: Support, garrison_at: Mapping[PlaceId, int]
) -> Fighter | None:
    """The unit that a support names; the type must be right (MOV-13)."""
    named = order.supported
    places = garrison_at if named.kind is Kind.GARRISON else battle.holder
    number = places.get(named.place, NOBODY)
    if number == NOBODY:
        return None
    target = battle.fighters[number]
    return target if named.kind in (target.unit.kind, None) else None


def _matches(
    world: World, supporter: Fighter, order: Support, target: Fighter, intent: Intent
) -> bool:
    """Whether the supported unit does what the support is for (MOV-13, CNV-15)."""
    if supporter is target:
        return False
    if order.to is None:
        # A move into a strait may turn out not to be ordered at all (MAP-35).
        stays = not isinstance(intent, Advance | Convert) or target.leg is not None
        return stays and _reaches_coast(world, supporter.unit, order, target.unit.coast)
    if target.goal != order.to:
        return False
    if not isinstance(intent, Advance):
        return True
    if order.coast and intent.coast and order.coast != intent.coast:
        return False
    return _reaches_coast(world, supporter.unit, order, intent.coast)


def _reaches_coast(world: World, supporter: Unit, order: Support, coast: str) -> bool:
    """Where the same coast is asked for, a fleet must reach the fleet's very coast (MOV-29)."""
    if world.rules.movement.coast_support is CoastSupport.ANY or not coast:
        return True
    if supporter.kind is not Kind.FLEET:
        return True
    into = order.to if order.to is not None else order.supported.place
    return any(spot.coast == coast for spot in world.spots_reached(supporter, into))


# --- straits ---------------------------------------------------------------------------------


def _guard_straits(turn: Turn, battle: Battle, chosen: tuple[Intent, ...]) -> None:
    allowed = frozenset(
        (power, order.power)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, Ally) and order.allowed
    )
    for edge, strait in turn.world.straits.items():
        battle.guards[edge] = _guards(turn.world, battle, chosen, strait.guard, allowed)


def _guards(
    world: World,
    battle: Battle,
    chosen: tuple[Intent, ...],
    guard: PlaceId,
    allowed: frozenset[tuple[PowerId, PowerId]],
) -> Guards:
    """Who may close the strait at *guard*, and on what it depends (MAP-13 to MAP-16, MAP-36)."""
    rules = world.rules.strait
    staying: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    number = battle.holder.get(guard, NOBODY)
    if number != NOBODY and battle.fighters[number].unit.kind is Kind.FLEET:
        fleet, intent = battle.fighters[number], chosen[number]
        blocks = rules.convert_in_blocks if enters_city(intent) else rules.leaver_blocks
        staying, leaving = ((number,), ()) if blocks or not fleet.leaves else ((), (number,))
    entering = tuple(
        n for n in battle.into.get(guard, ()) if _closes_by_entering(world, battle, chosen[n], n)
    )
    if rules.entry is StraitEntry.IF_NO_FLEET and (staying or leaving):
        entering = tuple(n for n in entering if battle.fighters[n].stands_in is None)
    return Guards(staying, leaving, entering, allowed)


def _closes_by_entering(world: World, battle: Battle, intent: Intent, number: int) -> bool:
    rules = world.rules.strait
    if isinstance(intent, Convert):
        return intent.into is Kind.FLEET and rules.convert_out_blocks
    is_fleet = battle.fighters[number].unit.kind is Kind.FLEET
    return is_fleet and rules.entry is not StraitEntry.NEVER


# --- the questions ---------------------------------------------------------------------------


def _questions(world: World, battle: Battle, passages: Mapping[int, Passage]) -> tuple[int, ...]:
    """What the solver is asked: convoys, then supports, then advances."""
    size = len(battle.fighters)
    asked = []
    for number, passage in passages.items():
        battle.route_answer[number] = _route_answer(world, battle, passage)
        asked.append(size + number)
    asked += [f.number for f in battle.fighters if f.supports is not None]
    asked += [f.number for f in battle.fighters if f.goal is not None]
    return tuple(asked)


def _route_answer(world: World, battle: Battle, passage: Passage) -> Callable[[], Answer]:
    return lambda: convoys.is_carried(battle, world, passage)
