"""Positions, orders and what came of them in few words, for tests of money and fate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.events import Event, ExpenseSettled
from machjudge.adjudicator.evolve import Step, Turn, evolve_all
from machjudge.adjudicator.legality import objection_to
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.options import Value, preset, with_option
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Borrow,
    Build,
    Convert,
    Expense,
    Hold,
    Maintain,
    Named,
    Order,
    Pay,
    Purpose,
    Remove,
    Support,
)
from machjudge.adjudicator.reasons import Objection
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Quality
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import Played, play, steps
from machjudge.formats.position import position_of, read_position
from machjudge.map_files.folders import Atlas

Kept = TypeVar("Kept")
ATLAS = Atlas([Path(__file__).parents[2] / "maps"])
Sheets = Mapping[str, Sequence[Order]]
Dice = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Scene:
    """A position under certain rules, and what can be tried on it."""

    world: World
    state: State

    def play(self, sheets: Sheets | None = None, dice: Dice | None = None) -> "Outcome":
        """Play the whole phase."""
        orders = {PowerId(power): tuple(sheet) for power, sheet in (sheets or {}).items()}
        played = play(self.world, self.state, orders, _dice(dice))
        return Outcome(self.world, played.events, played.state, played)

    def take(self, step: Step, sheets: Sheets | None = None, dice: Dice | None = None) -> "Outcome":
        """Take one step alone, if the rules take it in the season of the position."""
        orders = {PowerId(power): tuple(sheet) for power, sheet in (sheets or {}).items()}
        turn = Turn(self.world, orders, _dice(dice), self.state, self.state, ())
        year, season = steps(self.world.rules), self.state.moment.season
        is_taken = any(step in year[season, stage] for stage in Stage)
        events = tuple(step(turn)) if is_taken else ()
        return Outcome(self.world, events, evolve_all(self.state, events))

    def objection(self, power: str, order: Order) -> Objection | None:
        """Why the order may not be given."""
        return objection_to(self.world, self.state, PowerId(power), order)


@dataclass(frozen=True)
class Outcome:
    """What happened, and the position after."""

    world: World
    events: tuple[Event, ...]
    state: State
    played: Played | None = field(default=None)

    def told(self, kind: type[Kept]) -> list[Kept]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def fates(self) -> dict[str, str]:
        """What became of each expense, such as ``{"V2": "done"}``."""
        return {f"{e.power}{e.expense.number}": e.fate for e in self.told(ExpenseSettled)}

    def units(self, power: str | None = None) -> list[str]:
        """The units as positions list them."""
        listed = position_of(self.state, self.world)["units"]
        assert isinstance(listed, list)
        return [str(unit) for unit in listed if power is None or str(unit).startswith(f"{power} ")]

    def treasury(self, power: str) -> int:
        """A power's ducats."""
        return self.state.treasuries[PowerId(power)]

    def debts(self, power: str) -> list[str]:
        """A power's loans, such as ``9+2 due F1456``."""
        own = (loan for loan in self.state.loans if loan.power == power)
        return sorted(f"{loan.principal}+{loan.interest} due {loan.due.code}" for loan in own)

    def province(self, place: str) -> str | None:
        """Who controls a province."""
        return self.state.provinces.get(PlaceId(place))

    def city(self, place: str) -> str | None:
        """Who controls a city."""
        return self.state.cities.get(PlaceId(place))

    def rebels(self) -> tuple[list[str], list[str]]:
        """Where rebels stand in provinces, and where in cities."""
        return sorted(self.state.province_rebellions), sorted(self.state.city_rebellions)


@cache
def _world(scenario: str, chosen: str, options: tuple[tuple[str, Value], ...]) -> World:
    found = ATLAS.scenario(scenario)
    assert found is not None
    rules = preset(chosen)
    for name, value in options:
        rules = with_option(rules, name, value)
    return world_of(found, rules)


def scene(
    phase: str = "S1455M",
    *,
    scenario: str = "1454",
    chosen: str = "judge",
    options: Mapping[str, Value] | None = None,
    **position: object,
) -> Scene:
    """A position: the fields of the position format, and otherwise as the scenario starts.

    Units and places may be given as one text with commas or spaces, powers that control more than
    they started with in ``also`` as ``{"V": "cre mil"}`` (province and city).
    """
    world = _world(scenario, chosen, tuple(sorted((options or {}).items())))
    also = position.pop("also", {})
    fields = {name: _listed(name, value) for name, value in position.items()}
    state = read_position({"phase": phase, "units": [], **fields}, world)
    assert isinstance(also, Mapping)
    provinces, cities = dict(state.provinces), dict(state.cities)
    for power, places in also.items():
        for place in str(places).split():
            provinces[PlaceId(place)] = power
            if PlaceId(place) in world.cities:
                cities[PlaceId(place)] = power
    return Scene(world, replace(state, provinces=provinces, cities=cities))


