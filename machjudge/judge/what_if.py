"""WHATIF: what some orders of any powers would bring, as far as the asker can know.

Nothing of it is kept, and no die is thrown. What the asker may not see has no part in it: hidden
units are not there, hidden treasuries suffice for what is tried, and hidden chits fit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from machjudge.adjudicator.dice import Dice, GivenDice
from machjudge.adjudicator.events import OrderRefused
from machjudge.adjudicator.legality import orders_for_many, sort_out, unit_named
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import (
    Borrow,
    BulkOrder,
    Expense,
    Maintain,
    Named,
    Order,
    Orders,
    Pay,
    Remove,
    UnitOrder,
    Verb,
)
from machjudge.adjudicator.rules import OrderNotation
from machjudge.adjudicator.state import View
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import play
from machjudge.drawing.scene import Scene, scene_of_orders, scene_of_phase
from machjudge.judge.commands import SEATED, command
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import read_order_texts, reader_of
from machjudge.judge.limits import no_more_what_ifs
from machjudge.judge.mail_context import LineParser, MailContext, Work
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pages import line_of_phases
from machjudge.judge.pictures import pictures_of_scene
from machjudge.judge.preview import PreviewRow, forecast_facts, forecast_phase, rows_of
from machjudge.judge.records import Game, Seat, Status
from machjudge.language.commands import Become, NotACommand, PlainCommand
from machjudge.language.lexicon import lexicon_of, numbers_of, unit_text
from machjudge.language.words import ParseError, fold, read_phase
from machjudge.mail_parser.lines import Line
from machjudge.messages.notation import order_text
from machjudge.messages.render import Text
from machjudge.messages.results import PlayedPhase, orders_by_unit, phase_results
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words, objection_words, parts_of
from machjudge.translatable import Message, MessageOrText

_ENDS = frozenset({"end", "endwhatif", "endwhat-if"})
_MAX_LINES = 120
"""Lines of one trial."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A phase in which orders are tried, as one reader knows it."""

    world: World
    state: View
    sight: Sight
    on_file: Orders
    """The orders that stand where no other is tried, as far as the reader may know them."""
    paid: frozenset[PowerId]
    """The powers whose upkeep is taken as paid, as nothing of it is known."""
    language: str = ""

    @classmethod
    def of(
        cls, world: World, seen: View, sight: Sight, orders: Orders, language: str = ""
    ) -> "Trial":
        """Return the trial of a phase; *seen* is its position as the reader sees it."""
        adjusts = seen.moment.stage is Stage.ADJUSTMENT
        is_open = {p for p in world.in_play if sight.sees_orders_of(p)}
        if sight.opens_orders(seen.moment.stage):
            is_open.update(orders)
        has_upkeep = adjusts and world.rules.game.money
        paid = frozenset(world.in_play) - is_open if has_upkeep else frozenset()
        known = {
            power: tuple(
                order
                for order in given
                if power in is_open
                or (isinstance(order, Expense | Borrow | Pay) and sight.sees_money_of(power))
                or _is_for_own_unit(world, seen, power, order)
            )
            for power, given in orders.items()
            if power not in paid
        }
        upkeep = {power: _maintained(world, seen, power) for power in paid}
        return cls(world, sight.known(world, seen), sight, known | upkeep, paid, language)

    @property
    def words(self) -> Words:
        """The reader's names."""
        return self.sight.words(self.world, self.state)


