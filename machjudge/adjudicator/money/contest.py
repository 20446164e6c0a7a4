"""Bribes that compete for units: which works, and why the others do not (EXP-16 to EXP-23)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

from machjudge.adjudicator.events import DiceThrown, Fate
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.dice import Throw
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Expense, Purpose
from machjudge.adjudicator.model.prices import BRIBES, STEP, is_within_reach
from machjudge.adjudicator.model.rules import BribeTie, CounterBribes, OverLimit, Released
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Quality, Unit
from machjudge.adjudicator.model.world import World


@dataclass(frozen=True, slots=True)
class Attempt:
    """An expense with the ducats behind it."""

    power: PowerId
    expense: Expense
    ducats: int
    """What the treasury had for it (EXP-02)."""
    price: int
    """What it must reach."""
    unit: Unit | None
    """The unit aimed at, if it is there."""
    friends: tuple[PowerId, ...] = ()
    """The powers that lend the reach of their units to bribes (EXP-29)."""

    @property
    def key(self) -> tuple[PowerId, int]:
        """Whose expense it is, and its number."""
        return (self.power, self.expense.number)

    @property
    def weight(self) -> int:
        """The ducats that count for a bribe or counter-bribe (EXP-23)."""
        return self.ducats - self.ducats % STEP


@dataclass(frozen=True, slots=True)
class Bid:
    """A bribe that takes part in the contest for a unit."""

    attempt: Attempt
    unit: Unit

    @property
    def weight(self) -> int:
        """The ducats that count."""
        return self.attempt.weight


Fates = Mapping[tuple[PowerId, int], Fate]
"""What becomes of each bribe, by power and number."""


class Contested(NamedTuple):
    """What becomes of the bribes, and the dice that decided between equal ones."""

    fates: Fates
    thrown: Sequence[DiceThrown]
    plain: frozenset[Unit]
    """The special units, as they are, that become plain with their new owner."""


def counter_bribes(world: World, state: State, attempts: Iterable[Attempt]) -> Counter[Unit]:
    """The ducats that protect each unit (EXP-07, EXP-22)."""
    against: Counter[Unit] = Counter()
    together = _TOGETHER[world.rules.bribes.counter]
    for attempt in attempts:
        unit = attempt.unit
        if attempt.expense.purpose is not Purpose.COUNTER_BRIBE or unit is None:
            continue
        if is_within_reach(world, state, attempt.power, attempt.expense):
            against[unit] = together(against[unit], attempt.weight)
    return against


_TOGETHER: Mapping[CounterBribes, Callable[[int, int], int]] = {
    CounterBribes.SUM: add,
    CounterBribes.LARGEST: max,
}
"""What two counter-bribes for one unit count together."""


def contest(turn: Turn, attempts: Sequence[Attempt], against: Counter[Unit]) -> Contested:
    """What becomes of each bribe (EXP-19 to EXP-21)."""
    world, state = turn.world, turn.state
    thrown: list[DiceThrown] = []
    fates: dict[tuple[PowerId, int], Fate] = {}
    rivals: dict[Unit, list[Bid]] = defaultdict(list)
    for attempt in attempts:
        if attempt.expense.purpose not in BRIBES:
            continue
        bid = _bid(world, state, attempt)
        if isinstance(bid, Bid):
            rivals[bid.unit].append(bid)
        else:
            fates[attempt.key] = bid
    for unit, bids in rivals.items():
        fates.update({bid.attempt.key: "outbid" for bid in bids})
        largest = _largest(bids)
        tied = len(largest) > 1
        if tied:
            fates.update({bid.attempt.key: "tied" for bid in largest})
            largest, dice = _without_tie(turn, largest)
            thrown += dice
        for bid in largest:
            fates[bid.attempt.key] = _alone(world, bid, against[unit])
    won = [bid for bids in rivals.values() for bid in bids if fates[bid.attempt.key] == "done"]
    beyond = _beyond_limit(world, state, won)
    if world.rules.special.over_limit is OverLimit.FAIL:
        fates.update({bid.attempt.key: "special limit" for bid in beyond})
        beyond = []
    return Contested(
        fates, thrown, frozenset(bid.unit for bid in [*beyond, *_set_free(world, won)])
    )


def _bid(world: World, state: State, attempt: Attempt) -> Bid | Fate:
    """The bribe, or why it cannot be one on that unit and so takes no part (EXP-21)."""
    unit = attempt.unit
    if unit is None:
        return "no such unit"
    if unit.owner == attempt.power and not world.rules.money.self_bribe:
        return "not fitting"
    through = (attempt.power, *attempt.friends)
    if not any(is_within_reach(world, state, one, attempt.expense) for one in through):
        return "out of reach"
    return Bid(attempt, unit)


def _largest(bids: Sequence[Bid]) -> list[Bid]:
    """The bribes of the largest sum: of others none counts (EXP-21)."""
    highest = max(bid.weight for bid in bids)
    return [bid for bid in bids if bid.weight == highest]


def _alone(world: World, bid: Bid, against: int) -> Fate:
    """What becomes of the largest bribe (EXP-19, EXP-20, EXP-32)."""
    if not _fits(world, bid):
        return "not fitting"
    if bid.weight < bid.attempt.price:
        return "too small"
    if bid.weight - against < bid.attempt.price:
        return "counter-bribed"
    return "done"


def _fits(world: World, bid: Bid) -> bool:
    """Whether the kind of bribe suits the unit and its owner (EXP-13, EXP-32)."""
    unit, purpose = bid.unit, bid.attempt.expense.purpose
    committed = unit.is_garrison and unit.owner != AUTONOMOUS
    if purpose is Purpose.TO_AUTONOMOUS:
        return committed
    if purpose is not Purpose.BUY:
        return True
    for_sale = not committed or world.rules.bribes.committed_garrisons
    return for_sale and unit.owner != bid.attempt.power


def _beyond_limit(world: World, state: State, won: Iterable[Bid]) -> list[Bid]:
    """The purchases of special units that a power may not have (SPC-06, SPC-10, SET-20)."""
    special = Counter(u.owner for u in state.units() if u.quality is not Quality.PLAIN)
    limit = world.special_limit(state.moment.campaign)
    beyond: list[Bid] = []
    for bid in sorted(won, key=lambda bid: bid.attempt.key):
        power, quality = bid.attempt.power, bid.unit.quality
        if bid.attempt.expense.purpose is not Purpose.BUY or quality is Quality.PLAIN:
            continue
        if special[power] >= limit or not world.allows(power, quality):
            beyond.append(bid)
        else:
            special[power] += 1
    return beyond


def _set_free(world: World, won: Iterable[Bid]) -> list[Bid]:
    """The bribes on special garrisons that lose their kind as nobody's units (SPC-05, EXP-33)."""
    if world.rules.special.released is Released.KEEP:
        return []
    freed = (bid for bid in won if bid.attempt.expense.purpose is Purpose.TO_AUTONOMOUS)
    return [bid for bid in freed if bid.unit.quality is not Quality.PLAIN]


