"""Waiting for the deadline of a phase, or not: ``set wait``, ``ready``, and the error flag."""

from dataclasses import replace

from machjudge.language.commands.commands import PlainCommand, Setting
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.session.command import NOT_PLAYED, PLAYERS, PLAYING, CommandEntry
from machjudge.service.session.session import Session, too_old


def set_wait(session: Session, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not, in this phase; who does not wait needs no error flag."""
    if _wish(session, line, waits=said.on) and not said.on:
        _clear_flags(session)


def ready(session: Session, line: Line, _: PlainCommand) -> None:
    """What is on file is meant as it stands: neither a wish to wait nor the error flag is left."""
    if _wish(session, line, waits=False):
        _clear_flags(session)


READY = CommandEntry(
    "ready",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    ready,
    is_dry=True,
    refused_in=NOT_PLAYED,
)


def _wish(session: Session, line: Line, *, waits: bool) -> bool:
    """Note whether the seat waits in this phase; say whether there is a phase."""
    seat, situation = session.seat, session.situation()
    if seat is None or situation is None:
        session.refuse(line, session.why_not_played())
        return False
    if waits and situation.is_overdue(session.received):
        session.refuse(line, Sentence("orders.wait.too_late"))
        return False
    if not waits and situation.is_overdue(session.received) and not seat.waits:
        session.done(Sentence("orders.wait.plays_on"))
        return True
    session.set_seat(replace(seat, waits=waits))
    session.done(wish(session, Sentence("orders.wait.this_phase"), waits=waits))
    return True


def wish(session: Session, phase: Wording, *, waits: bool) -> Wording:
    """That the powers of the seat wait for the deadline of a phase, or do not."""
    if session.game is None or session.seat is None:
        return ""
    words = Words(session.services.world(session.game))
    names = tuple(map(words.power, session.seat.powers))
    return Sentence("orders.wait.wish", powers=names, waits=waits, phase=phase)


def _clear_flags(session: Session) -> None:
    """Take the error flag from the powers of the seat, unless a newer mail of theirs set it."""
    situation, seat = session.situation(), session.seat
    if situation is None or seat is None or too_old(session):
        return
    for power in seat.powers:
        sheet = situation.sheets.get(power)
        if sheet is None or not sheet.flawed or sheet.received > session.received:
            continue
        number, received = sheet.number + 1, session.received
        cleared = replace(
            sheet, number=number, flawed=False, received=received, mail=session.mail_id
        )
        session.file(cleared)
        name = Words(situation.world).power(power)
        session.done(Sentence("orders.wait.cleared", power=name))
