"""The drawn board: whole, well-formed, and showing the position."""

import json
import re
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.names import AUTONOMOUS, Coast, PlaceId, PowerId
from machjudge.adjudicator.state import Dislodged
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.cli.maps import whole_board
from machjudge.drawing import set_up
from machjudge.drawing.geometry import Pixel, rings_of
from machjudge.drawing.labels import Canvas, width_of
from machjudge.drawing.marks import BEYOND, NOBODY, SEA, colours_of
from machjudge.map_files.board import load_board
from machjudge.map_files.folders import Atlas
from machjudge.map_files.shapes import Shapes, load_shapes
from machjudge.map_files.toml_reader import BrokenMap
from tests.cases import cases
from tests.drawing.outlines import borders_of, drawn_borders
from tests.drawing.seen import SIGHTS, apart, contrast, lab
from tests.map_files.small import MAPS, parsed, scenario_of, words

SVG = "{http://www.w3.org/2000/svg}"
SCENARIOS = ("1385", "1454", "1499", "1513", "1521", "mach_este", "mach_sfd2", "mach_span")
MIL, PSA, CRO = PlaceId("mil"), PlaceId("psa"), PlaceId("cro")


def texts(picture: Element) -> list[str]:
    """All that is written in a picture."""
    return ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def symbols(picture: Element, css: str) -> int:
    """How many shapes of a class a picture has."""
    return sum(element.get("class") == css for element in picture.iter())


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_drawing_is_svg_with_every_place(atlas: Atlas, name: str) -> None:
    """It parses as XML, names every place in full and in short, and stays below 300 kB."""
    scenario = scenario_of(atlas, name)
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    text = whole_board(shapes, None, scenario)
    picture = parsed(text)
    titles = " ".join(title.text or "" for title in picture.iter(f"{SVG}title"))
    written = {word for piece in texts(picture) for word in piece.split()[:1]}

    assert picture.tag == f"{SVG}svg"
    assert len(text.encode()) < 300_000
    for place in scenario.board.places.values():
        assert f"{place.name}" in titles
        assert place.id in written


def test_the_drawing_needs_no_other_file(shapes: Shapes, of_1454: Scenario) -> None:
    """No links, no scripts, no fonts or pictures from elsewhere."""
    text = whole_board(shapes, None, of_1454)

    assert text.count("http") == 1
    assert "href" not in text
    assert "<script" not in text
    assert "@import" not in text


def test_provinces_have_the_colour_and_letter_of_their_controller(
    shapes: Shapes, of_1454: Scenario
) -> None:
    """Pavia is Milan's, in its colour, its letter beside the name; Turin is nobody's."""
    picture = parsed(whole_board(shapes, None, of_1454))
    fills = {path.get("id"): path.get("fill") for path in picture.iter(f"{SVG}path")}
    milan = colours_of(of_1454.powers)[PowerId("I")].ground

    assert fills["pav"] == fills["com"] == milan
    assert fills["tur"] != milan
    assert "pav I" in texts(picture)
    assert "tur" in texts(picture)


def test_every_unit_is_drawn(shapes: Shapes, of_1454: Scenario) -> None:
    """The set-up of 1454 has 27 units and 12 autonomous garrisons; the legend has four symbols."""
    picture = parsed(whole_board(shapes, None, of_1454))

    assert symbols(picture, "unit") == 27 + 12 + 4


def test_marks_are_drawn_where_they_belong(shapes: Shapes, of_1454: Scenario) -> None:
    """Siege, famine, rebellions and dislodged units add their marks to those of the legend."""
    start = set_up(of_1454)
    before = parsed(whole_board(shapes, start, of_1454))
    army = Unit(PowerId("V"), Kind.ARMY, MIL, quality=Quality.MERCENARY)
    state = replace(
        start,
        sieges=frozenset({PlaceId("sie")}),
        famine=frozenset({MIL, PSA}),
        province_rebellions={MIL: PowerId("I")},
        city_rebellions={PSA: None},
        dislodged=(Dislodged(army, (), convert=False),),
    )
    after = parsed(whole_board(shapes, state, of_1454))

    assert symbols(after, "siege half") == symbols(before, "siege half") + 1
    assert texts(after).count("%") == texts(before).count("%") + 2
    assert texts(after).count("R") == texts(before).count("R") + 2
    assert symbols(after, "unit lost") == symbols(before, "unit lost") + 1
    assert "em" in texts(after)


