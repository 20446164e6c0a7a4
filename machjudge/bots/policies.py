"""The policies of bots: each chooses lawful orders for one power, by one evaluation.

A policy is a pure function of the position as its seat sees it and of a chance that is given;
the same question has the same answer on any machine.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from hashlib import sha256

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.land.sieges import has_target
from machjudge.adjudicator.legality import objection_to
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.income import city_income, province_income
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, PlaceId, PowerId
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
    Transport,
)
from machjudge.adjudicator.prices import is_within_reach, price_of
from machjudge.adjudicator.state import Dislodged, State
from machjudge.adjudicator.units import FLEET, Kind, Quality, Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.adjustment import units_due

Chance = Callable[[str], float]
"""A number from 0 to 1 for a question, always the same: what decides between equals."""

_CITY = 6.0
"""A city: it counts for victory and feeds a unit."""
_HELD = 0.25
"""The share of its worth that a place of one's own has while nobody threatens it."""
_THREAT = 0.45
"""What each foreign unit in reach adds to that share."""
_ROUNDS = (1.0, 0.35, 0.12, 0.05)
"""How far worth is felt: the weight of a place itself, of its neighbours, and so on."""
_NEIGHBOURS = 5.0
"""Among how many neighbours worth is divided."""
_YEARS = 2
"""Years of income that a place is reckoned with."""


@dataclass(frozen=True)
class Prospect:
    """A position as one power sees it, and what it makes of it."""

    world: World
    state: State
    power: PowerId
    chance: Chance

    @cached_property
    def own(self) -> frozenset[PowerId]:
        """The powers of the same player."""
        return frozenset(self.state.side_of(self.power))

    @cached_property
    def units(self) -> list[Unit]:
        """The power's units, in order."""
        return self.state.units_of(self.power)

    @cached_property
    def threats(self) -> Counter[PlaceId]:
        """How many foreign units of players could enter each place."""
        return Counter(
            place
            for unit in self.state.field.values()
            if unit.owner not in self.own and unit.owner != AUTONOMOUS
            for place in within_reach(self.world, unit)
        )

    @cached_property
    def rivals(self) -> Counter[PlaceId]:
        """The most units of one foreign power that could enter each place."""
        by_power: dict[PowerId, Counter[PlaceId]] = {}
        for unit in self.state.field.values():
            if unit.owner not in self.own and unit.owner != AUTONOMOUS:
                reach = within_reach(self.world, unit)
                by_power.setdefault(unit.owner, Counter()).update(reach)
        most: Counter[PlaceId] = Counter()
        for each in by_power.values():
            most |= each
        return most

    @cached_property
    def helpers(self) -> Counter[PlaceId]:
        """How many own field units could enter each place."""
        return Counter(
            place
            for unit in self.units
            if not unit.is_garrison
            for place in within_reach(self.world, unit)
        )

    def is_own(self, place: PlaceId) -> bool:
        """Return whether a province, and its city if there is one, is the power's own."""
        has_city = place in self.world.cities
        city = not has_city or self.state.cities.get(place) in self.own
        return city and self.state.provinces.get(place) in self.own

    def is_held_by_others(self, place: PlaceId) -> bool:
        """Return whether a foreign field unit stands there."""
        unit = self.state.field.get(place)
        return unit is not None and unit.owner not in self.own

    def gain(self, place: PlaceId) -> float:
        """Return what it is worth to hold a place: two years' ducats, and its city."""
        if self.world.place(place).is_sea:
            return 1.0
        ducats = max(province_income(self.world, self.state, place), 0)
        city = self.world.cities.get(place)
        if city is None:
            return float(_YEARS * ducats)
        counts = _CITY if place in self.world.full_cities else 0.0
        income = max(city_income(self.world, self.state, place), 0 if city.fortress else 1)
        return _YEARS * (ducats + income) + counts

    def wish(self, place: PlaceId) -> float:
        """Return what a unit there would do for the power: take the place, or guard it."""
        worth = self.gain(place)
        if self.world.place(place).is_sea:
            return worth
        if not self.is_own(place):
            return worth
        share = _HELD + _THREAT * min(self.threats[place], 2)
        return worth * share

    @cached_property
    def army_worth(self) -> Mapping[PlaceId, float]:
        """The worth of each province for an army, with what lies around it."""
        return self._spread(self.world.army)

    @cached_property
    def fleet_worth(self) -> Mapping[PlaceId, float]:
        """The same of seas and coasts for a fleet."""
        return self._spread(_waterways(self.world))

    def worth_for(self, kind: Kind) -> Mapping[PlaceId, float]:
        """Return the worth of places for units of a kind."""
        return self.fleet_worth if kind is FLEET else self.army_worth

    def _spread(self, borders: Mapping[PlaceId, Iterable[PlaceId]]) -> Mapping[PlaceId, float]:
        near = {place: self.wish(place) for place in borders}
        total = {place: _ROUNDS[0] * worth for place, worth in near.items()}
        for weight in _ROUNDS[1:]:
            near = {
                place: (near[place] + sum(near[each] for each in around if each in near))
                / _NEIGHBOURS
                for place, around in borders.items()
            }
            for place, worth in near.items():
                total[place] += weight * worth
        return total


