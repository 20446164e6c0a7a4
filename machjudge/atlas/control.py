"""Who controls what when a scenario starts: settled between the claims of its powers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Power
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas.places import Places, find_provinces
from machjudge.atlas.sheet import FileTable


@dataclass(frozen=True, slots=True)
class ControlClaim:
    """What a power's lines ``holds``, ``holds_province`` and ``holds_city`` give it by name."""

    provinces: tuple[PlaceId, ...]
    cities: tuple[PlaceId, ...]


Claims = Mapping[PowerId, ControlClaim]
Owners = dict[PlaceId, PowerId]


def read_claim(sheet: FileTable, places: Places) -> ControlClaim:
    """The claim of one power; what is wrong with it is noted."""
    whole = find_provinces(sheet, "holds", places)
    city = find_provinces(sheet, "holds_city", places)
    for place in city:
        if places[place].city is None:
            sheet.note("holds_city", f"{place} has no city")
    return ControlClaim((*whole, *find_provinces(sheet, "holds_province", places)), (*whole, *city))


def settle_control(
    group: FileTable,
    powers: Mapping[PowerId, Power],
    claims: Claims,
    autonomous: Iterable[Unit],
    board: Board,
) -> Mapping[PowerId, Power]:
    """The powers with all that they control at the start; what does not agree is noted.

    A home province is its power's with its city, unless another holds it by name, or an autonomous
    garrison stands there (CTL-03).  *group* is the table of the powers.
    """
    free = {unit.place for unit in autonomous}
    provinces = _owners(group, {power: claim.provinces for power, claim in claims.items()})
    cities = _owners(group, {power: claim.cities for power, claim in claims.items()})
    for place in sorted(free & cities.keys()):
        group.note(cities[place], f"{place} has an autonomous unit, so nobody holds its city")
    for power in powers.values():
        _add_home(power, free, provinces, cities)
    settled = {power.id: _with(power, provinces, cities, board) for power in powers.values()}
    for power in settled.values():
        _note_strangers(group, power, board)
    return settled


def _owners(group: FileTable, claims: Mapping[PowerId, tuple[PlaceId, ...]]) -> Owners:
    owners: Owners = {}
    for power, places in claims.items():
        for place in places:
            other = owners.setdefault(place, power)
            if other != power:
                group.note(power, f"{place} is held by {other} too")
    return owners


def _add_home(power: Power, free: set[PlaceId], provinces: Owners, cities: Owners) -> None:
    if power.conquerable_only:
        return
    in_field = {unit.place for unit in power.units if not unit.is_garrison}
    for place in power.home:
        if place not in free:
            cities.setdefault(place, power.id)
        if place not in free or place in in_field:
            provinces.setdefault(place, power.id)


def _with(power: Power, provinces: Owners, cities: Owners, board: Board) -> Power:
    return replace(
        power,
        provinces=tuple(place for place, owner in provinces.items() if owner == power.id),
        cities=tuple(
            place
            for place, owner in cities.items()
            if owner == power.id and board.places[place].city is not None
        ),
    )


def _note_strangers(group: FileTable, power: Power, board: Board) -> None:
    """Note the units that stand where their own power does not control the space (CTL-03)."""
    for unit in power.units:
        held = power.cities if unit.is_garrison else power.provinces
        if unit.place not in held and not board.places[unit.place].is_sea:
            part = "the city of " if unit.is_garrison else ""
            group.note(
                f"{power.id}.units",
                f"a unit stands in {part}{unit.place}, which {power.id} does not hold",
            )
