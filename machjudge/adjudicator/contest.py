"""Bribes that compete for units: which works, and why the others do not (EXP-16 to EXP-23)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.events import Fate
from machjudge.adjudicator.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.orders import Expense, Purpose
from machjudge.adjudicator.prices import BRIBES, STEP, is_within_reach
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Quality, Unit
from machjudge.adjudicator.world import World


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


Keys = Mapping[tuple[PowerId, int], Fate]


def counter_bribes(world: World, state: State, attempts: Iterable[Attempt]) -> Counter[Unit]:
    """The ducats that protect each unit; those of several powers add up (EXP-07, EXP-22)."""
    against: Counter[Unit] = Counter()
    for attempt in attempts:
        unit = attempt.unit
        if attempt.expense.purpose is not Purpose.COUNTER_BRIBE or unit is None:
            continue
        if is_within_reach(world, state, attempt.power, unit.place):
            against[unit] += attempt.weight
    return against


def contest(
    world: World, state: State, attempts: Sequence[Attempt], against: Counter[Unit]
) -> Keys:
    """What becomes of each bribe (EXP-19 to EXP-21)."""
    fates: dict[tuple[PowerId, int], Fate] = {}
    rivals: dict[Unit, list[Attempt]] = defaultdict(list)
    for bribe in attempts:
        if bribe.expense.purpose not in BRIBES:
            continue
        barred = _bar(world, state, bribe)
        if barred is not None:
            fates[bribe.key] = barred
        elif bribe.unit is not None:
            rivals[bribe.unit].append(bribe)
    for unit, bids in rivals.items():
        fates.update(_largest(bids, against[unit]))
    return {**fates, **_beyond_limit(world, state, attempts, fates)}


def _bar(world: World, state: State, bribe: Attempt) -> Fate | None:
    """Why an order cannot be a bribe on that unit and so takes no part (EXP-21)."""
    if bribe.unit is None:
        return "no such unit"
    if bribe.unit.owner == bribe.power and not world.rules.money.self_bribe:
        return "not fitting"
    if not is_within_reach(world, state, bribe.power, bribe.unit.place):
        return "out of reach"
    return None


def _largest(bids: Sequence[Attempt], against: int) -> Keys:
    """Only the largest sum counts; of equal largest none does (EXP-21)."""
    highest = max(bid.weight for bid in bids)
    largest = [bid for bid in bids if bid.weight == highest]
    fates: dict[tuple[PowerId, int], Fate] = {bid.key: "outbid" for bid in bids}
    for bid in largest:
        fates[bid.key] = "tied" if len(largest) > 1 else _alone(bid, against)
    return fates


def _alone(bid: Attempt, against: int) -> Fate:
    """What becomes of the largest bribe (EXP-19, EXP-20, EXP-32)."""
    if not _fits(bid):
        return "not fitting"
    if bid.weight < bid.price:
        return "too small"
    if bid.weight - against < bid.price:
        return "counter-bribed"
    return "done"


def _fits(bid: Attempt) -> bool:
    """Whether the kind of bribe suits the unit and its owner (EXP-32)."""
    unit = bid.unit
    if unit is None:
        return False
    if bid.expense.purpose is Purpose.TO_AUTONOMOUS:
        return unit.is_garrison and unit.owner != AUTONOMOUS
    return bid.expense.purpose is not Purpose.BUY or unit.owner != bid.power


def _beyond_limit(world: World, state: State, attempts: Sequence[Attempt], fates: Keys) -> Keys:
    """The purchases of special units that a power may not have any more (SPC-06, SPC-10)."""
    special = Counter(u.owner for u in state.units() if u.quality is not Quality.PLAIN)
    beyond: dict[tuple[PowerId, int], Fate] = {}
    for bribe in sorted(attempts, key=lambda attempt: attempt.key):
        if not _buys_special(bribe) or fates.get(bribe.key) != "done":
            continue
        if special[bribe.power] >= world.rules.adjustment.special_limit:
            beyond[bribe.key] = "special limit"
        special[bribe.power] += 1
    return beyond


def _buys_special(bribe: Attempt) -> bool:
    special = bribe.unit is not None and bribe.unit.quality is not Quality.PLAIN
    return special and bribe.expense.purpose is Purpose.BUY
