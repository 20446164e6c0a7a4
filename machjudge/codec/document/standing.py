"""The units of a position: those on the map, and those that wait for their retreat."""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.moments import Campaign
from machjudge.adjudicator.model.names import AUTONOMOUS
from machjudge.adjudicator.model.state import Dislodged
from machjudge.adjudicator.model.units import GARRISON, Unit
from machjudge.codec.document import short_names
from machjudge.codec.document.ground import PositionGround
from machjudge.codec.document.shape import (
    Json,
    as_object,
    as_text,
    as_truth,
    each,
    entries,
    entry,
    needed,
    refuse,
    shown,
)

Since = Mapping[str, Campaign]
"""When units were built, by their words."""

_WAITING = ("unit", "retreats", "convert")


@dataclass(frozen=True, slots=True)
class UnitReader:
    """A reader of the units of one position."""

    ground: PositionGround
    since: Since

    def unit(self, value: Json) -> Unit:
        """A unit that can stand where it is said to stand.  Raises Unfit."""
        text = as_text(value)
        since = self.since.get(text)
        known = self.ground.units.get(text) if since is None else None
        return known or self._checked(text, since)

    def _checked(self, text: str, since: Campaign | None) -> Unit:
        unit = short_names.read_unit(text, since)
        if unit.owner not in self.ground.powers and unit.owner != AUTONOMOUS:
            refuse(self.ground.flaw_of_power(unit.owner))
        flaw = self.ground.flaw_of_unit(unit)
        if flaw is not None:
            refuse(flaw)
        if since is None:
            self.ground.units[text] = unit
        return unit

    def units(self, value: Json) -> list[Unit]:
        """The units on the map, each with its space for itself (MOV-04).  Raises Unfit."""
        units = each(value, self.unit)
        taken: dict[tuple[bool, str], Unit] = {}
        for index, unit in enumerate(units):
            space = unit.kind is GARRISON, unit.place
            if space in taken:
                refuse(f"{short_names.unit_text(taken[space])} is in the same space", f"[{index}]")
            taken[space] = unit
        return units

    def dislodged(self, value: Json) -> tuple[Dislodged, ...]:
        """The units that wait for their retreat, sorted.  Raises Unfit."""
        return tuple(
            sorted(each(value, self._waiting), key=lambda d: short_names.unit_text(d.unit))
        )

    def _waiting(self, value: Json) -> Dislodged:
        fields = as_object(value, _WAITING)
        unit = needed(fields, "unit", self.unit)
        if unit.is_garrison:
            refuse("a garrison is never dislodged", "unit")
        retreats = entry(fields, "retreats", self._retreats) or ()
        return Dislodged(unit, retreats, convert=entry(fields, "convert", as_truth) or False)

    def _retreats(self, value: Json) -> tuple[Spot, ...]:
        return tuple(sorted(each(value, self._retreat)))

    def _retreat(self, value: Json) -> Spot:
        spot = short_names.read_spot(value)
        world = self.ground.world
        if spot not in world.fleet and (spot.coast or spot.place not in world.army):
            refuse(f"there is no place {shown(as_text(value))} to retreat to")
        return spot


def standing_in(ground: PositionGround, fields: Mapping[str, Json]) -> UnitReader:
    """The reader of the units of a position, who knows how old they are.  Raises Unfit."""
    anybody = UnitReader(ground, {})

    def age(text: str, code: Json) -> tuple[str, Campaign]:
        anybody.unit(text)
        return text, short_names.read_when(code)

    ages = entry(fields, "since", lambda value: dict(entries(value, age)))
    return UnitReader(ground, ages or {})
