"""The image map of results: a tap on a place opens a mail with the order of the unit there."""

import json
import re
from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.drawing.geometry import Pixel, crossings, half, near
from machjudge.drawing.scene import places_of
from machjudge.judge.mails import LEAST_AREA, TAPPED, Outgoing
from machjudge.judge.pictures import PICTURE_REQUEST, drawing_by, read_request
from machjudge.map_files.folders import Atlas
from machjudge.messages.receipt import asked
from machjudge.messages.wording import words_at
from tests.judge.house import House, started
from tests.judge.letters_in import write
from tests.judge.lines.test_retreat_in_quotation import dislodged
from tests.judge.orders.test_adjusting import CARLA, QUIET
from tests.judge.year import OPENING, SPRING, address_of, order, play
from tests.map_files.small import MAPS, scenario_of
from tests.messages.test_golden import running
from tests.messages.test_html import Seen, parts

_WIDE = TAPPED


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
    """True if a point lies inside."""
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
    (document,) = (
        each.content for each in results.attachments if each.media_type == PICTURE_REQUEST
    )
    wish, scene = read_request(document)
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
    (wish,) = (each for each in results.attachments if each.media_type == PICTURE_REQUEST)
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
    (wish,) = (each for each in results.attachments if each.media_type == PICTURE_REQUEST)
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
    assert "Signs:" not in letter.body
    assert "A Siena H" in letter.body


def buttons(letter: Outgoing) -> list[str]:
    """The lines that each button of a letter sends."""
    tags = Seen(parts(letter)[1]).tags
    return [sent_by(found) for tag, found in tags if tag == "a"]


def sent_by(found: dict[str, str]) -> str:
    """The lines that a link sends."""
    return parse_qs(urlsplit(found["href"]).query)["body"][0].replace("\r\n", "\n").strip()


def size(area: dict[str, str]) -> tuple[float, float]:
    """The width and height of an area in pixels."""
    across, down = zip(*corners(area), strict=True)
    return max(across) - min(across), max(down) - min(down)


@pytest.mark.parametrize("power", "IVLPNTAF")
def test_a_finger_hits_one_place(atlas: Atlas, power: str) -> None:
    """Each area is 24 pixels wide and high where it is hit, however near the next one is."""
    house = running()
    play(house, OPENING)
    own = address_of(house, power)
    sent = [each for each in play(house, SPRING) if each.to == own]
    (letter,) = [each for each in sent if "Results of" in each.body]
    found = areas(drawing_by(atlas)(letter))

    assert found
    units = [line for each in found for line in sent_by(each).split("\n")]
    assert len(units) == len(set(units))
    for number, each in enumerate(found):
        assert min(size(each)) >= LEAST_AREA
        middle = Pixel(*(sum(ways) / len(ways) for ways in zip(*corners(each), strict=True)))
        if len(corners(each)) == 4:  # a box is hit before any outline, and overlaps no other box
            assert not any(holds(corners(one), middle) for one in found[:number])


@pytest.mark.parametrize("language", ["en", "it"])
def test_each_retreat_has_a_button_and_a_place(atlas: Atlas, language: str) -> None:
    """At the top, above the map; a tap on where it goes sends it, on where it stands disbands."""
    _, letter = dislodged(language)
    ways = [
        line for line in letter.body.split("\n") if re.fullmatch("A Perugia (- .*|disband)", line)
    ]
    sent = drawing_by(atlas)(letter)
    html = parts(sent)[1]
    tapped = {sent_by(each) for each in areas(sent)}

    assert len(ways) > 1
    assert [each for each in buttons(sent) if each in ways] == ways
    assert html.index(f">{ways[0]}</a>") < html.index("<img")
    assert tapped
    assert tapped <= set(ways)


def test_each_build_has_a_button(atlas: Atlas) -> None:
    """Also those that stand in one line of the text; a tap on a home city builds there."""
    house = started("nomoney")
    for _ in range(2):
        play(house, {**QUIET, "F": ("A swi - tur", "A avi h", "F mar h")})
        order(house, "F", "A tur h")
    sent = play(house, {**QUIET, "F": ("A tur h", "A avi h", "F mar h")})
    (letter,) = [each for each in sent if each.to == CARLA and "You may build" in each.body]
    drawn = drawing_by(atlas)(letter)
    html = parts(drawn)[1]

    built = ["build A Swiss", "build G Avignon", "build G Marseille", "waive"]
    assert [each for each in buttons(drawn) if not each.startswith("SET")] == built
    assert html.index(">G Marseille</span></a>") < html.index("<img")
    assert {sent_by(each) for each in areas(drawn)} == {"build A Swiss"}


def test_builds_with_ducats_have_a_button_each(atlas: Atlas) -> None:
    """Beside the button for the line that keeps all units."""
    house = House()
    house.start(options=["nodice"], keep_mails=True)
    sent = house.mails_out()
    (letter,) = [each for each in sent if each.to == address_of(house, "L")]
    found = buttons(drawing_by(atlas)(letter))

    kept = "maintain A Arezzo\nmaintain A Florence\nmaintain F Pisa"
    assert found[:4] == [kept, "build G Arezzo", "build G Florence", "build G Pisa"]


def test_each_removal_has_a_button_and_a_place(atlas: Atlas) -> None:
    """As the rules would choose; the button below sends all of them."""
    house = running()
    play(house, OPENING)
    letter = replace(
        told(house),
        body="LINES\nremove A Arezzo\nremove F Pisa\nSend these.\n",
        layout="en hccl ",
        attachments=(),
    )

    assert buttons(letter) == ["remove A Arezzo", "remove F Pisa", "remove A Arezzo\nremove F Pisa"]


def test_who_must_remove_is_offered_each_line() -> None:
    """Those that the rules would choose can be sent together or one by one."""
    house = started("nomoney")
    game = house.view()
    lost = dict.fromkeys(map(PlaceId, ("are", "psa")), PowerId("P"))
    state = replace(
        game.state,
        moment=replace(game.state.moment, stage=Stage.ADJUSTMENT),
        cities={**game.state.cities, **lost},
    )
    asks = asked(words_at(game.world, state), state, PowerId("L"))

    assert len(asks.sendable) == 2
    assert asks.offered == asks.sendable
    assert tuple(line for _, line in asks.by_place) == asks.sendable


def test_who_leads_nothing_gets_the_board_in_two_halves(atlas: Atlas) -> None:
    """Each with names that a telephone shows eleven pixels high, and all places in one of them."""
    house = running()
    write(house, "zoe@player.example", "REGISTER", "Name: Zoe", "END")
    write(house, "zoe@player.example", "OBSERVE Borgia tulip9")
    sent = play(house, OPENING)
    (letter,) = [each for each in sent if each.to == "zoe@player.example"]
    wishes = [read_request(each.content)[0].crop for each in letter.attachments if each.cid]
    drawn = drawing_by(atlas)(letter)
    shapes = atlas.shapes(scenario_of(atlas, "1454").board)
    assert shapes is not None
    frames = [half(shapes, east=east) for east in (False, True)]

    assert wishes == ["west", "east"]
    assert [each.media_type for each in drawn.attachments if each.cid] == ["image/png"] * 2
    assert all(len(each.content) <= 75_000 for each in drawn.attachments if each.cid)
    assert letter.body.count("Signs: colour and hatching") == 1
    for place in shapes.places.values():
        assert any(frame.shows(frame.at(place.unit)) for frame in frames)
