"""Expenses as people read them: what was paid, for what, and what became of it.

That money left a treasury and that an expense was settled are two events, for everything is paid
before anything takes effect; a reader gets both together, by the numbers of each power.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import DiceThrown, Event, ExpensePaid, ExpenseSettled, Fate
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Purpose
from machjudge.adjudicator.model.prices import ATTEMPT
from machjudge.adjudicator.model.reasons import Removal
from machjudge.adjudicator.money.assassination import numbers_of
from machjudge.letters.wording.notation import PURPOSES, named_text
from machjudge.letters.wording.sentences import Section
from machjudge.letters.wording.words import Words, ducats


@dataclass(frozen=True, slots=True)
class Spent:
    """An expense with its payment; None if a ruined power paid nothing (BNK-10)."""

    settled: ExpenseSettled
    paid: ExpensePaid | None
    die: int | None = None
    """The die of an assassin, where one was thrown."""


def spent(events: Iterable[Event]) -> Iterator[Spent]:
    """Each expense that was settled, together with its payment and its die."""
    paid: dict[tuple[PowerId, int], ExpensePaid] = {}
    die: int | None = None
    for event in events:
        if isinstance(event, ExpensePaid):
            paid[event.power, event.number] = event
        elif isinstance(event, DiceThrown) and event.purpose.startswith("assassination "):
            (die,) = event.dice
        elif isinstance(event, ExpenseSettled):
            # An assassin's die is thrown right before its attempt is settled.
            yield Spent(event, paid.get((event.power, event.expense.number)), die)
            die = None


def expense_lines(words: Words, events: Iterable[Event]) -> tuple[str, ...]:
    """All expenses by powers and numbers: two lines for each, below the power's name."""
    by_power: dict[PowerId, list[Spent]] = {}
    for one in spent(events):
        by_power.setdefault(one.settled.power, []).append(one)
    lines: list[str] = []
    for power in words.world.scenario.powers:
        own = sorted(by_power.get(power, ()), key=lambda one: one.settled.expense.number)
        lines += [words.power(power)] if own else []
        lines += [line for one in own for line in _lines(words, one)]
    return tuple(lines)


def expense_sentences(words: Words, events: Iterable[Event]) -> tuple[str, ...]:
    """The same in a sentence for each expense, for a preview: no die is told in it."""
    return tuple(
        f"{words.power(one.settled.power)}: {_deed(words, one)}, "
        f"{_payment(one.paid)}: {_outcome(replace(one, die=None))}."
        for one in spent(events)
    )


def _lines(words: Words, one: Spent) -> Sequence[str]:
    return f"  {_deed(words, one)}", f"    {_payment(one.paid)}: {_outcome(one)}."


def _deed(words: Words, one: Spent) -> str:
    expense = one.settled.expense
    purpose = PURPOSES[expense.purpose] if expense.purpose is not None else "nothing"
    return f"E{expense.number} {purpose}{_target(words, one.settled)}"


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


def _outcome(one: Spent) -> str:
    """What became of it, with the figures where figures decided."""
    settled = one.settled
    if one.die is not None:
        verdict = "killed" if settled.fate == "done" else "failed"
        return f"die {one.die}, kills up to {numbers_of(settled.force)}: {verdict}"
    if settled.expense.purpose is Purpose.COUNTER_BRIBE and settled.fate == "done":
        return "set against bribes"
    match settled.fate:
        case "too small":
            return f"too small, the price is {settled.price}"
        case "counter-bribed":
            return f"counter-bribed to {max(settled.force, 0)}, the price is {settled.price}"
        case _:
            return FATES[settled.fate]


FATES: dict[Fate, str] = {
    "done": "done",
    "too small": "less than the price",
    "counter-bribed": "counter-bribed",
    "outbid": "a larger bribe was there",
    "tied": "an equal bribe was there",
    "out of reach": "no own unit is next to it",
    "no such unit": "there is no such unit",
    "not fitting": "it cannot be done there",
    "special limit": "no more special units allowed",
    "no effect": "nothing to do there",
    "no chit": "no chit for that leader",
    "no attempt": f"below {ATTEMPT} nobody sets out",
    "victim eliminated": "that power is eliminated",
    "void: default": "void, the bank took all",
    "failed": "failed",
}
"""What became, or will become, of an expense."""

# --- what they bring about -------------------------------------------------------------------


def _changed_owner(words: Words, event: happened.UnitChangedOwner) -> str:
    return f"{words.whose(event.unit)} now serves {words.power(event.to)}."


def _bribed_away(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.BRIBE:
        return f"{words.whose(event.unit)} takes the money and disbands."
    return ""


def _relieved(words: Words, event: happened.FamineEnded) -> str:
    return f"Famine in {words.place(event.place)} is relieved." if event.relieved else ""


EFFECTS: Section = {
    happened.UnitChangedOwner: _changed_owner,
    happened.UnitRemoved: _bribed_away,
    happened.FamineEnded: _relieved,
}
"""What expenses bring about, besides rebellions and the ends of sieges."""
