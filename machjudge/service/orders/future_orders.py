"""From the draft of a mail to a plan: what can be said of orders before their phase has come.

Whether a line can be read is known at once; what depends on the position is judged when the phase
begins.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from machjudge.adjudicator.legality.slots import slot_of
from machjudge.adjudicator.model.moments import Moment, Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import GiveChit, Sweep
from machjudge.adjudicator.model.state import State
from machjudge.language.orders.conditions import write_condition
from machjudge.language.orders.sweeps import parse_sweep, write_sweep
from machjudge.language.vocabulary.said import Ambiguous, Parsed, Problem, Said
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.stored_orders import read_order_texts, write_order
from machjudge.service.game.view import NotRunning, SeenGame
from machjudge.service.model.plans import Case, Choice, Item, Kept, Plan, PlanPart, Target
from machjudge.service.orders.drafting import Block, Drafted
from machjudge.service.orders.order_lines import Comment, part_of, statement_of
from machjudge.service.orders.order_refusals import trouble_of
from machjudge.service.orders.phase_begins import set_from
from machjudge.service.session.incoming import SaidLines
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session
from machjudge.service.session.unread_lines import tell_comments

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
