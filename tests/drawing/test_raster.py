"""Pictures in pixels: as good as the drawing, the same wherever they are made, and small."""

import hashlib
import io
import json
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from machjudge.adjudicator.board import Power, Scenario
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import Dislodged
from machjudge.adjudicator.units import Kind, Unit
from machjudge.drawing import draw_part, raster, set_up
from machjudge.drawing.board import Picture
from machjudge.drawing.geometry import (
    SMALL,
    WIDTH,
    Frame,
    Pixel,
    box_around,
    for_message,
    half,
    near,
)
from machjudge.drawing.labels import CELL, Canvas, Label, Lettering, place_names
from machjudge.drawing.marks import colours_of, unit_symbol
from machjudge.drawing.png import pixels_of, written
from machjudge.drawing.raster import MAX_BYTES, Sheets, picture_of, sheets_of
from machjudge.drawing.scene import Backing, Completion, Deal, Loss, Move, NewUnit, Scene, places_of
from machjudge.map_files.folders import Atlas
from machjudge.map_files.shapes import Outline, Point, Shapes
from tests.drawing.campaign import campaign, scene
from tests.map_files.small import MAPS, scenario_of

ATLAS = Atlas([MAPS])
BOARDS = {"1454": "classic", "1454_nine": "nine", "1499": "1995", "standard": "standard"}
BOARDS |= {"winds": "winds"}
"""A scenario on each board."""


@cache
def board(name: str) -> tuple[Scenario, Shapes]:
    """A scenario with the drawing of its board."""
    scenario = scenario_of(ATLAS, name)
    shapes = ATLAS.shapes(scenario.board)
    assert shapes is not None
    return scenario, shapes


def image(png: bytes) -> Image.Image:
    """A picture's pixels."""
    with Image.open(io.BytesIO(png)) as opened:
        return opened.convert("RGB")


def busy(scenario: Scenario) -> Scene:
    """All that a picture can show, everywhere: each unit moves, is supported, paid for or lost."""
    start = set_up(scenario)
    board, fates = scenario.board, [*Completion]
    acts: list[Move | Backing | Deal | Loss | NewUnit] = []
    for number, unit in enumerate(start.field.values()):
        to = min(board.army.get(unit.place, ()) or [unit.place])
        fate = fates[number % 3]
        acts += [Move(unit, to, fate), Backing(unit, to, fate), Deal(unit.place, 12, unit.owner)]
        acts += [Loss(unit)] if number % 4 == 0 else [NewUnit(unit, fate)]
    units = [Unit(PowerId("Z"), Kind.ARMY, place) for place in [*start.field][::3]]
    dislodged = tuple(Dislodged(unit, (), convert=False) for unit in units)
    cities = [place.id for place in board.places.values() if place.city]
    marked = frozenset(cities[::2])
    state = replace(
        start,
        dislodged=dislodged,
        sieges=marked,
        famine=marked,
        province_rebellions=dict.fromkeys(cities[1::2]),
        city_rebellions=dict.fromkeys(cities[::3]),
    )
    return Scene(state, tuple(acts))


def frames(
    scenario: Scenario, shapes: Shapes, what: Scene
) -> Iterator[tuple[Frame, list[PlaceId]]]:
    """The whole board, and what each power is sent of it, with the places of that power."""
    yield for_message(shapes), []
    yield half(shapes, east=True), []
    for power, across in product(scenario.powers, (SMALL, WIDTH)):
        own = [*places_of(what, [power])]
        yield near(shapes, own, across), own


@pytest.mark.parametrize("name", BOARDS)
def test_a_picture_is_what_the_drawing_shows(name: str) -> None:
    """Of a hundred pixels three at most differ much from the same drawn by resvg."""
    scenario, shapes = board(name)
    what = scene() if name == "1454" else busy(scenario)
    for frame, own in [*frames(scenario, shapes, what)][:4]:
        picture = raster.Painting(shapes, what, scenario, frame, own)
        made = picture.painted().convert("RGB")
        drawn = pixels_of(draw_part(shapes, what, scenario, frame, own), frame.width)
        assert made.size == drawn.size
        red, green, blue = ImageChops.difference(made, drawn).split()
        apart = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
        pixels = made.width * made.height
        assert sum(apart[97:]) < 0.03 * pixels, frame
        assert sum(level * count for level, count in enumerate(apart)) < 10 * pixels, frame


