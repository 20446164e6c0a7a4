"""The borders of a board file: where armies and fleets may go, and the straits between."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from machjudge.adjudicator.model.board import Spot, Strait, Terrain
from machjudge.adjudicator.model.names import NO_COAST, PlaceId
from machjudge.atlas.patches import find_option_name
from machjudge.atlas.places import Places, find_places, find_spot, note_unknown
from machjudge.atlas.sheet import FileTable

Armies = Mapping[PlaceId, frozenset[PlaceId]]
Fleets = Mapping[Spot, frozenset[Spot]]
Point = TypeVar("Point", PlaceId, Spot)


def read_borders(
    file: FileTable, places: Places, closed: frozenset[PlaceId]
) -> tuple[Armies, Fleets, tuple[Strait, ...]]:
    """The borders by land, those by sea, and the straits among the latter.

    Every province is a key of the first and every sea and coast of the second.  *closed* are the
    places that nobody can enter, which therefore need no border.
    """
    before = len(file.findings)
    land = _read_graph(
        file.sheet("army"), lambda sheet, key, word: _find_province(sheet, key, word, places)
    )
    water = _read_graph(
        file.sheet("fleet"), lambda sheet, key, word: find_spot(sheet, key, word, places)
    )
    army = {
        place.id: land.get(place.id, frozenset())
        for place in places.values()
        if not place.is_sea and not place.afloat
    }
    fleet = {spot: water.get(spot, frozenset()) for spot in _all_spots(places)}
    straits = tuple(_read_strait(sheet, places, fleet) for sheet in file.sheets("strait"))
    if len(file.findings) == before:
        _note_unreachable(file, army, fleet, closed)
        _note_no_water(file, places, army, fleet)
    return army, fleet, tuple(strait for strait in straits if strait is not None)


def _read_graph(
    sheet: FileTable, find: Callable[[FileTable, str, str], Point | None]
) -> dict[Point, frozenset[Point]]:
    before = len(sheet.findings)
    keys: dict[Point, str] = {}
    graph: dict[Point, frozenset[Point]] = {}
    for key in sheet.all_keys():
        start = find(sheet, key, key)
        found = [find(sheet, key, word) for word in sheet.words(key, needed=True)]
        if start is None:
            continue
        keys[start] = key
        graph[start] = frozenset(point for point in found if point is not None)
        if start in graph[start]:
            sheet.note(key, "a place does not border on itself")
    # A misspelled place would be reported a second time as a border that has one side only.
    if len(sheet.findings) == before:
        _note_one_sided(sheet, graph, keys)
    return graph


def _note_one_sided(
    sheet: FileTable, graph: Mapping[Point, frozenset[Point]], keys: Mapping[Point, str]
) -> None:
    for start, ends in graph.items():
        for end in sorted(ends):
            if start not in graph.get(end, ()):
                says = f"borders on {end}, but {end} does not border on {start}"
                sheet.note(keys[start], f"{says}: name each on the other's line, or neither")


def _find_province(sheet: FileTable, key: str, word: str, places: Places) -> PlaceId | None:
    place = places.get(PlaceId(word))
    if place is None:
        note_unknown(sheet, key, word, places)
    elif place.is_sea:
        sheet.note(key, f"no army can be in {word}, which is a sea")
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


def _read_strait(sheet: FileTable, places: Places, fleet: Fleets) -> Strait | None:
    guards = find_places(sheet, "guard", places, needed=True)
    edge = find_places(sheet, "between", places, needed=True)
    option = find_option_name(sheet, "option") if sheet.has("option") else ""
    sheet.close()
    if len(guards) != 1 or len(edge) != 2:  # noqa: PLR2004 - a border has two sides
        sheet.findings.note(sheet.where, "a strait has one guard, between two places")
        return None
    if places[guards[0]].terrain is not Terrain.COASTAL:
        sheet.note("guard", f"{guards[0]} is no coastal province")
        return None
    if not _joined(fleet, edge[0], edge[1]):
        sheet.note("between", f"fleets cannot go from {edge[0]} to {edge[1]}")
    for side in edge:
        if not _joined(fleet, guards[0], side):
            sheet.note("guard", f"{guards[0]} is no guard: fleets cannot go from there to {side}")
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
    """The parts of the board between which no border leads, the largest first."""
    parts: list[set[PlaceId]] = []
    for place in places:
        if not any(place in part for part in parts):
            parts.append(_reached(near, [place]))
    return sorted(parts, key=len, reverse=True)


def _note_no_water(file: FileTable, places: Places, army: Armies, fleet: Fleets) -> None:
    """Note the coasts, of places with other borders, from which no fleet can go anywhere."""
    sailed = {spot.place for spot, ends in fleet.items() if ends}
    for spot, ends in fleet.items():
        place = places[spot.place]
        if not ends and (army.get(place.id) or place.id in sailed):
            says = f"no fleet can go anywhere from {spot}: give it a line in [fleet], or "
            other = "leave this coast out" if spot.coast else f"write {place.id} under [inland]"
            file.note(f"{place.terrain.value}.{place.id}", says + other)


def _reached(near: Mapping[PlaceId, set[PlaceId]], start: list[PlaceId]) -> set[PlaceId]:
    reached, waiting = set(start), list(start)
    while waiting:
        new = near[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return reached
