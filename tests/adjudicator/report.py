"""What a campaign told, and every reason in it that the other events do not bear out."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    RebelsSupported,
    SupportFailed,
    SupportGiven,
    TieBroken,
    Transported,
    TransportFailed,
    UnitDislodged,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.reasons import (
    Bounced,
    CutBy,
    NoConvoy,
    StraitClosed,
    SupporterDislodged,
    WasDislodged,
    Withstood,
)
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import World

Way = Advanced | AdvanceFailed | Converted | ConversionFailed
"""What became of a unit that tried to get somewhere."""
Failed = AdvanceFailed | ConversionFailed | SupportFailed | TransportFailed


@dataclass(frozen=True)
class Report:
    """The events of a campaign, as a player reads them."""

    world: World
    events: tuple[Event, ...]

    @cached_property
    def ways(self) -> list[Way]:
        """Every move and conversion."""
        return [event for event in self.events if isinstance(event, Way)]

    def goal(self, way: Way) -> PlaceId | None:
        """The province or sea that a unit tried to enter."""
        if isinstance(way, Advanced | AdvanceFailed):
            return way.to
        return way.unit.place if way.unit.is_garrison else None

    def way_of(self, unit: Unit) -> Way | None:
        """What a unit tried."""
        return next((way for way in self.ways if way.unit == unit), None)

    def was_stopped(self, unit: Unit) -> bool:
        """True if a strait stopped it, so that it was not really on its way."""
        way = self.way_of(unit)
        return isinstance(way, AdvanceFailed) and isinstance(way.because, StraitClosed)

    def goes(self, unit: Unit) -> PlaceId | None:
        """Where a unit is on its way to; nowhere if a strait stopped it."""
        way = self.way_of(unit)
        return None if way is None or self.was_stopped(unit) else self.goal(way)

    def strength(self, unit: Unit, to: PlaceId | None, against: PowerId | None = None) -> int:
        """A unit's strength on its way, or where it holds, from the supports and rebels told."""
        backing = (
            event.unit.quality.strength
            for event in self.events
            if isinstance(event, SupportGiven)
            and (event.supported, event.to) == (unit, to)
            and event.unit.owner != against
        )
        rebels = RebelsSupported(unit, to) in self.events if to is not None else False
        return unit.quality.strength + sum(backing) + rebels

    def opposition(self, unit: Unit, attacker: Unit) -> int:
        """What a unit that stays holds against an attacker."""
        to = self.goes(unit)
        if to is None:
            way = self.way_of(unit)
            converts = isinstance(way, Converted | ConversionFailed)
            return unit.quality.strength if converts else self.strength(unit, None)
        both_by_land = not self._by_sea(unit) and not self._by_sea(attacker)
        faces = to == attacker.place and not attacker.is_garrison and both_by_land
        return self.strength(unit, to) if faces else unit.quality.strength

    def _by_sea(self, unit: Unit) -> bool:
        return any(isinstance(e, Transported) and e.army == unit for e in self.events) or any(
            isinstance(way, AdvanceFailed) and isinstance(way.because, NoConvoy)
            for way in [self.way_of(unit)]
        )

    # --- what is wrong with a reason -------------------------------------------------------------

    def faults(self) -> Iterator[str]:
        """Every reason that the other events do not bear out."""
        for event in self.events:
            match event:
                case Advanced() | Converted():
                    yield from self._entry(event)
                case AdvanceFailed() | ConversionFailed():
                    yield from self._failure(event)
                case SupportFailed():
                    yield from self._support(event)
                case TransportFailed(because=WasDislodged(by=by)):
                    yield from self._driven_out(event, by)
                case UnitDislodged():
                    yield from self._dislodgement(event)
                case _:
                    pass

    def _entry(self, event: Advanced | Converted) -> Iterator[str]:
        """Friends of a unit that is driven out do not help against it (MOV-15)."""
        driven = (
            e.unit for e in self.events if isinstance(e, UnitDislodged) and e.by == event.unit
        )
        loser = next(driven, None)
        against = None if loser is None else loser.owner
        if event.strength != self.strength(event.unit, self.goal(event), against):
            yield f"{event}: the strength is another"

    def _failure(self, event: AdvanceFailed | ConversionFailed) -> Iterator[str]:
        match event.because:
            case Bounced() as why:
                yield from self._bounce(event, why)
            case Withstood() as why:
                yield from self._resistance(event, why)
            case NoConvoy() as why:
                yield from self._convoy(event, why)
            case StraitClosed(guard):
                yield from self._strait(event, guard)
            case WasDislodged(by=by):
                yield from self._driven_out(event, by)
            case _:
                pass

    def _driven_out(self, event: Failed, by: Unit) -> Iterator[str]:
        if not any(
            isinstance(told, UnitDislodged) and (told.unit, told.by) == (event.unit, by)
            for told in self.events
        ):
            yield f"{event}: was not driven out"

    def _strait(self, event: Event, guard: Unit) -> Iterator[str]:
        """The guard is a fleet that stayed in the guarding province, or came there."""
        posts = {strait.guard for strait in self.world.straits.values()}
        way = self.way_of(guard)
        came = isinstance(way, Advanced | Converted) and self.goal(way) in posts
        arrived = way.into if isinstance(way, Converted) else guard.kind
        was_there = guard.place in posts and not guard.is_garrison
        stayed = was_there and (not isinstance(way, Advanced | Converted) or self._blocks(way))
        if not (came and arrived is Kind.FLEET) and not (stayed and guard.kind is Kind.FLEET):
            yield f"{event}: the guard is not there"
        if guard.owner == event.unit.owner and not getattr(event, "via", ()):
            yield f"{event}: the guard is its own"

    def _blocks(self, way: Advanced | Converted) -> bool:
        """True if a fleet closes its strait although it leaves the province.

        By the rules of the game, or because everything else would contradict itself (MAP-19).
        """
        if any(isinstance(e, TieBroken) and way.unit in e.units for e in self.events):
            return True
        rules = self.world.rules.strait
        return rules.leaver_blocks if isinstance(way, Advanced) else rules.convert_in_blocks

    def _bounce(self, event: AdvanceFailed | ConversionFailed, why: Bounced) -> Iterator[str]:
        goal = self.goal(event)
        if not why.rival >= why.strength:
            yield f"{event}: the rival is weaker"
        if self.goes(why.against) != goal or self.strength(why.against, goal) != why.rival:
            yield f"{event}: the rival's strength is another"
        # Without the supports that do not count against a unit that both would drive out.
        there = {
            unit.owner
            for told in self.events
            if isinstance(unit := getattr(told, "unit", None), Unit)
            and unit.place == goal
            and not unit.is_garrison
        }
        if why.strength not in {self.strength(event.unit, goal, one) for one in (None, *there)}:
            yield f"{event}: the strength is another"

    def _resistance(self, event: AdvanceFailed | ConversionFailed, why: Withstood) -> Iterator[str]:
        goal = self.goal(event)
        if not why.rival >= why.strength:
            yield f"{event}: the holder is weaker"
        if why.against.place != goal or self.opposition(why.against, event.unit) != why.rival:
            yield f"{event}: the holder's strength is another"
        if self.strength(event.unit, goal, why.against.owner) != why.strength:
            yield f"{event}: the strength is another"

    def _convoy(self, event: AdvanceFailed | ConversionFailed, why: NoConvoy) -> Iterator[str]:
        driven = {told.unit for told in self.events if isinstance(told, UnitDislodged)}
        carried = {
            told.unit.place
            for told in self.events
            if isinstance(told, Transported) and told.army == event.unit
        }
        if why.dislodged != (why.fleet in driven):
            yield f"{event}: the fleet was driven out, or was not"
        if why.at in carried:
            yield f"{event}: the fleet carried the army"
        via = event.via if isinstance(event, AdvanceFailed) else ()
        if via and why.at not in via:
            yield f"{event}: the fleet is not of the route"

    def _support(self, event: SupportFailed) -> Iterator[str]:
        match event.because:
            case CutBy(attacker):
                if attacker.owner == event.unit.owner or self.goes(attacker) != event.unit.place:
                    yield f"{event}: does not attack"
            case StraitClosed(guard):
                yield from self._strait(event, guard)
            case SupporterDislodged(by=by) | WasDislodged(by=by):
                yield from self._driven_out(event, by)
            case _:
                pass

    def _dislodgement(self, event: UnitDislodged) -> Iterator[str]:
        way = self.way_of(event.by)
        if not isinstance(way, Advanced | Converted) or self.goal(way) != event.unit.place:
            yield f"{event}: nobody came"
        if not event.strength > event.rival:
            yield f"{event}: was not weaker"
        if self.strength(event.by, event.unit.place, event.unit.owner) != event.strength:
            yield f"{event}: the strength is another"
        if self.opposition(event.unit, event.by) != event.rival:
            yield f"{event}: the resistance is another"
