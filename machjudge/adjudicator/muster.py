"""Draw up the battle: what each unit will do, and who has to do with whom."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator import convoys
from machjudge.adjudicator.answers import Answer
from machjudge.adjudicator.conversion import (
    Intent,
    city_is_open,
    enters_city,
)
from machjudge.adjudicator.convoys import Passage
from machjudge.adjudicator.intents import Given, intents
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.orders import (
    Advance,
    Convert,
    Support,
    Transport,
)
from machjudge.adjudicator.rebellion import rebels_for
from machjudge.adjudicator.rules import CoastSupport
from machjudge.adjudicator.state import State
from machjudge.adjudicator.straits import guard_straits
from machjudge.adjudicator.strength import NOBODY, Battle, Fighter
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.units import Kind, Unit, unit_order
from machjudge.adjudicator.world import World


@dataclass(frozen=True, slots=True)
class Muster:
    """A battle drawn up, with what is needed to tell about it afterwards."""

    battle: Battle
    intents: Sequence[Intent]
    """What each fighter will do, by his number."""
    supported: Mapping[int, int]
    """Whom a supporter really supports; supporters without a match are not in it."""
    passages: Mapping[int, Passage]
    """How armies that go by sea are to be carried."""
    garrison_at: Mapping[PlaceId, int]
    questions: tuple[int, ...]


def muster(turn: Turn, given: Given) -> Muster:
    """Draw up the battle of a campaign from the position and the orders that stand."""
    world, state = turn.world, turn.state
    afield, cities = intents(turn, given)
    units = sorted(state.units(), key=unit_order)
    chosen = [(cities if u.kind is Kind.GARRISON else afield)[u.place] for u in units]
    fighters = [_fighter(n, unit, chosen[n]) for n, unit in enumerate(units)]
    battle = Battle(fighters, [None] * (2 * len(fighters)))
    battle.holder = {f.stands_in: f.number for f in fighters if f.stands_in is not None}
    garrison_at = {f.unit.place: f.number for f in fighters if f.stands_in is None}
    _stay_in_venice(world, battle, garrison_at)
    _call_rebels(world, state, battle)
    passages = _passages(world, battle, chosen)
    _meet(world, battle)
    supported = _line_up_supports(world, battle, chosen, garrison_at)
    guard_straits(turn, battle, chosen)
    questions = _questions(world, battle, passages)
    _lock_cities(state, battle, chosen)
    return Muster(battle, chosen, supported, passages, garrison_at, questions)


# --- fighters --------------------------------------------------------------------------------


def _fighter(number: int, unit: Unit, intent: Intent) -> Fighter:
    stands_in = None if unit.kind is Kind.GARRISON else unit.place
    goal = None
    if isinstance(intent, Advance):
        goal = intent.to
    elif isinstance(intent, Convert) and intent.into is not Kind.GARRISON:
        goal = unit.place
    leaves = goal is not None or isinstance(intent, Convert)
    return Fighter(unit, number, unit.quality.strength, stands_in, goal, leaves)


def _stay_in_venice(world: World, battle: Battle, garrison_at: Mapping[PlaceId, int]) -> None:
    """In Venice city and province are one space: who converts there stays in it (MAP-23)."""
    battle.venice = world.venice
    for place in world.venice:
        if place in garrison_at:
            battle.city_holder[place] = garrison_at[place]
        if place in battle.holder:
            holder = battle.fighters[battle.holder[place]]
            holder.leaves = holder.goal is not None


def _call_rebels(world: World, state: State, battle: Battle) -> None:
    """Whom rebels help on his way in (REB-11)."""
    if state.province_rebellions or state.city_rebellions:
        for fighter in battle.fighters:
            if fighter.goal is not None:
                fighter.rebels_help = rebels_for(world, state, fighter.unit, fighter.goal)


def _lock_cities(state: State, battle: Battle, chosen: Sequence[Intent]) -> None:
    """Conversions into cities are settled at once: only rebels can stop them (CNV-05, CNV-06)."""
    for number, intent in enumerate(chosen):
        if isinstance(intent, Convert) and enters_city(intent):
            battle.answers[number] = city_is_open(state, battle.fighters[number].unit)


def _meet(world: World, battle: Battle) -> None:
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
    if unit.kind is not Kind.FLEET or not world.straits:
        return None
    border = frozenset((unit.place, into))
    return border if border in world.straits else None


# --- convoys ---------------------------------------------------------------------------------


def _passages(world: World, battle: Battle, chosen: Sequence[Intent]) -> dict[int, Passage]:
    carriers = _carriers(chosen)
    passages: dict[int, Passage] = {}
    for army, intent in zip(battle.fighters, chosen, strict=True):
        if isinstance(intent, Advance) and army.unit.kind is Kind.ARMY:
            fleets = carriers.get((army.unit.place, intent.to), ())
            carrying = [battle.fighters[number] for number in fleets]
            if convoys.goes_by_sea(world, army.unit, intent, carrying):
                passages[army.number] = _passage(world, battle, army, intent, carrying)
                army.by_sea = True
    return passages


def _carriers(chosen: Sequence[Intent]) -> dict[tuple[PlaceId, PlaceId], list[int]]:
    """The fleets that are to carry an army from one place to another (MOV-09)."""
    carriers: dict[tuple[PlaceId, PlaceId], list[int]] = {}
    for number, intent in enumerate(chosen):
        if isinstance(intent, Transport) and intent.army.kind in (Kind.ARMY, None):
            carriers.setdefault((intent.army.place, intent.to), []).append(number)
    return carriers


def _passage(
    world: World, battle: Battle, army: Fighter, order: Advance, fleets: Sequence[Fighter]
) -> Passage:
    if order.via:
        at = {fleet.unit.place: fleet.number for fleet in fleets}
        return convoys.listed_passage(world, battle.fighters, army, order, at.get)
    numbers = tuple(fleet.number for fleet in fleets)
    return Passage(army.number, army.unit.place, order.to, numbers, listed=False)


# --- supports --------------------------------------------------------------------------------


def _line_up_supports(
    world: World,
    battle: Battle,
    chosen: Sequence[Intent],
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
        if intent.to is None and target.goal is not None:
            target.held_by += (fighter.number,)
        else:
            target.backers += (fighter.number,)
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
