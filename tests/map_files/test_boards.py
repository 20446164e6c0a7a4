"""The boards that come with the program, against the catalogue (areas MAP, FAM, PLG, STM)."""

import pytest

from machjudge.adjudicator.board import Board, City, Spot, Terrain
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId
from machjudge.adjudicator.world import STATES_AND_CITIES
from machjudge.map_files.folders import Atlas
from tests.cases import cases
from tests.map_files.small import scenario_of, words


def cells(text: str) -> dict[tuple[int, int], str]:
    """A table as the catalogue writes it: (row, column) to the place's name."""
    table = {}
    for line in text.strip().split("\n"):
        row, _, rest = line.partition(": ")
        for cell in rest.split(", "):
            column, _, name = cell.partition(" ")
            table[int(row), int(column)] = name
    return table


def named(board: Board, *names: str) -> set[PlaceId]:
    """The places of these names."""
    found = {place.id for place in board.places.values() if place.name in names}
    assert len(found) == len(names)
    return found


def cities(board: Board) -> dict[PlaceId, City]:
    """The cities of a board that are no fortresses."""
    return {
        place.id: place.city
        for place in board.places.values()
        if place.city and not place.city.fortress
    }


def edges(graph: dict[object, frozenset[object]]) -> int:
    """How many borders a graph has, each counted once."""
    return sum(len(ends) for ends in graph.values()) // 2


@cases
def test_every_cell_of_a_disaster_table_is_right(
    classic: Board, kind: str, text: str, count: int
) -> None:
    """Famine, plague and storm strike as FAM-03, PLG-03 and STM-02 list."""
    table = {cell: classic.places[place].name for cell, place in getattr(classic, kind).items()}

    assert cells(text) == table
    assert count == len(table)


def test_some_places_are_never_struck(classic: Board) -> None:
    """Perugia has no famine, four provinces no plague (FAM-04, PLG-04), the Lagoon no storm."""
    lands = {place.id for place in classic.places.values() if not place.is_sea}
    seas = set(classic.places) - lands

    assert lands - set(classic.famine.values()) == {"per"}
    assert lands - set(classic.plague.values()) == {"are", "pio", "pst", "rag"}
    assert seas - set(classic.storm.values()) == {"lag"}


def test_a_famine_row_and_column_strike_the_places_of_the_example(classic: Board) -> None:
    """Row 12 and column 2 strike the ten places of FAM-04."""
    struck = {p for (row, column), p in classic.famine.items() if row == 12 or column == 2}

    assert struck == set(words("psa aqu avi luc ist tiv fri mar fer sav"))


def test_the_classic_board_has_70_provinces_and_11_seas(classic: Board) -> None:
    """Places, cities and borders are as many as MAP-01 and the drawn board have."""
    seas = [place for place in classic.places.values() if place.is_sea]

    assert len(seas) == 11
    assert len(classic.places) - len(seas) == 70
    assert len(cities(classic)) == 44
    assert edges(classic.army) == 147
    assert edges(classic.fleet) == 112


def test_fortresses_are_those_of_the_list(classic: Board) -> None:
    """Fourteen places have a fortress that pays nothing (MAP-01, MAP-08)."""
    forts = {p.id: p.city for p in classic.places.values() if p.city and p.city.fortress}

    assert set(forts) == set(words("aqu ber bre for par pat pia rma slr spo tiv urb ver vic"))
    assert {city.income for city in forts.values()} == {0}
    assert all(city.fortified for city in forts.values())
    assert {place for place, city in forts.items() if city.port} == {"slr", "tiv"}


def test_cities_pay_fortify_and_have_ports_as_listed(classic: Board) -> None:
    """Majors, unfortified cities and ports are those of MAP-02 and MAP-03; others pay 1 ducat."""
    major = {place: city.income for place, city in cities(classic).items() if city.is_major}
    open_ones = {place for place, city in cities(classic).items() if not city.fortified}
    ports = {place for place, city in cities(classic).items() if city.port}

    assert major == {"flo": 3, "gen": 3, "mil": 3, "ven": 3, "nap": 2, "rme": 2, "tun": 2}
    assert {city.income for city in cities(classic).values()} == {1, 2, 3}
    assert open_ones == set(words("alb crn cor cro dal hun sar swi"))
    assert ports == set(words("anc bar cor dur gen mar mes nap pal pio psa rag sar sav tun ven"))


def test_croatia_and_provence_have_two_coasts(classic: Board) -> None:
    """Both have a north and a south coast, with the seas and coasts of MAP-04."""
    two = {place.id: place.coasts for place in classic.places.values() if place.coasts}

    assert two == {"cro": ("nc", "sc"), "pro": ("nc", "sc")}
    assert near(classic, "cro", "nc") == {"crn", "ist", "uas"}
    assert near(classic, "cro", "sc") == {"dal", "ist"}
    assert near(classic, "pro", "nc") == {"avi", "mar", "wgl"}
    assert near(classic, "pro", "sc") == {"egl", "mar", "sav", "wgl"}


