"""The scenarios that come with the program: set-ups, home countries, control, variants."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from machjudge.adjudicator.board import Scenario, Spot, Variant
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Kind, Unit
from machjudge.map_files.folders import Atlas
from tests.cases import cases
from tests.map_files.small import scenario_of, words

OPENINGS = json.loads((Path(__file__).parent / "openings.json").read_text(encoding="utf-8"))
"""Positions in which recorded games begin."""
YEARS: dict[str, int] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[
    "years"
]
ALL = tuple(YEARS)


def written(units: Iterable[Unit]) -> list[str]:
    """Units as the records write them, sorted."""
    return sorted(
        f"{unit.kind.value} {unit.place}{'/' if unit.coast else ''}{unit.coast}" for unit in units
    )


def by_power(scenario: Scenario, field: str) -> dict[str, list[str]]:
    """What each power has of something, sorted; powers that have nothing are left out."""
    return {
        power.id: sorted(getattr(power, field), key=str)
        for power in scenario.powers.values()
        if getattr(power, field)
    }


def expected(name: str, field: str) -> dict[str, list[str]]:
    """What the records say, in the same form."""
    return {power: places.split() for power, places in OPENINGS[name][field].items()}


@pytest.mark.parametrize("name", OPENINGS)
def test_units_stand_where_recorded_games_have_them(atlas: Atlas, name: str) -> None:
    """Every unit and every autonomous garrison, and no other."""
    scenario = scenario_of(atlas, name)
    units = {power.id: written(power.units) for power in scenario.powers.values() if power.units}
    recorded = {power: sorted(text.split(", ")) for power, text in OPENINGS[name]["units"].items()}

    assert recorded == {"&": written(scenario.autonomous), **units}


@pytest.mark.parametrize("name", OPENINGS)
def test_provinces_and_homes_are_those_of_recorded_games(atlas: Atlas, name: str) -> None:
    """Who controls which province at the start, and whose home country it is."""
    scenario = scenario_of(atlas, name)

    assert expected(name, "provinces") == by_power(scenario, "provinces")
    assert expected(name, "homes") == by_power(scenario, "home")


@pytest.mark.parametrize("name", OPENINGS)
def test_cities_are_those_of_recorded_games(atlas: Atlas, name: str) -> None:
    """Fortresses are among the cities at the start; games without them leave them out."""
    scenario = scenario_of(atlas, name)
    places = scenario.board.places
    cities = by_power(scenario, "cities")
    plain = {
        power: [place for place in held if not places[PlaceId(place)].city.fortress]
        for power, held in cities.items()
    }

    if "cities_with_forts" in OPENINGS[name]:
        assert expected(name, "cities_with_forts") == cities
    if "cities" in OPENINGS[name]:
        assert expected(name, "cities") == plain


def test_all_scenarios_are_found_and_titled(atlas: Atlas) -> None:
    """Each with a title and a first year."""
    scenarios = [scenario_of(atlas, name) for name in atlas.scenario_ids()]

    assert atlas.scenario_ids() == ALL
    assert [s.year for s in scenarios] == [*YEARS.values()]
    assert all(scenario.title for scenario in scenarios)


def test_peers_names_of_scenarios_are_known(atlas: Atlas) -> None:
    """The old judge's names lead to the same scenarios."""
    assert atlas.scenario("mach_eos") is atlas.scenario("1385")
    assert atlas.scenario("mach_sfd1") is atlas.scenario("1499")
    assert atlas.scenario("MACH") is atlas.scenario("1454")


def test_1513_splits_milan_between_austria_and_france(atlas: Atlas) -> None:
    """Province to Austria, city to France, home country of nobody."""
    scenario = scenario_of(atlas, "1513")
    milan = PlaceId("mil")

    assert milan in scenario.powers[PowerId("A")].provinces
    assert milan not in scenario.powers[PowerId("A")].cities
    assert milan in scenario.powers[PowerId("F")].cities
    assert milan not in scenario.powers[PowerId("F")].provinces
    assert scenario.home_of(milan) is None


