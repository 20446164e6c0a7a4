"""What a power has to do in the phase that begins: the orders that are expected, ready to copy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.legality.lawful import objection_to
from machjudge.adjudicator.model.moments import Campaign, Season, Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Besiege,
    Build,
    Convert,
    Disband,
    Hold,
    Named,
    Order,
    UnitOrder,
)
from machjudge.adjudicator.model.reasons import Flaw
from machjudge.adjudicator.model.state import Dislodged, State, View
from machjudge.adjudicator.model.units import GARRISON, Kind, Unit
from machjudge.adjudicator.money.banking import debts_of
from machjudge.adjudicator.year.allowance import first_to_go
from machjudge.letters.page.treasury import chit_lines, debt_lines, purse
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording, joined, phrase

LinesByPlace: TypeAlias = tuple[tuple[PlaceId, str], ...]


@dataclass(frozen=True, slots=True)
class LineChoice:
    """Lines of which a reader may send some, and not all as they stand."""

    lines: tuple[str, ...]
    most: int = 0
    """How many orders they stand for together; 0 where nobody has to give any."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a phase asks of a power."""

    due: tuple[Wording, ...]
    """What is expected."""
    form: tuple[Wording, ...] = ()
    """The lines to send back, and what helps to change them."""
    sendable: tuple[str, ...] = ()
    """Those of the lines that may be sent all together as they stand."""
    by_place: LinesByPlace = ()
    """The same, each with the place of its unit."""
    choices: tuple[LineChoice, ...] = ()
    """The other lines to send back."""


def todo(words: Words, state: View, power: PowerId) -> tuple[Wording, ...]:
    """The lines for one power, the important thing first."""
    if power not in state.eliminated and state.moment.stage is Stage.CAMPAIGN:
        return _campaign(words, state, power)
    asks = asked(words, state, power)
    return (*asks.due, *asks.form)


def asked(words: Words, state: View, power: PowerId) -> Asked:
    """What is due from a power, and the lines to send back."""
    if power in state.eliminated:
        return Asked((Sentence("todo.eliminated", power=words.power(power)),))
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return _moves(words, state, power)
        case Stage.RETREATS:
            return _retreats(words, state, power)
        case Stage.ADJUSTMENT:
            return _adjustment(words, state, power)


def alert(words: Words, state: View, power: PowerId) -> tuple[Sentence, ...]:
    """What must not be overlooked: dislodged units that wait for their retreat."""
    waiting = [d.unit for d in state.dislodged if d.unit.owner == power]
    units = tuple(words.unit(unit) for unit in waiting)
    return (Sentence("todo.must_retreat", units=units),) if units else ()


def _campaign(words: Words, state: View, power: PowerId) -> tuple[Wording, ...]:
    units = tuple(words.unit(unit) for unit in state.units_of(power))
    head = Sentence("todo.campaign", power=words.power(power), n=len(units))
    return (head, *(phrase("  {}", unit) for unit in units), *purse(words, state, power))


def _moves(words: Words, state: View, power: PowerId) -> Asked:
    """An order for each unit as it would most naturally be, and where each may go."""
    units = state.units_of(power)
    head = Sentence("todo.campaign", power=words.power(power), n=len(units))
    orders = tuple(order_text(words, _default(words, state, unit)) for unit in units)
    ways = tuple(way for unit in units if (way := ways_of(words, unit)) is not None)
    form: tuple[Wording, ...] = (
        *orders,
        *_starving(words, state, units),
        *chit_lines(words, state, power),
        *ways,
    )
    is_due = any(not state.moment.campaign < debt.due for debt in debts_of(state, power))
    due = (head, *(debt_lines(state, power) if is_due else ()))
    return Asked(due, form, orders, _by_place(units, orders))


def _starving(words: Words, state: View, units: Sequence[Unit]) -> tuple[Sentence, ...]:
    """That units which stay where they are die, for those in famine in Spring (FAM-07)."""
    if state.moment.campaign.season is not Season.SPRING:
        return ()
    hungry = tuple(words.unit(unit) for unit in units if unit.place in state.famine)
    has_money = words.world.rules.game.money
    return (Sentence("todo.famine", units=hungry, has_money=has_money),) if hungry else ()


def _default(words: Words, state: View, unit: Unit) -> UnitOrder:
    """To besiege for a unit that has begun a siege, to hold for others."""
    begun = words.world.city_before(unit.place) in state.sieges
    besieges = begun and state.field.get(unit.place) == unit
    return Besiege(_named(unit)) if besieges else Hold(_named(unit))


def _named(unit: Unit) -> Named:
    return Named(unit.kind, unit.place, unit.coast)


def ways_of(words: Words, unit: Unit) -> Sentence | None:
    """The places to which a unit may go in one step over land or along coasts."""
    world = words.world
    match unit.kind:
        case Kind.ARMY:
            places = sorted(map(words.place, world.army.get(unit.place, ())))
        case Kind.FLEET:
            spots = world.landings.get((unit.place, unit.coast), {}).values()
            places = sorted({words.spot(spot) for some in spots for spot in some})
        case Kind.GARRISON:
            places = []
    return Sentence("todo.ways", unit=words.unit(unit), places=tuple(places)) if places else None


def _retreats(words: Words, state: View, power: PowerId) -> Asked:
    waiting = [d for d in state.dislodged if d.unit.owner == power]
    choices = tuple(LineChoice(tuple(retreat_lines(words, each)), 1) for each in waiting)
    ways = [line for choice in choices for line in choice.lines]
    return Asked(
        (Sentence("todo.retreats", power=words.power(power), n=len(waiting)),),
        (
            *ways,
            *((Sentence("todo.disbanded_without_order"),) if ways else ()),
            *_into_famine(words, state, waiting),
        ),
        choices=choices,
    )


