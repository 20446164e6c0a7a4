"""What the message that opens a phase says of the orders that were kept for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from machjudge.adjudicator.legality import slot_of
from machjudge.adjudicator.moments import Moment, Season, Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import GiveChit, Sweep
from machjudge.adjudicator.state import State
from machjudge.judge import order_lines
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import (
    GameView,
    NotRunning,
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
from machjudge.judge.mail_context import (
    ANYBODY,
    PLAYERS,
    PLAYING,
    CommandEntry,
    SaidLines,
    Session,
    tell_comments,
    too_old,
)
from machjudge.judge.order_lines import (
    Block,
    Comment,
    Drafted,
    Given,
    part_of,
    statement_of,
    submit,
    trouble_of,
)
from machjudge.judge.outgoing import Addressee, as_led
from machjudge.judge.people import with_seat
from machjudge.judge.records import (
    Case,
    Choice,
    Item,
    Kept,
    MailId,
    Plan,
    PlanPart,
    Sheet,
    Target,
    is_ahead,
)
from machjudge.language.commands import Clear, Cleared, Phase, PlainCommand, Setting
from machjudge.language.conditions import parse_condition, write_condition
from machjudge.language.lexicon import lexicon_of
from machjudge.language.orders import parse_sweep, write_sweep
from machjudge.language.words import Ambiguous, Parsed, Problem, Said
from machjudge.mail_parser.lines import Line
from machjudge.messages.receipt import on_file_lines
from machjudge.messages.render import flag_help
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Trouble
from machjudge.sentence import Sentence, Wording


@dataclass(frozen=True, slots=True)
class Arrived:
    """A phase that has begun with what was kept for it."""

    situation: GameView
    sheets: tuple[Sheet, ...]
    """The order sets that are now on file."""
    refused: Mapping[PowerId, tuple[Trouble, ...]]
    """What was kept and cannot be ordered."""
    unused: Mapping[PowerId, tuple[str, ...]] = field(default_factory=dict)
    """The codes of phases for which orders were kept and which did not come."""


def arrive(situation: GameView, before: Moment) -> Arrived:
    """Put on file what was kept for the phase; *before* is the phase that was just played."""
    sheets: list[Sheet] = []
    refused: dict[PowerId, tuple[Trouble, ...]] = {}
    unused: dict[PowerId, tuple[str, ...]] = {}
    for power in living(situation):
        plan = situation.plans.get(power)
        if plan is None:
            continue
        unused[power] = tuple(_passed_over(plan, before, situation.state.moment))
        sheet, troubles = set_from(as_led(situation, power), plan)
        refused[power] = troubles
        if sheet is not None:
            sheets.append(sheet)
        situation = _waiting(situation, plan)
    filed = {**situation.sheets, **{sheet.power: sheet for sheet in sheets}}
    return Arrived(replace(situation, sheets=filed), tuple(sheets), refused, unused)


def set_from(situation: SeenGame, plan: Plan) -> tuple[Sheet | None, tuple[Trouble, ...]]:
    """The order set that a plan gives in this position, and what of it cannot be ordered.

    Orders for every phase of a kind that cannot be given now are left out; they are no mistake.
    """
    moment = situation.state.moment
    own = plan.part(moment)
    sheet, troubles = _filed(situation, plan, own)
    if sheet is not None or troubles:
        flawed = own.flawed or bool(troubles)
        return (replace(sheet, flawed=flawed) if sheet is not None else None), troubles
    sheet, troubles = _filed(situation, plan, plan.part(moment.stage))
    return (replace(sheet, flawed=False) if sheet is not None else None), troubles


def _filed(
    situation: SeenGame, plan: Plan, part: PlanPart
) -> tuple[Sheet | None, tuple[Trouble, ...]]:
    lines = [
        Line(number, text, text)
        for number, text in enumerate(in_force(situation, plan.power, part.items), start=1)
    ]
    if not lines:
        return None, ()
    others = {power: s for power, s in situation.sheets.items() if power != plan.power}
    given = Given(plan.power, tuple(lines), plan.received, plan.mail or MailId(0))
    taken = submit(replace(situation, sheets=others), given)
    if taken.sheet is None:
        return None, taken.troubles
    lines_of = tuple(replace(line, mail=plan.mail) for line in taken.sheet.lines)
    sheet = replace(taken.sheet, lines=lines_of, mail=plan.mail)
    return (sheet if sheet.lines else None), taken.troubles


def in_force(situation: SeenGame, power: PowerId, items: tuple[Item, ...]) -> Iterator[str]:
    """The orders whose conditions hold in the position, in canonical notation."""
    for item in items:
        match item:
            case Kept(canonical=canonical):
                yield canonical
            case Choice():
                yield from in_force(situation, power, _case_that_holds(situation, power, item))


def _case_that_holds(situation: SeenGame, power: PowerId, choice: Choice) -> tuple[Item, ...]:
    for case in choice.cases:
        if not case.condition or _is_so(situation, power, case.condition):
            return case.items
    return ()


def _is_so(situation: SeenGame, power: PowerId, text: str) -> bool:
    """Whether a condition on file holds; one that may not be asked any more does not."""
    condition = parse_condition(text, lexicon_of(situation.world.scenario), power)
    if isinstance(condition, Problem | Ambiguous) or condition_flaw(
        condition, situation.game, power
    ):
        return False
    return holds(condition, situation.state)


def _passed_over(plan: Plan, before: Moment, now: Moment) -> Iterator[str]:
    for part in plan.parts:
        target = part.target
        if isinstance(target, Moment) and before < target < now and part.items:
            yield target.code


def _waiting(situation: GameView, plan: Plan) -> GameView:
    """Whoever asked beforehand to wait for the deadline of the phase waits for it."""
    moment = situation.state.moment
    seat = seat_of(situation.game, plan.power)
    asked = plan.part(moment).waits or plan.part(moment.stage).waits
    if seat is None or seat.person is None or not asked:
        return situation
    return replace(situation, game=with_seat(situation.game, replace(seat, waits=True)))


MOST_KEPT = 300
"""How many orders and conditions a power may have on file ahead."""

_MOST_WRONG = 100


@dataclass(slots=True)
class _Heard:
    """What the lines for one phase say."""

    situation: SeenGame
    power: PowerId
    target: Target
    said: SaidLines
    troubles: list[Trouble] = field(default_factory=list)
    ignored: list[Comment] = field(default_factory=list)

    @property
    def stage(self) -> Stage:
        """For what kind of phase they are."""
        return self.target.stage if isinstance(self.target, Moment) else self.target

    def items(self, drafted: Sequence[Drafted]) -> tuple[Item, ...]:
        """The items that can be kept; what cannot is among the troubles."""
        found: list[Item] = []
        for each in drafted:
            found += self._line(each) if isinstance(each, Line) else [self._choice(each)]
        return tuple(found)

    def _choice(self, block: Block) -> Choice:
        lexicon = self.situation.lexicon
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
        if len(self.troubles) >= _MOST_WRONG:
            return []
        lexicon = self.situation.lexicon
        pieces = [*self.said.advised(line.text, lexicon, self.stage)]
        if len(pieces) == 1 and not isinstance(pieces[0][1], Sweep):
            return list(self._orders(line, pieces[0][1]))
        known = len(self.troubles)
        found: list[Kept] = []
        for text, said, is_for_many in pieces:
            if isinstance(said, Sweep):
                found.append(Kept(line.text, write_sweep(said, lexicon)))
            else:
                found += self._orders(line if is_for_many else replace(line, text=text), said)
        return list(self._of_one_fate(found, known))

    def _orders(self, line: Line, parsed: Parsed) -> list[Kept]:
        """The orders of a text, those up to a semicolon all or none."""
        if parsed.overlooked:
            self.ignored.append((line.number, parsed.overlooked))
        found: list[Kept] = []
        for at, parts in groupby(parsed.parts(), lambda each: statement_of(line.text, each[1])):
            known = len(self.troubles)
            part = part_of(line.text, at)
            found += self._of_one_fate([*self._statement(line, parts)], known, part)
        return found

    def _statement(
        self, line: Line, parts: Iterable[tuple[Said, tuple[int, int] | None]]
    ) -> Iterator[Kept]:
        for said, part in parts:
            trouble = trouble_of(replace(line, part=part), said)
            if isinstance(said, GiveChit):
                trouble = Trouble(line.number, line.text, Sentence("orders.later.chit"), part=part)
            if trouble is not None:
                self.troubles.append(trouble)
            elif not isinstance(said, Problem | Ambiguous):
                yield Kept(line.text, write_order(self.situation.world, said))

    def _of_one_fate(self, found: list[Kept], known: int, part: str = "") -> list[Kept]:
        """Orders, or none where one beside them is wrong; *known* are the troubles before them.

        :param part: what they are of their line, if not all of it.
        """
        if not found or len(self.troubles) == known:
            return found
        first = self.troubles[known]
        left = ", ".join(each.canonical for each in found)
        note = Sentence("orders.none_of_line", part=part, in_force="")
        self.troubles[known] = replace(first, note=note, instead=first.instead or left)
        return []


def keep_ahead(session: Session, ahead: dict[Target, list[Drafted]]) -> None:
    """Keep what a mail orders for later phases, and say what cannot be kept."""
    everything, power = session.situation(), session.power
    if everything is None or power is None:
        return
    situation = as_led(everything, power)
    for target, drafted in ahead.items():
        heard = _Heard(situation, power, target, session.said)
        items = heard.items(drafted)
        plan = plan_of(session, power)
        if plan.received > session.received:
            line = drafted[0] if isinstance(drafted[0], Line) else drafted[0].line
            session.refuse(line, Sentence("orders.later.older"))
            continue
        part = plan.part(target)
        merged = (*_not_replaced(situation, power, part, items), *items)
        changed = plan.with_part(replace(part, items=merged, flawed=bool(heard.troubles)))
        if changed.size() > MOST_KEPT:
            line = drafted[0] if isinstance(drafted[0], Line) else drafted[0].line
            session.refuse(line, Sentence("orders.later.too_many", most=MOST_KEPT))
            continue
        _tell(session, heard)
        if items or heard.troubles:
            keep(session, changed)


def _tell(session: Session, heard: _Heard) -> None:
    for trouble in heard.troubles:
        session.take_trouble(trouble)
    tell_comments(session, heard.ignored)


def plan_of(session: Session, power: PowerId) -> Plan:
    """The newest plan of a power; an empty one, with the number 0, where there is none.

    Raises NotRunning.
    """
    situation = session.situation()
    if situation is None:
        raise NotRunning
    found = situation.plans.get(power)
    return found or Plan(situation.game.id, power, 0, (), session.received, session.mail_id)


def keep(session: Session, changed: Plan) -> None:
    """File a changed plan as the next one; all changes of a mail are one."""
    is_first = all(plan.power != changed.power for plan in session.changes.plans)
    number = changed.number + 1 if is_first else changed.number
    received = max(changed.received, session.received)
    session.keep(replace(changed, number=number, received=received, mail=session.mail_id))


def put_standing_on_file(session: Session) -> None:
    """Standing orders count at once where nothing is on file for the phase that is played."""
    situation, power = session.situation(), session.power
    plan = situation.plans.get(power) if situation is not None and power is not None else None
    if situation is None or plan is None or plan.power in situation.sheets:
        return
    if not any(each.power == plan.power for each in session.changes.plans):
        return
    if plan.part(situation.state.moment.stage).items:
        only = replace(plan, parts=tuple(p for p in plan.parts if p.name.startswith("every")))
        sheet, _ = set_from(as_led(situation, plan.power), only)
        if sheet is not None:
            session.file(sheet)


def _not_replaced(
    situation: SeenGame, power: PowerId, part: PlanPart, new: Sequence[Item]
) -> list[Item]:
    """The items kept before that no new order without a condition takes the place of."""
    slots = {slot for item in new if (slot := _slot(situation, power, part.target, item))}
    return [
        item
        for item in part.items
        if _slot(situation, power, part.target, item) not in slots and item not in new
    ]


def _slot(situation: SeenGame, power: PowerId, target: Target, item: Item) -> object:
    """What an order without a condition is about; nothing for others."""
    lexicon = situation.lexicon
    stage = target.stage if isinstance(target, Moment) else target
    if isinstance(item, Choice):
        return None
    sweep = parse_sweep(item.canonical, lexicon, stage)
    if isinstance(sweep, Sweep):
        return ("sweep", sweep.rest)
    state = _as_at(situation.state, target)
    (order,) = read_order_texts(situation.world, stage, [item.canonical])
    return slot_of(situation.world, state, power, order)


def _as_at(state: State, target: Target) -> State:
    """The position as if it were the phase that is meant: the best guess there is."""
    moment = target if isinstance(target, Moment) else Moment(state.moment.campaign, target)
    return replace(state, moment=moment)


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


MOST_YEARS = 5
"""For how many years ahead orders are kept."""


# --- for which phase -------------------------------------------------------------------------


def phase(session: Session, line: Line, said: Phase) -> None:
    """The orders that follow are for that phase, or for every phase of a kind."""
    situation = session.situation()
    flaw = session.why_not_played() if situation is None else _flaw(session, situation, said.phase)
    session.is_nowhere, session.is_phase_unread = flaw is not None, False
    session.target = None
    if flaw is not None or situation is None:
        session.refuse(line, flaw or "", note=Sentence("orders.later.not_taken"))
    elif said.phase == situation.state.moment:
        session.names_phase = True
    else:
        session.target = said.phase


PHASE = CommandEntry(
    "phase",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    phase,
    Phase,
    is_dry=True,
)


def _flaw(session: Session, situation: GameView, target: Target) -> Sentence | None:
    """Why orders cannot be kept for a phase."""
    if session.power in situation.state.eliminated:
        return Sentence("orders.later.eliminated")
    if isinstance(target, Stage) or target == situation.state.moment:
        return None
    now = situation.state.moment
    last = now.campaign.years_later(MOST_YEARS)
    if target < now:
        return Sentence("orders.later.over", code=target.code, now=now.code)
    if last < target.campaign:
        return Sentence("orders.later.too_late", years=MOST_YEARS, last=last.code)
    if target.season is Season.SUMMER and not situation.world.rules.game.summer:
        return Sentence("orders.later.no_summer", code=target.code)
    if target.stage is Stage.ADJUSTMENT and target.season is not Season.FALL:
        return Sentence("orders.later.no_adjustment", code=target.code)
    return None


def set_wait(session: Session, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not: in this phase, or in the one named above."""
    situation, power = session.situation(), session.power
    if session.is_nowhere:
        session.refuse(line, Sentence("orders.later.nowhere"))
    elif session.target is None or situation is None or power is None:
        order_lines.set_wait(session, line, said)
    else:
        plan = plan_of(session, power)
        keep(session, plan.with_part(replace(plan.part(session.target), waits=said.on)))
        session.done(order_lines.wish(session, _named(session.target), waits=said.on))


