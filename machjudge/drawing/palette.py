"""The colours and hatchings of the powers on a drawn board.

Any two powers of a shipped scenario lie at least 11 apart (CIEDE2000) for normal sight and for eyes
without red, green or blue; hatchings and letters say the same once more.
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
    "A": ("#dbccfd", "M0 24L24 0"),
    "B": ("#b4c058", "M0 0L24 24M0 12h24"),
    "E": ("#807ce6", "M0 12h24M12 0v24"),
    "F": ("#cbb2b9", "M12 0v24"),
    "G": ("#8e958c", "M0 18l12-12 12 12"),
    "I": ("#a7ac48", ""),
    "L": ("#6d9260", "M9 12h6"),
    "N": ("#e647a5", "M0 0L24 24"),
    "P": ("#a3ebb2", "M6 12h12M12 6v12"),
    "R": ("#bce26e", "M4 6h5M16 18h5"),
    "S": ("#cbb2b9", "M12 0v24M0 24L24 0"),
    "T": ("#b4a3fc", "M0 12h24"),
    "V": ("#7cbb89", "M0 0L24 24M0 24L24 0"),
}
"""By letter the colour of the land, and what repeats on it: SVG path data in a tile 24 wide.

Letters that share a colour are never in one scenario.
"""


@dataclass(frozen=True, slots=True)
class Colours:
    """The two colours of a power, and its hatching."""

    ground: str
    """Of the provinces."""
    symbol: str
    """Of units and cities: the same, dark enough for white letters."""
    hatch: str = ""
    """What repeats on the provinces: SVG path data; empty where nothing does."""
    name: str = ""
    """By which the picture refers to its pattern."""

    @property
    def over(self) -> str:
        """What lies over the ground of a province: its pattern; empty where it has none."""
        return f"url(#of-{self.name})" if self.hatch else ""

    @property
    def pattern(self) -> str:
        """The definition of its pattern as SVG; empty where it has none."""
        if not self.hatch:
            return ""
        return (
            f'<pattern id="of-{self.name}" width="24" height="24" patternUnits="userSpaceOnUse">'
            f'<path class="hatch" stroke="{self.symbol}" d="{self.hatch}"/></pattern>'
        )


def colours_of(powers: Iterable[PowerId]) -> Mapping[PowerId, Colours]:
    """The colours of each power, and of the autonomous garrisons.

    A letter that the game does not usually have gets a colour that is left.
    """
    powers = list(powers)
    looks = {power: _USUAL[power] for power in powers if power in _USUAL}
    used = {colour for colour, _ in looks.values()}
    spare = {colour: (colour, hatch) for colour, hatch in _USUAL.values() if colour not in used}
    left = list(spare.values())
    colours = {AUTONOMOUS: Colours(NOBODY, "#555555")}
    for power in powers:
        look = looks.get(power) or (left.pop(0) if left else (NOBODY, ""))
        colours[power] = Colours(look[0], _darkened(look[0]), look[1], power)
    return colours


def _darkened(colour: str, share: float = 0.45) -> str:
    """A colour mixed with black, of which it keeps its *share*."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(part * share):02x}" for part in parts)
