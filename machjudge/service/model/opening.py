"""How a game opens: the set-up of its scenario, as the rules in force leave it."""

from collections.abc import Iterable

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.dice import Dice
from machjudge.adjudicator.model.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.rules import Chits, Opening, OrderNotation, Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.chits import deal_chits, is_for_hire
from machjudge.adjudicator.money.income import opening_income
from machjudge.adjudicator.year.numbers import with_numbers


def set_up(world: World, sides: tuple[tuple[PowerId, ...], ...] = ()) -> State:
    """The position before the first phase, still without the opening income (INC-16).

    *sides* are the powers of each player where somebody leads several.

    Garrisons stand only where the rules have garrisons, and fortresses count only where forts are
    on (SET-10, SET-12); autonomous armies and fleets, too, stand only where the rules have them.
    Each power holds an assassination chit on every other one where assassins are for hire (ASN-01).
    """
    scenario = world.scenario
    units = _units(world)
    return State(
        moment=first_moment(scenario, world.rules),
        field={unit.place: unit for unit in units if not unit.is_garrison},
        garrisons={unit.place: unit for unit in units if unit.is_garrison},
        provinces={place: p.id for p in scenario.powers.values() for place in p.provinces},
        cities={
            place: p.id
            for p in scenario.powers.values()
            for place in p.cities
            if place in world.cities
        },
        homes={place: p.id for p in scenario.powers.values() for place in p.home},
        treasuries=_treasuries(world),
        chits=_chits(world),
        sides=sides,
    )


def opening_events(world: World, state: State, dice: Dice) -> tuple[Event, ...]:
    """What happens before the first phase: chits are drawn, the income is paid (INC-16)."""
    income = opening_income(world, state, dice) if opens_in_adjustment(world.rules) else ()
    return (*deal_chits(world, dice), *income)


def first_moment(scenario: Scenario, rules: Rules) -> Moment:
    """The first phase: with an opening adjustment that of the year before, such as F1453B."""
    if opens_in_adjustment(rules):
        return Moment(Campaign(scenario.year - 1, Season.FALL), Stage.ADJUSTMENT)
    return Moment(Campaign(scenario.year, Season.SPRING), Stage.CAMPAIGN)


def opens_in_adjustment(rules: Rules) -> bool:
    """Whether the players write adjustments before the first campaign (INC-16)."""
    return rules.game.money and rules.game.opening is not Opening.CAMPAIGN


def _units(world: World) -> list[Unit]:
    scenario = world.scenario
    placed: Iterable[Unit] = (
        *(unit for power in scenario.powers.values() for unit in power.units),
        *scenario.autonomous,
    )
    used = [unit for unit in placed if _is_in_use(world, unit)]
    if world.rules.game.notation is OrderNotation.PLACES:
        return used
    own = (unit for unit in used if unit.owner != AUTONOMOUS)
    others = (unit for unit in used if unit.owner == AUTONOMOUS)
    return [*(unit.numbered(number) for unit, number in with_numbers(own, ())), *others]


def _is_in_use(world: World, unit: Unit) -> bool:
    if unit.is_garrison:
        return world.holds_garrison(unit.place)
    return unit.owner != AUTONOMOUS or world.rules.special.autonomous_afield


def _treasuries(world: World) -> dict[PowerId, int]:
    if not world.rules.game.money:
        return {}
    return {power: world.scenario.powers[power].initial_ducats for power in world.scenario.in_play}


def _chits(world: World) -> dict[PowerId, tuple[PowerId, ...]]:
    if not is_for_hire(world) or world.rules.assassins.chits is not Chits.ONE_EACH:
        return {}
    powers = world.scenario.in_play
    return {power: tuple(sorted(set(powers) - {power})) for power in powers}
