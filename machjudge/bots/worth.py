"""What places and units are worth to a power: the evaluation that all policies use."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from machjudge.adjudicator.money.income import city_income, province_income
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import FLEET, Kind, Unit
from machjudge.adjudicator.world import World

Chance = Callable[[str], float]
"""A number from 0 to 1 for a question, always the same: what decides between equals."""

_CITY = 6.0
"""A city: it counts for victory and feeds a unit."""
_HELD = 0.25
"""The share of its worth that a place of one's own has while nobody threatens it."""
_THREAT = 0.45
"""What each foreign unit in reach adds to that share."""
_ROUNDS = (1.0, 0.35, 0.12, 0.05)
"""How far worth is felt: the weight of a place itself, of its neighbours, and so on."""
_NEIGHBOURS = 5.0
"""Among how many neighbours worth is divided."""
_YEARS = 2
"""Years of income that a place is reckoned with."""


@dataclass(frozen=True)
class Prospect:
    """A position as one power sees it, and what it makes of it."""

    world: World
    state: State
    power: PowerId
    chance: Chance

    @cached_property
    def own(self) -> frozenset[PowerId]:
        """The powers of the same player."""
        return frozenset(self.state.side_of(self.power))

    @cached_property
    def units(self) -> list[Unit]:
        """The power's units, in order."""
        return self.state.units_of(self.power)

    @cached_property
    def threats(self) -> Counter[PlaceId]:
        """How many foreign units of players could enter each place."""
        return Counter(
            place
            for unit in self.state.field.values()
            if unit.owner not in self.own and unit.owner != AUTONOMOUS
            for place in within_reach(self.world, unit)
        )

    @cached_property
    def rivals(self) -> Counter[PlaceId]:
        """The most units of one foreign power that could enter each place."""
        by_power: dict[PowerId, Counter[PlaceId]] = {}
        for unit in self.state.field.values():
            if unit.owner not in self.own and unit.owner != AUTONOMOUS:
                reach = within_reach(self.world, unit)
                by_power.setdefault(unit.owner, Counter()).update(reach)
        most: Counter[PlaceId] = Counter()
        for each in by_power.values():
            most |= each
        return most

    @cached_property
    def helpers(self) -> Counter[PlaceId]:
        """How many own field units could enter each place."""
        return Counter(
            place
            for unit in self.units
            if not unit.is_garrison
            for place in within_reach(self.world, unit)
        )

    def is_own(self, place: PlaceId) -> bool:
        """Return whether a province, and its city if there is one, is the power's own."""
        has_city = place in self.world.cities
        city = not has_city or self.state.cities.get(place) in self.own
        return city and self.state.provinces.get(place) in self.own

    def is_held_by_others(self, place: PlaceId) -> bool:
        """Return whether a foreign field unit stands there."""
        unit = self.state.field.get(place)
        return unit is not None and unit.owner not in self.own

    def gain(self, place: PlaceId) -> float:
        """Return what it is worth to hold a place: two years' ducats, and its city."""
        if self.world.place(place).is_sea:
            return 1.0
        ducats = max(province_income(self.world, self.state, place), 0)
        city = self.world.cities.get(place)
        if city is None:
            return float(_YEARS * ducats)
        counts = _CITY if place in self.world.full_cities else 0.0
        income = max(city_income(self.world, self.state, place), 0 if city.fortress else 1)
        return _YEARS * (ducats + income) + counts

    def wish(self, place: PlaceId) -> float:
        """Return what a unit there would do for the power: take the place, or guard it."""
        worth = self.gain(place)
        if self.world.place(place).is_sea:
            return worth
        if not self.is_own(place):
            return worth
        share = _HELD + _THREAT * min(self.threats[place], 2)
        return worth * share

    @cached_property
    def army_worth(self) -> Mapping[PlaceId, float]:
        """The worth of each province for an army, with what lies around it."""
        return self._spread(self.world.army)

    @cached_property
    def fleet_worth(self) -> Mapping[PlaceId, float]:
        """The same of seas and coasts for a fleet."""
        return self._spread(_waterways(self.world))

    def worth_for(self, kind: Kind) -> Mapping[PlaceId, float]:
        """Return the worth of places for units of a kind."""
        return self.fleet_worth if kind is FLEET else self.army_worth

    def _spread(self, borders: Mapping[PlaceId, Iterable[PlaceId]]) -> Mapping[PlaceId, float]:
        near = {place: self.wish(place) for place in borders}
        total = {place: _ROUNDS[0] * worth for place, worth in near.items()}
        for weight in _ROUNDS[1:]:
            near = {
                place: (near[place] + sum(near[each] for each in around if each in near))
                / _NEIGHBOURS
                for place, around in borders.items()
            }
            for place, worth in near.items():
                total[place] += weight * worth
        return total


def within_reach(world: World, unit: Unit) -> frozenset[PlaceId]:
    """Return the places that a unit could enter in one step."""
    match unit.kind:
        case Kind.ARMY:
            return world.army.get(unit.place, frozenset())
        case Kind.FLEET:
            return frozenset(world.landings.get((unit.place, unit.coast), ()))
        case Kind.GARRISON:
            return frozenset((unit.place,))


@lru_cache(maxsize=64)
def _waterways(world: World) -> Mapping[PlaceId, frozenset[PlaceId]]:
    """The borders for fleets, by place, whichever coast."""
    found: dict[PlaceId, set[PlaceId]] = {}
    for spot, near in world.fleet.items():
        found.setdefault(spot.place, set()).update(each.place for each in near)
    return {place: frozenset(near) for place, near in found.items()}
