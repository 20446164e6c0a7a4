"""What the message that opens a phase says of the orders that were kept for it."""

from collections.abc import Mapping

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.delays import flag_help
from machjudge.letters.receipt.order_lines import on_file_lines
from machjudge.letters.wording.sight import Sight
from machjudge.sentence import Wording
from machjudge.service.game.completeness import progress
from machjudge.service.game.needs import missing
from machjudge.service.orders.phase_begins import Arrived
from machjudge.service.session.outgoing import Addressee


def kept_before(arrived: Arrived, to: Addressee) -> Mapping[str, object]:
    """What stands in the message for one address alone: how many failed, and the order sets."""
    own = [power for power in to.powers if to.sight.sees_plans_of(power)]
    filed = {sheet.power for sheet in arrived.sheets}
    refused = [trouble for power in own for trouble in arrived.refused.get(power, ())]
    return {
        "kept_failed": len(refused),
        "kept": [
            {
                "lines": _lines(arrived, power, to.sight) if power in filed else (),
                "refused": arrived.refused.get(power, ()),
                "unused": arrived.unused.get(power, ()),
            }
            for power in own
        ],
    }


def _lines(arrived: Arrived, power: PowerId, sight: Sight) -> list[Wording]:
    """How the orders of a power stand, and the whole order set."""
    situation, failed = arrived.situation, len(arrived.refused.get(power, ()))
    words = sight.words(situation.world, sight.view(situation.world, situation.state))
    help_ = (flag_help(holds=True),) if power in situation.flagged() else ()
    orders = situation.orders_of(power)
    lack = missing(situation.world, situation.state, power, orders)
    on_file = on_file_lines(words, orders, lack.units)
    return [*progress(situation, power, failed), *help_, *on_file]
