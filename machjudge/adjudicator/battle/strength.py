"""The equations of advance, support and transport, over what is known so far (area MOV)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from machjudge.adjudicator.land.sieges import Intent
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Advance, Besiege, Convert, Support
from machjudge.adjudicator.rules import (
    CoastSupport,
    ConflictRules,
    ConvoyCut,
    EliteCut,
    StrengthScope,
    SupportCut,
    SupportTarget,
)
from machjudge.adjudicator.units import FLEET, GARRISON, Unit
from machjudge.adjudicator.world import World

Answer = bool | None
"""None while it is too early to tell."""


Range = tuple[int, int]
"""The least and the most that a strength can still be."""

NOTHING: Range = (0, 0)


def any_of(answers: Iterable[Answer]) -> Answer:
    """True if one is, False if all are, otherwise too early to tell."""
    result: Answer = False
    for answer in answers:
        if answer is True:
            return True
        if answer is None:
            result = None
    return result


def all_of(answers: Sequence[Answer]) -> Answer:
    """True if all are, False if one is not, otherwise too early to tell."""
    return not_(any_of(not_(answer) for answer in answers))


def not_(answer: Answer) -> Answer:
    """The contrary, where the answer is known."""
    return None if answer is None else not answer


def either(one: Answer, other: Answer) -> Answer:
    """Whether one of two is so."""
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def both(one: Answer, other: Answer) -> Answer:
    """Whether both are so."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def more(one: Range, other: Range) -> Answer:
    """Whether one strength exceeds the other."""
    (least, most), (other_least, other_most) = one, other
    if least > other_most:
        return True
    return False if most <= other_least else None


NOBODY = -1


@dataclass(slots=True)
class Contender:
    """One unit in the campaign: what it tries, and who has to do with it.

    Contenders know each other by their number in the battle; -1 is nobody.
    """

    unit: Unit
    number: int
    force: int
    """What the unit itself counts (MOV-27)."""
    stands_in: PlaceId | None
    """The province or sea that it stands in; None for a garrison, which stands in a city."""
    goal: PlaceId | None = None
    """The province or sea that it tries to enter."""
    leaves: bool = False
    """Whether it tries to leave where it stands, for another place or for the city."""
    supports: PlaceId | None = None
    """The place that it gives support into, where its support is valid."""
    backers: tuple[int, ...] = ()
    """Whose support would count for what it does."""
    held_by: tuple[int, ...] = ()
    """Whose support to hold would count if a strait stops it (MAP-35)."""
    held_anyway: bool = False
    """Whether that support counts whatever keeps it where it stands."""
    yields: bool = False
    """Whether attacks that do not cut its support take a point off it (MOV-28)."""
    bars: tuple[int, ...] = ()
    """Units of its own power on whose account it cannot enter its goal (MOV-16, MOV-17)."""
    by_sea: bool = False
    """Whether it goes by convoy."""
    facing: int = NOBODY
    """The unit that tries to change places with it over land or coast (MOV-18)."""
    follows: bool = True
    """Whether it may enter its goal as another unit leaves that (CNV-16)."""
    leg: frozenset[PlaceId] | None = None
    """The border in a strait that its move or support crosses (MAP-35)."""
    rebels_help: bool = False
    """Whether rebels would support it on its way (REB-11, REB-15)."""


def is_aimed_at(supporter: Contender, attacker: Contender) -> bool:
    """Whether a support goes into the very place that the attack on it comes from (MOV-14)."""
    return attacker.stands_in is not None and attacker.stands_in == supporter.supports


