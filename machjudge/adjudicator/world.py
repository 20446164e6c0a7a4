"""The constants of a game: scenario and rules, with the tables made from both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from machjudge.adjudicator.board import (
    Board,
    City,
    CityIncome,
    Place,
    Scenario,
    Spot,
    Strait,
    Terrain,
    borders_of,
    straits_of,
)
from machjudge.adjudicator.moments import Campaign, Season
from machjudge.adjudicator.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.rules import (
    IncomeTable,
    Nations,
    Opening,
    PortCoasts,
    Rules,
    SideUnits,
)
from machjudge.adjudicator.state import Sides
from machjudge.adjudicator.units import FLEET, Kind, Quality, Unit

# The variable incomes of a game: which homes and cities pay, and what a die brings (INC-10).
STATES_AND_CITIES: Mapping[str, tuple[int, ...]] = {
    "austria": (1, 2, 3, 4, 5, 6),
    "florence": (3, 4, 5, 6, 6, 7),
    "florence city": (1, 1, 1, 1, 2, 2),
    "france": (2, 3, 3, 4, 5, 6),
    "genoa": (1, 2, 3, 3, 4, 5),
    "genoa city": (1, 1, 1, 2, 2, 2),
    "milan": (3, 3, 4, 4, 5, 5),
    "milan city": (1, 2, 2, 3, 3, 4),
    "naples": (2, 2, 3, 3, 4, 4),
    "naples city": (1, 2, 2, 3, 3, 4),
    "papacy": (3, 3, 4, 5, 6, 7),
    "turkey": (2, 3, 3, 4, 5, 6),
    "venice": (3, 3, 4, 4, 5, 5),
    "venice city": (1, 2, 2, 3, 3, 4),
}
"""The table of the house rules, where states and great cities pay separately."""

GREAT_CITIES: Mapping[PlaceId, str] = {
    PlaceId("flo"): "florence city",
    PlaceId("gen"): "genoa city",
    PlaceId("mil"): "milan city",
    PlaceId("nap"): "naples city",
    PlaceId("ven"): "venice city",
}
"""The cities with a line of their own in that table."""


@dataclass(frozen=True, slots=True)
class Incomes:
    """The variable incomes."""

    lines: Mapping[str, tuple[int, ...]]
    """Ducats for a die of 1 to 6, by line."""
    homes: Mapping[PowerId, tuple[str, int]]
    """Each paying home country's line and number of dice, by power."""
    cities: tuple[CityIncome, ...]


def incomes_of(scenario: Scenario, rules: Rules) -> Incomes:
    """Return the variable incomes of a scenario by the table in force."""
    homes = {
        home.id: (home.income_line, home.income_dice)
        for home in scenario.powers.values()
        if home.income_line is not None and home.income_dice
    }
    lines = scenario.board.income_lines
    if rules.income.table is IncomeTable.SCENARIO:
        return Incomes(lines, homes, scenario.city_incomes)
    return Incomes(
        {**lines, **STATES_AND_CITIES},
        {id_: (line, 1 if line in STATES_AND_CITIES else n) for id_, (line, n) in homes.items()},
        tuple(
            CityIncome(place, line, 1)
            for place, line in GREAT_CITIES.items()
            if place in scenario.board.places
        ),
    )


