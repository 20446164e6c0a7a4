"""Storms by a die for each sea with a fleet: fleets run for the coast, or sink (STM-02)."""

from collections.abc import Iterator, Sequence

from machjudge.adjudicator.events import (
    DiceThrown,
    DrivenAshore,
    Event,
    StormBroke,
    UnitRemoved,
)
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.model.board import Spot, Terrain
from machjudge.adjudicator.model.dice import Throw, drawn, lot_of
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.reasons import Removal
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import FLEET, Unit
from machjudge.adjudicator.model.world import World

BREAKS = 6
"""The die with which a storm breaks over a sea."""

SINKS_FROM, ASHORE_FROM = 5, 3
"""From which second die on the fleet sinks, and from which it has to run for the coast."""


def strike_seas(turn: Turn) -> Sequence[Event]:
    """A die for each sea with a fleet, and another one where a storm breaks."""
    events: list[Event] = []
    driven: list[Unit] = []
    for unit in _at_sea(turn.world, turn.state):
        first = _throw(turn, f"storm {unit.place}")
        events.append(first)
        if first.dice != (BREAKS,):
            continue
        second = _throw(turn, f"storm {unit.place} fleet")
        (die,) = second.dice
        events += [second, StormBroke(unit.place, die)]
        if die >= SINKS_FROM:
            events.append(UnitRemoved(unit, Removal.STORM))
        elif die >= ASHORE_FROM:
            driven.append(unit)
    return [*events, *_landings(turn, driven)]


def _at_sea(world: World, state: State) -> list[Unit]:
    """The fleets at sea, by the abbreviations of the seas."""
    return [
        unit
        for place, unit in sorted(state.field.items())
        if unit.kind is FLEET and world.place(place).is_sea
    ]


def _throw(turn: Turn, purpose: str, count: int = 1) -> DiceThrown:
    return DiceThrown(purpose, turn.dice.roll(Throw(purpose, count)))


# --- the way ashore --------------------------------------------------------------------------


def _landings(turn: Turn, driven: Sequence[Unit]) -> list[Event]:
    """The judge takes them ashore, the stronger first; dice decide between equals."""
    lots = [_throw(turn, f"storm {unit.place} shore", 2) for unit in driven]
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
    """The coasts that are open to the fleet, of the best kind that there is."""
    ranked = [(_rank(turn.state, unit, spot.place), spot) for spot in _open(turn, unit, taken)]
    best = min((rank for rank, _ in ranked), default=None)
    return sorted(spot for rank, spot in ranked if rank == best)


def _open(turn: Turn, unit: Unit, taken: set[PlaceId]) -> Iterator[Spot]:
    for spot in turn.world.fleet.get(Spot(unit.place, unit.coast), ()):
        if spot.place not in taken and _lets_in(turn.world, turn.state, spot.place):
            yield spot


def _lets_in(world: World, state: State, to: PlaceId) -> bool:
    """Whether a fleet can land there: an empty coast, Venice only without garrison and rebels."""
    place = world.place(to)
    full = place.venice and (to in state.garrisons or to in state.city_rebellions)
    return place.terrain is Terrain.COASTAL and to not in state.field and not full


def _rank(state: State, unit: Unit, place: PlaceId) -> tuple[bool, int]:
    """Without famine before with it; one's own land first, then nobody's, then another's."""
    owner = state.provinces.get(place)
    return place in state.famine, 0 if owner == unit.owner else 1 if owner is None else 2
