"""Convert positions, rules and dice to the format and back."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import cast

from machjudge.adjudicator.board import Scenario, Spot
from machjudge.adjudicator.consistency import Inconsistency, Step, inconsistencies
from machjudge.adjudicator.dice import Dice, GivenDice, SecretDice
from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.moments import Campaign, Moment
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.options import (
    NO_OPTIONS,
    OPTIONS,
    SERVICE_OPTIONS,
    Option,
    UnknownRule,
    Value,
    check_limits,
    counting_homes,
    may_be_none,
    preset,
    with_option,
    without_features,
    written,
)
from machjudge.adjudicator.rules import Rules, Table
from machjudge.adjudicator.state import Dislodged, Loan, Owners, Rebellions, State
from machjudge.adjudicator.units import GARRISON, Kind, Unit
from machjudge.adjudicator.world import World
from machjudge.formats import values
from machjudge.formats.values import (
    Form,
    Json,
    Unfit,
    as_number,
    as_object,
    as_text,
    as_truth,
    each,
    entries,
    entry,
    form_of,
    needed,
    object_form,
    refuse,
    shown,
)


@dataclass(frozen=True, slots=True, eq=False)
class PositionGround:
    """Tables of a world for checks of positions."""

    world: World
    powers: frozenset[str]
    provinces: frozenset[str]
    """The places that can be controlled."""
    cities: frozenset[str]
    """The places with a city or fortress, in use or not."""
    started_provinces: Owners
    started_cities: Owners
    started_homes: Owners
    units: dict[str, Unit] = field(default_factory=dict)
    """The possible units, by their words."""

    def flaw_of_place(self, place: str, among: frozenset[str]) -> str:
        """Return why *place* is not *among* the provinces or cities of the board."""
        found = self.world.board.places.get(PlaceId(place))
        if found is None:
            return f'there is no place "{shown(place)}" on the board {self.world.board.id}'
        if found.is_sea:
            return f"{place} is a sea"
        return f"{place} has no city" if among is self.cities else f"{place} does not belong here"

    def flaw_of_power(self, power: object) -> str:
        """Return why *power* is no power of the scenario."""
        known = ", ".join(sorted(self.powers))
        written = f'"{shown(power)}"' if isinstance(power, str) else "this"
        return f"{written} is no power of the scenario {self.world.scenario.id}; known are {known}"

    def flaw_of_unit(self, unit: Unit) -> str | None:
        """Return why the unit cannot be in its place, or None."""
        place = self.world.board.places.get(unit.place)
        if place is None:
            return self.flaw_of_place(unit.place, self.provinces)
        match unit.kind:
            case Kind.ARMY if unit.place in self.world.army and not unit.coast:
                return None
            case Kind.FLEET if Spot(unit.place, unit.coast) in self.world.fleet:
                return None
            case Kind.GARRISON if self.world.holds_garrison(unit.place) and not unit.coast:
                return None
            case Kind.FLEET if place.coasts and not unit.coast:
                return f"a fleet in {unit.place} is on a coast: {' or '.join(place.coasts)}"
            case Kind.ARMY | Kind.FLEET | Kind.GARRISON:
                kind = unit.kind.name.lower()
                spot = f"{unit.place}/{shown(unit.coast)}" if unit.coast else unit.place
                return f"no {kind} can stand in {spot}"


@lru_cache(maxsize=64)
def ground_of(world: World) -> PositionGround:
    """Return the tables of a world, made once."""
    places = world.board.places.values()
    scenario = world.scenario
    return PositionGround(
        world=world,
        powers=frozenset(scenario.powers),
        provinces=frozenset(place.id for place in places if not place.is_sea),
        cities=frozenset(place.id for place in places if place.city is not None),
        started_provinces=_owners({p.id: p.provinces for p in scenario.powers.values()}),
        started_cities=_owners({p.id: p.cities for p in scenario.powers.values()}),
        started_homes=_owners({p.id: p.home for p in scenario.powers.values()}),
    )


def _owners(places_of: Mapping[PowerId, tuple[PlaceId, ...]]) -> Owners:
    return {place: power for power, places in places_of.items() for place in places}


_OWNERS = ("provinces", "cities")


def check_consistency(world: World, state: State, fields: Mapping[str, Json]) -> None:
    """Refuse the position *fields*, read as *state*, if it is impossible.  Raises Unfit."""
    for found in inconsistencies(world, state):
        if not (found.harmless and _is_said_so(found, fields)):
            refuse(found.says, _path(found.at, fields))


def _is_said_so(found: Inconsistency, fields: Mapping[str, Json]) -> bool:
    """Return whether another judge writes such a thing on purpose.

    They write a retreat phase without dislodged units and, with the controllers, old markers that
    the next phase clears away.
    """
    if found.at == ("phase",):
        return "dislodged" in fields
    return all(field in fields for field in _OWNERS)


def _path(at: tuple[Step, ...], fields: Mapping[str, Json]) -> str:
    """The JSON path to a fault, as far as it leads: ``dislodged[0].unit``."""
    path = ""
    value: Json = dict(fields)
    for step in at:
        if isinstance(value, list):
            index = next((i for i, item in enumerate(value) if _is_meant(item, step)), None)
            if index is None:
                break
            path, value = f"{path}[{index}]", value[index]
        elif isinstance(value, dict) and _text(step) in value:
            path, value = f"{path}.{_text(step)}".lstrip("."), value[_text(step)]
        else:
            break
    return path or str(at[0])


def _is_meant(item: Json, step: Step) -> bool:
    """Return whether a step leads to an item of a list."""
    if not isinstance(item, dict):
        return item == _text(step)
    if isinstance(step, Loan):
        return (item.get("power"), item.get("due")) == (step.power, step.due.code)
    return item.get("unit") == _text(step)


def _text(step: Step) -> str:
    match step:
        case Unit():
            return values.unit_text(step)
        case Spot():
            return values.spot_text(step.place, step.coast)
        case Loan():
            return step.due.code
        case _:
            return step


_SECRET = "secret"  # noqa: S105 - the name of a field
_SECRET_DIGITS = 64
_SIDES = 6


def read_dice(value: Json, moment: Moment) -> Dice:
    """Return the dice for *moment*: purpose -> dice, or ``secret`` -> 32 bytes in hexadecimal.

    Raises Unfit for an invalid die, or a secret beside other dice.
    """
    fields = as_object(value)
    if _SECRET not in fields:
        return GivenDice(dict(entries(value, lambda name, dice: (name, tuple(each(dice, _die))))))
    if len(fields) > 1:
        refuse("with a secret there are no other dice", _SECRET)
    return SecretDice(needed(fields, _SECRET, _read_secret), moment.code)


def _die(value: Json) -> int:
    return as_number(value, 1, _SIDES)


def _read_secret(value: Json) -> bytes:
    text = as_text(value)
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(text) != _SECRET_DIGITS or len(secret) * 2 != _SECRET_DIGITS:
        refuse(f"a secret is {_SECRET_DIGITS} hexadecimal digits")
    return secret


_FIELDS = ("preset", "set")
_DEFAULT = "judge"


def read_rules(value: Json, scenario: Scenario) -> Rules:
    """Return the rules for a game of *scenario*.

    Preset (default ``judge``), board, scenario and ``set``, in ascending priority.  Raises Unfit
    for an unknown preset, option or value; the same rules are read once only.
    """
    return _read_once(json.dumps(value), scenario)


@lru_cache(maxsize=256)
def _read_once(text: str, scenario: Scenario) -> Rules:
    fields = as_object(json.loads(text), _FIELDS)
    rules = entry(fields, "preset", _read_preset) or preset(_DEFAULT)
    for decided in (scenario.board.rules, scenario.rules or {}, {"forts": scenario.forts}):
        for name, value in decided.items():
            rules = with_option(rules, name, value)
    changes = entry(fields, "set", as_object) or {}
    for name, change in changes.items():
        rules = _changed(rules, name, change)
    rules = _with_own_victory(rules, changes, scenario.players)
    return without_features(rules, scenario.bare)


def _read_preset(value: Json) -> Rules:
    try:
        return preset(as_text(value))
    except UnknownRule as unknown:
        raise Unfit(str(unknown)) from unknown


def _changed(rules: Rules, name: str, value: Json) -> Rules:
    where = f"set.{shown(name)}"
    if name in NO_OPTIONS:
        only, rule = NO_OPTIONS[name]
        # Compared as JSON: there true is not 1, as it is in Python.
        if json.dumps(value) != json.dumps(only):
            refuse(f"{name} can only be {json.dumps(only)} always: it is a rule ({rule})", where)
        return rules
    if name in SERVICE_OPTIONS:
        word = json.dumps(value) if isinstance(value, bool) else value
        if word not in SERVICE_OPTIONS[name]:
            refuse(f"{name} is one of {', '.join(SERVICE_OPTIONS[name])}", where)
        return rules
    if value is None and name in OPTIONS:
        value = _nothing(OPTIONS[name])
    if not isinstance(value, bool | int | str | list | dict):
        refuse("it is neither true or false, nor a whole number, nor a word", where)
    try:
        return with_option(rules, name, cast("Value", value))
    except UnknownRule as unknown:
        raise Unfit(str(unknown), where) from unknown


def _with_own_victory(rules: Rules, changes: Mapping[str, Json], players: int) -> Rules:
    """The custom victory condition by numbers (VIC-06, SET-22).

    Refused next to another ``victory_level``, or homes next to a ``home_formula`` that gives them.
    """
    if "victory_cities" in changes or "victory_homes" in changes:
        if "victory_cities" not in changes:
            needed = cities_needed(rules.victory, players)
            rules = with_option(rules, "victory_cities", needed)
        rules = _agreed(rules, changes, "victory_level", "custom")
    if "victory_homes" in changes:
        rules = _agreed(rules, changes, "home_formula", "none")
        if "victory_homes_counted" not in changes:
            rules = counting_homes(rules)
    return rules


def _agreed(rules: Rules, changes: Mapping[str, Json], name: str, only: str) -> Rules:
    if name in changes and changes[name] != only:
        refuse(f"a number of cities or homes counts only with {name} {only}", f"set.{name}")
    return with_option(rules, name, only)


def _nothing(option: Option) -> Json:
    """The meaning of null: the word none, an empty map or list; else null."""
    if "none" in map(written, option.choices):
        return "none"
    if not may_be_none(option):
        return None
    return {} if isinstance(option.default, Table) else []


def _read_whole_rules(value: Json) -> Rules:
    rules: Rules = form_of(Rules).read(value)
    try:
        check_limits(rules)
    except UnknownRule as unknown:
        raise Unfit(str(unknown)) from unknown
    return rules


WHOLE_POSITION = object_form(State)
"""The whole position; mappings and sets are sorted."""
WHOLE_RULES = Form(form_of(Rules).write, _read_whole_rules)
"""All fields of the rules."""


Since = Mapping[str, Campaign]
"""When units were built, by their words."""

_WAITING = ("unit", "retreats", "convert")


@dataclass(frozen=True, slots=True)
class UnitReader:
    """A reader of the units of one position."""

    ground: PositionGround
    since: Since

    def unit(self, value: Json) -> Unit:
        """Return a unit in a possible place.  Raises Unfit."""
        text = as_text(value)
        since = self.since.get(text)
        known = self.ground.units.get(text) if since is None else None
        return known or self._checked(text, since)

    def _checked(self, text: str, since: Campaign | None) -> Unit:
        unit = values.read_unit(text, since)
        if unit.owner not in self.ground.powers and unit.owner != AUTONOMOUS:
            refuse(self.ground.flaw_of_power(unit.owner))
        flaw = self.ground.flaw_of_unit(unit)
        if flaw is not None:
            refuse(flaw)
        if since is None:
            self.ground.units[text] = unit
        return unit

    def units(self, value: Json) -> list[Unit]:
        """Return the units on the map, one a space (MOV-04).  Raises Unfit."""
        units = each(value, self.unit)
        taken: dict[tuple[bool, str], Unit] = {}
        for index, unit in enumerate(units):
            space = unit.kind is GARRISON, unit.place
            if space in taken:
                refuse(f"{values.unit_text(taken[space])} is in the same space", f"[{index}]")
            taken[space] = unit
        return units

    def dislodged(self, value: Json) -> tuple[Dislodged, ...]:
        """Return the dislodged units, sorted.  Raises Unfit."""
        return tuple(sorted(each(value, self._waiting), key=lambda d: values.unit_text(d.unit)))

    def _waiting(self, value: Json) -> Dislodged:
        fields = as_object(value, _WAITING)
        unit = needed(fields, "unit", self.unit)
        if unit.is_garrison:
            refuse("a garrison is never dislodged", "unit")
        retreats = entry(fields, "retreats", self._retreats) or ()
        return Dislodged(unit, retreats, convert=entry(fields, "convert", as_truth) or False)

    def _retreats(self, value: Json) -> tuple[Spot, ...]:
        return tuple(sorted(each(value, self._retreat)))

    def _retreat(self, value: Json) -> Spot:
        spot = values.read_spot(value)
        world = self.ground.world
        if spot not in world.fleet and (spot.coast or spot.place not in world.army):
            refuse(f"there is no place {shown(as_text(value))} to retreat to")
        return spot


def standing_in(ground: PositionGround, fields: Mapping[str, Json]) -> UnitReader:
    """Return the reader of a position's units with their ages.  Raises Unfit."""
    anybody = UnitReader(ground, {})

    def age(text: str, code: Json) -> tuple[str, Campaign]:
        anybody.unit(text)
        return text, values.read_when(code)

    ages = entry(fields, "since", lambda value: dict(entries(value, age)))
    return UnitReader(ground, ages or {})


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
"""The fields of a position, in order of writing."""