# --- equal largest bribes --------------------------------------------------------------------


def _without_tie(turn: Turn, tied: Sequence[Bid]) -> tuple[list[Bid], list[DiceThrown]]:
    """The one of several equal bribes that counts, if the rules let one count (EXP-21)."""
    match turn.world.rules.bribes.tie:
        case BribeTie.MARGIN:
            return _first_alone([(bid.weight - bid.attempt.price, bid) for bid in tied]), []
        case BribeTie.DIE if turn.world.rules.game.dice:
            return _thrown_for(turn, tied)
        case _:
            return [], []


def _thrown_for(turn: Turn, tied: Sequence[Bid]) -> tuple[list[Bid], list[DiceThrown]]:
    """Each power throws for its bribe, of several equal ones for the first: the highest counts."""
    first: dict[PowerId, Bid] = {}
    for bid in sorted(tied, key=lambda bid: bid.attempt.key):
        first.setdefault(bid.attempt.power, bid)
    if len(first) == 1:
        return list(first.values()), []
    thrown = [_thrown(turn, bid) for bid in first.values()]
    ranked = [(die.dice[0], bid) for die, bid in zip(thrown, first.values(), strict=True)]
    return _first_alone(ranked), thrown


def _thrown(turn: Turn, bid: Bid) -> DiceThrown:
    unit = bid.unit
    throw = Throw(f"bribe {bid.attempt.power} {unit.kind.letter} {unit.place}")
    return DiceThrown(throw.purpose, turn.dice.roll(throw))


def _first_alone(ranked: Sequence[tuple[int, Bid]]) -> list[Bid]:
    """The bid that ranks above all others, or none."""
    highest = max(rank for rank, _ in ranked)
    first = [bid for rank, bid in ranked if rank == highest]
    return first if len(first) == 1 else []
