"""The important thing of an answer: whether the orders are in, and what is missing."""

from collections.abc import Sequence

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.naming import unit_named
from machjudge.adjudicator.orders import Build, Maintain, Order
from machjudge.letters.sheetlines import needs_lines, on_file_lines
from machjudge.letters.sight import Sight
from machjudge.letters.words import Words, counted
from machjudge.service.needs import has_to_order, missing
from machjudge.service.records import Seat
from machjudge.service.situation import Situation


def verdict(situation: Situation, seat: Seat, refused: int) -> list[str]:
    """How the orders of a seat stand; *refused* counts the lines that were just not taken."""
    lines = [line for power in seat.powers for line in _of_power(situation, power, refused)]
    if seat.waits:
        lines.append("You asked to wait for the deadline (set wait).")
    return lines


def _of_power(situation: Situation, power: PowerId, refused: int) -> list[str]:
    name = Words(situation.world).power(power)
    if power in situation.state.eliminated:
        return [f"{name} is eliminated."]
    if not has_to_order(situation.world, situation.state, power):
        return [f"{name} has nothing to order in this phase."]
    lack = missing(situation.world, situation.state, power, situation.orders_of(power))
    if lack:
        count = len(lack.units) or lack.builds or lack.removals
        return [f"NOT COMPLETE: {counted(count, 'order')} of {name} missing."]
    sheet = situation.sheets.get(power)
    if sheet is not None and sheet.flawed:
        mend = f"{counted(refused, 'line')} not taken" if refused else "lines of your last mail"
        return [
            f"COMPLETE, but {mend}.",
            "Before the deadline the judge waits for a mail without errors.",
        ]
    return [f"COMPLETE: all orders of {name} are on file."]


def orders_on_file(situation: Situation, sight: Sight) -> list[str]:
    """The whole order set of each power that the reader may see, with what is missing.

    For a master a line on every power before it.
    """
    lines: list[str] = []
    for power in situation.world.scenario.in_play:
        if sight.sees_progress():
            lines += _of_power(situation, power, 0)[:1]
        if sight.sees_orders_of(power):
            lines += _sheet(situation, power)
    return lines


def _sheet(situation: Situation, power: PowerId) -> list[str]:
    words = Words(situation.world)
    orders = situation.orders_of(power)
    lack = missing(situation.world, situation.state, power, orders)
    return [
        *on_file_lines(words, orders, lack.units),
        *needs_lines(words, (), lack.builds, lack.removals),
        *_money(situation, power, orders),
    ]


def _money(situation: Situation, power: PowerId, orders: Sequence[Order]) -> list[str]:
    """What the adjustment costs, and what would be left of the treasury."""
    state, world = situation.state, situation.world
    if state.moment.stage is not Stage.ADJUSTMENT or not world.rules.game.money:
        return []
    treasury = state.treasuries.get(power, 0)
    cost = sum(_price(situation, power, order) for order in orders)
    left = treasury - cost
    if left < 0:
        short = f"  Treasury {treasury}d, ordered {cost}d: {-left}d too much."
        return [short, "  The last of these orders are not carried out."]
    return [f"  Treasury {treasury}d, ordered {cost}d, left {left}d."]


def _price(situation: Situation, power: PowerId, order: Order) -> int:
    match order:
        case Build(quality=quality):
            return quality.price
        case Maintain(unit=named):
            unit = unit_named(situation.world, situation.state, power, named)
            return unit.quality.price if unit is not None else 0
        case _:
            return 0
