"""What the judge orders in place of a player who sent nothing, when his phase is played.

In an adjustment with money he keeps as many units as his treasury pays for; in every other phase
his units have no order, which means that they hold, disband or stay as the rules say.
"""

from collections.abc import Mapping
from datetime import datetime

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Maintain, Named
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.service.records import SheetLine
from machjudge.service.speech import write_order


def orders_for_the_silent(
    world: World, state: State, heard: frozenset[PowerId], now: datetime
) -> Mapping[PowerId, tuple[SheetLine, ...]]:
    """Lines for the powers that are not among those *heard*."""
    if state.moment.stage is not Stage.ADJUSTMENT or not world.rules.game.money:
        return {}
    silent = [power for power in world.scenario.in_play if power not in heard]
    return {power: _kept(world, state, power, now) for power in silent if state.units_of(power)}


def _kept(world: World, state: State, power: PowerId, now: datetime) -> tuple[SheetLine, ...]:
    left = state.treasuries.get(power, 0)
    lines: list[SheetLine] = []
    for unit in sorted(state.units_of(power), key=_worth):
        if unit.quality.price <= left:
            left -= unit.quality.price
            lines.append(_line(world, unit, now))
    return tuple(lines)


def _worth(unit: Unit) -> tuple[int, str, str]:
    """Strong units first, then armies, fleets, garrisons."""
    return (-unit.quality.strength, unit.kind.value, unit.place)


def _line(world: World, unit: Unit, now: datetime) -> SheetLine:
    text = write_order(world, Maintain(Named(unit.kind, unit.place, unit.coast)))
    return SheetLine(written=text, canonical=text, received=now, mail=None)
