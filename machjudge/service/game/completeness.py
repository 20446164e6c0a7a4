"""The important thing of an answer: whether the orders are in, and what is missing."""

from datetime import datetime

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.delays import flag_help, flag_line
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.needs import has_to_order, missing
from machjudge.service.game.view import GameView
from machjudge.service.model.records import Seat


def verdict(
    situation: GameView, seat: Seat, refused: int, now: datetime, *, is_dry: bool = False
) -> list[Wording]:
    """How the orders of a seat stand; *refused* counts the lines that were just not taken."""
    lines: list[Wording] = [
        line for power in seat.powers for line in progress(situation, power, refused)
    ]
    flagged = [power for power in seat.powers if power in situation.flagged()]
    names = [Words(situation.world).power(power) for power in flagged]
    if is_dry:
        flags = {flag_line(name) for name in names}
        lines = [line for line in lines if line not in flags]
        lines += [Sentence("game.orders.would_flag", power=name) for name in names]
    elif flagged:
        lines.append(flag_help(holds=now < situation.clock.deadline))
    if seat.waits and not situation.is_overdue(now):
        lines.append(Sentence("game.orders.you_wait"))
    return lines


def numbers(situation: GameView, seat: Seat) -> list[Sentence]:
    """By which numbers the order sets of a seat can be restored."""
    words = Words(situation.world)
    return [
        Sentence("game.orders.number", number=sheet.number, power=words.power(power))
        for power in seat.powers
        if (sheet := situation.sheets.get(power)) is not None
    ]


def progress(situation: GameView, power: PowerId, refused: int = 0) -> list[Wording]:
    """How the orders of one power stand; each line names it, or is about it alone.

    *refused* counts the lines that were just not taken; None if somebody else reads it.
    """
    name = Words(situation.world).power(power)
    if power in situation.state.eliminated:
        return [Sentence("game.orders.eliminated", power=name)]
    is_flagged = power in situation.flagged()
    return [
        _headline(situation, power, refused, is_flagged=is_flagged),
        *([flag_line(name)] if is_flagged else []),
    ]


def _headline(situation: GameView, power: PowerId, refused: int, *, is_flagged: bool) -> Sentence:
    name = Words(situation.world).power(power)
    if not has_to_order(situation.world, situation.state, power):
        campaign = situation.state.moment.stage is Stage.CAMPAIGN
        pays = campaign and situation.world.rules.game.money
        return Sentence("game.orders.none_needed", power=name, pays=pays)
    lack = missing(situation.world, situation.state, power, situation.orders_of(power))
    if lack:
        count = len(lack.units) or lack.builds or lack.removals
        return Sentence("game.orders.missing", n=count, power=name)
    if is_flagged:
        return Sentence("game.orders.flagged", refused=refused, power=name)
    return Sentence("game.orders.complete", power=name)