MEMORY = ("relieved", "taxed", "home_holders", "excommunicated")
"""Fields of some rules only, written if not empty."""

MAX_DUCATS = 1_000_000_000
_LOAN = object_form(Loan)


def read_position(value: Json, world: World) -> State:
    """Return the position in *value*.

    Absent fields are as the scenario starts (provinces, cities, homes, without those of eliminated
    powers), else empty; living powers have 0 ducats in games with money. Raises Unfit with the
    first fault: a wrong type, an unknown field, place or power, two units in one space, an
    impossible unit, a number out of range, or an impossible position.
    """
    fields = as_object(value, FIELDS)
    entry(fields, "numbers", _read_nothing)
    state = _Position(ground_of(world), fields).state()
    check_consistency(world, state, fields)
    return state


@dataclass(frozen=True, slots=True)
class _Position:
    ground: PositionGround
    fields: Mapping[str, Json]

    def state(self) -> State:
        moment = needed(self.fields, "phase", values.read_phase)
        standing = standing_in(self.ground, self.fields)
        units = entry(self.fields, "units", standing.units) or []
        eliminated = entry(self.fields, "eliminated", self._powers) or frozenset()
        ground = self.ground
        provinces = self._or_started(
            "provinces", self._provinces, ground.started_provinces, eliminated
        )
        loans = entry(self.fields, "loans", self._loans) or ()
        memory = entry(self.fields, "memory", lambda value: as_object(value, MEMORY)) or {}
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
        """What is written; else the scenario's, without eliminated powers."""
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
        """A list: against the controllers; an object names the targets."""
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
    ) -> dict[PowerId, int]:
        """With money every living power, and every debtor, has a treasury.

        An eliminated power has none, though positions are written with 0.
        """
        written = entry(self.fields, "treasury", self._ducats) or {}
        given = {p: ducats for p, ducats in written.items() if ducats or p not in eliminated}
        world = self.ground.world
        living = [p for p in world.in_play if p not in eliminated]
        holders = [loan.power for loan in loans] + (living if world.rules.game.money else [])
        return dict.fromkeys(holders, 0) | given

    def _ducats(self, value: Json) -> dict[PowerId, int]:
        return dict(entries(value, lambda power, n: (self._power(power), _read_ducats(n))))

    def _holders(self, value: Json) -> dict[PowerId, PowerId]:
        return dict(entries(value, lambda home, by: (self._power(home), self._power(by))))

    def _campaigns(self, value: Json) -> dict[PowerId, Campaign]:
        return dict(entries(value, lambda power, at: (self._power(power), values.read_when(at))))

    def _loans(self, value: Json) -> tuple[Loan, ...]:
        return tuple(sorted(each(value, self._loan), key=loan_order))

    def _loan(self, value: Json) -> Loan:
        fields = as_object(value, _LOAN.keys)
        return Loan(
            needed(fields, "power", self._power),
            needed(fields, "principal", _read_ducats),
            needed(fields, "interest", _read_ducats),
            needed(fields, "due", values.read_when),
        )

    def _chits(self, value: Json) -> dict[PowerId, tuple[PowerId, ...]]:
        return dict(entries(value, lambda power, held: (self._power(power), self._held(held))))

    def _held(self, letters: Json) -> tuple[PowerId, ...]:
        held = as_text(letters)
        strangers = [letter for letter in held if letter not in self.ground.powers]
        if strangers:
            refuse(self.ground.flaw_of_power(strangers[0]))
        return tuple(map(PowerId, sorted(held)))