def _into_famine(words: Words, state: View, waiting: Sequence[Dislodged]) -> tuple[Sentence, ...]:
    """The places to which units may retreat only to die there after Spring (FAM-07)."""
    spots = {spot.place for each in waiting for spot in each.retreats}
    spots |= {each.unit.place for each in waiting if each.convert}
    hungry = tuple(sorted(words.place(place) for place in spots & state.famine))
    is_spring = state.moment.campaign.season is Season.SPRING
    return (Sentence("todo.famine_there", places=hungry),) if hungry and is_spring else ()


def retreat_lines(words: Words, dislodged: Dislodged) -> list[str]:
    """The orders between which the owner of a dislodged unit chooses."""
    unit = _named(dislodged.unit)
    ways: list[Order] = [Advance(unit, spot.place, spot.coast) for spot in dislodged.retreats]
    if dislodged.convert:
        ways.append(Convert(unit, GARRISON))
    return [order_text(words, order) for order in (*ways, Disband(unit))]


def _adjustment(words: Words, state: View, power: PowerId) -> Asked:
    units = state.units_of(power)
    if words.world.rules.game.money:
        return _with_money(words, state, power, units)
    return _with_cities(words, state, power, units)


def _with_money(words: Words, state: View, power: PowerId, units: list[Unit]) -> Asked:
    upkeep = sum(unit.quality.price for unit in units)
    treasury = state.treasuries.get(power, 0)
    due = (
        Sentence("todo.treasury", power=words.power(power), ducats=treasury),
        *debt_lines(state, power),
        Sentence("todo.upkeep", n=len(units), ducats=upkeep),
    )
    kept = tuple(phrase("maintain {}", words.unit(unit)) for unit in units)
    new = _new_units(words, state, power)
    form: tuple[Wording, ...] = (
        *kept,
        Sentence("todo.removed_without_order"),
        Sentence("todo.can_build" if new else "todo.no_site"),
        *new,
        *chit_lines(words, state, power),
    )
    return Asked(due, form, kept, _by_place(units, kept), (LineChoice(new),))


def _by_place(units: Sequence[Unit], lines: Sequence[str]) -> LinesByPlace:
    return tuple((unit.place, line) for unit, line in zip(units, lines, strict=True))


def buttons(words: Words, state: State) -> tuple[Sentence, ...]:
    """What else may be sent in one line, as the phase begins."""
    votes = () if state.moment.stage is Stage.RETREATS else (Sentence("todo.button.draw"),)
    first = Campaign(words.world.scenario.year, Season.SPRING)
    has_before = state.moment.stage is Stage.CAMPAIGN and state.moment.campaign != first
    again = (Sentence("todo.button.same"),) if has_before else ()
    return (*again, Sentence("todo.button.wait"), *votes)


def _new_units(words: Words, state: View, power: PowerId) -> tuple[str, ...]:
    """All that can be built, kind by kind, in lines that can be sent as they are."""
    sites = [(kind, _sites(words, state, power, kind)) for kind in Kind]
    return tuple(_builds(words, kind, places) for kind, places in sites if places)


def _builds(words: Words, kind: Kind, places: Sequence[PlaceId]) -> str:
    units = [phrase("{} {}", kind.value, words.place(place)) for place in places]
    return phrase("build {}", joined(", ", units))


def _sites(words: Words, state: View, power: PowerId, kind: Kind) -> list[PlaceId]:
    """Where the power may build a unit of a kind, by name."""
    homes = sorted(place for place, home in state.homes.items() if home == power)
    return [place for place in homes if _may_build(words, state, power, Build(kind, place))]


def _may_build(words: Words, state: View, power: PowerId, order: Build) -> bool:
    objection = objection_to(words.world, state, power, order)
    return objection is None or objection.flaw is Flaw.COAST_NEEDED


def _with_cities(words: Words, state: View, power: PowerId, units: list[Unit]) -> Asked:
    cities = cities_that_count(words, state, power)
    has = Sentence("todo.has", power=words.power(power), cities=cities, units=len(units))
    more = cities - len(units)
    if more > 0:
        lines = (*_new_units(words, state, power), "waive")
        form: tuple[Wording, ...] = (Sentence("todo.may_build", n=more), *lines)
        return Asked((has,), form, choices=(LineChoice(lines, more),))
    if more < 0:
        gone = first_to_go(words.world, state, power, units)[:-more]
        removed = tuple(phrase("remove {}", words.unit(unit)) for unit in gone)
        due = (has, Sentence("todo.must_remove", n=-more))
        return Asked(due, removed, removed, _by_place(gone, removed))
    return Asked((has, Sentence("todo.nothing")))


def example(words: Words, state: View, power: PowerId) -> tuple[str, ...]:
    """Lines that a newcomer may send as they stand."""
    units = state.units_of(power)
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return tuple(order_text(words, Hold(_named(unit))) for unit in units)
        case Stage.ADJUSTMENT if words.world.rules.game.money:
            return tuple(phrase("maintain {}", words.unit(unit)) for unit in units)
        case _:
            return ()


def said_for(
    words: Words, power: PowerId, own: Sequence[PowerId], lines: Sequence[Wording]
) -> tuple[Wording, ...]:
    """Lines for one of one's *own* powers, below the line that says so where one has several."""
    is_said = lines and len(own) > 1
    return (phrase("FOR {}", words.power(power)), *lines) if is_said else tuple(lines)


def cities_that_count(words: Words, state: State, power: PowerId) -> int:
    """The cities that feed units in games without money: city and province controlled (ADJ-15)."""
    cities = words.world.cities
    return sum(
        1
        for place, owner in state.cities.items()
        if owner == power
        and state.provinces.get(place) == power
        and place in cities
        and not cities[place].fortress
    )
