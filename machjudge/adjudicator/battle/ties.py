"""The tie-break: who gets its way where orders wait for each other and nothing else decides.

Source: rule catalogue MOV-21 (convoys), MAP-19 (straits); decision page 2 for the rest.
"""

from collections.abc import Iterable, Mapping, Sequence

from machjudge.adjudicator.battle.answers import Answer
from machjudge.adjudicator.battle.solve import Assignment, Tie, solve
from machjudge.adjudicator.battle.strait_guards import Guards
from machjudge.adjudicator.battle.strength import Battle
from machjudge.adjudicator.events import TieBroken
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.units import FLEET

Leg = frozenset[PlaceId]
Closed = Mapping[Leg, frozenset[PowerId]]
"""To whom each strait is closed."""


class TieBreaker:
    """The judge's tie-break: the first rule that fits the questions that wait for each other.

    :param battle: the battle that is being solved.
    :param asked: all its questions.
    """

    def __init__(self, battle: Battle, asked: Sequence[int]) -> None:
        self.battle = battle
        self.asked = asked
        self.rules: list[TieBroken] = []

    def decide(self, group: Sequence[int]) -> Assignment:
        """Straits by themselves (MAP-19); else transports fail; else all advance; else all fail."""
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

    def told(self, ties: Sequence[Tie]) -> list[TieBroken]:
        """One event per tie, in the order in which they were broken."""
        return self.rules if ties else []

    def _note(self, rule: str, numbers: Iterable[int]) -> None:
        units = tuple(self.battle.contenders[number].unit for number in numbers)
        self.rules.append(TieBroken(rule, units))  # type: ignore[arg-type]

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
        """The straits for whose guards questions of the group wait."""
        self.battle.unclear.clear()
        for question in group:
            self.battle.equation(question)
        return sorted(self.battle.unclear, key=sorted)

    def _settle_straits(self, group: Sequence[int], straits: Sequence[Leg]) -> Assignment:
        """Settle the moves as if the straits were open, then as those moves close them (MAP-19).

        That goes on until nothing changes; if it never ends, the fleets that stood there at the
        start guard them.
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
        return self._keep_guards(straits)

    def _with_straits(self, closed: Closed) -> tuple[list[Answer], Closed]:
        """What every question is answered while the straits are closed so, and what then closes."""
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

    def _keep_guards(self, straits: Sequence[Leg]) -> Assignment:
        """From now on the fleets that stood there at the start guard these straits (MAP-19)."""
        for leg in straits:
            guards = self.battle.guards[leg]
            staying = guards.staying + guards.leaving
            self.battle.guards[leg] = Guards(staying, (), (), guards.allowed)
            self._note("guards stay", staying)
        return {}