FOR_ALL = (Quality.PLAIN, Quality.CAVALRY)
"""Kinds of units open to all powers (SET-20, SPC-11)."""


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """A scenario under certain rules; made by ``world_of``, which caches it."""

    scenario: Scenario
    rules: Rules
    cities: Mapping[PlaceId, City]
    """The cities in use; fortresses only with forts (MAP-07)."""
    full_cities: frozenset[PlaceId]
    """Those that are no fortress, for home countries and victory (HOM-02, VIC-07)."""
    seas: frozenset[PlaceId]
    army: Mapping[PlaceId, frozenset[PlaceId]]
    """Borders for armies, without neutral provinces (MAP-30)."""
    fleet: Mapping[Spot, frozenset[Spot]]
    """Borders for fleets, without neutral provinces."""
    ports_of_call: frozenset[PlaceId]
    """Places of fleets, on whichever coast."""
    landings: Mapping[tuple[PlaceId, Coast], Mapping[PlaceId, tuple[Spot, ...]]]
    """The same by place: the spots of each that a fleet may enter, sorted."""
    carrying: frozenset[Spot]
    """Spots of carrying fleets (MOV-07)."""
    basins: Mapping[Spot, int]
    """Each of these spots with the number of its connected waters."""
    waters: Mapping[PlaceId, frozenset[int]]
    """The connected waters, by number, that carry armies off a place (MOV-07, MOV-09)."""
    borders: Mapping[PlaceId, frozenset[PlaceId]]
    """Bordering provinces and seas, whatever unit could cross (EXP-28)."""
    closed: frozenset[PlaceId]
    """Neutral provinces closed to all; empty if the rules open them (MAP-30)."""
    venice: frozenset[PlaceId]
    """Places where city and province are one space (MAP-20)."""
    besieged_from: Mapping[PlaceId, PlaceId]
    """The sea that besieges such a place, where allowed (SIE-02)."""
    besieged_over: Mapping[PlaceId, PlaceId]
    """The same by the sea."""
    straits: Mapping[frozenset[PlaceId], Strait]
    """The straits by closed border (MAP-10)."""
    in_play: tuple[PowerId, ...]
    """The powers with players, in the scenario's order (ELI-01)."""
    home_blocks: Mapping[PowerId, frozenset[PlaceId]]
    """The original home country of each power that has one (HOM-01)."""
    home_cities: Mapping[PowerId, frozenset[PlaceId]]
    """Their cities, without fortresses (HOM-02)."""
    incomes: Incomes
    """The variable incomes (INC-10)."""

    @property
    def board(self) -> Board:
        """Return the board of the scenario."""
        return self.scenario.board

    def place(self, place: PlaceId) -> Place:
        """Return a place of the board."""
        return self.scenario.board.places[place]

    def siege_post(self, city: PlaceId) -> PlaceId:
        """Return the place of a city's besieger: its province, or the sea off Venice (SIE-02)."""
        return self.besieged_from.get(city, city)

    def city_before(self, place: PlaceId) -> PlaceId:
        """Return the city that a field unit in *place* can besiege, or None (SIE-02)."""
        return self.besieged_over.get(place, place)

    def holds_garrison(self, place: PlaceId) -> bool:
        """Return whether there is a fortified city or fortress in use (CNV-01)."""
        city = self.cities.get(place)
        return city is not None and city.fortified and self.rules.game.garrisons

    def is_port(self, place: PlaceId) -> bool:
        """Return whether the city is a port in use (MAP-03)."""
        city = self.cities.get(place)
        return city is not None and city.port

    def harbours(self, place: PlaceId) -> tuple[Spot, ...]:
        """Return the spots by which fleets leave and enter the city (MOV-30)."""
        spots, city = self.board.spots(place), self.cities.get(place)
        rule = self.rules.conversion.port_coasts
        if rule is PortCoasts.ALL or city is None or not city.anchors:
            return spots
        anchors = city.anchors[:1] if rule is PortCoasts.ONE else city.anchors
        return tuple(spot for spot in spots if spot.coast in anchors)

    def berths(self, unit: Unit) -> bool:
        """Return whether a fleet may enter its province's port from its spot (MOV-30)."""
        spot = Spot(unit.place, unit.coast)
        return self.is_port(unit.place) and spot in self.harbours(unit.place)

    def allows(self, power: PowerId, quality: Quality) -> bool:
        """Return whether a power may have units of that kind (SPC-01, SET-20)."""
        if quality in FOR_ALL or self.rules.special.nations is Nations.NONE:
            return True
        kinds = self.scenario.powers[power].special
        return kinds is None or quality in kinds

    def leads(self, power: PowerId, sides: Sides) -> PowerId:
        """Return the power that has a power's units: itself, or its player's first (SET-24)."""
        if self.rules.game.side_units is SideUnits.APART:
            return power
        return next((side[0] for side in sides if power in side), power)

    def special_limit(self, now: Campaign) -> int:
        """Return the limit of special units; at first 0 by some rules (SPC-06)."""
        opening = now.year < self.scenario.year or now == Campaign(
            self.scenario.year, Season.SPRING
        )
        if opening and not self.rules.special.first_spring:
            return 0
        return self.rules.adjustment.special_limit

    def only_pays_the_set_up(self, now: Campaign) -> bool:
        """Return whether units are only paid for and none is built (INC-16)."""
        return now.year < self.scenario.year and self.rules.game.opening is Opening.UPKEEP

    def reaches(self, unit: Unit, place: PlaceId) -> bool:
        """Return whether the unit could move to *place* in one step (MOV-06).

        A garrison reaches its own province only (MOV-22).
        """
        match unit.kind:
            case Kind.ARMY:
                return place in self.army.get(unit.place, ())
            case Kind.FLEET:
                return place in self.landings.get((unit.place, unit.coast), ())
            case Kind.GARRISON:
                return place == unit.place

    def spots_reached(self, unit: Unit, place: PlaceId) -> tuple[Spot, ...]:
        """Return the spots of *place* within a fleet's move, by coast (MOV-06)."""
        near = self.landings.get((unit.place, unit.coast))
        return near.get(place, ()) if near is not None else ()

    def strait_leg(self, unit: Unit, into: PlaceId) -> frozenset[PlaceId] | None:
        """Return the border in a strait on a fleet's way into a place (MAP-10)."""
        if unit.kind is not FLEET or not self.straits:
            return None
        border = frozenset((unit.place, into))
        return border if border in self.straits else None


