"""Acts of units as lines: where they run, and how they are drawn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist

from machjudge.drawing.rings import Pixel
from machjudge.drawing.scene import Completion
from machjudge.drawing.symbols import bounce_mark, placed

UNIT = 21.0
"""How far the rim of a unit is from its middle."""
_HEAD = 19.0
_CUT = 0.62
"""How much of its way a move is drawn that came to nothing."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A line from one thing to another."""

    name: str
    """What it stands for: ``move``, ``retreat``, ``support``, ``convoy``, ``convert``."""
    spots: tuple[Pixel, ...]
    colour: str
    fate: Completion
    told: str
    """What it says in words that no reader sees: ``A mil-trt``."""


def cut_short(spots: Sequence[Pixel], start: float, end: float) -> tuple[Pixel, ...]:
    """A line without so many pixels at its beginning and its end, which keeps a third at least."""
    whole = sum(dist(a, b) for a, b in pairwise(spots))
    if whole < 1:
        return tuple(spots)
    most = min(1.0, whole * 0.66 / max(1.0, start + end))
    line = _from(tuple(spots), start * most)
    return tuple(reversed(_from(tuple(reversed(line)), end * most)))


def share_of(spots: Sequence[Pixel], share: float) -> tuple[Pixel, ...]:
    """The first part of a line."""
    whole = sum(dist(a, b) for a, b in pairwise(spots))
    return tuple(reversed(_from(tuple(reversed(spots)), whole * (1 - share))))


def _from(spots: tuple[Pixel, ...], far: float) -> tuple[Pixel, ...]:
    """A line from the point that is so *far* along it."""
    start, *rest = spots
    while len(rest) > 1 and dist(start, rest[0]) <= far:
        far -= dist(start, rest[0])
        start = rest.pop(0)
    length = dist(start, rest[0])
    return (start.towards(rest[0], far / length if length else 0), *rest)


def aside(spots: tuple[Pixel, ...], by: float) -> tuple[Pixel, ...]:
    """A line moved to its right, so that one in the other direction has room beside it."""
    (x, y), (to_x, to_y) = spots[0], spots[-1]
    length = dist(spots[0], spots[-1]) or 1
    across, down = -(to_y - y) / length * by, (to_x - x) / length * by
    return tuple(spot.moved(across, down) for spot in spots)


def drawn(line: Trail, size: float) -> str:
    """A line as SVG."""
    head = f'<g class="{line.name} {line.fate.value}"><title>{line.told}</title>'
    body = "".join(_arrow(line, size) if line.name in _ARROWS else _dotted(line, size))
    return f"{head}{body}</g>"


_ARROWS = {"move", "retreat", "convert"}


def _arrow(line: Trail, size: float) -> Iterator[str]:
    thick = (5.5 if line.name == "convert" else 7.5) * size
    failed = line.fate is Completion.FAILED
    spots = share_of(line.spots, _CUT) if failed else line.spots
    tip, before = spots[-1], spots[-2]
    length = dist(tip, before) or 1
    along = Pixel((tip.x - before.x) / length, (tip.y - before.y) / length)
    far = _HEAD * size * (0.75 if line.name == "convert" else 1)
    base = tip if failed else tip.moved(-along.x * far, -along.y * far)
    shaft = _path((*spots[:-1], base))
    dashes = f' stroke-dasharray="{11 * size:g} {6 * size:g}"' if line.name == "retreat" else ""
    wings = [base.moved(-along.y * s * far * 0.55, along.x * s * far * 0.55) for s in (1, -1)]
    point = "" if failed else _path((wings[0], tip, wings[1])) + "z"
    yield f'<path class="casing" stroke-width="{thick + 5 * size:.1f}" d="{shaft}"/>'
    if point:
        yield f'<path fill="#fff" stroke="#fff" stroke-width="{5 * size:.1f}" d="{point}"/>'
    stroke = f'stroke="{line.colour}" stroke-width="{thick:.1f}"'
    yield f'<path class="shaft" {stroke}{dashes} d="{shaft}"/>'
    yield f'<path fill="{line.colour}" d="{point}"/>' if point else placed(bounce_mark(), tip, size)


def _dotted(line: Trail, size: float) -> Iterator[str]:
    path, thick = _path(line.spots), 6 * size
    dots = f'stroke-dasharray="0.1 {10 * size:g}" stroke-linecap="round"'
    yield f'<path class="casing" stroke-width="{thick + 5 * size:.1f}" d="{path}"/>'
    stroke = f'stroke="{line.colour}" stroke-width="{thick:.1f}"'
    yield f'<path class="shaft" {stroke} {dots} d="{path}"/>'
    end = line.spots[-1]
    yield (
        f'<circle cx="{end.x:.1f}" cy="{end.y:.1f}" r="{7 * size:g}" fill="#fff" '
        f'stroke="{line.colour}" stroke-width="{4 * size:g}"/>'
    )
    if line.fate is Completion.FAILED:
        yield placed(bounce_mark(), share_of(line.spots, 0.5)[-1], size * 0.85)


def _path(spots: Iterable[Pixel]) -> str:
    return "M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in spots)
