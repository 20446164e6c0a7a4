"""Orders for later phases: plans, standing orders, conditions, and dropping orders."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from machjudge.adjudicator.legality import slot_of
from machjudge.adjudicator.moments import Moment, Season, Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import BulkOrder, GiveChit
from machjudge.adjudicator.state import State
from machjudge.judge.commands import PLAYERS, command, setting
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    condition_flaw,
    holds,
    living,
    missing,
    progress,
    read_order_texts,
    seat_of,
    write_order,
)
from machjudge.judge.mail_context import LineParser, MailContext, tell_comments, too_old
from machjudge.judge.order_lines import (
    Block,
    Comment,
    Drafted,
    Submission,
    part_of,
    statement_of,
    submit,
    trouble_of,
    wait_or_not,
    wait_told,
)
from machjudge.judge.outgoing import Addressee, view_for_power
from machjudge.judge.people import with_seat
from machjudge.judge.records import (
    Case,
    Choice,
    Item,
    Kept,
    MailId,
    OrderSet,
    Plan,
    PlanPart,
    Target,
    is_ahead,
)
from machjudge.language.commands import Clear, Cleared, Phase, PlainCommand, Setting
from machjudge.language.conditions import parse_condition, write_condition
from machjudge.language.lexicon import lexicon_of
from machjudge.language.orders import parse_bulk_order, write_bulk_order
from machjudge.language.words import Parsed, ParseError, Said
from machjudge.mail_parser.lines import Line
from machjudge.messages.receipt import on_file_lines
from machjudge.messages.render import flag_help
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import LineError
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class FiledPlans:
    """A new phase with the orders from plans."""

    view: GameView
    order_sets: tuple[OrderSet, ...]
    refused: Mapping[PowerId, tuple[LineError, ...]]
    unused: Mapping[PowerId, tuple[str, ...]] = field(default_factory=dict)
    """The codes of planned phases that did not come."""


def file_plans(view: GameView, before: Moment) -> FiledPlans:
    """Put the planned orders for the phase on file; *before* is the phase just played."""
    order_sets: list[OrderSet] = []
    refused: dict[PowerId, tuple[LineError, ...]] = {}
    unused: dict[PowerId, tuple[str, ...]] = {}
    for power in living(view):
        plan = view.plans.get(power)
        if plan is None:
            continue
        unused[power] = tuple(_passed_over(plan, before, view.state.moment))
        order_set, troubles = set_from(view_for_power(view, power), plan)
        refused[power] = troubles
        if order_set is not None:
            order_sets.append(order_set)
        view = _waiting(view, plan)
    filed = {**view.order_sets, **{order_set.power: order_set for order_set in order_sets}}
    return FiledPlans(replace(view, order_sets=filed), tuple(order_sets), refused, unused)


# A phase begins: the orders that were kept for it become order sets on file, like any others.
# What depends on the position is judged now. Orders for that very phase come first; where they
# give none, those for every phase of the kind do. What is on file afterwards is what is played,
# so that stored phases hold the orders that were in force.
def set_from(view: SeenGame, plan: Plan) -> tuple[OrderSet | None, tuple[LineError, ...]]:
    """Return a plan's order set in this position, and its invalid orders."""
    moment = view.state.moment
    own = plan.part(moment)
    order_set, troubles = _filed(view, plan, own)
    if order_set is not None or troubles:
        flawed = own.flawed or bool(troubles)
        return (replace(order_set, flawed=flawed) if order_set is not None else None), troubles
    order_set, troubles = _filed(view, plan, plan.part(moment.stage))
    return (replace(order_set, flawed=False) if order_set is not None else None), troubles


def _filed(
    view: SeenGame, plan: Plan, part: PlanPart
) -> tuple[OrderSet | None, tuple[LineError, ...]]:
    lines = [
        Line(number, text, text)
        for number, text in enumerate(in_force(view, plan.power, part.items), start=1)
    ]
    if not lines:
        return None, ()
    others = {power: s for power, s in view.order_sets.items() if power != plan.power}
    given = Submission(plan.power, tuple(lines), plan.received, plan.mail or MailId(0))
    taken = submit(replace(view, order_sets=others), given)
    if taken.order_set is None:
        return None, taken.troubles
    lines_of = tuple(replace(line, mail=plan.mail) for line in taken.order_set.lines)
    order_set = replace(taken.order_set, lines=lines_of, mail=plan.mail)
    return (order_set if order_set.lines else None), taken.troubles


def in_force(view: SeenGame, power: PowerId, items: tuple[Item, ...]) -> Iterator[str]:
    """Return the orders whose conditions hold in the position, in canonical notation."""
    for item in items:
        match item:
            case Kept(canonical=canonical):
                yield canonical
            case Choice():
                yield from in_force(view, power, _case_that_holds(view, power, item))