@dataclass(frozen=True, slots=True)
class Guards:
    """The fleets that may close one strait in this campaign (MAP-36)."""

    staying: tuple[int, ...]
    """Fleets there at the start that close it whatever they do."""
    leaving: tuple[int, ...]
    """Fleets there at the start that close it unless they succeed in leaving or converting."""
    entering: tuple[int, ...]
    """Fleets that close it if they succeed in entering or converting out."""
    allowed: frozenset[tuple[PowerId, PowerId]]
    """Who lets whom pass: (owner of the guard, owner of the fleet) (MAP-11)."""

    def closed_to(
        self, contenders: Sequence[Contender], answers: Sequence[Answer], owner: PowerId
    ) -> Answer:
        """Whether one of them closes the strait to *owner*."""
        closed: Answer = False
        for number in self.staying:
            if self._hostile(contenders[number], owner):
                return True
        for number in self.leaving:
            if self._hostile(contenders[number], owner):
                closed = either(closed, not_(answers[number]))
        for number in self.entering:
            if self._hostile(contenders[number], owner):
                closed = either(closed, answers[number])
        return closed

    def _hostile(self, contender: Contender, owner: PowerId) -> bool:
        guard = contender.unit.owner
        return guard != owner and (guard, owner) not in self.allowed

    def closing(
        self, contenders: Sequence[Contender], answers: Sequence[Answer], owner: PowerId
    ) -> Unit | None:
        """The fleet that closed the strait to *owner*, once everything is known."""
        for numbers, closes in ((self.staying, None), (self.leaving, False), (self.entering, True)):
            for number in numbers:
                hostile = self._hostile(contenders[number], owner)
                if hostile and (closes is None or answers[number] is closes):
                    return contenders[number].unit
        return None


def rebels_help(battle: "Battle", contender: Contender) -> Answer:
    """Whether the rebels' one point goes to it among all who would get it (REB-11 to REB-14).

    Claimants of several powers get nothing; of several units of one power the one with more
    support gets it, at equal support none.
    """
    helped: Answer = battle.counts(contender)
    if battle.rebels_help_each:
        return helped
    for number in battle.into[contender.goal] if contender.goal is not None else ():
        rival = battle.contenders[number]
        if rival is contender or not rival.rebels_help:
            continue
        helped = both(helped, _claims_before(battle, contender, rival))
    return helped


def _claims_before(battle: "Battle", contender: Contender, rival: Contender) -> Answer:
    rival_counts = battle.counts(rival)
    if rival_counts is False:
        return True
    ahead: Answer = False
    if rival.unit.owner == contender.unit.owner:
        ahead = more(_backing(battle, contender), _backing(battle, rival))
    if ahead is True or rival_counts is True:
        return ahead
    return None


def _backing(battle: "Battle", contender: Contender) -> Range:
    least, most = battle.supported(contender, contender.backers)
    return least - contender.force, most - contender.force


def any_attack(battle: "Battle", attacker: Contender, _supporter: Contender) -> Answer:
    """Any attack cuts, be it in vain (MOV-14)."""
    return battle.counts(attacker)


def head_to_head(battle: "Battle", _contender: Contender, holder: Contender) -> Range:
    """All the strength of one that comes the other way counts against it (MOV-18)."""
    return battle.push(holder)


