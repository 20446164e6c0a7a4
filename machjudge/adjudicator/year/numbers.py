"""The numbers of units, where they have any (MOV-03): each power counts each type by itself."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from machjudge.adjudicator.events import Event, UnitNumbered
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Build
from machjudge.adjudicator.model.units import Kind, Unit, unit_order


def number_units(turn: Turn) -> Sequence[Event]:
    """Number the units that have no number: those that are new, converted or bought.

    Those that wait for their retreat keep theirs.  Builds get numbers in the order in which they
    were written, in which they are also paid (ADJ-12); all others in that of their places.
    Powers follow each other by their letters, so that no power's lines move another's.
    """
    state = turn.state
    waiting = (each.unit for each in state.dislodged)
    written = {
        (power, order.place): line
        for power, orders in turn.orders.items()
        for line, order in enumerate(orders)
        if isinstance(order, Build)
    }

    def sequence(unit: Unit) -> tuple[PowerId, int, tuple[str, ...]]:
        line = written.get((unit.owner, unit.place))
        return (unit.owner, len(written) + 1 if line is None else line, unit_order(unit))

    new = sorted((unit for unit in state.units() if _wants_one(unit)), key=sequence)
    taken = (*state.units(), *waiting)
    return [UnitNumbered(unit, number) for unit, number in with_numbers(new, taken)]


def with_numbers(new: Iterable[Unit], others: Iterable[Unit]) -> Iterator[tuple[Unit, int]]:
    """Each new unit with the lowest number that no unit of its power and type bears.

    :param new: units without numbers, in the order in which they shall get them.
    :param others: all units of the position; those without a number do not count.
    """
    taken: dict[tuple[PowerId, Kind], set[int]] = {}
    for unit in others:
        taken.setdefault((unit.owner, unit.kind), set()).add(unit.number)
    for unit in new:
        mine = taken.setdefault((unit.owner, unit.kind), set())
        number = next(each for each in count(1) if each not in mine)
        mine.add(number)
        yield unit, number


def _wants_one(unit: Unit) -> bool:
    """Autonomous units are known by their places only."""
    return not unit.number and unit.owner != AUTONOMOUS
