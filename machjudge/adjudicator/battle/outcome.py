"""A solved battle: who did what it tried, who was driven out, and what the map is like after."""

from machjudge.adjudicator.battle.battle_setup import Muster
from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import Intent, enters_city
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Convert
from machjudge.adjudicator.model.rules import Overrun
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
            if number is not None and not self._gets_away(self.battle.fighters[number]):
                drivers[number] = attacker
        if self.turn.world.rules.conversion.overrun is Overrun.THEN_RETREAT:
            drivers |= self._overrun()
        return drivers

    def _overrun(self) -> dict[int, Contender]:
        """Who drives a garrison on that has just converted out before it (CNV-09).

        Nobody else may stand in its way, and its own power drives nobody out.
        """
        drivers = {}
        for fighter in self.battle.fighters:
            place = fighter.unit.place
            attacker = self.entered.get(place)
            comes_out = fighter.stands_in is None and fighter.goal is not None
            if not comes_out or attacker is None or place in self.battle.venice:
                continue
            if attacker.unit.owner != fighter.unit.owner and self._way_is_free(fighter):
                drivers[fighter.number] = attacker
        return drivers

    def _way_is_free(self, garrison: Contender) -> bool:
        """Whether nobody stands in the province around its city who would keep it in."""
        number = self.battle.holder.get(garrison.unit.place)
        if number is None:
            return True
        holder = self.battle.fighters[number]
        return garrison.follows and self._gets_away(holder)

    def _gets_away(self, fighter: Contender) -> bool:
        """Whether it is gone when somebody enters its place, be it into the city (CNV-05)."""
        into_city = self._enters_city(fighter) and fighter.unit.place not in self.battle.venice
        return into_city or self.leaves(fighter)

    def _enters_city(self, fighter: Contender) -> bool:
        if fighter.goal is not None or not self.succeeds(fighter):
            return False
        return enters_city(self.intent(fighter))

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
        in_venice = fighter.unit.place in self.battle.venice
        return self._enters_city(fighter) and not (in_venice and self.driver_out(fighter))

    # --- the map after movement ----------------------------------------------------------------

    def field_after(self) -> dict[PlaceId, Unit]:
        """Who stands in which province or sea."""
        after = {place: self.as_entered(fighter) for place, fighter in self.entered.items()}
        for place, number in self.battle.holder.items():
            fighter = self.battle.fighters[number]
            if place not in after and not self.leaves(fighter) and not self.goes_in(fighter):
                after[place] = fighter.unit
        return after

    def as_entered(self, fighter: Contender) -> Unit:
        """The unit as it is when it has done what it tried: another type if it converted."""
        intent = self.intent(fighter)
        if isinstance(intent, Convert):
            return fighter.unit.converted(intent.into, intent.coast)
        return fighter.unit

    def cities_after(self) -> frozenset[PlaceId]:
        """Where a garrison stands."""
        held = set()
        for fighter in self.battle.fighters:
            is_inside = fighter.stands_in is None and fighter.number not in self.drivers
            if (is_inside and not self.leaves(fighter)) or self.goes_in(fighter):
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
