"""Expenses: relief, rebellions and bribes, and which of competing bribes succeed (EXP)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

from machjudge.adjudicator.events import (
    DiceThrown,
    Event,
    ExpensePaid,
    ExpenseSettled,
    FamineEnded,
    FamineForestalled,
    Fate,
    LoanDefaulted,
    RebellionEnded,
    RebellionStarted,
    UnitChangedOwner,
    UnitMadePlain,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn, evolve_all
from machjudge.adjudicator.land.rebellions import all_rebels_gone, uprising
from machjudge.adjudicator.land.sieges import with_lapses
from machjudge.adjudicator.moments import Season
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Permit, Purpose
from machjudge.adjudicator.prices import (
    BRIBES,
    STEP,
    controller_of,
    is_within_reach,
    price_of,
    target_place,
    target_unit,
)
from machjudge.adjudicator.reasons import RebellionEnd, Removal
from machjudge.adjudicator.rules import (
    BribeTie,
    CounterBribes,
    Liberation,
    OverLimit,
    Overspend,
    Released,
)
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Quality, Unit
from machjudge.adjudicator.world import World


# Bribes that compete for units: which works, and why the others do not (EXP-16 to EXP-23).
@dataclass(frozen=True, slots=True)
class Attempt:
    """An expense with the ducats behind it."""

    power: PowerId
    expense: Expense
    ducats: int
    """The ducats available (EXP-02)."""
    price: int
    """The price."""
    unit: Unit | None
    """The target unit, if it is there."""
    friends: tuple[PowerId, ...] = ()
    """The powers whose units lend reach to bribes (EXP-29)."""

    @property
    def key(self) -> tuple[PowerId, int]:
        """Return power and number of the expense."""
        return (self.power, self.expense.number)

    @property
    def weight(self) -> int:
        """Return the effective ducats of a bribe or counter-bribe (EXP-23)."""
        return self.ducats - self.ducats % STEP


Fates = Mapping[tuple[PowerId, int], Fate]
"""The result of each bribe, by power and number."""


class Contested(NamedTuple):
    """The results of bribes, and the dice that broke ties."""

    fates: Fates
    thrown: Sequence[DiceThrown]
    plain: frozenset[Unit]
    """The bought special units that become plain."""


def counter_bribes(world: World, state: State, attempts: Iterable[Attempt]) -> Counter[Unit]:
    """Return the protecting ducats of each unit (EXP-07, EXP-22)."""
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
"""The rules for the sum of two counter-bribes."""


Bribe = tuple[Unit, Attempt]
"""A valid bribe in the contest for a unit."""


def contest(turn: Turn, attempts: Sequence[Attempt], against: Counter[Unit]) -> Contested:
    """Return the result of each bribe (EXP-19 to EXP-21)."""
    world, state = turn.world, turn.state
    thrown: list[DiceThrown] = []
    fates: dict[tuple[PowerId, int], Fate] = {}
    rivals: dict[Unit, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.expense.purpose in BRIBES:
            bar = _bar_to_bribe(world, state, attempt)
            if attempt.unit is None or bar is not None:
                fates[attempt.key] = bar or "no such unit"
            else:
                rivals[attempt.unit].append(attempt)
    for unit, bids in rivals.items():
        fates.update({bid.key: "outbid" for bid in bids})
        highest = max(bid.weight for bid in bids)
        largest = [bid for bid in bids if bid.weight == highest]
        if len(largest) > 1:
            fates.update({bid.key: "tied" for bid in largest})
            largest, dice = _without_tie(turn, unit, largest)
            thrown += dice
        for bid in largest:
            fates[bid.key] = _alone(world, unit, bid, against[unit])
    won = [(unit, bid) for unit, bids in rivals.items() for bid in bids if fates[bid.key] == "done"]
    beyond = _beyond_limit(world, state, won)
    if world.rules.special.over_limit is OverLimit.FAIL:
        fates.update({bid.key: "special limit" for _, bid in beyond})
        beyond = []
    plain = frozenset(unit for unit, _ in [*beyond, *_set_free(world, won)])
    return Contested(fates, thrown, plain)


def _bar_to_bribe(world: World, state: State, attempt: Attempt) -> Fate | None:
    """Why a bribe is out of the contest (EXP-21)."""
    if attempt.unit is None:
        return "no such unit"
    if attempt.unit.owner == attempt.power and not world.rules.money.self_bribe:
        return "not fitting"
    through = (attempt.power, *attempt.friends)
    if not any(is_within_reach(world, state, one, attempt.expense) for one in through):
        return "out of reach"
    return None


def _alone(world: World, unit: Unit, bid: Attempt, against: int) -> Fate:
    """The result of the largest bribe (EXP-19, EXP-20, EXP-32)."""
    if not _fits(world, unit, bid):
        return "not fitting"
    if bid.weight < bid.price:
        return "too small"
    return "counter-bribed" if bid.weight - against < bid.price else "done"


def _fits(world: World, unit: Unit, bid: Attempt) -> bool:
    """Return whether the bribe suits the unit and its owner (EXP-13, EXP-32)."""
    committed = unit.is_garrison and unit.owner != AUTONOMOUS
    if bid.expense.purpose is Purpose.TO_AUTONOMOUS:
        return committed
    if bid.expense.purpose is not Purpose.BUY:
        return True
    for_sale = not committed or world.rules.bribes.committed_garrisons
    return for_sale and unit.owner != bid.power


def _beyond_limit(world: World, state: State, won: Iterable[Bribe]) -> list[Bribe]:
    """Purchases beyond the limit of special units (SPC-06, SPC-10, SET-20)."""
    special = Counter(u.owner for u in state.units() if u.quality is not Quality.PLAIN)
    limit = world.special_limit(state.moment.campaign)
    beyond: list[Bribe] = []
    for unit, bid in sorted(won, key=lambda bribe: bribe[1].key):
        if bid.expense.purpose is not Purpose.BUY or unit.quality is Quality.PLAIN:
            continue
        if special[bid.power] >= limit or not world.allows(bid.power, unit.quality):
            beyond.append((unit, bid))
        else:
            special[bid.power] += 1
    return beyond


def _set_free(world: World, won: Iterable[Bribe]) -> list[Bribe]:
    """Bribes on special garrisons that become plain when autonomous (SPC-05, EXP-33)."""
    if world.rules.special.released is Released.KEEP:
        return []
    freed = ((u, bid) for u, bid in won if bid.expense.purpose is Purpose.TO_AUTONOMOUS)
    return [(unit, bid) for unit, bid in freed if unit.quality is not Quality.PLAIN]


# --- equal largest bribes --------------------------------------------------------------------


def _without_tie(
    turn: Turn, unit: Unit, tied: Sequence[Attempt]
) -> tuple[list[Attempt], list[DiceThrown]]:
    """The winner of several equal bribes, if the rules have one (EXP-21)."""
    match turn.world.rules.bribes.tie:
        case BribeTie.MARGIN:
            return _first_alone([(bid.weight - bid.price, bid) for bid in tied]), []
        case BribeTie.DIE if turn.world.rules.game.dice:
            return _thrown_for(turn, unit, tied)
        case _:
            return [], []


def _thrown_for(
    turn: Turn, unit: Unit, tied: Sequence[Attempt]
) -> tuple[list[Attempt], list[DiceThrown]]:
    """The highest throw wins; a power throws once, for the first of its equal bribes."""
    first: dict[PowerId, Attempt] = {}
    for bid in sorted(tied, key=lambda bid: bid.key):
        first.setdefault(bid.power, bid)
    if len(first) == 1:
        return list(first.values()), []
    thrown = [turn.throw(f"bribe {power} {unit.kind.letter} {unit.place}") for power in first]
    ranked = [(die.dice[0], bid) for die, bid in zip(thrown, first.values(), strict=True)]
    return _first_alone(ranked), thrown


def _first_alone(ranked: Sequence[tuple[int, Attempt]]) -> list[Attempt]:
    highest = max(rank for rank, _ in ranked)
    first = [bid for rank, bid in ranked if rank == highest]
    return first if len(first) == 1 else []


# Expenses: ducats spent on relief, rebellions and bribes, and what becomes of them (EXP).
# Everything here is one simultaneous step, judged on the position before it (EXP-04, EXP-34). The
# attempts of assassins are only paid here; ``assassins`` says what becomes of them.
def settle_expenses(turn: Turn) -> Sequence[Event]:
    """Pay all expenses, and carry out those of the kinds a to k (EXP-01, SEQ-02)."""
    paid, attempts = _pay(turn)
    against = counter_bribes(turn.world, turn.state, attempts)
    contested = contest(turn, attempts, against)
    settled = _settle(turn.world, turn.state, attempts, against, contested.fates)
    effects = _effects(turn.world, turn.state, settled, contested.plain)
    events = [*paid, *contested.thrown, *_void(turn), *settled, *effects]
    return with_lapses(turn.world, turn.state, events)


def expenses_of(turn: Turn, power: PowerId) -> list[Expense]:
    """Return a power's expenses by number, without deleted ones (EXP-01, EXP-03)."""
    written = (order for order in turn.orders.get(power, ()) if isinstance(order, Expense))
    return sorted((e for e in written if e.purpose is not None), key=lambda e: e.number)


