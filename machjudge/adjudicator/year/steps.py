"""Play a phase: the steps of each phase in order (area SEQ)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from machjudge.adjudicator.battle.results import resolve_movement
from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.events import (
    AdjustmentFailed,
    Event,
    PhaseEnded,
    TaxesForced,
    UnitNumbered,
)
from machjudge.adjudicator.evolve import Step, Turn, evolve, evolve_all
from machjudge.adjudicator.land.control import (
    COUNTS,
    burn_provinces,
    but_bought,
    cede_provinces,
    with_losses,
)
from machjudge.adjudicator.land.homes import conquer_homes, eliminate_powers, living_powers
from machjudge.adjudicator.land.marches import march
from machjudge.adjudicator.land.rebellions import (
    free_rebels_by_presence,
    put_down_rebellions,
    quell_city_rebellions,
    quell_province_rebellions,
    throw_for_rebellion,
    uprising,
)
from machjudge.adjudicator.land.retreats import resolve_retreats
from machjudge.adjudicator.land.sieges import end_lapsed_sieges
from machjudge.adjudicator.land.victory import declare_victory, throw_for_the_end
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Season, Stage, phase_after
from machjudge.adjudicator.money.assassins import (
    pass_chits,
    punish_defaulters,
    settle_assassinations,
)
from machjudge.adjudicator.money.bank import (
    excommunicate,
    give_before_building,
    settle_loans,
)
from machjudge.adjudicator.money.expenses import settle_expenses
from machjudge.adjudicator.money.income import city_income, collect_income, province_income
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Build, Orders, Tax
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.rules import (
    Ban,
    Chooser,
    EliminationTiming,
    ForcedTaxes,
    Liberation,
    LongMoves,
    OrderNotation,
    Rules,
    Storms,
    StormTime,
    Timing,
)
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit, unit_order
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.adjustment import adjust
from machjudge.adjudicator.year.disasters import (
    lift_famine,
    starve_units,
    strike_famine,
    strike_plague,
    strike_seas,
    strike_storms,
)


# The numbers of units, where they have any (MOV-03): each power counts each type by itself.
def number_units(turn: Turn) -> Sequence[Event]:
    """Number the units without a number: new, converted or bought.

    Dislodged units keep theirs. Builds are numbered as written, in which order they are paid
    (ADJ-12); others by place. Powers are numbered one after another, so that none affects
    another's.
    """
    state = turn.state
    waiting = (each.unit for each in state.dislodged)
    written = {
        (power, order.place): line
        for power, orders in turn.orders.items()
        for line, order in enumerate(orders)
        if isinstance(order, Build)
    }

    def sequence(unit: Unit) -> tuple[PowerId, int, tuple[str, ...]]:
        line = written.get((unit.owner, unit.place))
        return (unit.owner, len(written) + 1 if line is None else line, unit_order(unit))

    new = sorted(
        (unit for unit in state.units() if not unit.number and unit.owner != AUTONOMOUS),
        key=sequence,
    )
    taken = (*state.units(), *waiting)
    return [UnitNumbered(unit, number) for unit, number in with_numbers(new, taken)]


def with_numbers(new: Iterable[Unit], others: Iterable[Unit]) -> Iterator[tuple[Unit, int]]:
    """Return each new unit with the lowest free number of its power and type.

    :param new: units without numbers, in order.
    :param others: all units of the position; those without a number do not count.
    """
    taken: dict[tuple[PowerId, Kind], set[int]] = {}
    for unit in others:
        taken.setdefault((unit.owner, unit.kind), set()).add(unit.number)
    for unit in new:
        mine = taken.setdefault((unit.owner, unit.kind), set())
        number = next(each for each in count(1) if each not in mine)
        mine.add(number)
        yield unit, number


# Taxes taken by force in the adjustment, and the rebels that they make (INC-19).
LIMITS = (2, 3, 4, 5)
"""The dice up to which a taxed province rebels: home with a unit, without, conquered likewise."""


def force_taxes(turn: Turn) -> Sequence[Event]:
    """Collect the fixed income of taxed provinces again, before any payment."""
    return [
        event for power in living_powers(turn.world, turn.state) for event in _taken(turn, power)
    ]


def _taken(turn: Turn, power: PowerId) -> Iterator[Event]:
    orders = turn.orders.get(power, ())
    built = {order.place for order in orders if isinstance(order, Build)}
    exhausts = turn.world.rules.income.forced is ForcedTaxes.V31
    for order in orders:
        if isinstance(order, Tax) and order.place in built:
            yield AdjustmentFailed(power, order, Objection(Flaw.NEW_UNIT, "INC-19", order.place))
        elif isinstance(order, Tax):
            ducats = province_income(turn.world, turn.state, order.place) + city_income(
                turn.world, turn.state, order.place
            )
            yield TaxesForced(power, order.place, ducats, exhausts)


def rise_against_taxes(turn: Turn) -> Sequence[Event]:
    """Rebel in taxed provinces at the adjustment's end: by a die, or in all."""
    by_die = turn.world.rules.income.forced is ForcedTaxes.KARTTUNEN
    risen: list[Event] = []
    for event in turn.so_far:
        if isinstance(event, TaxesForced) and by_die:
            risen += throw_for_rebellion(turn, event.power, event.place, LIMITS)
        elif isinstance(event, TaxesForced):
            started = uprising(turn.world, turn.state, turn.state, event.place)
            risen += [started] if started is not None else []
    return risen


