"""The year's income: seas, provinces, cities and variable incomes (area INC)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.board import CityIncome, Power
from machjudge.adjudicator.dice import Dice, Throw
from machjudge.adjudicator.events import (
    DiceThrown,
    Event,
    IncomePaid,
    ProvinceRecovered,
    RollPaid,
)
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.land.control import cities_of
from machjudge.adjudicator.land.homes import living_powers
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.rules import AdjustmentSeason, FixedRolls, HomeIncome, Opening
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import FLEET
from machjudge.adjudicator.world import World


@dataclass(frozen=True, slots=True)
class Roll:
    """A power's variable income."""

    power: PowerId
    line: str
    dice: int


def collect_income(turn: Turn) -> Sequence[Event]:
    """Pay every power's income, after Fall (INC-01, SEQ-03)."""
    return yearly_income(turn.world, turn.state, turn.dice)


def yearly_income(world: World, state: State, dice: Dice) -> Sequence[Event]:
    """Return the income of the year of ``state.moment``."""
    if not world.rules.game.money:
        return ()
    rolled, variable = _variable(world, state, dice)
    return [*rolled, *_paid(world, state, variable), *map(ProvinceRecovered, sorted(state.taxed))]


def opening_income(world: World, state: State, dice: Dice) -> Sequence[Event]:
    """Return the income of the set-up; fixed ducats can replace rolls (INC-16)."""
    if world.rules.game.opening is Opening.FIXED_MONEY:
        return _paid(world, state, Counter())
    return yearly_income(world, state, dice)


def _paid(world: World, state: State, variable: Counter[PowerId]) -> list[Event]:
    """Each power's income: a ducat for each sea with a fleet (INC-02), land, rolls."""
    fleets = Counter(
        unit.owner
        for place, unit in state.field.items()
        if unit.kind is FLEET and world.place(place).is_sea
    )
    provinces: Counter[PowerId] = Counter()
    for place, owner in state.provinces.items():
        provinces[owner] += province_income(world, state, place)
    cities: Counter[PowerId] = Counter()
    for place, owner in state.cities.items():
        cities[owner] += city_income(world, state, place)
    return [
        IncomePaid(power, fleets[power], provinces[power], cities[power], variable[power])
        for power in living_powers(world, state)
    ]


# --- fixed incomes ---------------------------------------------------------------------------


def province_income(world: World, state: State, place: PlaceId) -> int:
    """Return a province's income: 1 ducat or nothing (INC-03, FAM-06, INC-18, INC-19)."""
    if world.place(place).afloat and not _guarded(state, place):
        return 0
    rebels = place in state.province_rebellions or (
        world.place(place).venice and place in state.city_rebellions
    )
    return 0 if rebels or place in state.famine or place in state.taxed else 1


def _guarded(state: State, place: PlaceId) -> bool:
    """Return whether the controller's fleet is in a city's water, which then pays (MAP-37)."""
    unit = state.field.get(place)
    return unit is not None and unit.owner == state.provinces.get(place)


def city_income(world: World, state: State, place: PlaceId) -> int:
    """Return a city's income (INC-04 to INC-07, INC-15)."""
    city = world.cities.get(place)
    if city is None or _is_starved_of_income(world, state, place):
        return 0
    return world.rules.income.fort_income if city.fortress else city.income


def _is_starved_of_income(world: World, state: State, place: PlaceId) -> bool:
    if place in state.taxed:
        return True
    if place in state.sieges and not world.rules.income.besieged_pays:
        return True
    if place in state.garrisons:
        return False
    # An unfortified city carries no marker of its own and goes with its province (INC-05).
    open_city = not world.cities[place].fortified
    rebels = place in state.city_rebellions or (open_city and place in state.province_rebellions)
    return rebels or place in state.famine


# --- variable incomes ------------------------------------------------------------------------


