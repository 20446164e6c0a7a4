"""Hypothesis: dense positions with orders, on the boards of the house.

The units of a position stand close together, as they do where powers fight, and most of their
orders have to do with each other: supports name moves that somebody makes, convoys armies that
come.  Every unit has a campaign of its own in which it was built, so that it can be told from all
others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from machjudge.adjudicator.board import Scenario, Spot, Terrain
from machjudge.adjudicator.moments import Campaign, Season, read_moment
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, PlaceId, PowerId
from machjudge.adjudicator.options import preset, with_option
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Convert,
    Hold,
    LiftSiege,
    Named,
    Order,
    Orders,
    Support,
    Transport,
    UnitOrder,
)
from machjudge.adjudicator.rules import Route
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.adjudicator.world import World, world_of
from machjudge.map_files.folders import Atlas
from machjudge.settings import maps_folder

ATLAS = Atlas([maps_folder()])
Some = TypeVar("Some")
Pick = Callable[[int, int], int]
"""A number from one to another, both included."""


def _scenario(name: str) -> Scenario:
    scenario = ATLAS.scenario(name)
    assert scenario is not None
    return scenario


def _classic() -> World:
    rules = preset("judge")
    for flag in ("money", "dice"):
        rules = with_option(rules, flag, False)
    return world_of(_scenario("1454"), rules)


CLASSIC = _classic()
"""The judge's rules without money and dice in the scenario of 1454."""
STANDARD = world_of(_scenario("standard"), preset("diplomacy"))
"""Diplomacy on its own board."""

STRAITS = tuple(PlaceId(place) for place in ("mes", "pio", "gon", "ets"))
"""Places of the classic board around its straits."""


@dataclass(frozen=True)
class Battle:
    """A position with orders: no more than one for each unit."""

    world: World
    state: State
    orders: Orders

    def __repr__(self) -> str:
        units = sorted(f"{u.owner} {u.kind.value} {u.place}" for u in self.state.units())
        return f"Battle({units}, {self.orders})"


@st.composite
def battles(
    draw: st.DrawFn,
    world: World = CLASSIC,
    most: int = 14,
    around: Sequence[PlaceId] | None = None,
) -> Battle:
    """A position of up to *most* units that stand around one place, and their orders."""
    return battle(lambda least, greatest: draw(st.integers(least, greatest)), world, most, around)


def battle(
    pick: Pick, world: World = CLASSIC, most: int = 14, around: Sequence[PlaceId] | None = None
) -> Battle:
    """The same with any source of chance."""
    places = around or sorted(world.board.places)
    start = places[pick(0, len(places) - 1)]
    return _Writer(pick, world, _nearest(world, start, most)).battle()


def _nearest(world: World, start: PlaceId, count: int) -> list[PlaceId]:
    """The places nearest to *start*, itself first."""
    found = [start]
    for place in found:
        found += sorted(world.borders[place] - set(found))
        if len(found) >= count:
            break
    return found[:count]


