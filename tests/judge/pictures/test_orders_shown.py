"""Receipts show their reader's own orders on the map, previews all orders; SET PICTURES."""

import pytest

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.drawing.scene import Completion, Move, Scene
from machjudge.judge.mails import Outgoing
from machjudge.judge.pictures import PICTURE_REQUEST, PictureRequest, drawn, read_request
from machjudge.map_files.folders import Atlas
from tests.judge.house import House
from tests.judge.phases.test_mastering import master, previewed, ruled
from tests.judge.year import OPENING, address_of, order, play
from tests.map_files.small import MAPS
from tests.messages.test_golden import running

FLORENCE = ("A flo - bol", "A are h", "F psa - egl")


def shown(letter: Outgoing) -> tuple[PictureRequest, Scene]:
    """What the one picture of a message shows."""
    (wish,) = (each.content for each in letter.attachments if each.media_type == PICTURE_REQUEST)
    return read_request(wish)


def has_picture(letter: Outgoing) -> bool:
    """True if a message shows one."""
    return any(each.media_type == PICTURE_REQUEST for each in letter.attachments)


def answer(house: House, power: str, *lines: str) -> Outgoing:
    """What a power gets for a mail."""
    own = address_of(house, power)
    (letter,) = (each for each in order(house, power, *lines) if each.to == own)
    return letter


def movers(scene: Scene) -> set[tuple[str, str, str]]:
    """The moves of a picture: whose, from where, to where."""
    return {(move.unit.owner, move.unit.place, move.to) for move in scene.moves()}


def test_a_receipt_shows_its_readers_orders_and_nobody_elses() -> None:
    """Milan's orders are on file, too: neither its moves nor its ducats are in Florence's."""
    house = running()
    play(house, OPENING)
    order(house, "I", "A cre - man", "E1: 3 ducats famine man")
    wish, scene = shown(answer(house, "L", *FLORENCE))

    assert wish.powers == (PowerId("L"),)
    assert movers(scene) == {("L", "flo", "bol"), ("L", "psa", "egl")}
    assert all(each.fate is Completion.PLANNED for each in scene.moves())
    assert {act.unit.owner for act in scene.acts if isinstance(act, Move)} == {"L"}
    assert len(scene.acts) == 2
    assert scene.state.field[PlaceId("bol")].owner == "P"


def test_the_masters_preview_shows_all_orders_on_the_whole_board() -> None:
    """Only a preview does: an answer to anything else of theirs has no picture."""
    house = ruled("nomoney")
    order(house, "I", "A cre - man")
    order(house, "L", *FLORENCE)
    (preview,), (other,) = master(house, "PREVIEW"), master(house, "LIST borgia")
    halves = [
        read_request(each.content)
        for each in preview.attachments
        if each.media_type == PICTURE_REQUEST
    ]
    _, scene = halves[0]

    assert [wish.crop for wish, _ in halves] == ["west", "east"]
    assert movers(scene) == {("L", "flo", "bol"), ("L", "psa", "egl"), ("I", "cre", "man")}
    assert not has_picture(other)


def test_a_master_who_plays_has_a_picture_of_nobodys_orders_by_a_preview() -> None:
    """It is refused to them."""
    house = running("nomoney")
    order(house, "L", *FLORENCE)

    assert not any(map(has_picture, master(house, "PREVIEW")))


def test_without_orders_there_is_no_picture() -> None:
    """An answer about something else, or to orders of which none was taken."""
    house = running("nomoney")

    assert not has_picture(answer(house, "L", "HELP"))
    assert not has_picture(answer(house, "L", "A flo - constantinople"))


def test_pictures_off_leaves_them_out_of_receipts_results_and_previews() -> None:
    """For anyone who wishes it, with the words that stand for them; others have theirs."""
    house = ruled("nomoney")
    (off,) = order(house, "L", "SET PICTURES OFF")
    receipt = answer(house, "L", *FLORENCE)
    master(house, "SET PICTURES OFF")
    (preview,) = master(house, "PREVIEW")
    results = {each.to: each for each in master(house, previewed(house))}

    assert "Messages come without maps." in off.body
    assert not has_picture(receipt)
    assert "Map of" not in receipt.body
    assert not has_picture(preview)
    assert not has_picture(results[address_of(house, "L")])
    assert "Map of" not in results[address_of(house, "L")].body
    assert has_picture(results[address_of(house, "I")])
    order(house, "L", "SET PICTURES ON")
    assert has_picture(answer(house, "L", "A flo h"))


def test_without_html_there_is_no_picture() -> None:
    """It could not be shown."""
    house = running("nomoney")
    order(house, "L", "SET HTML OFF")

    assert not has_picture(answer(house, "L", *FLORENCE))


@pytest.mark.parametrize("word", ["SIDEWAYS", "PURPLE"])
def test_another_word_is_named_with_the_line_that_may_be_meant(word: str) -> None:
    """The setting stays as it was."""
    house = running("nomoney")
    (told,) = order(house, "L", f"SET PICTURES {word}")

    assert "ON or OFF" in told.body
    assert "SET PICTURES OFF" in told.body
    assert has_picture(answer(house, "L", *FLORENCE))


def test_a_receipts_picture_is_small_and_the_same_orders_give_the_same_document() -> None:
    """So that a mail sent twice is drawn once, and takes few bytes."""
    house = running("nomoney")
    first, again = (answer(house, "L", *FLORENCE) for _ in "ab")
    (document,) = (each.content for each in first.attachments)

    assert document == next(each.content for each in again.attachments)
    assert len(document) < 6_000
    assert len(drawn(Atlas([MAPS]), document).content) < 60_000
