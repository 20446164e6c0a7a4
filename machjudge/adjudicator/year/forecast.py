"""Forecast the costs of a power's orders, for the receipt.

Others' orders are ignored, and the position is the player's view. Data only; messages make the
sentences.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from machjudge.adjudicator.battle.setup import GivenOrders, intents, orders_given
from machjudge.adjudicator.dice import GivenDice
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
from machjudge.adjudicator.evolve import Turn, evolve, evolve_all
from machjudge.adjudicator.land.sieges import Intent, enters_city, locks_out
from machjudge.adjudicator.moments import Season, Stage
from machjudge.adjudicator.money.assassins import bar_to_attempt, numbers_of
from machjudge.adjudicator.money.bank import (
    CREDIT,
    debts_of,
    give_before_building,
    owed,
    settle_loans,
)
from machjudge.adjudicator.money.expenses import expenses_of, settle_expenses
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Borrow,
    Convert,
    Disband,
    Expense,
    Hold,
    LiftSiege,
    Order,
    Pay,
    Purpose,
    StrategicMove,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.prices import (
    ATTEMPT,
    BRIBES,
    STEP,
    Price,
    is_within_reach,
    price_of,
    target_unit,
    unit_of_kind,
)
from machjudge.adjudicator.reasons import CityRebels, Forced, HeldInstead, Reason, Removal
from machjudge.adjudicator.rules import SupportTarget
from machjudge.adjudicator.state import Loan, State, View
from machjudge.adjudicator.units import GARRISON, Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.adjustment import Item, adjust, items_of
from machjudge.adjudicator.year.steps import force_taxes

TreasuryEvent = (
    LoanRepaid | GiftGiven | GiftRefused | LoanTaken | LoanRefused | LoanDefaulted | TaxesForced
)


class RemarkSeverity(Enum):
    """The severity of a remark."""

    ERROR = "error"
    WARNING = "warning"
    """Accepted, but it will probably fail or be wasted."""
    NOTICE = "notice"


class RemarkKind(Enum):
    """The kind of a remark, and the meaning of its *ducats*."""

    MONEY_SHORT = "the treasury will not reach"
    """*ducats* will be there."""
    MORE_THAN_OWED = "more than is owed"
    """The bank takes *ducats*."""
    IN_DEBT = "no gifts while in debt"
    """*ducats* are owed."""
    CUT_OFF = "no gifts to an excommunicated power"
    OVER_CREDIT = "above the credit"
    """The bank would lend *ducats*."""
    WILL_DEFAULT = "the loans due cannot be paid"
    """*ducats* are missing."""
    ODD_DUCATS = "counts in steps of three"
    """*ducats* are lost."""
    MORE_THAN_PRICE = "more than the price"
    """*ducats* are lost."""
    WILL_FAIL = "an expense that cannot work"
    """*fate* says why."""
    NONE_SEEN = "an expense on a unit that may stand in the fog"
    OTHER_OWNER = "an expense on a unit of another power than it names"
    REPEATED = "an expense that an earlier one makes needless"
    IF_BOUGHT = "an order for a unit that must be bought first"
    NO_PURCHASE = "an order for a foreign unit without a purchase"
    NO_UNIT = "an order for a unit that is no longer there"
    NOT_THERE = "a support or transport of a unit that is not there"
    NOT_MATCHED = "a support or transport of a unit with another order"
    """*unit* is the one with the other order."""
    NOT_PROVIDED_FOR = "a unit that is neither maintained nor removed"
    BUILDS_LEFT = "builds that are not used"
    """*ducats* of them."""
    FAMINE = "a unit that stays where famine is"
    FAMINE_THERE = "a move to where famine is"
    BOUNCES = "a move into a place that is held for sure"
    """*unit* holds it."""
    DEBT_DUE = "a debt that the bank collects now"
    """*ducats* are due."""
    REFUSED = "an order that the others of the sheet, or the position, rule out"
    """*objection* says why."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on an order, or on a unit without one."""

    severity: RemarkSeverity
    kind: RemarkKind
    order: Order | None = None
    ducats: int = 0
    fate: Fate | None = None
    unit: Unit | None = None
    objection: Reason | None = None


@dataclass(frozen=True, slots=True)
class TreasuryEntry:
    """A bank event or forced tax, and the treasury after it."""

    event: TreasuryEvent
    left: int


@dataclass(frozen=True, slots=True)
class ExpenseEntry:
    """An expense: its price with the doublings, what is paid, and the treasury after it."""

    expense: Expense
    price: Price
    asked: int
    """The ordered ducats, or the price."""
    paid: int
    left: int
    unit: Unit | None
    """The target unit, if it is there."""
    within_reach: bool
    """True if a unit is next to the target, where needed (EXP-27)."""
    fate: Fate
    """The result without others' orders."""


