"""How a game opens: the set-up of its scenario, as the rules in force leave it."""

from collections import Counter
from collections.abc import Iterable, Mapping

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.dice import Dice
from machjudge.adjudicator.model.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.rules import Chits, Opening, OrderNotation, Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import Sides, State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.chits import deal_chits, is_for_hire
from machjudge.adjudicator.money.income import opening_income
from machjudge.adjudicator.year.numbers import with_numbers


def set_up(world: World, sides: Sides = ()) -> State:
    """The position before the first phase, still without the opening income (INC-16).

    *sides* are the powers of each player where somebody leads several.  Where the rules give a
    player one set of units, the first power of the side has what the others would, and these are
    out (SET-24).

    Garrisons stand only where the rules have garrisons, and fortresses count only where forts are
    on (SET-10, SET-12); autonomous armies and fleets, too, stand only where the rules have them.
    Each power holds an assassination chit on every other one where assassins are for hire (ASN-01).
    """
    scenario = world.scenario
    leads = {power: world.leads(power, sides) for power in scenario.powers}
    units = _units(world, leads)
    playing = tuple(power for power in scenario.in_play if leads[power] == power)
    return State(
        moment=first_moment(scenario, world.rules),
        field={unit.place: unit for unit in units if not unit.is_garrison},
        garrisons={unit.place: unit for unit in units if unit.is_garrison},
        provinces={place: leads[p.id] for p in scenario.powers.values() for place in p.provinces},
        cities={
            place: leads[p.id]
            for p in scenario.powers.values()
            for place in p.cities
            if place in world.cities
        },
        homes={place: leads[p.id] for p in scenario.powers.values() for place in p.home},
        treasuries=_treasuries(world, leads),
        chits=_chits(world, playing),
        eliminated=frozenset(scenario.in_play).difference(playing),
        sides=sides,
    )


def opening_events(world: World, state: State, dice: Dice) -> tuple[Event, ...]:
    """What happens before the first phase: chits are drawn, the income is paid (INC-16)."""
    income = opening_income(world, state, dice) if opens_in_adjustment(world.rules) else ()
    return (*deal_chits(world, state, dice), *income)


def first_moment(scenario: Scenario, rules: Rules) -> Moment:
    """The first phase: with an opening adjustment that of the year before, such as F1453B."""
    if opens_in_adjustment(rules):
        return Moment(Campaign(scenario.year - 1, Season.FALL), Stage.ADJUSTMENT)
    return Moment(Campaign(scenario.year, Season.SPRING), Stage.CAMPAIGN)


def opens_in_adjustment(rules: Rules) -> bool:
    """Whether the players write adjustments before the first campaign (INC-16)."""
    return rules.game.money and rules.game.opening is not Opening.CAMPAIGN


_Leads = Mapping[PowerId, PowerId]
"""The power that has the set-up of each."""


def _units(world: World, leads: _Leads) -> list[Unit]:
    scenario = world.scenario
    placed: Iterable[Unit] = (
        *(
            unit if unit.owner == leads[unit.owner] else unit.owned_by(leads[unit.owner])
            for power in scenario.powers.values()
            for unit in power.units
        ),
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


def _treasuries(world: World, leads: _Leads) -> dict[PowerId, int]:
    ducats = Counter[PowerId]()
    if world.rules.game.money:
        for power in world.scenario.in_play:
            ducats[leads[power]] += world.scenario.powers[power].initial_ducats
    return dict(ducats)


def _chits(world: World, powers: tuple[PowerId, ...]) -> dict[PowerId, tuple[PowerId, ...]]:
    if not is_for_hire(world) or world.rules.assassins.chits is not Chits.ONE_EACH:
        return {}
    return {power: tuple(sorted(set(powers) - {power})) for power in powers}
