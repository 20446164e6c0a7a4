"""The order lines of a mail as orders: each read by itself, those for many units apart."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from machjudge.language.orders.sweeps import Sweep
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.reading import Line
from machjudge.service.game.view import GameView
from machjudge.service.orders.orders_for_all import Heard, Swept
from machjudge.service.session.said_lines import SaidLines

_MOST_WRONG = 100
"""After so much in a mail that is no order, the rest of it is not read: noise costs time."""


Comment: TypeAlias = tuple[int, str]
"""The number of a line, and what of it was not read."""


@dataclass(slots=True)
class OrderLines:
    """What the order lines of a mail say, as far as they are read."""

    heard: list[Heard] = field(default_factory=list)
    sweeps: list[Swept] = field(default_factory=list)
    """Orders for many units at once, each with how many others are before it."""
    ignored: list[Comment] = field(default_factory=list)
    """Comments that were not read, unless a sign announces them."""
    cut: int | None = None
    """The number of the first line that was not read, because too many above it are wrong."""


def read_lines(situation: GameView, lines: Sequence[Line], said: SaidLines) -> OrderLines:
    """Read lines as orders for the phase that is being played."""
    lexicon, stage = lexicon_of(situation.world.scenario), situation.state.moment.stage
    found = OrderLines()
    wrong = 0
    for line in lines:
        if wrong >= _MOST_WRONG:
            found.cut = line.number
            break
        for text, each, _ in said.advised(line.text, lexicon, stage):
            if isinstance(each, Sweep):
                found.sweeps.append(Swept(len(found.heard), line, each))
                continue
            wrong += len(each.refused)
            found.heard += [
                (replace(line, text=text, part=part), one) for one, part in each.parts()
            ]
            if each.overlooked:
                found.ignored.append((line.number, each.overlooked))
    return found
