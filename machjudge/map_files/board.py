"""Read and check a board file: places, borders, straits and tables."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar, cast

from machjudge.adjudicator.board import (
    Board,
    City,
    Patch,
    Place,
    Spot,
    Strait,
    Table,
    Terrain,
)
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId
from machjudge.adjudicator.options import (
    JUDGE,
    OPTIONS,
    UnknownRule,
    Value,
    possible,
    value_text,
    with_option,
)
from machjudge.map_files.toml_reader import FileTable, did_you_mean, open_table

SECTIONS: Mapping[str, Terrain] = {
    "inland": Terrain.INLAND,
    "coastal": Terrain.COASTAL,
    "sea": Terrain.SEA,
}
COASTS = tuple(Coast(name) for name in ("nc", "sc", "ec", "wc"))
Places = Mapping[PlaceId, Place]

_ABBREVIATION = re.compile(r"[a-z][a-z0-9]{1,7}")
_CITY_KINDS = ("fortified", "unfortified", "fortress")


def read_places(file: FileTable) -> tuple[Places, frozenset[PlaceId]]:
    """Return all places in order, and those without access."""
    places: dict[PlaceId, Place] = {}
    closed: set[PlaceId] = set()
    for section, terrain in SECTIONS.items():
        group = file.table(section)
        for key in group.all_keys():
            line = group.table(key)
            if PlaceId(key) in places:
                group.note(key, "this abbreviation stands for another place already")
            places[PlaceId(key)] = _read_place(key, line, terrain)
            if line.flag("impassable"):
                closed.add(PlaceId(key))
            line.close()
    _note_clashes(file, places)
    return places, frozenset(closed)


def _read_place(key: str, line: FileTable, terrain: Terrain) -> Place:
    if not _ABBREVIATION.fullmatch(key):
        line.findings.note(line.where, "an abbreviation is two to eight letters a-z")
    return Place(
        id=PlaceId(key),
        name=line.text("name"),
        terrain=terrain,
        aliases=tuple(name.casefold() for name in line.texts("also")),
        city=read_city(line, terrain),
        coasts=_read_coasts(line, terrain),
        venice=_read_venice(line, terrain),
        afloat=_read_afloat(line, terrain),
    )


def read_city(line: FileTable, terrain: Terrain) -> City | None:
    """Return a place's city, if any; faults are noted."""
    kind = line.text("city", "")
    port = line.flag("port")
    pays = line.has("income")
    income = line.whole("income", 0 if kind == "fortress" else 1)
    if not kind:
        if port or pays:
            line.findings.note(line.where, "port and income belong to a city, and there is none")
        return None
    if kind not in _CITY_KINDS:
        line.note("city", f"a city is {', '.join(_CITY_KINDS[:-1])} or {_CITY_KINDS[-1]}")
    if terrain is Terrain.SEA:
        line.note("city", "a sea has no city")
    if port and terrain is Terrain.INLAND:
        line.note("port", "a port needs a coast")
    # The coasts with the port's anchor, some of the province's.
    anchors = tuple(Coast(word) for word in line.words("anchors"))
    if anchors and (not line.flag("port") or set(anchors) - set(line.words("coasts"))):
        line.note("anchors", "the anchors of a port are on coasts of its province")
    return City(income, kind != "unfortified", port, kind == "fortress", anchors)


def _read_coasts(line: FileTable, terrain: Terrain) -> tuple[Coast, ...]:
    coasts = tuple(Coast(word) for word in line.words("coasts"))
    if not line.has("coasts"):
        return ()
    if terrain is not Terrain.COASTAL:
        line.note("coasts", "only a coastal province has coasts")
    for coast in coasts:
        if coast not in COASTS:
            line.note("coasts", f"{coast!r} is no coast; coasts are {', '.join(COASTS)}")
    if len(coasts) == 1:
        line.note("coasts", "a single coast needs no name")
    return coasts


