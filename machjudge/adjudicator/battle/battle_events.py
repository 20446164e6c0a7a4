"""What a solved battle did to every unit and why, told in events (area MOV)."""

from collections.abc import Sequence

from machjudge.adjudicator.battle import convoys
from machjudge.adjudicator.battle.contender import NOBODY, Contender
from machjudge.adjudicator.battle.dislodgement import dislodgements
from machjudge.adjudicator.battle.failures import why_closed, why_cut, why_failed
from machjudge.adjudicator.battle.outcome import Outcome
from machjudge.adjudicator.battle.rebel_help import rebels_help
from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    Held,
    RebelsSupported,
    SupportFailed,
    SupportGiven,
    Transported,
    TransportFailed,
)
from machjudge.adjudicator.land.conversion import enters_city
from machjudge.adjudicator.land.sieges import siege_results
from machjudge.adjudicator.model.orders import (
    Advance,
    Besiege,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    StrategicMove,
    Support,
    Transport,
)
from machjudge.adjudicator.model.reasons import CityRebels, HeldInstead, NotMatched, WasDislodged


def told(outcome: Outcome) -> list[Event]:
    """Everything that happened, in an order that ``evolve`` can follow.

    First who was driven out, then who moved, then all others, then the sieges.
    """
    moved: list[Event] = []
    stayed: list[Event] = []
    besiegers: set[int] = set()
    for fighter in outcome.battle.fighters:
        match intent := outcome.intent(fighter):
            case Convert() if fighter.stands_in is None and fighter.number in outcome.drivers:
                # Told with the dislodgements: it was driven on at once.
                moved += _help_of_rebels(outcome, fighter)
            case Advance() | Convert():
                moved += _help_of_rebels(outcome, fighter)
                moved.append(_way(outcome, fighter, intent))
            case Support() | Hold() | Transport() | HeldInstead():
                stayed += _stand(outcome, fighter, intent)
            case Besiege():
                besiegers.add(fighter.number)
            case LiftSiege() | Disband() | StrategicMove():
                pass
    return [*dislodgements(outcome), *moved, *stayed, *_sieges(outcome, besiegers)]


# --- who moved -------------------------------------------------------------------------------


def _help_of_rebels(outcome: Outcome, fighter: Contender) -> Sequence[RebelsSupported]:
    if not fighter.rebels_help or fighter.goal is None:
        return ()
    helped = rebels_help(outcome.battle, fighter) is True
    return (RebelsSupported(fighter.unit, fighter.goal),) if helped else ()


def _way(outcome: Outcome, fighter: Contender, order: Advance | Convert) -> Event:
    if isinstance(order, Advance):
        return _advance(outcome, fighter, order)
    return _conversion(outcome, fighter, order)


def _advance(outcome: Outcome, fighter: Contender, order: Advance) -> Advanced | AdvanceFailed:
    unit = fighter.unit
    if not outcome.battle.answers[fighter.number]:
        because = why_failed(outcome, fighter)
        return AdvanceFailed(unit, order.to, because, order.coast, order.via)
    used = _strength_used(outcome, fighter)
    left_empty = unit.place not in outcome.entered
    return Advanced(unit, order.to, order.coast, used, left_empty, order.via)


def _strength_used(outcome: Outcome, fighter: Contender) -> int:
    """The strength with which it entered: against a unit driven out without its friends'."""
    number = outcome.battle.holder.get(fighter.goal or fighter.unit.place)
    if number is not None and outcome.drivers.get(number) is fighter:
        owner = outcome.battle.fighters[number].unit.owner
        return outcome.battle.push(fighter, against=owner)[0]
    return outcome.battle.push(fighter)[0]


def _conversion(
    outcome: Outcome, fighter: Contender, order: Convert
) -> Converted | ConversionFailed:
    unit = fighter.unit
    if enters_city(order):
        return _conversion_into_city(outcome, fighter, order)
    if outcome.succeeds(fighter):
        used = _strength_used(outcome, fighter)
        return Converted(unit, order.into, order.coast, used, left_empty=True)
    return ConversionFailed(unit, order.into, why_failed(outcome, fighter))