@pytest.mark.parametrize(("name", "twin"), [("1513", "mach_sfd2"), ("1521", "mach_span")])
def test_two_scenarios_differ_from_their_twins_in_naples_only(
    atlas: Atlas, name: str, twin: str
) -> None:
    """The book makes Naples and Sardinia Austrian home, the old judge Naples a country."""
    book, peer = scenario_of(atlas, name), scenario_of(atlas, twin)
    naples = peer.powers[PowerId("N")]
    austria = PowerId("A")

    assert sorted(book.powers[austria].home) == sorted(
        (*peer.powers[austria].home, *naples.home, "sar")
    )
    for power in book.powers.values():
        assert written(power.units) == written(peer.powers[power.id].units)
        assert sorted(power.provinces) == sorted(peer.powers[power.id].provinces)
        assert sorted(power.cities) == sorted(peer.powers[power.id].cities)
        if power.id != austria:
            assert sorted(power.home) == sorted(peer.powers[power.id].home)


@pytest.mark.parametrize("name", ["mach_sfd2", "mach_span"])
def test_nobody_plays_naples_there(atlas: Atlas, name: str) -> None:
    """Naples is a home country to be conquered, without units or control (ELI-01)."""
    scenario = scenario_of(atlas, name)
    naples = scenario.powers[PowerId("N")]

    assert naples.conquerable_only
    assert (naples.units, naples.provinces, naples.cities) == ((), (), ())
    assert naples.id not in scenario.in_play
    assert len(naples.home) == 8


@cases
def test_dice_of_variable_income_are_those_of_the_scenario(
    atlas: Atlas, name: str, dice: str
) -> None:
    """Powers and cities throw as many dice as the book gives them (INC-10, INC-13)."""
    scenario = scenario_of(atlas, name)
    powers = [f"{power.id}{power.income_dice}" for power in scenario.powers.values()]
    cities = [f"{income.city}:{income.line}{income.dice}" for income in scenario.city_incomes]

    assert " ".join([*powers, *cities]) == dice


def test_own_lines_of_income_stay_with_their_scenario(atlas: Atlas) -> None:
    """The line of the Este is on no other board."""
    assert scenario_of(atlas, "mach_este").board.income_lines["este"] == (1, 2, 2, 3, 3, 4)
    assert "este" not in scenario_of(atlas, "1385").board.income_lines
    assert scenario_of(atlas, "1385").board is atlas.board("classic")


def test_neutral_countries_are_closed_in_1385(atlas: Atlas) -> None:
    """France and Austria are off limits, and forts are in use, in 1385 alone of the five."""
    france_and_austria = set(words("aus avi cri hun mar pro swi tyr"))

    assert scenario_of(atlas, "1385").neutral == france_and_austria
    assert scenario_of(atlas, "mach_este").neutral == france_and_austria
    assert [name for name in ALL if scenario_of(atlas, name).forts] == ["1385", "mach_este"]
    assert not scenario_of(atlas, "1454").neutral


def test_standard_starts_like_diplomacy(atlas: Atlas) -> None:
    """22 units in the home supply centres of seven powers, 12 centres open."""
    scenario = scenario_of(atlas, "standard")
    units = [unit for power in scenario.powers.values() for unit in power.units]
    held = [place for power in scenario.powers.values() for place in power.cities]

    assert "".join(scenario.powers) == "AEFGIRT"
    assert sorted(unit.place for unit in units) == sorted(held)
    assert len(units) == 22
    assert "F stp/sc" in written(scenario.powers[PowerId("R")].units)
    assert len(scenario.board.city_order) - len(held) == 12
    assert scenario.preset == "diplomacy"


def told(variant: Variant) -> str:
    """A variant in a few words."""
    sides = sorted("".join(sorted(side.powers)) for side in variant.sides)
    option = f"/{variant.option}" if variant.option > 1 else ""
    each = f"{variant.each_chooses} each" if variant.each_chooses else " ".join(sides)
    more = f" and one of {''.join(variant.then_choose)}" if variant.then_choose else ""
    out = f" without {''.join(variant.dropped)}" if variant.dropped else ""
    return f"{variant.players}{option}: {each}{more}{out}"


@cases
def test_variants_are_those_of_the_book(atlas: Atlas, name: str, variants: str) -> None:
    """Each with the powers of its players."""
    assert " | ".join(map(told, scenario_of(atlas, name).variants)) == variants