@dataclass(slots=True)
class Battle:
    """All contenders of a campaign, and what is known of their success.

    Question *n* below the number of contenders is: does contender *n* do what it tries, that is,
    enter its goal, convert, or support?  Question number of contenders + *n* is: is army *n*
    carried all the way by its fleets?
    """

    contenders: list[Contender]
    answers: list[Answer]
    holder: dict[PlaceId, int] = field(default_factory=dict)
    """Who stands in a province or sea at the start."""
    into: dict[PlaceId, list[int]] = field(default_factory=dict)
    """Who tries to enter a province or sea."""
    route_answer: dict[int, Callable[[], Answer]] = field(default_factory=dict)
    """How to tell whether an army is carried, for the armies that are not settled yet."""
    guards: dict[frozenset[PlaceId], Guards] = field(default_factory=dict)
    venice: frozenset[PlaceId] = frozenset()
    """Places where the rules of Venice hold."""
    city_holder: dict[PlaceId, int] = field(default_factory=dict)
    """The garrison in each city of those places."""
    unclear: set[frozenset[PlaceId]] = field(default_factory=set)
    """The straits that could not be said to be open or closed when an answer asked for it."""
    rebels_help_each: bool = False
    """Whether rebels help everybody who comes, and not one alone (REB-13)."""
    assumed: Mapping[frozenset[PlaceId], frozenset[PowerId]] = field(default_factory=dict)
    """To whom straits are taken to be closed while the moves are tried without them (MAP-19)."""
    cut: Callable[["Battle", Contender, Contender], Answer] = any_attack
    """Whether an attacker cuts a supporter's support, where it does not come from its target."""
    coming: Callable[["Battle", Contender, Contender], Range] = head_to_head
    """What a contender meets in one that comes the other way."""
    dislodged_acts: bool = True
    """Whether a unit that is driven out still cuts and bounces elsewhere (MOV-18)."""
    convoys_cut: bool = True
    """Whether a convoyed army cuts also where it dislodges nobody (MOV-21)."""

    # --- the questions -----------------------------------------------------------------------

    def equation(self, question: int) -> Answer:
        """What is certain about a question (see the class)."""
        size = len(self.contenders)
        if question >= size:
            return self.route_answer[question - size]()
        contender = self.contenders[question]
        if contender.goal is not None:
            return self.advances(contender)
        return self.supports(contender)

    def carried(self, contender: Contender) -> Answer:
        """Whether its convoy holds; only for contenders that go by sea."""
        return self.answers[len(self.contenders) + contender.number]

    def arrives(self, contender: Contender) -> Answer:
        """Whether it gets as far as its goal: by its convoy, and not stopped by a strait."""
        if contender.by_sea:
            return self.carried(contender)
        return True if contender.leg is None else not_(self.stopped(contender))

    def counts(self, contender: Contender) -> Answer:
        """Whether its advance, be it in vain, cuts supports and keeps others out of its goal.

        It does even if the contender is driven out meanwhile, where the rules let it (MOV-18).
        """
        if self.dislodged_acts:
            return self.arrives(contender)
        stays = not_(self.answers[contender.number])
        return both(self.arrives(contender), not_(both(stays, self.dislodged(contender))))

    def dislodged(self, contender: Contender) -> Answer:
        """Whether somebody enters where a unit stands, which drives it out if it does not leave."""
        attackers = () if contender.stands_in is None else self.into.get(contender.stands_in, ())
        return any_of(self.answers[n] for n in attackers if n != contender.number)

    # --- support -----------------------------------------------------------------------------

    def supports(self, contender: Contender) -> Answer:
        """Whether a valid support counts: neither cut, nor dislodged, nor behind a strait.

        Any attack by another power cuts, except from the place that the support goes into;
        from there only being dislodged ends it (MOV-14, MOV-15).  Nothing attacks a garrison
        (MOV-24).
        """
        ended = self.stopped(contender)
        if contender.stands_in is not None:
            for number in self.into.get(contender.stands_in, ()):
                if ended is True:
                    break
                ended = either(ended, self.cuts(self.contenders[number], contender))
        return not_(ended)

    def cuts(self, attacker: Contender, supporter: Contender) -> Answer:
        """Whether an attack on a supporter ends its support."""
        if attacker.unit.owner == supporter.unit.owner:
            return False
        if is_aimed_at(supporter, attacker) or (attacker.by_sea and not self.convoys_cut):
            return self.answers[attacker.number]
        return self.cut(self, attacker, supporter)

    # --- strengths ---------------------------------------------------------------------------

    def push(self, contender: Contender, against: PowerId | None = None) -> Range:
        """The strength of its way in; supports by the power *against* do not count (MOV-15)."""
        if not contender.backers and not contender.rebels_help:
            return contender.force, contender.force
        least, most = self.supported(contender, contender.backers, against)
        if contender.rebels_help:
            helped = rebels_help(self, contender)
            least += helped is True
            most += helped is not False
        return least, most

    def supported(
        self, contender: Contender, backers: Iterable[int], against: PowerId | None = None
    ) -> Range:
        """Its strength with those supports; those by the power *against* do not count."""
        least = most = contender.force
        for number in backers:
            backer = self.contenders[number]
            if against is not None and backer.unit.owner == against:
                continue
            given = self.answers[number]
            if given is not False:
                worst = best = backer.force
                if backer.yields:
                    worst, best = self._worth(backer)
                most += best
                if given:
                    least += worst
        return least, most

    def _worth(self, backer: Contender) -> Range:
        """What an elite's support counts: a point less under attacks that do not cut (MOV-28)."""
        attackers = (self.contenders[n] for n in self.into.get(backer.unit.place, ()))
        hit = any_of(
            self.counts(attacker)
            for attacker in attackers
            if attacker.unit.owner != backer.unit.owner and not is_aimed_at(backer, attacker)
        )
        return backer.force - (hit is not False), backer.force - (hit is True)

    def resistance(self, contender: Contender) -> Range:
        """What it holds its place with: alone if it failed to leave (MOV-32).

        A fleet that a strait stops has no order to leave, and can be supported (MAP-35).
        """
        if not contender.leaves:
            return self.push(contender)
        alone = contender.force, contender.force
        if not contender.held_by:
            return alone
        stopped = True if contender.held_anyway else self.stopped(contender)
        if stopped is False:
            return alone
        least, most = self.supported(contender, contender.held_by)
        return (least, most) if stopped else (contender.force, most)

    def opposition(self, contender: Contender, holder: Contender) -> Range:
        """What *holder* holds against *contender*: all its strength if it comes the other way.

        It does not come if a strait stops it (MAP-35).
        """
        if holder.facing != contender.number:
            return self.resistance(holder)
        stopped = self.stopped(holder)
        if stopped is False:
            return self.coming(self, contender, holder)
        held = self.resistance(holder)
        if stopped is True:
            return held
        coming = self.coming(self, contender, holder)
        return min(held[0], coming[0]), max(held[1], coming[1])

    def stopped(self, contender: Contender) -> Answer:
        """Whether a strait stops its move, which then counts as not ordered (MAP-35)."""
        if contender.leg is None:
            return False
        return self.closed(contender.leg, contender.unit.owner)

    def prevention(self, contender: Contender) -> Range:
        """The strength with which it keeps others out of its goal (MOV-33).

        None at all if it does not get there, or if the unit coming the other way drives it out
        (MOV-18).
        """
        counts = self.counts(contender)
        beaten = self.answers[contender.facing] if contender.facing != NOBODY else False
        if counts is False or beaten is True:
            return NOTHING
        least, most = self.push(contender)
        return (least, most) if counts is True and beaten is False else (0, most)

    # --- advance -----------------------------------------------------------------------------

    def advances(self, contender: Contender) -> Answer:
        """Whether it enters its goal: stronger than whoever stays there and all rivals."""
        goal = contender.goal
        arrives = self.arrives(contender)
        if goal is None or arrives is False:
            return False
        if goal in self.venice and goal in self.city_holder:
            return self._enters_held_venice(contender, goal)
        (least, most), (needed, at_most) = self._against_holder(contender, goal)
        bars = contender.bars
        barred = any_of(self.counts(self.contenders[n]) for n in bars) if bars else False
        if most <= needed or barred is True:
            return False
        certain = arrives is True and barred is False and least > at_most
        for number in self.into[goal]:
            if number != contender.number:
                needed, at_most = self.prevention(self.contenders[number])
                if most <= needed:
                    return False
                certain = certain and least > at_most
        return True if certain else None

    def _enters_held_venice(self, contender: Contender, goal: PlaceId) -> Answer:
        """A garrison there stops every move, and any move stops its conversion (MAP-24, MAP-34)."""
        if self.city_holder[goal] != contender.number:
            return False
        others = (self.contenders[n] for n in self.into[goal] if n != contender.number)
        return not_(any_of(self.counts(other) for other in others))

    def _against_holder(self, contender: Contender, goal: PlaceId) -> tuple[Range, Range]:
        """Its strength, and what the unit that stands in its goal holds against it.

        While it is open whether that unit leaves, both are as wide as they can be.
        """
        free = self.push(contender)
        number = self.holder.get(goal, NOBODY)
        if number == NOBODY:
            return free, NOTHING
        holder = self.contenders[number]
        gone: Answer = False
        if holder.leaves and holder.facing != contender.number and contender.follows:
            gone = self.answers[number]
        if gone is True:
            return free, NOTHING
        owner = holder.unit.owner
        against = NOTHING if owner == contender.unit.owner else self.push(contender, owner)
        needed = self.opposition(contender, holder)
        if gone is False:
            return against, needed
        return (against[0], free[1]), (0, needed[1])

    # --- straits -----------------------------------------------------------------------------

    def closed(self, leg: frozenset[PlaceId], owner: PowerId) -> Answer:
        """Whether a hostile fleet closes a strait's border to fleets of *owner* (MAP-35)."""
        if leg in self.assumed:
            return owner in self.assumed[leg]
        closed = self.guards[leg].closed_to(self.contenders, self.answers, owner)
        if closed is None:
            self.unclear.add(leg)
        return closed