SET_WAIT = CommandEntry(
    "set wait",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_wait,
    setting="wait",
    also=("wait", "nowait"),
    is_dry=True,
    for_the_living=True,
)


def _named(target: Target) -> Wording:
    if isinstance(target, Moment):
        return target.code
    return Sentence(f"orders.every.{target.name.lower()}")


def dry(session: Session, _: Line, __: PlainCommand) -> None:
    """Nothing of the mail is stored, which was seen before it was read."""
    session.is_dry = True


DRY = CommandEntry(
    "dry",
    PLAYING,
    ANYBODY,
    Act.READ,
    dry,
    is_dry=True,
)


# --- dropping --------------------------------------------------------------------------------


def clear(session: Session, line: Line, said: Clear) -> None:
    """Drop orders on file: of a phase, of all later ones, of every phase of a kind, or all."""
    situation, power = session.situation(), session.power
    if situation is None or power is None:
        session.refuse(line, session.why_not_played())
        return
    what = _meant(session, situation, said.what)
    is_now = what in (situation.state.moment, Cleared.ALL)
    flaw = _clear_flaw(session, situation, what, is_now=is_now)
    if flaw:
        session.refuse(line, flaw)
        return
    if is_now:
        _clear_now(session, situation, power)
    _clear_ahead(session, situation, power, what)