def test_a_fleet_stands_on_its_coast(shapes: Shapes, of_1454: Scenario) -> None:
    """A fleet on Croatia's south coast is drawn elsewhere than one on the north coast."""
    pictures = [
        whole_board(shapes, replace(set_up(of_1454), field={CRO: fleet}), of_1454)
        for coast in ("nc", "sc")
        for fleet in [Unit(PowerId("T"), Kind.FLEET, CRO, Coast(coast))]
    ]

    assert pictures[0] != pictures[1]


def test_a_split_city_shows_its_own_letter(atlas: Atlas, shapes: Shapes) -> None:
    """In 1513 the city of Milan is French, its province Austrian."""
    scenario = scenario_of(atlas, "1513")
    picture = parsed(whole_board(shapes, None, scenario))
    tags = [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "tag"]

    assert "mil A" in texts(picture)
    assert tags == ["F"]


def test_neutral_countries_are_hatched(atlas: Atlas, shapes: Shapes) -> None:
    """In 1385 nobody may enter Austria, and the legend says what the hatching means."""
    scenario = scenario_of(atlas, "1385")
    picture = parsed(whole_board(shapes, None, scenario))
    fills = {path.get("id"): path.get("fill") for path in picture.iter(f"{SVG}path")}

    assert fills["aus"] == "url(#neutral)"
    assert "neutral" in texts(picture)


def test_the_legend_names_all_powers_and_the_moment(shapes: Shapes, of_1454: Scenario) -> None:
    """Title, season and the powers stand below the board."""
    written = texts(parsed(whole_board(shapes, set_up(of_1454), of_1454)))

    assert "The Balance of Power: Spring 1454, campaign" in written
    assert {power.name for power in of_1454.powers.values()} <= set(written)


def test_markup_in_a_title_stays_text(shapes: Shapes, of_1454: Scenario) -> None:
    """A scenario's title cannot smuggle anything into the picture."""
    evil = replace(of_1454, title="<script>alert('&')</script>")
    written = texts(parsed(whole_board(shapes, None, evil)))

    assert "<script>alert('&')</script>: set-up of 1454" in written


@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_differ_for_every_eye(atlas: Atlas, sight: str) -> None:
    """The powers of each scenario are 15 apart for normal sight and 11 for eyes without a colour.

    Sea, free land and neutral land are 15 from each of them, and 8 for the others.
    """
    least, around = (15, 15) if sight == "normal" else (11, 8)
    nobodys = [lab(each, sight) for each in (SEA, NOBODY, BEYOND)]
    for name in atlas.scenario_ids():
        looks = colours_of(scenario_of(atlas, name).powers)
        labs = [lab(look.ground, sight) for who, look in looks.items() if who != AUTONOMOUS]
        assert min(apart(*two) for two in combinations(labs, 2)) >= least
        assert min(apart(one, each) for one in labs for each in nobodys) >= around


def test_the_measure_of_colours_is_the_published_one() -> None:
    """Two pairs of Sharma, Wu and Dalal 2005."""
    assert round(apart((50, 2.6772, -79.7751), (50, 0, -82.7485)), 4) == 2.0425
    assert round(apart((50, 2.5, 0), (73, 25, -18)), 4) == 27.1492


def test_letters_can_be_read_on_every_colour() -> None:
    """Dark ones on provinces, white ones on units: contrast 4.5 at least (WCAG 2)."""
    for colours in colours_of([PowerId(letter) for letter in "ABEFGILNPRSTV"]).values():
        assert contrast(colours.ground, "#111111") >= 4.5
        assert contrast(colours.symbol, "#ffffff") >= 4.5


