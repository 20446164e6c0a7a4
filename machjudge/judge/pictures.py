"""Wishes for pictures, drawn as PNG or GIF when their messages are sent; equal ones once."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import itemgetter
from threading import Lock
from typing import Literal, NamedTuple

import structlog

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import AUTONOMOUS, MachjudgeError, PlaceId, PowerId
from machjudge.adjudicator.state import Dislodged, Owners, State, View
from machjudge.adjudicator.units import Unit
from machjudge.drawing import as_played, lacking, named_in
from machjudge.drawing.animation import Flipbook
from machjudge.drawing.geometry import (
    SMALL,
    Box,
    Frame,
    Pixel,
    Ring,
    box_around,
    box_of,
    for_message,
    half,
    near,
)
from machjudge.drawing.marks import Stands
from machjudge.drawing.scene import (
    Act,
    Completion,
    Deal,
    Loss,
    NewUnit,
    Scene,
    Siege,
    places_of,
    scene_of_orders,
    scene_of_phase,
)
from machjudge.formats.values import Unfit, form_of
from machjudge.judge.game_view import SeenGame
from machjudge.judge.mails import (
    DRAWN_LATER,
    LEAST_AREA,
    TAPPED,
    Area,
    Attachment,
    Outgoing,
    kind_and_language,
)
from machjudge.judge.ports import Services
from machjudge.map_files.folders import Atlas
from machjudge.map_files.shapes import Shapes
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.layout import InlinePicture
from machjudge.messages.news import SharedResults
from machjudge.messages.receipt import LinesByPlace
from machjudge.messages.results import PlayedPhase, orders_by_unit
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words, parts_of, words_at
from machjudge.translatable import Message, MessageOrText

# A picture that is to be drawn when its message is sent: what it shows, as a small document. It
# is kept with the message in place of the picture, so that nobody waits for the drawing who plays
# a phase or answers a mail. It holds what the reader may see and nothing else.
PICTURE_REQUEST = f"{DRAWN_LATER}picture+json"

MOVING = f"{DRAWN_LATER}pictures+json"

Crop = Literal["near", "all", "small", "west", "east"]
"""Near a reader, the whole board, near a reader and small, or half of the board."""


class BadPictureRequest(MachjudgeError):
    """A wish that cannot be read, or whose board has no drawing."""


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """The contents of a picture."""

    scenario: str
    crop: Crop
    powers: tuple[PowerId, ...]
    """Their part of the board; empty for all of it."""
    moment: Moment
    units: tuple[Unit, ...]
    dislodged: tuple[Unit, ...]
    provinces: tuple[str, ...]
    """Each as place and power: ``mil I``."""
    cities: tuple[str, ...]
    sieges: tuple[PlaceId, ...]
    famine: tuple[PlaceId, ...]
    province_rebellions: tuple[PlaceId, ...]
    city_rebellions: tuple[PlaceId, ...]
    acts: tuple[Act, ...]
    lines: tuple[str, ...] = ()
    """Orders for links, each behind its place: ``flo A Florence H``."""
    without: tuple[str, ...] = ()
    """Features that the game lacks, as ``drawing.lacking`` names them."""
    together: bool = True
    """The orders for links may be sent together."""


def wish_for(
    scenario: Scenario,
    scene: Scene,
    powers: Iterable[PowerId] = (),
    *,
    small: bool = False,
    lines: Iterable[tuple[PlaceId, str]] = (),
    without: tuple[str, ...] = (),
    together: bool = True,
) -> bytes:
    """Return the document for a scene: near some powers, *small* or not, or of the whole board.

    *lines* are the orders for links on their places, which may be sent *together*; *without* is
    what the game lacks.
    """
    state, own = scene.state, tuple(powers)
    wish = PictureRequest(
        scenario.id,
        "all" if not own else "small" if small else "near",
        own,
        state.moment,
        tuple(state.units()),
        tuple(lost.unit for lost in state.dislodged),
        _pairs(state.provinces),
        _pairs(state.cities),
        tuple(sorted(state.sieges)),
        tuple(sorted(state.famine)),
        tuple(sorted(state.province_rebellions)),
        tuple(sorted(state.city_rebellions)),
        scene.acts,
        tuple(f"{place} {line}" for place, line in lines),
        without,
        together,
    )
    return json.dumps(form_of(PictureRequest).write(wish), separators=(",", ":")).encode()


def moving_request(
    scenario: Scenario, scenes: Iterable[tuple[str, Scene]], without: tuple[str, ...] = ()
) -> bytes:
    """Return the document for a sequence of captioned scenes of the whole board."""
    frames = [
        [caption, json.loads(wish_for(scenario, scene, without=without))]
        for caption, scene in scenes
    ]
    return json.dumps(frames, separators=(",", ":")).encode()


def read_moving(document: bytes) -> list[tuple[str, PictureRequest, Scene]]:
    """Return the captions and the scenes of such a document.  Raises BadPictureRequest."""
    try:
        frames = [(str(caption), json.dumps(wish)) for caption, wish in json.loads(document)]
    except (ValueError, TypeError) as fault:
        msg = f"pictures cannot be read: {fault}"
        raise BadPictureRequest(msg) from fault
    return [(caption, *read_request(wish.encode())) for caption, wish in frames]


def is_request(one: Attachment) -> bool:
    """Return True if a picture is still to be drawn."""
    return kind_and_language(one.media_type)[0] in (PICTURE_REQUEST, MOVING)


def without_picture_requests(outgoing: Outgoing) -> Outgoing:
    """Return a message without its undrawn pictures."""
    kept = tuple(each for each in outgoing.attachments if not is_request(each))
    return outgoing if kept == outgoing.attachments else replace(outgoing, attachments=kept)


def read_request(document: bytes) -> tuple[PictureRequest, Scene]:
    """Return a wish and its scene.  Raises BadPictureRequest."""
    try:
        fields = json.loads(document)
        if isinstance(fields, dict):
            fields = {
                "lines": [],
                "without": [],
                "together": True,
                **fields,
            }  # those of earlier versions have none
        wish: PictureRequest = form_of(PictureRequest).read(fields)
    except (ValueError, Unfit) as fault:
        msg = f"a picture cannot be read: {fault}"
        raise BadPictureRequest(msg) from fault
    state = State(
        wish.moment,
        field={unit.place: unit for unit in wish.units if not unit.is_garrison},
        garrisons={unit.place: unit for unit in wish.units if unit.is_garrison},
        dislodged=tuple(Dislodged(unit, (), convert=False) for unit in wish.dislodged),
        provinces=_owners(wish.provinces),
        cities=_owners(wish.cities),
        sieges=frozenset(wish.sieges),
        famine=frozenset(wish.famine),
        province_rebellions=dict.fromkeys(wish.province_rebellions),
        city_rebellions=dict.fromkeys(wish.city_rebellions),
    )
    return wish, Scene(state, wish.acts)


def _pairs(owners: Owners) -> tuple[str, ...]:
    return tuple([f"{place} {power}" for place, power in sorted(owners.items())])


def _owners(pairs: Iterable[str]) -> Owners:
    split = (pair.partition(" ") for pair in pairs)
    return {PlaceId(place): PowerId(power) for place, _, power in split}


log = structlog.get_logger(__name__)


def phase_seen(played: PlayedPhase, sight: Sight) -> Scene:
    """Return a phase as its reader may see it; *played* is what `Sight.phase` returned."""
    at_moves = parts_of(played.before, played.events).at_moves
    ordered = orders_by_unit(at_moves, played.orders)
    return scene_of_phase(played.after, sight.visible(played.events), ordered)


def orders_seen(view: SeenGame, sight: Sight) -> Scene | None:
    """Return the orders on file that a reader, who has this *view*, may see; or None."""
    powers = filter(sight.sees_orders_of, view.world.in_play)
    orders = {power: view.orders_of(power) for power in powers}
    if not any(orders.values()):
        return None
    others = [(power, order) for power, given in orders.items() for order in given]
    return scene_of_orders(view.state, orders_by_unit(view.state, orders), others)


def pictures_of_phase(
    services: Services,
    phase: SharedResults,
    sight: Sight,
    powers: Sequence[PowerId],
    lines: LinesByPlace = (),
) -> tuple[InlinePicture, ...]:
    """Return the picture near a reader's powers; of the whole board without powers.

    *lines* are the orders for links.  None if the board has no valid drawing: the results go
    anyway.
    """
    return _if_drawn(
        services,
        phase.words.world.scenario,
        lambda: _near(
            phase.words,
            phase.once(sight, phase_seen),
            powers,
            [(place, phase.say(line)) for place, line in lines],
        ),
    )


def pictures_of_position(
    services: Services, words: Words, view: View, powers: Sequence[PowerId], lines: LinesByPlace
) -> tuple[InlinePicture, ...]:
    """Return the same of an opening position."""
    return _if_drawn(
        services, words.world.scenario, lambda: _near(words, Scene(view), powers, lines)
    )


def pictures_of_orders(
    services: Services, view: SeenGame, sight: Sight
) -> tuple[InlinePicture, ...]:
    """Return a small picture of the orders on file, as `pictures_of_phase`."""
    scene = orders_seen(view, sight)
    if scene is None:
        return ()
    scenario, words = view.world.scenario, words_at(view.world, view.state)
    own = tuple([power for power in view.world.in_play if power in sight.powers])

    def made() -> Iterator[InlinePicture]:
        lacks = lacking(view.world.rules)
        small = wish_for(scenario, scene, own, small=True, without=lacks)
        return _shown(small, scene, _around(words, scene, own))

    return _if_drawn(services, scenario, made)


def pictures_of_scene(
    services: Services, words: Words, scene: Scene, powers: Sequence[PowerId]
) -> tuple[InlinePicture, ...]:
    """Return a picture of a scene that is only imagined, as `pictures_of_phase`."""
    return _if_drawn(services, words.world.scenario, lambda: _near(words, scene, powers, ()))


def _near(
    words: Words, scene: Scene, powers: Sequence[PowerId], lines: Iterable[tuple[PlaceId, str]]
) -> Iterator[InlinePicture]:
    own = tuple(power for power in powers if places_of(scene, (power,)))
    world, stage = words.world, scene.state.moment.stage
    # Of retreats and removals only some are sent.
    together = stage is Stage.CAMPAIGN or (stage is Stage.ADJUSTMENT and world.rules.game.money)
    lacks = lacking(world.rules)
    document = wish_for(world.scenario, scene, own, lines=lines, without=lacks, together=together)
    return _shown(document, scene, _position(words, scene, own))


def _shown(document: bytes, scene: Scene, alt: Message) -> Iterator[InlinePicture]:
    """The picture of a document with its legend; of the whole board, a picture of each half."""
    legend = _legend(scene)
    if b'"crop":"all"' not in document:
        yield InlinePicture("map", document, alt, legend, PICTURE_REQUEST)
        return
    wish = json.loads(document)
    west, east = (
        json.dumps({**wish, "crop": crop}, separators=(",", ":")).encode()
        for crop in ("west", "east")
    )
    yield InlinePicture("map", west, alt, media_type=PICTURE_REQUEST)
    yield InlinePicture("east", east, Message("map.east"), legend, PICTURE_REQUEST)


def _legend(scene: Scene) -> Message:
    """The signs of a picture, as far as they may stand in it."""
    state, acts = scene.state, scene.acts
    fates = [act.fate for act in acts if not isinstance(act, Deal | Loss)]
    kinds = set(map(type, acts))
    return Message(
        "map.signs",
        free=AUTONOMOUS in [unit.owner for unit in state.units()],
        sieges=bool(state.sieges) or Siege in kinds,
        rebels=bool(state.province_rebellions or state.city_rebellions),
        famine=bool(state.famine),
        dislodged=bool(state.dislodged),
        failed=Completion.FAILED in fates,
        lost=Loss in kinds,
        new=NewUnit in kinds,
        deals=Deal in kinds,
    )


def _if_drawn(
    services: Services, scenario: Scenario, made: Callable[[], Iterator[InlinePicture]]
) -> tuple[InlinePicture, ...]:
    try:
        return () if services.atlas.shapes(scenario.board) is None else tuple(made())
    except Exception:  # whatever is wrong with a picture, its message goes
        log.exception("no picture", scenario=scenario.id)
        return ()


def _position(words: Words, scene: Scene, powers: Sequence[PowerId]) -> Message:
    """The position in words: the units near the reader, or all of them."""
    state = scene.state
    near = frozenset(places_of(scene, powers)) if powers else frozenset(words.world.board.places)
    lost = [each.unit for each in state.dislodged if each.unit.place in near]
    return Message(
        "map.picture",
        near=bool(powers),
        units=_units(words, [unit for unit in state.units() if unit.place in near]),
        dislodged=tuple(map(words.whose, lost)),
        besieged=tuple(words.place(place) for place in sorted(state.sieges & near)),
    )


def _around(words: Words, scene: Scene, powers: Sequence[PowerId]) -> Message:
    """The units of others near the reader's, which their orders do not show."""
    own, world = places_of(scene, powers), words.world
    near = set(own).union(*[world.borders.get(place, ()) for place in own])
    others = [
        unit for unit in scene.state.units() if unit.place in near and unit.owner not in powers
    ]
    return Message("map.orders", near=bool(powers), units=_units(words, others))