def _variable(world: World, state: State, dice: Dice) -> tuple[list[Event], Counter[PowerId]]:
    """The rolls of the year, and what they bring each power (INC-10 to INC-14)."""
    events: list[Event] = []
    sums: Counter[PowerId] = Counter()
    for roll, thrown, numbers in _thrown(world, state, dice):
        ducats = sum(world.incomes.lines[roll.line][number - 1] for number in numbers)
        sums[roll.power] += ducats
        paid = RollPaid(roll.power, roll.line, numbers, ducats, fixed=not world.rules.game.dice)
        events += [*thrown, paid]
    return events, sums


Thrown = Iterator[tuple[Roll, Sequence[DiceThrown], tuple[int, ...]]]
"""Each roll, its own throws, and its counted dice."""


def _thrown(world: World, state: State, dice: Dice) -> Thrown:
    rolls = rolls_of(world, state)
    if not world.rules.game.dice:
        return ((roll, (), _fixed(world, state, roll)) for roll in rolls)
    return (_throw_once if world.rules.income.shared_die else _throw_each)(rolls, dice)


def _throw_once(rolls: Iterator[Roll], dice: Dice) -> Thrown:
    """One die for all, and one for each die of a line with two."""
    throw = Throw("income")
    for number, roll in enumerate(rolls):
        (face,) = dice.roll(throw)
        thrown = () if number else (DiceThrown(throw.purpose, (face,)),)
        yield roll, thrown, (face,) * roll.dice


def _throw_each(rolls: Iterator[Roll], dice: Dice) -> Thrown:
    """Each roll by itself; those of one line have numbers."""
    due = tuple(rolls)
    total: Counter[str] = Counter()
    for roll in due:
        total[roll.line] += roll.dice
    rolled: Counter[str] = Counter()
    thrown: Counter[str] = Counter()
    for roll in due:
        rolled[roll.line] += 1
        throw = Throw(
            f"income {roll.line.lower()}",
            roll.dice,
            rolled[roll.line],
            before=thrown[roll.line],
            total=total[roll.line],
        )
        numbers = dice.roll(throw)
        thrown[roll.line] += roll.dice
        yield roll, (DiceThrown(throw.purpose, numbers, throw.n),), numbers


def rolls_of(world: World, state: State) -> Iterator[Roll]:
    """Return the variable incomes: homes first, then cities."""
    for id_, (line, dice) in world.incomes.homes.items():
        owner = _home_owner(world, state, world.scenario.powers[id_])
        if owner is not None:
            yield Roll(owner, line, dice)
    for income in world.incomes.cities:
        owner = _city_owner(world, state, income)
        if owner is not None:
            yield Roll(owner, income.line, income.dice)


def _home_owner(world: World, state: State, home: Power) -> PowerId | None:
    """The owner of a home country; nobody once its power is gone (HOM-05, INC-11, INC-12)."""
    owner = next((state.homes.get(place) for place in home.home), None)
    if owner is None or owner not in living_powers(world, state):
        return None
    if world.rules.income.home_roll is HomeIncome.FOOTHOLD:
        cities = cities_of(world, state.cities, owner)
        held = (place in cities or state.provinces.get(place) == owner for place in home.home)
        return owner if any(held) else None
    return owner


def _city_owner(world: World, state: State, income: CityIncome) -> PowerId | None:
    """The controller of the city, and by some rules of the province too (INC-13)."""
    owner = state.cities.get(income.city)
    if owner not in living_powers(world, state):
        return None
    if world.rules.income.city_roll_needs_province and state.provinces.get(income.city) != owner:
        return None
    return owner


def _fixed(world: World, state: State, roll: Roll) -> tuple[int, ...]:
    """The fixed die of a game without dice, by the adjustment's year (INC-14)."""
    next_spring = world.rules.game.adjustment_season is AdjustmentSeason.SPRING
    odd = bool((state.moment.year + next_spring) % 2)
    four = odd is (world.rules.income.fixed_rolls is FixedRolls.ODD_FOUR)
    return (4 if four else 3,) * roll.dice