def test_powers_of_a_scenario_have_hatchings_of_their_own(atlas: Atlas) -> None:
    """Without colours, too, the provinces of two powers differ, and each pattern is there."""
    for name in atlas.scenario_ids():
        scenario = scenario_of(atlas, name)
        looks = [look for who, look in colours_of(scenario.powers).items() if who != AUTONOMOUS]
        assert len({look.hatch for look in looks}) == len(looks)
        shapes = atlas.shapes(scenario.board)
        if shapes is not None:
            text = whole_board(shapes, None, scenario)
            named = set(re.findall(r"url\(#([^)]+)\)", text))
            assert named <= set(re.findall(r'<pattern id="([^"]+)"', text))


def test_a_letter_that_is_not_usual_gets_a_colour_that_is_left() -> None:
    """No two powers share a colour, whatever letters they have, while there are enough."""
    for letters in ("AEFGILNPTV", "XYZ", "VNXYZ"):
        colours = colours_of([PowerId(letter) for letter in letters])
        assert len({colour.ground for colour in colours.values()}) == len(letters) + 1


@pytest.mark.parametrize("name", ["classic", "nine", "1995", "standard", "winds"])
def test_the_borders_of_the_picture_are_those_of_the_board(atlas: Atlas, name: str) -> None:
    """Places touch, or a mark over water joins them, exactly where units may pass."""
    board = atlas.board(name)
    assert board is not None
    shapes = atlas.shapes(board)
    assert shapes is not None

    closed = frozenset(filter(board.is_impassable, board.places))
    drawn = {two for two in drawn_borders(board, shapes) if not two & closed}
    passable = borders_of(board)

    assert sorted(map(sorted, drawn ^ passable)) == []


def test_every_board_has_a_drawing_and_its_borders_are_compared() -> None:
    """Anyone who adds a board draws it, and compares its borders, too."""
    boards = {file.stem for file in MAPS.glob("boards/*.toml")}
    drawn = {file.name.removesuffix(".shapes.json") for file in MAPS.glob("boards/*.shapes.json")}

    assert drawn == boards == {"classic", "nine", "1995", "standard", "winds"}


def test_a_game_may_have_more_letters_than_colours() -> None:
    """With 26 powers some have no colour of their own; their letters tell them apart."""
    letters = [PowerId(chr(code)) for code in range(ord("A"), ord("Z") + 1)]

    assert set(letters) < set(colours_of(letters))


def test_a_board_without_shapes_has_no_drawing(keepers_maps: Path) -> None:
    """A keeper's own board need not be drawn."""
    atlas = Atlas([keepers_maps])

    assert atlas.shapes(scenario_of(atlas, "duel").board) is None


def test_where_nobody_can_be_is_hatched(atlas: Atlas) -> None:
    """Switzerland on the board of Diplomacy, and the legend says so."""
    scenario = scenario_of(atlas, "standard")
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    picture = parsed(whole_board(shapes, None, scenario))
    fills = {path.get("id"): path.get("fill") for path in picture.iter(f"{SVG}path")}

    assert [place for place, fill in fills.items() if fill == "url(#neutral)"] == ["swi"]
    assert "impassable" in texts(picture)


@pytest.mark.parametrize("name", ["standard", "winds"])
def test_fleets_on_coasts_and_cities_stand_in_their_places(atlas: Atlas, name: str) -> None:
    """Each point lies inside the outline, and two fleets on two coasts stand well apart."""
    board = atlas.board(name)
    assert board is not None
    shapes = atlas.shapes(board)
    assert shapes is not None
    for place, outline in shapes.places.items():
        points = [outline.unit, *outline.coasts.values(), *([outline.city] if outline.city else [])]
        sheet = Canvas(shapes.width, shapes.height)
        sheet.cover_area(rings_of(outline.path))
        assert all(sheet.is_taken(Pixel(*point)) for point in points), place
        assert set(outline.coasts) == set(board.places[place].coasts)
        assert all(dist(one, other) > 42 for one, other in combinations(outline.coasts.values(), 2))