@dataclass(slots=True)
class Tried:
    """The orders of a trial."""

    orders: dict[PowerId, list[Order]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[Message] = field(default_factory=list)
    """The lines that were not taken, with the reasons."""


def _is_for_own_unit(world: World, seen: View, power: PowerId, order: Order) -> bool:
    """Return whether results tell of another power's order for a unit.

    They do not tell of one for a unit that its bribe was to bring (SYN-12).
    """
    if not isinstance(order, UnitOrder):
        return False
    unit = unit_named(world, seen, power, order.unit)
    return unit is not None and unit.owner == power


def _maintained(world: World, state: View, power: PowerId) -> tuple[Order, ...]:
    found = orders_for_many(world, state, power, BulkOrder(Verb.MAINTAIN, rest=False), ())
    return () if isinstance(found, Named) else found


# --- reading ---------------------------------------------------------------------------------


def read_tried(
    trial: Trial, lines: Iterable[tuple[int, str]], own: PowerId | None, said: LineParser
) -> Tried:
    """Read lines as orders of any powers, each with its number.

    An order is its unit's owner's; others are *own*'s. Below the name of a power, or behind it
    and a colon, they are that power's.
    """
    tried = Tried()
    headed: PowerId | None = None
    for number, text in lines:
        power, rest = _heading(trial, text, said)
        headed = power or headed
        if rest:
            _read(trial, tried, (number, rest), own, headed, said)
    return tried


def _heading(trial: Trial, text: str, said: LineParser) -> tuple[PowerId | None, str]:
    """The power that a line names before its orders, and the rest of the line."""
    lexicon = lexicon_of(trial.world.scenario, trial.language)
    name, colon, rest = text.partition(":")
    command = said.command_in(text)
    if isinstance(command, Become):
        name, colon, rest = command.who, ":", ""
    power = lexicon.power(fold(name.strip())) if colon or not rest else None
    if not isinstance(power, str) or not (colon or _is_name(trial, text, said)):
        return None, text
    return power, rest.strip()


def _is_name(trial: Trial, text: str, said: LineParser) -> bool:
    """Return whether a line without a colon is the name of a power and no order."""
    lexicon = lexicon_of(trial.world.scenario, trial.language)
    pieces = said.orders(text, lexicon, trial.state.moment.stage)
    return not any(each.understood for each in pieces)


def _read(
    trial: Trial,
    tried: Tried,
    line: tuple[int, str],
    own: PowerId | None,
    headed: PowerId | None,
    said: LineParser,
) -> None:
    (number, text), state = line, trial.state
    lexicon, speaking = lexicon_of(trial.world.scenario, trial.language), headed or own
    if trial.world.rules.game.notation is not OrderNotation.PLACES and speaking is not None:
        units = (*state.units(), *(each.unit for each in state.dislodged))
        (placed,) = numbers_of(speaking, units, (), lexicon).in_sheet([text])
        if isinstance(placed, ParseError):
            tried.wrong.append(_not_taken(number, text, placed.reason))
            return
        text = placed
    for _, each, _ in said.advised(text, lexicon, state.moment.stage):
        orders: Sequence[Order | ParseError] | Named
        if not isinstance(each, BulkOrder):
            orders = each.said
        elif speaking is None:
            tried.wrong.append(_not_taken(number, text, Message("what_if.whose")))
            continue
        else:
            orders = orders_for_many(
                trial.world, state, speaking, each, tried.orders.get(speaking, ())
            )
        if isinstance(orders, Named):
            missing = Message("orders.no_unit", unit=unit_text(orders, lexicon))
            tried.wrong.append(_not_taken(number, text, missing))
            continue
        for order in orders:
            if isinstance(order, ParseError):
                tried.wrong.append(_not_taken(number, text, order.reason))
                continue
            power = headed or _owner(trial, order) or own
            if power is None:
                tried.wrong.append(_not_taken(number, text, Message("what_if.whose")))
            else:
                tried.orders[power].append(order)


def _owner(trial: Trial, order: Order) -> PowerId | None:
    """The power whose unit an order is for."""
    if not isinstance(order, UnitOrder | Maintain | Remove):
        return None
    unit = unit_named(trial.world, trial.state, PowerId(""), order.unit)
    return unit.owner if unit is not None and unit.owner in trial.world.in_play else None


def _not_taken(number: int, text: str, why: MessageOrText) -> Message:
    return Message("what_if.not_taken", number=number, text=text, why=why)


# --- the forecast ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What a trial has brought."""

    facts: Mapping[str, object]
    """What the template ``what_if`` prints."""
    scene: Scene
    """The phase as it would end, or as it is ordered if dice decide."""


def try_out(trial: Trial, tried: Tried) -> WhatIf:
    """Play a phase with the orders tried and those on file; each die is left open."""
    world, state, words = trial.world, trial.state, trial.words
    sorted_out = sort_out(world, state, {p: tuple(given) for p, given in tried.orders.items()})
    taken = {power: given for power, given in sorted_out.standing.items() if given}
    orders = _together(trial, taken)
    foreseen = forecast_phase(lambda dice: _rows_for(trial, _played(trial, orders, dice)))
    in_order = [power for power in world.in_play if orders.get(power)]
    facts = {
        "phase_words": words.moment(state.moment),
        "campaign": state.moment.stage is not Stage.ADJUSTMENT,
        "tried": [
            (words.power(p), [order_text(words, order) for order in taken[p]])
            for p in in_order
            if p in taken
        ],
        "others": [words.power(p) for p in in_order if p not in taken and p not in trial.paid],
        "paid": [words.power(p) for p in in_order if p not in taken and p in trial.paid],
        "wrong": [*tried.wrong, *(_refused(words, each) for each in sorted_out.refused)],
        **forecast_facts(words, foreseen),
    }
    return WhatIf(facts, _scene(trial, orders, has_dice=bool(foreseen.throws)))


def _together(trial: Trial, tried: Orders) -> Orders:
    """The orders on file, with those tried in their places."""
    powers = {*trial.on_file, *tried}
    both = {power: (*trial.on_file.get(power, ()), *tried.get(power, ())) for power in powers}
    return sort_out(trial.world, trial.state, both).standing


def _refused(words: Words, refused: OrderRefused) -> Message:
    return Message(
        "what_if.refused",
        power=words.power(refused.power),
        order=order_text(words, refused.order),
        why=objection_words(words, refused.because),
    )


def _played(trial: Trial, orders: Orders, dice: Dice) -> PlayedPhase:
    done = play(trial.world, trial.state, orders, dice)
    return PlayedPhase(trial.state, View.of(done.state), done.events, done.standing)


def _rows_for(trial: Trial, played: PlayedPhase) -> tuple[PreviewRow, ...]:
    return rows_of(phase_results(trial.words, played, trial.sight, thrown=False, idle=False))


def _scene(trial: Trial, orders: Orders, *, has_dice: bool) -> Scene:
    if has_dice:
        others = [(power, order) for power, given in orders.items() for order in given]
        return scene_of_orders(trial.state, orders_by_unit(trial.state, orders), others)
    played = _played(trial, orders, GivenDice({}))
    ordered = orders_by_unit(parts_of(played.before, played.events).at_moves, played.orders)
    return scene_of_phase(played.after, trial.sight.visible(played.events), ordered)


# --- the command -----------------------------------------------------------------------------


def lines_below(said: LineParser, left: list[Line]) -> list[Line]:
    """Take the lines of a trial: up to END, or to the next command."""
    found: list[Line] = []
    while left and not left[0].is_press:
        if "".join(left[0].text.split()).strip(".!").lower() in _ENDS:
            left.pop(0)
            break
        command = said.command(left[0])
        if not isinstance(command, NotACommand | Become | ParseError):
            break
        found.append(left.pop(0))
    return found


command(
    "whatif",
    act=Act.PLAY,
    who=SEATED,
    refused_in={Status.FORMING: Message("game.has_not_begun")},
)(None)


def what_if(context: MailContext, line: Line, said: PlainCommand, below: Sequence[Line]) -> None:
    """Show what some orders would bring, in this phase or in one that was played."""
    game, seat = context.sitting()
    moment = read_phase(said.words)
    rows = [(each.number, each.text) for each in below]
    if said.words and moment is None:
        rows.insert(0, (line.number, said.text))
    trial = _trial(context, game, seat, moment)
    if trial is None:
        code = moment.code if moment is not None else ""
        context.refuse(line, Message("what_if.no_phase", code=code))
        return
    if refused := no_more_what_ifs(context, game, seat):
        context.refuse(line, refused)
        return
    context.progress.work += Work.WHAT_IF
    own = context.power or next(iter(seat.powers), None)
    tried = read_tried(trial, rows[:_MAX_LINES], own, context.parsed_lines)
    if len(rows) > _MAX_LINES:
        tried.wrong.append(Message("what_if.too_many", n=_MAX_LINES, number=rows[_MAX_LINES][0]))
    made = try_out(trial, tried)
    title = Message("what_if.title", code=trial.state.moment.code)
    context.answer.texts.append(Text(title, context.renderer.lines("what_if", made.facts)))
    if reader_of(context.services, context.person, context.now).pictures:
        context.answer.pictures = pictures_of_scene(
            context.services, trial.words, made.scene, seat.powers
        )


def _trial(context: MailContext, game: Game, seat: Seat, moment: Moment | None) -> Trial | None:
    """The phase in which is tried: the current one, or one that was played; None if neither."""
    sight, language = sight_of(game, [seat]), context.renderer.language
    view = context.view()
    if view is not None and moment in (None, view.state.moment):
        seen = sight.view(view.world, view.state)
        known = {p: view.orders_of(p) for p in view.order_sets if sight.sees_orders_of(p)}
        return Trial.of(view.world, seen, sight, known, language)
    phases = line_of_phases(context.uow, game)
    for phase in reversed(phases):
        if phase.before.moment == moment and phase.parent is not None and not phase.is_interlude:
            world = world_of(context.services.scenario(game), phase.rules)
            seen = sight.view(world, phase.before, phases[-1].after.moment)
            orders = {
                power: read_order_texts(
                    world, phase.before.moment.stage, (o.canonical for o in lines)
                )
                for power, lines in phase.orders.items()
            }
            return Trial.of(world, seen, sight, orders, language)
    return None
