"""Expenses as people read them: what was paid, for what, and what became of it.

That money left a treasury and that an expense was settled are two events, for everything is paid
before anything takes effect; a reader gets both in one sentence.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from machjudge.adjudicator.events import Event, ExpensePaid, ExpenseSettled
from machjudge.letters.notation import PURPOSES, named_text
from machjudge.letters.words import Words, ducats


@dataclass(frozen=True, slots=True)
class Spent:
    """An expense with its payment; none where a ruined power paid nothing (BNK-10)."""

    settled: ExpenseSettled
    paid: ExpensePaid | None


def with_payments(events: Iterable[Event]) -> Iterator[Event | Spent]:
    """The events in their order, each expense that is settled together with its payment."""
    paid: dict[tuple[str, int], ExpensePaid] = {}
    for event in events:
        if isinstance(event, ExpensePaid):
            paid[event.power, event.number] = event
        elif isinstance(event, ExpenseSettled):
            yield Spent(event, paid.get((event.power, event.expense.number)))
        else:
            yield event


def expense_told(words: Words, spent: Spent) -> str:
    """The sentence: ``Florence: E1 buy A Bologna (Papacy), 18 ducats: done.`` and the like."""
    settled = spent.settled
    expense = settled.expense
    about = f"E{expense.number} {PURPOSES[expense.purpose]}" if expense.purpose else "expense"
    about += _target(words, settled)
    return f"{words.power(settled.power)}: {about}, {_payment(spent.paid)}: {_fate(settled)}."


def _target(words: Words, settled: ExpenseSettled) -> str:
    expense = settled.expense
    if settled.unit is not None:
        return f" {words.whose(settled.unit)}"
    if expense.unit is not None:
        return f" {named_text(words, expense.unit)}"
    if expense.place is not None:
        return f" {words.place(expense.place)}"
    return f" {words.power(expense.power)}" if expense.power is not None else ""


def _payment(paid: ExpensePaid | None) -> str:
    if paid is None:
        return "nothing paid"
    short = f" (of {paid.asked} ordered)" if paid.paid < paid.asked else ""
    return f"{ducats(paid.paid)}{short}"


def _fate(settled: ExpenseSettled) -> str:
    """What became of it, with the figures where figures decided."""
    match settled.fate:
        case "too small":
            return f"too small, the price is {settled.price}"
        case "counter-bribed":
            return f"counter-bribed to {max(settled.force, 0)}, the price is {settled.price}"
        case _:
            return settled.fate
