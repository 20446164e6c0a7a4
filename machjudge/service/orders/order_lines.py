"""The order lines of a mail as orders: each read by itself, those for many units apart."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.orders.parse import parse_order
from machjudge.language.orders.sweeps import Sweep, parse_sweep, parted
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.said import Ambiguous, Parsed, Problem
from machjudge.reading import Line
from machjudge.service.game.view import GameView

_MOST_WRONG = 100
"""After so much in a mail that is no order, the rest of it is not read: noise costs time."""
TOO_MUCH_IS_WRONG = "too many lines are wrong; those from here on were not read"


def swept(
    situation: GameView, lines: Sequence[Line]
) -> tuple[list[Line], list[tuple[int, Line, Sweep]]]:
    """The other lines, and the orders for many units at once, each with how many are before it.

    One may stand behind a comma.
    """
    lexicon, stage = lexicon_of(situation.world.scenario), situation.state.moment.stage
    sweeps: list[tuple[int, Line, Sweep]] = []
    others: list[Line] = []
    for line in lines:
        for piece in parted(line.text, lexicon, stage):
            sweep = parse_sweep(piece, lexicon, stage)
            if isinstance(sweep, Sweep):
                sweeps.append((len(others), line, sweep))
            else:
                others.append(replace(line, text=piece))
    return others, sweeps


def read_lines(situation: GameView, lines: Sequence[Line]) -> list[tuple[Line, Parsed]]:
    """What the lines say, as far as they are read."""
    found: list[tuple[Line, Parsed]] = []
    wrong = 0
    for line in lines:
        if wrong >= _MOST_WRONG:
            break
        parsed = parse_line(situation, line)
        wrong += len(parsed.refused)
        found.append((line, parsed))
    return found


def parse_line(situation: GameView, line: Line) -> Parsed:
    """What one line orders in the phase that is being played."""
    lexicon, stage = lexicon_of(situation.world.scenario), situation.state.moment.stage
    flaw = parse_sweep(line.text, lexicon, stage)
    if isinstance(flaw, Problem | Ambiguous):
        return Parsed((flaw,))
    return parse_order(line.text, lexicon, stage)