def within_reach(world: World, unit: Unit) -> frozenset[PlaceId]:
    """Return the places that a unit could enter in one step."""
    match unit.kind:
        case Kind.ARMY:
            return world.army.get(unit.place, frozenset())
        case Kind.FLEET:
            return frozenset(world.landings.get((unit.place, unit.coast), ()))
        case Kind.GARRISON:
            return frozenset((unit.place,))


@lru_cache(maxsize=64)
def _waterways(world: World) -> Mapping[PlaceId, frozenset[PlaceId]]:
    """The borders for fleets, by place, whichever coast."""
    found: dict[PlaceId, set[PlaceId]] = {}
    for spot, near in world.fleet.items():
        found.setdefault(spot.place, set()).update(each.place for each in near)
    return {place: frozenset(near) for place, near in found.items()}


class BotPolicy(Enum):
    """How a bot plays."""

    HOLD = "hold"
    """Every unit holds and is paid for."""
    GREEDY = "greedy"
    """Each unit by itself takes what is next to it."""
    PLANNER = "planner"
    """Attacks with support, sieges, garrisons, bribes, and a treasury that is kept."""


class BotGoal(Enum):
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
class BotOrder:
    """An order that a bot gives, and why."""

    order: Order
    goal: BotGoal
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
    policy: BotPolicy, world: World, state: State, power: PowerId, chance: Chance
) -> tuple[BotOrder, ...]:
    """Return the orders of a power for the phase of *state*; none if it has nothing to order.

    *state* holds what the bot may know: what it does not see must not be in it. Each order is
    lawful by itself, and expenses are priced.
    """
    if power in state.eliminated:
        return ()
    prospect = Prospect(world, state, power, chance)
    match state.moment.stage:
        case Stage.CAMPAIGN:
            chosen = [*_CAMPAIGNS[policy](prospect), *_expenses(prospect, policy)]
        case Stage.RETREATS:
            chosen = list(_retreats(prospect, policy))
        case Stage.ADJUSTMENT if world.rules.game.money:
            chosen = list(_upkeep(prospect, policy))
        case Stage.ADJUSTMENT:
            chosen = list(_by_cities(prospect, policy))
    return tuple(each for each in chosen if _may(prospect, each.order))


def _may(prospect: Prospect, order: Order) -> bool:
    return objection_to(prospect.world, prospect.state, prospect.power, order) is None


# --- campaigns -------------------------------------------------------------------------------


def _guard(unit: Unit) -> BotOrder:
    """Stand where the unit is."""
    return BotOrder(Hold(Named.of(unit)), BotGoal.GUARD, unit.place)


def _each_by_itself(prospect: Prospect) -> Iterator[BotOrder]:
    """Besiege what is before a unit, else go where most is to be gained, no matter who is there."""
    for unit in prospect.units:
        siege = _siege(prospect, unit)
        if siege is not None:
            yield siege
            continue
        gains = {
            spot: prospect.gain(spot.place)
            for spot in _ways(prospect, unit)
            if not prospect.is_own(spot.place)
        }
        best = _best(prospect, gains, unit)
        if best is None:
            yield _guard(unit)
        else:
            yield BotOrder(
                Advance(Named.of(unit), best.place, best.coast), BotGoal.TAKE, best.place
            )


def _best(prospect: Prospect, worth: Mapping[Spot, float], unit: Unit) -> Spot | None:
    """The spot of most worth; chance decides between equals."""

    def key(spot: Spot) -> tuple[float, float]:
        return worth[spot], prospect.chance(f"{unit.kind.letter} {unit.place} {spot}")

    return max(sorted(worth), key=key, default=None)


