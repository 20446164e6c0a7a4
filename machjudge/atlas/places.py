"""The places of a board file: provinces and seas with their names, coasts and cities."""

import re
from collections.abc import Mapping

from machjudge.adjudicator.model.board import City, Place, Spot, Terrain
from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId
from machjudge.atlas.sheet import FileTable, did_you_mean

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
    """All places in the order of the file, and those that nobody can ever enter."""
    places: dict[PlaceId, Place] = {}
    closed: set[PlaceId] = set()
    for section, terrain in SECTIONS.items():
        group = file.sheet(section)
        for key in group.all_keys():
            line = group.sheet(key)
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
    """The city of a place, if it has one; what is wrong with it is noted."""
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
    return City(income, kind != "unfortified", port, kind == "fortress", _read_anchors(line))


def _read_anchors(line: FileTable) -> tuple[Coast, ...]:
    """The coasts with the port's anchor, some of the province's."""
    anchors = tuple(Coast(word) for word in line.words("anchors"))
    if anchors and (not line.flag("port") or set(anchors) - set(line.words("coasts"))):
        line.note("anchors", "the anchors of a port are on coasts of its province")
    return anchors


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
    """Note every name that stands for two places."""
    taken: dict[str, PlaceId] = {}
    for place in places.values():
        for name in (place.id, place.name, *place.aliases):
            other = taken.setdefault(plain_name(name), place.id)
            if other != place.id:
                section = place.terrain.value
                file.note(f"{section}.{place.id}", f"{name!r} is a name of {other} too")


def plain_name(name: str) -> str:
    """A name as it is compared: letters and digits only, small."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def find_places(
    sheet: FileTable, key: str, places: Places, *, needed: bool = False
) -> tuple[PlaceId, ...]:
    """The places that a key names; unknown ones are noted and left out."""
    found = []
    for word in sheet.words(key, needed=needed):
        if word in places:
            found.append(PlaceId(word))
        else:
            note_unknown(sheet, key, word, places)
    return tuple(found)


def find_provinces(sheet: FileTable, key: str, places: Places) -> tuple[PlaceId, ...]:
    """The provinces that a key names; unknown ones and seas are noted and left out."""
    found = find_places(sheet, key, places)
    for place in found:
        if places[place].is_sea:
            sheet.note(key, f"{place} is a sea")
    return tuple(place for place in found if not places[place].is_sea)


def note_unknown(sheet: FileTable, key: str, word: str, places: Places) -> None:
    """Note that a word is no place of the board."""
    sheet.note(key, f"there is no place {word!r}{did_you_mean(word, places)}")


def find_spot(sheet: FileTable, key: str, word: str, places: Places) -> Spot | None:
    """The spot of ``pro/nc`` or ``gen``; what is wrong with it is noted."""
    name, slash, coast = word.partition("/")
    place = places.get(PlaceId(name))
    if place is None:
        note_unknown(sheet, key, name, places)
    elif place.terrain is Terrain.INLAND:
        sheet.note(key, f"no fleet can be in {name}, which is inland")
    elif place.coasts and not slash:
        choices = " or ".join(f"{name}/{other}" for other in place.coasts)
        sheet.note(key, f"{name} has several coasts: write {choices}")
    elif slash and coast not in place.coasts:
        sheet.note(key, f"{name} has no coast {coast!r}")
    else:
        return Spot(place.id, Coast(coast) if coast else NO_COAST)
    return None
