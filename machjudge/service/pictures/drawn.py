"""Wishes for pictures to PNG, when their messages are sent; equal ones are drawn once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import structlog

from machjudge.adjudicator.model.names import PlaceId
from machjudge.atlas import Atlas
from machjudge.drawing import draw_part
from machjudge.drawing.frame import SMALL, WIDTH, for_message, near
from machjudge.drawing.scene import places_of
from machjudge.drawing.stands import Stands
from machjudge.service.pictures.wishes import WISH, BadWish, read_wish
from machjudge.service.ports.mails import Area, Attachment, Outgoing

log = structlog.get_logger(__name__)

_REMEMBERED = 32
"""How many pictures are kept: readers who may see the same get theirs one after the other."""


class Drawing(NamedTuple):
    """A picture, and what opens mails on it."""

    png: bytes
    areas: tuple[Area, ...]


Drawn = Callable[[Outgoing], Outgoing]
"""A message with its wishes drawn."""


def drawing_by(atlas: Atlas) -> Drawn:
    """What draws the pictures of messages on the boards of *atlas*.

    A picture that cannot be drawn is left out, and logged: the message goes without it.
    """

    @lru_cache(maxsize=_REMEMBERED)
    def drawing(document: bytes) -> Drawing | None:
        try:
            return drawn(atlas, document)
        except Exception:  # whatever is wrong with a picture, its message goes
            log.exception("picture not drawn")
            return None

    def with_pictures(outgoing: Outgoing) -> Outgoing:
        if all(each.media_type != WISH for each in outgoing.attachments):
            return outgoing
        return replace(outgoing, attachments=tuple(_drawn_each(outgoing.attachments, drawing)))

    return with_pictures


def _drawn_each(
    attachments: tuple[Attachment, ...], drawing: Callable[[bytes], Drawing | None]
) -> Iterator[Attachment]:
    for each in attachments:
        if each.media_type != WISH:
            yield each
        elif (made := drawing(each.content)) is not None:
            yield replace(each, content=made.png, media_type="image/png", areas=made.areas)


def drawn(atlas: Atlas, document: bytes) -> Drawing:
    """The picture of a wish.  Raises BadWish, BrokenMap, ValueError."""
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
    png = png_of(draw_part(shapes, scene, scenario, frame, own), frame.width)
    return Drawing(png, tuple(_areas(Stands(shapes, frame), wish.lines)))


def _areas(stands: Stands, lines: Iterable[str]) -> Iterator[Area]:
    """The places at which something may be ordered, as far as the picture shows them."""
    frame, at = stands.frame, [each.partition(" ") for each in lines]
    for place in dict.fromkeys(PlaceId(name) for name, _, _ in at):
        if place not in stands.shapes.places or not frame.shows(stands.field(place)):
            continue
        ring = max(stands.rings(place), key=len)
        corners = (
            (min(max(spot.x, 0.0), frame.width), min(max(spot.y, 0.0), frame.height))
            for spot in ring
        )
        inside = tuple((x / frame.width, y / frame.width) for x, y in corners)
        ordered = "\n".join(line for name, _, line in at if name == place)
        yield Area(inside, ordered)
