"""The policies of bots: each chooses lawful orders for one power, by one evaluation.

A policy is a pure function of the position as its seat sees it and of a chance that is given;
the same question has the same answer on any machine.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.land.sieges import has_target
from machjudge.adjudicator.legality import objection_to
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.income import city_income, province_income
from machjudge.adjudicator.names import NO_COAST, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Build,
    Convert,
    Disband,
    Expense,
    Hold,
    Maintain,
    Named,
    Order,
    Purpose,
    Remove,
    Support,
)
from machjudge.adjudicator.prices import is_within_reach, price_of
from machjudge.adjudicator.state import Dislodged, State
from machjudge.adjudicator.units import FLEET, Kind, Quality, Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.adjustment import units_due
from machjudge.bots.worth import Chance, Outlook, within_reach


class Policy(Enum):
    """How a bot plays."""

    HOLD = "hold"
    """Every unit holds and is paid for."""
    GREEDY = "greedy"
    """Each unit by itself takes what is next to it."""
    PLANNER = "planner"
    """Attacks with support, sieges, garrisons, bribes, and a treasury that is kept."""


class Goal(Enum):
    """Why an order is chosen."""

    TAKE = "take"
    """To take a place of others or of nobody."""
    APPROACH = "approach"
    """To come nearer to what is worth taking."""
    GUARD = "guard"
    """To keep what is one's own."""
    BESIEGE = "besiege"
    SUPPORT = "support"
    """So that an attack or a stand prevails."""
    BRIBE = "bribe"
    """It brings more in two years than it costs."""
    FEED = "feed"
    """So that a unit does not starve."""
    PACIFY = "pacify"
    KEEP = "keep"
    """A unit is paid for."""
    RAISE = "raise"
    GIVE_UP = "give_up"
    """There is neither money nor place for it."""
    RETREAT = "retreat"


@dataclass(frozen=True, slots=True)
class Choice:
    """An order that a bot gives, and why."""

    order: Order
    goal: Goal
    at: PlaceId | None = None
    """The place that it is about."""


def chance_of(secret: bytes, phase: str, power: PowerId) -> Chance:
    """Return the chance of a bot in one phase, which follows from the game's secret.

    Its text begins with `bot`, which no throw of dice does.
    """

    def decide(question: str) -> float:
        text = f"bot/{phase}/{power}/{question}"
        digest = hmac.new(secret, text.encode(), sha256).digest()
        return int.from_bytes(digest[:4], "big") / 2**32

    return decide


def choose(
    policy: Policy, world: World, state: State, power: PowerId, chance: Chance
) -> tuple[Choice, ...]:
    """Return the orders of a power for the phase of *state*; none if it has nothing to order.

    *state* holds what the bot may know: what it does not see must not be in it. Each order is
    lawful by itself, and expenses are priced.
    """
    if power in state.eliminated:
        return ()
    outlook = Outlook(world, state, power, chance)
    match state.moment.stage:
        case Stage.CAMPAIGN:
            chosen = [*_CAMPAIGNS[policy](outlook), *_expenses(outlook, policy)]
        case Stage.RETREATS:
            chosen = list(_retreats(outlook, policy))
        case Stage.ADJUSTMENT if world.rules.game.money:
            chosen = list(_upkeep(outlook, policy))
        case Stage.ADJUSTMENT:
            chosen = list(_by_cities(outlook, policy))
    return tuple(each for each in chosen if _may(outlook, each.order))


def _may(outlook: Outlook, order: Order) -> bool:
    return objection_to(outlook.world, outlook.state, outlook.power, order) is None


def named(unit: Unit) -> Named:
    """Return a unit as its owner's order names it."""
    return Named(unit.kind, unit.place, unit.coast)


# --- campaigns -------------------------------------------------------------------------------


def _all_hold(outlook: Outlook) -> Iterator[Choice]:
    for unit in outlook.units:
        yield Choice(Hold(named(unit)), Goal.GUARD, unit.place)


