"""What the letter that opens a phase says of the orders that were kept for it."""

from collections.abc import Iterator, Mapping

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.delays import flag_help
from machjudge.letters.receipt.order_lines import on_file_lines
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.words import Words, counted
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.completeness import progress
from machjudge.service.game.needs import missing
from machjudge.service.orders.phase_begins import Arrived
from machjudge.service.session.outgoing import Addressee


def kept_before(words: Words, arrived: Arrived, to: Addressee) -> Mapping[str, object]:
    """What stands in the letter for one address alone: how many failed, and the order sets."""
    own = [power for power in to.powers if to.sight.sees_plans_of(power)]
    failed = sum(len(arrived.refused.get(power, ())) for power in own)
    lines = [line for power in own for line in _lines(words, arrived, power)]
    return {
        "kept": tuple(lines),
        "kept_failed": f"{counted(failed, 'order')} kept for this phase cannot be given."
        if failed
        else "",
    }


def _lines(words: Words, arrived: Arrived, power: PowerId) -> Iterator[Wording]:
    filed = {sheet.power for sheet in arrived.sheets}
    if power in filed:
        yield from _set(words, arrived, power)
    for trouble in arrived.refused.get(power, ()):
        yield from _trouble(trouble)
    for code in arrived.unused.get(power, ()):
        yield f"  {code} did not come; the orders for it are not used."


def _set(words: Words, arrived: Arrived, power: PowerId) -> Iterator[str]:
    situation = arrived.situation
    orders = situation.orders_of(power)
    lack = missing(situation.world, situation.state, power, orders)
    failed = len(arrived.refused.get(power, ()))
    yield from (f"  {line}" for line in progress(situation, power, failed))
    if power in situation.flagged():
        yield from (f"  {line}" for line in flag_help(holds=True))
    yield from (f"  {line}" for line in on_file_lines(words, orders, lack.units))


def _trouble(trouble: Trouble) -> Iterator[Wording]:
    yield Sentence("trouble.not_taken", line=trouble.line)
    yield Sentence("trouble.because", reason=trouble.reason)
