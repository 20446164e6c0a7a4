"""Straits in a battle: which fleets may close them, and to whom they are closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from machjudge.adjudicator.answers import Answer, either, not_
from machjudge.adjudicator.conversion import Intent, enters_city
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Ally, Convert
from machjudge.adjudicator.rules import StraitEntry
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.units import FLEET, Unit
from machjudge.adjudicator.world import World

if TYPE_CHECKING:
    from machjudge.adjudicator.strength import Battle


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

    def closed_to(self, battle: "Battle", owner: PowerId) -> Answer:
        """Whether one of them closes the strait to *owner*."""
        closed: Answer = False
        for number in self.staying:
            if self._hostile(battle, number, owner):
                return True
        for number in self.leaving:
            if self._hostile(battle, number, owner):
                closed = either(closed, not_(battle.answers[number]))
        for number in self.entering:
            if self._hostile(battle, number, owner):
                closed = either(closed, battle.answers[number])
        return closed

    def _hostile(self, battle: "Battle", number: int, owner: PowerId) -> bool:
        guard = battle.fighters[number].unit.owner
        return guard != owner and (guard, owner) not in self.allowed

    def closing(self, battle: "Battle", owner: PowerId) -> Unit | None:
        """The fleet that closed the strait to *owner*, once everything is known."""
        for numbers, closes in ((self.staying, None), (self.leaving, False), (self.entering, True)):
            for number in numbers:
                hostile = self._hostile(battle, number, owner)
                if hostile and (closes is None or battle.answers[number] is closes):
                    return battle.fighters[number].unit
        return None


# --- drawing up ------------------------------------------------------------------------------


def guard_straits(turn: Turn, battle: "Battle", chosen: Sequence[Intent]) -> None:
    """Tell a battle which fleets may close each strait."""
    if not turn.world.straits:
        return
    allowed = frozenset(
        (power, order.power)
        for power, sheet in turn.orders.items()
        for order in sheet
        if isinstance(order, Ally) and order.allowed
    )
    for edge, strait in turn.world.straits.items():
        battle.guards[edge] = _guards(turn.world, battle, chosen, strait.guard, allowed)


def _guards(
    world: World,
    battle: "Battle",
    chosen: Sequence[Intent],
    guard: PlaceId,
    allowed: frozenset[tuple[PowerId, PowerId]],
) -> Guards:
    """Who may close the strait at *guard*, and on what it depends (MAP-13 to MAP-16, MAP-36)."""
    rules = world.rules.strait
    staying: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    number = battle.holder.get(guard)
    if number is not None and battle.fighters[number].unit.kind is FLEET:
        fleet, intent = battle.fighters[number], chosen[number]
        blocks = rules.convert_in_blocks if enters_city(intent) else rules.leaver_blocks
        staying, leaving = ((number,), ()) if blocks or not fleet.leaves else ((), (number,))
    entering = tuple(
        n for n in battle.into.get(guard, ()) if _closes_by_entering(world, battle, chosen[n], n)
    )
    if rules.entry is StraitEntry.IF_NO_FLEET and (staying or leaving):
        entering = tuple(n for n in entering if battle.fighters[n].stands_in is None)
    return Guards(staying, leaving, entering, allowed)


def _closes_by_entering(world: World, battle: "Battle", intent: Intent, number: int) -> bool:
    rules = world.rules.strait
    if isinstance(intent, Convert):
        return intent.into is FLEET and rules.convert_out_blocks
    is_fleet = battle.fighters[number].unit.kind is FLEET
    return is_fleet and rules.entry is not StraitEntry.NEVER
