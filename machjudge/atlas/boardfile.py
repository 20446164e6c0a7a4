"""A board file, read and checked as a whole."""

from pathlib import Path

from machjudge.adjudicator.model.board import Board, Place
from machjudge.atlas.borders import read_borders
from machjudge.atlas.patches import read_patches
from machjudge.atlas.places import SECTIONS, read_places
from machjudge.atlas.sheet import FileTable, open_sheet
from machjudge.atlas.tables import (
    read_ambiguous,
    read_income_lines,
    read_order,
    read_rules,
    read_table,
)


def load_board(file: Path) -> Board:
    """The board of a file; its id is the file's name.  Raises BrokenMap with all that is wrong."""
    return read_board(open_sheet(file), file.stem)


def is_board(sheet: FileTable) -> bool:
    """Whether an opened file is that of a board."""
    return sheet.has("board")


def read_board(file: FileTable, board_id: str) -> Board:
    """The board of an opened file.  Raises BrokenMap with all that is wrong."""
    head = file.sheet("board")
    title = head.text("title")
    head.texts("also")
    head.close()
    places, closed = read_places(file)
    if not places:
        file.findings.note("", f"no places: {', '.join(f'[{name}]' for name in SECTIONS)}")
    army, fleet, straits = read_borders(file, places, closed)
    patches = read_patches(file, places, army, fleet)
    report = file.sheet("report")
    board = Board(
        id=board_id,
        title=title,
        places=places,
        army=army,
        fleet=fleet,
        straits=straits,
        patches=patches,
        famine=read_table(file.sheet("famine"), places, at_sea=False),
        plague=read_table(file.sheet("plague"), places, at_sea=False),
        storm=read_table(file.sheet("storm"), places, at_sea=True),
        income_lines=read_income_lines(file.sheet("income")),
        ambiguous=read_ambiguous(file.sheet("ambiguous"), places),
        rules=read_rules(file.sheet("rules")),
        province_order=read_order(report, "provinces", places, _is_province),
        city_order=read_order(report, "cities", places, _has_city),
    )
    report.close()
    file.close()
    file.findings.raise_if_any()
    return board


def _is_province(place: Place) -> bool:
    return not place.is_sea


def _has_city(place: Place) -> bool:
    return place.city is not None
