"""Orders on file to values and back: what was taken in canonical notation must parse again."""

from collections.abc import Iterable

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import MachjudgeError
from machjudge.adjudicator.orders import Order
from machjudge.adjudicator.world import World
from machjudge.language.lexicon import lexicon_of
from machjudge.language.parse import parse_order
from machjudge.language.said import Ambiguous, Problem
from machjudge.language.write import write
from machjudge.service.model.records import SheetLine


class UnreadableOrder(MachjudgeError):
    """An order on file does not parse any more."""


def read_order_lines(world: World, stage: Stage, lines: Iterable[SheetLine]) -> tuple[Order, ...]:
    """The orders of lines on file.  Raises UnreadableOrder."""
    return read_order_texts(world, stage, (line.canonical for line in lines))


def read_order_texts(world: World, stage: Stage, texts: Iterable[str]) -> tuple[Order, ...]:
    """The orders of canonical texts.  Raises UnreadableOrder."""
    return tuple(_read(world, stage, text) for text in texts)


def _read(world: World, stage: Stage, canonical: str) -> Order:
    said = parse_order(canonical, lexicon_of(world.scenario), stage).said
    if len(said) != 1 or isinstance(said[0], Problem | Ambiguous):
        msg = f"the order on file {canonical!r} cannot be read on {world.scenario.id}"
        raise UnreadableOrder(msg)
    return said[0]


def write_order(world: World, order: Order) -> str:
    """An order in canonical notation."""
    return write(order, lexicon_of(world.scenario))