def _each_by_itself(outlook: Outlook) -> Iterator[Choice]:
    """Besiege what is before a unit, else go where most is to be gained, whoever is there."""
    for unit in outlook.units:
        siege = _siege(outlook, unit)
        if siege is not None:
            yield siege
            continue
        gains = {spot: outlook.gain(spot.place) for spot in _foreign(outlook, _ways(outlook, unit))}
        best = _best(outlook, gains, unit)
        if best is None:
            yield Choice(Hold(named(unit)), Goal.GUARD, unit.place)
        else:
            yield Choice(Advance(named(unit), best.place, best.coast), Goal.TAKE, best.place)


def _foreign(outlook: Outlook, spots: Iterable[Spot]) -> list[Spot]:
    return [spot for spot in spots if not outlook.is_own(spot.place)]


def _best(outlook: Outlook, worth: Mapping[Spot, float], unit: Unit) -> Spot | None:
    """The spot of most worth; chance decides between equals."""

    def key(spot: Spot) -> tuple[float, float]:
        return worth[spot], outlook.chance(f"{unit.kind.letter} {unit.place} {spot}")

    return max(sorted(worth), key=key, default=None)


def _ways(outlook: Outlook, unit: Unit) -> list[Spot]:
    """Where a field unit may go in one step, lawfully."""
    if unit.is_garrison:
        return []
    spots = (
        [Spot(place) for place in sorted(within_reach(outlook.world, unit))]
        if unit.kind is Kind.ARMY
        else sorted(
            spot
            for place in within_reach(outlook.world, unit)
            for spot in outlook.world.spots_reached(unit, place)
        )
    )
    return [s for s in spots if _may(outlook, Advance(named(unit), s.place, s.coast))]


def _siege(outlook: Outlook, unit: Unit) -> Choice | None:
    """The siege that a unit can begin or carry on."""
    if unit.is_garrison:
        return None
    city = outlook.world.city_before(unit.place)
    order = Besiege(named(unit))
    if city not in outlook.world.cities or not has_target(outlook.state, unit, city):
        return None
    garrison = outlook.state.garrisons.get(city)
    if garrison is not None and garrison.owner in outlook.own:
        return None
    return Choice(order, Goal.BESIEGE, city) if _may(outlook, order) else None


_TAKEN = 0.55
"""The share of the worth of an attack on a unit that nothing supports: it only ties it down."""
_CONTESTED = 0.8
"""The share of a move to where others may go as well."""
_HELPING = 0.75
"""The share of an attack's worth that a support of it has."""
_SIEGE_BEGUN = 2.0
_SIEGE_NEW = 1.2
_STAYING = 1.02
"""A stand is preferred to a move that brings as much."""


