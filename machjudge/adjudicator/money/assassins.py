"""Assassins, their chits, and the results of a leader's death (area ASN)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from machjudge.adjudicator.dice import SIDES, Dice, Throw
from machjudge.adjudicator.events import (
    ChitGiven,
    ChitsDrawn,
    ChitUsed,
    CityTaken,
    DiceThrown,
    Event,
    ExpensePaid,
    ExpenseSettled,
    Fate,
    OrderIgnored,
    PhaseEnded,
    PowerAssassinated,
    ProvinceTaken,
    SiegeEnded,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn, evolve
from machjudge.adjudicator.land.homes import living_powers
from machjudge.adjudicator.land.rebellions import throw_for_rebellion
from machjudge.adjudicator.land.sieges import besieger_of, with_lapses
from machjudge.adjudicator.money.expenses import defaulters, expenses_of, with_void_expenses
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Besiege, Expense, GiveChit, Purpose
from machjudge.adjudicator.prices import ATTEMPT, is_of
from machjudge.adjudicator.reasons import Flaw, Objection, Removal, SiegeEnd
from machjudge.adjudicator.rules import Chits, SiegeKill, Timing
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World

MAX_NUMBERS = 3
"""The most numbers of the die in an attempt (ASN-03)."""

# Assassins, and what follows when a leader dies by them or by the bank (area ASN). Everybody's
# attempts are simultaneous (ASN-14). That the orders of a victim's units become hold is the
# movement's affair (ASN-04); it sees ``PowerAssassinated``.
Deaths = Mapping[PowerId, tuple[PowerId, ...]]
"""The victims with their assassins; none for the bank."""


def settle_assassinations(turn: Turn) -> Sequence[Event]:
    """Settle the players' assassinations (SEQ-02, step 3)."""
    events: list[Event] = []
    killers: dict[PowerId, list[PowerId]] = {}
    for power in sorted(set(turn.orders) - with_void_expenses(turn)):
        tried, killed = _attempts_of(turn, power)
        events.extend(tried)
        for victim in killed:
            killers.setdefault(victim, []).append(power)
    dead = {victim: tuple(dict.fromkeys(by)) for victim, by in sorted(killers.items())}
    return [*events, *_deaths(turn, dead)]


def punish_defaulters(turn: Turn) -> Sequence[Event]:
    """Settle the bank's assassinations (BNK-10; SEQ-02, step 4); a leader dies once."""
    dead: Deaths = dict.fromkeys(sorted(defaulters(turn) - turn.assassinated()), ())
    return _deaths(turn, dead)


# --- attempts --------------------------------------------------------------------------------


