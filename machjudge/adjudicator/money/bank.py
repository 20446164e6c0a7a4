"""The bank and gifts between powers: repay, give, borrow, and what falls due (BNK-06)."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from machjudge.adjudicator.events import (
    Event,
    Excommunicated,
    GiftGiven,
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    LoanTaken,
    PaymentNotNeeded,
)
from machjudge.adjudicator.evolve import Turn, evolve_all
from machjudge.adjudicator.moments import Stage, next_campaign
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Borrow, Excommunicate, Order, Pay
from machjudge.adjudicator.rules import AdjustmentSeason, Ban, Overspend
from machjudge.adjudicator.state import Loan, State
from machjudge.adjudicator.world import World


# Excommunication: what the Papacy may keep from a power in the next campaign (BNK-22).
def excommunicate(turn: Turn) -> Sequence[Event]:
    """Return the bans of this campaign, for the next one."""
    during = next_campaign(turn.state.moment.campaign, summer=turn.world.rules.game.summer)
    bans = [
        Excommunicated(order.power, power, during)
        for power, order in turn.orders_of(Excommunicate)
        if order.banned
    ]
    return sorted(bans, key=lambda ban: (ban.by, ban.victim))


def is_cut_off(world: World, state: State, power: PowerId, *, by: Ban) -> bool:
    """Return whether a power is excommunicated now, where the rules have that ban.

    An adjustment in Spring is part of its campaign.
    """
    now = state.moment.campaign
    in_spring = world.rules.game.adjustment_season is AdjustmentSeason.SPRING
    if state.moment.stage is Stage.ADJUSTMENT and in_spring:
        now = next_campaign(now, summer=world.rules.game.summer)
    return world.rules.orders.ban is by and state.excommunicated.get(power) == now


# The bank and gifts between powers: repay, give, borrow, and what falls due (BNK-06). Each of the
# four parts is simultaneous for all powers and sees what the part before it left.
CREDIT = 25
"""The most ducats of principal that a power may owe (BNK-01)."""

RATES = {1: 20, 2: 50}
"""Per cent of interest by the years of a loan (BNK-02)."""


def settle_loans(turn: Turn) -> Sequence[Event]:
    """The bank's step: pay the bank, pay powers, borrow, collect (BNK-06, SEQ-02)."""
    events: list[Event] = []
    state = turn.state
    for settle in (_repay, _give, _borrow, _collect):
        settled = settle(turn, state)
        state = evolve_all(state, settled)
        events.extend(settled)
    return events


def give_before_building(turn: Turn) -> Sequence[Event]:
    """Gifts of the adjustment, before anything is paid in it (BNK-23)."""
    return _give(turn, turn.state)


def interest_on(ducats: int, years: int) -> int:
    """The interest of a loan for 1 or 2 *years*, in ducats, rounded up (BNK-02)."""
    return -(-ducats * RATES[years] // 100)


def debts_of(state: State, power: PowerId) -> list[Loan]:
    """Return a power's debts, earliest first; one line for each campaign (BNK-05)."""
    own = sorted((ln for ln in state.loans if ln.power == power), key=lambda ln: ln.due)
    lines = [(due, list(loans)) for due, loans in groupby(own, key=lambda loan: loan.due)]
    return [
        Loan(power, sum(ln.principal for ln in same), sum(ln.interest for ln in same), due)
        for due, same in lines
    ]


def repayments(debts: Sequence[Loan], ducats: int, *, collected: bool) -> list[LoanRepaid]:
    """Return the repayment of *debts* by *ducats*: in each line interest first (BNK-05)."""
    paid = []
    for debt in debts:
        interest = min(debt.interest, ducats)
        principal = min(debt.principal, ducats - interest)
        ducats -= interest + principal
        if interest or principal:
            paid.append(LoanRepaid(debt.power, debt.due, principal, interest, collected))
    return paid


def owed(debts: Sequence[Loan]) -> int:
    """Return principal and interest together, in ducats."""
    return sum(debt.principal + debt.interest for debt in debts)


def _orders(turn: Turn, state: State) -> list[tuple[PowerId, Order]]:
    """The orders of living powers in order of writing, without withdrawn ones."""
    return [
        (power, order)
        for power in sorted(turn.orders)
        if power not in state.eliminated
        for order in turn.orders[power]
        if not (isinstance(order, Pay | Borrow) and order.ducats == 0)
    ]


def _repay(turn: Turn, state: State) -> list[Event]:
    """Payments to the bank, up to the debt and the treasury (BNK-05, BNK-19)."""
    events: list[Event] = []
    for power, order in _orders(turn, state):
        if not isinstance(order, Pay) or order.to is not None:
            continue
        debts = debts_of(state, power)
        paid = min(order.ducats, owed(debts), state.treasuries.get(power, 0))
        events.extend(repayments(debts, paid, collected=False))
        if paid < order.ducats:
            events.append(PaymentNotNeeded(power, order.ducats, paid))
    return events


def _give(turn: Turn, state: State) -> list[Event]:
    """Gifts out of the treasury before this part (BNK-07, BNK-08, BNK-18)."""
    events: list[Event] = []
    left = dict(state.treasuries)
    whole = turn.world.rules.money.overspend is Overspend.VOID
    for giver, order in _orders(turn, state):
        if not isinstance(order, Pay) or order.to is None:
            continue
        if order.to in state.eliminated:
            events.append(GiftRefused(giver, order.to, order.ducats, "eliminated"))
        elif is_cut_off(turn.world, state, order.to, by=Ban.NO_MONEY):
            events.append(GiftRefused(giver, order.to, order.ducats, "excommunicated"))
        elif debts_of(state, giver) and not turn.world.rules.money.debtor_may_give:
            events.append(GiftRefused(giver, order.to, order.ducats, "in debt"))
        elif whole and order.ducats > left.get(giver, 0):
            events.append(GiftRefused(giver, order.to, order.ducats, "too few ducats"))
        else:
            given = min(order.ducats, left.get(giver, 0))
            left[giver] = left.get(giver, 0) - given
            events.append(GiftGiven(giver, order.to, given, order.ducats))
    return events


def _borrow(turn: Turn, state: State) -> list[Event]:
    """New loans, each only if the whole of it fits the credit left (BNK-01, BNK-04, BNK-20)."""
    events: list[Event] = []
    now = turn.start.moment.campaign
    principal: Counter[PowerId] = Counter()
    for loan in state.loans:
        principal[loan.power] += loan.principal
    for power, order in _orders(turn, state):
        if not isinstance(order, Borrow):
            continue
        if power in state.defaulted:
            events.append(LoanRefused(power, order.ducats, "defaulted"))
        elif principal[power] + order.ducats > CREDIT:
            events.append(LoanRefused(power, order.ducats, "limit"))
        else:
            principal[power] += order.ducats
            interest = interest_on(order.ducats, order.years)
            events.append(LoanTaken(power, order.ducats, interest, now.years_later(order.years)))
    return events


def _collect(turn: Turn, state: State) -> list[Event]:
    """Collect due loans; a power that cannot pay all is ruined (BNK-03, BNK-10).

    Where a default does not void expenses, the treasury stays too.
    """
    events: list[Event] = []
    seizes = turn.world.rules.money.default_wastes_expenses
    now = turn.start.moment.campaign
    for power in sorted({loan.power for loan in state.loans}):
        due = [debt for debt in debts_of(state, power) if not now < debt.due]
        treasury = state.treasuries.get(power, 0)
        if owed(due) <= treasury:
            events.extend(repayments(due, treasury, collected=True))
        else:
            events.append(LoanDefaulted(power, owed(due), treasury if seizes else 0))
    return events
