"""A game year by year: who held which place, how many cities, how many ducats; 40 columns wide."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import View
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording

_NAME = 12
_CELL = 4
_YEARS = 7
"""How many years stand beside each other."""

NOBODY = "."


@dataclass(frozen=True, slots=True)
class Year:
    """What a column of the charts is about."""

    title: str
    """Two digits, such as ``54``; nothing for the position now."""
    state: View
    cities: Mapping[PowerId, int]
    treasuries: Mapping[PowerId, int]
    """Only of the powers whose money the reader may see."""


def ownership(words: Words, years: Sequence[Year]) -> tuple[Wording, ...]:
    """The owner of each province by year, and of its city behind it where that is another.

    In the order in which the board's file lists provinces for reports.
    """
    board = words.world.board
    listed = dict.fromkeys((*board.province_order, *board.places))
    places = [place for place in listed if _is_owned_once(place, years)]
    return _chart(
        years,
        [(words.place(place), [_owners(place, each.state) for each in years]) for place in places],
    )


def _is_owned_once(place: PlaceId, years: Sequence[Year]) -> bool:
    return any(place in each.state.provinces or place in each.state.cities for each in years)


def _owners(place: PlaceId, state: View) -> str:
    """``V`` for province and city of one owner, ``V-`` and ``VI`` for an other city's."""
    province, city = state.provinces.get(place), state.cities.get(place)
    if city is None or city == province:
        return province or NOBODY
    return f"{province or NOBODY}{city}"


def cities(words: Words, years: Sequence[Year]) -> tuple[Wording, ...]:
    """How many cities each power held by year."""
    return _of_powers(words, years, [each.cities for each in years])


def treasuries(words: Words, years: Sequence[Year]) -> tuple[Wording, ...]:
    """How many ducats each power had by year; powers whose money is hidden are left out."""
    return _of_powers(words, years, [each.treasuries for each in years])


def _of_powers(
    words: Words, years: Sequence[Year], numbers: Sequence[Mapping[PowerId, int]]
) -> tuple[Wording, ...]:
    shown = [p for p in words.world.scenario.in_play if any(p in column for column in numbers)]
    rows = [
        (words.power(power), [str(column.get(power, NOBODY)) for column in numbers])
        for power in shown
    ]
    return _chart(years, rows)


def _chart(years: Sequence[Year], rows: Sequence[tuple[str, Sequence[str]]]) -> tuple[Wording, ...]:
    if not rows:
        return ()
    starts = range(0, len(years), _YEARS)
    return tuple(line for start in starts for line in _block(years, rows, start))


def _block(
    years: Sequence[Year], rows: Sequence[tuple[str, Sequence[str]]], start: int
) -> Iterator[Wording]:
    if start:
        yield ""
    titles = tuple(each.title for each in years[start : start + _YEARS])
    yield Sentence("tables.years", titles=titles, width=_NAME, cell=_CELL)
    for name, cells in rows:
        yield _row(name, cells[start : start + _YEARS])


def _row(name: Wording, cells: Sequence[str]) -> Sentence:
    """A row: the name in its language, as long as there is room, and its cells."""
    told = "".join(f"{cell:>{_CELL}}" for cell in cells)
    return Sentence("tables.row", name=name, width=_NAME, cells=told)
