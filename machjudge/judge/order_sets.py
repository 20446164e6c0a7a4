"""Order sets: restore, repeat, show; and the judge's own orders for silent or late players.

In an adjustment with money the judge keeps as many units of a silent player as the treasury pays
for, in the player's own order; in other phases their units have no order, and the rules decide.
If the policy is that the late hold, all their units hold, and their other orders are void (1978).
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from importlib import resources
from typing import TypeAlias, TypedDict, TypeVar, cast

from machjudge.adjudicator.legality import objection_to, unit_named
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Hold, Maintain, Named, Order, UnitOrder
from machjudge.adjudicator.units import unit_order
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.forecast import Forecast, forecast
from machjudge.bots import policies as bots
from machjudge.judge.commands import NOT_PLAYED, PLAYERS, command
from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import Policy
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    has_to_order,
    in_order_of_worth,
    missing,
    pending_lines,
    plan_lines,
    progress,
    read_order_lines,
    read_order_texts,
    seat_of,
    write_order,
    zone_of,
)
from machjudge.judge.mail_context import MailContext, too_old
from machjudge.judge.order_lines import Submission, submit
from machjudge.judge.orders_ahead import file_plan, plan_of
from machjudge.judge.outgoing import sight_of, view_for_power
from machjudge.judge.records import BOT, FiledOrder, OrderSet, Plan, StoredPhase
from machjudge.language.commands import PlainCommand, Restore
from machjudge.mail_parser.lines import Line
from machjudge.messages.notation import order_text
from machjudge.messages.receipt import (
    money_forecast,
    needs_lines,
    on_file_lines,
    order_warnings,
    units_of_others,
)
from machjudge.messages.render import Text, wait_line
from machjudge.messages.results import Absent
from machjudge.messages.tables import chit_lines
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText, phrase

_MAX_SETS = 20

Numbered = TypeVar("Numbered", OrderSet, Plan)
LinesOf: TypeAlias = Callable[[Numbered], Iterable[MessageOrText]]


@command("restore", act=Act.PLAY, who=PLAYERS, kind=Restore, is_dry=True)
def restore(context: MailContext, line: Line, said: Restore) -> None:
    """Take an earlier order set again, as far as its orders can still be given."""
    view, power = context.leading()
    if said.later:
        _restore_plan(context, line, power, said.number)
    elif flaw := too_old(context):
        context.refuse(line, flaw)
    else:
        _restore_set(context, line, view, power, said.number)


def _restore_set(
    context: MailContext, line: Line, view: GameView, power: PowerId, number: int
) -> None:
    sets = sets_of(context, view, power)
    if number not in sets:
        context.refuse(line, _no_such_set(sets), instead="HISTORY ORDERS")
        return
    last = sets[max(sets)]
    empty = replace(last, lines=(), flawed=False)
    lines = tuple(
        Line(at, each.canonical, each.canonical)
        for at, each in enumerate(sets[number].lines, start=1)
    )
    before = replace(view, order_sets={**view.order_sets, power: empty})
    taken = submit(before, Submission(power, lines, context.received, context.mail_id))
    if taken.order_set is None:
        return
    written = {each.canonical: each.written for each in sets[number].lines}
    again = tuple(
        replace(each, written=written.get(each.canonical, each.written))
        for each in taken.order_set.lines
    )
    context.file(replace(taken.order_set, lines=again))
    context.done(Message("orders.set.restored", number=number, new=taken.order_set.number))
    for trouble in taken.troubles:
        message = Message("orders.set.not_restored", line=trouble.line, reason=trouble.reason)
        context.refuse(line, message)


def _restore_plan(context: MailContext, line: Line, power: PowerId, number: int) -> None:
    plans = plans_of(context, power)
    if number not in plans:
        context.refuse(line, _no_such_set(plans), instead="HISTORY ORDERS")
        return
    newest = plan_of(context, power)
    file_plan(context, replace(newest, parts=plans[number].parts))
    context.done(Message("orders.set.later_restored", number=number))


@command("same", act=Act.PLAY, who=PLAYERS, is_dry=True, refused_in=NOT_PLAYED)
def same(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Repeat the orders of the last phase of this kind, as far as they may be given.

    Of a campaign the orders for units, of an adjustment what is maintained; money is never spent
    again without being named.
    """
    everything, power = context.leading()
    view = view_for_power(everything, power)
    before = _last_like(context, view)
    if before is None:
        context.refuse(line, Message("orders.same.none"))
        return
    stage = view.state.moment.stage
    given = read_order_lines(view.world, stage, before.orders.get(power, ()))
    orders = [order for order in given if isinstance(order, UnitOrder | Maintain)]
    again = [o for o in orders if objection_to(view.world, view.state, power, o) is None]
    words = view.words
    left_out = tuple(order_text(words, order) for order in orders if order not in again)
    if left_out or not again:
        message = Message("orders.same.left_out", orders=left_out, taken=len(again))
        context.answer.notices.append(message)
    texts = [write_order(view.world, order) for order in again]
    context.ordering.lines += [Line(line.number, text, text) for text in texts]


