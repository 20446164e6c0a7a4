"""What the events of a phase say of the position before and of each other, and where they err."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from machjudge.adjudicator.events import (
    Advanced,
    CityTaken,
    Converted,
    Event,
    HomeConquered,
    ProvinceTaken,
    RebellionEnded,
    Retreated,
    SiegeBegun,
    SiegeCompleted,
    SiegeEnded,
    SiegeKept,
    UnitDislodged,
    UnitRemoved,
)
from machjudge.adjudicator.land.sieges import besieger_of
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.reasons import (
    HeldInstead,
    Objection,
    RebellionEnd,
    Removal,
    SiegeEnd,
)
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import World
from machjudge.formats.values import events_of, read_events
from tests.adjudicator.numbers import RULES


@dataclass(frozen=True)
class Chronicle:
    """The events of a phase, and the position that they began with."""

    world: World
    before: State
    events: tuple[Event, ...]

    def faults(self) -> Iterator[str]:
        """Everything that cannot be as it is told."""
        if read_events(events_of(self.events)) != self.events:
            yield "the events cannot be written down and read again"
        for rule in self.rules_named():
            if rule not in RULES:
                yield f"{rule} is no rule"
        yield from self._changes_of_owners()
        for event in self.events:
            yield from self._fault(event)

    def rules_named(self) -> Iterator[str]:
        """The numbers of the rules that reasons go back to."""
        for event in self.events:
            because = getattr(event, "because", None)
            if isinstance(because, HeldInstead | Objection):
                yield because.rule

    @cached_property
    def entered(self) -> frozenset[PlaceId]:
        """The provinces and seas that units entered in movement."""
        by_way = {e.to for e in self.events if isinstance(e, Advanced)}
        out = (e for e in self.events if isinstance(e, Converted) and e.unit.is_garrison)
        return frozenset(by_way | {event.unit.place for event in out})

    def _changes_of_owners(self) -> Iterator[str]:
        """Control changes from the former holder to somebody else."""
        provinces, cities = dict(self.before.provinces), dict(self.before.cities)
        homes = dict(self.before.homes)
        for event in self.events:
            match event:
                case ProvinceTaken(place):
                    yield from _change(provinces, (place,), event)
                case CityTaken(place):
                    yield from _change(cities, (place,), event)
                case HomeConquered(home, places):
                    if places != self.world.scenario.powers[home].home:
                        yield f"{event}: that home country is another"
                    yield from _change(homes, places, event)
                case _:
                    pass

    def _fault(self, event: Event) -> Iterator[str]:
        match event:
            case Advanced() | Converted():
                yield from self._way(event)
            case SiegeBegun() | SiegeCompleted() | SiegeKept():
                yield from self._siege(event)
            case SiegeEnded(city, because):
                yield from self._end_of_siege(event, city, because)
            case RebellionEnded(by=by, because=RebellionEnd.SIEGE):
                if by not in {e.unit.owner for e in self.events if isinstance(e, SiegeCompleted)}:
                    yield f"{event}: who besieged them?"
            case UnitRemoved(unit, Removal.NO_RETREAT):
                yield from self._loss(event, unit)
            case Retreated():
                yield from self._retreat(event)
            case _:
                pass

    def _way(self, event: Advanced | Converted) -> Iterator[str]:
        unit = event.unit
        leaves_city = isinstance(event, Converted) and unit.is_garrison
        if event.left_empty is not (leaves_city or unit.place not in self.entered):
            yield f"{event}: was the place left empty?"
        if not event.strength >= unit.quality.strength:
            yield f"{event}: without strength"

    def _loss(self, event: Event, unit: Unit) -> Iterator[str]:
        driven = (e for e in self.events if isinstance(e, UnitDislodged) and e.unit == unit)
        if not any(not e.retreats and not e.convert for e in driven):
            yield f"{event}: it had a retreat"

    def _retreat(self, event: Retreated) -> Iterator[str]:
        to = event.to, event.coast
        waiting = [waiting for waiting in self.before.dislodged if waiting.unit == event.unit]
        if not any(to in w.retreats or (event.into_city and w.convert) for w in waiting):
            yield f"{event}: no retreat led there"

    def _siege(self, event: SiegeBegun | SiegeCompleted | SiegeKept) -> Iterator[str]:
        half_done = event.besieged in self.before.sieges
        if event.unit.is_garrison or half_done is isinstance(event, SiegeBegun):
            yield f"{event}: that half is not the one that was to be done"

    def _end_of_siege(self, event: Event, city: PlaceId, because: SiegeEnd) -> Iterator[str]:
        begun = {e.besieged for e in self.events if isinstance(e, SiegeBegun)}
        if city not in self.before.sieges | begun:
            yield f"{event}: there was none"
        besieger = besieger_of(self.world, self.before, city)
        if because is SiegeEnd.ABANDONED and (besieger is None or besieger.kind is Kind.GARRISON):
            yield f"{event}: nobody was there to abandon it"


def _change(
    owners: dict[PlaceId, PowerId],
    places: tuple[PlaceId, ...],
    event: ProvinceTaken | CityTaken | HomeConquered,
) -> Iterator[str]:
    if event.by == event.before or any(owners.get(p) != event.before for p in places):
        yield f"{event}: was not {event.before}'s"
    for place in places:
        owners.pop(place, None)
        if event.by is not None:
            owners[place] = event.by
