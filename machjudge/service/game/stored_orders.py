"""Orders on file to values and back: what was taken in canonical notation must parse again."""

from collections.abc import Iterable
from functools import lru_cache

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.world import World
from machjudge.language.orders.parse import read_order
from machjudge.language.vocabulary.lexicon import Lexicon, lexicon_of
from machjudge.language.vocabulary.said import Ambiguous, Problem
from machjudge.language.vocabulary.write import write
from machjudge.service.model.records import SheetLine

_MOST_REMEMBERED = 10_000
"""Orders on file are read several times for one answer, and by everything that plays a phase."""


class UnreadableOrder(MachjudgeError):
    """An order on file does not parse any more."""


def read_order_lines(world: World, stage: Stage, lines: Iterable[SheetLine]) -> tuple[Order, ...]:
    """The orders of lines on file.  Raises UnreadableOrder."""
    return read_order_texts(world, stage, (line.canonical for line in lines))


def read_order_texts(world: World, stage: Stage, texts: Iterable[str]) -> tuple[Order, ...]:
    """The orders of canonical texts.  Raises UnreadableOrder."""
    lexicon = lexicon_of(world.scenario)
    orders = []
    for text in texts:
        order = _read(lexicon, stage, text)
        if order is None:
            msg = f"the order on file {text!r} cannot be read on {world.scenario.id}"
            raise UnreadableOrder(msg)
        orders.append(order)
    return tuple(orders)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _read(lexicon: Lexicon, stage: Stage, canonical: str) -> Order | None:
    said = read_order(canonical, lexicon, stage).said
    if len(said) != 1 or isinstance(said[0], Problem | Ambiguous):
        return None
    return said[0]


def write_order(world: World, order: Order) -> str:
    """An order in canonical notation."""
    return write(order, lexicon_of(world.scenario))