def _case_that_holds(view: SeenGame, power: PowerId, choice: Choice) -> tuple[Item, ...]:
    for case in choice.cases:
        if not case.condition or _is_so(view, power, case.condition):
            return case.items
    return ()


def _is_so(view: SeenGame, power: PowerId, text: str) -> bool:
    """True if a condition on file holds; one that is no longer allowed does not."""
    condition = parse_condition(text, lexicon_of(view.world.scenario), power)
    if isinstance(condition, ParseError) or condition_flaw(condition, view.game, power):
        return False
    return holds(condition, view.state)


def _passed_over(plan: Plan, before: Moment, now: Moment) -> Iterator[str]:
    for part in plan.parts:
        target = part.target
        if isinstance(target, Moment) and before < target < now and part.items:
            yield target.code


def _waiting(view: GameView, plan: Plan) -> GameView:
    moment = view.state.moment
    seat = seat_of(view.game, plan.power)
    asked = plan.part(moment).waits or plan.part(moment.stage).waits
    if seat is None or seat.person is None or not asked:
        return view
    return replace(view, game=with_seat(view.game, replace(seat, waits=True)))


MAX_KEPT = 300

_MAX_WRONG = 100


@dataclass(slots=True)
class _AheadParser:
    """Reads the lines for one later phase, or for every phase of a kind."""

    view: SeenGame
    power: PowerId
    target: Target
    said: LineParser
    errors: list[LineError] = field(default_factory=list)
    ignored: list[Comment] = field(default_factory=list)

    @property
    def stage(self) -> Stage:
        return self.target.stage if isinstance(self.target, Moment) else self.target

    def items(self, drafted: Sequence[Drafted]) -> tuple[Item, ...]:
        """The items that can be kept; the others are among the errors."""
        found: list[Item] = []
        for each in drafted:
            found += self._line(each) if isinstance(each, Line) else [self._choice(each)]
        return tuple(found)

    def _choice(self, block: Block) -> Choice:
        lexicon = self.view.lexicon
        return Choice(
            tuple(
                Case(
                    write_condition(case.condition, lexicon) if case.condition is not None else "",
                    self.items(case.items),
                )
                for case in block.cases
            )
        )

    def _line(self, line: Line) -> list[Item]:
        if len(self.errors) >= _MAX_WRONG:
            return []
        lexicon = self.view.lexicon
        pieces = [*self.said.advised(line.text, lexicon, self.stage)]
        if len(pieces) == 1 and not isinstance(pieces[0][1], BulkOrder):
            return list(self._orders(line, pieces[0][1]))
        known = len(self.errors)
        found: list[Kept] = []
        for text, said, is_for_many in pieces:
            if isinstance(said, BulkOrder):
                found.append(Kept(line.text, write_bulk_order(said, lexicon)))
            else:
                found += self._orders(line if is_for_many else replace(line, text=text), said)
        return list(self._of_one_fate(found, known))

    def _orders(self, line: Line, parsed: Parsed) -> list[Kept]:
        """The orders of a text, those up to a semicolon all or none."""
        if parsed.overlooked:
            self.ignored.append((line.number, parsed.overlooked))
        found: list[Kept] = []
        for at, parts in groupby(parsed.parts(), lambda each: statement_of(line.text, each[1])):
            known = len(self.errors)
            part = part_of(line.text, at)
            found += self._of_one_fate([*self._statement(line, parts)], known, part)
        return found

    def _statement(
        self, line: Line, parts: Iterable[tuple[Said, tuple[int, int] | None]]
    ) -> Iterator[Kept]:
        for said, part in parts:
            if isinstance(said, ParseError):
                self.errors.append(trouble_of(replace(line, part=part), said))
            elif isinstance(said, GiveChit):
                reason = Message("orders.later.chit")
                self.errors.append(LineError(line.number, line.text, reason, part=part))
            else:
                yield Kept(line.text, write_order(self.view.world, said))

    def _of_one_fate(self, found: list[Kept], known: int, part: str = "") -> list[Kept]:
        """Orders, or none if one of them is wrong; *known* errors were before them.

        :param part: what they are of their line, if not all of it.
        """
        if not found or len(self.errors) == known:
            return found
        first = self.errors[known]
        left = ", ".join(each.canonical for each in found)
        note = Message("orders.none_of_line", part=part, in_force="")
        self.errors[known] = replace(first, note=note, instead=first.instead or left)
        return []