def _last_like(context: MailContext, view: GameView) -> StoredPhase | None:
    stage, stored = view.state.moment.stage, view.phase
    while stored.parent is not None:
        if not stored.is_interlude and stored.before.moment.stage is stage:
            return stored
        stored = context.uow.phases.get(view.game.id, stored.parent)
    return None


def _no_such_set(sets: Mapping[int, object]) -> Message:
    if not sets:
        return Message("orders.set.none_yet")
    return Message("orders.set.unknown", first=min(sets), last=max(sets))


def sets_of(context: MailContext, view: GameView, power: PowerId) -> dict[int, OrderSet]:
    """Return the order sets of a power for the current phase, interludes included, by number."""
    stored = view.phase
    found: dict[int, OrderSet] = {}
    fresh = {phase.number: phase for phase, _ in context.changes.phases}
    while True:
        for each in context.uow.order_sets.history(view.game.id, stored.number, power):
            found.setdefault(each.number, each)
        if not stored.is_interlude or stored.parent is None:
            break
        stored = fresh.get(stored.parent) or context.uow.phases.get(view.game.id, stored.parent)
    found.update({s.number: s for s in context.changes.order_sets if s.power == power})
    return dict(sorted(found.items()))


def plans_of(context: MailContext, power: PowerId) -> dict[int, Plan]:
    """Return all plans of a power by their numbers."""
    game, _ = context.sitting()
    stored = context.uow.plans.history(game.id, power)
    fresh = (plan for plan in context.changes.plans if plan.power == power)
    return {plan.number: plan for plan in (*stored, *fresh)}


@command("history orders", act=Act.PLAY, who=PLAYERS, is_dry=True, refused_in=NOT_PLAYED)
def show_order_sets(context: MailContext, _: Line, __: PlainCommand) -> None:
    """Show one's own order sets with their numbers."""
    everything, power = context.leading()
    view = view_for_power(everything, power)
    moment = view.state.moment
    sets = list(sets_of(context, view, power).values())
    lines = _shown(context, sets, lambda each: _set_lines(view, each))
    title = Message("orders.set.title", code=moment.code)
    none = Message("orders.set.none_for", phase=Words(view.world).moment(moment))
    context.answer.texts.append(Text(title, lines or (none,)))
    plans = list(plans_of(context, power).values())
    if plans:
        shown = _shown(context, plans, lambda each: plan_lines(view, each)[:-1])
        context.answer.texts.append(Text(Message("orders.set.later_title"), shown))


def _shown(
    context: MailContext, sets: Sequence[Numbered], lines_of: LinesOf[Numbered]
) -> tuple[MessageOrText, ...]:
    lines: list[MessageOrText] = []
    zone = zone_of(context.services, context.person)
    for each in sets[-_MAX_SETS:]:
        own: list[MessageOrText] = list(lines_of(each))
        lines.append(Message("orders.set.number", number=each.number, at=each.received, zone=zone))
        lines += own or [Message("orders.set.empty")]
    return tuple(lines)


def _set_lines(view: SeenGame, order_set: OrderSet) -> Iterable[str]:
    words = view.words
    orders = read_order_lines(view.world, view.state.moment.stage, order_set.lines)
    return [phrase("    {}", order_text(words, order)) for order in orders]


@dataclass(slots=True)
class OrderSummary:
    """The lines of an answer about the orders on file."""

    orders: list[MessageOrText] = field(default_factory=list)
    later: list[MessageOrText] = field(default_factory=list)
    money: list[MessageOrText] = field(default_factory=list)
    warnings: list[MessageOrText] = field(default_factory=list)
    notices: list[MessageOrText] = field(default_factory=list)


def summarize_orders(view: SeenGame, sight: Sight) -> OrderSummary:
    """Return the order set of each power that the reader may see, with its money.

    For a master, after a line on every power.
    """
    found = OrderSummary()
    seen = [p for p in view.world.scenario.in_play if sight.sees_orders_of(p)]
    for power in view.world.scenario.in_play:
        if sight.sees_progress():
            found.orders += progress(view, power)
            found.orders += [wait_line(Words(view.world).power(power))] * (power in view.waiting())
        elif len(seen) > 1 and power in seen:
            found.orders.append(phrase("{}:", Words(view.world).power(power)))
        if power in seen:
            _add(found, view, power, named=len(seen) > 1)
        if sight.sees_plans_of(power):
            # What one power has on file ahead.
            named = len(sight.powers) > 1
            lines = pending_lines(view, power)
            if lines and named:
                found.later.append(Words(view.world).power(power))
            found.later += lines
    return found