def _read_ducats(value: Json) -> int:
    return as_number(value, 0, MAX_DUCATS)


def _read_nothing(value: Json) -> None:
    """No serial numbers: these rules have none."""
    if as_object(value):
        refuse("no rule in force here knows this; it has to be empty")


def target_of(place: PlaceId, provinces: Owners, eliminated: frozenset[PowerId]) -> PowerId | None:
    """Return the default target of a rebellion (REB-37)."""
    power = provinces.get(place)
    return None if power in eliminated else power


def loan_order(loan: Loan) -> tuple[str, str]:
    """A key that sorts loans."""
    return loan.power, loan.due.code


def position_of(state: State, world: World) -> dict[str, Json]:
    """Return the whole position; with money, a treasury for every power in play."""
    in_play = world.in_play if world.rules.game.money else ()
    return {
        "phase": state.moment.code,
        "units": _texts(map(values.unit_text, state.units())),
        "dislodged": [
            _waiting(waiting)
            for waiting in sorted(state.dislodged, key=lambda each: values.unit_text(each.unit))
        ],
        "provinces": _by_key(state.provinces),
        "cities": _by_key(state.cities),
        "homes": _by_key(state.homes),
        "famine": _texts(state.famine),
        "rebellion": _rebellions(state.province_rebellions, state),
        "city_rebellion": _rebellions(state.city_rebellions, state),
        "sieges": _texts(state.sieges),
        "treasury": _by_key(dict.fromkeys(in_play, 0) | dict(state.treasuries)),
        "loans": [_LOAN.write(loan) for loan in sorted(state.loans, key=loan_order)],
        "defaulted": _texts(state.defaulted),
        "chits": {power: "".join(sorted(held)) for power, held in sorted(state.chits.items())},
        "eliminated": _texts(state.eliminated),
        "since": _since([*state.units(), *(waiting.unit for waiting in state.dislodged)]),
        "numbers": {},
        "memory": _memory(state),
    }


