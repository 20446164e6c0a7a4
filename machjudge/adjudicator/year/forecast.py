"""What a power's orders will cost and leave, for the receipt: the money counted before the phase.

Everything is judged as if nobody else ordered anything, on the position that its player sees.  Data
only; the sentences are the letters' affair.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from machjudge.adjudicator.events import (
    AdjustmentFailed,
    BuildsWaived,
    Event,
    ExpensePaid,
    ExpenseSettled,
    Fate,
    GiftGiven,
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    LoanTaken,
    PaymentNotNeeded,
    TaxesForced,
    UnitRemoved,
)
from machjudge.adjudicator.events.evolve import evolve, evolve_all
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.dice import GivenDice
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Borrow, Expense, Order, Pay, Purpose
from machjudge.adjudicator.model.prices import (
    ATTEMPT,
    BRIBES,
    STEP,
    is_within_reach,
    price_of,
    target_unit,
)
from machjudge.adjudicator.model.reasons import Removal
from machjudge.adjudicator.model.state import State, View
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.assassination import bar_to_attempt, numbers_of
from machjudge.adjudicator.money.banking import (
    CREDIT,
    debts_of,
    give_before_building,
    owed,
    settle_loans,
)
from machjudge.adjudicator.money.bribes import expenses_of, settle_expenses
from machjudge.adjudicator.year.adjustment import adjust, items_of
from machjudge.adjudicator.year.outlook import (
    AdjustmentEntry,
    BankEntry,
    BankEvent,
    Caution,
    ExpenseEntry,
    Forecast,
    Remark,
    RemarkSeverity,
    TaxEntry,
)
from machjudge.adjudicator.year.taxes import force_taxes
from machjudge.adjudicator.year.unit_remarks import ends_foreseen, kept_back, unit_remarks


def forecast(world: World, state: State, power: PowerId, sheet: Sequence[Order]) -> Forecast:
    """What the orders of *sheet*, all of which stand, will cost *power* and leave it."""
    alone = replace(state, loans=tuple(loan for loan in state.loans if loan.power == power))
    turn = Turn(world, {power: tuple(sheet)}, GivenDice({}), alone, alone, ())
    if state.moment.stage is Stage.ADJUSTMENT:
        return _of_adjustment(turn, power)
    return _of_campaign(turn, power)


# --- campaigns -------------------------------------------------------------------------------


def _of_campaign(turn: Turn, power: PowerId) -> Forecast:
    has_money = turn.world.rules.game.money
    in_fog = isinstance(turn.state, View) and turn.state.in_fog
    at_bank = settle_loans(turn) if has_money else ()
    banked = evolve_all(turn.state, at_bank)
    spending = replace(turn, state=banked, so_far=tuple(at_bank))
    spent = settle_expenses(spending) if has_money else ()
    expenses = list(_expenses(spending, power, spent))
    after = evolve_all(banked, spent)
    remarks = [
        *_bank_remarks(turn, power, at_bank),
        *(
            remark
            for number, entry in enumerate(expenses)
            for remark in _expense_remarks(entry, expenses[:number], in_fog=in_fog)
        ),
        *unit_remarks(turn, power, in_fog=in_fog),
        *kept_back(replace(turn, state=after), power),
        *ends_foreseen(replace(turn, state=after), power),
    ]
    return Forecast(
        turn.state.treasuries.get(power, 0),
        after.treasuries.get(power, 0),
        (*_bank_entries(turn.state, power, at_bank), *expenses),
        tuple(debts_of(after, power)),
        tuple(remarks),
    )


def _bank_entries(state: State, power: PowerId, events: Iterable[Event]) -> Iterator[BankEntry]:
    for event in events:
        state = evolve(state, event)
        if isinstance(event, BankEvent):
            yield BankEntry(event, state.treasuries.get(power, 0))


def _bank_remarks(turn: Turn, power: PowerId, events: Sequence[Event]) -> Iterator[Remark]:
    state = turn.state
    for number, event in enumerate(events):
        remark = _bank_remark(state, turn.orders[power], power, event)
        if isinstance(event, LoanRefused):
            remark = _not_lent(state, turn.orders[power], event, events[:number])
        state = evolve(state, event)
        if remark is not None:
            yield remark


def _bank_remark(
    state: State, sheet: Sequence[Order], power: PowerId, event: Event
) -> Remark | None:
    """What to mind at the bank; *state* is the position before the event."""
    warning = RemarkSeverity.WARNING
    match event:
        case PaymentNotNeeded(_, asked, paid):
            still_owed = owed(debts_of(state, power))
            caution = Caution.MONEY_SHORT if still_owed else Caution.MORE_THAN_OWED
            return Remark(warning, caution, _payment(sheet, None, asked), paid)
        case GiftGiven(_, to, ducats, asked) if ducats < asked:
            return Remark(warning, Caution.MONEY_SHORT, _payment(sheet, to, asked), ducats)
        case GiftRefused(_, to, ducats, "in debt"):
            debt = owed(debts_of(state, power))
            return Remark(warning, Caution.IN_DEBT, _payment(sheet, to, ducats), debt)
        case GiftRefused(_, to, ducats, "too few ducats"):
            return Remark(warning, Caution.MONEY_SHORT, _payment(sheet, to, ducats))
        case GiftRefused(_, to, ducats, "excommunicated"):
            return Remark(warning, Caution.CUT_OFF, _payment(sheet, to, ducats))
        case LoanDefaulted(_, due, seized):
            return Remark(warning, Caution.WILL_DEFAULT, None, due - seized)
        case LoanRepaid(_, _, principal, interest, True):
            return Remark(warning, Caution.DEBT_DUE, None, principal + interest)
        case _:
            return None


def _not_lent(
    state: State, sheet: Iterable[Order], event: LoanRefused, before: Iterable[Event]
) -> Remark:
    """The loan that is not granted: of two of one sum the one whose turn it is (BNK-04)."""
    free = CREDIT - sum(loan.principal for loan in state.loans)
    answered = [
        each
        for each in before
        if (isinstance(each, LoanTaken) and each.principal == event.ducats)
        or (isinstance(each, LoanRefused) and each.ducats == event.ducats)
    ]
    loans = [each for each in sheet if isinstance(each, Borrow) and each.ducats == event.ducats]
    order = next(iter(loans[len(answered) :]), None)
    return Remark(RemarkSeverity.WARNING, Caution.OVER_CREDIT, order, max(free, 0))


def _payment(sheet: Iterable[Order], to: PowerId | None, ducats: int) -> Pay | None:
    return next((o for o in sheet if isinstance(o, Pay) and o == Pay(ducats, to)), None)


# --- expenses --------------------------------------------------------------------------------


def _expenses(turn: Turn, power: PowerId, spent: Sequence[Event]) -> Iterator[ExpenseEntry]:
    world, state = turn.world, turn.state
    paid = {e.number: e for e in spent if isinstance(e, ExpensePaid)}
    fates = {e.expense.number: e.fate for e in spent if isinstance(e, ExpenseSettled)}
    chits = Counter(state.chits.get(power, ()))
    left = state.treasuries.get(power, 0)
    for expense in expenses_of(turn, power):
        price = price_of(world, state, expense)
        asked = price.ducats if expense.ducats is None else expense.ducats
        ducats = paid[expense.number].paid if expense.number in paid else 0
        left -= ducats
        fate = fates.get(expense.number) or _attempt_fate(world, state, expense, chits, ducats)
        yield ExpenseEntry(
            expense,
            price,
            asked,
            ducats,
            left,
            target_unit(state, expense),
            within_reach=is_within_reach(world, state, power, expense),
            fate=fate,
        )


def _attempt_fate(
    world: World, state: State, expense: Expense, chits: Counter[PowerId], ducats: int
) -> Fate:
    """Whether an assassin sets out; the chits that earlier ones used are gone (ASN-01)."""
    victim = expense.power or PowerId("")
    bar = bar_to_attempt(world, state, victim, chits[victim], ducats)
    if bar in (None, "victim eliminated"):
        chits[victim] -= 1
    return bar or "done"


def _expense_remarks(
    entry: ExpenseEntry, earlier: Iterable[ExpenseEntry], *, in_fog: bool
) -> Iterator[Remark]:
    order = entry.expense
    if entry.paid < entry.asked and entry.fate != "void: default":
        yield Remark(RemarkSeverity.WARNING, Caution.MONEY_SHORT, order, entry.paid)
    if entry.fate == "no such unit" and in_fog:
        yield Remark(RemarkSeverity.NOTICE, Caution.NONE_SEEN, order)
    elif entry.fate != "done":
        yield Remark(RemarkSeverity.WARNING, Caution.WILL_FAIL, order, entry.paid, entry.fate)
    lost = _lost(entry)
    if lost and entry.fate == "done":
        stepwise = order.purpose in BRIBES or order.purpose is Purpose.COUNTER_BRIBE
        caution = Caution.ODD_DUCATS if stepwise else Caution.MORE_THAN_PRICE
        yield Remark(RemarkSeverity.NOTICE, caution, order, lost)
    if any(_makes_needless(before, entry) for before in earlier):
        yield Remark(RemarkSeverity.WARNING, Caution.REPEATED, order, entry.paid)


def _makes_needless(before: ExpenseEntry, entry: ExpenseEntry) -> bool:
    """Whether both work and do the same to one place: two rebellions are one (REB-06)."""
    works = before.fate == entry.fate == "done"
    first, second = before.expense, entry.expense
    same = (first.purpose, first.place) == (second.purpose, second.place)
    return works and same and second.place is not None


def _lost(entry: ExpenseEntry) -> int:
    """The ducats that have no effect (EXP-23, ASN-03)."""
    if entry.expense.purpose is Purpose.ASSASSINATE:
        return entry.paid - numbers_of(entry.paid) * ATTEMPT
    if entry.expense.purpose in BRIBES or entry.expense.purpose is Purpose.COUNTER_BRIBE:
        return entry.paid % STEP
    return entry.paid - entry.price.ducats


# --- adjustments -----------------------------------------------------------------------------


def _of_adjustment(turn: Turn, power: PowerId) -> Forecast:
    treasury = turn.state.treasuries.get(power, 0)
    gifts = give_before_building(turn)
    given = replace(turn, state=evolve_all(turn.state, gifts))
    taxes = force_taxes(given)
    taxed = replace(turn, state=evolve_all(given.state, taxes))
    left = taxed.state.treasuries.get(power, 0)
    entries: list[BankEntry | TaxEntry | AdjustmentEntry] = [
        *_bank_entries(turn.state, power, gifts),
        *_tax_entries(given.state, power, taxes),
    ]
    if turn.world.rules.game.money:
        for item in items_of(turn.world, taxed.state, power, turn.orders[power]):
            left -= item.ducats if item.paid else 0
            entries.append(AdjustmentEntry(item, left))
    remarks = (
        *_bank_remarks(turn, power, gifts),
        *(_adjustment_remark(power, event) for event in (*taxes, *adjust(taxed))),
    )
    return Forecast(
        treasury,
        left,
        tuple(entries),
        tuple(debts_of(turn.state, power)),
        tuple(remark for remark in remarks if remark is not None),
    )


def _tax_entries(state: State, power: PowerId, events: Iterable[Event]) -> Iterator[TaxEntry]:
    for event in events:
        state = evolve(state, event)
        if isinstance(event, TaxesForced):
            yield TaxEntry(event, state.treasuries.get(power, 0))


def _adjustment_remark(power: PowerId, event: Event) -> Remark | None:
    match event:
        case AdjustmentFailed(who, order, because, lost) if who == power:
            severity = RemarkSeverity.WARNING if lost else RemarkSeverity.ERROR
            return Remark(severity, Caution.REFUSED, order, lost, objection=because)
        case BuildsWaived(who, count) if who == power:
            return Remark(RemarkSeverity.NOTICE, Caution.BUILDS_LEFT, None, count)
        case UnitRemoved(unit, because) if unit.owner == power and because is not Removal.ORDERED:
            return Remark(RemarkSeverity.WARNING, Caution.NOT_PROVIDED_FOR, unit=unit)
        case _:
            return None
