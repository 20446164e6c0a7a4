"""The moving picture of the last year: what is in it, for whom, and how large it is."""

import io
import json
from dataclasses import replace

import pytest
from PIL import Image

from machjudge.drawing.png import MAX_BYTES
from machjudge.judge.mails import Outgoing
from machjudge.judge.pictures import (
    MOVING,
    BadPictureRequest,
    drawing_by,
    read_moving,
    without_picture_requests,
)
from tests.judge.house import House, started
from tests.judge.letters_in import write
from tests.judge.pages.long_game import played
from tests.judge.pages.test_replay import drilled, hiding, year

STRANGER = "nobody@other.example"


def asked(house: House, *lines: str, sender: str = STRANGER) -> Outgoing:
    """The answer to somebody who wants the picture."""
    sent = write(house, sender, *(lines or ("GET MAP borgia GIF",)))
    (answer,) = [each for each in sent if each.to == sender]
    return answer


def wish(answer: Outgoing) -> bytes:
    """What is to be drawn."""
    (file,) = answer.attachments
    assert (file.name, file.media_type) == ("borgia.gif", MOVING)
    return file.content


def captions(answer: Outgoing) -> list[str]:
    """The lines in the pictures."""
    return [caption for caption, _, _ in read_moving(wish(answer))]


def test_last_result_comes_first_and_then_the_year_in_its_order() -> None:
    """With the adjustment and the retreats between the campaigns."""
    assert captions(asked(year())) == [
        "Fall 1454, campaign",
        "Spring 1454, campaign",
        "Summer 1454, campaign",
        "Summer 1454, retreats",
    ]


def test_three_campaigns_are_a_year_also_from_summer_to_spring() -> None:
    """However many years the game has."""
    told = captions(asked(played(40)))

    assert 3 <= len(told) <= 7
    assert len({" ".join(each.split()[:2]).rstrip(",") for each in told}) == 3


def test_sender_draws_it_in_at_most_150_kilobytes() -> None:
    """As a GIF that is repeated, with as many pictures as captions."""
    house = played(20)
    answer = asked(house)
    (file,) = drawing_by(house.services.atlas)(answer).attachments

    assert (file.name, file.media_type) == ("borgia.gif", "image/gif")
    assert 10_000 < len(file.content) <= MAX_BYTES
    with Image.open(io.BytesIO(file.content)) as moving:
        assert moving.n_frames == len(captions(answer))
        assert moving.info["loop"] == 0
        assert moving.width >= 480


def test_kinds_of_units_that_are_hidden_are_not_in_it() -> None:
    """Their own player is shown them."""
    house = year()
    hiding(house, special_public=False)
    own = next(seat.address for seat in house.game().seats if "L" in seat.powers)
    signed = ("SIGNON Lborgia pwL", "GET MAP GIF")
    plain, before = wish(asked(house)), wish(asked(house, *signed, sender=own))
    phases = house.store.tables.phases
    phases[:] = [replace(each, after=drilled(each.after)) for each in phases]

    assert wish(asked(house)) == plain
    assert wish(asked(house, *signed, sender=own)) != before


def test_a_game_without_a_past_sends_its_map() -> None:
    """So does a scenario."""
    house = started("nomoney")

    for line in ("GET MAP borgia GIF", "GET MAP 1385 GIF"):
        (file,) = asked(house, line).attachments
        assert file.name.endswith(".png")


@pytest.mark.parametrize("document", [b"{", b"[1]", b"[]", b'[["x", {}]]'])
def test_a_wish_that_cannot_be_drawn_is_left_out(document: bytes) -> None:
    """The message goes without it."""
    answer = asked(year())
    (file,) = answer.attachments
    broken = replace(answer, attachments=(replace(file, content=document),))

    assert drawing_by(year().services.atlas)(broken).attachments == ()
    assert without_picture_requests(answer).attachments == ()


def test_a_broken_document_says_so() -> None:
    """As other wishes do."""
    with pytest.raises(BadPictureRequest):
        read_moving(json.dumps([["x", {"scenario": 1}]]).encode())