def _units(words: Words, units: Iterable[Unit]) -> tuple[MessageOrText, ...]:
    named = [(words.place(unit.place), unit) for unit in units]
    return tuple([words.whose(unit) for _, unit in sorted(named, key=itemgetter(0))])


_REMEMBERED = 32
"""Pictures kept: readers with the same sight get theirs one after the other."""


class Drawing(NamedTuple):
    """A picture and its links."""

    content: bytes
    areas: tuple[Area, ...] = ()


Drawn = Callable[[Outgoing], Outgoing]


def drawing_by(atlas: Atlas, most: int | None = None) -> Drawn:
    """Return the function that draws pictures; broken ones are left out, and logged.

    *most* is how many sheets of boards are kept in memory; None: as many as make it fast.
    """
    turn = Lock()

    @lru_cache(maxsize=_REMEMBERED)
    def picture(media_type: str, document: bytes) -> Drawing | None:
        kind, language = kind_and_language(media_type)
        try:
            return _KINDS[kind][1](atlas, document, language)
        except Exception:  # whatever is wrong with a picture, its message goes
            log.exception("picture not drawn")
            return None

    def one_at_a_time(media_type: str, document: bytes) -> Drawing | None:
        # Two threads would draw the same picture twice, and hold twice the memory.
        with turn:
            made = picture(media_type, document)
            if most is not None:
                from machjudge.drawing.raster import forget_sheets  # noqa: PLC0415 - as below

                forget_sheets(most)
            return made

    def with_pictures(outgoing: Outgoing) -> Outgoing:
        if not any(map(is_request, outgoing.attachments)):
            return outgoing
        kept: list[Attachment] = []
        for each in outgoing.attachments:
            if not is_request(each):
                kept.append(each)
            elif (made := one_at_a_time(each.media_type, each.content)) is not None:
                media_type, _ = _KINDS[kind_and_language(each.media_type)[0]]
                kept.append(
                    replace(each, content=made.content, media_type=media_type, areas=made.areas)
                )
        return replace(outgoing, attachments=tuple(kept))

    return with_pictures


