"""Assassination chits that change hands: at any time, at once, and for good (ASN-02)."""

from collections.abc import Iterable

from machjudge.adjudicator.events import ChitGiven, ChitsDrawn, Event, OrderIgnored, PhaseEnded
from machjudge.adjudicator.events.evolve import evolve
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.home import living_powers
from machjudge.adjudicator.model.dice import Dice, Throw
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import GiveChit
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import Chits
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.assassination import needs_chits

_DICE = 6
"""How many dice decide the place of a chit in the bag."""


def deal_chits(world: World, state: State, dice: Dice) -> list[ChitsDrawn]:
    """The chits that each power draws at the beginning, where the rules mix them (ASN-01).

    Each power puts in as many of its own as there are others; the powers then draw by turns.  A
    bag is mixed by sorting it: dice decide the place of each chit.
    """
    powers, assassins = living_powers(world, state), world.rules.assassins
    if not is_for_hire(world) or assassins.chits is not Chits.DRAWN:
        return []
    places: list[tuple[tuple[int, ...], PowerId, int]] = []
    for power in powers:
        others = len(powers) - 1
        thrown = dice.roll(Throw(f"chits {power}", others * _DICE))
        places += [(thrown[n * _DICE :][:_DICE], power, n) for n in range(others)]
    bag = [power for _, power, _ in sorted(places)]
    return [
        ChitsDrawn(power, tuple(sorted(bag[turn :: len(powers)])))
        for turn, power in enumerate(powers)
    ]


def is_for_hire(world: World) -> bool:
    """Whether assassins are for hire at all (ASN-12)."""
    return world.rules.game.money and world.rules.money.assassinations


def pass_chits(turn: Turn) -> list[Event]:
    """The chits given away in the orders of a phase, before anything else, in their order."""
    gifts = [
        (power, order)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, GiveChit)
    ]
    state, events = turn.state, list[Event]()
    for power, order in gifts:
        given = hand_over(turn.world, state, power, order.to, order.of)
        if isinstance(given, ChitGiven):
            state = evolve(state, given)
            events.append(given)
        else:
            events.append(OrderIgnored(power, order))
    return events


def hand_over(
    world: World, state: State, giver: PowerId, receiver: PowerId, victim: PowerId
) -> ChitGiven | Objection:
    """The gift of *giver*'s chit on *victim* to *receiver*, or why there is none."""
    flaw = _flaw(world, state, giver, receiver, victim)
    return ChitGiven(giver, receiver, victim) if flaw is None else Objection(flaw, "ASN-02")


def is_interlude(events: Iterable[Event]) -> bool:
    """Whether *events* belong to no phase that was played, but happened between two."""
    return not any(isinstance(event, PhaseEnded) for event in events)


def passed_again(world: World, state: State, events: Iterable[Event]) -> tuple[ChitGiven, ...]:
    """The gifts of an interlude once more, without those that the rules forbid."""
    passed: list[ChitGiven] = []
    for event in events:
        if isinstance(event, ChitGiven):
            given = hand_over(world, state, event.giver, event.receiver, event.victim)
            if isinstance(given, ChitGiven):
                state = evolve(state, given)
                passed.append(given)
    return tuple(passed)


def _flaw(
    world: World, state: State, giver: PowerId, receiver: PowerId, victim: PowerId
) -> Flaw | None:
    if not world.rules.money.assassinations or not needs_chits(world):
        return Flaw.FLAG_OFF
    if receiver not in world.in_play:
        return Flaw.UNKNOWN_POWER
    if world.leads(receiver, state.sides) != receiver:
        return Flaw.LED_BY_ANOTHER
    if receiver in state.eliminated or giver in state.eliminated:
        return Flaw.ELIMINATED
    if receiver == giver:
        return Flaw.YOURSELF
    return None if victim in state.chits.get(giver, ()) else Flaw.NO_CHIT
