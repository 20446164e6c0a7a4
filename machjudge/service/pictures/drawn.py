"""Wishes for pictures to PNG, when their messages are sent; equal ones are drawn once."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import structlog

from machjudge.atlas import Atlas
from machjudge.drawing import draw_part
from machjudge.drawing.frame import SMALL, WIDTH, for_message, near
from machjudge.drawing.scene import places_of
from machjudge.service.pictures.wishes import WISH, BadWish, read_wish
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
    def png(document: bytes) -> bytes | None:
        try:
            return drawn(atlas, document)
        except Exception:  # whatever is wrong with a picture, its message goes
            log.exception("picture not drawn")
            return None

    def with_pictures(outgoing: Outgoing) -> Outgoing:
        if all(each.media_type != WISH for each in outgoing.attachments):
            return outgoing
        return replace(outgoing, attachments=tuple(_drawn_each(outgoing.attachments, png)))

    return with_pictures


def _drawn_each(
    attachments: tuple[Attachment, ...], png: Callable[[bytes], bytes | None]
) -> list[Attachment]:
    pairs = [
        (each, png(each.content) if each.media_type == WISH else each.content)
        for each in attachments
    ]
    return [
        replace(
            each,
            content=content,
            media_type="image/png" if each.media_type == WISH else each.media_type,
        )
        for each, content in pairs
        if content is not None
    ]


def drawn(atlas: Atlas, document: bytes) -> bytes:
    """The PNG of a wish.  Raises BadWish, BrokenMap, ValueError."""
    from machjudge.drawing.png import png_of  # noqa: PLC0415 - not loaded where nothing is drawn

    wish, scene = read_wish(document)
    scenario = atlas.scenario(wish.scenario)
    shapes = atlas.shapes(scenario.board) if scenario is not None else None
    if scenario is None or shapes is None:
        msg = f"there is no drawing of {wish.scenario}"
        raise BadWish(msg)
    own = places_of(scene, wish.powers)
    across = SMALL if wish.crop == "small" else WIDTH
    frame = for_message(shapes) if wish.crop == "all" else near(shapes, own, across)
    return png_of(draw_part(shapes, scene, scenario, frame, own), frame.width)