def drawn(atlas: Atlas, document: bytes, language: str = LANGUAGE) -> Drawing:
    """Return the PNG of a wish and its areas.  Raises BadPictureRequest, BrokenMap, ValueError."""
    from machjudge.drawing import raster  # noqa: PLC0415 - not loaded where nothing is drawn

    wish, scene = read_request(document)
    scenario, shapes = _board(atlas, wish, language)
    own = places_of(scene, wish.powers)
    frame = _FRAMES[wish.crop](shapes, own)
    png = raster.picture_of(shapes, scene, scenario, frame, own)
    return Drawing(png, tuple(_areas(Stands(shapes, frame), wish.lines, together=wish.together)))


_FRAMES: Mapping[Crop, Callable[[Shapes, tuple[PlaceId, ...]], Frame]] = {
    "near": near,
    "small": partial(near, across=SMALL),
    "all": lambda shapes, _: for_message(shapes),
    "west": lambda shapes, _: half(shapes, east=False),
    "east": lambda shapes, _: half(shapes, east=True),
}


@dataclass(slots=True)
class _Target:
    """What a finger hits: a box of the least size, or the outline around it."""

    box: Box
    lines: list[str]
    ring: Ring = ()

    @property
    def outline(self) -> Ring:
        """The outline if it leaves the finger room, else the box."""
        left, top, right, bottom = self.box
        corners = (Pixel(left, top), Pixel(right, top), Pixel(right, bottom), Pixel(left, bottom))
        is_inside = all(_holds(self.ring, each) for each in corners)
        is_free = not any(left < x < right and top < y < bottom for x, y in self.ring)
        return self.ring if self.ring and is_inside and is_free else corners


