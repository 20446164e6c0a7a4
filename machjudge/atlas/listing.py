"""The places of a board as a table in plain text, no line longer than 80 characters."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from machjudge.adjudicator.model.board import Board, Place
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.patches import Armies, Fleets, borders_of, straits_of
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario

WIDTH = 80
_PROVINCE = "{0:<4} {1:<15} {2:<4} {3:<19} "
_SEA = "{0:<4} {1:<23} "


def places_text(board: Board, scenario: Scenario, rules: Rules | None = None) -> str:
    """All places with names, abbreviations, cities, home countries and borders.

    What a player asks for to write orders.  With *rules* it leaves out what they have not in use:
    fortresses, garrisons, ducats.  The position is not shown.
    """
    lines = [
        *_heading(board, scenario, rules),
        "",
        *_provinces(board, scenario, rules),
        "",
        *_seas(board, rules or JUDGE),
        "",
        *_hints(board, scenario, rules or JUDGE),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heading(board: Board, scenario: Scenario, rules: Rules | None) -> Iterator[str]:
    yield from wrap(f"{board.title}; scenario {scenario.id}: {scenario.title}", WIDTH)
    yield ""
    powers = ", ".join(f"{power.id} {power.name}" for power in scenario.powers.values())
    yield from _paragraph(f"Home countries: {powers}.")
    if rules is None or rules.game.garrisons:
        yield from _paragraph("Only fortified cities and fortresses can hold garrisons.")
    if rules is None or rules.game.money:
        yield from _paragraph("The number beside a city is what it pays in a year, in ducats.")
    yield from _paragraph("Borders: A where armies go, F where fleets go.")


def _paragraph(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ")


def _provinces(board: Board, scenario: Scenario, rules: Rules | None) -> Iterator[str]:
    yield _PROVINCE.format("", "Province", "Home", "City") + "Borders"
    borders = borders_of(board, rules or JUDGE)
    for place in sorted(board.places.values(), key=lambda place: place.id):
        if not place.is_sea:
            home = scenario.home_of(place.id) or ("-" if place.id in scenario.neutral else "")
            left = _PROVINCE.format(place.id, place.name, home, _city(place, rules))
            yield from _row(left, _borders(board, borders, place.id))


def _seas(board: Board, rules: Rules) -> Iterator[str]:
    yield _SEA.format("", "Sea") + "Borders"
    borders = borders_of(board, rules)
    for place in sorted(board.places.values(), key=lambda place: place.id):
        if place.is_sea:
            yield from _row(_SEA.format(place.id, place.name), _borders(board, borders, place.id))


def _city(place: Place, rules: Rules | None) -> str:
    city = place.city
    if city is None or (city.fortress and rules and not rules.game.forts):
        return ""
    kind = "fortified" if city.fortified else "unfortified"
    if rules and not rules.game.garrisons:
        return "city"
    pays = "" if city.fortress or (rules and not rules.game.money) else f" {city.income}"
    port = ", port" if city.port else ""
    return f"{'fortress' if city.fortress else kind}{pays}{port}"


def _borders(board: Board, borders: tuple[Armies, Fleets], place: PlaceId) -> Iterator[str]:
    """One line of borders for armies, one for fleets on each coast."""
    by_land, by_sea = borders
    if army := by_land.get(place):
        yield f"A {' '.join(sorted(army))}"
    for spot in board.spots(place):
        kind = f"F/{spot.coast}" if spot.coast else "F"
        yield f"{kind} {' '.join(str(end) for end in sorted(by_sea[spot]))}"


def _row(left: str, texts: Iterable[str]) -> Iterator[str]:
    """*left* with the texts beside it, wrapped to the width that remains."""
    lines = [
        line
        for text in texts
        for line in wrap(text, WIDTH - len(left), subsequent_indent="  ", break_on_hyphens=False)
    ]
    for line in lines or [""]:
        yield left + line
        left = " " * len(left)


def _hints(board: Board, scenario: Scenario, rules: Rules) -> Iterator[str]:
    for strait in straits_of(board, rules).values():
        one, other = sorted(strait.edge)
        yield from _paragraph(f"Strait: a fleet in {strait.guard} can close {one} - {other}.")
    for place in board.places.values():
        if place.venice:
            yield from _paragraph(f"In {place.id} there is room for one unit in all.")
        if place.afloat:
            yield from _paragraph(f"In {place.id} there are fleets and garrisons only.")
    if scenario.neutral:
        yield from _paragraph("Nobody may enter the neutral provinces, marked with - as home.")
    names = {name: place.id for place in board.places.values() for name in place.aliases}
    if names:
        listed = ", ".join(f"{name} = {place}" for name, place in sorted(names.items()))
        yield from _paragraph(f"Other names: {listed}.")
    yield from _paragraph("Any beginning of three letters or more will do if it fits one place.")
    for short, meant in sorted(board.ambiguous.items()):
        yield from _paragraph(f"Not understood, for it may mean {' or '.join(meant)}: {short}.")