def apply_conflict_rules(battle: Battle, rules: ConflictRules) -> None:
    """Tell a battle how the rules have it fought."""
    if rules.support_cut is SupportCut.EQUAL:
        battle.cut = _equal_force
    elif rules.elite_cut is not EliteCut.WHOLE:
        battle.cut = _equal_to_elite
    if rules.strength_scope is StrengthScope.TARGET:
        battle.coming = _in_target
    battle.dislodged_acts = rules.dislodged_acts
    battle.convoys_cut = rules.convoy_cut is ConvoyCut.CONSISTENT


def _equal_force(battle: Battle, attacker: Contender, supporter: Contender) -> Answer:
    """Only an attack as strong as the force in the place cuts (MOV-14)."""
    weaker = more(battle.resistance(supporter), battle.push(attacker))
    return both(battle.counts(attacker), not_(weaker))


def _equal_to_elite(battle: Battle, attacker: Contender, supporter: Contender) -> Answer:
    """Any attack cuts, but an elite's support only one as strong as the elite (MOV-28)."""
    weaker = more((supporter.force, supporter.force), battle.push(attacker))
    return both(battle.counts(attacker), not_(weaker))


def _in_target(battle: Battle, contender: Contender, holder: Contender) -> Range:
    """Against one that comes the other way supports count only where they are given into.

    The holder has its own strength alone; but where it would drive *contender* out as well, neither
    gets through (MOV-18).
    """
    alone, own = battle.resistance(holder), battle.push(contender)
    power = contender.unit.owner
    prevails = more(battle.push(holder, against=power), battle.resistance(contender))
    least = max(alone[0], own[0]) if prevails is True else alone[0]
    most = alone[1] if prevails is False else max(alone[1], own[1])
    return least, most


