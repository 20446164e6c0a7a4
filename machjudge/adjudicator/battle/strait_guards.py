"""The fleets that guard a strait in a campaign, and to whom they close it."""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.adjudicator.battle.answers import Answer, either, not_
from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.units import Unit


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