@pytest.mark.parametrize("name", ["1454-2-2", "1454-3", "1454-5", "1454-6", "1454-7", "1499-5"])
def test_the_lands_of_powers_that_are_out_are_closed(atlas: Atlas, name: str) -> None:
    """The powers are gone, and nobody enters what was theirs (MAP-30)."""
    whole, played = scenario_of(atlas, name.split("-", maxsplit=1)[0]), scenario_of(atlas, name)
    out = whole.powers.keys() - played.powers.keys()
    lands = {place for power in out for place in whole.powers[power].home}

    assert played.variant is not None
    assert out == {*played.variant.dropped}
    assert played.neutral == lands


def test_added_powers_units_and_garrisons_stand_in_the_scenario_as_it_is_played(
    atlas: Atlas,
) -> None:
    """Genoa and its fleet stand where the garrison was; Florence's lands stay open."""
    three, four = scenario_of(atlas, "1454-3-2"), scenario_of(atlas, "1521-4")
    two = scenario_of(atlas, "1521-2")
    florence = four.powers[PowerId("L")]

    assert written(three.powers[PowerId("G")].units) == ["G gen"]
    assert "F gen" in written(florence.units)
    assert "gen" in {*florence.provinces} & {*florence.cities} - {*florence.home}
    assert "gen" not in {unit.place for s in (three, four) for unit in s.autonomous}
    assert "L" not in two.powers
    assert not two.neutral
    assert {"are", "flo", "psa"} <= {unit.place for unit in two.autonomous}


def test_asterisks_of_the_book_are_carried(atlas: Atlas) -> None:
    """Five variants do not suit the basic victory conditions."""
    unsuited = [
        (name, variant.players, variant.option)
        for name in ALL
        for variant in scenario_of(atlas, name).variants
        if not variant.suits_basic_victory
    ]

    assert unsuited == [
        ("1385", 2, 1),
        ("1454", 2, 1),
        ("1454", 2, 2),
        ("1499", 3, 1),
        ("1499", 3, 2),
    ]


def test_genoa_can_become_a_power_in_1454(atlas: Atlas) -> None:
    """With three players the garrison of Genoa is a ninth power's, no longer autonomous."""
    variant = scenario_of(atlas, "1454").variants[3]

    assert (variant.players, variant.each_chooses) == (3, 3)
    assert variant.added_power is not None
    assert variant.added_power.id == "G"
    assert variant.added_power.cities == ("gen",)
    assert written(variant.added_power.units) == ["G gen"]
    assert variant.removed_garrisons == ("gen",)


def test_florence_is_replaced_by_garrisons_in_1521_for_two(atlas: Atlas) -> None:
    """Her provinces stay open, and each player takes one of Papacy and Venice."""
    variant = scenario_of(atlas, "1521").variants[0]

    assert [side.powers for side in variant.sides] == [("F", "T"), ("A",)]
    assert variant.then_choose == ("P", "V")
    assert (variant.dropped, variant.dropped_open) == (("L",), True)
    assert written(variant.added_garrisons) == ["G are", "G flo", "G psa"]


def test_florence_has_a_fleet_in_genoa_in_1521_for_four(atlas: Atlas) -> None:
    """It stands there instead of the autonomous garrison."""
    variant = scenario_of(atlas, "1521").variants[2]

    assert variant.added_units == (Unit(PowerId("L"), Kind.FLEET, PlaceId("gen")),)
    assert variant.removed_garrisons == ("gen",)


def test_turks_and_turkey_are_one_power(of_1454: Scenario) -> None:
    """Both names of the power T are accepted, and its adjective is known."""
    turkey = of_1454.powers[PowerId("T")]

    assert (turkey.name, turkey.adjective) == ("Turkey", "Turkish")
    assert "Turks" in turkey.aliases


def test_letters_are_those_of_the_old_judge(of_1454: Scenario) -> None:
    """L is Florence and I is Milan."""
    names = {power.id: power.name for power in of_1454.powers.values()}

    assert names == {
        "A": "Austria",
        "F": "France",
        "I": "Milan",
        "L": "Florence",
        "N": "Naples",
        "P": "Papacy",
        "T": "Turkey",
        "V": "Venice",
    }


