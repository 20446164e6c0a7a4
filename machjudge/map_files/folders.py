"""Find boards, scenarios and names in folders; list a board's places as text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from textwrap import wrap
from typing import TypeVar

from machjudge.adjudicator.board import (
    Armies,
    Board,
    Fleets,
    Place,
    Scenario,
    borders_of,
    straits_of,
)
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.options import JUDGE
from machjudge.adjudicator.rules import Rules
from machjudge.map_files.board import load_board
from machjudge.map_files.scenario import find_variant, load_scenario, varied_id, vary
from machjudge.map_files.shapes import Shapes, load_shapes
from machjudge.map_files.toml_reader import BrokenMap, open_table
from machjudge.translatable import Message, Name


def load_names(file: Path) -> Mapping[str, str]:
    """Return a language's names by those of the boards.  Raises BrokenMap."""
    table = open_table(file)
    names = {name: table.text(name) for name in table.all_keys()}
    table.findings.raise_if_any()
    return names


Says = Callable[[Message], str]
"""Gives a sentence in the reader's language."""

WIDTH = 80
_NARROWEST = {"name": 15, "city": 19, "sea": 23}
_ID_LISTING, _HOME = 4, 4


def places_text(
    scenario: Scenario,
    says: Says,
    rules: Rules | None = None,
    row: Callable[[str], str] | None = None,
) -> str:
    """Return all places with names, abbreviations, cities, home countries and borders.

    With *rules*, without unused fortresses, garrisons and ducats. No line is longer than 80
    characters; with *row*, which is given each line of a table, sentences are not broken.
    """
    table = _Table(scenario, says, rules, WIDTH if row is None else None)
    marked = row or str
    lines = [
        *table.heading(),
        "",
        *(marked(line.rstrip()) for line in table.provinces()),
        "",
        *(marked(line.rstrip()) for line in table.seas()),
        "",
        *table.hints(),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Table:
    scenario: Scenario
    says: Says
    rules: Rules | None
    width: int | None
    """Where sentences are broken; None: nowhere."""

    def heading(self) -> Iterator[str]:
        scenario, rules = self.scenario, self.rules
        names = scenario.board.names
        board, title = Name(scenario.board.title, names), Name(scenario.title, names)
        first = Message("map.table.heading", board=board, scenario=scenario.id, title=title)
        yield from self._paragraph(first, indent="")
        yield ""
        powers = ", ".join(f"{power.id} {power.name}" for power in scenario.powers.values())
        yield from self._paragraph(Message("map.table.homes", powers=powers))
        if rules is None or rules.game.garrisons:
            yield from self._paragraph(Message("map.table.garrisons"))
        if rules is None or rules.game.money:
            yield from self._paragraph(Message("map.table.ducats"))
        yield from self._paragraph(Message("map.table.kinds"))

    def provinces(self) -> Iterator[str]:
        names = [self.says(Message(f"map.table.{key}")) for key in ("province", "home", "city")]
        rows = [
            (place.id, place.name, self._home(place.id), self._city(place))
            for place in self._places()
            if not place.is_sea
        ]
        name = max([_NARROWEST["name"], *(len(row[1]) for row in rows)])
        city = max([_NARROWEST["city"], *(len(row[3]) for row in rows)])
        form = f"{{0:<{_ID_LISTING}}} {{1:<{name}}} {{2:<{_HOME}}} {{3:<{city}}} "
        yield form.format("", *names) + self._borders_word()
        borders = self._all_borders()
        for row in rows:
            yield from _row(form.format(*row), self._borders(borders, row[0]))

    def seas(self) -> Iterator[str]:
        seas = [place for place in self._places() if place.is_sea]
        name = max([_NARROWEST["sea"], *(len(sea.name) for sea in seas)])
        form = f"{{0:<{_ID_LISTING}}} {{1:<{name}}} "
        yield form.format("", self.says(Message("map.table.sea"))) + self._borders_word()
        borders = self._all_borders()
        for sea in seas:
            yield from _row(form.format(sea.id, sea.name), self._borders(borders, sea.id))

    def hints(self) -> Iterator[str]:
        board = self.scenario.board
        for strait in straits_of(board, self.rules or JUDGE).values():
            one, other = sorted(strait.edge)
            said = Message("map.table.strait", guard=strait.guard, one=one, other=other)
            yield from self._paragraph(said)
        for place in board.places.values():
            if place.venice:
                yield from self._paragraph(Message("map.table.one_unit", place=place.id))
            if place.afloat:
                yield from self._paragraph(Message("map.table.afloat", place=place.id))
        if self.scenario.neutral:
            yield from self._paragraph(Message("map.table.neutral"))
        names = {name: place.id for place in board.places.values() for name in place.aliases}
        if names:
            listed = ", ".join(f"{name} = {place}" for name, place in sorted(names.items()))
            yield from self._paragraph(Message("map.table.names", names=listed))
        yield from self._paragraph(Message("map.table.beginnings"))
        for short, meant in sorted(board.ambiguous.items()):
            said = Message("map.table.ambiguous", short=short, meant=tuple(meant))
            yield from self._paragraph(said)

    def _paragraph(self, said: Message, indent: str = "  ") -> list[str]:
        text = self.says(said)
        return [text] if self.width is None else wrap(text, self.width, subsequent_indent=indent)

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
            return self.says(Message("map.table.plain_city"))
        pays = "" if city.fortress or (rules and not rules.game.money) else f" {city.income}"
        port = f", {self.says(Message('map.table.port'))}" if city.port else ""
        key = "fortress" if city.fortress else kind
        return f"{self.says(Message(f'map.table.{key}'))}{pays}{port}"

    def _borders_word(self) -> str:
        return self.says(Message("map.table.borders"))

    def _all_borders(self) -> tuple[Armies, Fleets]:
        return borders_of(self.scenario.board, self.rules or JUDGE)

    def _borders(self, borders: tuple[Armies, Fleets], place: PlaceId) -> Iterator[str]:
        by_land, by_sea = borders
        if army := by_land.get(place):
            yield f"A {' '.join(sorted(army))}"
        for spot in self.scenario.board.spots(place):
            kind = f"F/{spot.coast}" if spot.coast else "F"
            yield f"{kind} {' '.join(str(end) for end in sorted(by_sea[spot]))}"


def _row(left: str, texts: Iterable[str]) -> Iterator[str]:
    """*left* and the texts, wrapped to the remaining width."""
    lines = [
        line
        for text in texts
        for line in wrap(text, WIDTH - len(left), subsequent_indent="  ", break_on_hyphens=False)
    ]
    for line in lines or [""]:
        yield left + line
        left = " " * len(left)


BOARDS, SCENARIOS, NAMES = "boards", "scenarios", "names"
"""The folders of each kind of file."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
Thing = TypeVar("Thing", Board, Scenario)


class Atlas:
    """The boards and scenarios of some folders, the first of which have priority.

    An id is a file's name, or a further id in the file; it names nothing outside. Loaded objects
    are kept and shared.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._boards: dict[str, Board] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._shapes: dict[str, Shapes | None] = {}
        self._others: dict[str, Mapping[str, Path]] = {}

    def board(self, name: str) -> Board | None:
        """Return the board of an id, None if unknown.  Raises BrokenMap."""
        return self._find(
            BOARDS, name, self._boards, lambda file: replace(load_board(file), names=self.names)
        )

    def scenario(self, name: str) -> Scenario | None:
        """Return the scenario of an id such as ``1454-4``, None if unknown.  Raises BrokenMap."""
        found = self._find(SCENARIOS, name, self._scenarios, self._load_scenario)
        return found or self._varied(name.casefold())

    def scenario_file(self, file: Path) -> Scenario:
        """Return a scenario file, its board from the atlas or beside it.  Raises BrokenMap."""
        beside = Atlas([file.parent, file.parent.parent])

        def board_named(name: str) -> Board | None:
            written = file.parent / f"{name}.toml"
            known = self.board(name) or beside.board(name)
            return known or (load_board(written) if is_id(name) and written.is_file() else None)

        return load_scenario(file, board_named)

    def shapes(self, board: Board) -> Shapes | None:
        """Return a board's drawing, None if it has none.  Raises BrokenMap."""
        if board.id not in self._shapes:
            names = [folder / BOARDS / f"{board.id}.shapes.json" for folder in self._folders]
            file = next((name for name in names if name.is_file()), None)
            self._shapes[board.id] = load_shapes(file, board) if file else None
        return self._shapes[board.id]

    def scenario_ids(self) -> tuple[str, ...]:
        """Return all scenario ids, sorted."""
        return tuple(sorted(self._files(SCENARIOS)))

    def _varied(self, name: str) -> Scenario | None:
        """A scenario for another number of players, by any of its ids."""
        for parts in (1, 2):
            base_name, *numbers = name.rsplit("-", parts)
            base = self._find(SCENARIOS, base_name, self._scenarios, self._load_scenario)
            variant = find_variant(base, "-".join((base.id, *numbers))) if base else None
            if base is not None and variant is not None:
                own = varied_id(base, variant)
                return self._scenarios.get(own) or self._scenarios.setdefault(
                    own, vary(base, variant)
                )
        return None

    @cached_property
    def names(self) -> Mapping[str, Mapping[str, str]]:
        """Return the names of places and powers by language; broken files are ignored."""
        found: dict[str, dict[str, str]] = {}
        for folder in reversed(self._folders):
            for file in sorted((folder / NAMES).glob("*.toml")):
                with suppress(BrokenMap):
                    found.setdefault(file.stem, {}).update(load_names(file))
        return found

    def _load_scenario(self, file: Path) -> Scenario:
        return load_scenario(file, self.board)

    def _find(
        self, kind: str, name: str, known: dict[str, Thing], load: Callable[[Path], Thing]
    ) -> Thing | None:
        wanted = name.casefold()
        if wanted not in known and is_id(wanted):
            file = self._files(kind).get(wanted) or self._other_ids(kind).get(wanted)
            if file is None:
                return None
            known[wanted] = known.get(file.stem) or known.setdefault(file.stem, load(file))
        return known.get(wanted)

    def _files(self, kind: str) -> Mapping[str, Path]:
        files = {}
        for folder in reversed(self._folders):
            for file in (folder / kind).glob("*.toml"):
                if is_id(file.stem):
                    files[file.stem] = file
        return files

    def _other_ids(self, kind: str) -> Mapping[str, Path]:
        if kind not in self._others:
            self._others[kind] = {
                other.casefold(): file
                for _, file in sorted(self._files(kind).items(), reverse=True)
                for other in _further_ids(file, kind.removesuffix("s"))
            }
        return self._others[kind]


def is_id(name: str) -> bool:
    """Return whether a board or a scenario may have this name."""
    return _ID.fullmatch(name) is not None


def _further_ids(file: Path, table: str) -> tuple[str, ...]:
    """The further ids of a file; none of a broken one, which must not hide others."""
    try:
        return open_table(file).table(table).texts("also")
    except BrokenMap:
        return ()