def _areas(stands: Stands, lines: Iterable[str], *, together: bool) -> Iterator[Area]:
    """The places with orders, each large enough for a finger.

    Places too near to each other are one area where their orders may be sent *together*;
    otherwise the first has it.
    """
    frame, found = stands.frame, list[_Target]()
    wide = _FINGER * frame.width / TAPPED
    by_place: dict[PlaceId, list[str]] = {}
    for place, _, line in (each.partition(" ") for each in lines):
        by_place.setdefault(PlaceId(place), []).append(line)
    for place, ordered in by_place.items():
        if place not in stands.shapes.places or not frame.shows(stands.field(place)):
            continue
        x, y = stands.field(place)
        room = Box(0, 0, frame.width, frame.height).grown(-wide / 2)
        middle = Pixel(min(max(x, room.left), room.right), min(max(y, room.top), room.bottom))
        ring = max(stands.rings(place), key=len)
        inside = tuple(
            Pixel(min(max(spot.x, 0.0), frame.width), min(max(spot.y, 0.0), frame.height))
            for spot in ring
        )
        target = _Target(box_around(middle, wide, wide), ordered, inside)
        while near_by := [each for each in found if each.box.overlaps(target.box)]:
            if not together:
                break
            found = [each for each in found if each not in near_by]
            boxes = [target.box, *(each.box for each in near_by)]
            corners = [Pixel(*each[:2]) for each in boxes] + [Pixel(*each[2:]) for each in boxes]
            said = [line for each in near_by for line in each.lines]
            target = _Target(box_of(corners), [*said, *target.lines])
        else:
            found.append(target)
    # The first of two areas is hit where they overlap, so boxes come first.
    for each in sorted(found, key=lambda each: len(each.outline) > _CORNERS):
        outline = tuple((x / frame.width, y / frame.width) for x, y in each.outline)
        yield Area(outline, "\n".join(each.lines))


