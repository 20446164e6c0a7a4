"""What a solved battle did to every unit and why, event by event (area MOV)."""

from collections.abc import Iterator

from machjudge.adjudicator import convoys, retreats
from machjudge.adjudicator.conversion import enters_city
from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    Held,
    RebelsSupported,
    SupportFailed,
    SupportGiven,
    Transported,
    TransportFailed,
    UnitDislodged,
    UnitRemoved,
)
from machjudge.adjudicator.muster import Muster
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    Support,
    Transport,
)
from machjudge.adjudicator.reasons import (
    Bounced,
    CityRebels,
    CutBy,
    Failure,
    HeldInstead,
    NotMatched,
    OwnUnitStayed,
    Removal,
    StraitClosed,
    SupporterDislodged,
    VeniceHeld,
    WasDislodged,
    Withstood,
)
from machjudge.adjudicator.sieges import siege_results
from machjudge.adjudicator.state import State
from machjudge.adjudicator.strength import NOBODY, Fighter
from machjudge.adjudicator.turn import Turn
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World


class Telling:
    """A solved battle, told event by event in an order that ``evolve`` can follow."""

    def __init__(self, turn: Turn, drawn_up: Muster) -> None:
        self.turn = turn
        self.world: World = turn.world
        self.state: State = turn.state
        self.muster = drawn_up
        self.battle = drawn_up.battle
        self.entered = {
            fighter.goal: fighter
            for fighter in self.battle.fighters
            if fighter.goal is not None and self.succeeds(fighter)
        }

    def succeeds(self, fighter: Fighter) -> bool:
        """Whether the fighter did what he tried."""
        return self.battle.answers[fighter.number] is True

    def driver_out(self, fighter: Fighter) -> Fighter | None:
        """Who drove the fighter out of where he stood."""
        if fighter.stands_in is None or (fighter.leaves and self.succeeds(fighter)):
            return None
        return self.entered.get(fighter.stands_in)

    def events(self) -> list[Event]:
        """Everything that happened: who was driven out, who moved, and all the rest."""
        events: list[Event] = []
        events += self._dislodgements()
        for fighter in self.battle.fighters:
            events += self._way(fighter)
        for fighter in self.battle.fighters:
            events += self._stand(fighter)
        events += self._sieges()
        return events

    # who was driven out

    def _dislodgements(self) -> Iterator[Event]:
        for fighter in self.battle.fighters:
            attacker = self.driver_out(fighter)
            if attacker is None:
                continue
            ways = retreats.ways_out(self._ground(), fighter.unit, self._driven_by(attacker))
            strength = self.battle.push(attacker, against=fighter.unit.owner)[0]
            rival = self.battle.opposition(attacker, fighter)[0]
            yield UnitDislodged(
                fighter.unit, attacker.unit, strength, rival, ways.spots, ways.convert
            )
            if not ways.spots and not ways.convert:
                yield UnitRemoved(fighter.unit, Removal.NO_RETREAT)

    def _driven_by(self, attacker: Fighter) -> retreats.Attack:
        from_city = attacker.stands_in is None
        return retreats.Attack(attacker.unit, attacker.by_sea, from_city)

    def _ground(self) -> retreats.Ground:
        return retreats.Ground(
            world=self.world,
            start=self.turn.start,
            state=self.state,
            afield=self._field_after(),
            cities=self._cities_after(),
            contested=self._contested(),
            orders=self.turn.orders,
        )

    def _field_after(self) -> dict[PlaceId, Unit]:
        after = {place: self._as_entered(fighter) for place, fighter in self.entered.items()}
        for fighter in self.battle.fighters:
            stays = fighter.stands_in is not None and not (
                fighter.leaves and self.succeeds(fighter)
            )
            if stays and fighter.unit.place not in after and not self._goes_in(fighter):
                after[fighter.unit.place] = fighter.unit
        return after

    def _as_entered(self, fighter: Fighter) -> Unit:
        intent = self.muster.intents[fighter.number]
        if isinstance(intent, Convert):
            return fighter.unit.converted(intent.into, intent.coast)
        return fighter.unit

    def _goes_in(self, fighter: Fighter) -> bool:
        """Whether it becomes the garrison of its province."""
        if not enters_city(self.muster.intents[fighter.number]):
            return False
        if not self.succeeds(fighter):
            return False
        in_venice = fighter.unit.place in self.battle.venice
        return not (in_venice and self.driver_out(fighter))

    def _cities_after(self) -> frozenset[PlaceId]:
        held = set()
        for fighter in self.battle.fighters:
            stays_in = fighter.stands_in is None and not (
                fighter.goal is not None and self.succeeds(fighter)
            )
            if stays_in or self._goes_in(fighter):
                held.add(fighter.unit.place)
        return frozenset(held)

    def _contested(self) -> frozenset[PlaceId]:
        """Places where somebody bounced: closed to retreats where they are vacant (MOV-40)."""
        bounced = set()
        for fighter in self.battle.fighters:
            if fighter.goal is None or self.succeeds(fighter):
                continue
            if self.battle.prevention(fighter)[0] > 0:
                bounced.add(fighter.goal)
        return frozenset(bounced)

    # who moved

    def _way(self, fighter: Fighter) -> Iterator[Event]:
        intent = self.muster.intents[fighter.number]
        if fighter.rebels_help and self.battle.rebels(fighter) is True and fighter.goal is not None:
            yield RebelsSupported(fighter.unit, fighter.goal)
        match intent:
            case Advance():
                yield self._advance(fighter, intent)
            case Convert():
                yield self._conversion(fighter, intent)
            case _:
                return

    def _advance(self, fighter: Fighter, order: Advance) -> Event:
        if not self.succeeds(fighter):
            because = self._why_failed(fighter)
            return AdvanceFailed(fighter.unit, order.to, because, order.coast, order.via)
        return Advanced(
            fighter.unit,
            order.to,
            order.coast,
            self._strength_used(fighter),
            fighter.unit.place not in self.entered,
            order.via,
        )

    def _strength_used(self, fighter: Fighter) -> int:
        """The strength with which it entered: against a unit driven out without its friends'."""
        holder = self.battle.fighters[
            self.battle.holder.get(fighter.goal or fighter.unit.place, fighter.number)
        ]
        if self.driver_out(holder) is fighter:
            return self.battle.push(fighter, against=holder.unit.owner)[0]
        return self.battle.push(fighter)[0]

    def _conversion(self, fighter: Fighter, order: Convert) -> Event:
        unit = fighter.unit
        if enters_city(order):
            if self._goes_in(fighter):
                empty = unit.place not in self.entered
                return Converted(unit, order.into, order.coast, fighter.force, empty)
            attacker = self.driver_out(fighter)
            if unit.place in self.battle.venice and attacker is not None:
                return ConversionFailed(unit, order.into, WasDislodged(attacker.unit))
            return ConversionFailed(unit, order.into, CityRebels(unit.place))
        if self.succeeds(fighter):
            used = self._strength_used(fighter)
            return Converted(unit, order.into, order.coast, used, left_empty=True)
        return ConversionFailed(unit, order.into, self._why_failed(fighter))

    def _why_failed(self, fighter: Fighter) -> Failure:
        """What stopped a unit on its way, the nearest cause first."""
        battle = self.battle
        if battle.arrives(fighter) is False:
            return self._why_stopped(fighter)
        goal = fighter.goal or fighter.unit.place
        if goal in battle.venice and goal in battle.city_holder:
            return VeniceHeld(self._venice_opponent(fighter, goal).unit)
        holder_number = battle.holder.get(goal, NOBODY)
        strength = battle.push(fighter)[0]
        if holder_number != NOBODY:
            holder = battle.fighters[holder_number]
            faces = holder.facing == fighter.number
            if faces or not (holder.leaves and self.succeeds(holder)):
                if holder.unit.owner == fighter.unit.owner:
                    return OwnUnitStayed(holder.unit)
                strength = battle.push(fighter, against=holder.unit.owner)[0]
                needed = battle.opposition(fighter, holder)[0]
                if strength <= needed:
                    return Withstood(holder.unit, strength, needed)
        return self._strongest_rival(fighter, goal, strength)

    def _why_stopped(self, fighter: Fighter) -> Failure:
        if fighter.by_sea:
            passage = self.muster.passages[fighter.number]
            return convoys.failure(self.battle, self.world, passage)
        return self._closed_strait(fighter)

    def _closed_strait(self, fighter: Fighter) -> StraitClosed:
        leg = fighter.leg or frozenset()
        guard = self.battle.guards[leg].closing(self.battle, fighter.unit.owner)
        return StraitClosed(guard or fighter.unit)

    def _venice_opponent(self, fighter: Fighter, goal: PlaceId) -> Fighter:
        garrison = self.battle.fighters[self.battle.city_holder[goal]]
        if garrison is not fighter:
            return garrison
        others = (self.battle.fighters[n] for n in self.battle.into[goal] if n != fighter.number)
        return next(other for other in others if self.battle.arrives(other))

    def _strongest_rival(self, fighter: Fighter, goal: PlaceId, strength: int) -> Bounced:
        rivals = [self.battle.fighters[n] for n in self.battle.into[goal] if n != fighter.number]
        rival = max(rivals, key=lambda r: (self.battle.prevention(r)[0], -r.number))
        return Bounced(rival.unit, strength, self.battle.prevention(rival)[0])

    # who stayed

    def _stand(self, fighter: Fighter) -> Iterator[Event]:
        intent = self.muster.intents[fighter.number]
        match intent:
            case HeldInstead():
                yield Held(fighter.unit, intent)
            case Hold():
                if self.driver_out(fighter) is None:
                    yield Held(fighter.unit)
            case Support():
                yield self._support(fighter, intent)
            case Transport():
                yield self._transport(fighter, intent)
            case Advance() | Convert() | Besiege() | LiftSiege() | Disband():
                return

    def _support(self, fighter: Fighter, order: Support) -> Event:
        supported = self._whom_supported(fighter, order)
        if supported is None:
            return SupportFailed(fighter.unit, NotMatched(order.supported))
        if self.succeeds(fighter):
            return SupportGiven(fighter.unit, supported.unit, order.to)
        if self.battle.stopped(fighter):
            return SupportFailed(fighter.unit, self._closed_strait(fighter))
        return SupportFailed(fighter.unit, self._why_cut(fighter))

    def _whom_supported(self, fighter: Fighter, order: Support) -> Fighter | None:
        """Whom it supports in what that unit does; at a closed strait that is to hold (MAP-35)."""
        number = self.muster.supported.get(fighter.number)
        if number is None:
            return None
        supported = self.battle.fighters[number]
        holds = supported.goal is None or self.battle.stopped(supported)
        return supported if holds is (order.to is None) else None

    def _why_cut(self, fighter: Fighter) -> CutBy | SupporterDislodged:
        attackers = [
            self.battle.fighters[n]
            for n in self.battle.into.get(fighter.unit.place, ())
            if self.battle.fighters[n].unit.owner != fighter.unit.owner
        ]
        for attacker in attackers:
            from_target = attacker.stands_in is not None and attacker.stands_in == fighter.supports
            if not from_target and self.battle.arrives(attacker):
                return CutBy(attacker.unit)
        driver = next(attacker for attacker in attackers if self.succeeds(attacker))
        return SupporterDislodged(driver.unit)

    def _transport(self, fighter: Fighter, order: Transport) -> Event:
        army = self.battle.holder.get(order.army.place, NOBODY)
        passage = self.muster.passages.get(army)
        if passage is None or fighter.number not in passage.fleets:
            return TransportFailed(fighter.unit, NotMatched(order.army))
        carried = self.battle.fighters[army]
        if self.battle.carried(carried):
            return Transported(fighter.unit, carried.unit, order.to)
        driver = self.driver_out(fighter)
        if driver is not None:
            return TransportFailed(fighter.unit, WasDislodged(driver.unit))
        return TransportFailed(fighter.unit, convoys.failure(self.battle, self.world, passage))

    def _sieges(self) -> list[Event]:
        stayed = [
            (fighter.unit, self.muster.intents[fighter.number])
            for fighter in self.battle.fighters
            if fighter.stands_in is not None
            and self.driver_out(fighter) is None
            and not (fighter.leaves and self.succeeds(fighter))
        ]
        return siege_results(self.world.rules.siege, self.state, stayed)