class _Plan:
    """The orders of a power's field units, as far as they are chosen."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.chosen: dict[Unit, Choice] = {}
        self.targets: dict[PlaceId, Unit] = {}
        """Where units go."""

    def fill(self) -> Mapping[Unit, Choice]:
        """Choose for all units: those first to which most is open."""
        units = [unit for unit in self.outlook.units if not unit.is_garrison]
        first = {unit: max(self._options(unit).values(), default=0.0) for unit in units}
        for unit in sorted(units, key=lambda each: (-first[each], str(each))):
            self._choose(unit)
        self._stand_still()
        return self.chosen

    def _choose(self, unit: Unit) -> None:
        outlook, siege = self.outlook, _siege(self.outlook, unit)
        stay = self._worth_of_staying(unit, siege)
        options = self._options(unit)
        free = {spot: worth for spot, worth in options.items() if self._is_free(unit, spot.place)}
        spot = _best(outlook, free, unit)
        helped = self._best_help(unit)
        move = free[spot] if spot is not None else 0.0
        if helped is not None and helped[0] > max(move, stay):
            self.chosen[unit] = helped[1]
        elif spot is not None and move > stay:
            goal = Goal.APPROACH if outlook.is_own(spot.place) else Goal.TAKE
            if outlook.world.place(spot.place).is_sea:
                goal = Goal.APPROACH
            order = Advance(named(unit), spot.place, spot.coast)
            self.chosen[unit] = Choice(order, goal, spot.place)
            self.targets[spot.place] = unit
        else:
            self.chosen[unit] = siege or Choice(Hold(named(unit)), Goal.GUARD, unit.place)

    def _worth_of_staying(self, unit: Unit, siege: Choice | None) -> float:
        worth = self.outlook.worth_for(unit.kind).get(unit.place, 0.0)
        if siege is not None and siege.at is not None:
            begun = siege.at in self.outlook.state.sieges
            gain = self.outlook.gain(siege.at)
            return worth + gain * (_SIEGE_BEGUN if begun else _SIEGE_NEW)
        return worth * _STAYING

    def _options(self, unit: Unit) -> dict[Spot, float]:
        """What each move is worth, as likely as it succeeds."""
        outlook = self.outlook
        worth = outlook.worth_for(unit.kind)
        found = {}
        for spot in _ways(outlook, unit):
            place = spot.place
            share = 1.0
            if outlook.is_held_by_others(place):
                strong = outlook.helpers[place] > 1 + outlook.rivals[place] / 2
                share = 1.0 if strong else _TAKEN
            elif outlook.rivals[place]:
                share = _CONTESTED
            found[spot] = worth.get(place, 0.0) * share
        return found

    def _is_free(self, unit: Unit, place: PlaceId) -> bool:
        """Return whether no own unit goes there, or stands there for good or in exchange."""
        if place in self.targets:
            return False
        there = self.outlook.state.field.get(place)
        if there is None or there.owner not in self.outlook.own:
            return True
        chosen = self.chosen.get(there)
        order = chosen.order if chosen is not None else None
        return isinstance(order, Advance) and order.to != unit.place

    def _best_help(self, unit: Unit) -> tuple[float, Choice] | None:
        """The support that brings most: of a move that others can stop, or of a stand."""
        outlook = self.outlook
        near = within_reach(outlook.world, unit)
        found: list[tuple[float, float, Choice]] = []
        for other, choice in self.chosen.items():
            goal = choice.order.to if isinstance(choice.order, Advance) else other.place
            if other == unit or goal not in near:
                continue
            if not (outlook.is_held_by_others(goal) or outlook.threats[goal]):
                continue
            if self._helpers(other) >= outlook.rivals[goal] + 1:
                continue
            to = goal if isinstance(choice.order, Advance) else None
            order = Support(named(unit), named(other), to)
            if not _may(outlook, order):
                continue
            worth = outlook.worth_for(other.kind).get(goal, 0.0) * _HELPING
            if to is None:
                worth *= _CONTESTED
            tie = outlook.chance(f"help {unit.place} {other.place}")
            found.append((worth, tie, Choice(order, Goal.SUPPORT, goal)))
        if not found:
            return None
        worth, _, chosen = max(found, key=lambda each: each[:2])
        return worth, chosen

    def _helpers(self, other: Unit) -> int:
        """How many units support another one already."""
        return sum(
            isinstance(each.order, Support) and each.order.supported == named(other)
            for each in self.chosen.values()
        )

    def _stand_still(self) -> None:
        """Let nobody run into an own unit that stays after all."""
        for _ in self.chosen:
            blocked = [
                unit
                for unit, choice in self.chosen.items()
                if isinstance(choice.order, Advance) and self._is_blocked(choice.order.to)
            ]
            if not blocked:
                return
            for unit in blocked:
                siege = _siege(self.outlook, unit)
                self.chosen[unit] = siege or Choice(Hold(named(unit)), Goal.GUARD, unit.place)

    def _is_blocked(self, place: PlaceId) -> bool:
        there = self.outlook.state.field.get(place)
        chosen = self.chosen.get(there) if there is not None else None
        return chosen is not None and not isinstance(chosen.order, Advance)


def _planned(outlook: Outlook) -> Iterator[Choice]:
    plan = _Plan(outlook).fill()
    yield from plan.values()
    for unit in outlook.units:
        if unit.is_garrison:
            yield _garrison(outlook, unit, plan)


def _garrison(outlook: Outlook, unit: Unit, plan: Mapping[Unit, Choice]) -> Choice:
    """Come out where nobody threatens; else support who fights around the city, or hold."""
    place, around = unit.place, outlook.state.field.get(unit.place)
    for other, choice in plan.items():
        to = choice.order.to if isinstance(choice.order, Advance) else None
        if place not in (to, other.place) or not outlook.threats[place]:
            continue
        order = Support(named(unit), named(other), to if to == place else None)
        if _may(outlook, order):
            return Choice(order, Goal.SUPPORT, place)
    is_free = around is None and all(
        not (isinstance(each.order, Advance) and each.order.to == place) for each in plan.values()
    )
    out = Convert(named(unit), Kind.ARMY)
    is_safe = not outlook.threats[place] and place not in outlook.state.sieges
    if is_free and is_safe and _may(outlook, out):
        return Choice(out, Goal.APPROACH, place)
    return Choice(Hold(named(unit)), Goal.GUARD, place)


_CAMPAIGNS: Mapping[Policy, Callable[[Outlook], Iterator[Choice]]] = {
    Policy.HOLD: _all_hold,
    Policy.GREEDY: _each_by_itself,
    Policy.PLANNER: _planned,
}


# --- ducats ----------------------------------------------------------------------------------

_RESERVE = 3
"""Ducats for each unit that a planner keeps, for its upkeep and against bribes."""
_MOST_EXPENSES = 4


def _expenses(outlook: Outlook, policy: Policy) -> Iterator[Choice]:
    """Feed units, put down rebellions, bribe where two years' gain beats the price."""
    if policy is not Policy.PLANNER or not outlook.world.rules.game.money:
        return
    left = outlook.state.treasuries.get(outlook.power, 0)
    reserve = _RESERVE * len(outlook.units) // 2
    number = 1
    ideas = [*_relief(outlook), *_pacifying(outlook), *_bribes(outlook)]
    for gain, expense, goal, at in sorted(ideas, key=lambda each: (-each[0], str(each[1]))):
        price = price_of(outlook.world, outlook.state, expense).ducats
        priced = Expense(number, expense.purpose, price, expense.unit, expense.place)
        is_needed = goal is not Goal.BRIBE
        if price > left - (0 if is_needed else reserve) or gain <= price:
            continue
        if not is_within_reach(outlook.world, outlook.state, outlook.power, priced):
            continue
        if not _may(outlook, priced):
            continue
        yield Choice(priced, goal, at)
        left -= price
        number += 1
        if number > _MOST_EXPENSES:
            return


