"""Why a unit did not get where it was ordered, and why a support did not count."""

from machjudge.adjudicator.battle import convoys
from machjudge.adjudicator.battle.contender import Contender, is_aimed_at
from machjudge.adjudicator.battle.outcome import Outcome
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.reasons import (
    Bounced,
    CutBy,
    Failure,
    OwnUnitMet,
    OwnUnitStayed,
    StraitClosed,
    SupporterDislodged,
    VeniceHeld,
    Withstood,
)


def why_failed(outcome: Outcome, contender: Contender) -> Failure:
    """What stopped a unit on its way, the nearest cause first."""
    battle = outcome.battle
    if battle.arrives(contender) is False:
        return _why_stopped(outcome, contender)
    goal = contender.goal or contender.unit.place
    if goal in battle.venice and goal in battle.city_holder:
        return VeniceHeld(_venice_opponent(outcome, contender, goal).unit)
    strength, _ = battle.push(contender)
    number = battle.holder.get(goal)
    holder = battle.contenders[number] if number is not None else None
    if holder is not None and _is_in_the_way(outcome, holder, contender):
        if holder.unit.owner == contender.unit.owner:
            return OwnUnitStayed(holder.unit)
        strength, _ = battle.push(contender, against=holder.unit.owner)
        needed, _ = battle.opposition(contender, holder)
        # Where orders wait for each other and all fail, strength did not decide.
        if strength <= needed or len(battle.into[goal]) == 1:
            return Withstood(holder.unit, strength, needed)
    for number in contender.bars:
        if battle.counts(battle.contenders[number]):
            return OwnUnitMet(battle.contenders[number].unit)
    return _strongest_rival(outcome, contender, goal, strength)


def _is_in_the_way(outcome: Outcome, holder: Contender, contender: Contender) -> bool:
    comes = holder.facing == contender.number
    return comes or not contender.follows or not outcome.leaves(holder)


def _why_stopped(outcome: Outcome, contender: Contender) -> Failure:
    if contender.by_sea:
        passage = outcome.setup.passages[contender.number]
        return convoys.failure(outcome.battle, outcome.turn.world, passage)
    return why_closed(outcome, contender)


def why_closed(outcome: Outcome, contender: Contender) -> StraitClosed:
    """Which fleet closed the strait that a unit's move or support crosses (MAP-35)."""
    leg = contender.leg or frozenset()
    battle = outcome.battle
    guard = battle.guards[leg].closing(battle.contenders, battle.answers, contender.unit.owner)
    return StraitClosed(guard or contender.unit)


def _venice_opponent(outcome: Outcome, contender: Contender, goal: PlaceId) -> Contender:
    battle = outcome.battle
    garrison = battle.contenders[battle.city_holder[goal]]
    if garrison is not contender:
        return garrison
    others = (battle.contenders[n] for n in battle.into[goal] if n != contender.number)
    return next(other for other in others if battle.counts(other))


def _strongest_rival(
    outcome: Outcome, contender: Contender, goal: PlaceId, strength: int
) -> Bounced:
    """The rival for the same goal that kept most out, the first of several."""
    battle = outcome.battle
    rivals = [battle.contenders[n] for n in battle.into[goal] if n != contender.number]
    rival = max(rivals, key=lambda other: battle.prevention(other)[0])
    return Bounced(rival.unit, strength, battle.prevention(rival)[0])


def why_cut(outcome: Outcome, supporter: Contender) -> CutBy | SupporterDislodged:
    """Who cut a support, or drove the supporter out (MOV-14).

    Where supports would undo each other, so that both fail, that is whoever attacks the supporter.
    """
    battle = outcome.battle
    attackers = [
        battle.contenders[n]
        for n in battle.into[supporter.unit.place]
        if battle.contenders[n].unit.owner != supporter.unit.owner
    ]
    for attacker in attackers:
        if not is_aimed_at(supporter, attacker) and battle.cuts(attacker, supporter):
            return CutBy(attacker.unit)
    driver = next(filter(outcome.succeeds, attackers), None)
    return CutBy(attackers[0].unit) if driver is None else SupporterDislodged(driver.unit)
