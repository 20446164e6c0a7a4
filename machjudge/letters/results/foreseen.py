"""The money of a phase before it is played, as a receipt counts it: in the order in which it moves.

Behind each line stands what it leaves in the treasury; no line is wider than 40 columns.
"""

import textwrap
from collections.abc import Iterator

from machjudge.adjudicator.events import (
    GiftGiven,
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    LoanTaken,
)
from machjudge.adjudicator.model.orders import Purpose
from machjudge.adjudicator.model.prices import ATTEMPT, STEP, Price
from machjudge.adjudicator.model.rules import Adjacency
from machjudge.adjudicator.model.units import Quality
from machjudge.adjudicator.money.assassination import numbers_of
from machjudge.adjudicator.year.outlook import (
    AdjustmentEntry,
    BankEntry,
    BankEvent,
    ExpenseEntry,
    Forecast,
)
from machjudge.letters.page.tables import debt_text
from machjudge.letters.wording.notation import PURPOSES, named_text, order_text
from machjudge.letters.wording.words import Words, campaign_words

_LABEL = 32
"""Signs of what is paid, before the column of the treasury."""


def account(words: Words, forecast: Forecast) -> tuple[str, ...]:
    """A power's money: the treasury, what each order costs and leaves, what is owed afterwards."""
    lines = _row("Treasury", forecast.treasury)
    for entry in forecast.entries:
        lines += _entry(words, entry)
    if forecast.entries:
        lines += _row("Left", forecast.left)
    owed = [f"    {debt_text(debt)}" for debt in forecast.debts]
    return (*lines, *(["  You owe the bank then:", *owed] if owed else []))


def _row(label: str, left: int) -> list[str]:
    *above, last = textwrap.wrap(label, _LABEL, subsequent_indent="  ")
    return [*(f"  {line}" for line in above), f"  {last:<{_LABEL}}{left:>5}d"]


def _entry(words: Words, entry: BankEntry | ExpenseEntry | AdjustmentEntry) -> list[str]:
    match entry:
        case BankEntry(event, left):
            return _row(_at_bank(words, event), left)
        case ExpenseEntry():
            label = f"E{entry.expense.number} {entry.asked}d {_deed(words, entry)}"
            details = "; ".join(_details(words, entry))
            return [*_row(label, entry.left), f"    {details}"]
        case AdjustmentEntry(item, left):
            price = f", {item.ducats}d" if item.ducats else ""
            return _row(f"{order_text(words, item.order)}{price}", left)


def _at_bank(words: Words, event: BankEvent) -> str:
    match event:
        case LoanRepaid(_, _, principal, interest, True):
            return f"the bank collects {principal}+{interest}d"
        case LoanRepaid(_, _, principal, interest):
            return f"to the bank {principal}+{interest}d"
        case GiftGiven(_, receiver, ducats):
            return f"to {words.power(receiver)} {ducats}d"
        case GiftRefused(_, receiver):
            return f"to {words.power(receiver)} nothing"
        case LoanTaken(_, principal, interest, due):
            back = f"{principal + interest}d due {campaign_words(due)}"
            return f"borrowed {principal}d, {back}"
        case LoanRefused():
            return "borrowed nothing"
        case LoanDefaulted(_, owed, seized):
            return f"the bank takes {seized}d of {owed}d due now"


# --- expenses --------------------------------------------------------------------------------


def _deed(words: Words, entry: ExpenseEntry) -> str:
    expense = entry.expense
    parts = [PURPOSES[expense.purpose]] if expense.purpose is not None else []
    if entry.unit is not None:
        parts.append(words.whose(entry.unit))
    elif expense.unit is not None:
        parts.append(named_text(words, expense.unit))
    if expense.place is not None:
        parts.append(words.place(expense.place))
    if expense.power is not None:
        parts.append(words.power(expense.power))
    return " ".join(parts)


def _details(words: Words, entry: ExpenseEntry) -> Iterator[str]:
    """The price with its doublings, what is paid where the money is short, the reach."""
    match entry.expense.purpose:
        case Purpose.ASSASSINATE:
            yield _odds(entry.paid)
        case Purpose.COUNTER_BRIBE:
            yield _raised(entry.paid - entry.paid % STEP)
        case _:
            yield _price(entry.price)
    if entry.paid < entry.asked:
        yield f"only {entry.paid}d left for it" if entry.paid else "nothing left for it"
    on = words.world.rules.money.adjacency is not Adjacency.NONE
    if on and entry.expense.purpose is not Purpose.ASSASSINATE:
        yield "a unit is near enough" if entry.within_reach else "NO UNIT IS NEAR ENOUGH"


def _raised(weight: int) -> str:
    return f"raises the price of a bribe by {weight}d" if weight else "raises no price"


def _odds(paid: int) -> str:
    numbers = numbers_of(paid)
    dies_on = {0: "no attempt", 1: "dies on 1", 2: "dies on 1-2", 3: "dies on 1-3"}[numbers]
    return f"{dies_on} of 6" if numbers else f"{dies_on} below {ATTEMPT}d"


_DOUBLED = {Quality.MILITIA: "militia", Quality.PROFESSIONAL: "professionals"}


def _price(price: Price) -> str:
    """``price 48d (12 x2 major city x2 militia)``."""
    factors = ["x2 major city"] if price.major_city else []
    if price.quality in _DOUBLED:
        factors.append(f"x2 {_DOUBLED[price.quality]}")
    doublings = f" ({price.base} {' '.join(factors)})" if factors else ""
    return f"price {price.ducats}d{doublings}"
