"""Expenses: ducats spent on relief, rebellions and bribes, and what becomes of them (EXP).

Everything here is one simultaneous step, judged on the position before it (EXP-04, EXP-34).  The
attempts of assassins are only paid here; ``assassination`` says what becomes of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeGuard

from machjudge.adjudicator.events import (
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
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.rebellion import all_rebels_gone, rebels_in, uprising
from machjudge.adjudicator.land.sieges import with_lapses
from machjudge.adjudicator.model.moments import Season
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.orders import Expense, Permit, Purpose
from machjudge.adjudicator.model.prices import (
    BRIBES,
    controller_of,
    is_within_reach,
    price_of,
    target_place,
    target_unit,
)
from machjudge.adjudicator.model.reasons import RebellionEnd, Removal
from machjudge.adjudicator.model.rules import Liberation, Overspend
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.contest import Attempt, Fates, contest, counter_bribes


def settle_expenses(turn: Turn) -> Sequence[Event]:
    """Pay all expenses, and carry out those of the kinds a to k (EXP-01, SEQ-02)."""
    paid, attempts = _pay(turn)
    against = counter_bribes(turn.world, turn.state, attempts)
    contested = contest(turn, attempts, against)
    settled = _settle(turn.world, turn.state, attempts, against, contested.fates)
    effects = _effects(turn.world, turn.state, settled, contested.plain)
    happened = [*paid, *contested.thrown, *_void(turn), *settled, *effects]
    return with_lapses(turn.world, turn.state, happened)


def expenses_of(turn: Turn, power: PowerId) -> list[Expense]:
    """A power's expenses by their numbers, without the deleted ones (EXP-01, EXP-03)."""
    written = (order for order in turn.orders.get(power, ()) if isinstance(order, Expense))
    return sorted((e for e in written if e.purpose is not None), key=lambda e: e.number)


def ruined(turn: Turn) -> frozenset[PowerId]:
    """The powers that the bank ruined in this campaign (BNK-10)."""
    return frozenset(event.power for event in turn.so_far if isinstance(event, LoanDefaulted))


def impounded(turn: Turn) -> frozenset[PowerId]:
    """The powers whose expenses the bank made void (BNK-10, SEQ-06)."""
    wasted = turn.world.rules.money.default_wastes_expenses
    return ruined(turn) if wasted else frozenset()


def _pay(turn: Turn) -> tuple[list[ExpensePaid], list[Attempt]]:
    """Take the money in the order of the numbers; what is left is spent (EXP-01, EXP-02)."""
    paid, attempts = [], []
    for power in sorted(set(turn.orders) - impounded(turn) - turn.state.eliminated):
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
"""What an expense gets of what it asks and what is left in the treasury (EXP-02)."""


def _void(turn: Turn) -> list[ExpenseSettled]:
    """A ruined power's expenses are wasted; the bank has its treasury (BNK-10, SEQ-06)."""
    return [
        ExpenseSettled(power, expense, "void: default", 0, 0, target_unit(turn.state, expense))
        for power in sorted(impounded(turn))
        for expense in expenses_of(turn, power)
    ]


# --- what becomes of them --------------------------------------------------------------------


def _settle(
    world: World, state: State, attempts: Sequence[Attempt], against: Counter[Unit], bribes: Fates
) -> list[ExpenseSettled]:
    quiet = _pacified(world, state, attempts)
    settled = []
    for attempt in attempts:
        if attempt.expense.purpose is Purpose.ASSASSINATE:
            continue
        force = attempt.ducats
        if attempt.key in bribes and attempt.unit is not None:
            force = attempt.weight - against[attempt.unit]
        fate = bribes.get(attempt.key) or _plain_fate(world, state, quiet, attempt)
        settled.append(
            ExpenseSettled(attempt.power, attempt.expense, fate, attempt.price, force, attempt.unit)
        )
    return settled


def _pacified(world: World, state: State, attempts: Iterable[Attempt]) -> State:
    """The position without the rebels that are pacified in this step (EXP-34)."""
    quiet = state
    for attempt in attempts:
        place = attempt.expense.place
        if attempt.expense.purpose is not Purpose.PACIFY or place is None:
            continue
        if _plain_fate(world, state, state, attempt) == "done":
            quiet = evolve_all(quiet, [_bought_off(state, place, attempt.power)])
    return quiet


def _bought_off(state: State, place: PlaceId, by: PowerId) -> RebellionEnded:
    return all_rebels_gone(state, place, RebellionEnd.PACIFIED, by)


