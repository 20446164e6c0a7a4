"""A phase begins: the orders that were kept for it become order sets on file, like any others.

What depends on the position is judged now.  Orders for that very phase come first; where they give
none, those for every phase of the kind do.  What is on file afterwards is what is played, so that
stored phases hold the orders that were in force.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from machjudge.adjudicator.model.moments import Moment
from machjudge.adjudicator.model.names import PowerId
from machjudge.language.orders.condition_reader import parse_condition
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.said import Ambiguous, Problem
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line
from machjudge.service.game.conditions import flaw_of, holds
from machjudge.service.game.registry import with_seat
from machjudge.service.game.view import GameView, SeenGame, living, seat_of
from machjudge.service.model.plans import Choice, Item, Kept, Plan, PlanPart
from machjudge.service.model.records import MailId, Sheet
from machjudge.service.orders.submit import Given, submit
from machjudge.service.session.outgoing import as_led


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
    if isinstance(condition, Problem | Ambiguous) or flaw_of(condition, situation.game, power):
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