@dataclass(frozen=True, slots=True)
class AdjustmentEntry:
    """A unit maintained, removed or built, and the treasury after it."""

    item: Item
    left: int


Entry = TreasuryEntry | ExpenseEntry | AdjustmentEntry


@dataclass(frozen=True, slots=True)
class Forecast:
    """The money of one phase, in order."""

    treasury: int
    """Ducats before the phase."""
    left: int
    """Ducats after the phase."""
    entries: tuple[Entry, ...]
    debts: tuple[Loan, ...]
    """Debts after the phase, earliest first."""
    remarks: tuple[Remark, ...]


def _unit_remarks(turn: Turn, power: PowerId, *, in_fog: bool) -> Iterator[Remark]:
    """The remarks on a power's orders; units of others must be bought (EXP-24, SYN-12)."""
    bought = {
        target_unit(turn.state, expense)
        for expense in expenses_of(turn, power)
        if expense.purpose is Purpose.BUY
    }
    for order in turn.orders[power]:
        if not isinstance(order, UnitOrder):
            continue
        unit = unit_of_kind(turn.state, order.unit.place, order.unit.kind)
        if unit is None and not in_fog:
            yield Remark(RemarkSeverity.WARNING, RemarkKind.NO_UNIT, order)
        elif not in_fog and _backs_nobody(turn.state, order):
            yield Remark(RemarkSeverity.WARNING, RemarkKind.NOT_THERE, order)
        if unit is None or unit.owner == power:
            continue
        if unit in bought:
            yield Remark(RemarkSeverity.NOTICE, RemarkKind.IF_BOUGHT, order, unit=unit)
        else:
            yield Remark(RemarkSeverity.WARNING, RemarkKind.NO_PURCHASE, order, unit=unit)


def _backs_nobody(state: State, order: Order) -> bool:
    match order:
        case Support(supported=named) | Transport(army=named) if named.kind is not None:
            return unit_of_kind(state, named.place, named.kind) is None
    return False


def _outcome_remarks(after: Turn, power: PowerId) -> Iterator[Remark]:
    """Certain bounces and famine deaths, after the power's own expenses.

    Only others' bribes or relief could change them (MAP-20, MAP-24, MOV-15, FAM-07).
    """
    state = after.state
    given = orders_given(state, {power: after.orders[power]})
    for unit in state.units_of(power):
        order = (given.garrisons if unit.kind is GARRISON else given.afield).get(unit.place)
        goal = order.to if isinstance(order, Advance) else None
        holder = _holder(after, given, unit, goal) if goal is not None else None
        if holder is not None:
            yield Remark(RemarkSeverity.WARNING, RemarkKind.BOUNCES, order, unit=holder)
        if state.moment.campaign.season is not Season.SPRING:
            continue
        if goal in state.famine and holder is None:
            yield Remark(RemarkSeverity.WARNING, RemarkKind.FAMINE_THERE, order, unit=unit)
        stays = not isinstance(order, Advance | StrategicMove | Disband) or holder is not None
        if stays and unit.place in state.famine:
            yield Remark(RemarkSeverity.WARNING, RemarkKind.FAMINE, order, unit=unit)


_STAYING = (Hold, Support, Transport, Besiege, LiftSiege)


def _holder(after: Turn, given: GivenOrders, unit: Unit, goal: PlaceId) -> Unit | None:
    """The unit that surely keeps another of its power out of a place."""
    state = after.state
    if goal in after.world.venice and goal in state.garrisons:
        return state.garrisons[goal]
    other = state.field.get(goal)
    if other is None or other.owner != unit.owner or other == unit:
        return None
    return other if isinstance(given.afield.get(goal), _STAYING) else None


_LEFT_OPEN = (Forced.NO_ORDER, Forced.NO_FLEET)
"""Holds without an order, or dependent on others' fleets."""


def _void_order_remarks(after: Turn, power: PowerId) -> Iterator[Remark]:
    """Orders for own units that fail whatever others do.

    *after* is the turn after the power's own expenses (SIE-04, SIE-10, SIE-14, CNV-06, CNV-14).
    """
    state = after.state
    given = orders_given(state, after.orders)
    own = {unit.place for unit in state.units() if unit.owner == power}
    units = [unit for unit in state.units() if unit.place in own]
    chosen = dict(zip(units, intents(after, given, units), strict=True))
    for unit, intent in chosen.items():
        order = (given.garrisons if unit.kind is GARRISON else given.afield).get(unit.place)
        if unit.owner != power or order is None:
            continue
        conversion = after.world.rules.conversion
        if isinstance(intent, HeldInstead):
            if intent.why not in _LEFT_OPEN:
                yield Remark(RemarkSeverity.WARNING, RemarkKind.REFUSED, order, objection=intent)
        elif enters_city(intent) and locks_out(conversion, state.city_rebellions, unit):
            because = CityRebels(unit.place)
            yield Remark(RemarkSeverity.WARNING, RemarkKind.REFUSED, order, objection=because)
        elif isinstance(order, Support | Transport):
            other = _not_backed(after.world, power, order, chosen)
            if other is not None:
                yield Remark(RemarkSeverity.WARNING, RemarkKind.NOT_MATCHED, order, unit=other)