# From the draft of a mail to a plan: what can be said of orders before their phase has come.
# Whether a line can be read is known at once; what depends on the position is judged when the
# phase begins.
def keep_ahead(context: MailContext, ahead: dict[Target, list[Drafted]]) -> None:
    """Keep a mail's orders for later phases, and report what cannot be kept."""
    everything, power = context.view(), context.power
    if everything is None or power is None:
        return
    view = view_for_power(everything, power)
    for target, drafted in ahead.items():
        parser = _AheadParser(view, power, target, context.parsed_lines)
        items = parser.items(drafted)
        first = drafted[0] if isinstance(drafted[0], Line) else drafted[0].line
        plan = plan_of(context, power)
        if plan.received > context.received:
            context.refuse(first, Message("orders.later.older"))
            continue
        part = plan.part(target)
        merged = (*_not_replaced(view, power, part, items), *items)
        changed = plan.with_part(replace(part, items=merged, flawed=bool(parser.errors)))
        if changed.size() > MAX_KEPT:
            context.refuse(first, Message("orders.later.too_many", most=MAX_KEPT))
            continue
        for error in parser.errors:
            context.add_error(error)
        tell_comments(context, parser.ignored)
        if items or parser.errors:
            file_plan(context, changed)


def plan_of(context: MailContext, power: PowerId) -> Plan:
    """Return the newest plan of a power; an empty one, with the number 0, if it has none."""
    view = context.playing()
    found = view.plans.get(power)
    return found or Plan(view.game.id, power, 0, (), context.received, context.mail_id)


def file_plan(context: MailContext, changed: Plan) -> None:
    """File a changed plan as the next one; all changes of a mail are one."""
    is_first = all(plan.power != changed.power for plan in context.changes.plans)
    number = changed.number + 1 if is_first else changed.number
    received = max(changed.received, context.received)
    context.keep(replace(changed, number=number, received=received, mail=context.mail_id))


def file_standing_orders(context: MailContext) -> None:
    """Use standing orders at once if nothing is on file for the current phase."""
    view, power = context.view(), context.power
    plan = view.plans.get(power) if view is not None and power is not None else None
    if view is None or plan is None or plan.power in view.order_sets:
        return
    if not any(each.power == plan.power for each in context.changes.plans):
        return
    if plan.part(view.state.moment.stage).items:
        only = replace(plan, parts=tuple(p for p in plan.parts if p.name.startswith("every")))
        order_set, _ = set_from(view_for_power(view, plan.power), only)
        if order_set is not None:
            context.file(order_set)


def _not_replaced(
    view: SeenGame, power: PowerId, part: PlanPart, new: Sequence[Item]
) -> list[Item]:
    """The kept items that no new order without a condition replaces."""
    slots = {slot for item in new if (slot := _slot(view, power, part.target, item))}
    return [
        item
        for item in part.items
        if _slot(view, power, part.target, item) not in slots and item not in new
    ]


def _slot(view: SeenGame, power: PowerId, target: Target, item: Item) -> object:
    """The subject of an order without a condition; empty for others."""
    lexicon = view.lexicon
    stage = target.stage if isinstance(target, Moment) else target
    if isinstance(item, Choice):
        return None
    sweep = parse_bulk_order(item.canonical, lexicon, stage)
    if isinstance(sweep, BulkOrder):
        return ("sweep", sweep.rest)
    state = _as_at(view.state, target)
    (order,) = read_order_texts(view.world, stage, [item.canonical])
    return slot_of(view.world, state, power, order)


def _as_at(state: State, target: Target) -> State:
    """The position as if it were the planned phase: the best guess there is."""
    moment = target if isinstance(target, Moment) else Moment(state.moment.campaign, target)
    return replace(state, moment=moment)


def plan_facts(arrived: FiledPlans, to: Addressee) -> Mapping[str, object]:
    """Return the facts for one address alone: how many failed, and the order sets."""
    own = [power for power in to.powers if to.sight.sees_plans_of(power)]
    filed = {order_set.power for order_set in arrived.order_sets}
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


def _lines(arrived: FiledPlans, power: PowerId, sight: Sight) -> list[MessageOrText]:
    view, failed = arrived.view, len(arrived.refused.get(power, ()))
    words = sight.words(view.world, sight.view(view.world, view.state))
    help_ = (flag_help(holds=True),) if power in view.flagged() else ()
    orders = view.orders_of(power)
    lack = missing(view.world, view.state, power, orders)
    on_file = on_file_lines(words, orders, lack.units)
    return [*progress(view, power, failed), *help_, *on_file]


MAX_YEARS = 5


# --- for which phase -------------------------------------------------------------------------