_Idea = tuple[float, Expense, Goal, PlaceId]


def _relief(outlook: Outlook) -> Iterator[_Idea]:
    """A unit in famine starves in Spring; its place pays nothing."""
    for place in sorted(outlook.state.famine):
        mine = [unit for unit in outlook.state.units_at(place) if unit.owner == outlook.power]
        if mine:
            worth = 3.0 * len(mine) + outlook.gain(place)
            yield worth, Expense(1, Purpose.FAMINE_RELIEF, place=place), Goal.FEED, place


def _pacifying(outlook: Outlook) -> Iterator[_Idea]:
    state = outlook.state
    for place in sorted({*state.province_rebellions, *state.city_rebellions}):
        against = (state.province_rebellions.get(place), state.city_rebellions.get(place))
        if outlook.power in against and place not in state.field:
            yield outlook.gain(place), Expense(1, Purpose.PACIFY, place=place), Goal.PACIFY, place


def _bribes(outlook: Outlook) -> Iterator[_Idea]:
    """Buy, or disband, what stands where the power wants to be."""
    for unit in sorted(outlook.state.units(), key=str):
        if unit.owner in outlook.own:
            continue
        gain = outlook.gain(unit.place)
        blocks = outlook.helpers[unit.place] > 0
        bought = Expense(1, Purpose.BUY, unit=named(unit))
        yield gain + 3.0 + (0.0 if blocks else -2.0), bought, Goal.BRIBE, unit.place
        if blocks:
            gone = Expense(1, Purpose.DISBAND, unit=named(unit))
            yield gain * 0.6, gone, Goal.BRIBE, unit.place


# --- retreats --------------------------------------------------------------------------------


def _retreats(outlook: Outlook, policy: Policy) -> Iterator[Choice]:
    taken: set[PlaceId] = set()
    for waiting in outlook.state.dislodged:
        if waiting.unit.owner == outlook.power:
            choice = _way_out(outlook, waiting, taken, policy)
            if isinstance(choice.order, Advance):
                taken.add(choice.order.to)
            yield choice


