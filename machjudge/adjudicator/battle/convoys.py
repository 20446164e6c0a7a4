"""Convoys in a battle: the armies that go by sea, their fleets, and whether they arrive."""

from collections.abc import Collection, Iterable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass

from machjudge.adjudicator import legality
from machjudge.adjudicator.battle.strength import Answer, Battle, Contender, all_of, any_of, not_
from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.land.sieges import Intent
from machjudge.adjudicator.names import PlaceId
from machjudge.adjudicator.orders import Advance, Transport
from machjudge.adjudicator.reasons import (
    ConvoyParadox,
    Forced,
    HeldInstead,
    NoConvoy,
    StraitClosed,
)
from machjudge.adjudicator.rules import Legality, Route
from machjudge.adjudicator.units import ARMY, Unit
from machjudge.adjudicator.world import World


@dataclass(frozen=True, slots=True)
class Passage:
    """The sea route of one army."""

    start: PlaceId
    to: PlaceId
    fleets: tuple[int, ...]
    """The fleets of a listed route in its order, or all possible carriers."""
    listed: bool
    missing: PlaceId | None = None
    """The place where the listed route breaks."""


def passages(
    world: World,
    battle: Battle,
    advancing: Iterable[tuple[Contender, Advance]],
    transporting: Iterable[tuple[Contender, Transport]],
) -> dict[int, Passage]:
    """Return the routes of armies that go by sea, by number, and mark these armies."""
    carriers: dict[tuple[PlaceId, PlaceId | None], list[Contender]] = {}
    for fleet, order in transporting:
        if order.army.kind in (ARMY, None):
            carriers.setdefault((order.army.place, order.to), []).append(fleet)
    found: dict[int, Passage] = {}
    for army, advance in advancing:
        if army.unit.kind is ARMY:
            fleets = carriers.get((army.unit.place, advance.to), ())
            if goes_by_sea(world, army.unit, advance, fleets):
                found[army.number] = _passage(world, army, advance, fleets)
                army.by_sea = True
    return found


def without_fleets(world: World, units: Sequence[Unit], chosen: MutableSequence[Intent]) -> None:
    """Turn moves that no fleet could carry into holds (MOV-09, DATC 4.E.1)."""
    carriers: dict[tuple[PlaceId, PlaceId | None], list[Spot]] | None = None
    for number, march in enumerate(chosen):
        army = units[number]
        if not isinstance(march, Advance) or army.kind is not ARMY:
            continue
        if not (march.by_sea or march.via) and march.to in world.army.get(army.place, ()):
            continue
        if carriers is None:
            carriers = _spots_of_carriers(units, chosen)
        spots = carriers.get((army.place, march.to), ())
        if not any(_lies_between(world, spot, army.place, march.to) for spot in spots):
            chosen[number] = HeldInstead(Forced.NO_FLEET, "MOV-09")


def _spots_of_carriers(
    units: Sequence[Unit], chosen: Sequence[Intent]
) -> dict[tuple[PlaceId, PlaceId | None], list[Spot]]:
    """The places of possible carriers, by the army's route."""
    carriers: dict[tuple[PlaceId, PlaceId | None], list[Spot]] = {}
    for fleet, order in zip(units, chosen, strict=True):
        if isinstance(order, Transport):
            spot = Spot(fleet.place, fleet.coast)
            carriers.setdefault((order.army.place, order.to), []).append(spot)
    return carriers


def goes_by_sea(world: World, unit: Unit, order: Advance, carriers: Sequence[Contender]) -> bool:
    """Return whether the move of an army is a convoy (MOV-09); *carriers* order the matching one.

    With listed routes the order says so. Otherwise any move that is not to a neighbour is one; to a
    neighbour, if the order says ``via``, or if a fleet of its own power orders the matching convoy
    and lies on some sea route between the two places.
    """
    if world.rules.movement.convoy_route is Route.EXPLICIT:
        return bool(order.via)
    if order.by_sea or order.via or order.to not in world.army.get(unit.place, ()):
        return True
    own = [fleet.unit for fleet in carriers if fleet.unit.owner == unit.owner] if carriers else ()
    if not own or world.rules.orders.legality is Legality.AS_UNITS_STAND:
        return bool(own)
    spots = [Spot(fleet.place, fleet.coast) for fleet in own]
    return any(_lies_between(world, s, unit.place, order.to) for s in spots)


def _lies_between(world: World, fleet: Spot, start: PlaceId, to: PlaceId) -> bool:
    """Return whether some sea route leads over the fleet's place, and over no other place twice.

    Its sea reaches both shores, else its order would not stand; so that is where it still reaches
    one of them whatever other place at sea is left out.
    """
    if legality.touches(world, fleet, start) or legality.touches(world, fleet, to):
        return True
    others = world.carrying - {fleet}

    def reaches(shore: PlaceId, seas: frozenset[Spot]) -> bool:
        return legality.passage_exists(world, shore, fleet.place, seas)

    return all(reaches(start, others - {sea}) or reaches(to, others - {sea}) for sea in others)


