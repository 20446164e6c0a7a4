"""Who owns what: control of provinces and cities, cessions, scorched earth (area CTL)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from machjudge.adjudicator.events import (
    CityTaken,
    Event,
    ProvinceBurnt,
    ProvinceTaken,
    RebellionEnded,
    UnitChangedOwner,
    UnitRemoved,
)
from machjudge.adjudicator.evolve import Step, Turn, evolve_all
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Burn, Cede
from machjudge.adjudicator.rules import BothLost, CityControl, RebelControl
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Unit, unit_order
from machjudge.adjudicator.world import World


def count_control(turn: Turn) -> Sequence[Event]:
    """Return the events of a count of control (CTL-01, CTL-14)."""
    return changes_of_control(turn.world, turn.state)


def but_bought(count: Step) -> Step:
    """Return a count of control without the places of bought units (CTL-04)."""

    def without_bought(turn: Turn) -> Sequence[Event]:
        bought = {event.unit.place for event in turn.so_far if isinstance(event, UnitChangedOwner)}
        return [
            event
            for event in count(turn)
            if not isinstance(event, ProvinceTaken | CityTaken) or event.place not in bought
        ]

    return without_bought


def changes_of_control(world: World, state: State) -> list[ProvinceTaken | CityTaken]:
    """Return the changes of control by presence (CTL-03)."""
    events: list[ProvinceTaken | CityTaken] = []
    rule = world.rules.control.city
    for place in sorted(_unsettled(world, state)):
        afield, garrison = state.field.get(place), state.garrisons.get(place)
        if afield is None and garrison is None:
            afield = state.field.get(world.siege_post(place))
        holder, before = _power_of(afield or garrison), state.provinces.get(place)
        if rule is CityControl.NOBODY and garrison is not None:
            holder = holder if garrison.owner in (AUTONOMOUS, holder) else None
        if holder != before:
            events.append(ProvinceTaken(place, holder, before))
        if place in world.cities:
            # A garrison holds its city, else the unit around it (CTL-03, CTL-09).
            holder, before = _power_of(garrison or afield), state.cities.get(place)
            divided = afield is not None and garrison is not None and afield.owner != garrison.owner
            if divided and rule is not CityControl.SPLIT:
                holder = None
            if holder != before:
                events.append(CityTaken(place, holder, before))
    return events


def _unsettled(world: World, state: State) -> set[PlaceId]:
    """Places on land whose unit does not control all of them."""
    unsettled = {
        unit.place
        for unit in state.units()
        if state.provinces.get(unit.place) != unit.owner
        or (unit.place in world.cities and state.cities.get(unit.place) != unit.owner)
    } - world.seas
    if world.besieged_from:
        return unsettled | _held_from_the_sea(world, state)
    return unsettled


def _held_from_the_sea(world: World, state: State) -> set[PlaceId]:
    """Venice, if empty, without rebels, and held by a unit in the Lagoon (CTL-03)."""
    held = {city for city, sea in world.besieged_from.items() if sea in state.field}
    return held - set(state.field) - set(state.garrisons) - set(state.city_rebellions)


def _power_of(unit: Unit | None) -> PowerId | None:
    """The holding power; autonomous garrisons hold for nobody (CTL-03)."""
    return None if unit is None or unit.owner == AUTONOMOUS else unit.owner


# --- where field unit and garrison go at the same moment -------------------------------------


def with_losses(rule: BothLost, step: Step) -> Step:
    """Return a step after which emptied places have the owner of the rule (CTL-07)."""
    match rule:
        case BothLost.UNCHANGED:
            return step
        case BothLost.UNOWNED:
            return lambda turn: _with_heirs(turn, step(turn), lambda _: None)
        case BothLost.LAST_SOLE:
            # Those who had the garrison have all of it: they were there first.
            return lambda turn: _with_heirs(turn, step(turn), _power_of)


def _with_heirs(
    turn: Turn, events: Sequence[Event], heir_of: Callable[[Unit], PowerId | None]
) -> Sequence[Event]:
    """The events of a step, and the new owners of places that it emptied."""
    gone = {event.unit for event in events if isinstance(event, UnitRemoved)}
    if len(gone) <= 1:
        return events
    after = evolve_all(turn.state, events)
    heirs: list[Event] = []
    for garrison in sorted(gone.intersection(turn.state.garrisons.values()), key=unit_order):
        place, heir = garrison.place, heir_of(garrison)
        heir = None if heir in after.eliminated else heir
        if turn.state.field.get(place) in gone and place not in {u.place for u in after.units()}:
            before = after.provinces.get(place), after.cities.get(place)
            heirs += [ProvinceTaken(place, heir, before[0])] * (before[0] != heir)
            heirs += [CityTaken(place, heir, before[1])] * (before[1] != heir)
    return [*events, *heirs]


def cities_of(world: World, owners: Mapping[PlaceId, PowerId], power: PowerId) -> list[PlaceId]:
    """Return the cities that a power controls, fortresses not counted (ELI-01, VIC-07)."""
    return sorted(p for p, owner in owners.items() if owner == power and p in world.full_cities)


# Provinces that one power leaves to another, where the rules let them trade (CTL-17).
def cede_provinces(turn: Turn) -> Sequence[Event]:
    """Cede provinces with cities, before anything else of the campaign."""
    ceded = [
        (order.place, power, order.to)
        for power, order in turn.orders_of(Cede)
        if order.to is not None
    ]
    events: list[Event] = []
    for place, giver, receiver in sorted(ceded):
        events.append(ProvinceTaken(place, receiver, giver))
        if place in turn.world.cities:
            events.append(CityTaken(place, receiver, giver))
    return events


# Provinces that their own power lays waste, where the rules have scorched earth (INC-20).
def burn_provinces(turn: Turn) -> Sequence[Event]:
    """Burn provinces, before anything else; they pay nothing in the next income."""
    burnt = [
        (order.place, power)
        for power, order in turn.orders_of(Burn)
        if order.burnt and order.place not in turn.state.taxed
    ]
    return [ProvinceBurnt(place, power) for place, power in sorted(burnt)]


def count_among_rebels(turn: Turn) -> Sequence[Event]:
    """Count control; rebelling provinces, and their cities without garrison, are nobody's."""
    state = turn.state
    rebelling = sorted({*state.province_rebellions, *state.city_rebellions})
    counted = [
        event for event in changes_of_control(turn.world, state) if not is_disputed(state, event)
    ]
    provinces = [
        ProvinceTaken(place, None, state.provinces[place])
        for place in rebelling
        if place in state.provinces
    ]
    cities = [
        CityTaken(place, None, state.cities[place])
        for place in rebelling
        if place in state.cities and place not in state.garrisons
    ]
    return [*counted, *provinces, *cities]


