"""The results of a phase: what became of each line, and of each unit that got no order."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from machjudge.adjudicator.legality.naming import Space, space_of
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import (
    Hold,
    Maintain,
    MoneyOrder,
    Named,
    Order,
    Remove,
    UnitOrder,
)
from machjudge.adjudicator.model.units import GARRISON, Unit, unit_order
from machjudge.adjudicator.year.phase import Played
from machjudge.codec.adjudication.ledger import Ledger
from machjudge.codec.adjudication.sheet import SheetEntry
from machjudge.codec.adjudication.task import Task
from machjudge.codec.document.marks import REPLACED, VOID, Marked, refused
from machjudge.codec.document.notation import Notation, NotRead
from machjudge.codec.document.shape import Json
from machjudge.codec.document.values import write

_OrderOfUnit: TypeAlias = UnitOrder | Maintain | Remove


class Result(NamedTuple):
    """What became of a line, or of a unit without one."""

    power: PowerId
    given: str | None
    """The line; None for a unit that got no order."""
    order: str | None
    """The order in canonical text; the line as given where it could not be read."""
    marked: Marked


def results(
    task: Task, entries: Iterable[SheetEntry], played: Played, notation: Notation
) -> list[Result]:
    """One result for each entry, in their order, and one for each unit without an order.

    Powers are sorted; of each, what it wrote comes before the units of which it wrote nothing.
    """
    account = _Account(task, played, notation)
    written = [account.of_entry(entry) for entry in entries]
    return sorted([*written, *account.of_the_rest()], key=attrgetter("power"))


def results_of(told: Iterable[Result]) -> list[Json]:
    """The results as the format writes them."""
    return [
        {
            "power": result.power,
            "given": result.given,
            "order": result.order,
            "marks": list(result.marked.marks),
            "reason": None if result.marked.why is None else write(result.marked.why),
        }
        for result in told
    ]


class _Account:
    """One telling of the results of one phase."""

    def __init__(self, task: Task, played: Played, notation: Notation) -> None:
        self._task = task
        self._notation = notation
        self._ledger = Ledger(played.events)
        self._standing = {power: iter(sheet) for power, sheet in played.standing.items()}
        self._ordered: set[tuple[PowerId, Space]] = set()

    def of_entry(self, entry: SheetEntry) -> Result:
        """What became of one thing that a line says."""
        if isinstance(entry.said, NotRead):
            marked = Marked((VOID,), entry.said)
            return Result(entry.power, entry.given, entry.given, marked)
        key = entry.power, entry.line
        if key in self._ledger.refused:
            return self._told(entry, entry.said, refused(self._ledger.refused[key]))
        if key in self._ledger.replaced:
            marked = Marked((REPLACED,), self._ledger.replaced[key])
            return self._told(entry, entry.said, marked)
        order = next(self._standing[entry.power])
        return self._told(entry, order, self._marked(entry.power, order))

    def _told(self, entry: SheetEntry, order: Order, marked: Marked) -> Result:
        text = self._notation.write(self._task.world.scenario, order)
        return Result(entry.power, entry.given, text, marked)

    def _marked(self, power: PowerId, order: Order) -> Marked:
        aside = self._ledger.set_aside(power, order)
        if isinstance(order, _OrderOfUnit):  # as most of them are
            space = order.unit.kind is GARRISON, order.unit.place
            self._ordered.add((power, space))
            return aside or self._ledger.of_unit(space)
        if isinstance(order, MoneyOrder):
            return self._ledger.of_payment(power, order)
        return aside or Marked()

    def of_the_rest(self) -> Iterator[Result]:
        """What became of the units that got no order from whoever owned them in the end."""
        left: list[tuple[Unit, PowerId, Space]] = []
        for unit in self._units_asked():
            space = space_of(unit)
            owner = self._ledger.owners.get(space, unit.owner)
            if (owner, space) not in self._ordered:
                left.append((unit, owner, space))
        for unit, owner, space in sorted(left, key=lambda each: unit_order(each[0])):
            yield Result(owner, None, self._default(unit), self._ledger.of_unit(space))

    def _units_asked(self) -> Iterable[Unit]:
        state = self._task.state
        if state.moment.stage is Stage.RETREATS:
            return [waiting.unit for waiting in state.dislodged]
        return state.units()

    def _default(self, unit: Unit) -> str | None:
        """A unit without an order holds in a campaign (MOV-26); at other times it does nothing."""
        if self._task.state.moment.stage is not Stage.CAMPAIGN:
            return None
        hold = Hold(Named(unit.kind, unit.place, unit.coast))
        return self._notation.write(self._task.world.scenario, hold)
