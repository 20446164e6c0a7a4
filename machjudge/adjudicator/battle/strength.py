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
        barred = self._barred(contender) if contender.bars else False
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

    def _barred(self, contender: Contender) -> Answer:
        """Whether a unit of its own power bars it from its goal (MOV-16, MOV-17)."""
        return any_of(self.counts(self.contenders[n]) for n in contender.bars)

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
        against = self._strength_to_dislodge(contender, holder)
        needed = self.opposition(contender, holder)
        if gone is False:
            return against, needed
        return (against[0], free[1]), (0, needed[1])

    def _strength_to_dislodge(self, contender: Contender, holder: Contender) -> Range:
        if holder.unit.owner == contender.unit.owner:
            return NOTHING
        return self.push(contender, against=holder.unit.owner)

    # --- straits -----------------------------------------------------------------------------

    def closed(self, leg: frozenset[PlaceId], owner: PowerId) -> Answer:
        """Whether a hostile fleet closes a strait's border to fleets of *owner* (MAP-35)."""
        if leg in self.assumed:
            return owner in self.assumed[leg]
        closed = self.guards[leg].closed_to(self.contenders, self.answers, owner)
        if closed is None:
            self.unclear.add(leg)
        return closed
