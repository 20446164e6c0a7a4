"""Wishes for pictures to PNG, when their messages are sent; equal ones are drawn once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import structlog

from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import Atlas
from machjudge.atlas.shapes import Shapes
from machjudge.drawing import as_played, draw_part, named_in
from machjudge.drawing.flipbook import Flipbook
from machjudge.drawing.frame import SMALL, WIDTH, for_message, near
from machjudge.drawing.scene import places_of
from machjudge.drawing.stands import Stands
from machjudge.letters.wording.catalogue import LANGUAGE
from machjudge.service.pictures.wishes import (
    MOVING,
    WISH,
    BadWish,
    PictureWish,
    is_wish,
    read_moving,
    read_wish,
)
from machjudge.service.ports.mails import Area, Attachment, Outgoing, kind_and_language

log = structlog.get_logger(__name__)

_REMEMBERED = 32
"""How many pictures are kept: readers who may see the same get theirs one after the other."""


class Drawing(NamedTuple):
    """A picture, and what opens mails on it."""

    content: bytes
    areas: tuple[Area, ...] = ()


Drawn = Callable[[Outgoing], Outgoing]
"""A message with its wishes drawn."""


def drawing_by(atlas: Atlas) -> Drawn:
    """What draws the pictures of messages on the boards of *atlas*.

    A picture that cannot be drawn is left out, and logged: the message goes without it.
    """

    @lru_cache(maxsize=_REMEMBERED)
    def picture(media_type: str, document: bytes) -> Drawing | None:
        kind, language = kind_and_language(media_type)
        try:
            return _KINDS[kind][1](atlas, document, language)
        except Exception:  # whatever is wrong with a picture, its message goes
            log.exception("picture not drawn")
            return None

    def with_pictures(outgoing: Outgoing) -> Outgoing:
        if not any(map(is_wish, outgoing.attachments)):
            return outgoing
        kept = (_drawn_one(each, picture) for each in outgoing.attachments)
        return replace(outgoing, attachments=tuple(each for each in kept if each is not None))

    return with_pictures


def _drawn_one(
    one: Attachment, picture: Callable[[str, bytes], Drawing | None]
) -> Attachment | None:
    """An attachment that is no wish, or the picture that was wished for; None if that failed."""
    if not is_wish(one):
        return one
    made = picture(one.media_type, one.content)
    media_type, _ = _KINDS[kind_and_language(one.media_type)[0]]
    if made is None:
        return None
    return replace(one, content=made.content, media_type=media_type, areas=made.areas)


def drawn(atlas: Atlas, document: bytes, language: str = LANGUAGE) -> Drawing:
    """The PNG of a wish with the names of a language, and its areas.

    Raises BadWish, BrokenMap, ValueError.
    """
    from machjudge.drawing.png import png_of  # noqa: PLC0415 - not loaded where nothing is drawn

    wish, scene = read_wish(document)
    scenario, shapes = _board(atlas, wish, language)
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


def moving(atlas: Atlas, document: bytes, language: str = LANGUAGE) -> Drawing:
    """The GIF of a wish for several pictures.  Raises BadWish, BrokenMap, ValueError."""
    from machjudge.drawing.gif import gif_of  # noqa: PLC0415 - not loaded where nothing is drawn

    frames = read_moving(document)
    if not frames:
        msg = "there is nothing to draw"
        raise BadWish(msg)
    scenario, shapes = _board(atlas, frames[0][1], language)
    book = Flipbook(shapes, scenario)
    leaves = [(caption, book.leaf(scene)) for caption, _, scene in frames]
    return Drawing(gif_of([book.picture(leaf, caption) for caption, leaf in leaves]))


def _board(atlas: Atlas, wish: PictureWish, language: str) -> tuple[Scenario, Shapes]:
    """The board of a wish, with the names of a language.  Raises BadWish, BrokenMap."""
    scenario = atlas.scenario(wish.scenario)
    shapes = atlas.shapes(scenario.board) if scenario is not None else None
    if scenario is None or shapes is None:
        msg = f"there is no drawing of {wish.scenario}"
        raise BadWish(msg)
    return named_in(as_played(scenario, wish.without), language), shapes


_KINDS: Mapping[str, tuple[str, Callable[[Atlas, bytes, str], Drawing]]] = {
    WISH: ("image/png", drawn),
    MOVING: ("image/gif", moving),
}
"""What becomes of each kind of wish, and how it is drawn."""
