"""What an old map file says of the powers: their lands, incomes and special units."""

from dataclasses import dataclass, field, replace

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import CityIncome, Power
from machjudge.adjudicator.model.units import Quality
from machjudge.atlas.oldjudge.gazetteer import Gazetteer
from machjudge.atlas.oldjudge.oldfile import OldFile

SPECIAL = (Quality.MILITIA, Quality.MERCENARY, Quality.PROFESSIONAL)
"""The kinds behind the ordinary one, in the order of a limit."""


@dataclass(slots=True)
class States:
    """The powers of an old map file, and the lines by which they and cities throw."""

    powers: dict[PowerId, Power]
    lines: dict[str, tuple[int, ...]] = field(default_factory=dict)
    city_incomes: tuple[CityIncome, ...] = ()
    remarks: list[str] = field(default_factory=list)


def read_powers(old: OldFile, places: Gazetteer) -> States:
    """The powers without names and units; what is wrong is noted in *places*.

    The old judge throws for cities.  The first city of a home country that does is here the
    throw of its power; any other one is its city's own.
    """
    homes: dict[PowerId, list[PlaceId]] = {}
    for name, place in places.old.items():
        if place.mark.isupper():
            homes.setdefault(PowerId(place.mark), []).append(name)
    states = States({letter: _power(letter, home, places) for letter, home in homes.items()})
    _read_rolls(old, places, states)
    _read_limits(old, states)
    return states


def line_of(name: str) -> str:
    """The name of a city as that of a line of income: small letters, and blanks between words."""
    return " ".join("".join(c if "a" <= c <= "z" else " " for c in name.casefold()).split())


def _power(letter: PowerId, home: list[PlaceId], places: Gazetteer) -> Power:
    """A power, named after the greatest city of its home country."""
    cities = [(place.city.income, place.name) for h in home if (place := places.places[h]).city]
    greatest = max(cities, key=lambda city: city[0], default=(0, f"Power {letter}"))[1]
    return Power(letter, greatest, greatest, (), tuple(home), (), (), (), None, 0)


def _read_rolls(old: OldFile, places: Gazetteer, states: States) -> None:
    owners = {place: power.id for power in states.powers.values() for place in power.home}
    cities: list[CityIncome] = []
    for roll in old.rolls:
        city = places.find(roll.line, roll.city.casefold())
        if city is None:
            continue
        line = line_of(places.places[city].name)
        if states.lines.setdefault(line, roll.ducats) != roll.ducats:
            places.note(roll.line, f"{roll.city} has other ducats above")
        power = states.powers.get(owners.get(city, PowerId("")))
        if power is None or power.income_line is not None:
            cities.append(CityIncome(city, line, roll.dice))
        else:
            states.powers[power.id] = replace(
                power, income_line=line, income_dice=roll.dice, initial_ducats=roll.first
            )
    states.city_incomes = tuple(cities)


def _read_limits(old: OldFile, states: States) -> None:
    """The special kinds that each power may have; ours do not tell armies from fleets."""
    for _, letter, kinds in old.limits:
        power = states.powers.get(PowerId(letter))
        if power is None:
            continue
        allowed = (any(kind[at] != "." for kind in kinds) for at in range(1, len(SPECIAL) + 1))
        special = tuple(kind for kind, may in zip(SPECIAL, allowed, strict=True) if may)
        states.powers[power.id] = replace(power, special=special)
        if len({*kinds}) > 1 or {*kinds[0]} - {"x", "."} or kinds[0][0] != "x":
            says = f"{letter} may have {' '.join(kinds)} there; here a kind is allowed or not"
            states.remarks.append(says)
