"""Earlier sets of orders: shown with their numbers, and taken again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from machjudge.adjudicator.legality.lawful import objection_to
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Maintain, UnitOrder
from machjudge.language.commands.commands import (
    PlainCommand,
    Restore,
)
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording, phrase
from machjudge.service.credentials.authority import Act
from machjudge.service.game.pending import plan_lines
from machjudge.service.game.stored_orders import read_order_lines, write_order
from machjudge.service.game.view import GameView, SeenGame, zone_of
from machjudge.service.model.plans import Plan
from machjudge.service.model.records import Sheet, StoredPhase
from machjudge.service.orders.future_orders import keep, plan_of
from machjudge.service.orders.submit import Given, submit
from machjudge.service.session.command import NOT_PLAYED, PLAYERS, PLAYING, CommandEntry
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session, too_old

_MOST_SETS = 20
"""How many of one's own order sets are shown."""

Numbered = TypeVar("Numbered", Sheet, Plan)
LinesOf: TypeAlias = Callable[[Numbered], Iterable[Wording]]


def restore(session: Session, line: Line, said: Restore) -> None:
    """Take an earlier order set again, as far as its orders can still be given."""
    situation, power = session.situation(), session.power
    if situation is None or power is None:
        session.refuse(line, session.why_not_played())
    elif said.later:
        _restore_plan(session, line, situation, said.number)
    elif flaw := too_old(session):
        session.refuse(line, flaw)
    else:
        _restore_set(session, line, situation, said.number)


RESTORE = CommandEntry(
    "restore",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    restore,
    Restore,
    is_dry=True,
)


def _restore_set(session: Session, line: Line, situation: GameView, number: int) -> None:
    power = session.power or PowerId("")
    sets = sets_of(session, situation, power)
    if number not in sets:
        session.refuse(line, _no_such_set(sets), instead="HISTORY ORDERS")
        return
    last = sets[max(sets)]
    empty = replace(last, lines=(), flawed=False)
    lines = tuple(
        Line(at, each.canonical, each.canonical)
        for at, each in enumerate(sets[number].lines, start=1)
    )
    before = replace(situation, sheets={**situation.sheets, power: empty})
    taken = submit(before, Given(power, lines, session.received, session.mail_id))
    if taken.sheet is None:
        return
    written = {each.canonical: each for each in sets[number].lines}
    again = tuple(
        replace(each, written=written[each.canonical].written)
        if each.canonical in written
        else each
        for each in taken.sheet.lines
    )
    session.file(replace(taken.sheet, lines=again))
    session.done(Sentence("orders.set.restored", number=number, new=taken.sheet.number))
    for trouble in taken.troubles:
        told = Sentence("orders.set.not_restored", line=trouble.line, reason=trouble.reason)
        session.refuse(line, told)


def _restore_plan(session: Session, line: Line, situation: GameView, number: int) -> None:
    power = session.power or PowerId("")
    plans = plans_of(session, power)
    if number not in plans:
        session.refuse(line, _no_such_set(plans), instead="HISTORY ORDERS")
        return
    newest = plan_of(session, power)
    keep(session, replace(newest, parts=plans[number].parts))
    session.done(Sentence("orders.set.later_restored", number=number))


def same(session: Session, line: Line, _: PlainCommand) -> None:
    """Order what the units were ordered when the same was last to be ordered, where they may.

    Of a campaign the orders for units, of an adjustment what is maintained; money is never spent
    again without being named.
    """
    everything, power = session.situation(), session.power
    if everything is None or power is None:
        session.refuse(line, session.why_not_played())
        return
    situation = as_led(everything, power)
    before = _last_like(session, situation)
    if before is None:
        session.refuse(line, Sentence("orders.same.none"))
        return
    stage = situation.state.moment.stage
    given = read_order_lines(situation.world, stage, before.orders.get(power, ()))
    orders = [order for order in given if isinstance(order, UnitOrder | Maintain)]
    again = [o for o in orders if objection_to(situation.world, situation.state, power, o) is None]
    words = situation.words
    left_out = tuple(order_text(words, order) for order in orders if order not in again)
    if left_out or not again:
        told = Sentence("orders.same.left_out", orders=left_out, taken=len(again))
        session.answer.notices.append(told)
    texts = [write_order(situation.world, order) for order in again]
    session.order_lines += [Line(line.number, text, text) for text in texts]


