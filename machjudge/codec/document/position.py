"""A position of the format to a ``State``, checked against the world that it is a position of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from machjudge.adjudicator.model.moments import Campaign
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import Loan, Owners, Rebellions, State
from machjudge.adjudicator.model.units import GARRISON
from machjudge.adjudicator.model.world import World
from machjudge.codec.document import short_names
from machjudge.codec.document.consistent import check_consistency
from machjudge.codec.document.ground import PositionGround, ground_of
from machjudge.codec.document.shape import (
    Json,
    as_number,
    as_object,
    as_text,
    each,
    entries,
    entry,
    needed,
    refuse,
)
from machjudge.codec.document.standing import standing_in

FIELDS = (
    "phase",
    "units",
    "dislodged",
    "provinces",
    "cities",
    "homes",
    "famine",
    "rebellion",
    "city_rebellion",
    "sieges",
    "treasury",
    "loans",
    "defaulted",
    "chits",
    "eliminated",
    "since",
    "numbers",
    "memory",
)
"""Every field of a position, in the order in which one is written."""

MEMORY = ("relieved", "taxed", "home_holders", "excommunicated")
"""What only some rules remember from phase to phase; each is written where there is any."""

MOST_DUCATS = 1_000_000_000
_LOAN = ("power", "principal", "interest", "due")


def read_position(value: Json, world: World) -> State:
    """The position in *value*.

    What is absent is as the scenario starts (provinces, cities, homes, without those of eliminated
    powers), else empty; living powers without a treasury have one of 0 where the game has money.
    Raises Unfit with the first fault: a wrong type, an unknown field, place or power, two units in
    one space, a unit where none of its kind can stand, a number out of range; or something
    that no game could have led to.
    """
    fields = as_object(value, FIELDS)
    entry(fields, "numbers", _read_nothing)
    state = _Position(ground_of(world), fields).state()
    check_consistency(world, state, fields)
    return state


@dataclass(frozen=True, slots=True)
class _Position:
    """A reader of one position."""

    ground: PositionGround
    fields: Mapping[str, Json]

    def state(self) -> State:
        moment = needed(self.fields, "phase", short_names.read_phase)
        standing = standing_in(self.ground, self.fields)
        units = entry(self.fields, "units", standing.units) or []
        eliminated = entry(self.fields, "eliminated", self._powers) or frozenset()
        ground = self.ground
        provinces = self._or_started(
            "provinces", self._provinces, ground.started_provinces, eliminated
        )
        loans = entry(self.fields, "loans", self._loans) or ()
        memory = entry(self.fields, "memory", _read_memory) or {}
        return State(
            moment=moment,
            field={unit.place: unit for unit in units if unit.kind is not GARRISON},
            garrisons={unit.place: unit for unit in units if unit.kind is GARRISON},
            dislodged=entry(self.fields, "dislodged", standing.dislodged) or (),
            provinces=provinces,
            cities=self._or_started("cities", self._cities, ground.started_cities, eliminated),
            homes=self._or_started("homes", self._provinces, ground.started_homes, eliminated),
            sieges=entry(self.fields, "sieges", self._with_cities) or frozenset(),
            famine=entry(self.fields, "famine", self._without_seas) or frozenset(),
            taxed=entry(memory, "taxed", self._without_seas) or frozenset(),
            relieved=entry(memory, "relieved", self._without_seas) or frozenset(),
            province_rebellions=self._rebellions("rebellion", provinces, eliminated),
            city_rebellions=self._rebellions("city_rebellion", provinces, eliminated),
            treasuries=self._treasuries(eliminated, loans),
            loans=loans,
            defaulted=entry(self.fields, "defaulted", self._powers) or frozenset(),
            chits=entry(self.fields, "chits", self._chits) or {},
            home_holders=entry(memory, "home_holders", self._holders) or {},
            excommunicated=entry(memory, "excommunicated", self._campaigns) or {},
            eliminated=eliminated,
        )

    def _or_started(
        self,
        key: str,
        read: Callable[[Json], Owners],
        started: Owners,
        eliminated: frozenset[PowerId],
    ) -> Owners:
        """What is written; else as the scenario starts, without what is left of the eliminated."""
        given = entry(self.fields, key, read)
        if given is not None or not eliminated:
            return started if given is None else given
        return {place: owner for place, owner in started.items() if owner not in eliminated}

    def _provinces(self, value: Json) -> Owners:
        return self._owners(value, self.ground.provinces)

    def _cities(self, value: Json) -> Owners:
        return self._owners(value, self.ground.cities)

    def _owners(self, value: Json, among: frozenset[str]) -> Owners:
        owners, powers = as_object(value), self.ground.powers
        for place, power in owners.items():
            if place not in among:
                refuse(self.ground.flaw_of_place(place, among), place)
            if not isinstance(power, str) or power not in powers:
                refuse(self.ground.flaw_of_power(power), place)
        return cast("Owners", owners)

    def _without_seas(self, value: Json) -> frozenset[PlaceId]:
        return frozenset(each(value, lambda place: self._place(place, self.ground.provinces)))

    def _with_cities(self, value: Json) -> frozenset[PlaceId]:
        return frozenset(each(value, lambda place: self._place(place, self.ground.cities)))

    def _place(self, value: Json, among: frozenset[str]) -> PlaceId:
        place = as_text(value)
        if place not in among:
            refuse(self.ground.flaw_of_place(place, among))
        return PlaceId(place)

    def _powers(self, value: Json) -> frozenset[PowerId]:
        return frozenset(each(value, self._power))

    def _power(self, value: Json) -> PowerId:
        power = as_text(value)
        if power not in self.ground.powers:
            refuse(self.ground.flaw_of_power(power))
        return PowerId(power)

    def _rebellions(
        self, key: str, provinces: Owners, eliminated: frozenset[PowerId]
    ) -> Rebellions:
        """A list: against whoever controls the province; an object names the power."""
        among = self.ground.provinces if key == "rebellion" else self.ground.cities

        def read(value: Json) -> Rebellions:
            if isinstance(value, list):
                places = each(value, lambda place: self._place(place, among))
                return {place: target_of(place, provinces, eliminated) for place in places}
            return dict(entries(value, lambda place, power: self._rebels(place, power, among)))

        return entry(self.fields, key, read) or {}

    def _rebels(
        self, place: str, power: Json, among: frozenset[str]
    ) -> tuple[PlaceId, PowerId | None]:
        return self._place(place, among), None if power is None else self._power(power)

    def _treasuries(
        self, eliminated: frozenset[PowerId], loans: tuple[Loan, ...]
    ) -> Mapping[PowerId, int]:
        """Where there is money, every living power has a treasury, and so has every debtor.

        An eliminated power has none, though positions are written with one of 0.
        """
        written = entry(self.fields, "treasury", self._ducats) or {}
        given = {p: ducats for p, ducats in written.items() if ducats or p not in eliminated}
        world = self.ground.world
        living = [p for p in world.in_play if p not in eliminated]
        holders = [loan.power for loan in loans] + (living if world.rules.game.money else [])
        return dict.fromkeys(holders, 0) | given

    def _ducats(self, value: Json) -> Mapping[PowerId, int]:
        return dict(entries(value, lambda power, n: (self._power(power), _read_ducats(n))))

    def _holders(self, value: Json) -> Mapping[PowerId, PowerId]:
        return dict(entries(value, lambda home, by: (self._power(home), self._power(by))))

    def _campaigns(self, value: Json) -> Mapping[PowerId, Campaign]:
        return dict(
            entries(value, lambda power, at: (self._power(power), short_names.read_when(at)))
        )

    def _loans(self, value: Json) -> tuple[Loan, ...]:
        return tuple(sorted(each(value, self._loan), key=loan_order))

    def _loan(self, value: Json) -> Loan:
        fields = as_object(value, _LOAN)
        return Loan(
            needed(fields, "power", self._power),
            needed(fields, "principal", _read_ducats),
            needed(fields, "interest", _read_ducats),
            needed(fields, "due", short_names.read_when),
        )

    def _chits(self, value: Json) -> Mapping[PowerId, tuple[PowerId, ...]]:
        return dict(entries(value, lambda power, held: (self._power(power), self._held(held))))

    def _held(self, letters: Json) -> tuple[PowerId, ...]:
        held = as_text(letters)
        strangers = [letter for letter in held if letter not in self.ground.powers]
        if strangers:
            refuse(self.ground.flaw_of_power(strangers[0]))
        return tuple(map(PowerId, sorted(held)))


def _read_ducats(value: Json) -> int:
    return as_number(value, 0, MOST_DUCATS)


def _read_memory(value: Json) -> Mapping[str, Json]:
    return as_object(value, MEMORY)


def _read_nothing(value: Json) -> None:
    """Serial numbers: none of the rules here has any."""
    if as_object(value):
        refuse("no rule in force here knows this; it has to be empty")


def target_of(place: PlaceId, provinces: Owners, eliminated: frozenset[PowerId]) -> PowerId | None:
    """Against whom a rebellion is directed that nothing more is said of (REB-37)."""
    power = provinces.get(place)
    return None if power in eliminated else power


def loan_order(loan: Loan) -> tuple[str, str]:
    """A key that sorts loans."""
    return loan.power, loan.due.code