def defaulters(turn: Turn) -> frozenset[PowerId]:
    """Return the powers in default in this campaign (BNK-10)."""
    return frozenset(event.power for event in turn.so_far if isinstance(event, LoanDefaulted))


def with_void_expenses(turn: Turn) -> frozenset[PowerId]:
    """Return the powers with void expenses (BNK-10, SEQ-06)."""
    wasted = turn.world.rules.money.default_wastes_expenses
    return defaulters(turn) if wasted else frozenset()


def _pay(turn: Turn) -> tuple[list[ExpensePaid], list[Attempt]]:
    """Pay expenses by number; paid ducats are gone (EXP-01, EXP-02)."""
    paid, attempts = [], []
    for power in sorted(set(turn.orders) - with_void_expenses(turn) - turn.state.eliminated):
        left = turn.state.treasuries.get(power, 0)
        friends = _friends_of(turn, power)
        for expense in expenses_of(turn, power):
            price = price_of(turn.world, turn.state, expense).ducats
            asked = price if expense.ducats is None else expense.ducats
            ducats = _AFFORDED[turn.world.rules.money.overspend](asked, left)
            left -= ducats
            paid.append(ExpensePaid(power, expense.number, asked, ducats))
            unit = target_unit(turn.state, expense)
            attempts.append(Attempt(power, expense, ducats, price, unit, friends))
    return paid, attempts


