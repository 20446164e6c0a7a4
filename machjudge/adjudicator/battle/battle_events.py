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
    for contender in outcome.battle.contenders:
        match intent := outcome.intent(contender):
            case Convert() if contender.stands_in is None and contender.number in outcome.drivers:
                # Told with the dislodgements: it was driven on at once.
                moved += _help_of_rebels(outcome, contender)
            case Advance() | Convert():
                moved += _help_of_rebels(outcome, contender)
                moved.append(_way(outcome, contender, intent))
            case Support() | Hold() | Transport() | HeldInstead():
                stayed += _stand(outcome, contender, intent)
            case Besiege():
                besiegers.add(contender.number)
            case LiftSiege() | Disband() | StrategicMove():
                pass
    return [*dislodgements(outcome), *moved, *stayed, *_sieges(outcome, besiegers)]


# --- who moved -------------------------------------------------------------------------------


def _help_of_rebels(outcome: Outcome, contender: Contender) -> Sequence[RebelsSupported]:
    if not contender.rebels_help or contender.goal is None:
        return ()
    helped = rebels_help(outcome.battle, contender) is True
    return (RebelsSupported(contender.unit, contender.goal),) if helped else ()


def _way(outcome: Outcome, contender: Contender, order: Advance | Convert) -> Event:
    if isinstance(order, Advance):
        return _advance(outcome, contender, order)
    return _conversion(outcome, contender, order)


def _advance(outcome: Outcome, contender: Contender, order: Advance) -> Advanced | AdvanceFailed:
    unit = contender.unit
    if not outcome.battle.answers[contender.number]:
        because = why_failed(outcome, contender)
        return AdvanceFailed(unit, order.to, because, order.coast, order.via)
    used = _strength_used(outcome, contender)
    left_empty = unit.place not in outcome.entered
    return Advanced(unit, order.to, order.coast, used, left_empty, order.via)


def _strength_used(outcome: Outcome, contender: Contender) -> int:
    """The strength with which it entered: against a unit driven out without its friends'."""
    number = outcome.battle.holder.get(contender.goal or contender.unit.place)
    if number is not None and outcome.drivers.get(number) is contender:
        owner = outcome.battle.contenders[number].unit.owner
        return outcome.battle.push(contender, against=owner)[0]
    return outcome.battle.push(contender)[0]


def _conversion(
    outcome: Outcome, contender: Contender, order: Convert
) -> Converted | ConversionFailed:
    unit = contender.unit
    if enters_city(order):
        return _conversion_into_city(outcome, contender, order)
    if outcome.succeeds(contender):
        used = _strength_used(outcome, contender)
        return Converted(unit, order.into, order.coast, used, left_empty=True)
    return ConversionFailed(unit, order.into, why_failed(outcome, contender))


def _conversion_into_city(
    outcome: Outcome, contender: Contender, order: Convert
) -> Converted | ConversionFailed:
    unit = contender.unit
    if outcome.goes_in(contender):
        left_empty = unit.place not in outcome.entered
        return Converted(unit, order.into, order.coast, contender.force, left_empty)
    attacker = outcome.driver_out(contender)
    if unit.place in outcome.battle.venice and attacker is not None:
        return ConversionFailed(unit, order.into, WasDislodged(attacker.unit))
    return ConversionFailed(unit, order.into, CityRebels(unit.place))


# --- who stayed ------------------------------------------------------------------------------


def _stand(
    outcome: Outcome, contender: Contender, intent: Support | Hold | HeldInstead | Transport
) -> tuple[Event, ...]:
    """What became of its order; nothing where its hold only ended in being driven out."""
    match intent:
        case Support():
            return (_support(outcome, contender, intent),)
        case Hold():
            return () if contender.number in outcome.drivers else (Held(contender.unit),)
        case Transport():
            return (_transport(outcome, contender, intent),)
        case HeldInstead():
            return (Held(contender.unit, intent),)


def _support(
    outcome: Outcome, contender: Contender, order: Support
) -> SupportGiven | SupportFailed:
    supported = _whom_supported(outcome, contender, order)
    if supported is None:
        return SupportFailed(contender.unit, NotMatched(order.supported))
    if outcome.succeeds(contender):
        enters = supported.unit.place != order.supported.place
        to = supported.goal if enters else order.to
        return SupportGiven(contender.unit, supported.unit, to)
    if outcome.battle.stopped(contender):
        return SupportFailed(contender.unit, why_closed(outcome, contender))
    return SupportFailed(contender.unit, why_cut(outcome, contender))


def _whom_supported(outcome: Outcome, contender: Contender, order: Support) -> Contender | None:
    """Whom it supports in what that unit does; at a closed strait that is to hold (MAP-35)."""
    number = outcome.setup.supported.get(contender.number)
    if number is None:
        return None
    supported = outcome.battle.contenders[number]
    if supported.leg is None or supported.unit.place != order.supported.place:
        return supported
    holds = supported.goal is None or outcome.battle.stopped(supported)
    return supported if holds is (order.to is None) else None


def _transport(
    outcome: Outcome, contender: Contender, order: Transport
) -> Transported | TransportFailed:
    number = outcome.battle.holder.get(order.army.place, NOBODY)
    passage = outcome.setup.passages.get(number)
    if passage is None or contender.number not in passage.fleets:
        return TransportFailed(contender.unit, NotMatched(order.army))
    army = outcome.battle.contenders[number]
    if outcome.battle.carried(army):
        return Transported(contender.unit, army.unit, order.to or army.unit.place)
    driver = outcome.driver_out(contender)
    if driver is not None:
        return TransportFailed(contender.unit, WasDislodged(driver.unit))
    because = convoys.failure(outcome.battle, outcome.turn.world, passage)
    return TransportFailed(contender.unit, because)


def _sieges(outcome: Outcome, besiegers: set[int]) -> list[Event]:
    """What became of the sieges: of those begun, and of those that were half done."""
    state, battle = outcome.turn.state, outcome.battle
    posts = map(outcome.turn.world.siege_post, state.sieges)
    half_way = {battle.holder[post] for post in posts if post in battle.holder}
    stayed = [
        (battle.contenders[number].unit, outcome.setup.intents[number])
        for number in besiegers | half_way
        if number not in outcome.drivers and not outcome.leaves(battle.contenders[number])
    ]
    return siege_results(outcome.turn.world, state, stayed)
