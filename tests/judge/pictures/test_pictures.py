"""Pictures in messages: what a reader may see, and that no message is lost for one."""

import io
import json
from dataclasses import replace

import pytest
from PIL import Image

from machjudge.adjudicator.events import UnitBuilt
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import preset
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.adjudicator.world import world_of
from machjudge.drawing.geometry import WIDTH
from machjudge.drawing.scene import Completion, Deal, NewUnit, Scene
from machjudge.judge.mails import Attachment, Outgoing
from machjudge.judge.pictures import (
    PICTURE_REQUEST,
    BadPictureRequest,
    drawing_by,
    phase_seen,
    read_request,
    wish_for,
    without_picture_requests,
)
from machjudge.map_files.folders import Atlas
from machjudge.messages.results import PlayedPhase
from machjudge.messages.visibility import EVERYTHING, Sight
from tests.drawing.campaign import campaign, scene
from tests.map_files.small import MAPS

FLORENCE, TURKS = PowerId("L"), PowerId("T")
SIE = PlaceId("sie")


def seen_by(sight: Sight) -> Scene:
    """The campaign as somebody sees it, with a mercenary of Florence before Siena."""
    told = campaign()
    special = replace(told.after.field[SIE], quality=Quality.MERCENARY)
    after = replace(told.after, field={**told.after.field, SIE: special})
    world = world_of(told.scenario, preset("judge"))
    seen = sight.phase(world, told.before, after, told.events)
    return phase_seen(PlayedPhase(*seen, told.orders), sight)


def words_of(wish: bytes) -> set[str]:
    """The words in which the units of a document are written."""
    return {word for unit in json.loads(wish)["units"] for word in unit.split()}


def deals(sight: Sight) -> list[Deal]:
    """The deals that a reader's picture shows."""
    return [act for act in seen_by(sight).acts if isinstance(act, Deal)]


@pytest.mark.parametrize(
    ("sight", "ducats"),
    [
        (EVERYTHING, 30),
        (Sight(frozenset({TURKS})), 30),
        (Sight(frozenset({FLORENCE}), hidden_money=True), 30),
        (Sight(frozenset({TURKS}), hidden_money=True), None),
        (Sight(hidden_money=True), None),
        (Sight(hidden_money=True, is_master=True, plays=True), None),
        (Sight(hidden_money=True, is_over=True), 30),
    ],
)
def test_ducats_are_drawn_for_those_who_may_read_of_them(sight: Sight, ducats: int | None) -> None:
    """Others see that the army is Florence's now, which everybody sees."""
    assert [deal.ducats for deal in deals(sight)] == [ducats]


def test_kinds_of_units_are_drawn_for_those_who_may_know_them() -> None:
    """A hidden mercenary looks like any other army, in the document, too (SPC-06)."""
    owner = Sight(frozenset({FLORENCE}), hidden_kinds=True)
    other = Sight(frozenset({TURKS}), hidden_kinds=True)

    assert seen_by(owner).state.field[SIE].quality is Quality.MERCENARY
    assert seen_by(other).state.field[SIE].quality is Quality.PLAIN
    wish = wish_for(campaign().scenario, seen_by(other), [TURKS])
    assert "em" not in words_of(wish)
    own = wish_for(campaign().scenario, seen_by(owner), [FLORENCE])
    assert "em" in words_of(own)


def test_a_picture_in_the_fog_has_no_unit_that_its_reader_does_not_see() -> None:
    """A fleet built in Palermo meets nobody: Venice sees no ship and no plus for it (FOG-01)."""
    told = campaign()
    world = world_of(told.scenario, preset("judge"))
    spring = Moment(Campaign(1455, Season.SPRING), Stage.CAMPAIGN)
    adjustment = Moment(Campaign(1454, Season.FALL), Stage.ADJUSTMENT)
    before = replace(told.after, moment=adjustment, dislodged=(), field={})
    fleet = Unit(PowerId("N"), Kind.FLEET, PlaceId("pal"))
    events = (UnitBuilt(fleet, 3),)
    after = replace(before, moment=spring, field={fleet.place: fleet})
    seen = {}
    for who in "VN":
        sight = Sight(frozenset({PowerId(who)}), foggy=True, plays=True)
        phase = PlayedPhase(*sight.phase(world, before, after, events), {})
        seen[who] = phase_seen(phase, sight)

    assert fleet in set(seen["N"].state.units())
    assert seen["N"].acts == (NewUnit(fleet, Completion.DONE),)
    assert fleet not in set(seen["V"].state.units())
    assert seen["V"].acts == ()
    assert b"F pal" not in wish_for(told.scenario, seen["V"], [PowerId("V")])


def test_a_wish_has_the_whole_scene() -> None:
    """Written and read again it is the same, and two readers who see the same have one."""
    scenario = campaign().scenario
    document = wish_for(scenario, scene(), [FLORENCE])
    wish, again = read_request(document)

    assert again.acts == scene().acts
    assert (wish.crop, wish.powers) == ("near", (FLORENCE,))
    assert set(again.state.units()) == set(scene().state.units())
    assert again.state.provinces == scene().state.provinces
    assert again.state.sieges == scene().state.sieges
    assert document == wish_for(scenario, scene(), [FLORENCE])
    assert len(document) < 12_000


def message(content: bytes) -> Outgoing:
    """A message with a wish and another file."""
    files = (
        Attachment("map.png", PICTURE_REQUEST, content, "map"),
        Attachment("a.txt", "text/plain", b"text"),
    )
    return Outgoing("a@b.example", "Results", "Text.", attachments=files)


def test_a_wish_becomes_a_picture_when_its_message_is_sent() -> None:
    """PNG of the width of a message, by the same name; other files stay."""
    draw = drawing_by(Atlas([MAPS]))
    sent = draw(message(wish_for(campaign().scenario, scene(), [FLORENCE])))
    picture, text = sent.attachments

    assert (picture.name, picture.media_type, picture.cid) == ("map.png", "image/png", "map")
    with Image.open(io.BytesIO(picture.content)) as image:
        assert image.format == "PNG"
        assert image.width == WIDTH
    assert text.content == b"text"
    assert len(picture.content) <= 150_000


@pytest.mark.parametrize("broken", [b"{", b"{}", b'{"kind": "picture_wish"}', b"\xff"])
def test_a_message_goes_without_a_picture_that_cannot_be_drawn(broken: bytes) -> None:
    """The other files and the text are as they were."""
    sent = drawing_by(Atlas([MAPS]))(message(broken))

    assert [each.name for each in sent.attachments] == ["a.txt"]
    assert sent.body == "Text."
    with pytest.raises(BadPictureRequest):
        read_request(broken)


def test_a_board_without_a_drawing_gives_no_picture() -> None:
    """The scenario of the wish is known, its shapes are gone: the message goes."""
    wish = wish_for(campaign().scenario, scene(), [])

    assert len(drawing_by(Atlas([]))(message(wish)).attachments) == 1


def test_undrawn_wishes_never_leave_the_judge() -> None:
    """Where nobody draws, the documents stay out of the mail."""
    sent = without_picture_requests(message(wish_for(campaign().scenario, scene(), [])))

    assert [each.name for each in sent.attachments] == ["a.txt"]