def _read_venice(line: FileTable, terrain: Terrain) -> bool:
    venice = line.flag("venice")
    if venice and terrain is not Terrain.COASTAL:
        line.note("venice", "the rules of Venice hold for a coastal province only")
    return venice


def _read_afloat(line: FileTable, terrain: Terrain) -> bool:
    afloat = line.flag("afloat")
    if afloat and (terrain is not Terrain.COASTAL or not line.flag("port")):
        line.note("afloat", "only a coastal province with a port can be a city in the water")
    return afloat


def _note_clashes(file: FileTable, places: Places) -> None:
    taken: dict[str, PlaceId] = {}
    for place in places.values():
        for name in (place.id, place.name, *place.aliases):
            other = taken.setdefault(plain_name(name), place.id)
            if other != place.id:
                section = place.terrain.value
                file.note(f"{section}.{place.id}", f"{name!r} is a name of {other} too")


def plain_name(name: str) -> str:
    """Return a name for comparison: letters and digits, small."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def find_places(
    table: FileTable, key: str, places: Places, *, needed: bool = False
) -> tuple[PlaceId, ...]:
    """Return the places of a key; unknown ones are noted and left out."""
    found = []
    for word in table.words(key, needed=needed):
        if word in places:
            found.append(PlaceId(word))
        else:
            note_unknown(table, key, word, places)
    return tuple(found)


def find_provinces(table: FileTable, key: str, places: Places) -> tuple[PlaceId, ...]:
    """Return the provinces of a key; unknown ones and seas are noted and left out."""
    found = find_places(table, key, places)
    for place in found:
        if places[place].is_sea:
            table.note(key, f"{place} is a sea")
    return tuple(place for place in found if not places[place].is_sea)


def note_unknown(table: FileTable, key: str, word: str, places: Places) -> None:
    """Note that a word is no place of the board."""
    table.note(key, f"there is no place {word!r}{did_you_mean(word, places)}")


def find_spot(table: FileTable, key: str, word: str, places: Places) -> Spot | None:
    """Return the spot of ``pro/nc`` or ``gen``; faults are noted."""
    name, slash, coast = word.partition("/")
    place = places.get(PlaceId(name))
    if place is None:
        note_unknown(table, key, name, places)
    elif place.terrain is Terrain.INLAND:
        table.note(key, f"no fleet can be in {name}, which is inland")
    elif place.coasts and not slash:
        choices = " or ".join(f"{name}/{other}" for other in place.coasts)
        table.note(key, f"{name} has several coasts: write {choices}")
    elif slash and coast not in place.coasts:
        table.note(key, f"{name} has no coast {coast!r}")
    else:
        return Spot(place.id, Coast(coast) if coast else NO_COAST)
    return None


Armies = Mapping[PlaceId, frozenset[PlaceId]]
Fleets = Mapping[Spot, frozenset[Spot]]


def find_option_name(table: FileTable, key: str) -> str:
    """Return the name of an option of the rules; unknown ones are noted."""
    name = table.text(key)
    if name and name not in OPTIONS:
        table.note(key, f"there is no option {name!r}{did_you_mean(name, OPTIONS)}")
    return name if name in OPTIONS else ""


def _read_patch(table: FileTable, places: Places, army: Armies, fleet: Fleets) -> Patch | None:
    name = find_option_name(table, "option")
    values = table.words("is", needed=True)
    edge = find_places(table, "between", places, needed=True)
    for_armies = table.flag("army") if table.has("army") else None
    for_fleets = table.flag("fleet") if table.has("fleet") else None
    table.close()
    if name:
        option = OPTIONS[name]
        known = {value_text(value) for value in option.choices}
        for value in values:
            if value not in known:
                table.note("is", f"{option.facts.name} cannot be {value}; it is {possible(option)}")
    if len(edge) != 2:  # noqa: PLR2004 - a border has two sides
        table.findings.note(table.where, "a patch is between two places")
        return None
    if for_armies is None and for_fleets is None:
        table.findings.note(table.where, "a patch says what changes for army or fleet")
    one, other = edge
    if for_armies is not None:
        _note_armies(table, for_armies, army, one, other)
    if for_fleets is not None:
        _note_fleets(table, for_fleets, places, fleet, edge)
    return Patch(name, values, frozenset(edge), for_armies, for_fleets)


def _note_armies(table: FileTable, opens: bool, army: Armies, one: PlaceId, other: PlaceId) -> None:
    if one not in army or other not in army:
        table.note("army", "no army can be at sea")
    elif opens is (other in army[one]):
        table.note("army", f"armies can{'' if opens else 'not'} go there anyway")


def _note_fleets(
    table: FileTable, opens: bool, places: Places, fleet: Fleets, edge: tuple[PlaceId, ...]
) -> None:
    if any(places[place].terrain is Terrain.INLAND for place in edge):
        table.note("fleet", "no fleet can be inland")
        return
    one, other = edge
    joined = any(
        spot.place == one and other in {end.place for end in fleet[spot]} for spot in fleet
    )
    if opens is joined:
        table.note("fleet", f"fleets can{'' if opens else 'not'} go there anyway")


FIRST, LAST = 2, 12
"""The range of two dice."""
EMPTY = "."
SIDES = 6

_LINE = re.compile(r"[a-z]+( [a-z]+)*")


def read_table(table: FileTable, places: Places, *, at_sea: bool) -> Table:
    """Return a disaster table: (row, column) to a place (FAM-03, PLG-03, STM-02).

    With *at_sea* it strikes seas, otherwise provinces.
    """
    found: dict[tuple[int, int], PlaceId] = {}
    for key in table.all_keys():
        row = int(key) if key.isascii() and key.isdigit() and len(key) < LAST else 0
        if not FIRST <= row <= LAST:
            table.note(key, f"a row is {FIRST} to {LAST}, the sum of two dice")
        for column, place in _read_row(table, key, places):
            if places[place].is_sea is not at_sea:
                table.note(key, f"{place} is {'no sea' if at_sea else 'a sea'}")
            if place in found.values():
                table.note(key, f"{place} stands in this table twice")
            found[row, column] = place
    return found


def _read_row(table: FileTable, key: str, places: Places) -> list[tuple[int, PlaceId]]:
    cells = table.cells(key, needed=True)
    width = LAST - FIRST + 1
    if len(cells) != width:
        table.note(
            key, f"a row has {width} cells, for columns {FIRST} to {LAST}; here are {len(cells)}"
        )
    row = []
    for column, word in enumerate(cells, start=FIRST):
        if word in places:
            row.append((column, PlaceId(word)))
        elif word != EMPTY:
            note_unknown(table, key, word, places)
    return row


def read_income_lines(table: FileTable) -> Mapping[str, tuple[int, ...]]:
    """Return variable incomes: a line's ducats for a die of 1 to 6 (INC-10)."""
    lines = {}
    for key in table.all_keys():
        ducats = table.numbers(key)
        if not _LINE.fullmatch(key):
            table.note(key, "a line's name is written in small letters a-z")
        if len(ducats) != SIDES:
            table.note(key, f"a line has {SIDES} numbers, one for each side of the die")
        lines[key] = ducats
    return lines


