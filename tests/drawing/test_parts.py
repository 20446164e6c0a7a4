"""Parts of the board for messages: what they show, where names stand, and their PNG."""

import io
import re
from itertools import pairwise

import pytest
from PIL import Image

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.drawing import draw_part, set_up
from machjudge.drawing.board import Picture
from machjudge.drawing.geometry import (
    LEAST_NAME,
    SHOWN,
    SMALL,
    WIDTH,
    Frame,
    Pixel,
    box_around,
    for_message,
    half,
    near,
    rings_of,
)
from machjudge.drawing.labels import CELL, Canvas
from machjudge.drawing.marks import SEA, STYLE, UNIT, colours_of
from machjudge.drawing.png import png_of
from machjudge.drawing.scene import Scene, places_of
from machjudge.map_files.folders import Atlas
from machjudge.map_files.shapes import Shapes
from tests.cases import cases
from tests.drawing.campaign import campaign, scene
from tests.drawing.seen import apart, lab
from tests.map_files.small import MAPS, scenario_of

MAX_BYTES = 150_000
POWERS = [PowerId(letter) for letter in "IVLPNTAF"]
DRAWN = sorted(file.name.removesuffix(".shapes.json") for file in MAPS.glob("boards/*.shapes.json"))


def picture_of(shapes: Shapes, frame: Frame) -> Picture:
    """The campaign in a frame."""
    scenario = campaign().scenario
    return Picture(shapes, scene(), scenario, frame)


def frames(shapes: Shapes) -> list[Frame]:
    """All that messages show of the campaign."""
    return [for_message(shapes), *(near(shapes, places_of(scene(), [who])) for who in POWERS)]


def test_names_cover_no_arrow_no_unit_and_no_other_name(shapes: Shapes) -> None:
    """In every part of a lively campaign: of twenty names one at most has not quite the room."""
    crowded, total = [], 0
    for frame in frames(shapes):
        picture = picture_of(shapes, frame)
        sheet = Canvas(frame.width, frame.height)
        for unit in picture.units():
            sheet.cover(picture.stands.box(picture.stands.unit(unit), UNIT))
        for unit in picture.waiting():
            sheet.cover(picture.stands.box(picture.stands.dislodged(unit), UNIT))
        for line in picture.lines:
            sheet.cover_line(line.spots, 9 * frame.size)
        for placed in picture.names:
            total += 1
            if taken := sheet.taken(placed.box):
                crowded.append(placed.text)
                assert taken * CELL * CELL < placed.box.width * placed.box.height * 0.4
            sheet.cover(placed.box)

    assert total > 150
    assert len(crowded) * 20 <= total, crowded


def test_names_that_cover_something_are_noticed() -> None:
    """The measure itself: a sheet knows what stands on it."""
    sheet = Canvas(100, 100)
    sheet.cover_line([Pixel(0, 0), Pixel(90, 90)], 8)

    assert sheet.taken(box_around(Pixel(50, 50), 20, 20))
    assert not sheet.taken(box_around(Pixel(80, 20), 20, 20))


def test_letters_of_names_can_be_read_on_a_telephone(shapes: Shapes) -> None:
    """Eleven pixels high at least in the width that a telephone of 390 pixels gives a picture."""
    for who in POWERS:
        frame = near(shapes, places_of(scene(), [who]))
        assert frame.name_size * SHOWN / WIDTH >= LEAST_NAME


def test_every_letter_of_a_part_can_be_read_on_a_telephone(shapes: Shapes) -> None:
    """Nine pixels high at least, on units, cities and badges too, near a reader and in a half."""
    sizes = re.findall(r"\.([a-z, .]+) \{[^}]*font-size: (\d+)px", STYLE)
    inside = [int(high) for names, high in sizes if not set(names.split(", .")) & _OF_THE_WHOLE]
    small = near(shapes, places_of(scene(), [POWERS[0]]), SMALL)
    frames = [small, half(shapes, east=True), near(shapes, places_of(scene(), [POWERS[0]]))]

    assert len(inside) >= 5
    for frame in frames:
        assert min(inside) * frame.size * SHOWN / frame.width >= 9
        assert frame.name_size * SHOWN / frame.width >= LEAST_NAME


_OF_THE_WHOLE = {"owner", "head", "line"}
"""Letters that stand on whole boards alone, which are made larger to be read."""


