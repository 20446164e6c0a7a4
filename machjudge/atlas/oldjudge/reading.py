"""An old map file as a board, and what it says of the powers that play on it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from machjudge.adjudicator.model.board import Board, Place, Spot, Strait, Table, Terrain
from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.model.scenario import CityIncome, Power
from machjudge.atlas.faults import BrokenMap
from machjudge.atlas.oldjudge.gazetteer import Gazetteer
from machjudge.atlas.oldjudge.incomes import read_powers
from machjudge.atlas.oldjudge.oldfile import (
    CONVOYABLE,
    ICE,
    LAND,
    STRAIT,
    WEAK,
    OldFile,
    read_old_file,
)
from machjudge.atlas.places import COASTS
from machjudge.atlas.tables import FIRST, LAST

_DASH = "-"


@dataclass(frozen=True, slots=True)
class OldMap:
    """What an old map file says, in our terms."""

    board: Board
    powers: Mapping[PowerId, Power]
    """By their letters, with home country, variable income, opening treasury and special kinds;
    named after a city of theirs, for the file has no names.  Nobody has a unit."""
    city_incomes: tuple[CityIncome, ...]
    remarks: tuple[str, ...]
    """What was guessed, and what could not be taken over."""


def read_old_map(file: Path, board_id: str) -> OldMap:
    """The board and the powers of an old map file.  Raises BrokenMap with all its faults."""
    old = read_old_file(file)
    places = Gazetteer(old, str(file))
    states = read_powers(old, places)
    reader = _BoardReader(old, places)
    board = reader.board(board_id, states.lines)
    if places.faults:
        raise BrokenMap(sorted(places.faults, key=lambda fault: fault.line or 0))
    remarks = (*reader.remarks, *states.remarks)
    return OldMap(board, states.powers, states.city_incomes, remarks)


class _BoardReader:
    """Looks up what the lines name; gathers remarks, and faults in its gazetteer."""

    def __init__(self, old: OldFile, places: Gazetteer) -> None:
        self._old = old
        self._places = places
        self.remarks: list[str] = []

    def board(self, board_id: str, lines: Mapping[str, tuple[int, ...]]) -> Board:
        self._remark_marks()
        places = self._places.places
        army: dict[PlaceId, set[PlaceId]] = {
            place.id: set() for place in places.values() if place.terrain is not Terrain.SEA
        }
        fleet: dict[Spot, set[Spot]] = {
            Spot(place.id, coast): set()
            for place in places.values()
            if place.terrain is not Terrain.INLAND
            for coast in place.coasts or (NO_COAST,)
        }
        straits = self._read_borders(army, fleet)
        return Board(
            id=board_id,
            title=self._old.title or board_id,
            places=places,
            army={place: frozenset(ends) for place, ends in army.items()},
            fleet={spot: frozenset(ends) for spot, ends in fleet.items()},
            straits=tuple(strait for edge in straits for strait in self._guarded(edge, fleet)),
            famine=self._table("famine"),
            plague=self._table("plague"),
            storm=self._table("storm"),
            income_lines=lines,
            ambiguous={},
            province_order=self._order("provinces"),
            rules={},
            city_order=self._order("cities"),
        )

    def _remark_marks(self) -> None:
        for name, place in self._places.old.items():
            if place.mark in (ICE, CONVOYABLE):
                kind = "ice" if place.mark == ICE else "a coast where fleets convoy"
                self.remarks.append(f"{name} is {kind} there; here it is a province like others")
            if place.mark == LAND:
                says = "is marked l, land without an owner; it is nobody's here, and written as x"
                self.remarks.append(f"{name} {says}")
            if place.canal:
                self.remarks.append(f"{name} lets fleets pass as a canal there, and not here")

    def _read_borders(
        self, army: dict[PlaceId, set[PlaceId]], fleet: dict[Spot, set[Spot]]
    ) -> list[frozenset[PlaceId]]:
        """Fill in the borders; the edges of the straits are returned."""
        straits: dict[frozenset[PlaceId], None] = {}
        filler = {name for place in self._old.places for name in place.names}
        filler -= {name for place in self._places.old.values() for name in place.names}
        for border in self._old.borders:
            here = None if border.place in filler else self._places.find(border.line, border.place)
            if here is None or all(end in self._places.old[here].names for end in border.ends):
                continue
            weak = [end for end in border.ends if end.endswith(f"/{WEAK}")]
            if border.kind == WEAK or weak:
                units = "armies" if border.kind in ("mv", WEAK) else "fleets"
                to = (
                    f" to {', '.join(end.removesuffix(f'/{WEAK}') for end in weak)}" if weak else ""
                )
                says = f"{units} come from {here}{to} with one support less there, and not here"
                self.remarks.append(says)
            if border.kind in ("mv", WEAK):
                ends_on_land = (end.removesuffix(f"/{WEAK}") for end in border.ends)
                army.setdefault(here, set()).update(self._places.found(border.line, ends_on_land))
            elif border.kind in COASTS or border.kind.startswith("x"):
                coast = Coast(border.kind) if border.kind in COASTS else NO_COAST
                ends = (self._places.spot(border.line, word) for word in border.ends)
                near = {Spot(*end) for end in ends if end is not None}
                fleet.setdefault(Spot(here, coast), set()).update(near)
            elif border.kind != STRAIT:
                says = f"{border.kind!r} is no kind of border: mv, xc, nc, sc, ec, wc, cc or mx"
                self._places.note(border.line, says)
                continue
            marked = [e for e in border.ends if border.kind == STRAIT or e.endswith(f"/{STRAIT}")]
            for end in self._places.found(border.line, (e.partition("/")[0] for e in marked)):
                straits[frozenset((here, end))] = None
        return list(straits)

    def _guarded(
        self, edge: frozenset[PlaceId], fleet: Mapping[Spot, set[Spot]]
    ) -> Iterator[Strait]:
        """The strait of an edge, if a province can guard it; the file does not say which does."""
        between = " and ".join(sorted(edge))
        guards = possible_guards(edge, self._places.places, fleet)
        if not guards:
            self.remarks.append(f"nobody can guard the strait between {between}, so it is none")
            return
        if len(guards) > 1:
            others = " or ".join(guards[1:])
            says = f"{guards[0]} guards the strait between {between}; it might be {others}"
            self.remarks.append(says)
        yield Strait(edge, guards[0])

    def _table(self, kind: str) -> Table:
        table = {}
        width = LAST - FIRST + 1
        for line, row, cells in self._old.tables.get(kind, ()):
            if not FIRST <= row <= LAST or len(cells) != width:
                self._places.note(line, f"rows are {FIRST} to {LAST}, each with {width} cells")
            for column, word in enumerate(cells, start=FIRST):
                place = self._places.find(line, word) if word.strip(_DASH) else None
                if place is not None:
                    table[row, column] = place
        return table

    def _order(self, kind: str) -> tuple[PlaceId, ...]:
        found = (self._places.find(*each) for each in self._old.orders.get(kind, ()))
        return tuple(dict.fromkeys(place for place in found if place is not None))


def possible_guards(
    edge: frozenset[PlaceId],
    places: Mapping[PlaceId, Place],
    fleet: Mapping[Spot, Collection[Spot]],
) -> list[PlaceId]:
    """The coastal provinces from which fleets go to both sides of a strait; the first is taken."""
    near: dict[PlaceId, set[PlaceId]] = {place: set() for place in places}
    for spot, ends in fleet.items():
        near[spot.place].update(end.place for end in ends)
    return [
        place
        for place, ends in near.items()
        if edge <= ends and places[place].terrain is Terrain.COASTAL
    ]
