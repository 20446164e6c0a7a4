"""What each result of a throw would do: incomes by their tables, disasters by rows and columns."""

from collections.abc import Iterable

from machjudge.adjudicator.model.board import Table
from machjudge.adjudicator.model.dice import SIDES, Throw
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.year.disasters import BOTH_FROM, COLUMNS, ROWS
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording

_INCOME = "income "
_PARTS = ("severity", "row", "column")
_LEAST, _MOST = 2, 12
"""The sums of two dice."""


def chance_lines(words: Words, throw: Throw) -> tuple[Wording, ...]:
    """The results of a throw, each with what it brings; nothing where that depends on the orders.

    Of a disaster all places that it would strike are named, whoever stands there then.
    """
    if throw.purpose.startswith(_INCOME):
        return _income(words, throw.purpose.removeprefix(_INCOME))
    kind, _, what = throw.purpose.partition(" ")
    tables = {
        "famine": words.world.board.famine,
        "plague": words.world.board.plague,
        "storm": words.world.board.storm,
    }
    if kind not in tables or what not in _PARTS:
        return ()
    return _severity(words) if what == "severity" else _struck(words, tables[kind], what)


def _income(words: Words, line: str) -> tuple[Sentence, ...]:
    tables = words.world.incomes.lines
    table = next((table for name, table in tables.items() if name.lower() == line), ())
    results = tuple(f"{pips}: {table[pips - 1]}d" for pips in _pips(table))
    return (Sentence("preview.each_die", results=results),) if results else ()


def _pips(table: tuple[int, ...]) -> Iterable[int]:
    return range(1, SIDES + 1) if len(table) == SIDES else ()


def _severity(words: Words) -> tuple[Sentence, ...]:
    severity = words.world.rules.disaster.severity
    row, column = ROWS[severity], COLUMNS[severity]
    none = set(range(_LEAST, BOTH_FROM)) - row - column
    return (
        Sentence(
            "preview.severity",
            nothing=_sums(none),
            row=_sums(row),
            column=_sums(column),
            both=(BOTH_FROM, _MOST),
        ),
    )


def _sums(sums: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(sums)))


def _struck(words: Words, table: Table, what: str) -> tuple[Sentence, ...]:
    """The places of each row, or of each column, by its number."""
    return tuple(
        Sentence("preview.struck", number=number, places=places)
        for number in range(_LEAST, _MOST + 1)
        for places in [_places(words, table, number, of_row=what == "row")]
    )


def _places(words: Words, table: Table, number: int, *, of_row: bool) -> tuple[str, ...]:
    rules, neutral = words.world.rules, words.world.scenario.neutral
    closed: frozenset[PlaceId] = neutral if rules.game.neutral_impassable else frozenset()
    found = {
        place for (row, column), place in table.items() if (row if of_row else column) == number
    }
    return tuple(sorted(words.place(place) for place in found - closed))