@pytest.mark.parametrize("name", sorted({*ATLAS.scenario_ids()} - {"machiavelli2"}))
def test_no_picture_of_a_scenario_is_larger_than_70_kb(name: str) -> None:
    """However much happens on it, whichever part is shown."""
    scenario, shapes = board(name)
    sizes = {}
    for what in (Scene(set_up(scenario)), busy(scenario)):
        shown = [*frames(scenario, shapes, what)]
        for frame, own in shown[:2] + shown[2 + len(name) % 3 :: 9]:
            sizes[frame] = len(picture_of(shapes, what, scenario, frame, own))

    assert max(sizes.values()) <= MAX_BYTES


def test_a_picture_that_would_be_too_large_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """As little as it must be, and in the end with few colours."""
    scenario, shapes = board("1454")
    frame = for_message(shapes)
    usual = picture_of(shapes, scene(), scenario, frame)
    widths = []
    for share in (1.0, 0.97, 0.8, 0.5, 0.33):
        monkeypatch.setattr(raster, "MAX_BYTES", round(len(usual) * share))
        made = picture_of(shapes, scene(), scenario, frame)
        assert len(made) <= raster.MAX_BYTES
        widths.append(image(made).width)

    assert widths[:2] == [frame.width] * 2
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[2] < widths[1]


def digests() -> list[str]:
    """What each of some pictures has as bytes, one after the other in this process."""
    scenario, shapes = board("1454")
    made = []
    for frame, own in frames(scenario, shapes, scene()):
        png = picture_of(shapes, scene(), scenario, frame, own)
        made.append(hashlib.sha256(png).hexdigest())
    return made


PROGRAM = """
import json
from tests.drawing.test_raster import digests
print(json.dumps(digests()))
"""


def test_two_processes_make_the_same_bytes() -> None:
    """Whatever each has drawn before, and however it orders its sets."""
    for name in ("1385", "1454"):
        scenario, shapes = board(name)
        picture_of(shapes, busy(scenario), scenario, for_message(shapes))
    ran = subprocess.run(  # noqa: S603 - our own
        (sys.executable, "-c", PROGRAM), check=True, capture_output=True, text=True
    )

    assert json.loads(ran.stdout) == digests()


def forget() -> None:
    """Empty everything that pictures keep."""
    for kept in (raster.sheets_of, raster._sprite, raster._name, raster._line, raster._colouring):
        kept.cache_clear()


def seen(unit: str, owner: str, *, moves: bool) -> Scene:
    """A position of which a reader sees one unit, and who holds a province."""
    start = set_up(board("1454")[0])
    army = Unit(PowerId(owner), Kind.ARMY, PlaceId(unit))
    state = replace(
        start,
        field={army.place: army},
        provinces={PlaceId(unit): PowerId(owner)},
        cities={},
        garrisons={},
    )
    return Scene(state, (Move(army, PlaceId("bol"), Completion.DONE),) if moves else ())


def test_what_one_reader_sees_is_never_in_the_picture_of_another() -> None:
    """Pictures made in turn have the bytes that each has alone; so no picture keeps a sight."""
    scenario, shapes = board("1454")
    frame = near(shapes, [PlaceId("flo"), PlaceId("bol"), PlaceId("mod")], SMALL)
    sights = [
        seen(place, owner, moves=moves)
        for place, owner, moves in product(("flo", "mod"), "LV", (False, True))
    ]
    alone = []
    for sight in sights:
        forget()
        alone.append(picture_of(shapes, sight, scenario, frame))
    in_turn = [picture_of(shapes, sight, scenario, frame) for sight in (*sights, *sights[::-1])]

    assert in_turn == [*alone, *alone[::-1]]
    assert len({*alone}) == len(sights)


def test_a_kept_picture_of_one_scenario_is_not_used_for_another() -> None:
    """Two scenarios on a board have other powers in other colours."""
    frame = for_message(board("1454")[1])
    names = ("1385", "1454", "1385", "1454")
    made = [
        picture_of(shapes, Scene(set_up(scenario)), scenario, frame)
        for scenario, shapes in map(board, names)
    ]

    assert made[:2] == made[2:]
    assert made[0] != made[1]


