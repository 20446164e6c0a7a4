"""The tables of a board file: disasters, variable income, and the order of reports."""

import re
from collections.abc import Callable, Mapping
from typing import cast

from machjudge.adjudicator.model.board import Place, Table
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.options import UnknownRule, Value, with_option
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.atlas.places import Places, find_places, find_provinces, note_unknown
from machjudge.atlas.sheet import FileTable

FIRST, LAST = 2, 12
"""The least and the greatest sum of two dice."""
EMPTY = "."
SIDES = 6

_LINE = re.compile(r"[a-z]+( [a-z]+)*")


def read_table(sheet: FileTable, places: Places, *, at_sea: bool) -> Table:
    """A disaster table: (row, column) to the place that is struck (FAM-03, PLG-03, STM-02).

    With *at_sea* it strikes seas, otherwise provinces.
    """
    table: dict[tuple[int, int], PlaceId] = {}
    for key in sheet.all_keys():
        row = int(key) if key.isascii() and key.isdigit() and len(key) < LAST else 0
        if not FIRST <= row <= LAST:
            sheet.note(key, f"a row is {FIRST} to {LAST}, the sum of two dice")
        for column, place in _read_row(sheet, key, places):
            _note_misplaced(sheet, key, places, place, at_sea=at_sea)
            if place in table.values():
                sheet.note(key, f"{place} stands in this table twice")
            table[row, column] = place
    return table


def _read_row(sheet: FileTable, key: str, places: Places) -> list[tuple[int, PlaceId]]:
    cells = sheet.cells(key, needed=True)
    width = LAST - FIRST + 1
    if len(cells) != width:
        sheet.note(
            key, f"a row has {width} cells, for columns {FIRST} to {LAST}; here are {len(cells)}"
        )
    row = []
    for column, word in enumerate(cells, start=FIRST):
        if word in places:
            row.append((column, PlaceId(word)))
        elif word != EMPTY:
            note_unknown(sheet, key, word, places)
    return row


def _note_misplaced(
    sheet: FileTable, key: str, places: Places, place: PlaceId, *, at_sea: bool
) -> None:
    if places[place].is_sea is not at_sea:
        sheet.note(key, f"{place} is {'no sea' if at_sea else 'a sea'}")


def read_income_lines(sheet: FileTable) -> Mapping[str, tuple[int, ...]]:
    """The variable income: a line's name to its ducats for a die of 1 to 6 (INC-10)."""
    lines = {}
    for key in sheet.all_keys():
        ducats = sheet.numbers(key)
        if not _LINE.fullmatch(key):
            sheet.note(key, "a line's name is written in small letters a-z")
        if len(ducats) != SIDES:
            sheet.note(key, f"a line has {SIDES} numbers, one for each side of the die")
        lines[key] = ducats
    return lines


def read_ambiguous(sheet: FileTable, places: Places) -> Mapping[str, tuple[PlaceId, ...]]:
    """Abbreviations that are refused with a hint, and what they might mean (SYN-09)."""
    names = {name for place in places.values() for name in (place.id, *place.aliases)}
    ambiguous = {}
    for key in sheet.all_keys():
        found = find_places(sheet, key, places, needed=True)
        if len(found) == 1:
            sheet.note(key, "an ambiguous abbreviation may mean two places or more")
        if key in names:
            sheet.note(key, "this is the abbreviation of a place")
        ambiguous[key.casefold()] = found
    return ambiguous


def read_order(
    sheet: FileTable, key: str, places: Places, belongs: Callable[[Place], bool]
) -> tuple[PlaceId, ...]:
    """The order in which reports list places; those that are not named follow at the end."""
    named = find_provinces(sheet, key, places)
    for place in named:
        if not belongs(places[place]):
            sheet.note(key, f"{place} has no city")
    rest = (place.id for place in places.values() if belongs(place) and place.id not in named)
    return (*named, *rest)


def read_rules(sheet: FileTable) -> Mapping[str, Value]:
    """Options of the rules that the file decides, by the names that the presets have for them."""
    rules: dict[str, Value] = {}
    for key in sheet.all_keys():
        value = cast("Value", sheet.anything(key))
        try:
            with_option(JUDGE, key, value)
        except UnknownRule as error:
            sheet.note(key, str(error))
        rules[key] = value
    return rules
