"""Famine, plague and storms (areas FAM, PLG, STM), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.events import DisasterStruck, FamineEnded
from machjudge.adjudicator.year.disasters import (
    lift_famine,
    strike_famine,
    strike_plague,
    strike_storms,
)
from tests.adjudicator.scene import Scene, places, scene

ALL = {"famine": True, "plague": True, "storm": "table"}


def world(phase: str, units: str = "", **fields: object) -> Scene:
    """A position of a game with all disasters, unless the test says otherwise."""
    return scene(phase, units=units, **{"options": ALL, **fields})


def famine(position: Scene, severity: int, row: int = 12, column: int = 2) -> list[str]:
    """Where famine strikes with these sums of dice."""
    dice = {
        "famine severity": _two(severity),
        "famine row": _two(row),
        "famine column": _two(column),
    }
    return sorted(position.take(strike_famine, dice=dice).state.famine)


def _two(total: int) -> list[int]:
    first = max(1, total - 6)
    return [first, total - first]


ROW = places("aqu avi ist luc psa")
COLUMN = places("fer fri mar sav tiv")


@pytest.mark.parametrize(
    ("severity", "struck"),
    [
        (2, []),
        (3, []),
        (4, ROW),
        (5, COLUMN),
        (6, ROW),
        (7, COLUMN),
        *((both, sorted(ROW + COLUMN)) for both in range(8, 13)),
    ],
)
def test_fam_01_severity_says_row_or_column_or_both(severity: int, struck: list[str]) -> None:
    """By the judge's rolls (FAM-E1 to FAM-E4, FAM-04)."""
    assert famine(world("F1455M"), severity) == struck


def test_fam_01_the_books_rolls_differ_in_the_middle() -> None:
    """4 and 7 strike a row, 5 and 6 a column (FAM-E5)."""
    position = world("F1455M", options={**ALL, "disaster_rolls": "book"})

    assert [famine(position, severity) for severity in (4, 5, 6, 7)] == [ROW, COLUMN, COLUMN, ROW]


def test_fam_01_famine_is_thrown_after_fall_only() -> None:
    """Once a year."""
    assert world("S1455M").take(strike_famine).events == ()
    assert world("U1455M").take(strike_famine).events == ()


@pytest.mark.parametrize("options", [{**ALL, "famine": False}, {**ALL, "dice": False}])
def test_fam_01_no_famine_where_the_flags_are_off(options: dict[str, object]) -> None:
    """Without the flag, and without dice (SET-04)."""
    assert world("F1455M", options=options).take(strike_famine).events == ()


def test_fam_03_the_table_has_69_provinces_and_not_perugia() -> None:
    """Every other province is listed once (FAM-04)."""
    board = world("F1455M").world.board
    listed = sorted(board.famine.values())
    provinces = sorted(place.id for place in board.places.values() if not place.is_sea)

    assert listed == [place for place in provinces if place != "per"]


def test_fam_09_all_famine_is_over_after_spring() -> None:
    """The markers vanish, and not before."""
    outcome = world("S1455M", famine="mil cre").take(lift_famine)

    assert outcome.state.famine == frozenset()
    assert [event.relieved for event in outcome.told(FamineEnded)] == [False, False]
    assert world("F1455M", famine="mil cre").take(lift_famine).state.famine == {"mil", "cre"}


# --- plague ----------------------------------------------------------------------------------


def test_plg_01_plague_comes_between_spring_and_summer() -> None:
    """Not after Summer or Fall, and not without the flag or dice."""
    dice = {"plague severity": [1, 1]}

    assert world("S1455M").take(strike_plague, dice=dice).events != ()
    assert world("U1455M").take(strike_plague, dice=dice).events == ()
    assert world("F1455M").take(strike_plague, dice=dice).events == ()
    assert scene("S1455M").take(strike_plague, dice=dice).events == ()
    without = world("S1455M", options={**ALL, "dice": False})
    assert without.take(strike_plague, dice=dice).events == ()


def test_plg_01_no_plague_in_years_without_summer() -> None:
    """It is skipped."""
    position = world("S1455M", options={**ALL, "summer": False})

    assert position.take(strike_plague, dice={"plague severity": [1, 1]}).events == ()


def test_plg_02_all_units_in_the_struck_provinces_die() -> None:
    """In the cities too, autonomous ones too (PLG-E1); nothing lasts."""
    units = "F A tur, & G sie, V A sie, P A rme, I A mil, L A flo"
    dice = {"plague severity": [4, 4], "plague row": [3, 3], "plague column": [3, 4]}
    outcome = world("S1455M", units).take(strike_plague, dice=dice)
    (struck,) = outcome.told(DisasterStruck)

    assert outcome.units() == ["I A mil", "L A flo"]
    assert list(struck.places) == sorted(places("tur sie mes pad aus fer rme luc tun cre"))
    assert outcome.state.famine == frozenset()


def test_plg_03_the_table_has_66_provinces() -> None:
    """Arezzo, Piombino, Pistoia and Ragusa are never struck (PLG-04)."""
    board = world("S1455M").world.board
    listed = sorted(board.plague.values())
    provinces = {place.id for place in board.places.values() if not place.is_sea}

    assert len(listed) == len(set(listed)) == 66
    assert provinces - set(listed) == {"are", "pio", "pst", "rag"}


# --- storms ----------------------------------------------------------------------------------


def test_stm_01_storms_come_after_fall() -> None:
    """Only with the flag, and with dice."""
    dice = {"storm severity": [1, 1]}

    assert world("F1455M").take(strike_storms, dice=dice).events != ()
    assert world("S1455M").take(strike_storms, dice=dice).events == ()
    assert scene("F1455M").take(strike_storms, dice=dice).events == ()
    without = world("F1455M", options={**ALL, "dice": False})
    assert without.take(strike_storms, dice=dice).events == ()


def test_stm_01_storms_come_before_famine() -> None:
    """Both after the retreats of Fall."""
    lines = places("austria florence france genoa milan naples papacy turkey venice")
    dice = {f"income {line}": [1, 1] if line in {"florence", "venice"} else [1] for line in lines}
    dice |= {"storm severity": [1, 1], "famine severity": [1, 1]}
    outcome = world("F1455M").play(dice=dice)

    assert [event.kind for event in outcome.told(DisasterStruck)] == ["storm", "famine"]


def test_map_30_neutral_countries_are_spared() -> None:
    """Nothing is told of provinces that are out of the game."""
    position = scene("F1385M", scenario="1385", options=ALL)
    dice = {"famine severity": [2, 2], "famine row": [2, 3]}
    outcome = position.take(strike_famine, dice=dice)
    neutral = position.world.scenario.neutral

    assert "aus" in neutral
    assert not outcome.state.famine & neutral
    assert "mil" in outcome.state.famine