def test_what_is_kept_is_bounded() -> None:
    """Sheets, symbols, names, lines, and painted places of each sheet."""
    kept = (raster.sheets_of, raster._sprite, raster._name, raster._line, raster._colouring)
    sizes = [each.cache_parameters()["maxsize"] or 0 for each in kept]
    assert min(sizes) > 0
    scenario, shapes = board("1454")
    sheets = Sheets(shapes, frozenset(), 0.2)
    looks = colours_of(scenario.powers)
    colouring = raster._Colouring(tuple(looks.values()))
    for number, look in product(sheets.numbers.values(), looks.values()):
        sheets.painted(number, raster._fill_of(look), colouring)

    assert max(sizes) <= 1500
    assert (raster.sheets_of.cache_parameters()["maxsize"] or 99) <= 16
    assert len(sheets._painted) == raster._MAX_PAINTED
    assert len(sheets.numbers) * len(looks) > raster._MAX_PAINTED


def test_a_shipped_board_has_few_scales() -> None:
    """So that what is kept of it is used again, whatever a reader owns and orders."""
    scenario, shapes = board("1454")
    scales = Counter(
        near(shapes, own, across).scale
        for own in product(scenario.board.places, repeat=2)
        for across in (SMALL, WIDTH)
    )

    assert len(scales) <= 5


def test_orders_leave_the_sheets_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other orders in the same part of the board have nothing drawn anew but their lines."""
    scenario, shapes = board("1454")
    army = Unit(PowerId("L"), Kind.ARMY, PlaceId("flo"))
    own = [PlaceId(place) for place in ("flo", "bol", "pst", "are", "sie")]
    frame = near(shapes, own, SMALL)
    start = set_up(scenario)
    goals = [Move(army, PlaceId(to), Completion.PLANNED) for to in ("bol", "pst", "are")]
    picture_of(shapes, Scene(start, (goals[0],)), scenario, frame, own)
    made = []
    monkeypatch.setattr(raster, "_rendered", lambda svg, width: made.append(svg))
    before = raster.sheets_of.cache_info().misses
    pictures = [picture_of(shapes, Scene(start, (goal,)), scenario, frame, own) for goal in goals]

    assert len({*pictures}) == len(goals)
    assert raster.sheets_of.cache_info().misses == before
    assert made == []


SQUARE = "M10 10h80v80h-80z"
HOLED = SQUARE + "M30 30v40h40v-40z"
CONTAINED = SQUARE + "M30 30h40v40h-40z"


def shapes_of(places: Mapping[PlaceId, str], width: int = 100, height: int = 100) -> Shapes:
    """A board of these outlines."""
    at = Point(20, 20)
    outlines = {place: Outline(path, at, at, at, None, {}) for place, path in places.items()}
    return Shapes(width, height, outlines, "", "", (), ())


@pytest.mark.parametrize(("path", "inside"), [(SQUARE, 1), (HOLED, 0), (CONTAINED, 1), ("", 0)])
@pytest.mark.parametrize("is_sea", [False, True])
def test_a_hole_in_a_place_is_not_of_the_place(path: str, inside: int, is_sea: bool) -> None:
    """Where a ring runs the other way round (SVG, fill rule nonzero)."""
    seas = frozenset({PlaceId("abc")}) if is_sea else frozenset[PlaceId]()
    sheets = Sheets(shapes_of({PlaceId("abc"): path}), seas, 2.0)

    assert sheets.places.getpixel((40, 40)) == bool(path)
    assert sheets.places.getpixel((100, 100)) == inside
    assert sheets.places.getpixel((5, 5)) == 0


def test_the_sheet_tells_of_each_pixel_whose_it_is() -> None:
    """The points of units lie in their places, on every board and in each scale."""
    for name, scale in product(BOARDS, (0.4, 0.6, 1.125)):
        scenario, shapes = board(name)
        places = scenario.board.places.values()
        seas = frozenset(place.id for place in places if place.is_sea)
        sheets = sheets_of(shapes, seas, scale)
        for place, outline in shapes.places.items():
            for at in (outline.unit, *outline.coasts.values()):
                pixel = int(at.x * scale), int(at.y * scale)
                own = {sheets.numbers[place], raster._LAKE}  # the Bosporus is drawn over land
                assert sheets.places.getpixel(pixel) in own, (name, place)


LETTERS = [PowerId(chr(code)) for code in range(ord("A"), ord("Z") + 1)]


@pytest.mark.parametrize("powers", [1, 3, 10, 11, 26])
def test_provinces_have_the_colours_of_any_number_of_powers(powers: int) -> None:
    """Up to all letters; each place has the ground of its power, hatched or not."""
    scenario, shapes = board("1454")
    some = LETTERS[:powers]
    other = replace(
        scenario,
        neutral=frozenset(),
        powers={power: Power(power, power, power, (), (), (), (), (), None, 0) for power in some},
    )
    lands = [place.id for place in scenario.board.places.values() if not place.is_sea]
    held = {place: some[number % powers] for number, place in enumerate(lands)}
    state = replace(set_up(other), field={}, garrisons={}, provinces=held, cities={})
    frame = for_message(shapes)
    picture = raster.Painting(shapes, Scene(state), other, frame)
    pixels = picture._ground_in_pixels()
    pixels.putpalette(picture.colouring.palette())
    pixels = pixels.convert("RGB")
    looks = colours_of(some)
    wrong = []
    for place, power in held.items():
        x, y = frame.at(shapes.places[place].unit)
        around = pixels.crop((int(x) - 12, int(y) - 12, int(x) + 12, int(y) + 12))
        wanted = tuple(bytes.fromhex(looks[power].ground[1:]))
        found = around.getcolors(1 << 16) or []
        if not any(count > 20 and near_to(colour, wanted) for count, colour in found):
            wrong.append(place)

    assert wrong == []


def near_to(one: object, other: tuple[int, ...]) -> bool:
    """True if two colours look alike."""
    assert isinstance(one, tuple)
    return all(abs(a - b) <= 8 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("size", [(100, 9000), (9000, 9000), (100, 100)])
def test_a_board_too_large_for_sheets_is_drawn_all_the_same(
    keepers_maps: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By resvg; so is one with more places than a pixel can tell."""
    scenario = scenario_of(Atlas([keepers_maps]), "duel")
    places = dict.fromkeys(scenario.board.places, f"M0 0h{size[0]}v{size[1]}z")
    shapes = shapes_of(places, *size)
    frame = replace(for_message(shapes), width=40)
    if size == (100, 100):
        monkeypatch.setattr(raster, "_MAX_PLACES", 1)
    else:
        monkeypatch.setattr(raster, "_MAX_PIXELS", 40 * 40 - 1)
    monkeypatch.setattr(raster, "sheets_of", None)
    made = image(picture_of(shapes, Scene(set_up(scenario)), scenario, frame))

    assert made.size == (frame.width, frame.height)