_Side = tuple[PowerId, ...]


def is_time_of_fog(world: World, state: State) -> bool:
    """Return whether the position is after an adjustment and before a campaign (FOG-01).

    Never before the first campaign.
    """
    moment = state.moment
    follows = moment.stage is Stage.CAMPAIGN and moment.season is Season.SPRING
    return follows and moment.year > world.scenario.year


def units_in_contact(world: World, state: State) -> frozenset[Unit]:
    """Return the visible units: they may meet another side, or take its places.

    Nobody's land and units do not count and are always known (FOG-02 to FOG-04).
    """
    reach = {unit: _reach(world, unit) for unit in state.units() if unit.owner != AUTONOMOUS}
    sides: dict[PlaceId, set[_Side]] = defaultdict(set)
    for unit, near in reach.items():
        for place in near:
            sides[place].add(state.side_of(unit.owner))
    return frozenset(
        unit
        for unit in state.units()
        if unit.owner == AUTONOMOUS
        or any(_meets(state, unit, sides[place], place) for place in reach[unit])
    )


def _reach(world: World, unit: Unit) -> frozenset[PlaceId]:
    """The places in a unit's reach in one campaign without convoy."""
    if unit.is_garrison:
        return frozenset((unit.place,))
    near = (place for place in world.borders[unit.place] if world.reaches(unit, place))
    return frozenset((unit.place, *near))


def _meets(state: State, unit: Unit, sides: set[_Side], place: PlaceId) -> bool:
    """Return whether another side may come within reach, or owns what a unit may take."""
    own = state.side_of(unit.owner)
    owners = {state.provinces.get(place), state.cities.get(place)}
    holds = not unit.is_garrison and any(o not in (None, AUTONOMOUS, *own) for o in owners)
    return holds or len(sides) > 1


Year = Mapping[tuple[Season, Stage], tuple[Step, ...]]
"""The steps of each phase, in order."""


def steps(rules: Rules) -> Year:
    """Return the steps of every phase under *rules*.

    A campaign without dislodged units goes on through the steps of its retreats.
    """
    year: dict[tuple[Season, Stage], tuple[Step, ...]] = {}
    for season in Season:
        year[season, Stage.CAMPAIGN] = _campaign(rules)
        year[season, Stage.RETREATS] = _retreats(rules, season)
        year[season, Stage.ADJUSTMENT] = _adjustment(rules)
    both_lost = rules.control.both_lost
    return {
        phase: tuple(with_losses(both_lost, step) for step in taken)
        for phase, taken in year.items()
    }


def _adjustment(rules: Rules) -> tuple[Step, ...]:
    taxed = rules.game.money and rules.income.forced is not ForcedTaxes.OFF
    return _taken_steps(
        (True, pass_chits),
        (rules.game.money and rules.money.adjustment_gifts, give_before_building),
        (taxed, force_taxes),
        (True, adjust),
        (True, end_lapsed_sieges),
        (taxed, rise_against_taxes),
        (_have_numbers(rules), number_units),
    )


