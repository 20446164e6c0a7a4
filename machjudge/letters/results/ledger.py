"""What a power's treasury did in a phase, as a sum that its owner can check."""

from collections.abc import Callable, Iterable
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.state import View
from machjudge.sentence import Sentence

_KINDS = (
    "income",
    "taxes",
    "borrowed",
    "got",
    "repaid",
    "seized",
    "given",
    "expenses",
    "upkeep",
    "built",
)
"""What moves ducats, in the order in which a sum names it."""


def ledger(before: View, after: View, power: PowerId, events: Iterable[Event]) -> Sentence:
    """What is in the treasury, in ducats; and the sum that led to it, where it is whole."""
    sums = dict.fromkeys(_KINDS, 0)
    for event in events:
        for kind, ducats in _moved(power, event):
            sums[kind] += ducats
    had, has = before.treasuries.get(power, 0), after.treasuries.get(power, 0)
    steps = tuple(
        Sentence(f"news.step.{kind}", ducats=abs(sums[kind])) for kind in _KINDS if sums[kind]
    )
    is_whole = had + sum(sums.values()) == has
    return Sentence("news.has", ducats=has, had=had, steps=steps if is_whole else ())


def _moved(power: PowerId, event: Event) -> tuple[tuple[str, int], ...]:
    """What an event puts into the treasury of a power, or takes out of it."""
    if isinstance(event, happened.GiftGiven):
        got, given = event.receiver == power, event.giver == power
        return ("got", event.ducats * got), ("given", -event.ducats * given)
    if type(event) not in _MOVES or _actor(event) != power:
        return ()
    kind, ducats = _MOVES[type(event)]
    return ((kind, ducats(event)),)


# Any: the sum of each kind of event takes that kind.
_MOVES: dict[type[Any], tuple[str, Callable[[Any], int]]] = {
    happened.IncomePaid: ("income", lambda e: e.seas + e.provinces + e.cities + e.variable),
    happened.TaxesForced: ("taxes", lambda e: e.ducats),
    happened.LoanTaken: ("borrowed", lambda e: e.principal),
    happened.LoanRepaid: ("repaid", lambda e: -e.principal - e.interest),
    happened.LoanDefaulted: ("seized", lambda e: -e.seized),
    happened.ExpensePaid: ("expenses", lambda e: -e.paid),
    happened.Maintained: ("upkeep", lambda e: -e.ducats),
    happened.UnitBuilt: ("built", lambda e: -e.ducats),
    happened.AdjustmentFailed: ("built", lambda e: -e.lost),
}


def _actor(event: Event) -> PowerId | None:
    unit = getattr(event, "unit", None)
    return unit.owner if unit is not None else getattr(event, "power", None)
