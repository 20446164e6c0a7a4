"""Draw up the battle: what each unit will do, and who has to do with whom."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.battle import convoys
from machjudge.adjudicator.battle.answers import Answer
from machjudge.adjudicator.battle.backing import line_up_supports
from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.battle.convoys import Passage
from machjudge.adjudicator.battle.intents import GivenOrders, intents
from machjudge.adjudicator.battle.manners import fight_by
from machjudge.adjudicator.battle.straits import guard_straits
from machjudge.adjudicator.battle.strength import Battle
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import (
    Intent,
    enters_city,
    goal_of_conversion,
    locks_out,
)
from machjudge.adjudicator.land.rebellion import rebels_for
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import (
    Advance,
    Besiege,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    StrategicMove,
    Support,
    Transport,
)
from machjudge.adjudicator.model.reasons import HeldInstead
from machjudge.adjudicator.model.rules import (
    ConflictRules,
    ConversionRules,
    EliteBounce,
    OwnConflict,
    RebelSupport,
)
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import GARRISON, Unit, unit_order
from machjudge.adjudicator.model.world import World


@dataclass(frozen=True, slots=True)
class BattleSetup:
    """A battle drawn up, with what is needed to tell about it afterwards."""

    battle: Battle
    intents: Sequence[Intent]
    """What each contender will do, by its number."""
    supported: Mapping[int, int]
    """Whom a supporter really supports; supporters without a match are not in it."""
    passages: Mapping[int, Passage]
    """How armies that go by sea are to be carried."""
    garrison_at: Mapping[PlaceId, int]
    questions: tuple[int, ...]


def set_up(turn: Turn, given: GivenOrders) -> BattleSetup:
    """Draw up the battle of a campaign from the position and the orders that stand."""
    world, state = turn.world, turn.state
    units = sorted(state.units(), key=unit_order)
    chosen = intents(turn, given, units)
    ranks = _fall_in(world.rules.conversion, units, chosen)
    battle = Battle(ranks.contenders, [None] * (2 * len(units)))
    battle.holder = {f.stands_in: f.number for f in ranks.contenders if f.stands_in is not None}
    garrison_at = {f.unit.place: f.number for f in ranks.contenders if f.stands_in is None}
    _stay_in_venice(world, battle, garrison_at)
    _call_rebels(world, state, battle)
    passages = convoys.passages(world, battle, ranks.advancing, ranks.transporting)
    _meet(world, battle)
    if not world.rules.conversion.follows_leaver:
        _keep_in(battle, ranks.converting)
    _keep_apart(world.rules.conflict, battle)
    fight_by(battle, world.rules.conflict)
    supported = line_up_supports(world, battle, chosen, ranks.supporting, garrison_at)
    guard_straits(turn, battle, chosen)
    questions = _questions(world, battle, passages)
    _lock_cities(world.rules.conversion, state, battle, ranks.converting)
    return BattleSetup(battle, chosen, supported, passages, garrison_at, questions)


# --- contenders --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Ranks:
    """All contenders, and those with orders that concern others."""

    contenders: list[Contender]
    advancing: list[tuple[Contender, Advance]]
    supporting: list[tuple[Contender, Support]]
    transporting: list[tuple[Contender, Transport]]
    converting: list[tuple[Contender, Convert]]


def _fall_in(rules: ConversionRules, units: Sequence[Unit], chosen: Sequence[Intent]) -> _Ranks:
    ranks = _Ranks([], [], [], [], [])
    for number, unit in enumerate(units):
        stands_in = None if unit.kind is GARRISON else unit.place
        contender = Contender(unit, number, unit.quality.strength, stands_in)
        ranks.contenders.append(contender)
        intent = chosen[number]
        match intent:
            case Advance():
                contender.goal, contender.leaves = intent.to, True
                ranks.advancing.append((contender, intent))
            case Support():
                ranks.supporting.append((contender, intent))
            case Transport():
                ranks.transporting.append((contender, intent))
            case Convert():
                contender.goal = goal_of_conversion(unit, intent)
                contender.leaves = contender.goal is not None or not rules.in_holds
                ranks.converting.append((contender, intent))
            case Hold() | Besiege() | LiftSiege() | Disband() | StrategicMove() | HeldInstead():
                pass
    return ranks


def _stay_in_venice(world: World, battle: Battle, garrison_at: Mapping[PlaceId, int]) -> None:
    """In Venice city and province are one space: who converts there stays in it (MAP-23)."""
    battle.venice = world.venice
    for place in world.venice:
        if place in garrison_at:
            battle.city_holder[place] = garrison_at[place]
        if place in battle.holder:
            holder = battle.contenders[battle.holder[place]]
            holder.leaves = holder.goal is not None


def _call_rebels(world: World, state: State, battle: Battle) -> None:
    """Whom rebels help on its way in (REB-11, REB-15)."""
    if state.province_rebellions or state.city_rebellions:
        rules = world.rules.rebellion
        battle.rebels_help_each = rules.support is RebelSupport.EACH
        for contender in battle.contenders:
            converts = contender.stands_in is None
            if contender.goal is not None and (rules.helps_conversions or not converts):
                contender.rebels_help = rebels_for(world, state, contender.unit, contender.goal)


def _lock_cities(
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


def _meet(world: World, battle: Battle) -> None:
    """Who goes where, and who faces whom (MOV-18, MOV-19)."""
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


def _keep_in(battle: Battle, converting: Iterable[tuple[Contender, Convert]]) -> None:
    """Garrisons do not follow an enemy out of their province (CNV-16)."""
    for contender, _ in converting:
        number = battle.holder.get(contender.unit.place)
        if contender.goal is not None and number is not None:
            contender.follows = battle.contenders[number].unit.owner == contender.unit.owner


def _keep_apart(rules: ConflictRules, battle: Battle) -> None:
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


# --- the questions ---------------------------------------------------------------------------


def _questions(world: World, battle: Battle, passages: Mapping[int, Passage]) -> tuple[int, ...]:
    """What the solver is asked: convoys, then supports, then advances."""
    size = len(battle.contenders)
    asked = []
    for number, passage in passages.items():
        battle.route_answer[number] = _route_answer(world, battle, passage)
        asked.append(size + number)
    asked += [f.number for f in battle.contenders if f.supports is not None]
    asked += [f.number for f in battle.contenders if f.goal is not None]
    return tuple(asked)


def _route_answer(world: World, battle: Battle, passage: Passage) -> Callable[[], Answer]:
    return lambda: convoys.is_carried(battle, world, passage)