@lru_cache(maxsize=64)
def world_of(scenario: Scenario, rules: Rules) -> World:
    """Return the world of a scenario under *rules*."""
    board = scenario.board
    closed: frozenset[PlaceId] = scenario.neutral if rules.game.neutral_impassable else frozenset()
    by_land, by_sea = borders_of(board, rules)
    army = {
        place: frozenset(near - closed) for place, near in by_land.items() if place not in closed
    }
    fleet = {
        spot: frozenset(to for to in near if to.place not in closed)
        for spot, near in by_sea.items()
        if spot.place not in closed
    }
    cities = _cities_in_use(board, rules, closed)
    full_cities = frozenset(place for place, city in cities.items() if not city.fortress)
    home_blocks = {p.id: frozenset(p.home) for p in scenario.powers.values() if p.home}
    carrying = frozenset(s for s in fleet if carries_armies(rules, board.places[s.place]))
    basins = _basins(fleet, carrying)
    seas = frozenset(place.id for place in board.places.values() if place.is_sea)
    venice = frozenset(place.id for place in board.places.values() if place.venice)
    lagoons = _lagoons(fleet, venice, seas) if rules.siege.from_lagoon else {}
    return World(
        scenario=scenario,
        rules=rules,
        cities=cities,
        full_cities=full_cities,
        seas=seas,
        army=army,
        fleet=fleet,
        ports_of_call=frozenset(spot.place for spot in fleet),
        landings={spot: _by_place(near) for spot, near in fleet.items()},
        carrying=carrying,
        basins=basins,
        waters=_waters(fleet, basins),
        borders=_borders(board, army, fleet),
        closed=closed,
        venice=venice,
        besieged_from=lagoons,
        besieged_over={sea: city for city, sea in lagoons.items()},
        straits=straits_of(board, rules),
        in_play=scenario.in_play,
        home_blocks=home_blocks,
        home_cities={home: block & full_cities for home, block in home_blocks.items()},
        incomes=incomes_of(scenario, rules),
    )


def carries_armies(rules: Rules, place: Place) -> bool:
    """Return whether a fleet there may carry: at sea, or on a coast by the rules (MOV-07)."""
    coastal = rules.movement.coastal_convoys and place.terrain is Terrain.COASTAL
    return coastal or place.is_sea or place.afloat


def _lagoons(
    fleet: Mapping[Spot, frozenset[Spot]], venice: frozenset[PlaceId], seas: frozenset[PlaceId]
) -> Mapping[PlaceId, PlaceId]:
    """The sea off each place like Venice; of several the first."""
    around = {
        spot.place: sorted(to.place for to in near if to.place in seas)
        for spot, near in fleet.items()
        if spot.place in venice
    }
    return {city: near[0] for city, near in around.items() if near}


def _by_place(spots: Iterable[Spot]) -> Mapping[PlaceId, tuple[Spot, ...]]:
    found: dict[PlaceId, list[Spot]] = {}
    for spot in sorted(spots):
        found.setdefault(spot.place, []).append(spot)
    return {place: tuple(there) for place, there in found.items()}


def _basins(fleet: Mapping[Spot, frozenset[Spot]], spots: frozenset[Spot]) -> Mapping[Spot, int]:
    """Number the groups of spots between which fleets can pass an army on."""
    found: dict[Spot, int] = {}
    for number, start in enumerate(sorted(spots)):
        edge = [start] if start not in found else []
        while edge:
            spot = edge.pop()
            found[spot] = number
            edge.extend(near for near in fleet[spot] & spots if near not in found)
    return found


def _waters(
    fleet: Mapping[Spot, frozenset[Spot]], basins: Mapping[Spot, int]
) -> Mapping[PlaceId, frozenset[int]]:
    """The connected waters at each place."""
    touched: dict[PlaceId, set[int]] = {}
    for spot, number in basins.items():
        for near in fleet[spot]:
            touched.setdefault(near.place, set()).add(number)
    return {place: frozenset(numbers) for place, numbers in touched.items()}


def _cities_in_use(
    board: Board, rules: Rules, closed: frozenset[PlaceId]
) -> Mapping[PlaceId, City]:
    return {
        place.id: place.city
        for place in board.places.values()
        if place.city is not None
        and (rules.game.forts or not place.city.fortress)
        and place.id not in closed
    }


def _borders(
    board: Board,
    army: Mapping[PlaceId, frozenset[PlaceId]],
    fleet: Mapping[Spot, frozenset[Spot]],
) -> Mapping[PlaceId, frozenset[PlaceId]]:
    near: dict[PlaceId, set[PlaceId]] = {place: set() for place in board.places}
    for place, others in army.items():
        near[place].update(others)
    for spot, spots in fleet.items():
        near[spot.place].update(to.place for to in spots)
    return {place: frozenset(others) for place, others in near.items()}
