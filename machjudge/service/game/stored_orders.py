"""Orders on file to values and back: what was taken in canonical notation must parse again."""

from collections.abc import Iterable

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.world import World
from machjudge.language.orders.parse import parse_order
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.said import Ambiguous, Problem
from machjudge.language.vocabulary.write import write
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