@pytest.mark.parametrize("who", POWERS)
def test_the_part_near_a_reader_has_their_places_by_full_name(shapes: Shapes, who: str) -> None:
    """At least nine of ten of their provinces in it, most of them with their whole name."""
    scenario, power = campaign().scenario, PowerId(who)
    own = places_of(scene(), [power])
    frame = near(shapes, own)
    picture = Picture(shapes, scene(), scenario, frame, own)
    written = {" ".join(each.text.split()) for each in picture.names}
    seen = [place for place in own if frame.shows(frame.at(shapes.places[place].unit))]
    full = [place for place in seen if scenario.board.places[place].name in written]

    assert len(seen) >= 0.7 * len(own)
    assert len(full) >= 0.7 * len(seen)


def test_the_whole_board_in_a_message_names_every_place(shapes: Shapes) -> None:
    """By the abbreviation that players write."""
    frame = for_message(shapes)
    written = {each.text for each in picture_of(shapes, frame).names}

    assert written == set(campaign().scenario.board.places)


def test_what_lies_outside_a_part_is_not_in_it(shapes: Shapes) -> None:
    """The picture near Naples has no outline of Turin, and no unit of France."""
    frame = near(shapes, places_of(scene(), [PowerId("N")]))
    svg = draw_part(shapes, scene(), campaign().scenario, frame)

    assert 'id="nap"' in svg
    assert 'id="tur"' not in svg
    assert ">F</text>" not in svg


def test_a_power_without_anything_sees_the_whole_board(shapes: Shapes) -> None:
    """Anyone who has lost all looks at all."""
    assert near(shapes, ()) == for_message(shapes)


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_are_small_files_with_the_right_colours(atlas: Atlas, name: str) -> None:
    """At most 150 kB; a province keeps its colour so that powers can be told apart."""
    scenarios = (scenario_of(atlas, each) for each in atlas.scenario_ids())
    scenario = next(each for each in scenarios if each.board.id == name)
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    frame = for_message(shapes)
    png = png_of(draw_part(shapes, Scene(set_up(scenario)), scenario, frame), frame.width)
    with Image.open(io.BytesIO(png)) as image:
        colours = image.convert("RGB").getcolors(1 << 24) or []
        assert image.size == (frame.width, frame.height)
    often = {"#{:02x}{:02x}{:02x}".format(*colour) for count, colour in colours if count > 300}
    held = set(set_up(scenario).provinces.values())
    grounds = [look.ground for who, look in colours_of(scenario.powers).items() if who in held]

    assert len(png) <= MAX_BYTES
    for ground in [SEA, *grounds]:
        assert min(apart(lab(ground, "normal"), lab(each, "normal")) for each in often) < 2


def test_the_same_picture_has_the_same_bytes(shapes: Shapes) -> None:
    """Whenever it is made."""
    frame = near(shapes, places_of(scene(), [PowerId("L")]))
    made = [
        png_of(draw_part(shapes, scene(), campaign().scenario, frame), frame.width) for _ in "ab"
    ]

    assert made[0] == made[1]


def test_letters_come_from_the_fonts_of_the_program(shapes: Shapes) -> None:
    """A text without any font would leave the picture as it is; with ours it changes it."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">'
    head += '<path fill="#fff" d="M0 0h60v20H0z"/>'
    font = 'font-family="Roboto Condensed" font-weight="bold"'
    empty = png_of(f"{head}</svg>", 60)
    other = png_of(f'{head}<text y="15" font-family="No Such Font">Milan</text></svg>', 60)
    ours = png_of(f'{head}<text y="15" {font}>Milan</text></svg>', 60)

    assert ours != empty
    assert other in (empty, ours)


def test_what_is_no_svg_is_refused() -> None:
    """With the error that callers expect."""
    with pytest.raises(ValueError, match=r".+"):
        png_of("<svg", 10)


@cases
def test_path_data_becomes_rings(path: str, corners: list[list[float]]) -> None:
    """Absolute and relative, with or without commas; a second ring follows the first."""
    rings = rings_of(path)

    assert [list(spot) for spot in rings[0]] == corners
    assert len(rings) == len(re.findall("[zZ]", path))
    assert len(rings) == 1 or rings[1][0] == (11, 12)
    assert all(a != b for a, b in pairwise(rings[0]))


def test_every_board_has_its_places_in_the_frame(atlas: Atlas) -> None:
    """No unit of any drawn board stands outside the picture."""
    for name in DRAWN:
        board = atlas.board(name)
        assert board is not None
        shapes = atlas.shapes(board)
        assert shapes is not None
        frame = for_message(shapes)
        for place in map(PlaceId, board.places):
            assert frame.shows(frame.at(shapes.places[place].unit))
