"""The colours of the powers on a drawn board.

They were chosen so that any two of them differ clearly also for eyes that take red for green, or
blue for green; the letters of the powers say the same once more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId

SEA = "#d3e6f2"
NOBODY = "#f7f2e8"
BEYOND = "#e0dcd2"
"""Land that is no part of the board."""
INK = "#222222"

_USUAL = {
    "A": "#c24f35",
    "E": "#45e5a5",
    "F": "#f6d17c",
    "G": "#c5889c",
    "I": "#83a368",
    "L": "#b743a2",
    "N": "#4e94f6",
    "P": "#e28b3f",
    "T": "#c39fe7",
    "V": "#7b6e5d",
}


@dataclass(frozen=True, slots=True)
class Colours:
    """The two colours of a power."""

    ground: str
    """Of the provinces."""
    symbol: str
    """Of units and cities: the same, dark enough for white letters."""


def colours_of(powers: Iterable[PowerId]) -> Mapping[PowerId, Colours]:
    """The colours of each power, and of the autonomous garrisons.

    A letter that the game does not usually have gets a colour that is left.
    """
    powers = list(powers)
    left = [colour for letter, colour in _USUAL.items() if letter not in powers]
    colours = {AUTONOMOUS: Colours(NOBODY, "#555555")}
    for power in powers:
        colour = _USUAL.get(power) or (left.pop(0) if left else NOBODY)
        colours[power] = Colours(_mixed(colour, 255, 0.85), _mixed(colour, 0, 0.5))
    return colours


def _mixed(colour: str, with_grey: int, share: float) -> str:
    """A colour mixed with black (0) or white (255), of which it keeps its *share*."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(part * share + with_grey * (1 - share)):02x}" for part in parts)
