"""Marks and badges: sieges, famine, rebellions, deals, losses, arrivals, conversions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.drawing import symbols
from machjudge.drawing.labels import Canvas
from machjudge.drawing.palette import Colours
from machjudge.drawing.rings import Pixel, box_around
from machjudge.drawing.scene import (
    Backing,
    Completion,
    Conversion,
    Convoy,
    Deal,
    Loss,
    Move,
    NewUnit,
    Scene,
    Siege,
)
from machjudge.drawing.stands import Stands


@dataclass(frozen=True, slots=True)
class Badge:
    """A mark, where it stands, and how large it is in units of symbols."""

    symbol: str
    at: Pixel
    width: float
    height: float
    size: float
    is_fixed: bool = False
    """Whether it stands on what it tells of; others move out of the way of all else."""
    is_below: bool = False
    """Whether units and arrows cover it."""


def marks_of(
    scene: Scene,
    stands: Stands,
    is_seen: Callable[[PlaceId], bool],
    colours: Mapping[PowerId, Colours],
) -> list[Badge]:
    """All marks of a scene; those that move stand where they stand best."""
    marks = [*_of_position(scene, stands, is_seen), *_of_acts(scene, stands, colours)]
    return [mark for mark in marks if stands.shows(mark.at)]


def _of_position(
    scene: Scene, stands: Stands, is_seen: Callable[[PlaceId], bool]
) -> Iterator[Badge]:
    state, size = scene.state, stands.frame.size
    for place in filter(is_seen, sorted(state.sieges)):
        yield Badge(
            symbols.siege_mark(), stands.city(place), 56, 56, size, is_fixed=True, is_below=True
        )
    for place in filter(is_seen, sorted(state.famine)):
        yield Badge(symbols.famine_mark(), stands.marks(place), 32, 32, size)
    for place in filter(is_seen, sorted(state.province_rebellions)):
        yield Badge(symbols.rebellion_mark(), stands.marks(place), 38, 38, size)
    for place in filter(is_seen, sorted(state.city_rebellions)):
        beside = stands.city(place).moved(-32 * size, 0)
        yield Badge(symbols.rebellion_mark(), beside, 38, 38, size)


def _of_acts(scene: Scene, stands: Stands, colours: Mapping[PowerId, Colours]) -> Iterator[Badge]:
    size = stands.frame.size
    for act in scene.acts:
        match act:
            case Siege(city, fate):
                ring = symbols.siege_mark(
                    done=fate is Completion.DONE, planned=fate is Completion.PLANNED
                )
                yield Badge(ring, stands.city(city), 56, 56, size, is_fixed=True, is_below=True)
            case Deal(place, ducats):
                wide = symbols.deal_width(ducats)
                beside = stands.field(place).moved(30 * size, -18 * size)
                yield Badge(symbols.deal_badge(ducats), beside, wide, 32, size)
            case Loss(unit):
                at = stands.unit(unit)
                taken = scene.state.standing_at(unit) is not None
                yield Badge(symbols.loss_mark(), at, 36, 36, size, is_fixed=not taken)
            case NewUnit(unit):
                beside = stands.unit(unit).moved(24 * size, -20 * size)
                yield Badge(symbols.arrival_mark(), beside, 24, 24, size)
            case Conversion(unit=unit, fate=fate):
                look = colours.get(unit.owner)
                mark = symbols.convert_mark(
                    look.symbol if look else "#444", fate is Completion.FAILED
                )
                start, end = stands.field(unit.place), stands.city(unit.place)
                yield Badge(mark, start.towards(end, 0.5), 26, 26, size)
            case Move() | Backing() | Convoy():
                pass  # these are lines


def cover_badges(sheet: Canvas, marks: list[Badge], size: float) -> list[Badge]:
    """The marks where least is in their way, each covering its place for what comes after."""
    return [_settled(sheet, mark, size) for mark in sorted(marks, key=lambda m: not m.is_fixed)]


def _settled(sheet: Canvas, mark: Badge, size: float) -> Badge:
    if not mark.is_fixed:
        steps = [step * 9 * size for step in range(-9, 10)]
        shifts = sorted(product(steps, steps), key=lambda shift: shift[0] ** 2 + shift[1] ** 2)
        mark = replace(mark, at=_freest(sheet, mark, [mark.at.moved(*shift) for shift in shifts]))
    sheet.cover(box_around(mark.at, mark.width * mark.size, mark.height * mark.size))
    return mark


def _freest(sheet: Canvas, mark: Badge, spots: list[Pixel]) -> Pixel:
    """The first of some points with nothing in the way, or the one with least."""
    wide, high = mark.width * mark.size, mark.height * mark.size
    best, least = mark.at, 1 << 30
    for spot in spots:
        box = box_around(spot, wide, high)
        taken = sheet.taken(box) + (0 if sheet.has(box) else 1000)
        if taken == 0:
            return spot
        if taken < least:
            best, least = spot, taken
    return best