def _not_backed(
    world: World, power: PowerId, order: Support | Transport, chosen: Mapping[Unit, Intent]
) -> Unit | None:
    """The power's own unit that an order is to back, if it surely does something else.

    A unit without an order may still get the one that fits.
    """
    named = order.army if isinstance(order, Transport) else order.supported
    if isinstance(order, Support) and world.rules.conflict.support_target is SupportTarget.PLACE:
        return None
    for unit, intent in chosen.items():
        if unit.owner != power or isinstance(intent, HeldInstead):
            continue
        is_it = unit.place == named.place and (unit.kind is GARRISON) is (named.kind is GARRISON)
        if is_it and not _fits(world, order, unit, intent):
            return unit
    return None


def _fits(world: World, order: Support | Transport, unit: Unit, intent: UnitOrder) -> bool:
    """Return whether a unit does what a support or transport is for, or may (MOV-09, MOV-13)."""
    goal = intent.to if isinstance(intent, Advance) else None
    if isinstance(order, Transport):
        return goal is not None and order.to in (None, goal)
    if order.to is not None:
        return goal == order.to or isinstance(intent, Convert)
    # A move over a strait may turn out not to be ordered at all (MAP-35).
    is_over_strait = goal is not None and world.strait_leg(unit, goal) is not None
    return is_over_strait or not isinstance(intent, Advance | Convert)


def forecast(
    world: World,
    state: State,
    power: PowerId,
    orders: Sequence[Order],
    received: Mapping[PowerId, int] | None = None,
) -> Forecast:
    """Return the cost of valid orders for *power*, and what is left.

    :param received: ducats that others surely give it; nothing else of theirs counts.
    """
    given = received or {}
    own = tuple(loan for loan in state.loans if loan.power == power)
    alone = replace(state, loans=own, treasuries={**state.treasuries, **given})
    gifts = {giver: (Pay(ducats, power),) for giver, ducats in given.items()}
    turn = Turn(world, {power: tuple(orders), **gifts}, GivenDice({}), alone, alone, ())
    if state.moment.stage is Stage.ADJUSTMENT:
        return _of_adjustment(turn, power)
    return _of_campaign(turn, power)


# --- campaigns -------------------------------------------------------------------------------


def _of_campaign(turn: Turn, power: PowerId) -> Forecast:
    if not (any(turn.orders.values()) or turn.state.loans or turn.state.famine):
        treasury = turn.state.treasuries.get(power, 0)
        return Forecast(treasury, treasury, (), (), ())
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
        *_unit_remarks(turn, power, in_fog=in_fog),
        *_void_order_remarks(replace(turn, state=after), power),
        *_outcome_remarks(replace(turn, state=after), power),
    ]
    return Forecast(
        turn.state.treasuries.get(power, 0),
        after.treasuries.get(power, 0),
        (*_treasury_entries(turn.state, power, at_bank), *expenses),
        tuple(debts_of(after, power)),
        tuple(remarks),
    )


def _treasury_entries(
    state: State, power: PowerId, events: Iterable[Event]
) -> Iterator[TreasuryEntry]:
    for event in events:
        state = evolve(state, event)
        if isinstance(event, TreasuryEvent):
            yield TreasuryEntry(event, state.treasuries.get(power, 0))


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
    state: State, orders: Sequence[Order], power: PowerId, event: Event
) -> Remark | None:
    """A remark on the bank; *state* is the position before the event."""
    warning = RemarkSeverity.WARNING
    match event:
        case PaymentNotNeeded(_, asked, paid):
            still_owed = owed(debts_of(state, power))
            kind = RemarkKind.MONEY_SHORT if still_owed else RemarkKind.MORE_THAN_OWED
            return Remark(warning, kind, _payment(orders, None, asked), paid)
        case GiftGiven(_, to, ducats, asked) if ducats < asked:
            return Remark(warning, RemarkKind.MONEY_SHORT, _payment(orders, to, asked), ducats)
        case GiftRefused(_, to, ducats, "in debt"):
            debt = owed(debts_of(state, power))
            return Remark(warning, RemarkKind.IN_DEBT, _payment(orders, to, ducats), debt)
        case GiftRefused(_, to, ducats, "too few ducats"):
            return Remark(warning, RemarkKind.MONEY_SHORT, _payment(orders, to, ducats))
        case GiftRefused(_, to, ducats, "excommunicated"):
            return Remark(warning, RemarkKind.CUT_OFF, _payment(orders, to, ducats))
        case LoanDefaulted(_, due, seized):
            return Remark(warning, RemarkKind.WILL_DEFAULT, None, due - seized)
        case LoanRepaid(_, _, principal, interest, True):
            return Remark(warning, RemarkKind.DEBT_DUE, None, principal + interest)
        case _:
            return None


