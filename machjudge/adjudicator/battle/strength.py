"""Equations of advance, support and transport, over what is known so far (area MOV)."""

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
"""None: not known yet."""


Range = tuple[int, int]
"""The least and the greatest possible strength."""

NOTHING: Range = (0, 0)


def any_of(answers: Iterable[Answer]) -> Answer:
    """Return True if one is, False if all are, else None."""
    result: Answer = False
    for answer in answers:
        if answer is True:
            return True
        if answer is None:
            result = None
    return result


def all_of(answers: Sequence[Answer]) -> Answer:
    """Return True if all are, False if one is not, else None."""
    return not_(any_of(not_(answer) for answer in answers))


def not_(answer: Answer) -> Answer:
    """Return the contrary of a known answer."""
    return None if answer is None else not answer


def either(one: Answer, other: Answer) -> Answer:
    """Return whether one of two is true."""
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def both(one: Answer, other: Answer) -> Answer:
    """Return whether both are true."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def more(one: Range, other: Range) -> Answer:
    """Return whether one strength exceeds the other."""
    (least, most), (other_least, other_most) = one, other
    if least > other_most:
        return True
    return False if most <= other_least else None


NOBODY = -1


@dataclass(slots=True)
class Contender:
    """A unit in the campaign: its action and its relations, by number; -1 is none."""

    unit: Unit
    number: int
    force: int
    """What the unit itself counts (MOV-27)."""
    stands_in: PlaceId | None
    """Its province or sea; None for a garrison, which is in a city."""
    goal: PlaceId | None = None
    """The province or sea that it moves to."""
    leaves: bool = False
    """True if it tries to leave, for another place or the city."""
    supports: PlaceId | None = None
    """The place of its valid support."""
    backers: tuple[int, ...] = ()
    """The supporters of its action."""
    held_by: tuple[int, ...] = ()
    """The supporters of its hold, if a strait stops it (MAP-35)."""
    held_anyway: bool = False
    """True if that support counts whatever stops it."""
    yields: bool = False
    """True if attacks that do not cut its support take a point off it (MOV-28)."""
    bars: tuple[int, ...] = ()
    """Units of its own power that bar its goal (MOV-16, MOV-17)."""
    by_sea: bool = False
    """True if it is convoyed."""
    facing: int = NOBODY
    """The unit with which it would change places over land or coast (MOV-18)."""
    follows: bool = True
    """True if it may enter its goal as another unit leaves that (CNV-16)."""
    leg: frozenset[PlaceId] | None = None
    """The border in a strait of its move or support (MAP-35)."""
    rebels_help: bool = False
    """True if rebels would support its move (REB-11, REB-15)."""


def is_aimed_at(supporter: Contender, attacker: Contender) -> bool:
    """Return whether a support is into the place of its attacker (MOV-14)."""
    return attacker.stands_in is not None and attacker.stands_in == supporter.supports


@dataclass(frozen=True, slots=True)
class Guards:
    """The fleets that may close one strait in this campaign (MAP-36)."""

    staying: tuple[int, ...]
    """Fleets there at the start that close it in any case."""
    leaving: tuple[int, ...]
    """Fleets there at the start that close it unless they leave or convert."""
    entering: tuple[int, ...]
    """Fleets that close it if they enter or convert out."""
    allowed: frozenset[tuple[PowerId, PowerId]]
    """Passages: (owner of the guard, owner of the fleet) (MAP-11)."""

    def closed_to(
        self, contenders: Sequence[Contender], answers: Sequence[Answer], owner: PowerId
    ) -> Answer:
        """Return whether the strait is closed to *owner*."""
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
        """Return the fleet that closed the strait to *owner*, once everything is known."""
        for numbers, closes in ((self.staying, None), (self.leaving, False), (self.entering, True)):
            for number in numbers:
                hostile = self._hostile(contenders[number], owner)
                if hostile and (closes is None or answers[number] is closes):
                    return contenders[number].unit
        return None


# Whom rebels help on its way in, and by how much its rivals are supported (REB-11 to REB-14).
def rebels_help(battle: "Battle", contender: Contender) -> Answer:
    """Return whether it gets the rebels' one point, among all candidates (REB-11 to REB-14).

    Claimants of several powers get nothing; of several units of one power the one with more support
    gets it, at equal support none.
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


