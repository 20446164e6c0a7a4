"""What a power still has to order before the phase can be played."""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.adjudicator.legality.naming import (
    space_of,
    spaces_ordered,
    without_order,
)
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Build, Order, Remove, Waive
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.letters.receipt.todo import cities_that_count
from machjudge.letters.wording.words import Words


@dataclass(frozen=True, slots=True)
class Missing:
    """What is missing of one power's orders: units without an order, or a number of them."""

    units: tuple[Unit, ...] = ()
    builds: int = 0
    """Builds neither ordered nor waived, in games without money."""
    removals: int = 0
    """Removals not ordered, in games without money."""

    def __bool__(self) -> bool:
        return bool(self.units or self.builds or self.removals)


def missing(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> Missing:
    """What is still to be ordered, with *orders* standing; nothing for an eliminated power."""
    if power in state.eliminated:
        return Missing()
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return Missing(without_order(world, state, power, state.units_of(power), orders))
        case Stage.RETREATS:
            waiting = [d.unit for d in state.dislodged if d.unit.owner == power]
            return Missing(without_order(world, state, power, waiting, orders))
        case Stage.ADJUSTMENT if world.rules.game.money:
            return Missing(without_order(world, state, power, state.units_of(power), orders))
        case Stage.ADJUSTMENT:
            return _by_cities(world, state, power, orders)


def is_late(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> bool:
    """Whether anything is missing, which is asked of all powers after each mail."""
    if power in state.eliminated or state.moment.stage is not Stage.CAMPAIGN:
        return bool(missing(world, state, power, orders))
    named = spaces_ordered(world, state, power, orders)
    for units in (state.field, state.garrisons):
        for unit in units.values():
            if unit.owner == power and space_of(unit) not in named:
                return True
    return False


def has_to_order(world: World, state: State, power: PowerId) -> bool:
    """Whether the phase asks anything of the power."""
    return is_late(world, state, power, ())


def may_order(world: World, state: State, power: PowerId) -> bool:
    """Whether any order of the power can mean something in this phase.

    Also that of a power without units that has ducats to spend, for which nobody waits.
    """
    if power in state.eliminated:
        return False
    has_money = world.rules.game.money and state.moment.stage is not Stage.RETREATS
    return has_money or has_to_order(world, state, power)


def _by_cities(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> Missing:
    due = cities_that_count(Words(world), state, power) - len(state.units_of(power))
    # One waive leaves all builds unused that are not ordered.
    waived = any(isinstance(order, Waive) for order in orders)
    builds = due if waived else sum(isinstance(order, Build) for order in orders)
    removals = sum(isinstance(order, Remove) for order in orders)
    return Missing(builds=max(due - builds, 0), removals=max(-due - removals, 0))
