"""The units of a scenario file: how they are written, and where they may stand."""

from collections.abc import Iterable

from machjudge.adjudicator.model.board import Board, Place, Terrain
from machjudge.adjudicator.model.names import AUTONOMOUS, NO_COAST, PlaceId, PowerId
from machjudge.adjudicator.model.units import Kind, Quality, Unit
from machjudge.atlas.places import find_places, find_spot, note_unknown
from machjudge.atlas.sheet import FileTable

_KINDS = {kind.value: kind for kind in Kind}
_QUALITIES = {quality.value: quality for quality in Quality}


def read_units(
    sheet: FileTable, key: str, owner: PowerId, board: Board, *, forts: bool
) -> tuple[Unit, ...]:
    """The units of a text such as ``"A pav, F pro/nc, G mil ep"``; what is wrong is noted."""
    if not sheet.has(key):
        return ()
    written = " ".join(sheet.cells(key)).split(",")
    units = (_read_unit(sheet, key, text, owner, board, forts=forts) for text in written)
    return tuple(unit for unit in units if unit is not None)


def _read_unit(
    sheet: FileTable, key: str, text: str, owner: PowerId, board: Board, *, forts: bool
) -> Unit | None:
    kind, place, quality, *rest = (*text.split(), "", "", "")
    if kind not in _KINDS or quality not in _QUALITIES or any(rest):
        sheet.note(key, f"{text.strip()!r} is no unit; units are written A pav, F pro/nc, G mil")
        return None
    unit = _placed(sheet, key, Unit(owner, _KINDS[kind], PlaceId(place)), board)
    if unit is None:
        return None
    reason = why_not_there(unit, board, forts=forts)
    if reason:
        sheet.note(key, f"{text.strip()}: {reason}")
    return Unit(owner, unit.kind, unit.place, unit.coast, _QUALITIES[quality])


def _placed(sheet: FileTable, key: str, unit: Unit, board: Board) -> Unit | None:
    """The unit with its coast taken out of its place, where both exist."""
    if unit.kind is Kind.FLEET:
        spot = find_spot(sheet, key, unit.place, board.places)
        return unit.at(spot.place, spot.coast) if spot else None
    if unit.place in board.places:
        return unit
    note_unknown(sheet, key, unit.place, board.places)
    return None


def why_not_there(unit: Unit, board: Board, *, forts: bool) -> str:
    """Why a unit cannot stand where it stands; empty where it can (MOV-03, MAP-02, MAP-07)."""
    place = board.places[unit.place]
    match unit.kind:
        case Kind.ARMY:
            return "an army cannot be at sea" if place.is_sea else ""
        case Kind.FLEET:
            return "a fleet cannot be inland" if place.terrain is Terrain.INLAND else ""
        case Kind.GARRISON:
            return _why_no_garrison(place, forts=forts)


def _why_no_garrison(place: Place, *, forts: bool) -> str:
    if place.city is None:
        return f"{place.id} has no city"
    if not place.city.fortified:
        return "the city is not fortified"
    if place.city.fortress and not forts:
        return "fortresses are not in use in this scenario"
    return ""


def read_garrisons(sheet: FileTable, key: str, board: Board, *, forts: bool) -> tuple[Unit, ...]:
    """The autonomous garrisons of a text of places; what is wrong is noted."""
    garrisons = []
    for place in find_places(sheet, key, board.places):
        unit = Unit(AUTONOMOUS, Kind.GARRISON, place)
        reason = why_not_there(unit, board, forts=forts)
        if reason:
            sheet.note(key, f"{place}: {reason}")
        garrisons.append(unit)
    return tuple(garrisons)


def note_crowds(sheet: FileTable, units: Iterable[Unit], board: Board) -> None:
    """Note every space with more than one unit: province, city, or Venice (MOV-04, MAP-20)."""
    taken: dict[tuple[PlaceId, bool], Unit] = {}
    for unit in units:
        in_city = unit.is_garrison and not board.places[unit.place].venice
        other = taken.setdefault((unit.place, in_city), unit)
        if other is not unit:
            sheet.findings.note(
                sheet.where, f"{_owned(unit)} and {_owned(other)} stand in the same space"
            )


def _owned(unit: Unit) -> str:
    coast = f"/{unit.coast}" if unit.coast != NO_COAST else ""
    return f"{unit.owner} {unit.kind.value} {unit.place}{coast}"
