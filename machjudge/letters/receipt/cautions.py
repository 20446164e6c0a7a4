"""What to mind about orders on file: warnings and notices, one sentence each."""

from collections.abc import Iterator
from dataclasses import dataclass

from machjudge.adjudicator.model.orders import Expense, Order, Purpose
from machjudge.adjudicator.model.prices import ATTEMPT
from machjudge.adjudicator.year.outlook import Caution, Forecast, Remark, Severity
from machjudge.letters.results.expenses import FATES
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.why import why
from machjudge.letters.wording.words import Words, counted, ducats


@dataclass(frozen=True, slots=True)
class Cautions:
    """The sentences about one power's orders."""

    warnings: tuple[str, ...]
    """What is on file, but will probably fail, or waste ducats."""
    notices: tuple[str, ...]
    """What is worth knowing."""


_OF_UNITS = (Caution.IF_BOUGHT, Caution.NO_PURCHASE)


def cautions(words: Words, forecast: Forecast) -> Cautions:
    """What to mind, in the order in which the orders are carried out."""
    told = [(remark.severity, line) for remark, line in _told(words, forecast)]
    return Cautions(
        tuple(line for severity, line in told if severity is not Severity.NOTICE),
        tuple(line for severity, line in told if severity is Severity.NOTICE),
    )


def for_units_of_others(forecast: Forecast) -> dict[Order, bool]:
    """The orders for units that the power does not own yet, and whether it is buying them."""
    return {
        remark.order: remark.caution is Caution.IF_BOUGHT
        for remark in forecast.remarks
        if remark.order is not None and remark.caution in _OF_UNITS
    }


def _told(words: Words, forecast: Forecast) -> Iterator[tuple[Remark, str]]:
    """The remarks with their sentences; those that the order set itself shows are left out."""
    for remark in forecast.remarks:
        line = _sentence(words, remark)
        if line:
            yield remark, line


def _sentence(words: Words, remark: Remark) -> str:
    """The sentence for a remark; empty where the order set says it already."""
    what = _name(words, remark.order)
    match remark.caution:
        case (
            Caution.MONEY_SHORT
            | Caution.MORE_THAN_OWED
            | Caution.IN_DEBT
            | Caution.OVER_CREDIT
            | Caution.WILL_DEFAULT
        ):
            return _of_money(what, remark)
        case Caution.ODD_DUCATS | Caution.MORE_THAN_PRICE:
            return _of_waste(what, remark)
        case Caution.WILL_FAIL:
            return f"{what} will fail: {FATES[remark.fate or 'failed']}."
        case Caution.REPEATED:
            return f"{what} adds nothing: an earlier expense does the same there."
        case Caution.NO_PURCHASE:
            owner = words.power(remark.unit.owner) if remark.unit is not None else ""
            return f"{what}: that unit belongs to {owner}, and you are not buying it."
        case Caution.REFUSED:
            return _of_adjustment(words, what, remark)
        case Caution.NOT_PROVIDED_FOR | Caution.BUILDS_LEFT | Caution.IF_BOUGHT:
            return ""


def _name(words: Words, order: Order | None) -> str:
    """Expenses by their numbers, everything else as it was ordered."""
    if isinstance(order, Expense):
        return f"E{order.number}"
    return order_text(words, order) if order is not None else ""


def _of_money(what: str, remark: Remark) -> str:
    match remark.caution:
        case Caution.MONEY_SHORT:
            left = ducats(remark.ducats) if remark.ducats else "nothing"
            return f"{what}: the money does not reach, {left} will be left for it."
        case Caution.MORE_THAN_OWED:
            return f"{what}: the bank takes {ducats(remark.ducats)}, no more is owed."
        case Caution.IN_DEBT:
            return f"{what}: nothing goes to powers while you owe the bank {ducats(remark.ducats)}."
        case Caution.OVER_CREDIT:
            most = f"{ducats(remark.ducats)} at most" if remark.ducats else "nothing"
            return f"{what}: not granted, the bank lends you {most} now."
        case _:
            return (
                f"The loans due now cannot be paid, {ducats(remark.ducats)} are missing: "
                "the bank would take your treasury and your leader's life, and never lend again."
            )


def _of_waste(what: str, remark: Remark) -> str:
    lost = f"{counted(remark.ducats, 'ducat')} of it {'is' if remark.ducats == 1 else 'are'} lost"
    if isinstance(remark.order, Expense) and remark.order.purpose is Purpose.ASSASSINATE:
        return f"{what}: {lost}, assassins cost {ATTEMPT}, {2 * ATTEMPT} or {3 * ATTEMPT}."
    if remark.caution is Caution.ODD_DUCATS:
        return f"{what}: {lost}, bribes count in steps of three."
    return f"{what}: {lost}, the price is lower."


def _of_adjustment(words: Words, what: str, remark: Remark) -> str:
    because = why(words, remark.objection) if remark.objection is not None else ""
    lost = f"; {ducats(remark.ducats)} are spent on it all the same" if remark.ducats else ""
    return f"{what} will not be carried out: {because}{lost}."
