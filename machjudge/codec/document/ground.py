"""What a position must fit: the places and powers of a world, and how its scenario starts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import Owners
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.adjudicator.model.world import World
from machjudge.codec.document.shape import shown


@dataclass(frozen=True, slots=True, eq=False)
class PositionGround:
    """The tables of a world that a position is checked against."""

    world: World
    powers: frozenset[str]
    provinces: frozenset[str]
    """The places that somebody can control."""
    cities: frozenset[str]
    """The places with a city or fortress, whether fortresses are in use or not."""
    started_provinces: Owners
    started_cities: Owners
    started_homes: Owners
    units: dict[str, Unit] = field(default_factory=dict)
    """The units that can stand where their words say, as they were read before."""

    def flaw_of_place(self, place: str, among: frozenset[str]) -> str:
        """Why *place* is not *among* the provinces or cities of the board."""
        found = self.world.board.places.get(PlaceId(place))
        if found is None:
            return f'there is no place "{shown(place)}" on the board {self.world.board.id}'
        if found.is_sea:
            return f"{place} is a sea"
        return f"{place} has no city" if among is self.cities else f"{place} does not belong here"

    def flaw_of_power(self, power: object) -> str:
        """Why *power* is no power of the scenario."""
        known = ", ".join(sorted(self.powers))
        written = f'"{shown(power)}"' if isinstance(power, str) else "this"
        return f"{written} is no power of the scenario {self.world.scenario.id}; known are {known}"

    def flaw_of_unit(self, unit: Unit) -> str | None:
        """Why the unit cannot stand where it is said to stand, or nothing."""
        place = self.world.board.places.get(unit.place)
        if place is None:
            return self.flaw_of_place(unit.place, self.provinces)
        match unit.kind:
            case Kind.ARMY if unit.place in self.world.army and not unit.coast:
                return None
            case Kind.FLEET if Spot(unit.place, unit.coast) in self.world.fleet:
                return None
            case Kind.GARRISON if self.world.holds_garrison(unit.place) and not unit.coast:
                return None
            case Kind.FLEET if place.coasts and not unit.coast:
                return f"a fleet in {unit.place} is on a coast: {' or '.join(place.coasts)}"
            case Kind.ARMY | Kind.FLEET | Kind.GARRISON:
                kind = unit.kind.name.lower()
                spot = f"{unit.place}/{shown(unit.coast)}" if unit.coast else unit.place
                return f"no {kind} can stand in {spot}"


@lru_cache(maxsize=64)
def ground_of(world: World) -> PositionGround:
    """The tables of a world, made once."""
    places = world.board.places.values()
    scenario = world.scenario
    return PositionGround(
        world=world,
        powers=frozenset(scenario.powers),
        provinces=frozenset(place.id for place in places if not place.is_sea),
        cities=frozenset(place.id for place in places if place.city is not None),
        started_provinces=_owners({p.id: p.provinces for p in scenario.powers.values()}),
        started_cities=_owners({p.id: p.cities for p in scenario.powers.values()}),
        started_homes=_owners({p.id: p.home for p in scenario.powers.values()}),
    )


def _owners(places_of: Mapping[PowerId, tuple[PlaceId, ...]]) -> Owners:
    return {place: power for power, places in places_of.items() for place in places}