def read_ambiguous(table: FileTable, places: Places) -> Mapping[str, tuple[PlaceId, ...]]:
    """Return the refused abbreviations and their possible meanings (SYN-09)."""
    names = {name for place in places.values() for name in (place.id, *place.aliases)}
    ambiguous = {}
    for key in table.all_keys():
        found = find_places(table, key, places, needed=True)
        if len(found) == 1:
            table.note(key, "an ambiguous abbreviation may mean two places or more")
        if key in names:
            table.note(key, "this is the abbreviation of a place")
        ambiguous[key.casefold()] = found
    return ambiguous


def read_order(
    table: FileTable, key: str, places: Places, belongs: Callable[[Place], bool]
) -> tuple[PlaceId, ...]:
    """Return the order of places in reports; missing ones come last."""
    named = find_provinces(table, key, places)
    for place in named:
        if not belongs(places[place]):
            table.note(key, f"{place} has no city")
    rest = (place.id for place in places.values() if belongs(place) and place.id not in named)
    return (*named, *rest)


def read_rules(table: FileTable) -> Mapping[str, Value]:
    """Return the file's options of the rules, by their names in presets."""
    rules: dict[str, Value] = {}
    for key in table.all_keys():
        value = cast("Value", table.anything(key))
        try:
            with_option(JUDGE, key, value)
        except UnknownRule as error:
            table.note(key, str(error))
        rules[key] = value
    return rules


