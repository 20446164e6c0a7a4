"""From what a mail orders to what is on file, for this phase and for later ones."""

import re
from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.events import ChitGiven
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.orders import GiveChit
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.synonyms import UNREAD
from machjudge.language.vocabulary.words import fold
from machjudge.language.vocabulary.write import write
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.view import GameView
from machjudge.service.identity.irreversible import is_proven, put_off
from machjudge.service.lines.bounds import TOO_MANY_ERRORS, stop
from machjudge.service.lines.command_table import nearest
from machjudge.service.lines.kinds import is_order_like
from machjudge.service.orders.drafting import OrderDraft
from machjudge.service.orders.future_orders import keep_ahead, put_standing_on_file
from machjudge.service.orders.submit import Given, SubmittedOrders, submit
from machjudge.service.orders.wrong_phase import stray_line
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.session.between_phases import interlude
from machjudge.service.session.command import Caller
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.session import Session, not_approved, too_old
from machjudge.service.session.unread_lines import tell_comments, tell_unread


def file_orders(session: Session, draft: OrderDraft) -> None:
    """Put on file what was ordered so far, for this phase and for later ones."""
    draft.break_off()
    _file_for_now(session, draft)
    flaw = not_approved(session)
    if flaw and draft.ahead:
        session.answer.notices.append(Sentence("lines.not_kept", why=flaw))
        draft.ahead.clear()
    keep_ahead(session, draft.ahead)
    put_standing_on_file(session)
    draft.ahead.clear()


def _why_not_now(session: Session, situation: GameView | None) -> Wording | None:
    """Why orders for this phase do not count; None if they do."""
    return not_approved(session) or (
        session.why_not_played() if situation is None else too_old(session)
    )


def _file_for_now(session: Session, draft: OrderDraft) -> None:
    seat, situation = session.seat, session.situation()
    power, lines = session.power, tuple(session.order_lines)
    is_flawed, draft.is_flawed = draft.is_flawed, False
    if not (lines or is_flawed) or seat is None:
        return
    session.order_lines.clear()
    refusal = _why_not_now(session, situation)
    if situation is None or refusal or power is None:
        if lines:
            session.refuse(lines[0], refusal or "")
        tell_unread(session, lines[1:])
        return
    lines = _without_farewell(session, situation, lines)
    own = frozenset(each for seat in own_seats(session) for each in seat.powers)
    given = Given(
        power, lines, session.received, session.mail_id, own - {power}, is_flawed, session.said
    )
    strays = stray_line(session, situation, given)
    if strays is not None:
        session.refuse(strays.line, strays.reason, note=strays.note)
        tell_unread(session, [line for line in lines if line is not strays.line])
        return
    session.has_ordered = True
    _take(session, lines, submit(situation, given))


def _take(session: Session, lines: Sequence[Line], taken: SubmittedOrders) -> None:
    """Put the orders on file, and say what of them was not taken."""
    for trouble in taken.troubles:
        session.take_trouble(replace(trouble, instead=_instead_of(trouble)))
    tell_comments(session, taken.ignored)
    session.answer.notices += taken.notices
    if taken.cut is not None:
        session.answer.ignored.append(Sentence("orders.too_much_wrong", number=taken.cut))
        stop(session, taken.cut, TOO_MANY_ERRORS)
    if taken.sheet is not None:
        session.file(taken.sheet)
    _pass_chits(session, lines, taken.chits)


def _pass_chits(session: Session, lines: Sequence[Line], chits: Sequence[ChitGiven]) -> None:
    """Hand chits over at once; nobody but the giver is told (ASN-02)."""
    situation = session.situation()
    if situation is None or not chits:
        return
    words = Words(situation.world)
    if not is_proven(session):
        lexicon = lexicon_of(situation.world.scenario)
        for chit in chits:
            put_off(session, lines[0], write(GiveChit(chit.victim, chit.receiver), lexicon))
        return
    session.pass_on(interlude(session.services, situation, chits, session.now))
    for chit in chits:
        victim, receiver = words.power(chit.victim), words.power(chit.receiver)
        session.done(Sentence("lines.chit_given", victim=victim, receiver=receiver))


_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}[.,!]?$")


def _without_farewell(
    session: Session, situation: GameView, lines: tuple[Line, ...]
) -> tuple[Line, ...]:
    """The lines without the power's own name, alone below all others: it signs the mail.

    In an adjustment a bare name may mean to keep a unit, as in a list of such.
    """
    said = session.mail.instructions
    if len(lines) <= 1 or lines[-1].number != said[-1].number or session.power is None:
        return lines
    is_alone = len(said) > 1 and said[-2].number < said[-1].number - 1
    name = Words(situation.world).power(session.power)
    keeps = situation.state.moment.stage is Stage.ADJUSTMENT
    names = (line.text for line in lines[:-1] if _NAME.match(line.text))
    is_list = keeps and not all(map(vocabulary().begins_command, names))
    if not is_alone or is_list or lines[-1].text.rstrip(" .,!").lower() != name.lower():
        return lines
    tell_unread(session, lines[-1:])
    session.answer.ignored.append(Sentence("lines.your_name"))
    return lines[:-1]


_SPEAKS = re.compile(r"(?:no|not|with|don'?t|wait)\b[\s,]+\w+[\s,]+\w", re.IGNORECASE)
"""A sentence whose first word is like a command's: another one would be the opposite of it."""


def _instead_of(trouble: Trouble) -> Wording | None:
    """The nearest order, else a player's nearest command; None if it begins as an order does."""
    first, *_ = trouble.line.split() or [""]
    # An order that was read, and may not be given, has no column.
    begins_well = trouble.column is None or trouble.column > len(first)
    is_order = is_order_like(trouble.line, None) or _SPEAKS.match(trouble.line)
    if trouble.instead or begins_well or is_order or fold(first) in UNREAD:
        return trouble.instead
    return nearest(trouble.line, Caller.PLAYER)
