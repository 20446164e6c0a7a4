"""Resolve movement: solve the battle, and explain each unit's result (area MOV)."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from machjudge.adjudicator.battle import convoys
from machjudge.adjudicator.battle.setup import (
    BattleSetup,
    GivenOrders,
    orders_given,
    set_up,
)
from machjudge.adjudicator.battle.solve import Assignment, solve
from machjudge.adjudicator.battle.strength import (
    NOBODY,
    Answer,
    Battle,
    Contender,
    Guards,
    is_aimed_at,
    rebels_help,
)
from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    CityTaken,
    ConversionFailed,
    Converted,
    Event,
    Held,
    OrderIgnored,
    ProvinceTaken,
    RebelsSupported,
    SupportFailed,
    SupportGiven,
    TieBroken,
    Transported,
    TransportFailed,
    UnitDislodged,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Turn, evolve_all
from machjudge.adjudicator.land import retreats
from machjudge.adjudicator.land.control import COUNTS
from machjudge.adjudicator.land.sieges import (
    Intent,
    enters_city,
    lapsed_sieges,
    siege_results,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    StrategicMove,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.reasons import (
    Bounced,
    CityRebels,
    CutBy,
    Failure,
    HeldInstead,
    NotMatched,
    OwnUnitMet,
    OwnUnitStayed,
    Removal,
    StraitClosed,
    SupporterDislodged,
    VeniceHeld,
    WasDislodged,
    Withstood,
)
from machjudge.adjudicator.rules import OtherOrder, Overrun, Timing
from machjudge.adjudicator.state import Dislodged
from machjudge.adjudicator.units import FLEET, Unit


class Outcome:
    """The facts of a solved battle."""

    def __init__(self, turn: Turn, setup: BattleSetup) -> None:
        self.turn = turn
        self.setup = setup
        self.battle = setup.battle
        self.entered = {
            contender.goal: contender
            for contender in self.battle.contenders
            if contender.goal is not None and self.succeeds(contender)
        }
        """The contender that entered each place."""
        drivers = {}
        for place, attacker in self.entered.items():
            number = self.battle.holder.get(place)
            if number is not None and not self._gets_away(self.battle.contenders[number]):
                drivers[number] = attacker
        if self.turn.world.rules.conversion.overrun is Overrun.THEN_RETREAT:
            drivers |= self._overrun()
        self.drivers = drivers
        """The attacker of each dislodged contender, by number."""

    def _overrun(self) -> dict[int, Contender]:
        """The attacker that dislodges a garrison converted out before it (CNV-09).

        No other unit may stand in its way, and its own power never dislodges it.
        """
        drivers = {}
        for contender in self.battle.contenders:
            place = contender.unit.place
            attacker = self.entered.get(place)
            comes_out = contender.stands_in is None and contender.goal is not None
            if not comes_out or attacker is None or place in self.battle.venice:
                continue
            if attacker.unit.owner != contender.unit.owner and self._way_is_free(contender):
                drivers[contender.number] = attacker
        return drivers

    def _way_is_free(self, garrison: Contender) -> bool:
        number = self.battle.holder.get(garrison.unit.place)
        if number is None:
            return True
        holder = self.battle.contenders[number]
        return garrison.follows and self._gets_away(holder)

    def _gets_away(self, contender: Contender) -> bool:
        """Return whether it leaves before its place is entered, be it into the city (CNV-05)."""
        into_city = self._enters_city(contender) and contender.unit.place not in self.battle.venice
        return into_city or self.leaves(contender)

    def _enters_city(self, contender: Contender) -> bool:
        if contender.goal is not None or not self.succeeds(contender):
            return False
        return enters_city(self.intent(contender))

    def intent(self, contender: Contender) -> Intent:
        """Return the contender's intent."""
        return self.setup.intents[contender.number]

    def succeeds(self, contender: Contender) -> bool:
        """Return whether the contender succeeded."""
        return self.battle.answers[contender.number] is True

    def leaves(self, contender: Contender) -> bool:
        """Return whether the contender left its place."""
        return contender.leaves and self.battle.answers[contender.number] is True

    def driver_out(self, contender: Contender) -> Contender | None:
        """Return the attacker that dislodged the contender."""
        return self.drivers.get(contender.number)

    def goes_in(self, contender: Contender) -> bool:
        """Return whether it becomes its province's garrison."""
        in_venice = contender.unit.place in self.battle.venice
        return self._enters_city(contender) and not (in_venice and self.driver_out(contender))

    # --- the map after movement ----------------------------------------------------------------

    def field_after(self) -> dict[PlaceId, Unit]:
        """Return the unit in each province or sea after movement."""
        after = {place: self.as_entered(contender) for place, contender in self.entered.items()}
        for place, number in self.battle.holder.items():
            contender = self.battle.contenders[number]
            if place not in after and not self.leaves(contender) and not self.goes_in(contender):
                after[place] = contender.unit
        return after

    def as_entered(self, contender: Contender) -> Unit:
        """Return the unit after its success: of another type if it converted."""
        intent = self.intent(contender)
        if isinstance(intent, Convert):
            return contender.unit.converted(intent.into, intent.coast)
        return contender.unit

    def cities_after(self) -> frozenset[PlaceId]:
        """Return the garrison in each city after movement."""
        held = set()
        for contender in self.battle.contenders:
            is_inside = contender.stands_in is None and contender.number not in self.drivers
            if (is_inside and not self.leaves(contender)) or self.goes_in(contender):
                held.add(contender.unit.place)
        return frozenset(held)

    def contested(self) -> frozenset[PlaceId]:
        """Return the places of bounces, closed to retreats where vacant (MOV-40)."""
        bounced = set()
        for contender in self.battle.contenders:
            if contender.goal is None or self.succeeds(contender):
                continue
            least, _ = self.battle.prevention(contender)
            if least > 0:
                bounced.add(contender.goal)
        return frozenset(bounced)