def near(board: Board, place: str, coast: str = NO_COAST) -> set[str]:
    """Where a fleet may go from a spot."""
    return {str(spot) for spot in board.fleet[Spot(PlaceId(place), Coast(coast))]}


def test_istria_and_dalmatia_are_joined_by_land_and_sea(classic: Board) -> None:
    """Armies pass the land bridge both ways, fleets sail past it (MAP-05)."""
    assert "dal" in classic.army[PlaceId("ist")]
    assert "ist" in classic.army[PlaceId("dal")]
    assert "dal" in near(classic, "ist")


def test_venice_is_reached_from_the_lagoon_only(classic: Board) -> None:
    """Venice has one border, by sea, and the rules of Venice (MAP-20)."""
    venice = classic.places[PlaceId("ven")]

    assert venice.venice
    assert not classic.army[venice.id]
    assert near(classic, "ven") == {"lag"}
    assert [place.id for place in classic.places.values() if place.venice] == ["ven"]


def test_straits_are_guarded_by_messina_and_piombino(classic: Board) -> None:
    """Messina guards Gulf of Naples - Ionian, Piombino Pisa - Eastern Tyrrhenian (MAP-10)."""
    guards = {strait.guard: strait.edge for strait in classic.straits}

    assert guards == {"mes": {"gon", "ion"}, "pio": {"ets", "psa"}}


@pytest.mark.parametrize(
    "pair",
    words(
        "pav-mon mil-trt cre-man flo-bol pst-bol aqu-anc bol-mod alb-dur bar-aqu mon-gen man-bol "
        "aqu-cap psa-luc gen-mod trt-ver man-fer mod-luc ver-pad rag-alb"
    ),
)
def test_armies_cross_borders_that_the_book_crosses(classic: Board, pair: str) -> None:
    """The moves of the rulebook's examples are possible for armies."""
    start, end = pair.split("-")

    assert PlaceId(end) in classic.army[PlaceId(start)]


@pytest.mark.parametrize(
    "pair",
    words(
        "gen-sav dal-cro/sc rag-alb nap-cap slr-gon psa-egl cro/sc-ist ven-lag cap-tiv gon-mes "
        "egl-gen egl-cor ist-cro/nc lag-uas sav-egl cro/nc-crn rag-las crn-fri dur-ion uas-las "
        "las-bar tiv-ets mes-pal cor-wts fri-lag ion-mes las-anc uas-anc bar-aqu wts-psa bot-ion "
        "tiv-gon pad-uas psa-wts"
    ),
)
def test_fleets_cross_borders_that_the_book_crosses(classic: Board, pair: str) -> None:
    """The moves of the rulebook's examples, and those it declares possible, are so for fleets."""
    start, end = pair.split("-")
    place, _, coast = start.partition("/")

    assert end in near(classic, place, coast)


@pytest.mark.parametrize(
    "pair", words("ets-cap lag-fer uas-trv mes-otr cor-sar pio-wms pad-ven cap-wts")
)
def test_fleets_cannot_cross_what_only_looks_like_a_border(classic: Board, pair: str) -> None:
    """Places that nearly touch are no neighbours on this board."""
    start, end = pair.split("-")

    assert end not in near(classic, start)


def test_variable_income_follows_the_table(classic: Board) -> None:
    """The nine lines pay what INC-10 says for each side of the die."""
    lines = {name: " ".join(map(str, line)) for name, line in classic.income_lines.items()}

    assert lines == {
        "austria": "1 2 3 3 4 4",
        "florence": "1 2 3 3 4 5",
        "france": "1 2 3 4 5 6",
        "genoa": "1 2 2 3 3 4",
        "milan": "2 3 3 4 4 5",
        "naples": "1 2 2 3 3 4",
        "papacy": "2 3 3 4 5 6",
        "turkey": "1 2 3 4 5 6",
        "venice": "2 3 3 4 4 5",
    }


def test_documented_abbreviations_are_there(classic: Board) -> None:
    """SYN-09: psa, pis, crn and car with the map's own pst and cri; three are refused."""
    short = {name: p.id for p in classic.places.values() for name in (p.id, *p.aliases)}

    assert {name: short[name] for name in words("psa pis pst crn car cri")} == {
        "psa": "psa",
        "pis": "pst",
        "pst": "pst",
        "crn": "crn",
        "car": "cri",
        "cri": "cri",
    }
    assert dict(classic.ambiguous) == {
        "rom": ("rma", "rme"),
        "sal": ("slr", "slz"),
        "tre": ("trt", "trv"),
    }


def test_first_five_letters_name_one_province(classic: Board) -> None:
    """The first five letters of a province fit no other province (SYN-09)."""
    lands = [place for place in classic.places.values() if not place.is_sea]

    assert len({place.name.casefold()[:5] for place in lands}) == len(lands)


def test_reports_list_every_province_and_city_once(classic: Board, standard: Board) -> None:
    """The orders of reports leave nothing out."""
    for board in (classic, standard):
        lands = {place.id for place in board.places.values() if not place.is_sea}
        with_city = {place.id for place in board.places.values() if place.city}

        assert sorted(board.province_order) == sorted(lands)
        assert sorted(board.city_order) == sorted(with_city)