def _friends_of(turn: Turn, power: PowerId) -> tuple[PowerId, ...]:
    """The powers that permit its bribes near their units in this campaign (EXP-29)."""
    if not turn.world.rules.bribes.by_permission:
        return ()
    return tuple(friend for friend in sorted(turn.orders) if Permit(power) in turn.orders[friend])


_AFFORDED: Mapping[Overspend, Callable[[int, int], int]] = {
    Overspend.USE_REST: min,
    Overspend.VOID: lambda asked, left: asked if asked <= left else 0,
}
"""The ducats for an expense, of those asked and left (EXP-02)."""


def _void(turn: Turn) -> list[ExpenseSettled]:
    """A defaulter's expenses are wasted (BNK-10, SEQ-06)."""
    return [
        ExpenseSettled(power, expense, "void: default", 0, 0, target_unit(turn.state, expense))
        for power in sorted(with_void_expenses(turn))
        for expense in expenses_of(turn, power)
    ]


# --- what becomes of them --------------------------------------------------------------------


def _settle(
    world: World, state: State, attempts: Sequence[Attempt], against: Counter[Unit], bribes: Fates
) -> list[ExpenseSettled]:
    pacified = _pacified(world, state, attempts)
    settled = []
    for attempt in attempts:
        if attempt.expense.purpose is Purpose.ASSASSINATE:
            continue
        force = attempt.ducats
        if attempt.key in bribes and attempt.unit is not None:
            force = attempt.weight - against[attempt.unit]
        fate = bribes.get(attempt.key) or _plain_fate(world, state, pacified, attempt)
        settled.append(
            ExpenseSettled(attempt.power, attempt.expense, fate, attempt.price, force, attempt.unit)
        )
    return settled


def _pacified(world: World, state: State, attempts: Iterable[Attempt]) -> State:
    """The position without the rebels that are pacified in this step (EXP-34)."""
    pacified = state
    for attempt in attempts:
        place = attempt.expense.place
        if attempt.expense.purpose is not Purpose.PACIFY or place is None:
            continue
        if _plain_fate(world, state, state, attempt) == "done":
            pacified = evolve_all(pacified, [_bought_off(state, place, attempt.power)])
    return pacified


def _bought_off(state: State, place: PlaceId, by: PowerId) -> RebellionEnded:
    return all_rebels_gone(state, place, RebellionEnd.PACIFIED, by)


def _plain_fate(world: World, state: State, pacified: State, attempt: Attempt) -> Fate:
    """The result of an expense other than a bribe (EXP-05 to EXP-07, EXP-14)."""
    place = target_place(attempt.expense)
    counter = attempt.expense.purpose is Purpose.COUNTER_BRIBE
    if place is None or (counter and attempt.unit is None):
        return "no such unit"
    if not is_within_reach(world, state, attempt.power, attempt.expense):
        return "out of reach"
    if attempt.ducats < attempt.price:
        return "too small"
    purpose = attempt.expense.purpose
    if purpose is Purpose.CAUSE_REBELLION:
        return _cause_fate(world, state, pacified, attempt.power, place)
    calm = purpose is Purpose.PACIFY and not state.has_rebels(place)
    fed = purpose is Purpose.FAMINE_RELIEF and not _feeds(world, state, place)
    return "no effect" if calm or fed else "done"