def _campaign(rules: Rules) -> tuple[Step, ...]:
    money = rules.game.money
    counted = rules.control.timing is Timing.CONTINUOUS
    count = COUNTS[rules.rebellion.control]
    riding = rules.game.special and rules.special.cavalry
    marching = riding or rules.orders.long_moves is not LongMoves.OFF
    at_once = rules.rebellion.liberation is not Liberation.TURN_END
    return _taken_steps(
        (True, pass_chits),
        (rules.orders.cession, cede_provinces),
        (money and rules.orders.scorched_earth, burn_provinces),
        (rules.orders.ban is not Ban.OFF, excommunicate),
        (money, settle_loans),
        (money, settle_expenses),
        (counted, count if rules.control.bought_at_once else but_bought(count)),
        (money, settle_assassinations),
        (money, punish_defaulters),
        (True, resolve_movement),
        (counted, count),
        (at_once, quell_province_rebellions),
        (not at_once, put_down_rebellions),
        (counted, count),
        (marching, march),
        (marching and counted, count),
        (_have_numbers(rules), number_units),
    )


def _retreats(rules: Rules, season: Season) -> tuple[Step, ...]:
    """Retreats, disasters, and what is counted at the end of a campaign (SEQ-01, SEQ-03)."""
    spring, fall = season is Season.SPRING, season is Season.FALL
    dice, disaster = rules.game.dice, rules.disaster
    counted = rules.control.timing is Timing.CONTINUOUS
    count = COUNTS[rules.rebellion.control]
    at_once = rules.rebellion.liberation is not Liberation.TURN_END
    eliminated = rules.control.elimination is EliminationTiming.CAMPAIGN_END
    return _taken_steps(
        (True, resolve_retreats),
        (counted, count),
        (at_once, quell_city_rebellions),
        (not at_once, free_rebels_by_presence),
        (spring, starve_units),
        (counted, count),
        (spring, lift_famine),
        (spring and dice and disaster.plague and rules.game.summer, strike_plague),
        (counted, count),
        *_storms(rules, season),
        (counted or fall, count),
        (fall and dice and disaster.famine, strike_famine),
        (rules.control.swap_survives, conquer_homes),
        (eliminated or fall, eliminate_powers),
        (not rules.control.swap_survives, conquer_homes),
        (True, declare_victory),
        (dice and rules.victory.end_die, throw_for_the_end),
        (True, end_lapsed_sieges),
        (fall and rules.game.money, collect_income),
        (_have_numbers(rules), number_units),
    )


def _storms(rules: Rules, season: Season) -> Iterator[tuple[bool, Step]]:
    """Storms strike after Fall, or after the campaign before it (STM-01)."""
    before = Season.SUMMER if rules.game.summer else Season.SPRING
    late = rules.disaster.storm_time is StormTime.AFTER_FALL
    if season is (Season.FALL if late else before) and rules.game.dice:
        yield rules.disaster.storm is Storms.TABLE, strike_storms
        yield rules.disaster.storm is Storms.SEA_DIE, strike_seas


def _have_numbers(rules: Rules) -> bool:
    return rules.game.notation is OrderNotation.NUMBERS


def _taken_steps(*rows: tuple[bool, Step]) -> tuple[Step, ...]:
    return tuple(step for is_taken, step in rows if is_taken)


@dataclass(frozen=True, slots=True)
class Played:
    """A phase played: what happened, the position after, and the orders that stood."""

    events: tuple[Event, ...]
    state: State
    standing: Orders


def play(world: World, state: State, orders: Orders, dice: Dice) -> Played:
    """Play the phase of *state*.  Raises DiceMissing if given dice do not suffice."""
    sorted_out = sort_out(world, state, orders)
    events: list[Event] = [*sorted_out.refused, *sorted_out.replaced]
    turn = Turn(world, sorted_out.standing, dice, state, state, tuple(events))
    turn = _take(turn, state.moment.stage)
    # Owners say where their units go; the judge does it at once (MOV-47).
    waits = turn.state.dislodged and world.rules.retreat.chooser is Chooser.PLAYER
    if state.moment.stage is Stage.CAMPAIGN and not waits:
        turn = _take(turn, Stage.RETREATS)
    now, dislodged = turn.state.moment, bool(turn.state.dislodged)
    ended = PhaseEnded(phase_after(now, dislodged=dislodged, summer=world.rules.game.summer))
    return Played((*turn.so_far, ended), evolve(turn.state, ended), turn.orders)


def _take(turn: Turn, stage: Stage) -> Turn:
    for step in _year(turn.world)[turn.start.moment.season, stage]:
        events = tuple(step(turn))
        if events:
            state = evolve_all(turn.state, events)
            turn = Turn(turn.world, turn.orders, turn.dice, turn.start, state, turn.so_far + events)
    return turn


@lru_cache(maxsize=64)
def _year(world: World) -> Year:
    return steps(world.rules)
