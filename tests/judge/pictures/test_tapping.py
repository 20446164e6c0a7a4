"""The image map of results: a tap on a place opens a mail with the order of the unit there."""

import json
from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from machjudge.adjudicator.names import PlaceId
from machjudge.drawing.geometry import Pixel, crossings, near
from machjudge.drawing.scene import places_of
from machjudge.judge.mails import Outgoing
from machjudge.judge.pictures import WISH, drawing_by, read_wish
from machjudge.map_files.folders import Atlas
from tests.judge.house import House
from tests.judge.year import OPENING, SPRING, address_of, order, play
from tests.map_files.small import MAPS, scenario_of
from tests.messages.test_golden import running
from tests.messages.test_html import Seen, parts

_WIDE = 320


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    """The shipped maps."""
    return Atlas([MAPS])


@pytest.fixture(scope="module")
def results() -> Outgoing:
    """What Florence is told of a campaign, with the next one before it."""
    house = running()
    play(house, OPENING)
    return told(house)


def told(house: House) -> Outgoing:
    """Florence's results of the spring."""
    own = address_of(house, "L")
    found = (each for each in play(house, SPRING) if each.to == own)
    return next(each for each in found if "Results of" in each.body)


def areas(letter: Outgoing) -> list[dict[str, str]]:
    """The areas of the image map in a letter as it is sent."""
    return [found for tag, found in Seen(parts(letter)[1]).tags if tag == "area"]


def corners(area: dict[str, str]) -> list[Pixel]:
    """The outline of an area."""
    numbers = [*map(int, area["coords"].split(","))]
    return [Pixel(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def holds(outline: list[Pixel], spot: Pixel) -> bool:
    """Whether a point lies inside."""
    level = [replace_y(each, spot.y) for each in outline]
    edges = sorted(crossings([tuple(level)], 1.0, 1).get(0, []))
    return any(a <= spot.x <= b for a, b in zip(edges[::2], edges[1::2], strict=False))


def replace_y(spot: Pixel, y: float) -> Pixel:
    """A point moved so that a level comes to lie in the middle of the first row."""
    return Pixel(spot.x, spot.y - y + 0.5)


def test_a_tap_opens_a_mail_with_the_order_of_the_unit_there(
    atlas: Atlas, results: Outgoing
) -> None:
    """To the address for answers, below 2,000 signs, in a small message; nobody else's units."""
    sent = drawing_by(atlas)(results)
    text, html = parts(sent)
    found = areas(sent)

    assert {each["alt"] for each in found} == {"A Arezzo H", "A Siena H", "F Piombino H"}
    for each in found:
        link = urlsplit(each["href"])
        assert parse_qs(link.query)["body"][0].split("\r\n")[0] == each["alt"]
        assert each["alt"] in text
        assert unquote(link.path).startswith("judge+r.")
        assert len(each["href"]) < 2_000
    assert 'usemap="#units"' in html
    assert len(html) <= 80_000


def test_an_area_is_where_the_unit_stands_in_the_picture(atlas: Atlas, results: Outgoing) -> None:
    """In pixels of the picture as it is shown, which is as wide in every window."""
    (document,) = (each.content for each in results.attachments if each.media_type == WISH)
    wish, scene = read_wish(document)
    shapes = atlas.shapes(scenario_of(atlas, "1454").board)
    assert shapes is not None
    frame = near(shapes, places_of(scene, wish.powers))
    by_line = {each["alt"]: corners(each) for each in areas(drawing_by(atlas)(results))}
    shown = {
        line: frame.at(shapes.places[PlaceId(place)].unit)
        for place, _, line in (each.partition(" ") for each in wish.lines)
    }

    assert len(by_line) == 3
    assert set(by_line) == set(shown)
    for line, spot in shown.items():
        at = Pixel(spot.x * _WIDE / frame.width, spot.y * _WIDE / frame.width)
        assert holds(by_line[line], at)
        assert all(0 <= x <= _WIDE and y >= 0 for x, y in by_line[line])


def test_two_units_of_a_place_are_in_one_mail(atlas: Atlas, results: Outgoing) -> None:
    """An army and the garrison below it."""
    (wish,) = (each for each in results.attachments if each.media_type == WISH)
    fields = json.loads(wish.content)
    fields["lines"] = ["sie A Siena H", "sie G Siena H"]
    both = replace(wish, content=json.dumps(fields).encode())
    (area,) = areas(drawing_by(atlas)(replace(results, attachments=(both,))))

    assert area["alt"] == "A Siena H; G Siena H"
    assert "A%20Siena%20H%0D%0AG%20Siena%20H" in area["href"]


def test_documents_of_earlier_versions_are_drawn_without_areas(
    atlas: Atlas, results: Outgoing
) -> None:
    """They have no lines; the message goes with its picture."""
    (wish,) = (each for each in results.attachments if each.media_type == WISH)
    fields = json.loads(wish.content)
    del fields["lines"]
    old = replace(wish, content=json.dumps(fields).encode())
    sent = drawing_by(atlas)(replace(results, attachments=(old,)))

    assert [each.media_type for each in sent.attachments] == ["image/png"]
    assert not areas(sent)


def test_without_a_picture_no_map_is_spoken_of() -> None:
    """SET PICTURES OFF: the lines to send are there all the same."""
    house = running()
    play(house, OPENING)
    order(house, "L", "SET PICTURES OFF")
    letter = told(house)

    assert "small map" not in letter.body
    assert "A Siena H" in letter.body
