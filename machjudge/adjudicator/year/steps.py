"""The steps that each phase of a year takes, in their order: a function of the rules (area SEQ)."""

from collections.abc import Iterator, Mapping

from machjudge.adjudicator.battle.movement import resolve_movement
from machjudge.adjudicator.events.turn import Step
from machjudge.adjudicator.land.burning import burn_provinces
from machjudge.adjudicator.land.cession import cede_provinces
from machjudge.adjudicator.land.control import ON_LOSS, but_bought
from machjudge.adjudicator.land.home import conquer_homes, eliminate_powers
from machjudge.adjudicator.land.marches import march
from machjudge.adjudicator.land.rebellion import (
    free_rebels_by_presence,
    put_down_rebellions,
    quell_city_rebellions,
    quell_province_rebellions,
)
from machjudge.adjudicator.land.retreating import resolve_retreats
from machjudge.adjudicator.land.sieges import end_lapsed_sieges
from machjudge.adjudicator.land.unrest import COUNTS
from machjudge.adjudicator.land.victory import declare_victory, throw_for_the_end
from machjudge.adjudicator.model.moments import Season, Stage
from machjudge.adjudicator.model.rules import (
    Ban,
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
from machjudge.adjudicator.money.assassination import punish_defaulters, settle_assassinations
from machjudge.adjudicator.money.banking import give_before_building, settle_loans
from machjudge.adjudicator.money.bribes import settle_expenses
from machjudge.adjudicator.money.chits import pass_chits
from machjudge.adjudicator.money.excommunication import excommunicate
from machjudge.adjudicator.money.income import collect_income
from machjudge.adjudicator.year.adjustment import adjust
from machjudge.adjudicator.year.disasters import (
    lift_famine,
    starve_units,
    strike_famine,
    strike_plague,
    strike_storms,
)
from machjudge.adjudicator.year.numbers import number_units
from machjudge.adjudicator.year.sea_storms import strike_seas
from machjudge.adjudicator.year.taxes import force_taxes, rise_against_taxes

Year = Mapping[tuple[Season, Stage], tuple[Step, ...]]
"""The steps of each phase, in their order."""


def steps(rules: Rules) -> Year:
    """The steps of every phase of a year under *rules*, without those that are never taken.

    A campaign in which nobody is dislodged goes on through the steps of its retreats.
    """
    year: dict[tuple[Season, Stage], tuple[Step, ...]] = {}
    for season in Season:
        year[season, Stage.CAMPAIGN] = _campaign(rules)
        year[season, Stage.RETREATS] = _retreats(rules, season)
        year[season, Stage.ADJUSTMENT] = _adjustment(rules)
    on_loss = ON_LOSS[rules.control.both_lost]
    return {phase: tuple(map(on_loss, taken)) for phase, taken in year.items()}


def _adjustment(rules: Rules) -> tuple[Step, ...]:
    taxed = rules.game.money and rules.income.forced is not ForcedTaxes.OFF
    return _taken(
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
    return _taken(
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
    return _taken(
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


def _taken(*rows: tuple[bool, Step]) -> tuple[Step, ...]:
    """The steps that these rules take."""
    return tuple(step for is_taken, step in rows if is_taken)
