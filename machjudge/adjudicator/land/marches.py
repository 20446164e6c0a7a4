"""Strategic movement after the conflicts: marches through own empty land (MOV-34)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import (
    Advanced,
    Converted,
    DiceThrown,
    Event,
    Held,
    Marched,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.legality import Way, is_cavalry, way_of
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import StrategicMove
from machjudge.adjudicator.rules import LongMoves
from machjudge.adjudicator.units import FLEET, Unit, unit_order

MAX_IN_PHASE = 2
"""The most marches of a power in a phase for them, besides cavalry."""


def march(turn: Turn) -> Sequence[Event]:
    """March each unit as far as it gets; units may meet on the way, but not at the end."""
    ways = dict(sorted(_marches(turn), key=lambda each: unit_order(each[0])))
    reached = {unit: _open_part(turn, unit, way, frozenset(ways)) for unit, way in ways.items()}
    thrown: dict[Unit, DiceThrown] = {}
    while crowds := _crowds(ways, reached):
        for crowd in crowds:
            for unit in _others(turn, crowd, reached, thrown):
                reached[unit] -= 1
    ends = {unit: way[reached[unit]] for unit, way in ways.items()}
    taken = {end.place for end in ends.values()}
    marched = (
        Marched(unit, end.place, end.coast, ways[unit][-1].place, unit.place not in taken)
        for unit, end in ends.items()
    )
    dice = sorted(thrown.values(), key=lambda throw: throw.purpose)
    return [*dice, *marched]


def _marches(turn: Turn) -> Iterator[tuple[Unit, Way]]:
    """The marching units, without dislodged, forced, or replaced ones."""
    kept = {e.unit for e in turn.so_far if isinstance(e, Held) and e.because is not None}
    come = {e.to for e in turn.so_far if isinstance(e, Advanced)}
    come |= {e.unit.place for e in turn.so_far if isinstance(e, Converted)}
    two = turn.world.rules.orders.long_moves is LongMoves.PHASE_TWO
    marching: Counter[PowerId] = Counter()
    for power, order in turn.orders_of(StrategicMove):
        unit = turn.state.field.get(order.unit.place)
        rides = unit is not None and is_cavalry(turn.world, unit)
        marching[power] += not rides
        if two and not rides and marching[power] > MAX_IN_PHASE:
            continue
        stood = unit is not None and unit.place not in come and unit not in kept
        if unit is not None and stood and unit.owner == power:
            yield unit, way_of(turn.world, unit, order)


# --- how far ---------------------------------------------------------------------------------


def _open_part(turn: Turn, unit: Unit, way: Way, marching: frozenset[Unit]) -> int:
    """The index of the last open spot."""
    for index, (spot, to) in enumerate(pairwise(way)):
        if not _is_open(turn, unit, to.place, marching) or _is_guarded(turn, unit, spot, to):
            return index
    return len(way) - 1


def _is_open(turn: Turn, unit: Unit, to: PlaceId, marching: frozenset[Unit]) -> bool:
    """Return whether a place has only marching units, and is at sea or own land.

    Cavalry rides over any land (SPC-11).
    """
    state = turn.state
    there = state.field.get(to)
    if there is not None and there not in marching:
        return False
    if any(spot.place == to for waiting in state.dislodged for spot in waiting.retreats):
        return False
    if turn.world.place(to).is_sea:
        return True
    full = turn.world.place(to).venice and to in state.garrisons
    own = is_cavalry(turn.world, unit) or state.provinces.get(to) == unit.owner
    return own and not full and not state.has_rebels(to)


def _is_guarded(turn: Turn, unit: Unit, spot: Spot, to: Spot) -> bool:
    """Return whether another power's fleet closes a strait on a fleet's way (MAP-13)."""
    edge = turn.world.strait_leg(unit.at(spot.place, spot.coast), to.place)
    guard = turn.state.field.get(turn.world.straits[edge].guard) if edge is not None else None
    return guard is not None and guard.kind is FLEET and guard.owner != unit.owner


# --- where several would end -----------------------------------------------------------------


def _crowds(ways: Mapping[Unit, Way], reached: Mapping[Unit, int]) -> list[list[Unit]]:
    """The units that would end in one place, two or more each."""
    ends: dict[PlaceId, list[Unit]] = defaultdict(list)
    for unit, way in ways.items():
        ends[way[reached[unit]].place].append(unit)
    return [units for _, units in sorted(ends.items()) if len(units) > 1]


def _others(
    turn: Turn, crowd: Sequence[Unit], reached: Mapping[Unit, int], thrown: dict[Unit, DiceThrown]
) -> list[Unit]:
    """All but the one that stays: it never left, or has the highest two dice.

    Without dice it is the first by power and place.
    """
    if not turn.world.rules.game.dice:
        return sorted(crowd, key=lambda u: (reached[u] > 0, unit_order(u)))[1:]
    for unit in crowd:
        if unit not in thrown:
            thrown[unit] = turn.throw(f"march {unit.place}", 2)
    ranked = sorted(crowd, key=lambda u: (reached[u] > 0, -sum(thrown[u].dice), u.place))
    return ranked[1:]
