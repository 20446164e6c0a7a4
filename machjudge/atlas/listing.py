"""The places of a board as a table in plain text, no line longer than 80 characters."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from textwrap import wrap

from machjudge.adjudicator.model.board import Place
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.patches import Armies, Fleets, borders_of, straits_of
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.sentence import Sentence

Says = Callable[[Sentence], str]
"""Gives the words of a sentence in the language of whoever reads the table."""

WIDTH = 80
_NARROWEST = {"name": 15, "city": 19, "sea": 23}
_ID, _HOME = 4, 4


def places_text(scenario: Scenario, says: Says, rules: Rules | None = None) -> str:
    """All places with names, abbreviations, cities, home countries and borders.

    What a player asks for to write orders.  With *rules* it leaves out what they have not in use:
    fortresses, garrisons, ducats.  The position is not shown.
    """
    table = _Table(scenario, says, rules)
    lines = [
        *table.heading(),
        "",
        *table.provinces(),
        "",
        *table.seas(),
        "",
        *table.hints(),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Table:
    scenario: Scenario
    says: Says
    rules: Rules | None

    def heading(self) -> Iterator[str]:
        """What is listed, and how to read it."""
        scenario, rules = self.scenario, self.rules
        board, title = scenario.board.title, scenario.title
        first = Sentence("map.table.heading", board=board, scenario=scenario.id, title=title)
        yield from wrap(self.says(first), WIDTH)
        yield ""
        powers = ", ".join(f"{power.id} {power.name}" for power in scenario.powers.values())
        yield from self._paragraph(Sentence("map.table.homes", powers=powers))
        if rules is None or rules.game.garrisons:
            yield from self._paragraph(Sentence("map.table.garrisons"))
        if rules is None or rules.game.money:
            yield from self._paragraph(Sentence("map.table.ducats"))
        yield from self._paragraph(Sentence("map.table.kinds"))

    def provinces(self) -> Iterator[str]:
        """A row for each place on land."""
        names = [self.says(Sentence(f"map.table.{key}")) for key in ("province", "home", "city")]
        rows = [
            (place.id, place.name, self._home(place.id), self._city(place))
            for place in self._places()
            if not place.is_sea
        ]
        name = max([_NARROWEST["name"], *(len(row[1]) for row in rows)])
        city = max([_NARROWEST["city"], *(len(row[3]) for row in rows)])
        form = f"{{0:<{_ID}}} {{1:<{name}}} {{2:<{_HOME}}} {{3:<{city}}} "
        yield form.format("", *names) + self._borders_word()
        borders = self._all_borders()
        for row in rows:
            yield from _row(form.format(*row), self._borders(borders, row[0]))

    def seas(self) -> Iterator[str]:
        """A row for each sea."""
        seas = [place for place in self._places() if place.is_sea]
        name = max([_NARROWEST["sea"], *(len(sea.name) for sea in seas)])
        form = f"{{0:<{_ID}}} {{1:<{name}}} "
        yield form.format("", self.says(Sentence("map.table.sea"))) + self._borders_word()
        borders = self._all_borders()
        for sea in seas:
            yield from _row(form.format(sea.id, sea.name), self._borders(borders, sea.id))

    def hints(self) -> Iterator[str]:
        """What is special on the board, and how names are written."""
        board = self.scenario.board
        for strait in straits_of(board, self.rules or JUDGE).values():
            one, other = sorted(strait.edge)
            said = Sentence("map.table.strait", guard=strait.guard, one=one, other=other)
            yield from self._paragraph(said)
        for place in board.places.values():
            if place.venice:
                yield from self._paragraph(Sentence("map.table.one_unit", place=place.id))
            if place.afloat:
                yield from self._paragraph(Sentence("map.table.afloat", place=place.id))
        if self.scenario.neutral:
            yield from self._paragraph(Sentence("map.table.neutral"))
        names = {name: place.id for place in board.places.values() for name in place.aliases}
        if names:
            listed = ", ".join(f"{name} = {place}" for name, place in sorted(names.items()))
            yield from self._paragraph(Sentence("map.table.names", names=listed))
        yield from self._paragraph(Sentence("map.table.beginnings"))
        for short, meant in sorted(board.ambiguous.items()):
            said = Sentence("map.table.ambiguous", short=short, meant=tuple(meant))
            yield from self._paragraph(said)

    def _paragraph(self, said: Sentence) -> list[str]:
        return wrap(self.says(said), WIDTH, subsequent_indent="  ")

    def _places(self) -> list[Place]:
        return sorted(self.scenario.board.places.values(), key=lambda place: place.id)

    def _home(self, place: PlaceId) -> str:
        return self.scenario.home_of(place) or ("-" if place in self.scenario.neutral else "")

    def _city(self, place: Place) -> str:
        city, rules = place.city, self.rules
        if city is None or (city.fortress and rules and not rules.game.forts):
            return ""
        kind = "fortified" if city.fortified else "unfortified"
        if rules and not rules.game.garrisons:
            return self.says(Sentence("map.table.plain_city"))
        pays = "" if city.fortress or (rules and not rules.game.money) else f" {city.income}"
        port = f", {self.says(Sentence('map.table.port'))}" if city.port else ""
        key = "fortress" if city.fortress else kind
        return f"{self.says(Sentence(f'map.table.{key}'))}{pays}{port}"

    def _borders_word(self) -> str:
        return self.says(Sentence("map.table.borders"))

    def _all_borders(self) -> tuple[Armies, Fleets]:
        return borders_of(self.scenario.board, self.rules or JUDGE)

    def _borders(self, borders: tuple[Armies, Fleets], place: PlaceId) -> Iterator[str]:
        """One line of borders for armies, one for fleets on each coast."""
        by_land, by_sea = borders
        if army := by_land.get(place):
            yield f"A {' '.join(sorted(army))}"
        for spot in self.scenario.board.spots(place):
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
