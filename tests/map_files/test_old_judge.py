"""Map files of the old judge: read into ours, written from ours, and nothing lost in silence."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.adjudicator.board import Board, Place, Scenario, Spot, Terrain
from machjudge.cli import main
from machjudge.map_files.board import load_board
from machjudge.map_files.folders import Atlas
from machjudge.map_files.old_judge import (
    OldMap,
    board_text,
    income_rows,
    read_old_map,
    write_old_map,
)
from machjudge.map_files.toml_reader import BrokenMap
from tests.cases import cases
from tests.map_files.small import MAPS, scenario_of

SCENARIOS = Atlas([MAPS]).scenario_ids()

SMALL = Path(__file__).with_name("map.small").read_text("utf-8")


def read(tmp_path: Path, text: str) -> OldMap:
    """What an old file of that text says."""
    file = tmp_path / "map.small"
    file.write_text(text, encoding="utf-8")
    return read_old_map(file, "small")


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    """What is wrong after a change, as line and reason."""
    assert old in SMALL
    with pytest.raises(BrokenMap) as broken:
        read(tmp_path, SMALL.replace(old, new, 1))
    return [f"{fault.line}: {fault.says}" for fault in broken.value.faults]


def test_places_and_marks_are_read_as_the_appendix_says(tmp_path: Path) -> None:
    """F015: owner, income, kind of city, Venice, coasts; the place of no name is passed over."""
    old = read(tmp_path, SMALL)
    places: Mapping[str, Place] = {str(name): place for name, place in old.board.places.items()}
    cities = {
        name: (city.income, city.fortified, city.port, city.fortress)
        for name, place in places.items()
        if (city := place.city) is not None
    }

    assert [*places] == ["alb", "anc", "aqu", "bot", "ven", "cro"]
    assert places["bot"].terrain is Terrain.SEA
    assert places["aqu"].terrain is Terrain.INLAND
    assert places["alb"].aliases == ("alban",)
    assert places["ven"].venice
    assert places["cro"].coasts == ("nc", "sc")
    assert cities == {
        "alb": (1, False, False, False),
        "anc": (1, True, True, False),
        "aqu": (0, True, False, True),
        "ven": (3, True, True, False),
        "cro": (1, False, False, False),
    }
    assert {str(end) for end in old.board.fleet[_spot("bot")]} == {"alb", "anc", "cro/sc", "ven"}
    assert old.board.famine == {(2, 4): "alb", (2, 12): "aqu"}


def test_powers_have_their_lands_and_throws(tmp_path: Path) -> None:
    """The throw of a home city is its power's, that of a free one is the city's own."""
    old = read(tmp_path, SMALL)
    venice = old.powers["V"]  # type: ignore[index]  # a letter

    assert (venice.home, venice.income_line, venice.income_dice) == (("ven",), "venice", 2)
    assert (venice.initial_ducats, [kind.value for kind in venice.special or ()]) == (
        7,
        ["cm", "em"],
    )
    assert [(each.city, each.line) for each in old.city_incomes] == [("cro", "croatia")]


@cases
def test_a_fault_of_an_old_file_names_its_line(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    """All of them at once, each with what is right."""
    assert any(says in fault for fault in faults(tmp_path, old, new)), faults(tmp_path, old, new)


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_written_reads_back(atlas: Atlas, tmp_path: Path, name: str) -> None:
    """F015: import(export(x)) is x in all that the old file can say, by our own files too."""
    scenario = scenario_of(atlas, name)
    old = read(tmp_path, write_old_map(scenario).text)
    written = tmp_path / "written.toml"
    written.write_text(board_text(old.board), encoding="utf-8")

    assert _sayable(old.board) == _sayable(load_board(written)) == _sayable(_open_part(scenario))
    assert {letter: {*power.home} for letter, power in old.powers.items()} == {
        letter: {*power.home} for letter, power in scenario.powers.items() if power.home
    }
    assert _throws(old) == _expected_throws(scenario)
    assert {letter: power.special for letter, power in old.powers.items()} == {
        letter: power.special for letter, power in scenario.powers.items() if power.home
    }


@cases
def test_what_is_lost_is_named(atlas: Atlas, name: str, says: str) -> None:
    """In the answer, and on top of the file."""
    old = write_old_map(scenario_of(atlas, name))

    assert any(each.startswith(says) for each in old.unsaid), old.unsaid
    assert f"# Not said below: {says}" in old.text


def test_nothing_is_said_to_be_lost_that_is_not_there(atlas: Atlas) -> None:
    """A plain scenario loses what every one loses."""
    assert len(write_old_map(scenario_of(atlas, "winds")).unsaid) == 3


def test_export_and_import_are_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left to do after an import is told: the units, power by power."""
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    out = run.invoke(main, ["map", "export", "1385", "-o", "map.expansion"])
    back = run.invoke(main, ["map", "import", "map.expansion"])
    again = run.invoke(main, ["map", "import", "map.expansion"])

    assert (out.exit_code, back.exit_code, again.exit_code) == (0, 0, 2)
    assert "Not said: provinces that nobody may enter" in out.stderr
    assert "boards/expansion.toml: OK, a board of " in back.stdout
    assert back.stdout.count(": no units;") == 4
    assert "mes guards the strait between gon and ion" in back.stderr
    assert "is there already; --force replaces it" in again.stderr