@pytest.mark.parametrize("width", [400, 700, 1000, 2000])
def test_the_legend_keeps_its_texts_apart(keepers_maps: Path, width: int) -> None:
    """Whatever the width of the board is, no text begins before another ends."""
    file = keepers_maps / "boards" / "small.shapes.json"
    file.write_text(json.dumps(SMALL_SHAPES | {"size": [width, 80]}), encoding="utf-8")
    atlas = Atlas([keepers_maps])
    scenario = scenario_of(atlas, "duel")
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    rows: dict[float, list[tuple[float, float]]] = {}
    for text in parsed(whole_board(shapes, None, scenario)).iter(f"{SVG}text"):
        if text.get("class") == "line":
            left, said = float(text.get("x", "")), "".join(text.itertext())
            rows.setdefault(float(text.get("y", "")), []).append((left, left + width_of(said, 24)))
    texts_in_rows = [sorted(row) for row in rows.values()]

    assert sum(map(len, texts_in_rows)) >= 12
    for row in texts_in_rows:
        assert row[-1][1] <= width
        assert all(one[1] + 52 < other[0] + 1 for one, other in pairwise(row))


def test_a_long_title_gets_smaller_letters(keepers_maps: Path) -> None:
    """So that it ends within a narrow board."""
    file = keepers_maps / "boards" / "small.shapes.json"
    file.write_text(json.dumps(SMALL_SHAPES | {"size": [300, 80]}), encoding="utf-8")
    atlas = Atlas([keepers_maps])
    scenario = replace(scenario_of(atlas, "duel"), title="A duel of two powers on both sides")
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    heads = [
        t
        for t in parsed(whole_board(shapes, None, scenario)).iter(f"{SVG}text")
        if t.get("class") == "head"
    ]
    size = int(re.sub(r"\D", "", heads[0].get("style", "")))

    assert width_of(heads[0].text or "", size) <= 300 - 60 < width_of(heads[0].text or "", size + 1)


SMALL_SHAPES: dict[str, object] = {
    "about": "a test",
    "size": [100, 80],
    "land": "M0 0h5v5z",
    "water": "",
    "straits": [[1, 2]],
    "bridges": [],
    "places": {
        place: {"path": "M0 0h9v9z", "unit": [3, 4], "label": [5, 6], "city": [7, 8]}
        for place in words("hil val bay isl lag oce str")
    }
    | {
        "cap": {
            "path": "M0 0h9v9z",
            "unit": [3, 4],
            "label": [5, 6],
            "marks": [1, 1],
            "coasts": {"nc": [1, 2], "sc": [3, 4]},
        }
    },
}


def test_a_keepers_drawing_is_found_beside_his_board(keepers_maps: Path) -> None:
    """ID.shapes.json beside ID.toml; every city of the small board gets its symbol."""
    file = keepers_maps / "boards" / "small.shapes.json"
    file.write_text(json.dumps(SMALL_SHAPES), encoding="utf-8")
    atlas = Atlas([keepers_maps])
    scenario = scenario_of(atlas, "duel")
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    picture = parsed(whole_board(shapes, None, scenario))

    assert (shapes.width, shapes.height) == (100, 80)
    assert shapes.places[PlaceId("cap")].coasts == {"nc": (1, 2), "sc": (3, 4)}
    assert "cap S" in texts(picture)


@cases
def test_a_broken_drawing_is_refused_with_key_and_reason(
    keepers_maps: Path, old: str, new: str, key: str, says: str
) -> None:
    """A drawing is data like the board, and checked like it."""
    text = json.dumps(SMALL_SHAPES)
    assert old in text
    file = keepers_maps / "boards" / "small.shapes.json"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    board = load_board(keepers_maps / "boards" / "small.toml")
    with pytest.raises(BrokenMap) as broken:
        load_shapes(file, board)

    assert any(fault.key == key and says in fault.says for fault in broken.value.faults)


def test_a_drawing_that_is_no_object_is_refused(keepers_maps: Path) -> None:
    """A list of shapes is no drawing."""
    file = keepers_maps / "boards" / "small.shapes.json"
    file.write_text("[]", encoding="utf-8")
    board = load_board(keepers_maps / "boards" / "small.toml")

    with pytest.raises(BrokenMap, match="not a JSON object"):
        load_shapes(file, board)
