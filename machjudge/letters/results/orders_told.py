"""How orders ended, an order a line: the reader's own, and those of the other powers."""

from collections.abc import Callable, Sequence

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
        return tuple(_ended(act, act.key == _REFUSED, ordered=act.key not in _LOST) for act in acts)
    units = [unit for report in reports if report.id in powers for unit in report.units]
    moves = (_told("news.order", unit, failed=unit.failed, ordered=unit.ordered) for unit in units)
    paid = own_expenses(words, events, powers)
    return (*moves, *(_ended(told, not done) for told, done in paid))


_REFUSED = "results.adjustment_failed"
_LOST = frozenset(
    f"results.adjustment.{key}" for key in ("not_maintained", "too_few_cities", "loses")
)
"""What nobody ordered."""


def _ended(order: Sentence, failed: bool, *, ordered: bool = True) -> Sentence:
    return Sentence("news.order", order=order, remarks=(), failed=failed, ordered=ordered)


def orders_of(report: PowerReport, say: Callable[[Wording], str]) -> LineGroup:
    """The orders of a power below its name, as others read them."""
    return LineGroup(
        report.power, tuple(say(_told("news.other_order", unit)) for unit in report.units)
    )


def _told(key: str, unit: UnitReport, **more: bool) -> Sentence:
    return Sentence(key, order=unit.order, remarks=unit.plain, **more)