def numbers_of(ducats: int) -> int:
    """Return the count of deadly numbers for so many ducats (ASN-03)."""
    return min(ducats // ATTEMPT, MAX_NUMBERS)


def deadly_faces(expense: Expense, ducats: int) -> tuple[int, ...]:
    """Return the deadly numbers: those named first, then the lowest (ASN-03)."""
    faces = dict.fromkeys((*expense.faces, *range(1, SIDES + 1)))
    return tuple(faces)[: numbers_of(ducats)]


def _attempts_of(turn: Turn, power: PowerId) -> tuple[list[Event], list[PowerId]]:
    """A power's attempts by their numbers, and their victims."""
    events: list[Event] = []
    killed: list[PowerId] = []
    chits = Counter(turn.state.chits.get(power, ()))
    thrown: Counter[PowerId] = Counter()
    for expense in expenses_of(turn, power):
        victim = expense.power
        if expense.purpose is not Purpose.ASSASSINATE or victim is None:
            continue
        ducats = sum(
            event.paid
            for event in turn.so_far
            if isinstance(event, ExpensePaid)
            and (event.power, event.number) == (power, expense.number)
        )
        fate = bar_to_attempt(turn.world, turn.state, victim, chits[victim], ducats)
        if fate in (None, "victim eliminated") and needs_chits(turn.world):
            chits[victim] -= 1
            events.append(ChitUsed(power, victim))
        if fate is None:
            thrown[victim] += 1
            die = _throw(turn, power, expense, thrown[victim])
            events.append(die)
            fate = "done" if die.dice[0] in deadly_faces(expense, ducats) else "failed"
        if fate == "done":
            killed.append(victim)
        events.append(ExpenseSettled(power, expense, fate, ATTEMPT, ducats))
    return events, killed


def needs_chits(world: World) -> bool:
    """Return whether an attempt uses up a chit (ASN-01)."""
    return world.rules.assassins.chits is not Chits.UNLIMITED


def bar_to_attempt(
    world: World, state: State, victim: PowerId, chits: int, ducats: int
) -> Fate | None:
    """Return why an attempt with so many chits and ducats gets no die (ASN-01, ASN-03)."""
    if numbers_of(ducats) == 0:
        return "no attempt"
    if chits == 0 and needs_chits(world):
        return "no chit"
    return "victim eliminated" if victim in state.eliminated else None


def _throw(turn: Turn, power: PowerId, expense: Expense, n: int) -> DiceThrown:
    throw = Throw(
        f"assassination {power} {expense.power}",
        n=n,
        given_as=f"assassination {power} E{expense.number}",
    )
    return DiceThrown(throw.purpose, turn.dice.roll(throw), n)


# --- what follows ----------------------------------------------------------------------------


def _deaths(turn: Turn, dead: Deaths) -> list[Event]:
    """Results of deaths: sieges broken, garrisons lost, rebellions, after control 1."""
    spared = frozenset(dead) | turn.assassinated() | defaulters(turn)
    events: list[Event] = []
    for victim, by in dead.items():
        events.append(PowerAssassinated(victim, by))
        events.extend(_lost_garrisons(turn, victim, spared))
    for victim in dead:
        events.extend(_broken_sieges(turn.world, turn.state, victim))
    lost = with_lapses(turn.world, turn.state, events)
    return [*lost, *(event for victim in dead for event in _rebellions(turn, victim))]


def _lost_garrisons(turn: Turn, victim: PowerId, spared: frozenset[PowerId]) -> list[Event]:
    """Garrisons under siege go, unless the besieger dies too (ASN-07)."""
    events: list[Event] = []
    state = turn.state
    for place in sorted(_under_siege(turn)):
        garrison, besieger = state.garrisons.get(place), besieger_of(turn.world, state, place)
        if garrison is None or besieger is None or garrison.owner != victim:
            continue
        if besieger.owner in spared:
            continue
        events.append(UnitRemoved(garrison, Removal.ASSASSINATION))
        if turn.world.rules.control.timing is Timing.CONTINUOUS:
            # No numbered step counts control before the besieger may move off (CTL-16).
            events.append(CityTaken(place, besieger.owner, state.cities.get(place)))
            if place in turn.world.venice:
                events.append(ProvinceTaken(place, besieger.owner, state.provinces.get(place)))
    return events


def _under_siege(turn: Turn) -> Iterable[PlaceId]:
    """Places with a siege half done or, if the rules count it, begun now (ASN-07)."""
    state = turn.state
    if turn.world.rules.assassins.siege_kill is SiegeKill.PREVIOUS_ONLY:
        return state.sieges
    begun = {
        turn.world.city_before(order.unit.place)
        for power, order in turn.orders_of(Besiege)
        if is_of(power, state.field.get(order.unit.place))
    }
    return state.sieges | begun


def _broken_sieges(world: World, state: State, victim: PowerId) -> list[SiegeEnded]:
    """The sieges that a victim conducts end (ASN-05)."""
    return [
        SiegeEnded(place, SiegeEnd.BROKEN)
        for place in sorted(state.sieges)
        if is_of(victim, besieger_of(world, state, place))
    ]


def _rebellions(turn: Turn, victim: PowerId) -> list[Event]:
    """A die for every province of the victim (ASN-09); none in a game without dice (SET-04)."""
    if not turn.world.rules.game.dice:
        return []
    limits = turn.world.rules.money.revolts
    return [
        event
        for place in _provinces_of(turn, victim)
        for event in throw_for_rebellion(turn, victim, place, limits)
    ]


def _provinces_of(turn: Turn, victim: PowerId) -> list[PlaceId]:
    """The provinces that are tested: not Venice with a unit in it (MAP-26)."""
    state = turn.state
    held = sorted(place for place, owner in state.provinces.items() if owner == victim)
    return [
        place
        for place in held
        if not turn.world.place(place).venice
        or (place not in state.field and place not in state.garrisons)
    ]


# Assassination chits that change hands: at any time, at once, and for good (ASN-02).
_DICE = 6
"""The dice that place a chit in the bag."""


def deal_chits(world: World, state: State, dice: Dice) -> list[ChitsDrawn]:
    """Deal the chits at the beginning, where the rules mix them (ASN-01).

    Each power puts in as many of its own as there are others, then draws by turns. Dice sort the
    bag.
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
    """Return whether assassins are in use (ASN-12)."""
    return world.rules.game.money and world.rules.money.assassinations


def pass_chits(turn: Turn) -> list[Event]:
    """Pass the chits given in a phase's orders, before anything else."""
    state, events = turn.state, list[Event]()
    for power, order in turn.orders_of(GiveChit):
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
    """Return the gift of *giver*'s chit on *victim*, or why it fails."""
    flaw = _flaw(world, state, giver, receiver, victim)
    return ChitGiven(giver, receiver, victim) if flaw is None else Objection(flaw, "ASN-02")


def is_interlude(events: Iterable[Event]) -> bool:
    """Return whether *events* happened between two phases."""
    return not any(isinstance(event, PhaseEnded) for event in events)


def passed_again(world: World, state: State, events: Iterable[Event]) -> tuple[ChitGiven, ...]:
    """Repeat an interlude's gifts, without those that the rules forbid."""
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
