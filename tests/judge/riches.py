"""A game in its first Spring in which everybody has ducats to spend."""

from dataclasses import replace

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import Loan, State
from machjudge.adjudicator.units import Kind, Quality
from machjudge.messages.wording import Words
from tests.judge.house import House, built_once, started
from tests.judge.year import OPENING, play

RICH = 40


@built_once
def springtime(*options: str, ducats: int = RICH) -> House:
    """1454 at S1454M with the units of the set-up and so many ducats for everybody."""
    house = started(*options)
    play(house, {**OPENING, "I": OPENING["I"][:3]})
    state = house.view().state
    position(house, treasuries=dict.fromkeys(state.treasuries, ducats))
    return house


def position(house: House, **changes: object) -> State:
    """Change the position that the game is at, behind the back of its record."""
    phases = house.store.tables.phases
    (index,) = [n for n, p in enumerate(phases) if p.number == house.game().position]
    after = replace(phases[index].after, **changes)  # type: ignore[arg-type]
    phases[index] = replace(phases[index], after=after)
    return after


def indebted(house: House, power: str, *loans: tuple[int, int, int]) -> None:
    """Give a power debts: principal, interest, and how many years from now they are due."""
    now = house.view().state.moment.campaign
    book = tuple(Loan(PowerId(power), p, i, now.years_later(years)) for p, i, years in loans)
    position(house, loans=book)


def drilled(house: House, place: str, quality: Quality, kind: Kind = Kind.GARRISON) -> None:
    """Make a unit a special one, adding a garrison where there is none."""
    state = house.view().state
    here = state.garrisons if kind is Kind.GARRISON else state.field
    old = here[PlaceId(place)]
    changed = {**here, PlaceId(place): replace(old, quality=quality)}
    position(house, **{"garrisons" if kind is Kind.GARRISON else "field": changed})


def words_of(house: House) -> Words:
    """The words of the world that the game is played in."""
    return Words(house.view().world)
