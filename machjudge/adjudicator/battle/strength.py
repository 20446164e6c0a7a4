"""How strong is whom: the equations of advance, support and transport over what is known so far.

Every answer is True, False, or None while it is too early to tell; every strength is a range from
the least to the most it can still be.  Nothing here changes a position or makes an event.
Sources: rule catalogue areas MOV, CNV, REB, MAP; DATC chapter 5.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from machjudge.adjudicator.battle.answers import (
    NOTHING,
    Answer,
    Range,
    any_of,
    both,
    either,
    not_,
)
from machjudge.adjudicator.battle.contender import NOBODY, Contender, is_aimed_at
from machjudge.adjudicator.battle.rebel_help import rebels_help
from machjudge.adjudicator.battle.strait_guards import Guards
from machjudge.adjudicator.model.names import PlaceId, PowerId


def any_attack(battle: "Battle", attacker: Contender, _supporter: Contender) -> Answer:
    """Any attack cuts, be it in vain (MOV-14)."""
    return battle.counts(attacker)


def head_to_head(battle: "Battle", _fighter: Contender, holder: Contender) -> Range:
    """All the strength of one that comes the other way counts against it (MOV-18)."""
    return battle.push(holder)


@dataclass(slots=True)
class Battle:
    """All fighters of a campaign, and what is known of their success.

    Question *n* below the number of fighters is: does fighter *n* do what it tries, that is,
    enter its goal, convert, or support?  Question number of fighters + *n* is: is army *n*
    carried all the way by its fleets?
    """

    fighters: list[Contender]
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
    """What a fighter meets in one that comes the other way."""
    dislodged_acts: bool = True
    """Whether a unit that is driven out still cuts and bounces elsewhere (MOV-18)."""
    convoys_cut: bool = True
    """Whether a convoyed army cuts also where it dislodges nobody (MOV-21)."""

    # --- the questions -----------------------------------------------------------------------

    def equation(self, question: int) -> Answer:
        """What is certain about a question (see the class)."""
        size = len(self.fighters)
        if question >= size:
            return self.route_answer[question - size]()
        fighter = self.fighters[question]
        if fighter.goal is not None:
            return self.advances(fighter)
        return self.supports(fighter)

    def carried(self, fighter: Contender) -> Answer:
        """Whether its convoy holds; only for fighters that go by sea."""
        return self.answers[len(self.fighters) + fighter.number]

    def arrives(self, fighter: Contender) -> Answer:
        """Whether it gets as far as its goal: by its convoy, and not stopped by a strait."""
        if fighter.by_sea:
            return self.carried(fighter)
        return True if fighter.leg is None else not_(self.stopped(fighter))

    def counts(self, fighter: Contender) -> Answer:
        """Whether its advance, be it in vain, cuts supports and keeps others out of its goal.

        It does even if the fighter is driven out meanwhile, where the rules let it (MOV-18).
        """
        if self.dislodged_acts:
            return self.arrives(fighter)
        stays = not_(self.answers[fighter.number])
        return both(self.arrives(fighter), not_(both(stays, self.dislodged(fighter))))

    def dislodged(self, fighter: Contender) -> Answer:
        """Whether somebody enters where a unit stands, which drives it out if it does not leave."""
        attackers = () if fighter.stands_in is None else self.into.get(fighter.stands_in, ())
        return any_of(self.answers[n] for n in attackers if n != fighter.number)

    # --- support -----------------------------------------------------------------------------

    def supports(self, fighter: Contender) -> Answer:
        """Whether a valid support counts: neither cut, nor dislodged, nor behind a strait.

        Any attack by another power cuts, except from the place that the support goes into;
        from there only being dislodged ends it (MOV-14, MOV-15).  Nothing attacks a garrison
        (MOV-24).
        """
        ended = self.stopped(fighter)
        if fighter.stands_in is not None:
            for number in self.into.get(fighter.stands_in, ()):
                if ended is True:
                    break
                ended = either(ended, self.cuts(self.fighters[number], fighter))
        return not_(ended)

    def cuts(self, attacker: Contender, supporter: Contender) -> Answer:
        """Whether an attack on a supporter ends its support."""
        if attacker.unit.owner == supporter.unit.owner:
            return False
        if is_aimed_at(supporter, attacker) or (attacker.by_sea and not self.convoys_cut):
            return self.answers[attacker.number]
        return self.cut(self, attacker, supporter)

    # --- strengths ---------------------------------------------------------------------------

    def push(self, fighter: Contender, against: PowerId | None = None) -> Range:
        """The strength of its way in; supports by the power *against* do not count (MOV-15)."""
        if not fighter.backers and not fighter.rebels_help:
            return fighter.force, fighter.force
        least, most = self.supported(fighter, fighter.backers, against)
        if fighter.rebels_help:
            helped = rebels_help(self, fighter)
            least += helped is True
            most += helped is not False
        return least, most

    def supported(
        self, fighter: Contender, backers: Iterable[int], against: PowerId | None = None
    ) -> Range:
        """Its strength with those supports; those by the power *against* do not count."""
        least = most = fighter.force
        for number in backers:
            backer = self.fighters[number]
            if against is not None and backer.unit.owner == against:
                continue
            given = self.answers[number]
            if given is not False:
                worst, best = self._worth(backer) if backer.yields else (backer.force, backer.force)
                most += best
                if given:
                    least += worst
        return least, most

    def _worth(self, backer: Contender) -> Range:
        """What an elite's support counts: a point less under attacks that do not cut (MOV-28)."""
        attackers = (self.fighters[n] for n in self.into.get(backer.unit.place, ()))
        hit = any_of(
            self.counts(attacker)
            for attacker in attackers
            if attacker.unit.owner != backer.unit.owner and not is_aimed_at(backer, attacker)
        )
        return backer.force - (hit is not False), backer.force - (hit is True)

    def resistance(self, fighter: Contender) -> Range:
        """What it holds its place with: alone if it failed to leave (MOV-32).

        A fleet that a strait stops has no order to leave, and can be supported (MAP-35).
        """
        if not fighter.leaves:
            return self.push(fighter)
        alone = fighter.force, fighter.force
        if not fighter.held_by:
            return alone
        stopped = True if fighter.held_anyway else self.stopped(fighter)
        if stopped is False:
            return alone
        least, most = self.supported(fighter, fighter.held_by)
        return (least, most) if stopped else (fighter.force, most)

    def opposition(self, fighter: Contender, holder: Contender) -> Range:
        """What *holder* holds against *fighter*: all its strength if it comes the other way.

        It does not come if a strait stops it (MAP-35).
        """
        if holder.facing != fighter.number:
            return self.resistance(holder)
        stopped = self.stopped(holder)
        if stopped is False:
            return self.coming(self, fighter, holder)
        held = self.resistance(holder)
        if stopped is True:
            return held
        coming = self.coming(self, fighter, holder)
        return min(held[0], coming[0]), max(held[1], coming[1])

    def stopped(self, fighter: Contender) -> Answer:
        """Whether a strait stops its move, which then counts as not ordered (MAP-35)."""
        if fighter.leg is None:
            return False
        return self.closed(fighter.leg, fighter.unit.owner)

    def prevention(self, fighter: Contender) -> Range:
        """The strength with which it keeps others out of its goal (MOV-33).

        None at all if it does not get there, or if the unit coming the other way drives it out
        (MOV-18).
        """
        counts = self.counts(fighter)
        beaten = self.answers[fighter.facing] if fighter.facing != NOBODY else False
        if counts is False or beaten is True:
            return NOTHING
        least, most = self.push(fighter)
        return (least, most) if counts is True and beaten is False else (0, most)

    # --- advance -----------------------------------------------------------------------------

    def advances(self, fighter: Contender) -> Answer:
        """Whether it enters its goal: stronger than whoever stays there and all rivals."""
        goal = fighter.goal
        arrives = self.arrives(fighter)
        if goal is None or arrives is False:
            return False
        if goal in self.venice and goal in self.city_holder:
            return self._enters_held_venice(fighter, goal)
        (least, most), (needed, at_most) = self._against_holder(fighter, goal)
        barred = self._barred(fighter) if fighter.bars else False
        if most <= needed or barred is True:
            return False
        certain = arrives is True and barred is False and least > at_most
        for number in self.into[goal]:
            if number != fighter.number:
                needed, at_most = self.prevention(self.fighters[number])
                if most <= needed:
                    return False
                certain = certain and least > at_most
        return True if certain else None

    def _barred(self, fighter: Contender) -> Answer:
        """Whether a unit of its own power bars it from its goal (MOV-16, MOV-17)."""
        return any_of(self.counts(self.fighters[n]) for n in fighter.bars)

    def _enters_held_venice(self, fighter: Contender, goal: PlaceId) -> Answer:
        """A garrison there stops every move, and any move stops its conversion (MAP-24, MAP-34)."""
        if self.city_holder[goal] != fighter.number:
            return False
        others = (self.fighters[n] for n in self.into[goal] if n != fighter.number)
        return not_(any_of(self.counts(other) for other in others))

    def _against_holder(self, fighter: Contender, goal: PlaceId) -> tuple[Range, Range]:
        """Its strength, and what the unit that stands in its goal holds against it.

        While it is open whether that unit leaves, both are as wide as they can be.
        """
        free = self.push(fighter)
        number = self.holder.get(goal, NOBODY)
        if number == NOBODY:
            return free, NOTHING
        holder = self.fighters[number]
        gone: Answer = False
        if holder.leaves and holder.facing != fighter.number and fighter.follows:
            gone = self.answers[number]
        if gone is True:
            return free, NOTHING
        against = self._strength_to_dislodge(fighter, holder)
        needed = self.opposition(fighter, holder)
        if gone is False:
            return against, needed
        return (against[0], free[1]), (0, needed[1])

    def _strength_to_dislodge(self, fighter: Contender, holder: Contender) -> Range:
        if holder.unit.owner == fighter.unit.owner:
            return NOTHING
        return self.push(fighter, against=holder.unit.owner)

    # --- straits -----------------------------------------------------------------------------

    def closed(self, leg: frozenset[PlaceId], owner: PowerId) -> Answer:
        """Whether a hostile fleet closes a strait's border to fleets of *owner* (MAP-35)."""
        if leg in self.assumed:
            return owner in self.assumed[leg]
        closed = self.guards[leg].closed_to(self.fighters, self.answers, owner)
        if closed is None:
            self.unclear.add(leg)
        return closed
