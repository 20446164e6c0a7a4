"""How orders ended, an order a line: the reader's own, and those of the other powers."""

from collections.abc import Callable, Collection, Sequence

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.results.expenses import own_expenses
from machjudge.letters.results.movement_told import adjustment_of
from machjudge.letters.results.moves import PowerReport, UnitReport
from machjudge.letters.wording.sentences import LineGroup
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording


def own_orders(
    words: Words,
    stage: Stage,
    reports: Sequence[PowerReport],
    powers: Sequence[PowerId],
    events: Sequence[Event],
) -> tuple[Sentence, ...]:
    """What became of the orders of *powers*; *events* are those that the reader may see."""
    if stage is Stage.ADJUSTMENT:
        acts = [act for power in powers for act in adjustment_of(words, power, events)]
        failed = "results.adjustment_failed"
        return tuple(_ended(act, failed=act.key == failed) for act in acts)
    units = [unit for report in reports if report.id in powers for unit in report.units]
    moves = (_told("news.order", unit, failed=unit.failed, ordered=unit.ordered) for unit in units)
    paid = own_expenses(words, events, powers)
    return (*moves, *(_ended(told, failed=not done) for told, done in paid))


def _ended(order: Sentence, *, failed: bool) -> Sentence:
    return Sentence("news.order", order=order, remarks=(), failed=failed, ordered=True)


def orders_of(report: PowerReport, say: Callable[[Wording], str]) -> LineGroup:
    """The orders of a power below its name, as others read them."""
    return LineGroup(
        report.power, tuple(say(_told("news.other_order", unit)) for unit in report.units)
    )


def failures(reports: Sequence[PowerReport], powers: Collection[PowerId]) -> tuple[int, int]:
    """How many orders of *powers* failed, and of how many."""
    units = [unit for report in reports if report.id in powers for unit in report.units]
    return sum(unit.failed for unit in units), len(units)


def _told(key: str, unit: UnitReport, **more: bool) -> Sentence:
    return Sentence(key, order=unit.order, remarks=unit.plain, **more)
