"""Random orders after the battle: retreats, and what is kept, built and let go in winter."""

from machjudge.adjudicator.names import NO_COAST, PlaceId
from machjudge.adjudicator.orders import (
    Advance,
    Build,
    Convert,
    Disband,
    Maintain,
    Named,
    Order,
    Remove,
    Tax,
    Waive,
)
from machjudge.adjudicator.rules import ForcedTaxes
from machjudge.adjudicator.state import Dislodged
from machjudge.adjudicator.units import Kind, Quality
from machjudge.adjudicator.year.adjustment import units_due
from tests.games.armies import named
from tests.games.mind import Mind
from tests.games.purses import gifts

_SPECIAL = (Quality.MILITIA, Quality.MERCENARY, Quality.PROFESSIONAL)


def retreat_orders(mind: Mind) -> list[Order]:
    """A way out for nearly every unit of the power that was driven out."""
    waiting = [each for each in mind.state.dislodged if each.unit.owner == mind.power]
    return [order for each in waiting for order in _way_out(mind, each)]


def _way_out(mind: Mind, waiting: Dislodged) -> list[Order]:
    unit, kind = waiting.unit, mind.chance.random()
    if kind < 0.05:
        return []
    if kind < 0.12:
        return [Disband(named(unit))]
    if kind < 0.15:
        return [Advance(named(unit), mind.chance.choice(sorted(mind.world.board.places)))]
    if waiting.convert and (not waiting.retreats or kind < 0.5):
        return [Convert(named(unit), Kind.GARRISON)]
    if not waiting.retreats:
        return []
    spot = mind.chance.choice(waiting.retreats)
    return [Advance(named(unit), spot.place, spot.coast)]


def adjustment_orders(mind: Mind) -> list[Order]:
    """What the units of a power cost, or how many of them its cities feed."""
    if mind.world.rules.game.money:
        built = _builds(mind, mind.chance.choice([0, 1, 1, 2, 3]))
        given = gifts(mind) if mind.world.rules.money.adjustment_gifts else []
        return [*given, *_taxes(mind), *_kept(mind), *built]
    due = units_due(mind.world, mind.state, mind.power)
    asked = due + mind.chance.choice([0, 0, 0, 0, 1, -1])
    if asked >= 0:
        built = _builds(mind, asked)
        return [*built, *[Waive() for _ in range(asked - len(built)) if mind.now_and_then(0.5)]]
    units = mind.state.units_of(mind.power)
    return [Remove(named(unit)) for unit in mind.chance.sample(units, min(-asked, len(units)))]


def _taxes(mind: Mind) -> list[Order]:
    """Taxes by force, now and then of a place where none can be taken."""
    if mind.world.rules.income.forced is ForcedTaxes.OFF:
        return []
    held = sorted(p for p, owner in mind.state.provinces.items() if owner == mind.power)
    return [Tax(place) for place in held if mind.now_and_then(0.2)]


def _kept(mind: Mind) -> list[Order]:
    orders: list[Order] = []
    for unit in mind.state.units_of(mind.power):
        kind = mind.chance.random()
        if kind < 0.93:
            orders.append(Maintain(named(unit)))
        if kind > 0.9 and kind < 0.96:
            orders.append(Remove(named(unit)))
    return orders


def _builds(mind: Mind, count: int) -> list[Order]:
    state = mind.state
    sites = [
        place
        for place, owner in sorted(state.homes.items())
        if owner == mind.power
        and place in mind.world.cities
        and state.provinces.get(place) == mind.power == state.cities.get(place)
    ]
    chosen = mind.chance.sample(sites, min(count, len(sites)))
    if mind.now_and_then(0.03):
        chosen.append(mind.chance.choice(sorted(mind.world.board.places)))
    orders: list[Order] = [_build(mind, place) for place in chosen]
    if orders and mind.now_and_then(0.05):
        orders.append(Remove(Named(None, chosen[0])))
    return orders


def _build(mind: Mind, place: PlaceId) -> Build:
    kinds = [Kind.ARMY, Kind.ARMY]
    if mind.world.is_port(place) or mind.now_and_then(0.1):
        kinds += [Kind.FLEET, Kind.FLEET]
    if mind.world.holds_garrison(place):
        kinds.append(Kind.GARRISON)
    kind = mind.chance.choice(kinds)
    spots = mind.world.board.spots(place) if kind is Kind.FLEET else ()
    coast = mind.chance.choice(spots).coast if spots else NO_COAST
    special = mind.now_and_then(0.2)
    return Build(kind, place, coast, mind.chance.choice(_SPECIAL) if special else Quality.PLAIN)