Point = TypeVar("Point", PlaceId, Spot)


def read_borders(
    file: FileTable, places: Places, closed: frozenset[PlaceId]
) -> tuple[Armies, Fleets, tuple[Strait, ...]]:
    """Return the borders by land, those by sea, and the straits among the latter.

    Every province is a key of the first and every sea and coast of the second. *closed* places need
    no border.
    """
    before = len(file.findings)
    land = _read_graph(
        file.table("army"), lambda table, key, word: _find_province(table, key, word, places)
    )
    water = _read_graph(
        file.table("fleet"), lambda table, key, word: find_spot(table, key, word, places)
    )
    army = {
        place.id: land.get(place.id, frozenset())
        for place in places.values()
        if not place.is_sea and not place.afloat
    }
    fleet = {spot: water.get(spot, frozenset()) for spot in _all_spots(places)}
    straits = tuple(_read_strait(table, places, fleet) for table in file.sheets("strait"))
    if len(file.findings) == before:
        _note_unreachable(file, army, fleet, closed)
        # Note the coasts, of places with other borders, from which no fleet can go anywhere.
        sailed = {spot.place for spot, ends in fleet.items() if ends}
        for spot, ends in fleet.items():
            place = places[spot.place]
            if not ends and (army.get(place.id) or place.id in sailed):
                says = f"no fleet can go anywhere from {spot}: give it a line in [fleet], or "
                other = "leave this coast out" if spot.coast else f"write {place.id} under [inland]"
                file.note(f"{place.terrain.value}.{place.id}", says + other)
    return army, fleet, tuple(strait for strait in straits if strait is not None)


def _read_graph(
    table: FileTable, find: Callable[[FileTable, str, str], Point | None]
) -> dict[Point, frozenset[Point]]:
    before = len(table.findings)
    keys: dict[Point, str] = {}
    graph: dict[Point, frozenset[Point]] = {}
    for key in table.all_keys():
        start = find(table, key, key)
        found = [find(table, key, word) for word in table.words(key, needed=True)]
        if start is None:
            continue
        keys[start] = key
        graph[start] = frozenset(point for point in found if point is not None)
        if start in graph[start]:
            table.note(key, "a place does not border on itself")
    # A misspelled place would be reported a second time as a border that has one side only.
    if len(table.findings) == before:
        _note_one_sided(table, graph, keys)
    return graph


def _note_one_sided(
    table: FileTable, graph: Mapping[Point, frozenset[Point]], keys: Mapping[Point, str]
) -> None:
    for start, ends in graph.items():
        for end in sorted(ends):
            if start not in graph.get(end, ()):
                says = f"borders on {end}, but {end} does not border on {start}"
                table.note(keys[start], f"{says}: name each on the other's line, or neither")


def _find_province(table: FileTable, key: str, word: str, places: Places) -> PlaceId | None:
    place = places.get(PlaceId(word))
    if place is None:
        note_unknown(table, key, word, places)
    elif place.is_sea:
        table.note(key, f"no army can be in {word}, which is a sea")
    else:
        return place.id
    return None


def _all_spots(places: Places) -> list[Spot]:
    return [
        Spot(place.id, coast)
        for place in places.values()
        if place.terrain is not Terrain.INLAND
        for coast in place.coasts or (NO_COAST,)
    ]