def _feeds(world: World, state: State, place: PlaceId) -> bool:
    """Return whether relief works: against famine, or before it by the rules (FAM-08)."""
    rules = world.rules
    strikes = rules.game.dice and rules.disaster.famine and state.moment.season is Season.FALL
    return place in state.famine or (rules.disaster.early_relief and strikes)


def _cause_fate(
    world: World, state: State, pacified: State, power: PowerId, place: PlaceId
) -> Fate:
    """Rebels rise against a power in control, in a place where they can (REB-02, MAP-26)."""
    controller = controller_of(state, place)
    if controller is None or (controller == power and not world.rules.money.self_bribe):
        return "not fitting"
    if world.rules.rebellion.mixed_bar and _is_shared(state, place):
        return "not fitting"
    return "done" if uprising(world, pacified, state, place) is not None else "no effect"


def _is_shared(state: State, place: PlaceId) -> bool:
    """Return whether garrison and A/F have different owners, which bars rebels."""
    afield, garrison = state.field.get(place), state.garrisons.get(place)
    return afield is not None and garrison is not None and afield.owner != garrison.owner


# --- what follows from them ------------------------------------------------------------------


def _effects(
    world: World, state: State, settled: Sequence[ExpenseSettled], plain: frozenset[Unit]
) -> list[Event]:
    """The changes by successful expenses, each place and unit once (REB-06)."""
    done = [event for event in settled if event.fate == "done"]
    ended: dict[tuple[Purpose, PlaceId], Event] = {}
    for event in done:
        purpose, place = event.expense.purpose, event.expense.place
        if purpose is Purpose.FAMINE_RELIEF and place is not None:
            ended.setdefault((purpose, place), _fed(state, place))
        elif purpose is Purpose.PACIFY and place is not None:
            ended.setdefault((purpose, place), _bought_off(state, place, event.power))
    calmed = list(ended.values())
    risen = _risen(world, state, evolve_all(state, calmed), done)
    changed = [event for bribe in done for event in _change(bribe)]
    lost = [
        UnitMadePlain(event.unit.owned_by(event.to))
        for event in changed
        if isinstance(event, UnitChangedOwner) and event.unit in plain
    ]
    events = [*calmed, *risen, *changed, *lost]
    if world.rules.rebellion.liberation is not Liberation.IMMEDIATE:
        return events
    return [*events, *_freed(evolve_all(state, events), changed)]


def _fed(state: State, place: PlaceId) -> Event:
    if place in state.famine:
        return FamineEnded(place, relieved=True)
    return FamineForestalled(place)


def _risen(
    world: World, state: State, pacified: State, done: Iterable[ExpenseSettled]
) -> list[RebellionStarted]:
    places = dict.fromkeys(
        event.expense.place for event in done if event.expense.purpose is Purpose.CAUSE_REBELLION
    )
    risen = (uprising(world, pacified, state, place) for place in places if place is not None)
    return [event for event in risen if event is not None]


def _change(bribe: ExpenseSettled) -> list[UnitRemoved | UnitChangedOwner]:
    purpose, unit = bribe.expense.purpose, bribe.unit
    if unit is None or purpose not in BRIBES:
        return []
    if purpose is Purpose.DISBAND:
        return [UnitRemoved(unit, Removal.BRIBE)]
    return [UnitChangedOwner(unit, bribe.power if purpose is Purpose.BUY else AUTONOMOUS)]


def _freed(state: State, changed: Iterable[UnitRemoved | UnitChangedOwner]) -> list[RebellionEnded]:
    """Buying a unit of the rebels' target frees them (REB-30, EXP-35)."""
    freed: dict[PlaceId, RebellionEnded] = {}
    for event in changed:
        if isinstance(event, UnitChangedOwner) and event.to != AUTONOMOUS:
            place, seller = event.unit.place, event.unit.owner
            targets = (state.province_rebellions.get(place), state.city_rebellions.get(place))
            if seller in targets:
                freed.setdefault(
                    place, all_rebels_gone(state, place, RebellionEnd.BOUGHT, event.to)
                )
    return list(freed.values())
