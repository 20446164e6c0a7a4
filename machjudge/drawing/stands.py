"""Where units, cities and marks stand in a picture."""

from dataclasses import dataclass
from math import dist

from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas import Shapes
from machjudge.drawing.arrows import UNIT
from machjudge.drawing.frame import Frame
from machjudge.drawing.rings import Box, Pixel, Ring, box_around, rings_of

CITY = 13.0
"""How far the rim of a city is from its middle."""
_WAITING = Pixel(20, -22)
"""How far a dislodged unit waits from its place."""
_CUTOFF = 30
"""Pixels beyond the edge in which something is still drawn."""


@dataclass(frozen=True, slots=True)
class Stands:
    """The points of a board in a picture."""

    shapes: Shapes
    frame: Frame

    def field(self, place: PlaceId, coast: Coast = NO_COAST) -> Pixel:
        """Where an army or fleet stands."""
        outline = self.shapes.places[place]
        return self.frame.at(outline.coasts.get(coast, outline.unit))

    def city(self, place: PlaceId) -> Pixel:
        """Where the city is, out of the way of whoever stands in the field."""
        outline = self.shapes.places[place]
        at, unit = self.frame.at(outline.city or outline.unit), self.frame.at(outline.unit)
        least = (UNIT + CITY) * self.frame.size
        apart = dist(at, unit)
        if outline.city is None or not apart or apart >= least:
            return at
        return unit.towards(at, least / apart)

    def unit(self, unit: Unit) -> Pixel:
        """Where a unit stands."""
        return self.city(unit.place) if unit.is_garrison else self.field(unit.place, unit.coast)

    def dislodged(self, unit: Unit) -> Pixel:
        """Where a unit waits that has been driven out."""
        return self.unit(unit).moved(_WAITING.x * self.frame.size, _WAITING.y * self.frame.size)

    def marks(self, place: PlaceId) -> Pixel:
        """Where the first mark of a place stands."""
        return self.frame.at(self.shapes.places[place].marks)

    def label(self, place: PlaceId) -> Pixel:
        """Where the name of a place stands if nothing is in the way."""
        return self.frame.at(self.shapes.places[place].label).moved(0, -6 * self.frame.size)

    def rings(self, place: PlaceId) -> tuple[Ring, ...]:
        """The outline of a place in pixels."""
        rings = rings_of(self.shapes.places[place].path)
        return tuple(tuple(self.frame.at(spot) for spot in ring) for ring in rings)

    def box(self, at: Pixel, radius: float) -> Box:
        """What a symbol covers that is so large, in units of symbols."""
        wide = 2 * radius * self.frame.size
        return box_around(at, wide, wide)

    def shows(self, *spots: Pixel) -> bool:
        """Whether something between these points is to be seen."""
        frame = self.frame
        sees = Box(-_CUTOFF, -_CUTOFF, frame.width + _CUTOFF, frame.height + _CUTOFF)
        around = Box(
            min(x for x, _ in spots) - 1,
            min(y for _, y in spots) - 1,
            max(x for x, _ in spots) + 1,
            max(y for _, y in spots) + 1,
        )
        return sees.overlaps(around)