# How strong is whom: the equations of advance, support and transport over what is known so far.
# Every answer is True, False, or None while it is too early to tell; every strength is a range
# from the least to the most it can still be. Nothing here changes a position or makes an event.
# Sources: rule catalogue areas MOV, CNV, REB, MAP; DATC chapter 5.
def any_attack(battle: "Battle", attacker: Contender, _supporter: Contender) -> Answer:
    """Return that any attack cuts, be it in vain (MOV-14)."""
    return battle.counts(attacker)


def head_to_head(battle: "Battle", _contender: Contender, holder: Contender) -> Range:
    """Return that all strength of an opposite move counts against it (MOV-18)."""
    return battle.push(holder)


@dataclass(slots=True)
class Battle:
    """All contenders of a campaign, and what is known of their success.

    Question *n* below the number of contenders: does contender *n* succeed (enter its goal,
    convert, or support)? Question number of contenders + *n*: is army *n* carried all the way?
    """

    contenders: list[Contender]
    answers: list[Answer]
    holder: dict[PlaceId, int] = field(default_factory=dict)
    """The unit in a province or sea at the start."""
    into: dict[PlaceId, list[int]] = field(default_factory=dict)
    """The units that try to enter a province or sea."""
    route_answer: dict[int, Callable[[], Answer]] = field(default_factory=dict)
    """The equation of each army's unsettled convoy."""
    guards: dict[frozenset[PlaceId], Guards] = field(default_factory=dict)
    venice: frozenset[PlaceId] = frozenset()
    """Places with the rules of Venice."""
    city_holder: dict[PlaceId, int] = field(default_factory=dict)
    """The garrison in each city of those places."""
    unclear: set[frozenset[PlaceId]] = field(default_factory=set)
    """The undecided straits that an answer asked for."""
    rebels_help_each: bool = False
    """True if rebels help all who come, not one alone (REB-13)."""
    assumed: Mapping[frozenset[PlaceId], frozenset[PowerId]] = field(default_factory=dict)
    """The powers to which straits are taken to be closed in a trial (MAP-19)."""
    cut: Callable[["Battle", Contender, Contender], Answer] = any_attack
    """The rule by which an attacker, not from its target, cuts a support."""
    coming: Callable[["Battle", Contender, Contender], Range] = head_to_head
    """The strength that counts against an opposite move."""
    dislodged_acts: bool = True
    """True if a dislodged unit still cuts and bounces elsewhere (MOV-18)."""
    convoys_cut: bool = True
    """True if a convoyed army cuts also where it dislodges no unit (MOV-21)."""

    # --- the questions -----------------------------------------------------------------------

    def equation(self, question: int) -> Answer:
        """Return the certain answer to a question (see the class), or None."""
        size = len(self.contenders)
        if question >= size:
            return self.route_answer[question - size]()
        contender = self.contenders[question]
        if contender.goal is not None:
            return self.advances(contender)
        return self.supports(contender)

    def carried(self, contender: Contender) -> Answer:
        """Return whether its convoy holds; only for convoyed contenders."""
        return self.answers[len(self.contenders) + contender.number]

    def arrives(self, contender: Contender) -> Answer:
        """Return whether it reaches its goal, neither stopped by its convoy nor a strait."""
        if contender.by_sea:
            return self.carried(contender)
        return True if contender.leg is None else not_(self.stopped(contender))

    def counts(self, contender: Contender) -> Answer:
        """Return whether its advance, even in vain, cuts supports and bounces others.

        It does even if the contender is dislodged, where the rules let it (MOV-18).
        """
        if self.dislodged_acts:
            return self.arrives(contender)
        stays = not_(self.answers[contender.number])
        return both(self.arrives(contender), not_(both(stays, self.dislodged(contender))))

    def dislodged(self, contender: Contender) -> Answer:
        """Return whether the unit is dislodged: its place is entered, and it does not leave."""
        attackers = () if contender.stands_in is None else self.into.get(contender.stands_in, ())
        return any_of(self.answers[n] for n in attackers if n != contender.number)

    # --- support -----------------------------------------------------------------------------

    def supports(self, contender: Contender) -> Answer:
        """Return whether a valid support counts: neither cut, nor dislodged, nor behind a strait.

        Any attack by another power cuts, except from the place that the support goes into; from
        there only being dislodged ends it (MOV-14, MOV-15). Nothing attacks a garrison (MOV-24).
        """
        ended = self.stopped(contender)
        if contender.stands_in is not None:
            for number in self.into.get(contender.stands_in, ()):
                if ended is True:
                    break
                ended = either(ended, self.cuts(self.contenders[number], contender))
        return not_(ended)

    def cuts(self, attacker: Contender, supporter: Contender) -> Answer:
        """Return whether an attack ends a support."""
        if attacker.unit.owner == supporter.unit.owner:
            return False
        if is_aimed_at(supporter, attacker) or (attacker.by_sea and not self.convoys_cut):
            return self.answers[attacker.number]
        return self.cut(self, attacker, supporter)

    # --- strengths ---------------------------------------------------------------------------

    def push(self, contender: Contender, against: PowerId | None = None) -> Range:
        """Return its strength of attack; supports by the power *against* do not count (MOV-15)."""
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
        """Return its strength with those supports; those by the power *against* do not count."""
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
        """The points of an elite's support: one less under attacks that do not cut (MOV-28)."""
        attackers = (self.contenders[n] for n in self.into.get(backer.unit.place, ()))
        hit = any_of(
            self.counts(attacker)
            for attacker in attackers
            if attacker.unit.owner != backer.unit.owner and not is_aimed_at(backer, attacker)
        )
        return backer.force - (hit is not False), backer.force - (hit is True)

    def resistance(self, contender: Contender) -> Range:
        """Return the strength of its hold: alone if it failed to leave (MOV-32).

        A fleet stopped by a strait has no order to leave, and can be supported (MAP-35).
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
        """Return *holder*'s strength against *contender*: all of it in an opposite move.

        A move stopped by a strait is none (MAP-35).
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
        """Return whether a strait stops its move, which then counts as not ordered (MAP-35)."""
        if contender.leg is None:
            return False
        return self.closed(contender.leg, contender.unit.owner)

    def prevention(self, contender: Contender) -> Range:
        """Return the strength with which it prevents others from entering its goal (MOV-33).

        None if it does not get there, or is dislodged by the opposite move (MOV-18).
        """
        counts = self.counts(contender)
        beaten = self.answers[contender.facing] if contender.facing != NOBODY else False
        if counts is False or beaten is True:
            return NOTHING
        least, most = self.push(contender)
        return (least, most) if counts is True and beaten is False else (0, most)

    # --- advance -----------------------------------------------------------------------------

    def advances(self, contender: Contender) -> Answer:
        """Return whether it enters its goal: stronger than its holder and all rivals."""
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
        """Venice's garrison stops moves, and any move stops its conversion (MAP-24, MAP-34)."""
        if self.city_holder[goal] != contender.number:
            return False
        others = (self.contenders[n] for n in self.into[goal] if n != contender.number)
        return not_(any_of(self.counts(other) for other in others))

    def _against_holder(self, contender: Contender, goal: PlaceId) -> tuple[Range, Range]:
        """Its strength, and that of its goal's holder against it.

        While the holder's leaving is open, both are as wide as they can be.
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
        """Return whether a hostile fleet closes a strait's border to fleets of *owner* (MAP-35)."""
        if leg in self.assumed:
            return owner in self.assumed[leg]
        closed = self.guards[leg].closed_to(self.contenders, self.answers, owner)
        if closed is None:
            self.unclear.add(leg)
        return closed


def apply_conflict_rules(battle: Battle, rules: ConflictRules) -> None:
    """Set the variations of the rules in a battle."""
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
    """Supports against an opposite move count only where they are given into.

    The holder has its own strength alone; but where it would dislodge *contender* too, neither gets
    through (MOV-18).
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
    """Assign matching supporters to the supported; return whom each supports."""
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


# Who supports whom in a battle, and which supports have no match (MOV-13).
def _unit_named(
    world: World,
    battle: Battle,
    contender: Contender,
    order: Support,
    chosen: Sequence[Intent],
    garrison_at: Mapping[PlaceId, int],
) -> Contender | None:
    """The unit named in a support, with its supporter assigned, if the two match."""
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
    """Assign the supporter to a power's units in a place or on their way there.

    Return the first, or None. One that tries to leave counts the support if it has to stay
    (MOV-13).
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
    """Return whether the supported unit does what the support is for (MOV-13, CNV-15)."""
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
    """Return whether the rules let the unit be supported in its place (MOV-13, SIE-01)."""
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