def _listed(name: str, value: object) -> object:
    if not isinstance(value, str) or name == "phase":
        return value
    texts = value.split(", ") if name == "units" else value.split()
    return [text for text in texts if text]


def _dice(dice: Dice | None) -> GivenDice:
    return GivenDice({name: tuple(thrown) for name, thrown in (dice or {}).items()})


def places(text: str) -> list[str]:
    """The words of a text, such as places or powers."""
    return text.split()


# --- orders ----------------------------------------------------------------------------------


def named(text: str) -> Named:
    """A unit by type and place, ``A pad``, or by place alone."""
    kind, _, spot = text.rpartition(" ")
    place, _, coast = spot.partition("/")
    return Named(Kind(kind) if kind else None, PlaceId(place), Coast(coast))


def hold(unit: str) -> Hold:
    """``A pad holds``."""
    return Hold(named(unit))


def move(unit: str, to: str) -> Advance:
    """``A pad - fer``."""
    place, _, coast = to.partition("/")
    return Advance(named(unit), PlaceId(place), Coast(coast))


def support(unit: str, supported: str, to: str | None = None) -> Support:
    """``A pad supports A ver - mil``."""
    return Support(named(unit), named(supported), PlaceId(to) if to else None)


def besiege(unit: str) -> Besiege:
    """``A pad besieges``."""
    return Besiege(named(unit))


def convert(unit: str, into: str) -> Convert:
    """``G pad converts to A``."""
    return Convert(named(unit), Kind(into))


def borrow(ducats: int, years: int) -> Borrow:
    """``borrow 10 ducats for 2 years``."""
    return Borrow(ducats, years)


def pay(ducats: int, to: str | None = None) -> Pay:
    """``pay 10 ducats to Milan``, or, without a power, to the bank."""
    return Pay(ducats, PowerId(to) if to else None)


def buy(number: int, unit: str, ducats: int | None = None) -> Expense:
    """``expense 1: 18 ducats buy A pad``."""
    return Expense(number, Purpose.BUY, ducats, unit=named(unit))


def bribe_away(number: int, unit: str, ducats: int | None = None) -> Expense:
    """``expense 1: 12 ducats disband A pad``."""
    return Expense(number, Purpose.DISBAND, ducats, unit=named(unit))


def set_free(number: int, unit: str, ducats: int | None = None) -> Expense:
    """``expense 1: 9 ducats garrison to autonomous G pad``."""
    return Expense(number, Purpose.TO_AUTONOMOUS, ducats, unit=named(unit))


def counter(number: int, unit: str, ducats: int | None = None) -> Expense:
    """``expense 1: 3 ducats counter-bribe A pad``."""
    return Expense(number, Purpose.COUNTER_BRIBE, ducats, unit=named(unit))


def relieve(number: int, place: str, ducats: int | None = None) -> Expense:
    """``expense 1: 3 ducats famine relief pad``."""
    return Expense(number, Purpose.FAMINE_RELIEF, ducats, place=PlaceId(place))


def pacify(number: int, place: str, ducats: int | None = None) -> Expense:
    """``expense 1: 12 ducats pacify rebellion pad``."""
    return Expense(number, Purpose.PACIFY, ducats, place=PlaceId(place))


def incite(number: int, place: str, ducats: int | None = None) -> Expense:
    """``expense 1: 15 ducats cause rebellion pad``."""
    return Expense(number, Purpose.CAUSE_REBELLION, ducats, place=PlaceId(place))


def murder(number: int, victim: str, ducats: int | None = None) -> Expense:
    """``expense 1: 12 ducats assassinate Milan``."""
    return Expense(number, Purpose.ASSASSINATE, ducats, power=PowerId(victim))


def build(unit: str, quality: str = "") -> Build:
    """``build A pad``."""
    new = named(unit)
    assert new.kind is not None
    return Build(new.kind, new.place, new.coast, Quality(quality))


def maintain(unit: str) -> Maintain:
    """``maintain A pad``."""
    return Maintain(named(unit))


def remove(unit: str) -> Remove:
    """``remove A pad``."""
    return Remove(named(unit))
