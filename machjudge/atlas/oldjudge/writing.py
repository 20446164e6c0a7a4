"""A scenario as a map file of the old judge, and what such a file cannot say of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.board import City, Place, Spot, Table
from machjudge.adjudicator.model.names import NO_COAST, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Power, Scenario
from machjudge.atlas.oldjudge.incomes import SPECIAL, line_of
from machjudge.atlas.oldjudge.oldfile import END, LAND, NOBODYS, STRAIT, WATER
from machjudge.atlas.oldjudge.unsaid import unsaid_of
from machjudge.atlas.tables import FIRST, LAST

_NAME_WIDTH, _CELL_WIDTH, _CITY_WIDTH, _PER_LINE = 24, 5, 15, 16
_EMPTY = "-" * _CELL_WIDTH


@dataclass(frozen=True, slots=True)
class OldText:
    """An old map file, and what of the scenario is lost in it."""

    text: str
    unsaid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldRow:
    """A line of the table of incomes."""

    city: PlaceId
    line: str
    dice: int
    first: int
    """The opening treasury."""


def write_old_map(scenario: Scenario) -> OldText:
    """The map file of a scenario.  Provinces that nobody may enter are left out of it."""
    writer = _Writer(scenario)
    unsaid = unsaid_of(scenario)
    head = [f"# {scenario.title}", *(f"# Not said below: {each}." for each in unsaid)]
    lines = (line.rstrip() for line in (*head, *writer.lines()))
    return OldText("\n".join(lines) + "\n", unsaid)


class _Writer:
    """Writes the parts of a file one after the other."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._board = scenario.board
        self._left_out = scenario.neutral
        self._places = [p for p in self._board.places.values() if p.id not in self._left_out]
        self._owners: Mapping[PlaceId, PowerId] = {
            place: power.id for power in scenario.powers.values() for place in power.home
        }
        self._straits = {
            strait.edge
            for strait in self._board.straits
            if not any(self._board.places[place].coasts for place in strait.edge)
        }

    def lines(self) -> Iterator[str]:
        yield from map(self._place, self._places)
        yield END
        for place in self._places:
            yield from self._borders(place)
        yield END
        yield from self._table("Famine", self._board.famine)
        yield from self._table("Plague", self._board.plague)
        yield from self._incomes()
        yield from self._listed("Ownership (city) ordering:", self._board.city_order)
        yield from self._listed(
            "Center (province) order for summary report:", self._board.province_order
        )
        yield from self._table("Storms", self._board.storm)
        yield from self._limits()
        yield END

    def _place(self, place: Place) -> str:
        names = (place.id, *(name for name in place.aliases if name.isalnum()))
        marks = WATER + "0." if place.is_sea else f"{self._mark(place)}{_city(place.city)}"
        venice = "V" if place.venice or place.afloat else ""
        return f"{place.name + ',':<{_NAME_WIDTH}} {marks + venice:<5} {' '.join(names)}"

    def _mark(self, place: Place) -> str:
        return self._owners.get(place.id) or (NOBODYS if self._near(place) else LAND)

    def _near(self, place: Place) -> bool:
        """Whether anybody can come there."""
        return bool(self._board.army.get(place.id)) or any(
            self._board.fleet[spot] for spot in self._board.spots(place.id)
        )

    def _borders(self, place: Place) -> Iterator[str]:
        if not self._near(place):
            yield f"{place.id}-mv: {place.id}"
        if army := sorted(self._board.army.get(place.id, frozenset()) - self._left_out):
            yield f"{place.id}-mv: {' '.join(army)}"
        closed = [end for edge in self._straits if place.id in edge for end in edge - {place.id}]
        for spot in self._board.spots(place.id):
            near = sorted(self._board.fleet[spot])
            ends = [end for end in near if end.place not in self._left_out]
            if ends:
                words = " ".join(_end(end, closed) for end in ends)
                yield f"{place.id}-{spot.coast or 'xc'}: {words}"
        if closed:
            yield f"{place.id}-{STRAIT}: {' '.join(sorted(closed))}"

    def _table(self, title: str, table: Table) -> Iterator[str]:
        columns = range(FIRST, LAST + 1)
        yield ""
        yield f"{title + ':':<9}" + " ".join(f"{column:<{_CELL_WIDTH}}" for column in columns)
        for row in columns:
            found = (table.get((row, column)) for column in columns)
            cells = (_EMPTY if p is None or p in self._left_out else p for p in found)
            yield f"{row:>6}:  " + " ".join(f"{cell:<{_CELL_WIDTH}}" for cell in cells)

    def _incomes(self) -> Iterator[str]:
        rows = income_rows(self._scenario)
        yield ""
        yield f"Variable Income:  {'City':<{_CITY_WIDTH}} dice   1  2  3  4  5  6 Initial"
        for row in rows:
            name = self._board.places[row.city].name
            ducats = " ".join(f"{each:>2}" for each in self._board.income_lines[row.line])
            yield f"{'':18}{name:<{_CITY_WIDTH}} {row.dice:>4}  {ducats} {row.first:>4}"
        yield "# End of Variable Income."

    def _listed(self, title: str, places: Iterable[PlaceId]) -> Iterator[str]:
        names = [place for place in places if place not in self._left_out]
        yield ""
        yield title
        for start in range(0, len(names), _PER_LINE):
            yield f"   {' '.join(names[start : start + _PER_LINE])}"
        yield "# End of the order."

    def _limits(self) -> Iterator[str]:
        powers = [p for p in self._scenario.powers.values() if p.special is not None]
        if powers:
            yield ""
            yield "Limits for Units Types:"
        for power in powers:
            kinds = "".join("x" if kind in (power.special or ()) else "." for kind in SPECIAL)
            yield f"   {power.id} " + " ".join([f"x{kinds}"] * 3)


def income_rows(scenario: Scenario) -> list[OldRow]:
    """The throws for incomes by the cities that they are written for: those of powers first."""
    rows = [
        OldRow(city, power.income_line, power.income_dice, power.initial_ducats)
        for power in scenario.powers.values()
        if power.income_line is not None and (city := _throwing(power, scenario)) is not None
    ]
    return rows + [OldRow(each.city, each.line, each.dice, 0) for each in scenario.city_incomes]


def _throwing(power: Power, scenario: Scenario) -> PlaceId | None:
    """The city under whose name a power throws: that of its line, or else its greatest."""
    own = {each.city for each in scenario.city_incomes}
    cities = [
        (line_of(place.name) == power.income_line, place.city.income, place.id)
        for home in power.home
        if home not in own and (place := scenario.board.places[home]).city is not None
    ]
    return max(cities, key=lambda city: city[:2], default=(False, 0, None))[2]


def _city(city: City | None) -> str:
    if city is None:
        return "0."
    kind = ("P" if city.fortified else "p") if city.port else "f" if city.fortified else "."
    return f"{min(city.income, 9)}{kind}"


def _end(end: Spot, closed: list[PlaceId]) -> str:
    if end.place in closed and end.coast == NO_COAST:
        return f"{end.place}/{STRAIT}"
    return str(end)