def _memory(state: State) -> dict[str, Json]:
    kept: dict[str, Json] = {
        "relieved": _texts(state.relieved),
        "taxed": _texts(state.taxed),
        "home_holders": _by_key(state.home_holders),
        "excommunicated": {power: at.code for power, at in sorted(state.excommunicated.items())},
    }
    return {name: value for name, value in kept.items() if value}


def _texts(texts: Iterable[str]) -> list[Json]:
    return [*sorted(texts)]


def _by_key(
    found: Mapping[PlaceId, PowerId] | Mapping[PowerId, PowerId] | Mapping[PowerId, int],
) -> dict[str, Json]:
    return dict(sorted(found.items()))


def _waiting(waiting: Dislodged) -> dict[str, Json]:
    return {
        "unit": values.unit_text(waiting.unit),
        "retreats": _texts(str(spot) for spot in waiting.retreats),
        "convert": waiting.convert,
    }


def _rebellions(rebellions: Rebellions, state: State) -> Json:
    """A list if all are against the controllers, else an object."""
    targets = {place: target_of(place, state.provinces, state.eliminated) for place in rebellions}
    if targets == rebellions:
        return _texts(rebellions)
    return dict(sorted(rebellions.items()))


def _since(units: Iterable[Unit]) -> dict[str, Json]:
    """When later units were built."""
    built = [(values.unit_text(unit), unit.since) for unit in units if unit.since is not None]
    return {text: since.code for text, since in sorted(built, key=itemgetter(0))}