def _read_strait(table: FileTable, places: Places, fleet: Fleets) -> Strait | None:
    guards = find_places(table, "guard", places, needed=True)
    edge = find_places(table, "between", places, needed=True)
    option = find_option_name(table, "option") if table.has("option") else ""
    table.close()
    if len(guards) != 1 or len(edge) != 2:  # noqa: PLR2004 - a border has two sides
        table.findings.note(table.where, "a strait has one guard, between two places")
        return None
    if places[guards[0]].terrain is not Terrain.COASTAL:
        table.note("guard", f"{guards[0]} is no coastal province")
        return None
    if not _joined(fleet, edge[0], edge[1]):
        table.note("between", f"fleets cannot go from {edge[0]} to {edge[1]}")
    for side in edge:
        if not _joined(fleet, guards[0], side):
            table.note("guard", f"{guards[0]} is no guard: fleets cannot go from there to {side}")
    return Strait(frozenset(edge), guards[0], option)


def _joined(fleet: Fleets, one: PlaceId, other: PlaceId) -> bool:
    return any(
        spot.place == one and any(end.place == other for end in ends)
        for spot, ends in fleet.items()
    )


def _note_unreachable(
    file: FileTable, army: Armies, fleet: Fleets, closed: frozenset[PlaceId]
) -> None:
    near: dict[PlaceId, set[PlaceId]] = {place: set(ends) for place, ends in army.items()}
    for spot, ends in fleet.items():
        near.setdefault(spot.place, set()).update(end.place for end in ends)
    for place in closed:
        if near.get(place):
            file.findings.note("", f"{place} is impassable, but has borders")
    parts = _parts(near, [place for place in near if place not in closed])
    for part in parts[1:]:
        for place in sorted(part):
            says = f"{place} cannot be reached from {min(parts[0])}"
            file.findings.note("", f"{says}: give it a border, or impassable = true")


def _parts(near: Mapping[PlaceId, set[PlaceId]], places: list[PlaceId]) -> list[set[PlaceId]]:
    parts: list[set[PlaceId]] = []
    for place in places:
        if not any(place in part for part in parts):
            parts.append(_reached(near, [place]))
    return sorted(parts, key=len, reverse=True)


def _reached(near: Mapping[PlaceId, set[PlaceId]], start: list[PlaceId]) -> set[PlaceId]:
    reached, waiting = set(start), list(start)
    while waiting:
        new = near[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return reached


def load_board(file: Path) -> Board:
    """Return the board of a file, whose name is the id.  Raises BrokenMap with all faults."""
    return read_board(open_table(file), file.stem)


def is_board(table: FileTable) -> bool:
    """Return whether an opened file is a board."""
    return table.has("board")


def read_board(file: FileTable, board_id: str) -> Board:
    """Return the board of an opened file.  Raises BrokenMap with all faults."""
    head = file.table("board")
    title = head.text("title")
    head.texts("also")
    head.close()
    places, closed = read_places(file)
    if not places:
        file.findings.note("", f"no places: {', '.join(f'[{name}]' for name in SECTIONS)}")
    army, fleet, straits = read_borders(file, places, closed)
    found = (_read_patch(table, places, army, fleet) for table in file.sheets("patch"))
    patches = tuple(patch for patch in found if patch is not None)
    report = file.table("report")
    board = Board(
        id=board_id,
        title=title,
        places=places,
        army=army,
        fleet=fleet,
        straits=straits,
        patches=patches,
        famine=read_table(file.table("famine"), places, at_sea=False),
        plague=read_table(file.table("plague"), places, at_sea=False),
        storm=read_table(file.table("storm"), places, at_sea=True),
        income_lines=read_income_lines(file.table("income")),
        ambiguous=read_ambiguous(file.table("ambiguous"), places),
        rules=read_rules(file.table("rules")),
        province_order=read_order(report, "provinces", places, lambda place: not place.is_sea),
        city_order=read_order(report, "cities", places, lambda place: place.city is not None),
    )
    report.close()
    file.close()
    file.findings.raise_if_any()
    return board