@given(
    st.integers(1, 40).flatmap(
        lambda wide: st.tuples(
            st.just(wide),
            st.lists(st.binary(min_size=wide, max_size=wide), min_size=1, max_size=20),
        )
    ),
    st.integers(1, 9),
)
def test_a_written_picture_has_the_pixels_that_it_was_given(
    drawn: tuple[int, list[bytes]], level: int
) -> None:
    """Each number of a colour, in PNG that others read."""
    wide, rows = drawn
    given_ = Image.frombytes("P", (wide, len(rows)), b"".join(rows))
    given_.putpalette(bytes(range(256)) * 3)
    with Image.open(io.BytesIO(written(given_, level))) as read:
        assert read.mode == "P"
        assert read.tobytes() == given_.tobytes()
        assert read.convert("RGB").tobytes() == given_.convert("RGB").tobytes()


SPOTS = st.builds(Pixel, st.integers(-20, 220), st.integers(-20, 120))


@given(SPOTS, SPOTS, st.integers(1, 30))
def test_a_line_takes_the_cells_that_it_crosses_and_no_others_far_away(
    start: Pixel, end: Pixel, thick: int
) -> None:
    """Each of its points is taken; what is a cell and its thickness away is free."""
    sheet = Canvas(200, 100)
    sheet.cover_line([start, end], thick)
    for step in range(41):
        spot = start.towards(end, step / 40)
        if sheet.shows(spot) and spot.x < 200 and spot.y < 100:
            assert sheet.is_taken(spot)
    far = thick / 2 + 2.0 * CELL
    for x, y in product(range(2, 200, 9), range(2, 100, 9)):
        ways = [start.towards(end, step / 200) for step in range(201)]
        if all(abs(x - at.x) > far or abs(y - at.y) > far for at in ways):
            assert not sheet.is_taken(Pixel(x, y))