def _not_lent(
    state: State, orders: Iterable[Order], event: LoanRefused, before: Iterable[Event]
) -> Remark:
    """The refused loan: of two of one sum, the one whose turn it is (BNK-04)."""
    free = CREDIT - sum(loan.principal for loan in state.loans)
    answered = [
        each
        for each in before
        if (isinstance(each, LoanTaken) and each.principal == event.ducats)
        or (isinstance(each, LoanRefused) and each.ducats == event.ducats)
    ]
    loans = [each for each in orders if isinstance(each, Borrow) and each.ducats == event.ducats]
    order = next(iter(loans[len(answered) :]), None)
    return Remark(RemarkSeverity.WARNING, RemarkKind.OVER_CREDIT, order, max(free, 0))


def _payment(orders: Iterable[Order], to: PowerId | None, ducats: int) -> Pay | None:
    return next((o for o in orders if isinstance(o, Pay) and o == Pay(ducats, to)), None)


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
    """The result of an assassination; earlier attempts have used chits (ASN-01)."""
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
        yield Remark(RemarkSeverity.WARNING, RemarkKind.MONEY_SHORT, order, entry.paid)
    if entry.fate == "no such unit" and in_fog:
        yield Remark(RemarkSeverity.NOTICE, RemarkKind.NONE_SEEN, order)
    elif entry.fate != "done":
        yield Remark(RemarkSeverity.WARNING, RemarkKind.WILL_FAIL, order, entry.paid, entry.fate)
    named = order.unit.owner if order.unit is not None else None
    if entry.unit is not None and named not in (None, entry.unit.owner):
        severity = RemarkSeverity.WARNING
        yield Remark(severity, RemarkKind.OTHER_OWNER, order, unit=entry.unit)
    lost = _lost(entry)
    if lost and entry.fate == "done":
        stepwise = order.purpose in BRIBES or order.purpose is Purpose.COUNTER_BRIBE
        kind = RemarkKind.ODD_DUCATS if stepwise else RemarkKind.MORE_THAN_PRICE
        yield Remark(RemarkSeverity.NOTICE, kind, order, lost)
    if any(_makes_needless(before, entry) for before in earlier):
        yield Remark(RemarkSeverity.WARNING, RemarkKind.REPEATED, order, entry.paid)


def _makes_needless(before: ExpenseEntry, entry: ExpenseEntry) -> bool:
    """Return whether both do the same to one place: two rebellions are one (REB-06)."""
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
    gifts = give_before_building(turn)
    given = replace(turn, state=evolve_all(turn.state, gifts))
    taxes = force_taxes(given)
    taxed = replace(turn, state=evolve_all(given.state, taxes))
    left = taxed.state.treasuries.get(power, 0)
    entries: list[Entry] = [*_treasury_entries(turn.state, power, (*gifts, *taxes))]
    if turn.world.rules.game.money:
        for item in items_of(turn.world, taxed.state, power, turn.orders[power]):
            left -= item.ducats if item.paid else 0
            entries.append(AdjustmentEntry(item, left))
    remarks = (
        *_bank_remarks(turn, power, gifts),
        *(_adjustment_remark(power, event) for event in (*taxes, *adjust(taxed))),
    )
    return Forecast(
        turn.state.treasuries.get(power, 0),
        left,
        tuple(entries),
        tuple(debts_of(turn.state, power)),
        tuple(remark for remark in remarks if remark is not None),
    )


def _adjustment_remark(power: PowerId, event: Event) -> Remark | None:
    match event:
        case AdjustmentFailed(who, order, because, lost) if who == power:
            severity = RemarkSeverity.WARNING if lost else RemarkSeverity.ERROR
            return Remark(severity, RemarkKind.REFUSED, order, lost, objection=because)
        case BuildsWaived(who, count) if who == power:
            return Remark(RemarkSeverity.NOTICE, RemarkKind.BUILDS_LEFT, None, count)
        case UnitRemoved(unit, because) if unit.owner == power and because is not Removal.ORDERED:
            return Remark(RemarkSeverity.WARNING, RemarkKind.NOT_PROVIDED_FOR, unit=unit)
        case _:
            return None