@command("phase", act=Act.PLAY, who=PLAYERS, kind=Phase, is_dry=True)
def phase(context: MailContext, line: Line, said: Phase) -> None:
    """Read the orders that follow for that phase, or for every phase of a kind."""
    view = context.view()
    flaw = context.why_not_played() if view is None else _flaw(context, view, said.phase)
    context.ordering.targets_no_phase, context.ordering.is_phase_unread = flaw is not None, False
    context.ordering.target = None
    if flaw is not None or view is None:
        context.refuse(line, flaw or "", note=Message("orders.later.not_taken"))
    elif said.phase == view.state.moment:
        context.ordering.names_phase = True
    else:
        context.ordering.target = said.phase


def _flaw(context: MailContext, view: GameView, target: Target) -> Message | None:
    if context.power in view.state.eliminated:
        return Message("orders.later.eliminated")
    if isinstance(target, Stage) or target == view.state.moment:
        return None
    now = view.state.moment
    last = now.campaign.years_later(MAX_YEARS)
    if target < now:
        return Message("orders.later.over", code=target.code, now=now.code)
    if last < target.campaign:
        return Message("orders.later.too_late", years=MAX_YEARS, last=last.code)
    if target.season is Season.SUMMER and not view.world.rules.game.summer:
        return Message("orders.later.no_summer", code=target.code)
    if target.stage is Stage.ADJUSTMENT and target.season is not Season.FALL:
        return Message("orders.later.no_adjustment", code=target.code)
    return None


@setting(
    "wait", act=Act.PLAY, who=PLAYERS, also=("wait", "nowait"), is_dry=True, for_the_living=True
)
def set_wait(context: MailContext, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not: in this phase, or in the one named above."""
    view, power = context.view(), context.power
    if context.ordering.targets_no_phase:
        context.refuse(line, Message("orders.later.nowhere"))
    elif context.ordering.target is None or view is None or power is None:
        wait_or_not(context, line, waits=said.on)
    else:
        plan = plan_of(context, power)
        file_plan(
            context, plan.with_part(replace(plan.part(context.ordering.target), waits=said.on))
        )
        context.done(wait_told(context, _named(context.ordering.target), waits=said.on))


def _named(target: Target) -> MessageOrText:
    if isinstance(target, Moment):
        return target.code
    return Message(f"orders.every.{target.name.lower()}")


@command("dry", is_dry=True)
def dry(context: MailContext, _: Line, __: PlainCommand) -> None:
    """Store nothing of the mail; known before the mail was read."""
    context.progress.is_dry = True


# --- dropping --------------------------------------------------------------------------------


@command("clear", act=Act.PLAY, who=PLAYERS, kind=Clear, is_dry=True)
def clear(context: MailContext, line: Line, said: Clear) -> None:
    """Drop orders on file: of a phase, of all later ones, of every phase of a kind, or all."""
    view, power = context.leading()
    now = view.state.moment
    what = (context.ordering.target or now) if said.what is Cleared.HERE else said.what
    is_now = what in (now, Cleared.ALL)
    flaw = _clear_flaw(context, view, what, is_now=is_now)
    if flaw:
        context.refuse(line, flaw)
        return
    if is_now:
        old = view.order_sets.get(power)
        if old is None or not old.lines:
            context.done(Message("orders.clear.nothing_now", code=now.code))
        else:
            context.done(Message("orders.clear.now", code=now.code, number=old.number))
        if old is None or old.lines or old.flawed:
            context.file(view.next_order_set(power, (), context.received, context.mail_id))
    _clear_ahead(context, power, what, now)


def _clear_flaw(
    context: MailContext, view: GameView, what: Target | Cleared, *, is_now: bool
) -> MessageOrText | None:
    if context.ordering.targets_no_phase:
        return Message("orders.clear.nowhere")
    if isinstance(what, Moment) and what < view.state.moment:
        return Message("orders.clear.over", code=what.code)
    plan = view.plans.get(context.power or PowerId(""))
    if plan is not None and plan.received > context.received:
        return Message("orders.clear.older")
    return too_old(context) if is_now and not isinstance(what, Moment) else None


def _clear_ahead(context: MailContext, power: PowerId, what: Target | Cleared, now: Moment) -> None:
    plan = plan_of(context, power)
    left = plan.without(lambda target: _is_dropped(target, what, now))
    gone = [part.target for part in plan.parts if part not in left.parts]
    if gone:
        file_plan(context, left)
    phases = tuple(_named(target) for target in gone if is_ahead(target, now))
    if phases:
        context.done(Message("orders.clear.done", phases=phases))
    elif what != now and what is not Cleared.ALL:
        context.done(Message("orders.clear.nothing"))


def _is_dropped(target: Target, what: Target | Cleared, now: Moment) -> bool:
    match what:
        case Cleared.ALL:
            return True
        case Cleared.LATER:
            return isinstance(target, Moment) and now < target
        case Cleared.STANDING:
            return isinstance(target, Stage)
        case Cleared.HERE | Moment() | Stage():
            return target == what