def _add(found: OrderSummary, view: SeenGame, power: PowerId, *, named: bool) -> None:
    """Add one power's part; *named* if the reader sees several."""
    words = view.words
    orders = view.orders_of(power)
    if view.state.moment.stage is Stage.RETREATS or power in view.state.eliminated:
        found.orders += _order_set(view, power, orders, {})
        return
    ahead = forecast(view.world, view.state, power, orders)
    mind = order_warnings(words, ahead)
    whose = words.power(power) if named else ""
    found.orders += _order_set(view, power, orders, units_of_others(ahead))
    if view.world.rules.game.money and (orders or not named):
        found.money += [words.power(power)] if named else []
        found.money += _money(view, power, ahead)
    found.warnings += [_remark(whose, line) for line in mind.warnings]
    found.notices += [_remark(whose, line) for line in mind.notices]


def _remark(whose: str, line: Message) -> Message:
    text = Message("text.labelled", label=whose, text=line) if whose else line
    return Message("text.indented", text=text)


def _order_set(
    view: SeenGame, power: PowerId, orders: Sequence[Order], elsewhere: dict[Order, bool]
) -> list[MessageOrText]:
    """The order set; orders for units that are not owned yet stand apart (SYN-12)."""
    words = view.words
    lack = missing(view.world, view.state, power, view.provided(power))
    own = [order for order in orders if order not in elsewhere]
    return [
        *on_file_lines(words, own, lack.units),
        *needs_lines(words, (), lack.builds, lack.removals),
        *_apart(words, Message("orders.for_bought_units"), _with(elsewhere, bought=True)),
        *_apart(words, Message("orders.for_units_of_others"), _with(elsewhere, bought=False)),
    ]


def _with(elsewhere: dict[Order, bool], *, bought: bool) -> list[Order]:
    return [order for order, is_bought in elsewhere.items() if is_bought is bought]


def _apart(words: Words, title: Message, orders: Iterable[Order]) -> list[MessageOrText]:
    lines = [phrase("    {}", order_text(words, order)) for order in orders]
    return [title, *lines] if lines else []


def _money(view: SeenGame, power: PowerId, ahead: Forecast) -> list[MessageOrText]:
    words = view.words
    chits = chit_lines(words, view.state, power)
    return [*money_forecast(words, ahead), *(Message("text.indented", text=line) for line in chits)]


Lines = Mapping[PowerId, tuple[FiledOrder, ...]]


def orders_for_the_late(view: GameView, late: frozenset[PowerId], now: datetime) -> Lines:
    """Return lines for powers whose grace is over, under the policy that they hold."""
    state = view.state
    if state.moment.stage is not Stage.CAMPAIGN:
        return {}
    if view.game.settings.policy is not Policy.HOLD:
        return {}
    return {
        power: tuple(
            _line(view.world, Hold(Named.of(unit)), now)
            for unit in sorted(state.units_of(power), key=unit_order)
        )
        for power in sorted(late)
    }


def absent_in(world: World, stored: StoredPhase, order_sets: Mapping[PowerId, OrderSet]) -> Absent:
    """Return the powers without own orders (those that name a mail) in a played phase."""
    state, stage = stored.before, stored.before.moment.stage
    silent, partial, ordered_for, by_bots = set(), set(), set(), set()
    for power in (p for p in world.scenario.in_play if has_to_order(world, state, p)):
        played = stored.orders.get(power, ())
        if any(line.written == BOT and line.mail is None for line in played):
            by_bots.add(power)
            continue
        lines = order_sets[power].lines if power in order_sets else ()
        if lines:  # with what is agreed, which is on no set
            lines = (*lines, *(each for each in played if each.mail and each not in lines))
        if not lines:
            silent.add(power)
        elif missing(world, state, power, read_order_lines(world, stage, lines)):
            partial.add(power)
        if played and all(line.mail is None for line in played):
            ordered_for.add(power)
    return Absent(*map(frozenset, (silent, partial, ordered_for, by_bots)))


def orders_of_bots(view: GameView, now: datetime) -> Lines:
    """Return lines for the powers that bots lead; what a player had on file stays."""
    by_script = view.game.settings.tutorial and view.state.moment.year <= _SCRIPTED_YEAR
    ordered = {
        power: _scripted(view, power) if by_script else choices_of(view, power, policy_of(view))
        for power in sorted(view.bots())
    }
    lines = {
        power: tuple(
            FiledOrder(BOT, write_order(view.world, each.order), now, None) for each in chosen
        )
        for power, chosen in ordered.items()
    }
    kept = {power: view.order_sets[power].lines for power in lines if power in view.order_sets}
    both = {power: (*own, *kept.get(power, ())) for power, own in lines.items()}
    return {power: orders for power, orders in both.items() if orders}


