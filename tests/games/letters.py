"""The results mails of random games, and the ledger that is kept from them."""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from random import Random

import jinja2.meta

from machjudge.adjudicator.events import IncomePaid
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from machjudge.messages import results as told
from machjudge.messages import tables
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.news import SharedResults, facts_for_reader
from machjudge.messages.render import MessageHeader, MessageRenderer, phase_name
from machjudge.messages.visibility import EVERYTHING, Sight
from machjudge.messages.wording import Words
from tests.games.invariants import Phase
from tests.games.ledger import Ledger

_TEMPLATES = Path(__file__).parents[2] / "templates"


@cache
def _paper() -> MessageRenderer:
    return MessageRenderer([_TEMPLATES])


@cache
def _all_facts() -> frozenset[str]:
    """What the template and its parts ask for: all of it is empty that is not for everybody."""
    reader = jinja2.Environment()  # noqa: S701 - only names are read
    reader.filters.update(_paper().filters)
    folder = _TEMPLATES / LANGUAGE
    files = [folder / "results.txt", *folder.glob("_*.txt")]
    trees = [reader.parse(file.read_text(encoding="utf-8")) for file in files]
    return frozenset(n for tree in trees for n in jinja2.meta.find_undeclared_variables(tree))


def letter_of(phase: Phase) -> str:
    """The body of the results mail of a phase, without what stands in it for one reader alone."""
    words, played = Words(phase.world), phase.played
    seen = EVERYTHING.phase(phase.world, phase.before, phase.after, played.events)
    played_then = told.PlayedPhase(*seen, played.standing)
    shared = SharedResults(words, played_then, partial(_paper().part, "_sections"), _paper().say)
    sight = Sight(is_master=True)
    facts = {
        **dict.fromkeys(_all_facts() - {"sentence"}, ()),
        **shared.facts(sight),
        **facts_for_reader(shared, sight, ()),
        "is_master": False,
        "is_plain": False,
        "sealed": "",
        "phase_name": phase_name(words, phase.before.moment),
        "head": MessageHeader("MACH", "Chance", "random", state="running"),
        "phase": phase.before.moment,
        "phase_words": words.moment(phase.before.moment),
    }
    return _paper().page("results", facts).body


def opening_table(words: Words, start: State) -> tuple[str, ...]:
    """What everybody has and owes at the start, as the letter of a year without income has it."""
    nothing = (IncomePaid(p, 0, 0, 0, 0) for p in tables.living(words, start))
    lines = tables.incomes(words, start, tuple(nothing)) if start.treasuries else ()
    return tuple(map(_paper().say, lines))


class Bookkeeper:
    """Reads the mails of one game, phase by phase, and keeps the ledger."""

    def __init__(self, world: World, start: State) -> None:
        self._words = Words(world)
        self._ledger = Ledger()
        self._ledger.open(opening_table(self._words, start))

    def __call__(self, phase: Phase, _: Orders, __: Random) -> Iterator[str]:
        """What does not add up in the mail about a phase."""
        yield from self._ledger.read(letter_of(phase))
        mine = dict(self._ledger.treasuries)
        real = {self._words.power(p): ducats for p, ducats in phase.after.treasuries.items()}
        if mine != real:
            yield f"the ledger says {mine}, the position {real}"