@given(
    st.lists(st.tuples(st.integers(0, 190), st.integers(0, 110), st.integers(4, 60)), max_size=12),
    st.integers(-60, 60),
    st.integers(-60, 60),
)
def test_a_name_stands_at_the_cheapest_free_point_of_its_place(
    boxes: list[tuple[int, int, int]], left: int, top: int
) -> None:
    """All points are compared here; the program looks only as far as one can still be better."""
    label = Label(["Ferrara", "fer"], "M10 10h180v90h-180z", Pixel(100, 55), 1.0, Lettering(20))
    sheet = Canvas(200, 110)
    for column, row, size in boxes:
        sheet.cover_line([Pixel(column, row), Pixel(column + size, row)], 12)
    one = next(iter(place_names(copied(sheet), [label], (left, top))), None)
    costs: dict[str, float] = {}
    for number, (text, wide, high) in enumerate(label.texts):
        for price, (x, y) in label.spots(number):
            box = box_around(Pixel(x - left, y - top), wide, high)
            if sheet.has(box) and not sheet.taken(box) and price < 1000:
                costs[text] = min(price, costs.get(text, price))
    if not costs:
        return
    text = next(text for text, _, _ in label.texts if text in costs)

    assert one is not None
    assert one.text == text
    assert not sheet.taken(one.box)
    at = Pixel(one.middle.x + left, one.middle.y + top)
    number = [each for each, _, _ in label.texts].index(text)
    (found,) = {
        price
        for price, (x, y) in label.spots(number)
        if abs(x - at.x) < 1e-6 and abs(y - at.y) < 1e-6
    }
    assert found == pytest.approx(costs[text])


def test_what_is_kept_of_a_label_is_small() -> None:
    """A judge keeps five hundred, each with some hundred points for each of its texts."""
    texts, path = ["San Ferrara", "San\nFerrara", "fer"], "M10 10h180v90h-180z"
    Label(texts, path, Pixel(100, 55), 1.0, Lettering(20))  # fonts and outlines are read by now
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        label = Label(texts, path, Pixel(100, 55), 1.0, Lettering(20))
        points = sum(1 for number in range(len(texts)) for _ in label.spots(number))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert points > 600
    assert after - before < 60 * points


def copied(sheet: Canvas) -> Canvas:
    """A sheet with the same cells taken."""
    other = Canvas(sheet.box.right, sheet.box.bottom)
    other._rows = [*sheet._rows]
    return other


def test_the_place_that_a_unit_has_left_is_a_pale_symbol() -> None:
    """As large as the unit's own, in a colour between its own and white."""
    look = colours_of([PowerId("V")])
    colouring = raster._Colouring(tuple(look.values()))
    army, own = Unit(PowerId("V"), Kind.ARMY, PlaceId("ven")), look[PowerId("V")].symbol
    covered, middle = [], []
    for ghost in (False, True):
        symbol = unit_symbol(army, own, ghost=ghost)
        ((numbers, solid, _, left, top),) = raster._sprite(symbol, 1.0, 50, 50, colouring)
        covered.append(sum(solid.getpixel((x, y)) > 0 for x, y in product(*map(range, solid.size))))
        middle.append(sum(colouring.colours[numbers.getpixel((-left, -12 - top))]))

    assert abs(covered[0] - covered[1]) < 0.1 * covered[0]
    assert middle[0] + 100 < middle[1] < 3 * 255


def test_labels_are_the_same_objects_from_picture_to_picture() -> None:
    """What a name may stand on is worked out once for a scale, whatever part is shown."""
    scenario, shapes = board("1454")
    one, other = (near(shapes, [PlaceId(place)]) for place in ("flo", "bol"))
    labels = [{*Picture(shapes, scene(), scenario, frame)._place_of} for frame in (one, other)]

    assert one.scale == other.scale
    assert one.corner != other.corner
    assert labels[0] & labels[1]


def test_the_campaign_is_a_busy_one() -> None:
    """What the other tests are about is in their pictures."""
    assert campaign().after.dislodged
    assert {type(act) for act in busy(board("1454")[0]).acts} == {
        Move,
        Backing,
        Deal,
        Loss,
        NewUnit,
    }