SAME = CommandEntry("same", PLAYING, PLAYERS, Act.PLAY, same, is_dry=True, refused_in=NOT_PLAYED)


def _last_like(session: Session, situation: GameView) -> StoredPhase | None:
    """The last phase that was played of the kind that is played now."""
    stage, stored = situation.state.moment.stage, situation.phase
    while stored.parent is not None:
        if not stored.is_interlude and stored.before.moment.stage is stage:
            return stored
        stored = session.uow.phases.get(situation.game.id, stored.parent)
    return None


def _no_such_set(sets: Mapping[int, object]) -> Sentence:
    if not sets:
        return Sentence("orders.set.none_yet")
    return Sentence("orders.set.unknown", first=min(sets), last=max(sets))


def sets_of(session: Session, situation: GameView, power: PowerId) -> dict[int, Sheet]:
    """The order sets of a power for the phase that is played, by their numbers.

    What changed the position in between (chits, corrections) does not end the phase.
    """
    stored = situation.phase
    found: dict[int, Sheet] = {}
    fresh = {phase.number: phase for phase, _ in session.changes.phases}
    while True:
        for each in session.uow.sheets.history(situation.game.id, stored.number, power):
            found.setdefault(each.number, each)
        if not stored.is_interlude or stored.parent is None:
            break
        stored = fresh.get(stored.parent) or session.uow.phases.get(
            situation.game.id, stored.parent
        )
    found.update({s.number: s for s in session.changes.sheets if s.power == power})
    return dict(sorted(found.items()))


def plans_of(session: Session, power: PowerId) -> dict[int, Plan]:
    """All plans of a power by their numbers."""
    game = session.game
    stored = session.uow.plans.history(game.id, power) if game is not None else ()
    fresh = (plan for plan in session.changes.plans if plan.power == power)
    return {plan.number: plan for plan in (*stored, *fresh)}


def order_sets(session: Session, line: Line, _: PlainCommand) -> None:
    """Show one's own order sets with their numbers."""
    everything, power = session.situation(), session.power
    if everything is None or power is None:
        session.refuse(line, session.why_not_played())
        return
    situation = as_led(everything, power)
    moment = situation.state.moment
    sets = list(sets_of(session, situation, power).values())
    lines = _shown(session, sets, lambda each: _set_lines(situation, each))
    title = Sentence("orders.set.title", code=moment.code)
    none = Sentence("orders.set.none_for", phase=Words(situation.world).moment(moment))
    session.answer.texts.append(Text(title, lines or (none,)))
    plans = list(plans_of(session, power).values())
    if plans:
        shown = _shown(session, plans, lambda each: plan_lines(situation, each)[:-1])
        session.answer.texts.append(Text(Sentence("orders.set.later_title"), shown))


HISTORY_ORDERS = CommandEntry(
    "history orders",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    order_sets,
    is_dry=True,
    refused_in=NOT_PLAYED,
)


def _shown(
    session: Session, sets: Sequence[Numbered], lines_of: LinesOf[Numbered]
) -> tuple[Wording, ...]:
    """The newest of them, each under its number and when it came."""
    lines: list[Wording] = []
    zone = zone_of(session.services, session.person)
    for each in sets[-_MOST_SETS:]:
        own: list[Wording] = list(lines_of(each))
        lines.append(Sentence("orders.set.number", number=each.number, at=each.received, zone=zone))
        lines += own or [Sentence("orders.set.empty")]
    return tuple(lines)


def _set_lines(situation: SeenGame, sheet: Sheet) -> Iterable[str]:
    words = situation.words
    orders = read_order_lines(situation.world, situation.state.moment.stage, sheet.lines)
    return [phrase("    {}", order_text(words, order)) for order in orders]