def test_borders_have_two_sides_and_fit_the_terrain(classic: Board, standard: Board) -> None:
    """Armies never border on seas, fleets never on inland places, and nothing on itself."""
    for board in (classic, standard):
        for start, ends in board.army.items():
            assert all(start in board.army[end] and start != end for end in ends)
        for spot, spots in board.fleet.items():
            assert board.places[spot.place].terrain is not Terrain.INLAND
            assert all(spot in board.fleet[end] and spot != end for end in spots)


def test_the_board_of_diplomacy_has_34_supply_centres(standard: Board) -> None:
    """75 spaces and Switzerland, which nobody can enter; borders as everybody knows them."""
    switzerland = PlaceId("swi")

    assert len(standard.places) == 76
    assert len([place for place in standard.places.values() if place.is_sea]) == 19
    assert len(cities(standard)) == 34
    assert edges(standard.army) == 111
    assert edges(standard.fleet) == 141
    assert not standard.army[switzerland]
    assert not standard.straits


def test_three_provinces_of_diplomacy_have_two_coasts(standard: Board) -> None:
    """Bulgaria, Spain and St Petersburg."""
    two = {place.id: place.coasts for place in standard.places.values() if place.coasts}

    assert two == {"bul": ("ec", "sc"), "spa": ("nc", "sc"), "stp": ("nc", "sc")}
    assert near(standard, "stp", "nc") == {"bar", "nor"}
    assert near(standard, "spa", "sc") == {"lyo", "mao", "mar", "por", "wes"}


# --- the board for nine players --------------------------------------------------------------


def test_the_board_for_nine_players_has_two_provinces_more(atlas: Atlas, classic: Board) -> None:
    """Lyons and Ventimiglia; what the house rules add to the tables, and no more."""
    nine = scenario_of(atlas, "1454_nine").board
    cells = {"lyo": ((3, 11), (10, 6)), "vtm": ((11, 3), (9, 7))}

    assert nine.places.keys() - classic.places.keys() == {"lyo", "vtm"}
    assert classic.places.keys() <= nine.places.keys()
    assert dict(nine.famine) == {
        **classic.famine,
        **{famine: p for p, (famine, _) in cells.items()},
    }
    assert dict(nine.plague) == {
        **classic.plague,
        **{plague: p for p, (_, plague) in cells.items()},
    }
    assert [nine.places[PlaceId(p)].city.income for p in ("lyo", "aus")] == [2, 2]
    assert nine.income_lines.items() == STATES_AND_CITIES.items()


def test_venice_is_one_space_on_the_board_for_nine_players(atlas: Atlas, classic: Board) -> None:
    """As on the classic board (MAP-20)."""
    nine = scenario_of(atlas, "1454_nine").board

    for board in (classic, nine):
        assert [place.id for place in board.places.values() if place.venice] == ["ven"]


def test_the_board_for_nine_players_has_the_borders_of_the_house_rules(atlas: Atlas) -> None:
    """Fleets cross from Messina to Otranto, and not from the Lagoon to Friuli."""
    fleet = scenario_of(atlas, "1454_nine").board.fleet
    borders = {(a.place, b.place) for a, near in fleet.items() for b in near}

    assert {("mes", "otr"), ("cor", "sar"), ("vtm", "gen"), ("avi", "lyo")} <= borders
    assert not {("fri", "lag"), ("pad", "uas"), ("sav", "gen")} & borders


# --- the board of 1995 -----------------------------------------------------------------------


@pytest.fixture
def of_1995(atlas: Atlas) -> Board:
    """The board of 1995."""
    return scenario_of(atlas, "machiavelli2").board


def test_the_board_of_1995_has_64_provinces_and_9_seas(of_1995: Board) -> None:
    """And no fortress; famine and plague strike each of the provinces once."""
    land = {place.id for place in of_1995.places.values() if not place.is_sea}

    assert len(land) == 64
    assert len(of_1995.places) == 64 + 9
    assert set(of_1995.famine.values()) == set(of_1995.plague.values()) == land
    assert not [p for p in of_1995.places.values() if p.city is not None and p.city.fortress]


def test_venice_of_1995_is_a_city_in_the_water(of_1995: Board) -> None:
    """Fleets reach it, armies do not."""
    venice = PlaceId("ven")

    assert of_1995.places[venice].afloat
    assert venice not in of_1995.army
    assert {spot.place for spot in of_1995.fleet[Spot(venice)]} == set(words("fri pad trv uas"))


@pytest.mark.parametrize("pair", ["mes otr", "cor sar"])
def test_the_board_of_1995_joins_what_the_classic_one_does_not(of_1995: Board, pair: str) -> None:
    """For armies and fleets; Istria and Dalmatia are parted in their stead."""
    one, other = map(PlaceId, pair.split())

    assert other in of_1995.army[one]
    assert Spot(other) in of_1995.fleet[Spot(one)]
    assert PlaceId("dal") not in of_1995.army[PlaceId("ist")]
    assert Spot(PlaceId("dal")) not in of_1995.fleet[Spot(PlaceId("ist"))]
