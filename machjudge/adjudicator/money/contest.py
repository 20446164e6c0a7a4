"""Bribes that compete for units: which works, and why the others do not (EXP-16 to EXP-23)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.events import Fate
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Expense, Purpose
from machjudge.adjudicator.model.prices import BRIBES, STEP, is_within_reach
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


def counter_bribes(world: World, state: State, attempts: Iterable[Attempt]) -> Counter[Unit]:
    """The ducats that protect each unit; those of several powers add up (EXP-07, EXP-22)."""
    against: Counter[Unit] = Counter()
    for attempt in attempts:
        unit = attempt.unit
        if attempt.expense.purpose is not Purpose.COUNTER_BRIBE or unit is None:
            continue
        if is_within_reach(world, state, attempt.power, attempt.expense):
            against[unit] += attempt.weight
    return against


def contest(
    world: World, state: State, attempts: Sequence[Attempt], against: Counter[Unit]
) -> Fates:
    """What becomes of each bribe (EXP-19 to EXP-21)."""
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
        fates.update(_largest(bids, against[unit]))
    won = [bid for bids in rivals.values() for bid in bids if fates[bid.attempt.key] == "done"]
    return {**fates, **_beyond_limit(world, state, won)}


def _bid(world: World, state: State, attempt: Attempt) -> Bid | Fate:
    """The bribe, or why it cannot be one on that unit and so takes no part (EXP-21)."""
    unit = attempt.unit
    if unit is None:
        return "no such unit"
    if unit.owner == attempt.power and not world.rules.money.self_bribe:
        return "not fitting"
    if not is_within_reach(world, state, attempt.power, attempt.expense):
        return "out of reach"
    return Bid(attempt, unit)


def _largest(bids: Sequence[Bid], against: int) -> Fates:
    """Only the largest sum counts; of equal largest none does (EXP-21)."""
    highest = max(bid.weight for bid in bids)
    largest = [bid for bid in bids if bid.weight == highest]
    fates: dict[tuple[PowerId, int], Fate] = {bid.attempt.key: "outbid" for bid in bids}
    for bid in largest:
        fates[bid.attempt.key] = "tied" if len(largest) > 1 else _alone(bid, against)
    return fates


def _alone(bid: Bid, against: int) -> Fate:
    """What becomes of the largest bribe (EXP-19, EXP-20, EXP-32)."""
    if not _fits(bid):
        return "not fitting"
    if bid.weight < bid.attempt.price:
        return "too small"
    if bid.weight - against < bid.attempt.price:
        return "counter-bribed"
    return "done"


def _fits(bid: Bid) -> bool:
    """Whether the kind of bribe suits the unit and its owner (EXP-32)."""
    if bid.attempt.expense.purpose is Purpose.TO_AUTONOMOUS:
        return bid.unit.is_garrison and bid.unit.owner != AUTONOMOUS
    return bid.attempt.expense.purpose is not Purpose.BUY or bid.unit.owner != bid.attempt.power


def _beyond_limit(world: World, state: State, won: Iterable[Bid]) -> Fates:
    """The purchases of special units that a power may not have any more (SPC-06, SPC-10)."""
    special = Counter(u.owner for u in state.units() if u.quality is not Quality.PLAIN)
    beyond: dict[tuple[PowerId, int], Fate] = {}
    for bid in sorted(won, key=lambda bid: bid.attempt.key):
        if bid.attempt.expense.purpose is not Purpose.BUY or bid.unit.quality is Quality.PLAIN:
            continue
        if special[bid.attempt.power] >= world.rules.adjustment.special_limit:
            beyond[bid.attempt.key] = "special limit"
        special[bid.attempt.power] += 1
    return beyond