def _way_out(outlook: Outlook, waiting: Dislodged, taken: set[PlaceId], policy: Policy) -> Choice:
    unit = waiting.unit
    worth = outlook.worth_for(unit.kind)
    ways = {s: worth.get(s.place, 0.0) for s in waiting.retreats if s.place not in taken}
    inside = Choice(Convert(named(unit), Kind.GARRISON), Goal.GUARD, unit.place)
    keeps = waiting.convert and policy is Policy.PLANNER and outlook.state.cities.get(unit.place)
    if waiting.convert and (keeps in outlook.own or not ways) and _may(outlook, inside.order):
        return inside
    spot = _best(outlook, ways, unit)
    if spot is None:
        return Choice(Disband(named(unit)), Goal.GIVE_UP, unit.place)
    return Choice(Advance(named(unit), spot.place, spot.coast), Goal.RETREAT, spot.place)


# --- adjustments -----------------------------------------------------------------------------


def _upkeep(outlook: Outlook, policy: Policy) -> Iterator[Choice]:
    """Pay for units, the most useful first; raise others of what is left."""
    left = outlook.state.treasuries.get(outlook.power, 0)
    kept = 0
    for unit in _by_use(outlook):
        price = unit.quality.price
        if price <= left:
            left -= price
            kept += 1
            yield Choice(Maintain(named(unit)), Goal.KEEP, unit.place)
        else:
            yield Choice(Remove(named(unit)), Goal.GIVE_UP, unit.place)
    if policy is Policy.HOLD:
        return
    room = _room(outlook, kept) if policy is Policy.PLANNER else len(outlook.world.cities)
    price = Quality.PLAIN.price
    for build in _sites(outlook):
        if room <= 0 or price > left:
            return
        left -= price
        room -= 1
        yield Choice(build, Goal.RAISE, build.place)


def _room(outlook: Outlook, kept: int) -> int:
    """How many more units the fixed income of a year feeds."""
    state, world = outlook.state, outlook.world
    ducats = sum(
        province_income(world, state, place)
        for place, owner in state.provinces.items()
        if owner == outlook.power
    ) + sum(
        city_income(world, state, place)
        for place, owner in state.cities.items()
        if owner == outlook.power
    )
    rolls = world.incomes.homes.get(outlook.power)
    if rolls is not None:
        line, dice = rolls
        faces = world.incomes.lines.get(line, ())
        ducats += dice * sum(faces) // len(faces) if faces else 0
    return ducats // Quality.PLAIN.price - kept + 1


def _by_use(outlook: Outlook) -> list[Unit]:
    """The units, those first that are worth most where they stand."""

    def use(unit: Unit) -> tuple[float, float]:
        worth = outlook.worth_for(unit.kind).get(unit.place, 0.0)
        share = 0.6 if unit.is_garrison and not outlook.threats[unit.place] else 1.0
        return -worth * share, outlook.chance(f"keep {unit.kind.letter} {unit.place}")

    return sorted(outlook.units, key=use)


def _sites(outlook: Outlook) -> list[Build]:
    """The units that may be raised, one at each place, the most useful first."""
    found: list[tuple[float, float, Build]] = []
    for place in sorted(outlook.world.cities):
        builds = [build for build in _builds_at(outlook, place) if _may(outlook, build)]
        rated = [
            (
                outlook.worth_for(build.kind).get(place, 0.0),
                outlook.chance(f"build {build.kind.letter} {place} {build.coast}"),
                build,
            )
            for build in builds
        ]
        if rated:
            found.append(max(rated, key=lambda each: each[:2]))
    return [build for _, _, build in sorted(found, key=lambda each: (-each[0], each[1]))]


def _builds_at(outlook: Outlook, place: PlaceId) -> Iterator[Build]:
    if outlook.state.provinces.get(place) != outlook.power:
        return
    yield Build(Kind.ARMY, place, NO_COAST)
    if outlook.world.is_port(place):
        for spot in outlook.world.harbours(place):
            yield Build(FLEET, place, spot.coast)


def _by_cities(outlook: Outlook, policy: Policy) -> Iterator[Choice]:
    """As many units as cities, without money (ADJ-15)."""
    due = units_due(outlook.world, outlook.state, outlook.power)
    if due < 0:
        for unit in _by_use(outlook)[due:]:
            yield Choice(Remove(named(unit)), Goal.GIVE_UP, unit.place)
    elif policy is not Policy.HOLD:
        for build in _sites(outlook)[:due]:
            yield Choice(build, Goal.RAISE, build.place)
