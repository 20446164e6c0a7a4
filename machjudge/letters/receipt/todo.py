"""What a power has to do in the phase that begins: the orders that are expected, ready to copy."""

from collections.abc import Sequence

from machjudge.adjudicator.legality.lawful import objection_to
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Build
from machjudge.adjudicator.model.reasons import Flaw
from machjudge.adjudicator.model.state import Dislodged, State
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.letters.receipt.purse import chit_lines, debt_lines, purse
from machjudge.letters.wording.words import Words, counted, ducats, unbroken

_WIDTH = 32
"""Of a list of units behind its verb."""


def todo(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    """The lines for one power, the important thing first."""
    if power in state.eliminated:
        return (f"{words.power(power)} is eliminated: no more orders.",)
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return _campaign(words, state, power)
        case Stage.RETREATS:
            return _retreats(words, state, power)
        case Stage.ADJUSTMENT:
            return _adjustment(words, state, power)


def alert(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    """What must not be overlooked: dislodged units that wait for their retreat."""
    waiting = [d.unit for d in state.dislodged if d.unit.owner == power]
    if not waiting:
        return ()
    units = ", ".join(words.unit(unit) for unit in waiting)
    return (f"You must retreat: {units}. See the end of this mail.",)


def _campaign(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    units = state.units_of(power)
    if not units:
        none = f"{words.power(power)} has no units to give orders to."
        return (none, *purse(words, state, power))
    return (
        f"{words.power(power)}: order your {counted(len(units), 'unit')}.",
        *(f"  {words.unit(unit)}" for unit in units),
        *purse(words, state, power),
    )


def _retreats(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    waiting = [d for d in state.dislodged if d.unit.owner == power]
    if not waiting:
        return (f"{words.power(power)}: nothing to do in this phase.",)
    lines = [f"{words.power(power)}: send one line for each dislodged unit."]
    for dislodged in waiting:
        lines += [f"  {line}" for line in retreat_lines(words, dislodged)]
    return (*lines, "A unit without an order is disbanded.")


def retreat_lines(words: Words, dislodged: Dislodged) -> list[str]:
    """The orders between which the owner of a dislodged unit chooses."""
    unit = words.unit(dislodged.unit)
    ways = [f"{unit} - {words.spot(spot)}" for spot in dislodged.retreats]
    if dislodged.convert:
        ways.append(f"{unit} C G")
    return [*ways, f"{unit} disband"]


def _adjustment(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    units = state.units_of(power)
    if words.world.rules.game.money:
        return _with_money(words, state, power, units)
    return _with_cities(words, state, power, units)


def _with_money(words: Words, state: State, power: PowerId, units: list[Unit]) -> tuple[str, ...]:
    upkeep = sum(unit.quality.price for unit in units)
    treasury = state.treasuries.get(power, 0)
    return (
        f"{words.power(power)}: {ducats(treasury)} in the treasury.",
        *debt_lines(state, power),
        f"Keeping all {counted(len(units), 'unit')} costs {upkeep}.",
        *(f"  maintain {words.unit(unit)}" for unit in units),
        "A unit without a maintain order is removed.",
        *_new_units(words, state, power),
        *chit_lines(words, state, power),
    )


def _new_units(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    """All that can be built, kind by kind, in lines that can be sent as they are."""
    sites = [(kind, _sites(words, state, power, kind)) for kind in Kind]
    lines = [line for kind, places in sites if places for line in _builds(words, kind, places)]
    if not lines:
        return ("There is no place for a new unit of yours.",)
    return ("New units cost 3 ducats each.", "You can build:", *lines)


def _builds(words: Words, kind: Kind, places: Sequence[PlaceId]) -> list[str]:
    units = unbroken((f"{kind.value} {words.place(place)}" for place in places), _WIDTH)
    return [f"  build {row.rstrip(',')}" for row in units]


def _site(words: Words, state: State, power: PowerId) -> PlaceId | None:
    """A place where the power may build an army; an empty one before others."""
    places = _sites(words, state, power, Kind.ARMY)
    return min(places, key=lambda place: place in state.field, default=None)


def _sites(words: Words, state: State, power: PowerId, kind: Kind) -> list[PlaceId]:
    """Where the power may build a unit of a kind, by name."""
    homes = sorted(place for place, home in state.homes.items() if home == power)
    return [place for place in homes if _may_build(words, state, power, Build(kind, place))]


def _may_build(words: Words, state: State, power: PowerId, order: Build) -> bool:
    objection = objection_to(words.world, state, power, order)
    return objection is None or objection.flaw is Flaw.COAST_NEEDED


def _with_cities(words: Words, state: State, power: PowerId, units: list[Unit]) -> tuple[str, ...]:
    cities = cities_that_count(words, state, power)
    due = cities - len(units)
    has = (
        f"{words.power(power)}: {counted(cities, 'city', 'cities')}, {counted(len(units), 'unit')}."
    )
    if due > 0:
        site = _site(words, state, power)
        such = f"build A {words.place(site)}, or " if site is not None else ""
        return (has, f"You may build {counted(due, 'unit')}, such as: {such}waive")
    if due < 0:
        return (
            has,
            f"You must remove {counted(-due, 'unit')}, such as:",
            f"  remove {words.unit(units[0])}",
        )
    return (has, "Nothing to do in this phase.")


def example(words: Words, state: State, power: PowerId) -> tuple[str, ...]:
    """Lines that a newcomer may send as they stand."""
    verb = "maintain " if state.moment.stage is Stage.ADJUSTMENT else ""
    hold = " H" if state.moment.stage is Stage.CAMPAIGN else ""
    if state.moment.stage is Stage.ADJUSTMENT and not words.world.rules.game.money:
        return ()
    return tuple(f"{verb}{words.unit(unit)}{hold}" for unit in state.units_of(power))


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
