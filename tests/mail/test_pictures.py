"""A picture on its way: kept as a wish, drawn by the sender, in the mail by its name."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.mails import Attachment
from machjudge.judge.pictures import PICTURE_REQUEST, drawing_by, wish_for
from machjudge.map_files.folders import Atlas
from tests.drawing.campaign import campaign, scene
from tests.mail.test_compose import LAID_OUT, mail
from tests.map_files.small import MAPS

FLORENCE = wish_for(campaign().scenario, scene(), [PowerId("L")])


@pytest.mark.parametrize(("document", "parts"), [(FLORENCE, 2), (b"broken", 1)])
def test_a_message_shows_its_map_or_goes_with_the_words_alone(document: bytes, parts: int) -> None:
    """The HTML names the picture where there is one; its words are there in any case."""
    wish = Attachment("map.png", PICTURE_REQUEST, document, "map")
    drawn = drawing_by(Atlas([MAPS]))(replace(LAID_OUT, attachments=(wish,)))
    seen = mail(LAID_OUT, attachments=drawn.attachments)
    found = [part for part in seen.walk() if not part.is_multipart()]
    images = [part for part in found if part.get_content_maintype() == "image"]
    html = next(part for part in found if part.get_content_type() == "text/html").get_content()

    assert len(images) == parts - 1
    assert ("cid:map." in html) is bool(images)
    assert "A map of all." in html
    assert all(part.get_content().startswith(b"\x89PNG") for part in images)
    assert "machjudge.picture" not in seen.as_string()
