"""What to mind about orders on file: warnings and notices, one sentence each."""

from collections.abc import Iterator
from dataclasses import dataclass

from machjudge.adjudicator.model.orders import Advance, Expense, Order, Purpose
from machjudge.adjudicator.model.prices import ATTEMPT
from machjudge.adjudicator.year.outlook import Caution, Forecast, Remark, RemarkSeverity
from machjudge.letters.results.expenses import fate_words
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.why import why
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Cautions:
    """The sentences about one power's orders."""

    warnings: tuple[Sentence, ...]
    """What is on file, but will probably fail, or waste ducats."""
    notices: tuple[Sentence, ...]
    """What is worth knowing."""


_OF_UNITS = (Caution.IF_BOUGHT, Caution.NO_PURCHASE)


def cautions(words: Words, forecast: Forecast) -> Cautions:
    """What to mind, in the order in which the orders are carried out."""
    told = [(remark.severity, line) for remark, line in _told(words, forecast)]
    return Cautions(
        tuple(line for severity, line in told if severity is not RemarkSeverity.NOTICE),
        tuple(line for severity, line in told if severity is RemarkSeverity.NOTICE),
    )


def for_units_of_others(forecast: Forecast) -> dict[Order, bool]:
    """The orders for units that the power does not own yet, and whether it is buying them."""
    return {
        remark.order: remark.caution is Caution.IF_BOUGHT
        for remark in forecast.remarks
        if remark.order is not None and remark.caution in _OF_UNITS
    }


def _told(words: Words, forecast: Forecast) -> Iterator[tuple[Remark, Sentence]]:
    """The remarks with their sentences; those that the order set itself shows are left out."""
    for remark in forecast.remarks:
        key = _key(remark)
        if key:
            yield remark, _sentence(words, key, remark)


_SHOWN = (Caution.NOT_PROVIDED_FOR, Caution.BUILDS_LEFT, Caution.IF_BOUGHT)
"""What the order set says already."""


def _key(remark: Remark) -> str:
    order = remark.order
    of_assassin = isinstance(order, Expense) and order.purpose is Purpose.ASSASSINATE
    if of_assassin and remark.caution in (Caution.ODD_DUCATS, Caution.MORE_THAN_PRICE):
        return "assassin"
    return "" if remark.caution in _SHOWN else remark.caution.name.lower()


def _sentence(words: Words, key: str, remark: Remark) -> Sentence:
    refused = remark.objection
    return Sentence(
        f"cautions.{key}",
        order=_name(words, remark.order),
        ducats=remark.ducats,
        fate=fate_words(remark.fate or "failed"),
        owner=words.power(remark.unit.owner) if remark.unit is not None else "",
        unit=words.unit(remark.unit) if remark.unit is not None else "",
        place=_place(words, remark),
        has_money=words.world.rules.game.money,
        rule=_rule(words, remark),
        because=why(words, refused) if refused is not None else "",
        attempt=ATTEMPT,
    )


def _place(words: Words, remark: Remark) -> str:
    """Where an order leads; for others where the unit is."""
    if isinstance(remark.order, Advance):
        return words.place(remark.order.to)
    return words.place(remark.unit.place) if remark.unit is not None else ""


def _rule(words: Words, remark: Remark) -> str:
    """The rule by which a place is held: one unit in Venice, or none of one's own dislodged."""
    is_in_venice = remark.unit is not None and remark.unit.place in words.world.venice
    return "MAP-20" if is_in_venice else "MOV-15"


def _name(words: Words, order: Order | None) -> str:
    """Expenses by their numbers, everything else as it was ordered."""
    if isinstance(order, Expense):
        return f"E{order.number}"
    return order_text(words, order) if order is not None else ""
