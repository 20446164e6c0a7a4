"""The important thing of an answer: whether the orders are in, and what is missing."""

from machjudge.adjudicator.names import PowerId
from machjudge.letters.words import Words, counted
from machjudge.service.needs import has_to_order, missing
from machjudge.service.records import Seat
from machjudge.service.situation import Situation


def verdict(situation: Situation, seat: Seat, refused: int) -> list[str]:
    """How the orders of a seat stand; *refused* counts the lines that were just not taken."""
    lines = [line for power in seat.powers for line in progress(situation, power, refused)]
    if seat.waits:
        lines.append("You asked to wait for the deadline (set wait).")
    return lines


def numbers(situation: Situation, seat: Seat) -> list[str]:
    """By which numbers the order sets of a seat can be restored."""
    words = Words(situation.world)
    return [
        f"This is set {sheet.number} of the orders of {words.power(power)}."
        for power in seat.powers
        if (sheet := situation.sheets.get(power)) is not None
    ]


def progress(situation: Situation, power: PowerId, refused: int) -> list[str]:
    """How the orders of one power stand."""
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
        mend = (
            f"{counted(refused, 'line')} not taken"
            if refused
            else "some lines of your last mail were not taken"
        )
        return [
            f"COMPLETE, but {mend}.",
            "Before the deadline the judge waits for a mail without errors.",
        ]
    return [f"COMPLETE: all orders of {name} are on file."]