def _ways(prospect: Prospect, unit: Unit) -> list[Spot]:
    """Where a field unit may go in one step, lawfully."""
    if unit.is_garrison:
        return []
    spots = (
        [Spot(place) for place in sorted(within_reach(prospect.world, unit))]
        if unit.kind is Kind.ARMY
        else sorted(
            spot
            for place in within_reach(prospect.world, unit)
            for spot in prospect.world.spots_reached(unit, place)
        )
    )
    return [s for s in spots if _may(prospect, Advance(Named.of(unit), s.place, s.coast))]


def _siege(prospect: Prospect, unit: Unit) -> BotOrder | None:
    """The siege that a unit can begin or carry on."""
    if unit.is_garrison:
        return None
    city = prospect.world.city_before(unit.place)
    order = Besiege(Named.of(unit))
    if city not in prospect.world.cities or not has_target(prospect.state, unit, city):
        return None
    garrison = prospect.state.garrisons.get(city)
    if garrison is not None and garrison.owner in prospect.own:
        return None
    return BotOrder(order, BotGoal.BESIEGE, city) if _may(prospect, order) else None


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

    def __init__(self, prospect: Prospect) -> None:
        self.prospect = prospect
        self.chosen: dict[Unit, BotOrder] = {}
        self.targets: dict[PlaceId, Unit] = {}
        """Where units go."""

    def fill(self) -> Mapping[Unit, BotOrder]:
        """Choose for all units: those first to which most is open."""
        units = [unit for unit in self.prospect.units if not unit.is_garrison]
        first = {unit: max(self._options(unit).values(), default=0.0) for unit in units}
        for unit in sorted(units, key=lambda each: (-first[each], str(each))):
            self._choose(unit)
        self._convoy()
        self._stand_still()
        return self.chosen

    def _choose(self, unit: Unit) -> None:
        prospect, siege = self.prospect, _siege(self.prospect, unit)
        stay = self._worth_of_staying(unit, siege)
        options = self._options(unit)
        free = {spot: worth for spot, worth in options.items() if self._is_free(unit, spot.place)}
        spot = _best(prospect, free, unit)
        helped = self._best_help(unit)
        move = free[spot] if spot is not None else 0.0
        if helped is not None and helped[0] > max(move, stay):
            self.chosen[unit] = helped[1]
        elif spot is not None and move > stay:
            goal = BotGoal.APPROACH if prospect.is_own(spot.place) else BotGoal.TAKE
            if prospect.world.place(spot.place).is_sea:
                goal = BotGoal.APPROACH
            order = Advance(Named.of(unit), spot.place, spot.coast)
            self.chosen[unit] = BotOrder(order, goal, spot.place)
            self.targets[spot.place] = unit
        else:
            self.chosen[unit] = siege or _guard(unit)

    def _worth_of_staying(self, unit: Unit, siege: BotOrder | None) -> float:
        worth = self.prospect.worth_for(unit.kind).get(unit.place, 0.0)
        if siege is not None and siege.at is not None:
            begun = siege.at in self.prospect.state.sieges
            gain = self.prospect.gain(siege.at)
            return worth + gain * (_SIEGE_BEGUN if begun else _SIEGE_NEW)
        return worth * _STAYING

    def _options(self, unit: Unit) -> dict[Spot, float]:
        """What each move is worth, as likely as it succeeds."""
        prospect = self.prospect
        worth = prospect.worth_for(unit.kind)
        found = {}
        for spot in _ways(prospect, unit):
            place = spot.place
            share = 1.0
            if prospect.is_held_by_others(place):
                strong = prospect.helpers[place] > 1 + prospect.rivals[place] / 2
                share = 1.0 if strong else _TAKEN
            elif prospect.rivals[place]:
                share = _CONTESTED
            found[spot] = worth.get(place, 0.0) * share
        return found

    def _is_free(self, unit: Unit, place: PlaceId) -> bool:
        """Return whether no own unit goes there, or stands there for good or in exchange."""
        if place in self.targets:
            return False
        there = self.prospect.state.field.get(place)
        if there is None or there.owner not in self.prospect.own:
            return True
        chosen = self.chosen.get(there)
        order = chosen.order if chosen is not None else None
        return isinstance(order, Advance) and order.to != unit.place

    def _best_help(self, unit: Unit) -> tuple[float, BotOrder] | None:
        """The support that brings most: of a move that others can stop, or of a stand."""
        prospect = self.prospect
        near = within_reach(prospect.world, unit)
        found: list[tuple[float, float, BotOrder]] = []
        for other, choice in self.chosen.items():
            goal = choice.order.to if isinstance(choice.order, Advance) else other.place
            if other == unit or goal not in near:
                continue
            if not (prospect.is_held_by_others(goal) or prospect.threats[goal]):
                continue
            if self._helpers(other) >= prospect.rivals[goal] + 1:
                continue
            to = goal if isinstance(choice.order, Advance) else None
            order = Support(Named.of(unit), Named.of(other), to)
            if not _may(prospect, order):
                continue
            worth = prospect.worth_for(other.kind).get(goal, 0.0) * _HELPING
            if to is None:
                worth *= _CONTESTED
            tie = prospect.chance(f"help {unit.place} {other.place}")
            found.append((worth, tie, BotOrder(order, BotGoal.SUPPORT, goal)))
        if not found:
            return None
        worth, _, chosen = max(found, key=lambda each: each[:2])
        return worth, chosen

    def _helpers(self, other: Unit) -> int:
        """How many units support another one already."""
        return sum(
            isinstance(each.order, Support) and each.order.supported == Named.of(other)
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
                siege = _siege(self.prospect, unit)
                self.chosen[unit] = siege or _guard(unit)

    def _convoy(self) -> None:
        """Carry armies that take nothing to foreign land, each over one sea."""
        supported = {
            each.order.supported for each in self.chosen.values() if isinstance(each.order, Support)
        }
        idle = [
            unit
            for unit, each in self.chosen.items()
            if (each.goal is BotGoal.APPROACH or isinstance(each.order, Hold))
            and Named.of(unit) not in supported
        ]
        for fleet in (unit for unit in idle if self.prospect.world.place(unit.place).is_sea):
            near = within_reach(self.prospect.world, fleet)
            crossings = [
                crossing
                for army in idle
                if army.kind is Kind.ARMY and army.place in near
                for crossing in self._crossings(fleet, army)
            ]
            if crossings:
                _, _, to, army, move, carry = max(crossings, key=lambda each: each[:2])
                left = {at: unit for at, unit in self.targets.items() if unit not in (army, fleet)}
                self.targets = {**left, to: army}
                self.chosen[army], self.chosen[fleet] = move, carry
                idle.remove(army)

    def _crossings(
        self, fleet: Unit, army: Unit
    ) -> Iterator[tuple[float, float, PlaceId, Unit, BotOrder, BotOrder]]:
        """Where a fleet can carry an army that brings more than to stay, with both orders."""
        prospect = self.prospect
        if prospect.threats[army.place]:
            return
        worth = prospect.worth_for(army.kind)
        for to in sorted(within_reach(prospect.world, fleet)):
            brings = worth.get(to, 0.0) * (_CONTESTED if prospect.rivals[to] else 1.0)
            if prospect.is_own(to) or to in prospect.state.field or to in self.targets:
                continue
            if brings <= worth.get(army.place, 0.0):
                continue
            move = Advance(Named.of(army), to, via=(fleet.place,))
            carry = Transport(Named.of(fleet), Named.of(army), to)
            if _may(prospect, move) and _may(prospect, carry):
                tie = prospect.chance(f"convoy {army.place} {fleet.place} {to}")
                yield (
                    brings,
                    tie,
                    to,
                    army,
                    BotOrder(move, BotGoal.TAKE, to),
                    BotOrder(carry, BotGoal.SUPPORT, to),
                )

    def _is_blocked(self, place: PlaceId) -> bool:
        there = self.prospect.state.field.get(place)
        chosen = self.chosen.get(there) if there is not None else None
        return chosen is not None and not isinstance(chosen.order, Advance)


def _planned(prospect: Prospect) -> Iterator[BotOrder]:
    plan = _Plan(prospect).fill()
    yield from plan.values()
    for unit in prospect.units:
        if unit.is_garrison:
            yield _garrison(prospect, unit, plan)


def _garrison(prospect: Prospect, unit: Unit, plan: Mapping[Unit, BotOrder]) -> BotOrder:
    """Come out where nobody threatens; else support who fights around the city, or hold."""
    place, around = unit.place, prospect.state.field.get(unit.place)
    for other, choice in plan.items():
        to = choice.order.to if isinstance(choice.order, Advance) else None
        if place not in (to, other.place) or not prospect.threats[place]:
            continue
        order = Support(Named.of(unit), Named.of(other), to if to == place else None)
        if _may(prospect, order):
            return BotOrder(order, BotGoal.SUPPORT, place)
    is_free = around is None and all(
        not (isinstance(each.order, Advance) and each.order.to == place) for each in plan.values()
    )
    out = Convert(Named.of(unit), Kind.ARMY)
    is_safe = not prospect.threats[place] and place not in prospect.state.sieges
    if is_free and is_safe and _may(prospect, out):
        return BotOrder(out, BotGoal.APPROACH, place)
    return _guard(unit)


_CAMPAIGNS: Mapping[BotPolicy, Callable[[Prospect], Iterator[BotOrder]]] = {
    BotPolicy.HOLD: lambda prospect: map(_guard, prospect.units),
    BotPolicy.GREEDY: _each_by_itself,
    BotPolicy.PLANNER: _planned,
}


# --- ducats ----------------------------------------------------------------------------------

_RESERVE = 3
"""Ducats for each unit that a planner keeps, for its upkeep and against bribes."""
_MAX_EXPENSES = 4


def _expenses(prospect: Prospect, policy: BotPolicy) -> Iterator[BotOrder]:
    """Feed units, put down rebellions, bribe where two years' gain beats the price."""
    if policy is not BotPolicy.PLANNER or not prospect.world.rules.game.money:
        return
    left = prospect.state.treasuries.get(prospect.power, 0)
    reserve = _RESERVE * len(prospect.units) // 2
    number = 1
    ideas = [*_relief(prospect), *_pacifying(prospect), *_bribes(prospect)]
    for gain, expense, goal, at in sorted(ideas, key=lambda each: (-each[0], str(each[1]))):
        price = price_of(prospect.world, prospect.state, expense).ducats
        priced = Expense(number, expense.purpose, price, expense.unit, expense.place)
        is_needed = goal is not BotGoal.BRIBE
        if price > left - (0 if is_needed else reserve) or gain <= price:
            continue
        if not is_within_reach(prospect.world, prospect.state, prospect.power, priced):
            continue
        if not _may(prospect, priced):
            continue
        yield BotOrder(priced, goal, at)
        left -= price
        number += 1
        if number > _MAX_EXPENSES:
            return


_Idea = tuple[float, Expense, BotGoal, PlaceId]


def _relief(prospect: Prospect) -> Iterator[_Idea]:
    """A unit in famine starves in Spring; its place pays nothing."""
    for place in sorted(prospect.state.famine):
        mine = [unit for unit in prospect.state.units_at(place) if unit.owner == prospect.power]
        if mine:
            worth = 3.0 * len(mine) + prospect.gain(place)
            yield worth, Expense(1, Purpose.FAMINE_RELIEF, place=place), BotGoal.FEED, place


def _pacifying(prospect: Prospect) -> Iterator[_Idea]:
    state = prospect.state
    for place in sorted({*state.province_rebellions, *state.city_rebellions}):
        against = (state.province_rebellions.get(place), state.city_rebellions.get(place))
        if prospect.power in against and place not in state.field:
            yield (
                prospect.gain(place),
                Expense(1, Purpose.PACIFY, place=place),
                BotGoal.PACIFY,
                place,
            )


def _bribes(prospect: Prospect) -> Iterator[_Idea]:
    """Buy, or disband, what stands where the power wants to be."""
    for unit in sorted(prospect.state.units(), key=str):
        if unit.owner in prospect.own:
            continue
        gain = prospect.gain(unit.place)
        blocks = prospect.helpers[unit.place] > 0
        bought = Expense(1, Purpose.BUY, unit=Named.of(unit))
        yield gain + 3.0 + (0.0 if blocks else -2.0), bought, BotGoal.BRIBE, unit.place
        if blocks:
            gone = Expense(1, Purpose.DISBAND, unit=Named.of(unit))
            yield gain * 0.6, gone, BotGoal.BRIBE, unit.place


# --- retreats --------------------------------------------------------------------------------


def _retreats(prospect: Prospect, policy: BotPolicy) -> Iterator[BotOrder]:
    taken: set[PlaceId] = set()
    for waiting in prospect.state.dislodged:
        if waiting.unit.owner == prospect.power:
            choice = _way_out(prospect, waiting, taken, policy)
            if isinstance(choice.order, Advance):
                taken.add(choice.order.to)
            yield choice


def _way_out(
    prospect: Prospect, waiting: Dislodged, taken: set[PlaceId], policy: BotPolicy
) -> BotOrder:
    unit = waiting.unit
    worth = prospect.worth_for(unit.kind)
    ways = {s: worth.get(s.place, 0.0) for s in waiting.retreats if s.place not in taken}
    inside = BotOrder(Convert(Named.of(unit), Kind.GARRISON), BotGoal.GUARD, unit.place)
    keeps = (
        waiting.convert and policy is BotPolicy.PLANNER and prospect.state.cities.get(unit.place)
    )
    if waiting.convert and (keeps in prospect.own or not ways) and _may(prospect, inside.order):
        return inside
    spot = _best(prospect, ways, unit)
    if spot is None:
        return BotOrder(Disband(Named.of(unit)), BotGoal.GIVE_UP, unit.place)
    return BotOrder(Advance(Named.of(unit), spot.place, spot.coast), BotGoal.RETREAT, spot.place)


# --- adjustments -----------------------------------------------------------------------------


def _upkeep(prospect: Prospect, policy: BotPolicy) -> Iterator[BotOrder]:
    """Pay for units, the most useful first; raise others of what is left."""
    left = prospect.state.treasuries.get(prospect.power, 0)
    kept = 0
    for unit in _by_use(prospect):
        price = unit.quality.price
        if price <= left:
            left -= price
            kept += 1
            yield BotOrder(Maintain(Named.of(unit)), BotGoal.KEEP, unit.place)
        else:
            yield BotOrder(Remove(Named.of(unit)), BotGoal.GIVE_UP, unit.place)
    if policy is BotPolicy.HOLD:
        return
    room = _room(prospect, kept) if policy is BotPolicy.PLANNER else len(prospect.world.cities)
    price = Quality.PLAIN.price
    for build in _sites(prospect):
        if room <= 0 or price > left:
            return
        left -= price
        room -= 1
        yield BotOrder(build, BotGoal.RAISE, build.place)


def _room(prospect: Prospect, kept: int) -> int:
    """How many more units the fixed income of a year feeds."""
    state, world = prospect.state, prospect.world
    ducats = sum(
        province_income(world, state, place)
        for place, owner in state.provinces.items()
        if owner == prospect.power
    ) + sum(
        city_income(world, state, place)
        for place, owner in state.cities.items()
        if owner == prospect.power
    )
    rolls = world.incomes.homes.get(prospect.power)
    if rolls is not None:
        line, dice = rolls
        faces = world.incomes.lines.get(line, ())
        ducats += dice * sum(faces) // len(faces) if faces else 0
    return ducats // Quality.PLAIN.price - kept + 1


def _by_use(prospect: Prospect) -> list[Unit]:
    """The units, those first that are worth most where they stand."""

    def use(unit: Unit) -> tuple[float, float]:
        worth = prospect.worth_for(unit.kind).get(unit.place, 0.0)
        share = 0.6 if unit.is_garrison and not prospect.threats[unit.place] else 1.0
        return -worth * share, prospect.chance(f"keep {unit.kind.letter} {unit.place}")

    return sorted(prospect.units, key=use)


def _sites(prospect: Prospect) -> list[Build]:
    """The units that may be raised, one at each place, the most useful first."""
    found: list[tuple[float, float, Build]] = []
    for place in sorted(prospect.world.cities):
        builds = [build for build in _builds_at(prospect, place) if _may(prospect, build)]
        rated = [
            (
                prospect.worth_for(build.kind).get(place, 0.0),
                prospect.chance(f"build {build.kind.letter} {place} {build.coast}"),
                build,
            )
            for build in builds
        ]
        if rated:
            found.append(max(rated, key=lambda each: each[:2]))
    return [build for _, _, build in sorted(found, key=lambda each: (-each[0], each[1]))]


def _builds_at(prospect: Prospect, place: PlaceId) -> Iterator[Build]:
    if prospect.state.provinces.get(place) != prospect.power:
        return
    yield Build(Kind.ARMY, place, NO_COAST)
    if prospect.world.is_port(place):
        for spot in prospect.world.harbours(place):
            yield Build(FLEET, place, spot.coast)


def _by_cities(prospect: Prospect, policy: BotPolicy) -> Iterator[BotOrder]:
    """As many units as cities, without money (ADJ-15)."""
    due = units_due(prospect.world, prospect.state, prospect.power)
    if due < 0:
        for unit in _by_use(prospect)[due:]:
            yield BotOrder(Remove(Named.of(unit)), BotGoal.GIVE_UP, unit.place)
    elif policy is not BotPolicy.HOLD:
        for build in _sites(prospect)[:due]:
            yield BotOrder(build, BotGoal.RAISE, build.place)