@dataclass
class _Writer:
    """Draws one battle."""

    pick: Pick
    world: World
    places: Sequence[PlaceId]
    powers: Sequence[PowerId] = ()
    afield: dict[PlaceId, Unit] = field(default_factory=dict)
    garrisons: dict[PlaceId, Unit] = field(default_factory=dict)
    written: dict[Named, UnitOrder] = field(default_factory=dict)

    def battle(self) -> Battle:
        """The battle."""
        all_powers = self.world.scenario.in_play
        count = self.pick(2, 4)
        first = self.pick(0, len(all_powers) - 1)
        self.powers = [all_powers[(first + n) % len(all_powers)] for n in range(count)]
        for place in self.places:
            self._man(place)
        state = self._state()
        self._give_orders(state)
        return Battle(self.world, state, self._sheets())

    def one_of(self, things: Sequence[Some]) -> Some:
        return things[self.pick(0, len(things) - 1)] if things[1:] else things[0]

    def once_in(self, times: int) -> bool:
        return self.pick(1, times) == times

    # --- units ---

    def _man(self, place: PlaceId) -> None:
        """Fill a place, more often than not."""
        kinds = list(self._field_kinds(place))
        if kinds and not self.once_in(5):
            self.afield[place] = self._unit(self.one_of(kinds), place, self.one_of(self.powers))
        full = place in self.afield and self.world.place(place).venice
        if self.world.holds_garrison(place) and not full and self.once_in(3):
            owner = self.one_of((*self.powers, AUTONOMOUS))
            self.garrisons[place] = self._unit(Kind.GARRISON, place, owner)

    def _field_kinds(self, place: PlaceId) -> Iterator[Kind]:
        # Hypothesis likes what comes first, and fleets have more to do with each other.
        if any(spot in self.world.fleet for spot in self.world.board.spots(place)):
            yield Kind.FLEET
        if place in self.world.army:
            yield Kind.ARMY

    def _unit(self, kind: Kind, place: PlaceId, owner: PowerId) -> Unit:
        coast = self.one_of(self.world.board.spots(place)).coast if kind is Kind.FLEET else NO_COAST
        elite = self.world.rules.game.special and self.once_in(6)
        quality = Quality.MERCENARY if elite else Quality.PLAIN
        born = Campaign(1000 + len(self.afield) + len(self.garrisons), Season.SPRING)
        return Unit(owner, kind, place, coast, quality, born)

    def _state(self) -> State:
        """The units, with owners of the land, rebels and sieges here and there."""
        moment = read_moment("S1455M" if self.world.rules.game.garrisons else "S1902M")
        assert moment is not None
        scenario = self.world.scenario
        state = State(
            moment=moment,
            field=self.afield,
            garrisons=self.garrisons,
            provinces={p: power.id for power in scenario.powers.values() for p in power.provinces},
            cities={p: power.id for power in scenario.powers.values() for p in power.cities},
            homes={p: power.id for power in scenario.powers.values() for p in power.home},
        )
        return self._with_trouble(state) if self.world.rules.game.garrisons else state

    def _with_trouble(self, state: State) -> State:
        provinces, rebels = {}, {}
        for place in self.places:
            if self.world.place(place).venice or place not in self.world.army:
                continue
            if self.once_in(5):
                provinces[place] = self.one_of(self.powers)
                if self.world.holds_garrison(place) and place not in self.garrisons:
                    rebels.update({place: provinces[place]} if self.once_in(2) else {})
        sieges = {
            place
            for place, unit in self.afield.items()
            if self.once_in(6) and self._is_besiegeable(unit, rebels)
        }
        return State(
            state.moment,
            state.field,
            state.garrisons,
            provinces={**state.provinces, **provinces},
            cities=state.cities,
            homes=state.homes,
            sieges=frozenset(sieges),
            province_rebellions=provinces,
            city_rebellions=rebels,
        )

    def _is_besiegeable(self, unit: Unit, rebels: dict[PlaceId, PowerId]) -> bool:
        if unit.kind is Kind.FLEET and not self.world.is_port(unit.place):
            return False
        garrison = self.garrisons.get(unit.place)
        if garrison is not None:
            return garrison.owner != unit.owner and not self.world.place(unit.place).venice
        return rebels.get(unit.place) == unit.owner

    # --- orders ---

    def _give_orders(self, state: State) -> None:
        units = [unit for unit in state.units() if unit.owner != AUTONOMOUS]
        for unit in units:
            if unit.kind is Kind.ARMY and self.once_in(4):
                self._ship(unit)
        for unit in units:
            if _named(unit) not in self.written and not self.once_in(3):
                self._act(state, unit)
        for unit in units:
            if _named(unit) not in self.written:
                self._help(unit, units)

    def _act(self, state: State, unit: Unit) -> None:
        """An order that needs nobody else: mostly a move."""
        named = _named(unit)
        if unit.kind is Kind.GARRISON:
            kinds = [Kind.ARMY, Kind.FLEET] if self.world.is_port(unit.place) else [Kind.ARMY]
            self.written[named] = Convert(named, self.one_of(kinds))
        elif self.once_in(6):
            others: list[UnitOrder] = [Hold(named)]
            if self.world.holds_garrison(unit.place):
                others += [Besiege(named), Convert(named, Kind.GARRISON)]
            if unit.place in state.sieges:
                others.append(LiftSiege(named))
            self.written[named] = self.one_of(others)
        else:
            self._move(unit)

    def _move(self, unit: Unit) -> None:
        spots = sorted(self._near(unit))
        inside = [spot for spot in spots if spot.place in self.places]
        across = [s for s in spots if frozenset((unit.place, s.place)) in self.world.straits]
        if across and unit.kind is Kind.FLEET and self.once_in(2):
            inside = across
        if inside or spots:
            spot = self.one_of(inside or spots)
            self.written[_named(unit)] = Advance(_named(unit), spot.place, spot.coast)

    def _near(self, unit: Unit) -> Iterator[Spot]:
        if unit.kind is Kind.ARMY:
            yield from (Spot(place) for place in self.world.army[unit.place])
        else:
            yield from self.world.fleet[Spot(unit.place, unit.coast)]

    def _ship(self, army: Unit) -> None:
        """A voyage of the army by one or two fleets, which mostly know of it."""
        chain = self._fleets_off(army.place)[:1]
        if chain and self.once_in(3):
            chain += [fleet for fleet in self._fleets_off(chain[0].place) if fleet not in chain][:1]
        if not chain or self.world.place(army.place).terrain is not Terrain.COASTAL:
            return
        shores = [
            spot.place
            for spot in sorted(self._near(chain[-1]))
            if self.world.place(spot.place).terrain is Terrain.COASTAL and spot.place != army.place
        ]
        if not shores:
            return
        named, to = _named(army), self.one_of(shores)
        listed = self.world.rules.movement.convoy_route is Route.EXPLICIT
        via = tuple(fleet.place for fleet in chain) if listed else ()
        self.written[named] = Advance(named, to, via=via, by_sea=not listed)
        for fleet in chain:
            if not self.once_in(8):
                self.written[_named(fleet)] = Transport(_named(fleet), named, to)

    def _fleets_off(self, place: PlaceId) -> list[Unit]:
        """The fleets that lie next to a place and have no order yet."""
        return [
            unit
            for unit in self.afield.values()
            if unit.kind is Kind.FLEET
            and _named(unit) not in self.written
            and any(spot.place == place for spot in self._near(unit))
        ]

    def _help(self, unit: Unit, units: Sequence[Unit]) -> None:
        """Support for what one of the others does."""
        helps = [
            support
            for other in units
            if other is not unit
            for support in self._supports(_named(unit), other)
            if self.world.reaches(unit, support.to or other.place)
        ]
        if helps:
            self.written[_named(unit)] = self.one_of(helps)

    def _supports(self, named: Named, other: Unit) -> Iterator[Support]:
        order = self.written.get(_named(other))
        if isinstance(order, Advance):
            yield Support(named, _named(other), order.to, order.coast)
        elif isinstance(order, Convert) and other.is_garrison:
            yield Support(named, _named(other), other.place)
        if not other.is_garrison and not (isinstance(order, Advance) and self.once_in(2)):
            yield Support(named, _named(other))

    def _sheets(self) -> Orders:
        owners = {_named(u): u.owner for u in (*self.afield.values(), *self.garrisons.values())}
        sheets: dict[PowerId, list[Order]] = {power: [] for power in self.powers}
        for named, order in self.written.items():
            sheets[owners[named]].append(order)
        for power in self.powers:
            if self.once_in(8):
                sheets[power].append(Ally(self.one_of([p for p in self.powers if p != power])))
        return {power: tuple(sheet) for power, sheet in sheets.items()}


def _named(unit: Unit) -> Named:
    return Named(unit.kind, unit.place, unit.coast)
