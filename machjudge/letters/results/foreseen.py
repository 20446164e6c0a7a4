"""The money of a phase before it is played, as a receipt counts it: in the order in which it moves.

Behind each line stands what it leaves in the treasury; no line is wider than 40 columns.
"""

from machjudge.adjudicator.events import (
    GiftGiven,
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    LoanTaken,
)
from machjudge.adjudicator.model.orders import Purpose
from machjudge.adjudicator.model.prices import ATTEMPT, STEP
from machjudge.adjudicator.model.rules import Adjacency
from machjudge.adjudicator.money.assassination import deadly_faces
from machjudge.adjudicator.year.outlook import (
    AdjustmentEntry,
    BankEntry,
    BankEvent,
    Entry,
    ExpenseEntry,
    Forecast,
    TaxEntry,
)
from machjudge.letters.page.standings import debt_text
from machjudge.letters.wording.notation import PURPOSES, named_text, order_text
from machjudge.letters.wording.words import Words, campaign_words
from machjudge.sentence import Sentence, Wording, joined, phrase


def account(words: Words, forecast: Forecast) -> tuple[Sentence, ...]:
    """A power's money: the treasury, what each order costs and leaves, what is owed afterwards."""
    lines = [_row(Sentence("money.treasury"), forecast.treasury)]
    for entry in forecast.entries:
        lines += _entry(words, entry)
    if forecast.entries:
        lines.append(_row(Sentence("money.left"), forecast.left))
    if forecast.debts:
        debts = tuple(debt_text(debt) for debt in forecast.debts)
        lines.append(Sentence("money.owed", debts=debts))
    return tuple(lines)


def _row(label: Wording, left: int) -> Sentence:
    return Sentence("money.row", label=label, left=left)


def _step(label: Wording, left: int) -> Sentence:
    return Sentence("money.step", label=label, left=left)


def _entry(words: Words, entry: Entry) -> tuple[Sentence, ...]:
    match entry:
        case BankEntry(event, left):
            return (_step(_at_bank(words, event), left),)
        case ExpenseEntry():
            begins = f"E{entry.expense.number} {entry.asked}d"
            label = phrase("{} {}", begins, _deed(words, entry))
            return (_step(label, entry.left), _details(words, entry))
        case TaxEntry(event, left):
            place, ducats = words.place(event.place), event.ducats
            return (_step(Sentence("results.taxes_forced", place=place, ducats=ducats), left),)
        case AdjustmentEntry(item, left):
            price = f", {item.ducats}d" if item.ducats else ""
            label = phrase("{}{}", order_text(words, item.order), price)
            if price and not item.paid:
                return (Sentence("money.unpaid", label=label),)
            return (_step(label, left),)


def _at_bank(words: Words, event: BankEvent) -> Sentence:
    match event:
        case LoanRepaid(_, _, principal, interest, collected):
            key = "money.collected" if collected else "money.repaid"
            return Sentence(key, ducats=principal, interest=interest)
        case GiftGiven(_, receiver, ducats):
            return Sentence("money.gift", power=words.power(receiver), ducats=ducats)
        case GiftRefused(_, receiver):
            return Sentence("money.gift", power=words.power(receiver), ducats=0)
        case LoanTaken(_, principal, interest, due):
            back, when = principal + interest, campaign_words(due)
            return Sentence("money.borrowed", ducats=principal, back=back, due=when)
        case LoanRefused():
            return Sentence("money.borrowed_nothing")
        case LoanDefaulted(_, owed, seized):
            return Sentence("money.defaulted", seized=seized, owed=owed)


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
    return joined(" ", parts)


def _details(words: Words, entry: ExpenseEntry) -> Sentence:
    """The price with its doublings, what is paid where the money is short, the reach."""
    on = words.world.rules.money.adjacency is not Adjacency.NONE
    has_reach = on and entry.expense.purpose is not Purpose.ASSASSINATE
    return Sentence(
        "money.details",
        price=_price(entry),
        paid=entry.paid if entry.paid < entry.asked else None,
        is_near=entry.within_reach if has_reach else None,
    )


def _price(entry: ExpenseEntry) -> Sentence:
    price = entry.price
    match entry.expense.purpose:
        case Purpose.ASSASSINATE:
            return Sentence(
                "money.odds", faces=deadly_faces(entry.expense, entry.paid), attempt=ATTEMPT
            )
        case Purpose.COUNTER_BRIBE:
            return Sentence("money.raised", ducats=entry.paid - entry.paid % STEP)
        case _:
            return Sentence(
                "money.price",
                ducats=price.ducats,
                base=price.base,
                major_city=price.major_city,
                quality=price.quality.name.lower(),
                factor=price.factor,
            )
