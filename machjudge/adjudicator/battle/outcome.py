"""A solved battle: who did what it tried, who was driven out, and what the map is like after."""

from machjudge.adjudicator.battle.battle_setup import Muster
from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import Intent, enters_city
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Convert
from machjudge.adjudicator.model.units import Unit


class Outcome:
    """The facts of a solved battle."""

    def __init__(self, turn: Turn, drawn_up: Muster) -> None:
        self.turn = turn
        self.muster = drawn_up
        self.battle = drawn_up.battle
        self.entered = {
            fighter.goal: fighter
            for fighter in self.battle.fighters
            if fighter.goal is not None and self.succeeds(fighter)
        }
        """Who entered which province or sea."""
        self.drivers = self._drivers()
        """Who drove whom out of where it stood, by the number of the loser."""

    def _drivers(self) -> dict[int, Contender]:
        drivers = {}
        for place, attacker in self.entered.items():
            number = self.battle.holder.get(place)
            if number is not None and not self.leaves(self.battle.fighters[number]):
                drivers[number] = attacker
        return drivers

    def intent(self, fighter: Contender) -> Intent:
        """What the fighter set out to do."""
        return self.muster.intents[fighter.number]

    def succeeds(self, fighter: Contender) -> bool:
        """Whether the fighter did what it tried."""
        return self.battle.answers[fighter.number] is True

    def leaves(self, fighter: Contender) -> bool:
        """Whether the fighter really left where it stood."""
        return fighter.leaves and self.battle.answers[fighter.number] is True

    def driver_out(self, fighter: Contender) -> Contender | None:
        """Who drove the fighter out of where it stood."""
        return self.drivers.get(fighter.number)

    def goes_in(self, fighter: Contender) -> bool:
        """Whether it becomes the garrison of its province."""
        if fighter.goal is not None or not self.succeeds(fighter):
            return False
        if not enters_city(self.intent(fighter)):
            return False
        in_venice = fighter.unit.place in self.battle.venice
        return not (in_venice and self.driver_out(fighter))

    # --- the map after movement ----------------------------------------------------------------

    def field_after(self) -> dict[PlaceId, Unit]:
        """Who stands in which province or sea."""
        after = {place: self._as_entered(fighter) for place, fighter in self.entered.items()}
        for place, number in self.battle.holder.items():
            fighter = self.battle.fighters[number]
            if place not in after and not self.leaves(fighter) and not self.goes_in(fighter):
                after[place] = fighter.unit
        return after

    def _as_entered(self, fighter: Contender) -> Unit:
        intent = self.intent(fighter)
        if isinstance(intent, Convert):
            return fighter.unit.converted(intent.into, intent.coast)
        return fighter.unit

    def cities_after(self) -> frozenset[PlaceId]:
        """Where a garrison stands."""
        held = set()
        for fighter in self.battle.fighters:
            stays_in = fighter.stands_in is None and not self.leaves(fighter)
            if stays_in or self.goes_in(fighter):
                held.add(fighter.unit.place)
        return frozenset(held)

    def contested(self) -> frozenset[PlaceId]:
        """Places where somebody bounced: closed to retreats where they are vacant (MOV-40)."""
        bounced = set()
        for fighter in self.battle.fighters:
            if fighter.goal is None or self.succeeds(fighter):
                continue
            least, _ = self.battle.prevention(fighter)
            if least > 0:
                bounced.add(fighter.goal)
        return frozenset(bounced)
