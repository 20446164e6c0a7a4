"""What the judge orders in place of players who sent nothing, or not in time.

In an adjustment with money it keeps as many units of a silent player as the treasury pays for, in
the player's own order; in every other phase such units have no order, which means that they hold,
disband or stay as the rules say.  Where the policy of the game is that the late hold, all their
units get an order to hold, and what else they wrote does not count (the rules of 1978).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Hold, Maintain, Named, Order
from machjudge.adjudicator.model.units import Unit, unit_order
from machjudge.adjudicator.model.world import World
from machjudge.letters.results.absent import Absent
from machjudge.service.game.needs import has_to_order, missing
from machjudge.service.game.stored_orders import read_order_lines, write_order
from machjudge.service.game.view import GameView, seat_of
from machjudge.service.model.conduct import Policy
from machjudge.service.model.records import Sheet, SheetLine, StoredPhase

Lines = Mapping[PowerId, tuple[SheetLine, ...]]


def orders_for_the_late(situation: GameView, late: frozenset[PowerId], now: datetime) -> Lines:
    """Lines for powers whose grace is over, where the policy is that they hold."""
    state = situation.state
    if state.moment.stage is not Stage.CAMPAIGN:
        return {}
    if situation.game.conduct.policy is not Policy.HOLD:
        return {}
    return {
        power: tuple(
            _line(situation.world, Hold(_named(unit)), now)
            for unit in sorted(state.units_of(power), key=unit_order)
        )
        for power in sorted(late)
    }


def absent_in(world: World, stored: StoredPhase, sheets: Mapping[PowerId, Sheet]) -> Absent:
    """Without whose orders a phase was played; *sheets* are the order sets that were on file.

    The judge's own lines name no mail.
    """
    state, stage = stored.before, stored.before.moment.stage
    silent, partial, ordered_for = set(), set(), set()
    for power in (p for p in world.scenario.in_play if has_to_order(world, state, p)):
        lines = sheets[power].lines if power in sheets else ()
        if not lines:
            silent.add(power)
        elif missing(world, state, power, read_order_lines(world, stage, lines)):
            partial.add(power)
        played = stored.orders.get(power, ())
        if played and all(line.mail is None for line in played):
            ordered_for.add(power)
    return Absent(frozenset(silent), frozenset(partial), frozenset(ordered_for))


def orders_for_the_silent(situation: GameView, heard: frozenset[PowerId], now: datetime) -> Lines:
    """Lines for the powers that are not among those *heard*."""
    state, world = situation.state, situation.world
    if state.moment.stage is not Stage.ADJUSTMENT or not world.rules.game.money:
        return {}
    silent = [power for power in world.scenario.in_play if power not in heard]
    return {power: _kept(situation, power, now) for power in silent if state.units_of(power)}


def _kept(situation: GameView, power: PowerId, now: datetime) -> tuple[SheetLine, ...]:
    left = situation.state.treasuries.get(power, 0)
    lines: list[SheetLine] = []
    for unit in in_order_of_worth(situation, power):
        if unit.quality.price <= left:
            left -= unit.quality.price
            lines.append(_line(situation.world, Maintain(_named(unit)), now))
    return tuple(lines)


def in_order_of_worth(situation: GameView, power: PowerId) -> Sequence[Unit]:
    """The units of a power, those to be kept first coming first.

    First by the player's own list, then strong ones, then armies, fleets, garrisons.
    """
    seat = seat_of(situation.game, power)
    wishes = seat.priority if seat is not None else ()
    units = situation.state.units_of(power)
    return sorted(units, key=lambda unit: (_rank(unit, wishes), *_worth(unit)))


def _rank(unit: Unit, wishes: Sequence[str]) -> int:
    """The number of the first wish that means the unit."""
    kind = unit.kind.value
    names = (f"{kind} {unit.place}", unit.place, kind)
    return next((n for n, wish in enumerate(wishes) if wish in names), len(wishes))


def _worth(unit: Unit) -> tuple[int, str, str]:
    """Strong units first, then armies, fleets, garrisons."""
    return (-unit.quality.strength, unit.kind.value, unit.place)


def _named(unit: Unit) -> Named:
    return Named(unit.kind, unit.place, unit.coast)


def _line(world: World, order: Order, now: datetime) -> SheetLine:
    text = write_order(world, order)
    return SheetLine(written=text, canonical=text, received=now, mail=None)