def assign_supports(
    world: World,
    battle: Battle,
    chosen: Sequence[Intent],
    supporting: Iterable[tuple[Contender, Support]],
    garrison_at: Mapping[PlaceId, int],
) -> dict[int, int]:
    """Put supporters behind those whom they support; gives whom, by the supporter's number.

    Supporters without a match are left out.
    """
    by_place = world.rules.conflict.support_target is SupportTarget.PLACE
    by_point = world.rules.conflict.elite_cut is EliteCut.POINT
    by_strait = world.rules.strait.supports
    supported: dict[int, int] = {}
    for contender, order in supporting:
        if by_place:
            target = _all_there(world, battle, contender, order, chosen)
        else:
            target = _unit_named(world, battle, contender, order, chosen, garrison_at)
        if target is None:
            continue
        supported[contender.number] = target.number
        contender.supports = order.to if order.to is not None else order.supported.place
        if by_point:
            contender.yields = contender.force > 1 and contender.stands_in is not None
        if by_strait:
            contender.leg = world.strait_leg(contender.unit, contender.supports)
    return supported


def _unit_named(
    world: World,
    battle: Battle,
    contender: Contender,
    order: Support,
    chosen: Sequence[Intent],
    garrison_at: Mapping[PlaceId, int],
) -> Contender | None:
    """The unit that a support names, with the supporter behind it, if the two match."""
    target = _target(battle, order, garrison_at)
    if target is None or not _matches(world, contender, order, target, chosen[target.number]):
        return None
    if order.to is None and target.goal is not None:
        target.held_by += (contender.number,)
    else:
        target.backers += (contender.number,)
    return target


