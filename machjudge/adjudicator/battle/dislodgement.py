"""Who was driven out in movement, by what strength, and where it may retreat."""

from collections.abc import Iterator

from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.battle.intents import assassinated
from machjudge.adjudicator.battle.outcome import Outcome
from machjudge.adjudicator.events import Converted, Event, UnitDislodged, UnitRemoved
from machjudge.adjudicator.land import retreats
from machjudge.adjudicator.model.reasons import Removal


def dislodgements(outcome: Outcome) -> Iterator[Event]:
    """Everybody driven out, in the order of the contenders (MOV-40)."""
    if not outcome.drivers:
        return
    ground = _ground(outcome)
    for number in sorted(outcome.drivers):
        yield from _dislodgement(outcome, ground, outcome.battle.contenders[number])


def _dislodgement(outcome: Outcome, ground: retreats.Ground, loser: Contender) -> Iterator[Event]:
    attacker = outcome.drivers[loser.number]
    unit = loser.unit
    if loser.stands_in is None:
        unit = outcome.as_entered(loser)
        strength, _ = outcome.battle.push(loser)
        yield Converted(loser.unit, unit.kind, unit.coast, strength, left_empty=True)
    from_city = attacker.stands_in is None
    attack = retreats.Attack(attacker.unit, attacker.by_sea, from_city)
    lost = not ground.world.rules.retreat.of_victims and _is_leaderless(outcome, loser)
    ways = retreats.NO_WAY_OUT if lost else retreats.ways_out(ground, unit, attack)
    strength, _ = outcome.battle.push(attacker, against=loser.unit.owner)
    rival, _ = outcome.battle.opposition(attacker, loser)
    yield UnitDislodged(unit, attacker.unit, strength, rival, ways.spots, ways.convert)
    if not ways.spots and not ways.convert:
        yield UnitRemoved(unit, Removal.NO_RETREAT)


def _is_leaderless(outcome: Outcome, loser: Contender) -> bool:
    """Whether its leader was killed in this campaign (ASN-04)."""
    return loser.unit.owner in assassinated(outcome.turn.so_far)


def _ground(outcome: Outcome) -> retreats.Ground:
    return retreats.Ground(
        world=outcome.turn.world,
        start=outcome.turn.start,
        state=outcome.turn.state,
        afield=outcome.field_after(),
        cities=outcome.cities_after(),
        contested=outcome.contested(),
        orders=outcome.turn.orders,
    )
