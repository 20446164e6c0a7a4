"""The movement step: solve the battle, and tell what happened to every unit and why (area MOV)."""

import dataclasses
from collections.abc import Sequence

from machjudge.adjudicator.events import (
    Event,
    OrderIgnored,
    TieBroken,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.intents import Given, Whose, assassinated, orders_given
from machjudge.adjudicator.muster import muster
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.orders import (
    Disband,
)
from machjudge.adjudicator.outcome import Outcome
from machjudge.adjudicator.reasons import (
    Removal,
)
from machjudge.adjudicator.sieges import lapsed_sieges
from machjudge.adjudicator.solve import Assignment, Tie, solve
from machjudge.adjudicator.straits import Guards
from machjudge.adjudicator.strength import Battle
from machjudge.adjudicator.telling import told
from machjudge.adjudicator.turn import Turn


def resolve_movement(turn: Turn) -> list[Event]:
    """All moves, supports, convoys, conversions and sieges of a campaign, at once."""
    given = orders_given(turn.state, turn.orders)
    before = _before_movement(turn, given)
    ready = dataclasses.replace(turn, state=evolve_all(turn.state, before)) if before else turn
    drawn_up = muster(ready, given)
    breaker = _TieBreaker(drawn_up.battle)
    ties = solve(drawn_up.battle, drawn_up.questions, breaker.decide)
    return [*before, *breaker.told(ties), *told(Outcome(ready, drawn_up))]


def _before_movement(turn: Turn, given: Given) -> list[Event]:
    """Who disbands is gone before movement (MOV-31), and sieges without an end lapse (SIE-10)."""
    events: dict[Whose, Event] = {
        whose: OrderIgnored(whose.power, order) for whose, order in given.astray.items()
    }
    victims = assassinated(turn.so_far)
    for in_city, orders, units in (
        (False, given.afield, turn.state.field),
        (True, given.garrisons, turn.state.garrisons),
    ):
        for place, order in orders.items():
            power = units[place].owner
            if isinstance(order, Disband) and power not in victims:
                removed = UnitRemoved(units[place], Removal.ORDERED)
                events[Whose(in_city, power, place)] = removed
    happened = [events[whose] for whose in sorted(events)]
    return [*happened, *lapsed_sieges(evolve_all(turn.state, happened))]


# --- when questions have no single answer ----------------------------------------------------


class _TieBreaker:
    """The judge's tie-break: the first rule that fits the questions that wait for each other."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.rules: list[TieBroken] = []

    def decide(self, group: Sequence[int]) -> Assignment:
        """Transports fail; else who guards a strait stays; else all advance; else all fail."""
        size = len(self.battle.fighters)
        transports = [question for question in group if question >= size]
        if transports:
            self._note("transports fail", [question - size for question in transports])
            return dict.fromkeys(transports, False)
        straits = self._open_straits(group)
        if straits:
            return self._keep_guards(straits)
        if self._all_can_advance(group):
            self._note("all advance", group)
            return dict.fromkeys(group, True)
        self._note("all fail", group)
        return dict.fromkeys(group, False)

    def _note(self, rule: str, numbers: Sequence[int]) -> None:
        units = tuple(self.battle.fighters[number].unit for number in numbers)
        self.rules.append(TieBroken(rule, units))  # type: ignore[arg-type]

    def _open_straits(self, group: Sequence[int]) -> list[frozenset[PlaceId]]:
        """The straits for whose guards questions of the group wait."""
        self.battle.unclear.clear()
        for question in group:
            self.battle.equation(question)
        return sorted(self.battle.unclear, key=sorted)

    def _keep_guards(self, straits: Sequence[frozenset[PlaceId]]) -> Assignment:
        """From now on the fleets that stood there at the start guard these straits (MAP-19)."""
        for leg in straits:
            guards = self.battle.guards[leg]
            staying = guards.staying + guards.leaving
            self.battle.guards[leg] = Guards(staying, (), (), guards.allowed)
            self._note("guards stay", staying)
        return {}

    def _all_can_advance(self, group: Sequence[int]) -> bool:
        battle = self.battle
        if any(battle.fighters[number].goal is None for number in group):
            return False
        for number in group:
            battle.answers[number] = True
        possible = all(battle.equation(number) is not False for number in group)
        for number in group:
            battle.answers[number] = None
        return possible

    def told(self, ties: Sequence[Tie]) -> list[TieBroken]:
        """One event per tie, in the order in which they were broken."""
        return self.rules if ties else []
