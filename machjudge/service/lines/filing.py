"""From what a mail orders to what is on file, for this phase and for later ones."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.events import ChitGiven
from machjudge.adjudicator.model.orders import GiveChit
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.write import write
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.service.game.view import Situation
from machjudge.service.identity.irreversible import is_proven, put_off
from machjudge.service.lines.bounds import TOO_MANY_ERRORS, stop
from machjudge.service.lines.command_table import nearest
from machjudge.service.lines.signature import without_farewell
from machjudge.service.orders.drafting import Draft
from machjudge.service.orders.future_orders import keep_ahead, put_standing_on_file
from machjudge.service.orders.submit import Given, Taken, submit
from machjudge.service.orders.wrong_phase import stray_line
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.session.between_phases import interlude
from machjudge.service.session.session import Talk, not_approved, too_old
from machjudge.service.session.unread_lines import tell_unread


def file_orders(talk: Talk, draft: Draft) -> None:
    """Put on file what was ordered so far, for this phase and for later ones."""
    draft.break_off()
    _file_for_now(talk, draft)
    flaw = not_approved(talk)
    if flaw and draft.ahead:
        talk.answer.notices.append(f"  Not kept: {flaw}.")
        draft.ahead.clear()
    keep_ahead(talk, draft.ahead)
    put_standing_on_file(talk)
    draft.ahead.clear()


def _why_not_now(talk: Talk, situation: Situation | None) -> str:
    """Why orders for this phase do not count; empty if they do."""
    return not_approved(talk) or (talk.why_not_played() if situation is None else too_old(talk))


def _file_for_now(talk: Talk, draft: Draft) -> None:
    seat, situation = talk.seat, talk.situation()
    power, lines = talk.power, tuple(talk.order_lines)
    is_flawed, draft.is_flawed = draft.is_flawed, False
    if not (lines or is_flawed) or seat is None:
        return
    talk.order_lines.clear()
    refusal = _why_not_now(talk, situation)
    if situation is None or refusal or power is None:
        if lines:
            talk.refuse(lines[0], refusal)
        tell_unread(talk, lines[1:])
        return
    lines = without_farewell(talk, situation, lines)
    own = frozenset(each for seat in own_seats(talk) for each in seat.powers)
    given = Given(power, lines, talk.received, talk.mail_id, own - {power}, is_flawed)
    strays = stray_line(talk, situation, given)
    if strays is not None:
        talk.refuse(strays.line, strays.reason, note=strays.note)
        tell_unread(talk, [line for line in lines if line is not strays.line])
        return
    talk.has_ordered = True
    _take(talk, lines, submit(situation, given))


def _take(talk: Talk, lines: Sequence[Line], taken: Taken) -> None:
    """Put the orders on file, and say what of them was not taken."""
    for trouble in taken.troubles:
        talk.take_trouble(replace(trouble, instead=_instead_of(trouble)))
    talk.answer.ignored += [talk.safe(text) for text in taken.ignored]
    talk.answer.notices += [f"  {text}" for text in taken.notices]
    if taken.cut is not None:
        stop(talk, taken.cut, TOO_MANY_ERRORS)
    if taken.sheet is not None:
        talk.file(taken.sheet)
    _pass_chits(talk, lines, taken.chits)


def _pass_chits(talk: Talk, lines: Sequence[Line], chits: Sequence[ChitGiven]) -> None:
    """Hand chits over at once; nobody but the giver is told (ASN-02)."""
    situation = talk.situation()
    if situation is None or not chits:
        return
    words = Words(situation.world)
    if not is_proven(talk):
        lexicon = lexicon_of(situation.world.scenario)
        for chit in chits:
            put_off(talk, lines[0], write(GiveChit(chit.victim, chit.receiver), lexicon))
        return
    talk.pass_on(interlude(talk.desk, situation, chits, talk.now))
    for chit in chits:
        victim, receiver = words.power(chit.victim), words.power(chit.receiver)
        talk.done(f"Your chit on {victim} is {receiver}'s now. This cannot be taken back.")


def _instead_of(trouble: Trouble) -> str | None:
    """The nearest order, else the nearest command; none where the line begins as an order does."""
    first, *_ = trouble.line.split() or [""]
    begins_well = trouble.column is not None and trouble.column > len(first)
    return trouble.instead if trouble.instead or begins_well else nearest(trouble.line)