# The tie-break: who gets its way where orders wait for each other and nothing else decides.
# Source: rule catalogue MOV-21 (convoys), MAP-19 (straits); decision page 2 for the rest.
Leg = frozenset[PlaceId]
Closed = Mapping[Leg, frozenset[PowerId]]
"""The powers to which each strait is closed."""


class TieBreaker:
    """The judge's tie-break: the first rule that fits the tied questions.

    :param battle: the battle that is being solved.
    :param asked: all its questions.
    """

    def __init__(self, battle: Battle, asked: Sequence[int]) -> None:
        self.battle = battle
        self.asked = asked
        self.events: list[TieBroken] = []
        """The ties, in the order in which they were broken."""

    def decide(self, group: Sequence[int]) -> Assignment:
        """Decide straits (MAP-19); else transports fail; else all advance; else all fail."""
        straits = self._open_straits(group)
        if straits:
            return self._settle_straits(group, straits)
        size = len(self.battle.contenders)
        transports = [question for question in group if question >= size]
        if transports:
            self._note("transports fail", [question - size for question in transports])
            return dict.fromkeys(transports, False)
        if self._all_can_advance(group):
            self._note("all advance", group)
            return dict.fromkeys(group, True)
        self._note("all fail", group)
        return dict.fromkeys(group, False)

    def _note(self, rule: str, numbers: Iterable[int]) -> None:
        units = tuple(self.battle.contenders[number].unit for number in numbers)
        self.events.append(TieBroken(rule, units))  # type: ignore[arg-type]

    def _all_can_advance(self, group: Sequence[int]) -> bool:
        battle = self.battle
        if any(battle.contenders[number].goal is None for number in group):
            return False
        for number in group:
            battle.answers[number] = True
        possible = all(battle.equation(number) is not False for number in group)
        for number in group:
            battle.answers[number] = None
        return possible

    # --- straits -----------------------------------------------------------------------------

    def _open_straits(self, group: Sequence[int]) -> list[Leg]:
        """The straits on whose guards the group depends."""
        self.battle.unclear.clear()
        for question in group:
            self.battle.equation(question)
        return sorted(self.battle.unclear, key=sorted)

    def _settle_straits(self, group: Sequence[int], straits: Sequence[Leg]) -> Assignment:
        """Settle the moves as if the straits were open, then as those moves close them (MAP-19).

        Repeated until nothing changes; without an end, the fleets there at the start guard.
        """
        closed: Closed = dict.fromkeys(straits, frozenset())
        tried: list[Closed] = []
        while closed not in tried:
            tried.append(closed)
            answers, then_closed = self._with_straits(closed)
            if then_closed == closed:
                size = len(self.battle.contenders)
                self._note("moves first", sorted({question % size for question in group}))
                return {question: answers[question] is True for question in group}
            closed = then_closed
        # From now on the fleets that stood there at the start guard these straits (MAP-19).
        for leg in straits:
            guards = self.battle.guards[leg]
            staying = guards.staying + guards.leaving
            self.battle.guards[leg] = Guards(staying, (), (), guards.allowed)
            self._note("guards stay", staying)
        return {}

    def _with_straits(self, closed: Closed) -> tuple[list[Answer], Closed]:
        """All answers with these straits closed, and the straits closed by them."""
        battle = self.battle
        known, battle.assumed = list(battle.answers), closed
        inner = TieBreaker(battle, self.asked)
        solve(battle, [q for q in self.asked if known[q] is None], inner.decide)
        battle.assumed = {}
        answers, then_closed = list(battle.answers), self._closed_now(closed)
        battle.answers[:] = known
        return answers, then_closed

    def _closed_now(self, straits: Iterable[Leg]) -> Closed:
        fleets = (f.unit for f in self.battle.contenders if f.unit.kind is FLEET)
        owners = frozenset(fleet.owner for fleet in fleets)
        return {
            leg: frozenset(owner for owner in owners if self.battle.closed(leg, owner))
            for leg in straits
        }