def _passage(world: World, army: Contender, order: Advance, fleets: Sequence[Contender]) -> Passage:
    """The passage over these fleets, in the order of the route where one is listed."""
    start = army.unit.place
    if not order.via:
        return Passage(start, order.to, tuple(fleet.number for fleet in fleets), listed=False)
    at = {fleet.unit.place: fleet for fleet in fleets}
    missing = next((place for place in order.via if place not in at), None)
    carriers = [at[place] for place in order.via if place in at]
    if missing is None:
        spots = [Spot(fleet.unit.place, fleet.unit.coast) for fleet in carriers]
        if not legality.fleets_hold_together(world, start, spots, order.to):
            missing = order.via[0]
    numbers = tuple(fleet.number for fleet in carriers)
    return Passage(start, order.to, numbers, listed=True, missing=missing)


def is_carried(battle: Battle, world: World, passage: Passage) -> Answer:
    """Return whether every listed fleet, or some chain of carriers, holds."""
    if passage.missing is not None or not passage.fleets:
        return False
    if passage.listed:
        return all_of(
            [
                *(_afloat(battle, number) for number in passage.fleets),
                *(_open(battle, world, leg, owners) for leg, owners in _legs(battle, passage)),
            ]
        )
    return _some_chain(battle, world, passage)


def _afloat(battle: Battle, number: int) -> Answer:
    return not_(battle.dislodged(battle.contenders[number]))


Legs = list[tuple[legality.Leg, tuple[int, ...]]]


def _legs(battle: Battle, passage: Passage) -> Legs:
    """The borders of a listed route, each with the fleets at its ends (MAP-35)."""
    via = [battle.contenders[number].unit.place for number in passage.fleets]
    borders = legality.legs(passage.start, via, passage.to)
    return [(border, passage.fleets[max(i - 1, 0) : i + 1]) for i, border in enumerate(borders)]


def _open(battle: Battle, world: World, leg: legality.Leg, fleets: Sequence[int]) -> Answer:
    """Return whether no strait closes the leg to the fleets at its ends (MAP-35)."""
    if leg not in world.straits:
        return True
    owners = {battle.contenders[number].unit.owner for number in fleets}
    return not_(any_of(battle.closed(leg, owner) for owner in sorted(owners)))


def _some_chain(battle: Battle, world: World, passage: Passage) -> Answer:
    """True if a chain surely holds, False if none can."""
    afloat = {number: _afloat(battle, number) for number in passage.fleets}
    straits = {
        leg: _open(battle, world, leg, fleets)
        for leg, fleets in _straits_between(battle, world, passage, passage.fleets)
    }
    sure = [number for number in passage.fleets if afloat[number] is True]
    maybe = [number for number in passage.fleets if afloat[number] is not False]
    not_open = [leg for leg, answer in straits.items() if answer is not True]
    shut = [leg for leg, answer in straits.items() if answer is False]
    if _chain(battle, world, passage, sure, not_open):
        return True
    undecided = len(maybe) > len(sure) or len(not_open) > len(shut)
    return None if undecided and _chain(battle, world, passage, maybe, shut) else False


def _chain(
    battle: Battle,
    world: World,
    passage: Passage,
    fleets: Sequence[int],
    closed: Collection[legality.Leg] = (),
) -> bool:
    units = (battle.contenders[number].unit for number in fleets)
    spots = [Spot(unit.place, unit.coast) for unit in units]
    return legality.passage_exists(world, passage.start, passage.to, spots, closed)


def _straits_between(
    battle: Battle, world: World, passage: Passage, fleets: Iterable[int]
) -> Iterator[tuple[legality.Leg, tuple[int, ...]]]:
    """The straits that a chain of these fleets may cross, each with the fleets at its ends."""
    if not world.straits:
        return
    at = {battle.contenders[number].unit.place: number for number in fleets}
    ends = {passage.start, passage.to, *at}
    for leg in sorted(world.straits, key=sorted):
        by = tuple(at[place] for place in sorted(leg) if place in at)
        if leg <= ends and by:
            yield leg, by


# --- why a convoy failed ---------------------------------------------------------------------


def failure(
    battle: Battle, world: World, passage: Passage
) -> NoConvoy | ConvoyParadox | StraitClosed:
    """Return what ended the passage, once everything is known."""
    if passage.missing is not None:
        return NoConvoy(passage.missing, None, dislodged=False)
    lost = [n for n in passage.fleets if battle.dislodged(battle.contenders[n])]
    left = [n for n in passage.fleets if n not in lost]
    whole = passage.listed or _chain(battle, world, passage, left)
    if lost and (passage.listed or not whole):
        fleet = battle.contenders[lost[0]].unit
        return NoConvoy(fleet.place, fleet, dislodged=True)
    if not whole:
        return NoConvoy(None, None, dislodged=False)
    crossed = (
        _legs(battle, passage) if passage.listed else _straits_between(battle, world, passage, left)
    )
    guards = (_guard(battle, world, leg, fleets) for leg, fleets in crossed)
    guard = next((guard for guard in guards if guard is not None), None)
    return ConvoyParadox() if guard is None else StraitClosed(guard)


def _guard(battle: Battle, world: World, leg: legality.Leg, fleets: Sequence[int]) -> Unit | None:
    if leg not in world.straits:
        return None
    owners = sorted({battle.contenders[number].unit.owner for number in fleets})
    guards = (
        battle.guards[leg].closing(battle.contenders, battle.answers, owner) for owner in owners
    )
    return next((guard for guard in guards if guard is not None), None)
