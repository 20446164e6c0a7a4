"""The places of a board as players get them by mail."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.options import JUDGE, preset, with_option
from machjudge.adjudicator.rules import Rules
from machjudge.cli.console import say
from machjudge.map_files.folders import Atlas, places_text
from tests.map_files.small import scenario_of


def table(scenario: Scenario, rules: Rules | None = None) -> str:
    """The table in English."""
    return places_text(scenario, say, rules)


def rows(text: str, place: str) -> list[str]:
    """The lines of a place: its own and those below it that have no abbreviation."""
    lines = text.split("\n")
    start = next(n for n, line in enumerate(lines) if line.startswith(f"{place} "))
    end = next(n for n in range(start + 1, len(lines)) if not lines[n].startswith("     "))
    return [" ".join(line.split()) for line in lines[start:end]]


@pytest.mark.parametrize(
    "name", ["1385", "1454", "1499", "1513", "1521", "mach_este", "mach_sfd2", "standard"]
)
def test_no_line_is_wider_than_80_characters(atlas: Atlas, name: str) -> None:
    """The table fits every mail program, and has no blanks at the ends of its lines."""
    scenario = scenario_of(atlas, name)
    lines = table(scenario).split("\n")

    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)


def test_every_place_has_a_row(of_1454: Scenario) -> None:
    """Each abbreviation begins a row, with the name in full."""
    lines = table(of_1454).split("\n")
    found = {line[:3]: line for line in lines}

    for place in of_1454.board.places.values():
        assert found[place.id][5:].startswith(place.name)


def test_a_row_tells_home_city_and_borders(of_1454: Scenario) -> None:
    """Genoa is a free port of 3 ducats, Rome papal and inland, Croatia has two coasts."""
    text = table(of_1454)

    assert rows(text, "gen") == [
        "gen Genoa fortified 3, port A for mod mon pon sav",
        "F egl mod sav",
    ]
    assert rows(text, "rme") == ["rme Rome P fortified 2 A pat per spo tiv"]
    assert rows(text, "cro")[1:] == ["F/nc crn ist uas", "F/sc dal ist"]
    assert rows(text, "aqu")[0].startswith("aqu Aquila N fortress A ")


def test_long_borders_are_wrapped(of_1454: Scenario) -> None:
    """The twelve neighbours of the Upper Adriatic take two lines."""
    assert rows(table(of_1454), "uas") == [
        "uas Upper Adriatic Sea F anc bol crn cro/nc dal fer fri ist lag las pad",
        "rma",
    ]


def test_what_the_rules_do_not_use_is_left_out(of_1454: Scenario) -> None:
    """Without forts no fortresses, without money no ducats, without garrisons plain cities."""
    plain = table(of_1454, JUDGE)
    poor = table(of_1454, with_option(JUDGE, "money", value=False))
    bare = table(of_1454, preset("diplomacy"))

    assert rows(plain, "aqu")[0].startswith("aqu Aquila N A ")
    assert rows(plain, "gen")[0].startswith("gen Genoa fortified 3, port A ")
    assert rows(poor, "gen")[0].startswith("gen Genoa fortified, port A ")
    assert rows(bare, "gen")[0].startswith("gen Genoa city A ")
    assert "ducats" not in poor
    assert "garrisons" not in bare


def test_straits_names_and_neutrals_are_told(atlas: Atlas) -> None:
    """What is not in the rows stands below them."""
    scenario = scenario_of(atlas, "1385")
    text = table(scenario)

    assert "Strait: a fleet in mes can close gon - ion." in text
    assert "In ven there is room for one unit in all." in text
    assert "neutral provinces" in text
    assert "switzerland = swi" in text.replace("\n  ", " ")
    assert "rma or rme: rom." in text
    assert rows(text, "aus")[0].startswith("aus Austria - ")


def test_a_board_without_other_names_says_nothing_of_them(atlas: Atlas) -> None:
    """The paragraph is left out, not empty; so are straits and neutrals."""
    scenario = scenario_of(atlas, "standard")
    text = table(scenario)

    assert "Strait" not in text
    assert "neutral" not in text


def test_the_borders_and_straits_are_those_of_the_rules(of_1454: Scenario) -> None:
    """What an option opens or closes is so in the table of that game."""
    rules = with_option(JUDGE, "map_messina_otranto", "both")
    rules = with_option(rules, "strait_piombino", False)
    text = table(of_1454, rules)

    assert rows(text, "mes")[0].endswith("port A otr pal")
    assert "in mes can close" in text
    assert "in pio can close" not in text
    assert "in pio can close" in table(of_1454)


def test_a_board_without_a_sea_has_a_table(of_1454: Scenario) -> None:
    """A keeper may make one."""
    land = {key: place for key, place in of_1454.board.places.items() if not place.is_sea}
    text = table(replace(of_1454, board=replace(of_1454.board, places=land)))

    assert "gen  Genoa" in text
    assert "uas  Upper" not in text


def test_a_city_in_the_water_is_told(atlas: Atlas) -> None:
    """Below the rows, as it is no place for armies."""
    scenario = scenario_of(atlas, "machiavelli2")

    assert "In ven there are fleets and garrisons only." in table(scenario)
