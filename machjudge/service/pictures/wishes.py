"""A picture that is to be drawn when its message is sent: what it shows, as a small document.

It is kept with the message in place of the picture, so that nobody waits for the drawing who plays
a phase or answers a mail.  It holds what the reader may see and nothing else.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from machjudge.adjudicator.model.moments import Moment
from machjudge.adjudicator.model.names import MachjudgeError, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import Dislodged, Owners, State
from machjudge.adjudicator.model.units import Unit
from machjudge.codec.document.shape import Unfit
from machjudge.codec.document.values import form_of
from machjudge.drawing.scene import Act, Scene
from machjudge.service.ports.mails import (
    DRAWN_LATER,
    Attachment,
    Outgoing,
    kind_and_language,
)

WISH = f"{DRAWN_LATER}picture+json"
"""The media type of an attachment that is a wish."""

MOVING = f"{DRAWN_LATER}pictures+json"
"""The media type of an attachment that is a wish for pictures that follow each other."""

Crop = Literal["near", "all", "small"]
"""Near somebody, the whole board, or near somebody and small."""


class BadWish(MachjudgeError):
    """A wish that cannot be read, or whose board has no drawing."""


@dataclass(frozen=True, slots=True)
class PictureWish:
    """What a picture shows."""

    scenario: str
    crop: Crop
    powers: tuple[PowerId, ...]
    """Whose part of the board, where it is not all of it."""
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
    """What may be ordered at a tap, each behind its place: ``flo A Florence H``."""
    without: tuple[str, ...] = ()
    """What the game lacks, as ``drawing.lacking`` names it."""


def wish_for(
    scenario: Scenario,
    scene: Scene,
    powers: Iterable[PowerId] = (),
    *,
    small: bool = False,
    lines: Iterable[tuple[PlaceId, str]] = (),
    without: tuple[str, ...] = (),
) -> bytes:
    """The document for a scene: near some powers, *small* or not, or of the whole board.

    *lines* are what may be ordered at a tap on their places; *without* is what the game lacks.
    """
    state, own = scene.state, tuple(powers)
    wish = PictureWish(
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
    )
    return json.dumps(form_of(PictureWish).write(wish), separators=(",", ":")).encode()


def moving_wish(
    scenario: Scenario, scenes: Iterable[tuple[str, Scene]], without: tuple[str, ...] = ()
) -> bytes:
    """The document for scenes of the whole board that follow each other, each with its caption."""
    frames = [
        [caption, json.loads(wish_for(scenario, scene, without=without))]
        for caption, scene in scenes
    ]
    return json.dumps(frames, separators=(",", ":")).encode()


def read_moving(document: bytes) -> list[tuple[str, PictureWish, Scene]]:
    """The captions and the scenes of such a document.  Raises BadWish."""
    try:
        frames = [(str(caption), json.dumps(wish)) for caption, wish in json.loads(document)]
    except (ValueError, TypeError) as fault:
        msg = f"pictures cannot be read: {fault}"
        raise BadWish(msg) from fault
    return [(caption, *read_wish(wish.encode())) for caption, wish in frames]


def is_wish(one: Attachment) -> bool:
    """Whether a picture is still to be drawn."""
    return kind_and_language(one.media_type)[0] in (WISH, MOVING)


def without_wishes(outgoing: Outgoing) -> Outgoing:
    """A message without the pictures that nobody has drawn."""
    kept = tuple(each for each in outgoing.attachments if not is_wish(each))
    return outgoing if kept == outgoing.attachments else replace(outgoing, attachments=kept)


def read_wish(document: bytes) -> tuple[PictureWish, Scene]:
    """A wish and its scene.  Raises BadWish."""
    try:
        fields = json.loads(document)
        if isinstance(fields, dict):
            fields = {"lines": [], "without": [], **fields}  # those of earlier versions have none
        wish: PictureWish = form_of(PictureWish).read(fields)
    except (ValueError, Unfit) as fault:
        msg = f"a picture cannot be read: {fault}"
        raise BadWish(msg) from fault
    state = State(
        wish.moment,
        field={unit.place: unit for unit in wish.units if not unit.is_garrison},
        garrisons={unit.place: unit for unit in wish.units if unit.is_garrison},
        dislodged=tuple(Dislodged(unit, (), convert=False) for unit in wish.dislodged),
        provinces=_owners(wish.provinces),
        cities=_owners(wish.cities),
    )
    state = replace(
        state,
        sieges=frozenset(wish.sieges),
        famine=frozenset(wish.famine),
        province_rebellions=dict.fromkeys(wish.province_rebellions),
        city_rebellions=dict.fromkeys(wish.city_rebellions),
    )
    return wish, Scene(state, wish.acts)


def _pairs(owners: Owners) -> tuple[str, ...]:
    return tuple(f"{place} {power}" for place, power in sorted(owners.items()))


def _owners(pairs: Iterable[str]) -> Owners:
    split = (pair.partition(" ") for pair in pairs)
    return {PlaceId(place): PowerId(power) for place, _, power in split}
