"""How much each power held in the course of a game, as bands that lie on each other."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from machjudge.adjudicator.model.names import PowerId
from machjudge.drawing.palette import Colours

WIDTH, HEIGHT = 600, 240
_LEAST = 15
"""The least height of a band, in pixels, in which its letter stands."""


def bands(held: Sequence[Mapping[PowerId, int]], colours: Mapping[PowerId, Colours]) -> str:
    """A column for each position, in it a band for each power, as SVG.

    The patterns of the powers are defined elsewhere; a line marks the column that is looked at,
    the last one.
    """
    most = max((sum(each.values()) for each in held), default=0) or 1
    wide = WIDTH / max(1, len(held))
    powers = [power for power in colours if any(each.get(power) for each in held)]
    tops = [(0, *accumulate(each.get(power, 0) for power in powers)) for each in held]
    drawn = "".join(
        band
        for number, power in enumerate(powers)
        for band in _band(
            power,
            colours[power],
            [(column[number] / most, column[number + 1] / most) for column in tops],
            wide,
        )
    )
    now = (len(held) - 0.5) * wide
    mark = f'<path class="now" d="M0 0v{HEIGHT}" transform="translate({now:.1f} 0)"/>'
    return f'<g data-wide="{wide:.4f}">{drawn}{mark}</g>'


def _band(
    power: PowerId, look: Colours, spans: Sequence[tuple[float, float]], wide: float
) -> Iterator[str]:
    """The area of a power, and its letter where there is most room for it."""
    path = f'd="{_steps(spans, wide)}"'
    yield f'<path fill="{look.ground}" stroke="#fff" {path}/>'
    if look.over:
        yield f'<path fill="{look.over}" {path}/>'
    number, (low, high) = max(enumerate(spans), key=lambda each: each[1][1] - each[1][0])
    if (high - low) * HEIGHT >= _LEAST:
        x = min(max((number + 0.5) * wide, 10), WIDTH - 10)
        y = HEIGHT - (low + high) / 2 * HEIGHT + 6
        yield f'<text class="held" x="{x:.1f}" y="{y:.1f}">{power}</text>'


def _steps(spans: Sequence[tuple[float, float]], wide: float) -> str:
    """Along the tops from left to right, and along the bottoms back."""
    upper = "".join(f"V{_y(high)}H{(n + 1) * wide:.1f}" for n, (_, high) in enumerate(spans))
    lower = "".join(f"V{_y(low)}H{n * wide:.1f}" for n, (low, _) in reversed([*enumerate(spans)]))
    return f"M0 {_y(spans[0][0])}{upper}{lower}z"


def _y(share: float) -> str:
    return f"{HEIGHT - share * HEIGHT:.1f}"