def test_genoa_is_the_ninth_power_of_the_house_rules(atlas: Atlas) -> None:
    """It holds Genoa, Ventimiglia, Corsica and Pontremoli; the Swiss are nobody's.

    One die counts for all, and five cities pay apart from their states.
    """
    nine = scenario_of(atlas, "1454_nine")
    genoa, france = nine.powers[PowerId("G")], nine.powers[PowerId("F")]

    assert sorted(genoa.home) == words("cor gen pon vtm")
    assert written(genoa.units) == ["A vtm", "F cor", "F gen"]
    assert written(france.units) == ["A avi", "A lyo", "F mar"]
    assert "swi" not in {place for power in nine.powers.values() for place in power.provinces}
    assert {"tur"} == {unit.place for unit in nine.autonomous} - {
        unit.place for unit in scenario_of(atlas, "1454").autonomous
    }
    assert nine.rules == {"var_city_needs_province": True, "var_shared_die": True}
    assert {income.city: nine.board.income_lines[income.line] for income in nine.city_incomes} == {
        "flo": (1, 1, 1, 1, 2, 2),
        "gen": (1, 1, 1, 2, 2, 2),
        "mil": (1, 2, 2, 3, 3, 4),
        "nap": (1, 2, 2, 3, 3, 4),
        "ven": (1, 2, 2, 3, 3, 4),
    }


def test_the_edition_of_1983_gives_the_papacy_tivoli_and_two_cities_their_rolls(
    atlas: Atlas, of_1454: Scenario
) -> None:
    """There is no bank; the set-up is that of 1454."""
    later = scenario_of(atlas, "bop_1983")
    papacy = PowerId("P")

    assert {*later.powers[papacy].home} - {*of_1454.powers[papacy].home} == {"tiv"}
    assert [income.city for income in later.city_incomes] == ["gen", "mil", "nap"]
    assert later.rules == {"loans": False, "var_city_needs_province": True}
    assert by_power(later, "units") == by_power(of_1454, "units")


OF_1995 = tuple(name for name in ALL if name.startswith(("machiavelli2", "mach2_")))


def test_nine_set_ups_are_played_on_the_board_of_1995(atlas: Atlas) -> None:
    """Each says of itself that no book stands beside it."""
    assert len(OF_1995) == 9
    for name in OF_1995:
        scenario = scenario_of(atlas, name)
        assert scenario.board.title == "Machiavelli, the board of 1995"
        assert "no book stands beside it" in " ".join(scenario.notes)


def test_1454_of_1995_has_the_treasuries_that_both_records_give(atlas: Atlas) -> None:
    """And a garrison in Turin."""
    later = scenario_of(atlas, "machiavelli2")
    ducats = {power.id: power.initial_ducats for power in later.powers.values()}

    assert ducats == {"I": 6, "V": 9, "L": 6, "P": 4, "N": 4, "T": 4, "A": 1, "F": 2}
    assert "tur" in {unit.place for unit in later.autonomous}


def test_the_age_of_communes_has_cities_and_tables_of_its_own(
    atlas: Atlas, of_1454: Scenario
) -> None:
    """The classic board of other scenarios stays as it is."""
    communes = scenario_of(atlas, "mach_aoc")
    verona, usual = (s.board.places[PlaceId("ver")].city for s in (communes, of_1454))

    assert (verona.income, verona.fortified, verona.fortress) == (2, True, False)
    assert usual.fortress
    assert communes.board.famine != of_1454.board.famine
    assert communes.board.income_lines["verona"] == (1, 2, 3, 3, 4, 4)
    assert PowerId("R") not in communes.in_play


def test_the_five_winds_begin_alike(atlas: Atlas) -> None:
    """Turned by a fifth, borders, cities and set-up are the same again."""
    winds = scenario_of(atlas, "winds")
    board = winds.board
    after = dict(zip("glspt", "lsptg", strict=True))

    def turned(place: str) -> str:
        return place if place in ("mid", "iso") else after[place[0]] + place[1:]

    for place, near in board.army.items():
        assert {turned(each) for each in near} == board.army[PlaceId(turned(place))]
    for spot, near in board.fleet.items():
        spots = {turned(each.place) for each in near}
        assert spots == {each.place for each in board.fleet[Spot(PlaceId(turned(spot.place)))]}
    for each in board.places.values():
        assert each.city == board.places[PlaceId(turned(each.id))].city
    for power in winds.powers.values():
        next_one = winds.powers[PowerId(after[power.id.lower()].upper())]
        assert sorted(map(turned, power.home)) == sorted(next_one.home)
        assert sorted(turned(unit.place) for unit in power.units) == sorted(
            unit.place for unit in next_one.units
        )
