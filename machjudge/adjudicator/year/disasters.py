"""Famine, plague and storms (areas FAM, PLG, STM)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from machjudge.adjudicator.board import Spot, Table, Terrain
from machjudge.adjudicator.dice import drawn, lot_of
from machjudge.adjudicator.events import (
    DisasterStruck,
    DrivenAshore,
    Event,
    FamineBegan,
    FamineEnded,
    PlagueSpread,
    ReliefUsed,
    StormBroke,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.land.retreats import ranked_retreat
from machjudge.adjudicator.land.sieges import with_lapses
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.reasons import Removal
from machjudge.adjudicator.rules import Severity
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import FLEET, Kind, Unit, unit_order
from machjudge.adjudicator.world import World

Disaster = Literal["famine", "plague", "storm"]

ROWS = {Severity.JUDGE: frozenset({4, 6}), Severity.BOOK: frozenset({4, 7})}
COLUMNS = {Severity.JUDGE: frozenset({5, 7}), Severity.BOOK: frozenset({5, 6})}
"""The sums of the severity dice that strike a row or a column (FAM-01)."""

SPREADS = 1
"""The die that spreads plague to a place."""

BOTH_FROM = 8
"""The sum from which a row and a column are struck."""


def starve_units(turn: Turn) -> Sequence[Event]:
    """Remove units in famine at the end of Spring, autonomous ones too (FAM-07)."""
    return _lost(turn, Removal.FAMINE, turn.state.famine)


def lift_famine(turn: Turn) -> Sequence[Event]:
    """End all famine after Spring (FAM-09)."""
    return [FamineEnded(place, relieved=False) for place in sorted(turn.state.famine)]


def strike_plague(turn: Turn) -> Sequence[Event]:
    """Throw for plague between Spring and Summer (PLG-01, PLG-02)."""
    thrown, places = _struck(turn, "plague", turn.world.board.plague)
    spread = _spread(turn, places) if turn.world.rules.disaster.spreading else []
    reached = [event.place for event in spread if isinstance(event, PlagueSpread)]
    return [*thrown, *spread, *_lost(turn, Removal.PLAGUE, [*places, *reached])]


def _spread(turn: Turn, places: Sequence[PlaceId]) -> list[Event]:
    """Throw for each place with units next to killed ones (PLG-06)."""
    manned = {unit.place for unit in turn.state.units()}
    near = {to for place in manned & set(places) for to in turn.world.army.get(place, ())}
    events: list[Event] = []
    for place in sorted((near & manned) - set(places)):
        thrown = turn.throw(f"plague {place}")
        events.append(thrown)
        if thrown.dice == (SPREADS,):
            events.append(PlagueSpread(place))
    return events


def strike_storms(turn: Turn) -> Sequence[Event]:
    """Throw for storms after Fall, which sink fleets (STM-01, STM-02)."""
    thrown, places = _struck(turn, "storm", turn.world.board.storm)
    return [*thrown, *_lost(turn, Removal.STORM, places, FLEET)]


def strike_famine(turn: Turn) -> Sequence[Event]:
    """Throw for famine after Fall (FAM-01, FAM-02)."""
    thrown, places = _struck(turn, "famine", turn.world.board.famine)
    relieved = turn.state.relieved
    used = (ReliefUsed(place, place in places) for place in sorted(relieved))
    return [*thrown, *used, *(FamineBegan(place) for place in places if place not in relieved)]


def _struck(turn: Turn, kind: Disaster, table: Table) -> tuple[list[Event], list[PlaceId]]:
    """Throw for a disaster: its events, and the places struck."""
    thrown = [turn.throw(f"{kind} severity", 2)]
    severity = sum(thrown[0].dice)
    row = column = None
    if _strikes(severity, ROWS[turn.world.rules.disaster.severity]):
        thrown.append(turn.throw(f"{kind} row", 2))
        row = sum(thrown[-1].dice)
    if _strikes(severity, COLUMNS[turn.world.rules.disaster.severity]):
        thrown.append(turn.throw(f"{kind} column", 2))
        column = sum(thrown[-1].dice)
    places = _places(turn, table, row, column)
    struck = DisasterStruck(kind, severity, row, column, tuple(places))
    return [*thrown, struck], places


def _strikes(severity: int, alone: frozenset[int]) -> bool:
    return severity in alone or severity >= BOTH_FROM


def _places(turn: Turn, table: Table, row: int | None, column: int | None) -> list[PlaceId]:
    """The places of a row and a column in the game, each once (FAM-02, MAP-30)."""
    rules, neutral = turn.world.rules, turn.world.scenario.neutral
    closed = neutral if rules.game.neutral_impassable else frozenset()
    struck = {place for (r, c), place in table.items() if r == row or c == column}
    return sorted(struck - closed)


def _lost(
    turn: Turn, because: Removal, places: Iterable[PlaceId], kind: Kind | None = None
) -> list[Event]:
    where = frozenset(places)
    if not where:
        return []
    units = sorted(
        (unit for unit in turn.state.units() if unit.place in where and kind in (None, unit.kind)),
        key=unit_order,
    )
    gone = [UnitRemoved(unit, because) for unit in units]
    return with_lapses(turn.world, turn.state, gone)


# Storms by a die for each sea with a fleet: fleets run for the coast, or sink (STM-02).
BREAKS = 6
"""The die of a storm at sea."""

SINKS_FROM, ASHORE_FROM = 5, 3
"""The second dice that sink a fleet, or drive it ashore."""


def strike_seas(turn: Turn) -> Sequence[Event]:
    """Throw a die for each sea with a fleet, and another one for a storm."""
    events: list[Event] = []
    driven: list[Unit] = []
    for sea, unit in sorted(turn.state.field.items()):
        if unit.kind is not FLEET or not turn.world.place(sea).is_sea:
            continue
        first = turn.throw(f"storm {sea}")
        events.append(first)
        if first.dice != (BREAKS,):
            continue
        second = turn.throw(f"storm {sea} fleet")
        (die,) = second.dice
        events += [second, StormBroke(sea, die)]
        if die >= SINKS_FROM:
            events.append(UnitRemoved(unit, Removal.STORM))
        elif die >= ASHORE_FROM:
            driven.append(unit)
    return [*events, *_landings(turn, driven)]


# --- the way ashore --------------------------------------------------------------------------


def _landings(turn: Turn, driven: Sequence[Unit]) -> list[Event]:
    """Landings of fleets, the stronger first; dice decide between equals."""
    lots = [turn.throw(f"storm {unit.place} shore", 2) for unit in driven]
    queue = sorted(
        zip(driven, (lot_of(thrown.dice) for thrown in lots), strict=True),
        key=lambda each: (-each[0].quality.strength, -each[1], each[0].place),
    )
    landed: list[Event] = []
    taken: set[PlaceId] = set()
    for unit, lot in queue:
        best = _best(turn, unit, taken)
        if best:
            spot = best[drawn(lot, len(best))]
            taken.add(spot.place)
            landed.append(DrivenAshore(unit, spot.place, spot.coast))
        else:
            landed.append(UnitRemoved(unit, Removal.STORM))
    return [*lots, *landed]


def _best(turn: Turn, unit: Unit, taken: set[PlaceId]) -> list[Spot]:
    ranked = [(ranked_retreat(turn, unit, spot.place), spot) for spot in _open(turn, unit, taken)]
    best = min((rank for rank, _ in ranked), default=None)
    return sorted(spot for rank, spot in ranked if rank == best)


def _open(turn: Turn, unit: Unit, taken: set[PlaceId]) -> Iterator[Spot]:
    for spot in turn.world.fleet.get(Spot(unit.place, unit.coast), ()):
        if spot.place not in taken and _lets_in(turn.world, turn.state, spot.place):
            yield spot


def _lets_in(world: World, state: State, to: PlaceId) -> bool:
    """Return whether a fleet can land there: empty; Venice without garrison and rebels."""
    place = world.place(to)
    full = place.venice and (to in state.garrisons or to in state.city_rebellions)
    return place.terrain is Terrain.COASTAL and to not in state.field and not full
