"""Expenses as people read them: what was paid, for what, and what became of it.

That money left a treasury and that an expense was settled are two events, for everything is paid
before anything takes effect; a reader gets both together, by the numbers of each power.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import DiceThrown, Event, ExpensePaid, ExpenseSettled, Fate
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Purpose
from machjudge.adjudicator.model.prices import ATTEMPT
from machjudge.adjudicator.money.assassination import deadly_faces
from machjudge.letters.results.movement_told import removed_by
from machjudge.letters.wording.notation import PURPOSES, named_text
from machjudge.letters.wording.sentences import Section
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording


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


def expense_lines(words: Words, events: Iterable[Event]) -> tuple[Wording, ...]:
    """All expenses by powers and numbers: two lines for each, below the power's name."""
    by_power: dict[PowerId, list[Spent]] = {}
    for one in spent(events):
        by_power.setdefault(one.settled.power, []).append(one)
    lines: list[Wording] = []
    for power in words.world.scenario.powers:
        own = sorted(by_power.get(power, ()), key=lambda one: one.settled.expense.number)
        lines += [words.power(power)] if own else []
        lines += [_told("results.expense", words, one) for one in own]
    return tuple(lines)


def expense_sentences(words: Words, events: Iterable[Event]) -> tuple[Sentence, ...]:
    """The same in a sentence for each expense, for a preview: no die is told in it."""
    return tuple(
        _told("results.expense_foreseen", words, replace(one, die=None)) for one in spent(events)
    )


def own_expenses(
    words: Words, events: Iterable[Event], powers: Collection[PowerId]
) -> Iterator[tuple[Sentence, bool]]:
    """The expenses of *powers*, each with whether it did what it was for."""
    for one in spent(events):
        if one.settled.power in powers:
            yield _told("results.own_expense", words, one), one.settled.fate == "done"


def _told(key: str, words: Words, one: Spent) -> Sentence:
    expense = one.settled.expense
    return Sentence(
        key,
        power=words.power(one.settled.power),
        number=expense.number,
        purpose=PURPOSES[expense.purpose] if expense.purpose is not None else "",
        target=_target(words, one.settled),
        paid=one.paid.paid if one.paid is not None else None,
        asked=one.paid.asked if one.paid is not None else None,
        outcome=_outcome(one),
    )


def _target(words: Words, settled: ExpenseSettled) -> str:
    expense = settled.expense
    if settled.unit is not None:
        return words.whose(settled.unit)
    if expense.unit is not None:
        return named_text(words, expense.unit)
    if expense.place is not None:
        return words.place(expense.place)
    return words.power(expense.power) if expense.power is not None else ""


def _outcome(one: Spent) -> Sentence:
    """What became of it, with the figures where figures decided."""
    settled = one.settled
    if one.die is not None:
        return Sentence(
            "results.die",
            die=one.die,
            faces=deadly_faces(settled.expense, settled.force),
            kills=settled.fate == "done",
        )
    if settled.expense.purpose is Purpose.COUNTER_BRIBE and settled.fate == "done":
        return Sentence("results.against_bribes")
    match settled.fate:
        case "too small":
            return Sentence("results.too_small", price=settled.price)
        case "counter-bribed":
            weight = max(settled.force, 0)
            return Sentence("results.counter_bribed", weight=weight, price=settled.price)
        case _:
            return fate_words(settled.fate)


def fate_words(fate: Fate) -> Sentence:
    """What became, or will become, of an expense."""
    return Sentence(f"results.fate.{_NO_KEY.sub('_', fate)}", attempt=ATTEMPT)


_NO_KEY = re.compile(r"\W+")

# --- what they bring about -------------------------------------------------------------------


def _changed_owner(words: Words, event: happened.UnitChangedOwner) -> Sentence:
    unit = words.whose(event.unit)
    power = "" if event.to == AUTONOMOUS else words.power(event.to)
    return Sentence("results.changed_owner", unit=unit, power=power)


def _forestalled(words: Words, event: happened.FamineForestalled) -> Sentence:
    return Sentence("results.famine_forestalled", place=words.place(event.place))


def _made_plain(words: Words, event: happened.UnitMadePlain) -> Sentence:
    kind = event.unit.quality.name.lower()
    return Sentence("results.made_plain", unit=words.whose(event.unit.made_plain()), kind=kind)


def _relieved(words: Words, event: happened.FamineEnded) -> Sentence | None:
    place = words.place(event.place)
    return Sentence("results.famine_relieved", place=place) if event.relieved else None


EFFECTS: Section = {
    happened.UnitChangedOwner: _changed_owner,
    happened.UnitMadePlain: _made_plain,
    happened.UnitRemoved: removed_by(BRIBE="bribed"),
    happened.FamineEnded: _relieved,
    happened.FamineForestalled: _forestalled,
}
"""What expenses bring about, besides rebellions and the ends of sieges."""
