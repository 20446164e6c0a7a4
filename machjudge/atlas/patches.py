"""The borders of a board file that an option of the rules opens or closes."""

from collections.abc import Mapping

from machjudge.adjudicator.model.board import Patch, Spot, Terrain
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.options import OPTIONS, Option, possible, value_text
from machjudge.atlas.places import Places, find_places
from machjudge.atlas.sheet import FileTable, did_you_mean

Armies = Mapping[PlaceId, frozenset[PlaceId]]
Fleets = Mapping[Spot, frozenset[Spot]]


def read_patches(file: FileTable, places: Places, army: Armies, fleet: Fleets) -> tuple[Patch, ...]:
    """The patches of a board, each of which changes a border that is otherwise."""
    found = (_read_patch(sheet, places, army, fleet) for sheet in file.sheets("patch"))
    return tuple(patch for patch in found if patch is not None)


def find_option_name(sheet: FileTable, key: str) -> str:
    """The name of an option of the rules; what is none is noted."""
    name = sheet.text(key)
    if name and name not in OPTIONS:
        sheet.note(key, f"there is no option {name!r}{did_you_mean(name, OPTIONS)}")
    return name if name in OPTIONS else ""


def _read_patch(sheet: FileTable, places: Places, army: Armies, fleet: Fleets) -> Patch | None:
    name = find_option_name(sheet, "option")
    values = sheet.words("is", needed=True)
    edge = find_places(sheet, "between", places, needed=True)
    for_armies = sheet.flag("army") if sheet.has("army") else None
    for_fleets = sheet.flag("fleet") if sheet.has("fleet") else None
    sheet.close()
    if name:
        _note_values(sheet, OPTIONS[name], values)
    if len(edge) != 2:  # noqa: PLR2004 - a border has two sides
        sheet.findings.note(sheet.where, "a patch is between two places")
        return None
    if for_armies is None and for_fleets is None:
        sheet.findings.note(sheet.where, "a patch says what changes for army or fleet")
    one, other = edge
    if for_armies is not None:
        _note_armies(sheet, for_armies, army, one, other)
    if for_fleets is not None:
        _note_fleets(sheet, for_fleets, places, fleet, edge)
    return Patch(name, values, frozenset(edge), for_armies, for_fleets)


def _note_values(sheet: FileTable, option: Option, values: tuple[str, ...]) -> None:
    known = {value_text(value) for value in option.choices}
    for value in values:
        if value not in known:
            sheet.note("is", f"{option.facts.name} cannot be {value}; it is {possible(option)}")


def _note_armies(sheet: FileTable, opens: bool, army: Armies, one: PlaceId, other: PlaceId) -> None:
    if one not in army or other not in army:
        sheet.note("army", "no army can be at sea")
    elif opens is (other in army[one]):
        sheet.note("army", f"armies can{'' if opens else 'not'} go there anyway")


def _note_fleets(
    sheet: FileTable, opens: bool, places: Places, fleet: Fleets, edge: tuple[PlaceId, ...]
) -> None:
    if any(places[place].terrain is Terrain.INLAND for place in edge):
        sheet.note("fleet", "no fleet can be inland")
        return
    one, other = edge
    joined = any(
        spot.place == one and other in {end.place for end in fleet[spot]} for spot in fleet
    )
    if opens is joined:
        sheet.note("fleet", f"fleets can{'' if opens else 'not'} go there anyway")