def dislodgements(outcome: Outcome) -> Iterator[Event]:
    """Return the dislodgements in the order of the contenders (MOV-40)."""
    if not outcome.drivers:
        return
    ground = retreats.Ground(
        world=outcome.turn.world,
        start=outcome.turn.start,
        state=outcome.turn.state,
        afield=outcome.field_after(),
        cities=outcome.cities_after(),
        contested=outcome.contested(),
        orders=outcome.turn.orders,
    )
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
    leaderless = loser.unit.owner in outcome.turn.assassinated()
    lost = leaderless and not ground.world.rules.retreat.of_victims
    if lost:
        options = Dislodged(unit, (), convert=False)
    else:
        options = retreats.retreat_options(ground, unit, attack)
    strength, _ = outcome.battle.push(attacker, against=loser.unit.owner)
    rival, _ = outcome.battle.opposition(attacker, loser)
    yield UnitDislodged(unit, attacker.unit, strength, rival, options.retreats, options.convert)
    if not options.retreats and not options.convert:
        yield UnitRemoved(unit, Removal.NO_RETREAT)


def why_failed(outcome: Outcome, contender: Contender) -> Failure:
    """Return what stopped a unit, the nearest cause first."""
    battle = outcome.battle
    if battle.arrives(contender) is False:
        if contender.by_sea:
            passage = outcome.setup.passages[contender.number]
            return convoys.failure(outcome.battle, outcome.turn.world, passage)
        return why_closed(outcome, contender)
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


def why_closed(outcome: Outcome, contender: Contender) -> StraitClosed:
    """Return the fleet that closed the strait for a unit's move or support (MAP-35)."""
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
    """Return the strongest rival for the same goal, the first of several."""
    battle = outcome.battle
    rivals = [battle.contenders[n] for n in battle.into[goal] if n != contender.number]
    rival = max(rivals, key=lambda other: battle.prevention(other)[0])
    return Bounced(rival.unit, strength, battle.prevention(rival)[0])