def _all_there(
    world: World, battle: Battle, contender: Contender, order: Support, chosen: Sequence[Intent]
) -> Contender | None:
    """Put the supporter behind the units of a power that are in a place or come there.

    Gives the first of them; None if there is none.

    One that tries to leave the place counts the support there if it has to stay (MOV-13).
    """
    place, power = order.supported.place, order.supported.owner
    found = []
    number = battle.holder.get(place)
    if number is not None and battle.contenders[number].unit.owner == power:
        holder = battle.contenders[number]
        if _may_be_held(world, contender, holder, chosen[number]):
            holder.held_by += (contender.number,)
            holder.held_anyway = True
            if holder.goal is None:
                holder.backers += (contender.number,)
            found.append(holder)
    for comer in battle.into.get(place, ()):
        if battle.contenders[comer].unit.owner == power:
            battle.contenders[comer].backers += (contender.number,)
            found.append(battle.contenders[comer])
    return found[0] if found else None


def _target(battle: Battle, order: Support, garrison_at: Mapping[PlaceId, int]) -> Contender | None:
    """The unit that a support names; the type must be right (MOV-13)."""
    named = order.supported
    places = garrison_at if named.kind is GARRISON else battle.holder
    number = places.get(named.place)
    if number is None:
        return None
    target = battle.contenders[number]
    return target if named.kind in (target.unit.kind, None) else None


def _matches(
    world: World, supporter: Contender, order: Support, target: Contender, intent: Intent
) -> bool:
    """Whether the supported unit does what the support is for (MOV-13, CNV-15)."""
    if order.to is None:
        # A move into a strait may turn out not to be ordered at all (MAP-35).
        stays = not isinstance(intent, Advance | Convert) or target.leg is not None
        backs = stays and supporter is not target
        backs = backs and _may_be_held(world, supporter, target, intent)
        return backs and _reaches_coast(world, supporter.unit, order, target.unit.coast)
    if target.goal != order.to:
        return False
    if not isinstance(intent, Advance):
        return True
    if order.coast and intent.coast and order.coast != intent.coast:
        return False
    return _reaches_coast(world, supporter.unit, order, intent.coast)


def _may_be_held(world: World, supporter: Contender, target: Contender, intent: Intent) -> bool:
    """Whether the rules let such a unit be supported where it stands (MOV-13, SIE-01)."""
    rules = world.rules.conflict
    if isinstance(intent, Support):
        return rules.chained_support
    inland = isinstance(intent, Besiege) and not world.is_port(world.city_before(target.unit.place))
    return rules.inland_siege or not inland or supporter.unit.kind is not FLEET


def _reaches_coast(world: World, supporter: Unit, order: Support, coast: str) -> bool:
    """Where the same coast is asked for, a fleet must reach the fleet's very coast (MOV-29)."""
    if world.rules.movement.coast_support is CoastSupport.ANY or not coast:
        return True
    if supporter.kind is not FLEET:
        return True
    into = order.to if order.to is not None else order.supported.place
    return any(spot.coast == coast for spot in world.spots_reached(supporter, into))
