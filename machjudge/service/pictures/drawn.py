"""Wishes for pictures to PNG, when their messages are sent; equal ones are drawn once."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

import structlog

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import Atlas
from machjudge.atlas.shapes import Shapes
from machjudge.drawing import draw_part
from machjudge.drawing.flipbook import Flipbook
from machjudge.drawing.frame import for_message, near
from machjudge.drawing.scene import places_of
from machjudge.service.pictures.wishes import (
    MOVING,
    WISH,
    BadWish,
    PictureWish,
    read_moving,
    read_wish,
)
from machjudge.service.ports.mails import Attachment, Outgoing

log = structlog.get_logger(__name__)

_REMEMBERED = 32
"""How many pictures are kept: readers who may see the same get theirs one after the other."""

Drawn = Callable[[Outgoing], Outgoing]
"""A message with its wishes drawn."""


def drawing_by(atlas: Atlas) -> Drawn:
    """What draws the pictures of messages on the boards of *atlas*.

    A picture that cannot be drawn is left out, and logged: the message goes without it.
    """

    @lru_cache(maxsize=_REMEMBERED)
    def picture(media_type: str, document: bytes) -> bytes | None:
        try:
            return _KINDS[media_type][1](atlas, document)
        except Exception:  # whatever is wrong with a picture, its message goes
            log.exception("picture not drawn")
            return None

    def with_pictures(outgoing: Outgoing) -> Outgoing:
        if all(each.media_type not in _KINDS for each in outgoing.attachments):
            return outgoing
        kept = (_drawn_one(each, picture) for each in outgoing.attachments)
        return replace(outgoing, attachments=tuple(each for each in kept if each is not None))

    return with_pictures


def _drawn_one(one: Attachment, picture: Callable[[str, bytes], bytes | None]) -> Attachment | None:
    """An attachment that is no wish, or the picture that was wished for; None if that failed."""
    if one.media_type not in _KINDS:
        return one
    content = picture(one.media_type, one.content)
    media_type, _ = _KINDS[one.media_type]
    return None if content is None else replace(one, content=content, media_type=media_type)


def drawn(atlas: Atlas, document: bytes) -> bytes:
    """The PNG of a wish.  Raises BadWish, BrokenMap, ValueError."""
    from machjudge.drawing.png import png_of  # noqa: PLC0415 - not loaded where nothing is drawn

    wish, scene = read_wish(document)
    scenario, shapes = _board(atlas, wish)
    own = places_of(scene, wish.powers)
    frame = near(shapes, own) if wish.crop == "near" else for_message(shapes)
    return png_of(draw_part(shapes, scene, scenario, frame, own), frame.width)


def moving(atlas: Atlas, document: bytes) -> bytes:
    """The GIF of a wish for several pictures.  Raises BadWish, BrokenMap, ValueError."""
    from machjudge.drawing.gif import gif_of  # noqa: PLC0415 - not loaded where nothing is drawn

    frames = read_moving(document)
    if not frames:
        msg = "there is nothing to draw"
        raise BadWish(msg)
    scenario, shapes = _board(atlas, frames[0][1])
    book = Flipbook(shapes, scenario)
    leaves = [(caption, book.leaf(scene)) for caption, _, scene in frames]
    return gif_of([book.picture(leaf, caption) for caption, leaf in leaves])


def _board(atlas: Atlas, wish: PictureWish) -> tuple[Scenario, Shapes]:
    """The board of a wish.  Raises BadWish, BrokenMap."""
    scenario = atlas.scenario(wish.scenario)
    shapes = atlas.shapes(scenario.board) if scenario is not None else None
    if scenario is None or shapes is None:
        msg = f"there is no drawing of {wish.scenario}"
        raise BadWish(msg)
    return scenario, shapes


_KINDS: Mapping[str, tuple[str, Callable[[Atlas, bytes], bytes]]] = {
    WISH: ("image/png", drawn),
    MOVING: ("image/gif", moving),
}
"""What becomes of each kind of wish, and how it is drawn."""
