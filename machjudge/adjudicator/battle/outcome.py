"""A solved battle: who did what it tried, who was driven out, and what the map is like after."""

from machjudge.adjudicator.battle.battle_setup import BattleSetup
from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.events.turn import Turn
from machjudge.adjudicator.land.conversion import Intent, enters_city
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Convert
from machjudge.adjudicator.model.rules import Overrun
from machjudge.adjudicator.model.units import Unit


class Outcome:
    """The facts of a solved battle."""

    def __init__(self, turn: Turn, setup: BattleSetup) -> None:
        self.turn = turn
        self.setup = setup
        self.battle = setup.battle
        self.entered = {
            contender.goal: contender
            for contender in self.battle.contenders
            if contender.goal is not None and self.succeeds(contender)
        }
        """Who entered which province or sea."""
        self.drivers = self._drivers()
        """Who drove whom out of where it stood, by the number of the loser."""

    def _drivers(self) -> dict[int, Contender]:
        drivers = {}
        for place, attacker in self.entered.items():
            number = self.battle.holder.get(place)
            if number is not None and not self._gets_away(self.battle.contenders[number]):
                drivers[number] = attacker
        if self.turn.world.rules.conversion.overrun is Overrun.THEN_RETREAT:
            drivers |= self._overrun()
        return drivers

    def _overrun(self) -> dict[int, Contender]:
        """Who drives a garrison on that has just converted out before it (CNV-09).

        Nobody else may stand in its way, and its own power drives nobody out.
        """
        drivers = {}
        for contender in self.battle.contenders:
            place = contender.unit.place
            attacker = self.entered.get(place)
            comes_out = contender.stands_in is None and contender.goal is not None
            if not comes_out or attacker is None or place in self.battle.venice:
                continue
            if attacker.unit.owner != contender.unit.owner and self._way_is_free(contender):
                drivers[contender.number] = attacker
        return drivers

    def _way_is_free(self, garrison: Contender) -> bool:
        """Whether nobody stands in the province around its city who would keep it in."""
        number = self.battle.holder.get(garrison.unit.place)
        if number is None:
            return True
        holder = self.battle.contenders[number]
        return garrison.follows and self._gets_away(holder)

    def _gets_away(self, contender: Contender) -> bool:
        """Whether it is gone when somebody enters its place, be it into the city (CNV-05)."""
        into_city = self._enters_city(contender) and contender.unit.place not in self.battle.venice
        return into_city or self.leaves(contender)

    def _enters_city(self, contender: Contender) -> bool:
        if contender.goal is not None or not self.succeeds(contender):
            return False
        return enters_city(self.intent(contender))

    def intent(self, contender: Contender) -> Intent:
        """What the contender set out to do."""
        return self.setup.intents[contender.number]

    def succeeds(self, contender: Contender) -> bool:
        """Whether the contender did what it tried."""
        return self.battle.answers[contender.number] is True

    def leaves(self, contender: Contender) -> bool:
        """Whether the contender really left where it stood."""
        return contender.leaves and self.battle.answers[contender.number] is True

    def driver_out(self, contender: Contender) -> Contender | None:
        """Who drove the contender out of where it stood."""
        return self.drivers.get(contender.number)

    def goes_in(self, contender: Contender) -> bool:
        """Whether it becomes the garrison of its province."""
        in_venice = contender.unit.place in self.battle.venice
        return self._enters_city(contender) and not (in_venice and self.driver_out(contender))

    # --- the map after movement ----------------------------------------------------------------

    def field_after(self) -> dict[PlaceId, Unit]:
        """Who stands in which province or sea."""
        after = {place: self.as_entered(contender) for place, contender in self.entered.items()}
        for place, number in self.battle.holder.items():
            contender = self.battle.contenders[number]
            if place not in after and not self.leaves(contender) and not self.goes_in(contender):
                after[place] = contender.unit
        return after

    def as_entered(self, contender: Contender) -> Unit:
        """The unit as it is when it has done what it tried: another type if it converted."""
        intent = self.intent(contender)
        if isinstance(intent, Convert):
            return contender.unit.converted(intent.into, intent.coast)
        return contender.unit

    def cities_after(self) -> frozenset[PlaceId]:
        """Where a garrison stands."""
        held = set()
        for contender in self.battle.contenders:
            is_inside = contender.stands_in is None and contender.number not in self.drivers
            if (is_inside and not self.leaves(contender)) or self.goes_in(contender):
                held.add(contender.unit.place)
        return frozenset(held)

    def contested(self) -> frozenset[PlaceId]:
        """Places where somebody bounced: closed to retreats where they are vacant (MOV-40)."""
        bounced = set()
        for contender in self.battle.contenders:
            if contender.goal is None or self.succeeds(contender):
                continue
            least, _ = self.battle.prevention(contender)
            if least > 0:
                bounced.add(contender.goal)
        return frozenset(bounced)