def policy_of(view: GameView) -> bots.BotPolicy:
    """Return the policy of a game's bots; a planner's where it has none."""
    return view.game.settings.vacant or bots.BotPolicy.PLANNER


def _scripted(view: GameView, power: PowerId) -> tuple[bots.BotOrder, ...]:
    """What a neighbour does in the lessons: it holds, but for one attack."""
    code, state = view.state.moment.code, view.state
    lines = _script()["neighbours"].get(code, {}).get(power, ())
    orders = read_order_texts(view.world, state.moment.stage, lines)
    lawful = [each for each in orders if not objection_to(view.world, state, power, each)]
    given = tuple(bots.BotOrder(each, bots.BotGoal.TAKE) for each in lawful)
    held = bots.choose(
        bots.BotPolicy.HOLD,
        view.world,
        state,
        power,
        bots.chance_of(view.game.secret, code, power),
    )
    moved = {each.unit.place for each in lawful if isinstance(each, UnitOrder)}
    rest = (h for h in held if not (isinstance(h.order, UnitOrder) and h.order.unit.place in moved))
    return (*given, *rest)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a tutorial says to its player in a phase."""

    text: Message
    lines: tuple[str, ...]
    """The orders to send; none in the last lesson."""


def with_lesson(
    view: GameView, powers: Sequence[PowerId], shown: Mapping[str, object]
) -> Mapping[str, object]:
    """Return what a reader is asked with a tutorial's lesson, whose lines are those to send."""
    lesson = lesson_of(view, powers)
    if lesson is None or not lesson.lines:
        return {**shown, "lesson": lesson}
    usual = cast("tuple[str, ...]", shown["sendable"])
    rest = (each for each in cast("tuple[MessageOrText, ...]", shown["form"]) if each not in usual)
    lines = {"form": (*lesson.lines, *rest), "sendable": lesson.lines, "offered": ()}
    return {**shown, "lesson": lesson, **lines}


def lesson_of(view: GameView, powers: Sequence[PowerId]) -> Lesson | None:
    """Return what a tutorial says in this phase; None in other games, and to observers."""
    code, state = view.state.moment.code, view.state
    lines = _script()["lessons"].get(code) if view.game.settings.tutorial else None
    if lines is None or len(powers) != 1:
        return None
    (power,) = powers
    words = Words(view.world)
    orders = read_order_texts(view.world, state.moment.stage, lines)
    own = state.units_of(power)
    stands = all(
        objection_to(view.world, state, power, each) is None
        and (
            not isinstance(each, UnitOrder)
            or unit_named(view.world, state, power, each.unit) in own
        )
        for each in orders
    )
    if stands:
        message = Message("practice.lesson", code=code)
    else:
        chosen = choices_of(view, power, bots.BotPolicy.PLANNER)
        orders = tuple(each.order for each in chosen)
        message = Message("practice.otherwise")
    return Lesson(message, tuple(order_text(words, each) for each in orders))


_SCRIPTED_YEAR = 1454


class _Script(TypedDict):
    lessons: Mapping[str, Sequence[str]]
    neighbours: Mapping[str, Mapping[str, Sequence[str]]]


@cache
def _script() -> _Script:
    """The first year of a tutorial."""
    text = resources.files(__package__).joinpath("tutorial.toml").read_text("utf-8")
    return cast("_Script", tomllib.loads(text))


def choices_of(view: GameView, power: PowerId, policy: bots.BotPolicy) -> tuple[bots.BotOrder, ...]:
    """Return what a bot orders for a power, which knows only what its seat does."""
    seat = seat_of(view.game, power)
    sight = sight_of(view.game, [seat] if seat is not None else [])
    known = sight.known(view.world, sight.view(view.world, view.state))
    chance = bots.chance_of(view.game.secret, view.state.moment.code, power)
    return bots.choose(policy, view.world, known, power, chance)


def orders_for_the_silent(view: GameView, heard: frozenset[PowerId], now: datetime) -> Lines:
    """Return lines for the powers that are not among those *heard*."""
    state, world = view.state, view.world
    if state.moment.stage is not Stage.ADJUSTMENT or not world.rules.game.money:
        return {}
    silent = [power for power in world.scenario.in_play if power not in heard]
    return {power: _kept(view, power, now) for power in silent if state.units_of(power)}


def _kept(view: GameView, power: PowerId, now: datetime) -> tuple[FiledOrder, ...]:
    left = view.state.treasuries.get(power, 0)
    lines: list[FiledOrder] = []
    for unit in in_order_of_worth(view, power):
        if unit.quality.price <= left:
            left -= unit.quality.price
            lines.append(_line(view.world, Maintain(Named.of(unit)), now))
    return tuple(lines)


def _line(world: World, order: Order, now: datetime) -> FiledOrder:
    text = write_order(world, order)
    return FiledOrder(written=text, canonical=text, received=now, mail=None)