CLEAR = CommandEntry(
    "clear",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    clear,
    Clear,
    is_dry=True,
)


def _meant(session: Session, situation: GameView, what: Target | Cleared) -> Target | Cleared:
    if what is not Cleared.HERE:
        return what
    return session.target or situation.state.moment


def _clear_flaw(
    session: Session, situation: GameView, what: Target | Cleared, *, is_now: bool
) -> Wording | None:
    if session.is_nowhere:
        return Sentence("orders.clear.nowhere")
    if isinstance(what, Moment) and what < situation.state.moment:
        return Sentence("orders.clear.over", code=what.code)
    plan = situation.plans.get(session.power or PowerId(""))
    if plan is not None and plan.received > session.received:
        return Sentence("orders.clear.older")
    return too_old(session) if is_now and not isinstance(what, Moment) else None


def _clear_now(session: Session, situation: GameView, power: PowerId) -> None:
    code = situation.state.moment.code
    old = situation.sheets.get(power)
    if old is None or not old.lines:
        session.done(Sentence("orders.clear.nothing_now", code=code))
    else:
        session.done(Sentence("orders.clear.now", code=code, number=old.number))
    if old is None or old.lines or old.flawed:
        session.file(_next_set(session, situation, power, old))


def _next_set(session: Session, situation: GameView, power: PowerId, old: Sheet | None) -> Sheet:
    return Sheet(
        game=situation.game.id,
        after=situation.phase.number,
        power=power,
        number=old.number + 1 if old is not None else 1,
        lines=(),
        flawed=False,
        received=max(session.received, old.received) if old is not None else session.received,
        mail=session.mail_id,
    )


def _clear_ahead(
    session: Session, situation: GameView, power: PowerId, what: Target | Cleared
) -> None:
    plan = plan_of(session, power)
    now = situation.state.moment
    left = plan.without(lambda target: _is_dropped(target, what, now))
    gone = [part.target for part in plan.parts if part not in left.parts]
    if gone:
        keep(session, left)
    told = tuple(_named(target) for target in gone if is_ahead(target, now))
    if told:
        session.done(Sentence("orders.clear.done", phases=told))
    elif what != now and what is not Cleared.ALL:
        session.done(Sentence("orders.clear.nothing"))


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
