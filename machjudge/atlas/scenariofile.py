"""A scenario file, read and checked as a whole."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from machjudge.adjudicator.model.board import Board, Table
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId
from machjudge.adjudicator.model.presets import PRESETS
from machjudge.adjudicator.model.scenario import CityIncome, Scenario
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas.places import Places, find_provinces, read_city
from machjudge.atlas.powers import read_powers, read_roll
from machjudge.atlas.setup import note_crowds, read_garrisons, read_units
from machjudge.atlas.sheet import FileTable, open_sheet
from machjudge.atlas.tables import read_income_lines, read_rules, read_table
from machjudge.atlas.variants import read_variants

BoardNamed = Callable[[str], Board | None]
"""Whoever knows the boards by their ids; None for an id that is unknown."""

LATEST = 9999


def load_scenario(file: Path, board_named: BoardNamed) -> Scenario:
    """The scenario of a file; its id is the file's name.

    Raises BrokenMap with all that is wrong, also when its board is broken.
    """
    return read_scenario(open_sheet(file), file.stem, board_named)


def read_scenario(file: FileTable, scenario_id: str, board_named: BoardNamed) -> Scenario:
    """The scenario of an opened file.  Raises BrokenMap with all that is wrong."""
    head = file.sheet("scenario")
    board = _read_board(file, head, board_named)
    forts = head.flag("forts")
    autonomous = (
        *read_garrisons(head, "autonomous", board, forts=forts),
        *read_units(head, "autonomous_units", AUTONOMOUS, board, forts=forts),
    )
    scenario = Scenario(
        id=scenario_id,
        title=head.text("title"),
        board=board,
        year=head.whole("year", least=1, most=LATEST),
        powers=read_powers(file, board, autonomous, forts=forts),
        autonomous=autonomous,
        neutral=frozenset(find_provinces(head, "neutral", board.places)),
        city_incomes=_read_city_incomes(file.sheet("city_income"), board),
        forts=forts,
        variants=(),
        notes=head.texts("notes"),
        rules=read_rules(file.sheet("rules")),
        preset=_read_preset(head, "preset"),
        bare=_read_preset(head, "bare"),
    )
    head.texts("also")
    scenario = replace(scenario, variants=read_variants(file, scenario))
    _note_contradictions(file, scenario)
    head.close()
    file.close()
    file.findings.raise_if_any()
    return scenario


def _read_board(file: FileTable, head: FileTable, board_named: BoardNamed) -> Board:
    """The board, with the cities, tables and lines of income that the scenario has otherwise.

    Without a board nothing else can be checked, so its absence is raised at once.
    """
    name = head.text("board")
    board = board_named(name) if name else None
    if board is None:
        if name:
            head.note("board", f"there is no board {name!r}")
        raise file.findings.broken()
    if not any(file.has(key) for key in _OF_THE_BOARD):
        return board
    own = read_income_lines(file.sheet("income"))
    return replace(
        board,
        income_lines={**board.income_lines, **own},
        places=_with_cities(file.sheet("cities"), board),
        famine=_own_table(file, "famine", board.famine, board),
        plague=_own_table(file, "plague", board.plague, board),
        storm=_own_table(file, "storm", board.storm, board),
    )


_OF_THE_BOARD = ("income", "cities", "famine", "plague", "storm")
"""What a scenario may have otherwise than its board."""


def _with_cities(group: FileTable, board: Board) -> Places:
    """The places, some with the city that the scenario gives them."""
    places = dict(board.places)
    for key in group.all_keys():
        sheet, place = group.sheet(key), places.get(PlaceId(key))
        if place is None or place.is_sea:
            group.note(key, f"there is no province {key!r}")
        else:
            places[place.id] = replace(place, city=read_city(sheet, place.terrain))
        sheet.close()
    return places


def _own_table(file: FileTable, kind: str, usual: Table, board: Board) -> Table:
    """The table of a disaster that stands in the scenario, or else the board's."""
    if not file.has(kind):
        return usual
    return read_table(file.sheet(kind), board.places, at_sea=kind == "storm")


def _read_preset(head: FileTable, key: str) -> str:
    preset = head.text(key, "")
    if preset and preset not in PRESETS:
        head.note(key, f"there is no preset {preset!r}; known are {', '.join(PRESETS)}")
    return preset


def _read_city_incomes(group: FileTable, board: Board) -> tuple[CityIncome, ...]:
    incomes = []
    for key in group.all_keys():
        line, dice = read_roll(group.sheet(key), board)
        place = board.places.get(PlaceId(key))
        if place is None or place.city is None:
            group.note(key, f"there is no city {key!r}")
        incomes.append(CityIncome(PlaceId(key), line, dice))
    return tuple(incomes)


def _note_contradictions(file: FileTable, scenario: Scenario) -> None:
    units = [unit for power in scenario.powers.values() for unit in power.units]
    note_crowds(file, [*units, *scenario.autonomous], scenario.board)
    _note_neutral(file, scenario, [*units, *scenario.autonomous])
    if not scenario.in_play:
        file.note("powers", "nobody can play any of these powers")


def _note_neutral(file: FileTable, scenario: Scenario, units: list[Unit]) -> None:
    """Note what is in neutral provinces, where nothing can be (MAP-30)."""
    uses: Mapping[str, set[PlaceId]] = {
        "a unit": {unit.place for unit in units},
        "a home country": {place for power in scenario.powers.values() for place in power.home},
        "a power": {place for power in scenario.powers.values() for place in power.provinces},
    }
    for what, places in uses.items():
        for place in sorted(places & scenario.neutral):
            file.note("scenario.neutral", f"{place} is neutral, but has {what}")