def _plain_fate(world: World, state: State, quiet: State, attempt: Attempt) -> Fate:
    """What becomes of an expense that is no bribe (EXP-05 to EXP-07, EXP-14)."""
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
        return _cause_fate(world, state, quiet, attempt.power, place)
    calm = purpose is Purpose.PACIFY and not rebels_in(state, place)
    fed = purpose is Purpose.FAMINE_RELIEF and not _feeds(world, state, place)
    return "no effect" if calm or fed else "done"


def _feeds(world: World, state: State, place: PlaceId) -> bool:
    """Whether relief works: against famine, or before it where the rules let it (FAM-08)."""
    return place in state.famine or _forestalls(world, state)


def _forestalls(world: World, state: State) -> bool:
    rules = world.rules
    strikes = rules.game.dice and rules.disaster.famine
    fall = state.moment.season is Season.FALL
    return rules.disaster.early_relief and strikes and fall


def _cause_fate(world: World, state: State, quiet: State, power: PowerId, place: PlaceId) -> Fate:
    """Rebels rise against a power in control, in a place where they can (REB-02, MAP-26)."""
    controller = controller_of(state, place)
    if controller is None or (controller == power and not world.rules.money.self_bribe):
        return "not fitting"
    if world.rules.rebellion.mixed_bar and _is_shared(state, place):
        return "not fitting"
    return "done" if uprising(world, quiet, state, place) is not None else "no effect"


def _is_shared(state: State, place: PlaceId) -> bool:
    """Whether garrison and A/F of a province have different owners, which bars rebels."""
    afield, garrison = state.field.get(place), state.garrisons.get(place)
    return afield is not None and garrison is not None and afield.owner != garrison.owner


# --- what follows from them ------------------------------------------------------------------


def _effects(
    world: World, state: State, settled: Sequence[ExpenseSettled], plain: frozenset[Unit]
) -> list[Event]:
    """What the expenses that work change, each place and unit once (REB-06)."""
    done = [event for event in settled if event.fate == "done"]
    quiet = _calmed(state, done)
    risen = _risen(world, state, evolve_all(state, quiet), done)
    changed = [event for bribe in done for event in _change(bribe)]
    lost = [UnitMadePlain(e.unit.owned_by(e.to)) for e in changed if _is_plain_now(e, plain)]
    happened = [*quiet, *risen, *changed, *lost]
    if world.rules.rebellion.liberation is not Liberation.IMMEDIATE:
        return happened
    return [*happened, *_freed(evolve_all(state, happened), changed)]


def _calmed(state: State, done: Iterable[ExpenseSettled]) -> list[Event]:
    ended: dict[tuple[Purpose, PlaceId], Event] = {}
    for event in done:
        purpose, place = event.expense.purpose, event.expense.place
        if purpose is Purpose.FAMINE_RELIEF and place is not None:
            ended.setdefault((purpose, place), _fed(state, place))
        elif purpose is Purpose.PACIFY and place is not None:
            ended.setdefault((purpose, place), _bought_off(state, place, event.power))
    return list(ended.values())


def _fed(state: State, place: PlaceId) -> Event:
    if place in state.famine:
        return FamineEnded(place, relieved=True)
    return FamineForestalled(place)


def _risen(
    world: World, state: State, quiet: State, done: Iterable[ExpenseSettled]
) -> list[RebellionStarted]:
    places = dict.fromkeys(
        event.expense.place for event in done if event.expense.purpose is Purpose.CAUSE_REBELLION
    )
    risen = (uprising(world, quiet, state, place) for place in places if place is not None)
    return [event for event in risen if event is not None]


def _change(bribe: ExpenseSettled) -> list[UnitRemoved | UnitChangedOwner]:
    purpose, unit = bribe.expense.purpose, bribe.unit
    if unit is None or purpose not in BRIBES:
        return []
    if purpose is Purpose.DISBAND:
        return [UnitRemoved(unit, Removal.BRIBE)]
    return [UnitChangedOwner(unit, bribe.power if purpose is Purpose.BUY else AUTONOMOUS)]


def _is_plain_now(
    event: UnitRemoved | UnitChangedOwner, plain: frozenset[Unit]
) -> TypeGuard[UnitChangedOwner]:
    return isinstance(event, UnitChangedOwner) and event.unit in plain


def _freed(state: State, changed: Iterable[UnitRemoved | UnitChangedOwner]) -> list[RebellionEnded]:
    """Who buys a unit of the power they rise against frees the rebels (REB-30, EXP-35)."""
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
