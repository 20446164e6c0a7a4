"""What is on file, for whoever may see it: the orders, their money counted, what to mind."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.year.forecast import forecast
from machjudge.adjudicator.year.outlook import Forecast
from machjudge.letters.page.delays import wait_line
from machjudge.letters.page.treasury import chit_lines
from machjudge.letters.receipt.cautions import cautions, for_units_of_others
from machjudge.letters.receipt.order_lines import needs_lines, on_file_lines
from machjudge.letters.results.foreseen import account
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording, phrase
from machjudge.service.game.completeness import progress
from machjudge.service.game.needs import missing
from machjudge.service.game.pending import pending_lines
from machjudge.service.game.view import SeenGame


@dataclass(slots=True)
class Filed:
    """The lines of an answer about the orders on file."""

    orders: list[Wording] = field(default_factory=list)
    later: list[Wording] = field(default_factory=list)
    money: list[Wording] = field(default_factory=list)
    warnings: list[Wording] = field(default_factory=list)
    notices: list[Wording] = field(default_factory=list)


def filed(situation: SeenGame, sight: Sight) -> Filed:
    """The whole order set of each power that the reader may see, with its money.

    For a master a line on every power before it.
    """
    found = Filed()
    seen = [p for p in situation.world.scenario.in_play if sight.sees_orders_of(p)]
    for power in situation.world.scenario.in_play:
        if sight.sees_progress():
            found.orders += progress(situation, power)
            found.orders += [wait_line(Words(situation.world).power(power))] * (
                power in situation.waiting()
            )
        elif len(seen) > 1 and power in seen:
            found.orders.append(phrase("{}:", Words(situation.world).power(power)))
        if power in seen:
            _add(found, situation, power, named=len(seen) > 1)
        if sight.sees_plans_of(power):
            _add_later(found, situation, power, named=len(sight.powers) > 1)
    return found


def _add(found: Filed, situation: SeenGame, power: PowerId, *, named: bool) -> None:
    """What concerns one power; *named* where the reader sees several."""
    words = situation.words
    orders = situation.orders_of(power)
    if situation.state.moment.stage is Stage.RETREATS or power in situation.state.eliminated:
        found.orders += _sheet(situation, power, orders, {})
        return
    ahead = forecast(situation.world, situation.state, power, orders)
    mind = cautions(words, ahead)
    whose = words.power(power) if named else ""
    found.orders += _sheet(situation, power, orders, for_units_of_others(ahead))
    if situation.world.rules.game.money and (orders or not named):
        found.money += [words.power(power)] if named else []
        found.money += _money(situation, power, ahead)
    found.warnings += [_remark(whose, line) for line in mind.warnings]
    found.notices += [_remark(whose, line) for line in mind.notices]


def _remark(whose: str, line: Sentence) -> Sentence:
    text = Sentence("text.labelled", label=whose, text=line) if whose else line
    return Sentence("text.indented", text=text)


def _add_later(found: Filed, situation: SeenGame, power: PowerId, *, named: bool) -> None:
    """What one power has on file ahead."""
    lines = pending_lines(situation, power)
    if lines and named:
        found.later.append(Words(situation.world).power(power))
    found.later += lines


def _sheet(
    situation: SeenGame, power: PowerId, orders: Sequence[Order], elsewhere: dict[Order, bool]
) -> list[Wording]:
    """The order set; orders for units that the power may come to own stand apart (SYN-12)."""
    words = situation.words
    lack = missing(situation.world, situation.state, power, orders)
    own = [order for order in orders if order not in elsewhere]
    return [
        *on_file_lines(words, own, lack.units),
        *needs_lines(words, (), lack.builds, lack.removals),
        *_apart(words, Sentence("orders.for_bought_units"), _with(elsewhere, bought=True)),
        *_apart(words, Sentence("orders.for_units_of_others"), _with(elsewhere, bought=False)),
    ]


def _with(elsewhere: dict[Order, bool], *, bought: bool) -> list[Order]:
    return [order for order, is_bought in elsewhere.items() if is_bought is bought]


def _apart(words: Words, title: Sentence, orders: Iterable[Order]) -> list[Wording]:
    lines = [phrase("    {}", order_text(words, order)) for order in orders]
    return [title, *lines] if lines else []


def _money(situation: SeenGame, power: PowerId, ahead: Forecast) -> list[Wording]:
    words = situation.words
    chits = chit_lines(words, situation.state, power)
    return [*account(words, ahead), *(Sentence("text.indented", text=line) for line in chits)]
