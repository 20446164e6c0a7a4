"""An order set as its owner sees it: what is on file, and what is still missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.units import Unit
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording, phrase


@dataclass(frozen=True, slots=True)
class PowerNeeds:
    """What one power still has to order."""

    power: str
    lines: tuple[Sentence, ...]


def needs_lines(
    words: Words, units: Iterable[Unit], builds: int = 0, removals: int = 0
) -> tuple[Sentence, ...]:
    """A line for each unit without an order, and for each number of builds or removals."""
    lines = [Sentence("receipt.needs_order", unit=words.unit(unit)) for unit in units]
    lines += [Sentence("receipt.needs_builds", n=builds)] if builds else []
    lines += [Sentence("receipt.needs_removals", n=removals)] if removals else []
    return tuple(lines)


def on_file_lines(
    words: Words, orders: Sequence[Order], without: Iterable[Unit]
) -> tuple[Wording, ...]:
    """The whole order set, each unit without an order at its end."""
    lines = [phrase("  {}", order_text(words, order)) for order in orders]
    return (*lines, *(Sentence("receipt.no_order", unit=words.unit(unit)) for unit in without))