def _conversion_into_city(
    outcome: Outcome, fighter: Contender, order: Convert
) -> Converted | ConversionFailed:
    unit = fighter.unit
    if outcome.goes_in(fighter):
        left_empty = unit.place not in outcome.entered
        return Converted(unit, order.into, order.coast, fighter.force, left_empty)
    attacker = outcome.driver_out(fighter)
    if unit.place in outcome.battle.venice and attacker is not None:
        return ConversionFailed(unit, order.into, WasDislodged(attacker.unit))
    return ConversionFailed(unit, order.into, CityRebels(unit.place))


# --- who stayed ------------------------------------------------------------------------------


def _stand(
    outcome: Outcome, fighter: Contender, intent: Support | Hold | HeldInstead | Transport
) -> tuple[Event, ...]:
    """What became of its order; nothing where its hold only ended in being driven out."""
    match intent:
        case Support():
            return (_support(outcome, fighter, intent),)
        case Hold():
            return () if fighter.number in outcome.drivers else (Held(fighter.unit),)
        case Transport():
            return (_transport(outcome, fighter, intent),)
        case HeldInstead():
            return (Held(fighter.unit, intent),)


def _support(outcome: Outcome, fighter: Contender, order: Support) -> SupportGiven | SupportFailed:
    supported = _whom_supported(outcome, fighter, order)
    if supported is None:
        return SupportFailed(fighter.unit, NotMatched(order.supported))
    if outcome.succeeds(fighter):
        enters = supported.unit.place != order.supported.place
        to = supported.goal if enters else order.to
        return SupportGiven(fighter.unit, supported.unit, to)
    if outcome.battle.stopped(fighter):
        return SupportFailed(fighter.unit, why_closed(outcome, fighter))
    return SupportFailed(fighter.unit, why_cut(outcome, fighter))


def _whom_supported(outcome: Outcome, fighter: Contender, order: Support) -> Contender | None:
    """Whom it supports in what that unit does; at a closed strait that is to hold (MAP-35)."""
    number = outcome.muster.supported.get(fighter.number)
    if number is None:
        return None
    supported = outcome.battle.fighters[number]
    if supported.leg is None or supported.unit.place != order.supported.place:
        return supported
    holds = supported.goal is None or outcome.battle.stopped(supported)
    return supported if holds is (order.to is None) else None


def _transport(
    outcome: Outcome, fighter: Contender, order: Transport
) -> Transported | TransportFailed:
    number = outcome.battle.holder.get(order.army.place, NOBODY)
    passage = outcome.muster.passages.get(number)
    if passage is None or fighter.number not in passage.fleets:
        return TransportFailed(fighter.unit, NotMatched(order.army))
    army = outcome.battle.fighters[number]
    if outcome.battle.carried(army):
        return Transported(fighter.unit, army.unit, order.to or army.unit.place)
    driver = outcome.driver_out(fighter)
    if driver is not None:
        return TransportFailed(fighter.unit, WasDislodged(driver.unit))
    because = convoys.failure(outcome.battle, outcome.turn.world, passage)
    return TransportFailed(fighter.unit, because)


def _sieges(outcome: Outcome, besiegers: set[int]) -> list[Event]:
    """What became of the sieges: of those begun, and of those that were half done."""
    state, battle = outcome.turn.state, outcome.battle
    posts = map(outcome.turn.world.siege_post, state.sieges)
    half_way = {battle.holder[post] for post in posts if post in battle.holder}
    stayed = [
        (battle.fighters[number].unit, outcome.muster.intents[number])
        for number in besiegers | half_way
        if number not in outcome.drivers and not outcome.leaves(battle.fighters[number])
    ]
    return siege_results(outcome.turn.world, state, stayed)