def why_cut(outcome: Outcome, supporter: Contender) -> CutBy | SupporterDislodged:
    """Return the unit that cut a support or dislodged the supporter (MOV-14).

    Where supports would undo each other, so that both fail, the attacker of the supporter.
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


def movement_events(outcome: Outcome) -> list[Event]:
    """Return all events in an order for ``evolve``: dislodged, moved, others, sieges."""
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
            case Support():
                stayed.append(_support(outcome, contender, intent))
            case Transport():
                stayed.append(_transport(outcome, contender, intent))
            case HeldInstead():
                stayed.append(Held(contender.unit, intent))
            case Hold() if contender.number not in outcome.drivers:
                stayed.append(Held(contender.unit))
            case Besiege():
                besiegers.add(contender.number)
            case Hold() | LiftSiege() | Disband() | StrategicMove():
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
        unit = contender.unit
        if not outcome.battle.answers[contender.number]:
            because = why_failed(outcome, contender)
            return AdvanceFailed(unit, order.to, because, order.coast, order.via)
        used = _strength_used(outcome, contender)
        left_empty = unit.place not in outcome.entered
        return Advanced(unit, order.to, order.coast, used, left_empty, order.via)
    return _conversion(outcome, contender, order)


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
    """The unit supported in its action; at a closed strait, its hold (MAP-35)."""
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
    state, battle = outcome.turn.state, outcome.battle
    posts = map(outcome.turn.world.siege_post, state.sieges)
    half_way = {battle.holder[post] for post in posts if post in battle.holder}
    stayed = [
        (battle.contenders[number].unit, outcome.setup.intents[number])
        for number in besiegers | half_way
        if number not in outcome.drivers and not outcome.leaves(battle.contenders[number])
    ]
    return siege_results(outcome.turn.world, state, stayed)


def resolve_movement(turn: Turn) -> list[Event]:
    """All moves, supports, convoys, conversions and sieges of a campaign, at once."""
    given = orders_given(turn.state, turn.orders)
    before = _before_movement(turn, given)
    ready = dataclasses.replace(turn, state=evolve_all(turn.state, before)) if before else turn
    setup = set_up(ready, given)
    breaker = TieBreaker(setup.battle, setup.questions)
    solve(setup.battle, setup.questions, breaker.decide)
    return [*before, *breaker.events, *movement_events(Outcome(ready, setup))]


def _before_movement(turn: Turn, given: GivenOrders) -> list[Event]:
    """Remove disbanding units before movement (MOV-31) and lapsed sieges (SIE-10).

    Garrisons go first: a besieger may disband only where its siege does not bind it (SIE-04).
    """
    world = turn.world
    may_disband = world.rules.movement.disband_order
    if not (given.void or turn.state.sieges or may_disband):
        return []
    events: list[Event] = [
        OrderIgnored(whose.power, given.void[whose]) for whose in sorted(given.void)
    ]
    events += _disbanded(turn, given.garrisons, turn.state.garrisons)
    events += lapsed_sieges(world, evolve_all(turn.state, events))
    bound = frozenset[PlaceId]()
    if world.rules.siege.other_order is not OtherOrder.FREE_MOVE:
        bound = frozenset(map(world.siege_post, evolve_all(turn.state, events).sieges))
    free = {place: order for place, order in given.afield.items() if place not in bound}
    events += _disbanded(turn, free, turn.state.field)
    events += lapsed_sieges(world, evolve_all(turn.state, events))
    return [*events, *_cities_left(turn, events)]


def _cities_left(turn: Turn, events: Sequence[Event]) -> Iterator[Event]:
    """Changes of control where garrisons disband: a unit outside is the last one there (CTL-05).

    No numbered step counts control before it may move off.
    """
    removed = [event.unit for event in events if isinstance(event, UnitRemoved)]
    left = {unit.place for unit in removed if unit.is_garrison}
    if left and turn.world.rules.control.timing is Timing.CONTINUOUS:
        count = COUNTS[turn.world.rules.rebellion.control]
        after = dataclasses.replace(turn, state=evolve_all(turn.state, events))
        for each in count(after):
            if isinstance(each, ProvinceTaken | CityTaken) and each.place in left:
                yield each


def _disbanded(
    turn: Turn, orders: Mapping[PlaceId, UnitOrder], units: Mapping[PlaceId, Unit]
) -> list[UnitRemoved]:
    """The units whose owners disband them; those of assassinated leaders hold (ASN-04)."""
    victims = turn.assassinated()
    return [
        UnitRemoved(units[place], Removal.ORDERED)
        for place in sorted(orders)
        if isinstance(orders[place], Disband) and units[place].owner not in victims
    ]