_FINGER = LEAST_AREA + 2
"""Corners are rounded to pixels."""
_CORNERS = 4


def _holds(ring: Ring, spot: Pixel) -> bool:
    """Return whether a point lies inside an outline."""
    inside, before = False, ring[-1] if ring else spot
    for each in ring:
        if (each.y > spot.y) != (before.y > spot.y):
            share = (spot.y - before.y) / (each.y - before.y)
            inside ^= spot.x < before.x + share * (each.x - before.x)
        before = each
    return inside


def moving(atlas: Atlas, document: bytes, language: str = LANGUAGE) -> Drawing:
    """Return the GIF of several pictures.  Raises BadPictureRequest, BrokenMap, ValueError."""
    from machjudge.drawing.png import gif_of  # noqa: PLC0415 - not loaded where nothing is drawn

    frames = read_moving(document)
    if not frames:
        msg = "there is nothing to draw"
        raise BadPictureRequest(msg)
    scenario, shapes = _board(atlas, frames[0][1], language)
    book = Flipbook(shapes, scenario)
    leaves = [(caption, book.leaf(scene)) for caption, _, scene in frames]
    return Drawing(gif_of([book.picture(leaf, caption) for caption, leaf in leaves]))


def _board(atlas: Atlas, wish: PictureRequest, language: str) -> tuple[Scenario, Shapes]:
    """The board of a wish, with the names of a language.  Raises BadPictureRequest, BrokenMap."""
    scenario = atlas.scenario(wish.scenario)
    shapes = atlas.shapes(scenario.board) if scenario is not None else None
    if scenario is None or shapes is None:
        msg = f"there is no drawing of {wish.scenario}"
        raise BadPictureRequest(msg)
    return named_in(as_played(scenario, wish.without), language), shapes


_KINDS: Mapping[str, tuple[str, Callable[[Atlas, bytes, str], Drawing]]] = {
    PICTURE_REQUEST: ("image/png", drawn),
    MOVING: ("image/gif", moving),
}
