"""The variable incomes of a game: which homes and cities pay, and what a die brings (INC-10)."""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.rules import IncomeTable, Rules
from machjudge.adjudicator.model.scenario import CityIncome, Scenario

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
"""The table of the house rules, where states and their great cities pay apart from each other."""

GREAT_CITIES: Mapping[PlaceId, str] = {
    PlaceId("flo"): "florence city",
    PlaceId("gen"): "genoa city",
    PlaceId("mil"): "milan city",
    PlaceId("nap"): "naples city",
    PlaceId("ven"): "venice city",
}
"""The cities that pay by a line of their own in that table."""


@dataclass(frozen=True, slots=True)
class Incomes:
    """Who throws for what."""

    lines: Mapping[str, tuple[int, ...]]
    """Ducats for a die of 1 to 6, by the name of the line."""
    homes: Mapping[PowerId, tuple[str, int]]
    """The line of each home country that pays, by its power, and its number of dice."""
    cities: tuple[CityIncome, ...]


def incomes_of(scenario: Scenario, rules: Rules) -> Incomes:
    """The variable incomes of a scenario, as the table in force has them."""
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
