"""What a map file of the old judge cannot say of a scenario, each in a few words."""

from collections.abc import Callable, Iterable, Iterator

from machjudge.adjudicator.model.board import Place
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.scenario import Power, Scenario
from machjudge.atlas.oldjudge.reading import possible_guards

_MOST_DUCATS = 9
"""A city's income is one digit."""


def unsaid_of(scenario: Scenario) -> tuple[str, ...]:
    """Everything that is lost when the scenario is written for the old judge."""
    return (*_ALWAYS, *(each for part in _PARTS for each in part(scenario)))


_ALWAYS = (
    "the title of the board, the year, names and order of powers, units, who holds what beyond"
    " home countries, autonomous units",
)


def _of_scenario(scenario: Scenario) -> Iterator[str]:
    if scenario.variants:
        yield "ways to play with another number of players"
    if scenario.notes:
        yield "remarks for readers"
    if scenario.preset or scenario.rules or scenario.board.rules or scenario.forts:
        yield "which rules are played"
    if scenario.neutral:
        names = _listed(scenario.board.places, scenario.neutral)
        yield f"provinces that nobody may enter, which are left out ({names})"


def _of_places(scenario: Scenario) -> Iterator[str]:
    places = scenario.board.places.values()
    lost = sorted(name for place in places for name in place.aliases if not name.isalnum())
    if lost:
        yield f"names of several words ({', '.join(lost)})"
    if scenario.board.ambiguous:
        yield f"abbreviations that are refused ({', '.join(scenario.board.ambiguous)})"
    for says, is_so in _OF_CITIES.items():
        found = [place.id for place in places if is_so(place)]
        if found:
            yield f"{says} ({', '.join(found)})"
    if any(place.city is not None and place.city.fortress for place in places):
        yield "in which order reports list fortresses among the cities, if the old judge minds"


_OF_CITIES: dict[str, Callable[[Place], object]] = {
    "a city in the water, as which no rule is known there": lambda place: place.afloat,
    "an anchor on some coasts only": lambda place: place.city and place.city.anchors,
    "a city that pays nothing, which becomes a fortress": lambda place: (
        place.city and not place.city.fortress and not place.city.income
    ),
    "a fortress that pays, which becomes a city": lambda place: (
        place.city and place.city.fortress and place.city.income
    ),
    f"an income above {_MOST_DUCATS} ducats": lambda place: (
        place.city and place.city.income > _MOST_DUCATS
    ),
}


def _of_straits(scenario: Scenario) -> Iterator[str]:
    board = scenario.board
    if board.patches:
        yield "borders that an option of the rules opens or closes"
    for strait in board.straits:
        name = "-".join(sorted(strait.edge))
        if any(board.places[place].coasts for place in strait.edge):
            yield f"the strait {name}, where a province has several coasts"
        elif possible_guards(strait.edge, board.places, board.fleet)[:1] != [strait.guard]:
            yield f"that {strait.guard} guards the strait {name}"
        if strait.option:
            yield f"that the strait {name} is there with {strait.option} only"


def _of_incomes(scenario: Scenario) -> Iterator[str]:
    for power in scenario.powers.values():
        yield from _of_power(power, scenario)
    owners = {home: power for power in scenario.powers.values() for home in power.home}
    for each in scenario.city_incomes:
        owner = owners.get(each.city)
        if owner is not None and owner.income_line is None:
            yield f"that the throw of {each.city} is not the throw of {owner.name}"
    used = {power.income_line for power in scenario.powers.values()}
    used |= {each.line for each in scenario.city_incomes}
    unused = sorted(scenario.board.income_lines.keys() - used)
    if unused:
        yield f"lines of income that nobody throws by ({', '.join(unused)})"
    yield "names of lines of income: a throw goes by its city"


def _of_power(power: Power, scenario: Scenario) -> Iterator[str]:
    cities = [home for home in power.home if scenario.board.places[home].city is not None]
    if power.income_line is not None and not {*cities} - {c.city for c in scenario.city_incomes}:
        yield f"the throw of {power.name}, which has no city for it"
    elif power.income_line is None and power.initial_ducats:
        yield f"the first ducats of {power.name}, which throws for no income"
    if power.papal:
        yield f"that {power.name} may excommunicate"
    if power.conquerable_only:
        yield f"that nobody plays {power.name}"
    if not power.home:
        yield f"that there is {power.name}, which has no home country"


_PARTS: tuple[Callable[[Scenario], Iterator[str]], ...] = (
    _of_scenario,
    _of_places,
    _of_straits,
    _of_incomes,
)


def _listed(places: Iterable[PlaceId], some: frozenset[PlaceId]) -> str:
    return ", ".join(place for place in places if place in some)