def test_a_new_board_and_scenario_are_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F015: ``map new`` writes both, and ``map check`` finds nothing wrong."""
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    begun = run.invoke(main, ["map", "new", "duchy"])
    checked = run.invoke(main, ["map", "check", "boards/duchy.toml", "scenarios/duchy.toml"])
    ours = run.invoke(main, ["map", "new", "1454"])
    wrong = run.invoke(main, ["map", "new", "../duchy"])

    assert (begun.exit_code, checked.exit_code, ours.exit_code, wrong.exit_code) == (0, 0, 2, 2)
    assert checked.stdout == begun.stdout
    assert checked.stdout.count(": OK, ") == 2


def test_a_name_that_no_order_can_say_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a power in its scenario, of a place in its board, each with its line."""
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    run.invoke(main, ["map", "new", "duchy"])
    for name, old, new in (("scenarios", "Alba", "East"), ("boards", "Hills", "Fleet")):
        file = tmp_path / name / "duchy.toml"
        file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    checked = run.invoke(main, ["map", "check", "boards/duchy.toml", "scenarios/duchy.toml"])

    assert checked.exit_code == 1
    assert "boards/duchy.toml:8: inland.hil: 'Fleet' cannot be said in orders" in checked.stderr
    assert "powers.A: 'East' cannot be said in orders: 'pay 3 to East'" in checked.stderr


# --- what the old file can say of a scenario -------------------------------------------------


def _spot(name: str) -> Spot:
    return Spot(name)  # type: ignore[arg-type]  # a place


def _open_part(scenario: Scenario) -> Board:
    return scenario.board if not scenario.neutral else _without(scenario)


def _without(scenario: Scenario) -> Board:
    board, closed = scenario.board, scenario.neutral
    return replace(
        board,
        places={name: place for name, place in board.places.items() if name not in closed},
        army={name: ends - closed for name, ends in board.army.items() if name not in closed},
        fleet={
            spot: frozenset(end for end in ends if end.place not in closed)
            for spot, ends in board.fleet.items()
            if spot.place not in closed
        },
        famine={cell: place for cell, place in board.famine.items() if place not in closed},
        plague={cell: place for cell, place in board.plague.items() if place not in closed},
        province_order=tuple(p for p in board.province_order if p not in closed),
        city_order=tuple(p for p in board.city_order if p not in closed),
    )


def _sayable(board: Board) -> object:
    def city(place: Place) -> object:
        if place.city is None:
            return None
        return place.city.income, place.city.fortified, place.city.port

    places = {
        place.id: (
            place.name,
            place.terrain,
            tuple(name for name in place.aliases if name.isalnum()),
            city(place),
            place.coasts,
            place.venice or place.afloat,
        )
        for place in board.places.values()
    }
    straits = {(strait.edge, strait.guard) for strait in board.straits}
    tables = (board.famine, board.plague, board.storm)
    army = {place: ends for place, ends in board.army.items() if ends}
    return places, army, board.fleet, straits, tables, board.province_order, board.city_order


def _throws(old: OldMap) -> object:
    lines = old.board.income_lines
    powers = {
        letter: (lines[power.income_line], power.income_dice, power.initial_ducats)
        for letter, power in old.powers.items()
        if power.income_line is not None
    }
    return powers, sorted((each.city, lines[each.line], each.dice) for each in old.city_incomes)


def _expected_throws(scenario: Scenario) -> object:
    lines = scenario.board.income_lines
    assert len(income_rows(scenario)) == len(
        [power for power in scenario.powers.values() if power.income_line]
    ) + len(scenario.city_incomes)
    powers = {
        letter: (lines[power.income_line], power.income_dice, power.initial_ducats)
        for letter, power in scenario.powers.items()
        if power.income_line is not None
    }
    cities = sorted((each.city, lines[each.line], each.dice) for each in scenario.city_incomes)
    return powers, cities


@cases
def test_marks_of_other_games_are_refused_for_what_they_are(
    tmp_path: Path, marks: str, says: str
) -> None:
    """A digit for a power and marks of Diplomacy's variants are no slips of the hand."""
    (fault,) = faults(tmp_path, "P1P  anc", f"{marks}  anc")

    assert fault.startswith(f"4: {says}")


def test_ends_with_one_support_less_are_read_and_named(tmp_path: Path) -> None:
    """``/mx`` behind the end of a border, as ``mx`` for all of it."""
    text = SMALL.replace("aqu-mv: anc cro", "aqu-mv: anc cro/mx", 1)
    old = read(tmp_path, text.replace("bot-xc: cro/sc ven", "bot-xc: cro/sc ven/mx", 1))

    assert old.board.army == read(tmp_path, SMALL).board.army
    assert old.board.fleet == read(tmp_path, SMALL).board.fleet
    less = "with one support less there, and not here"
    assert f"armies come from aqu to cro {less}" in old.remarks
    assert f"fleets come from bot to ven {less}" in old.remarks


def test_land_without_an_owner_is_named_as_what_it_is_written_as(tmp_path: Path) -> None:
    """The mark ``l`` of a place that units can enter does not come back from an export."""
    old = read(tmp_path, SMALL.replace("N0f  aqu", "l0.  aqu", 1))

    says = "is marked l, land without an owner; it is nobody's here, and written as x"
    assert [each for each in old.remarks if "marked l" in each] == [f"aqu {says}"]