def count_with_returns(turn: Turn) -> Sequence[Event]:
    """The same; empty places left by rebels return to their target."""
    return [*count_among_rebels(turn), *_returns(turn)]


COUNTS: Mapping[RebelControl, Step] = {
    RebelControl.KEPT: count_control,
    RebelControl.SUSPENDED: count_with_returns,
    RebelControl.NOBODY: count_among_rebels,
}
"""The counts of control, by the rules."""


def is_disputed(state: State, event: ProvinceTaken | CityTaken) -> bool:
    """Return whether rebels dispute the result of a count of control."""
    guarded = isinstance(event, CityTaken) and event.place in state.garrisons
    return state.has_rebels(event.place) and not guarded


def _returns(turn: Turn) -> Iterator[Event]:
    """The places left by rebels in this phase, back to their target."""
    state = turn.state
    against = {**turn.start.city_rebellions, **turn.start.province_rebellions}
    left = {event.place for event in turn.so_far if isinstance(event, RebellionEnded)}
    empty = left - set(state.field) - set(state.garrisons)
    for place in sorted(empty):
        target = against.get(place)
        if target is not None and not state.has_rebels(place):
            if place not in state.provinces:
                yield ProvinceTaken(place, target, None)
            if place in turn.world.cities and place not in state.cities:
                yield CityTaken(place, target, None)
