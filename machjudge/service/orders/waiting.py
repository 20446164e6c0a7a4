"""Waiting for the deadline of a phase, or not: ``set wait``, ``ready``, and the error flag."""

from dataclasses import replace

from machjudge.language.commands.commands import Ready, Setting
from machjudge.letters.wording.words import Words, listed
from machjudge.reading import Line
from machjudge.service.session.session import Talk, too_old


def set_wait(talk: Talk, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not, in this phase; who does not wait needs no error flag."""
    if _wish(talk, line, waits=said.on) and not said.on:
        _clear_flags(talk)


def ready(talk: Talk, line: Line, _: Ready) -> None:
    """What is on file is meant as it stands: neither a wish to wait nor the error flag is left."""
    if _wish(talk, line, waits=False):
        _clear_flags(talk)


def _wish(talk: Talk, line: Line, *, waits: bool) -> bool:
    """Note whether the seat waits in this phase; say whether there is a phase."""
    seat = talk.seat
    if seat is None or talk.situation() is None:
        talk.refuse(line, talk.why_not_played())
        return False
    talk.set_seat(replace(seat, waits=waits))
    talk.done(wish_words(talk, "this phase", waits=waits))
    return True


def wish_words(talk: Talk, phase: str, *, waits: bool) -> str:
    """That the powers of the seat wait for the deadline of a phase, or do not."""
    if talk.game is None or talk.seat is None:
        return ""
    words = Words(talk.desk.world(talk.game))
    names = [words.power(power) for power in talk.seat.powers]
    is_one = len(names) == 1
    wish = ("waits" if is_one else "wait") if waits else f"{'does' if is_one else 'do'} not wait"
    return f"{listed(names)} {wish} for the deadline of {phase}."


def _clear_flags(talk: Talk) -> None:
    """Take the error flag from the powers of the seat, unless a newer mail of theirs set it."""
    situation, seat = talk.situation(), talk.seat
    if situation is None or seat is None or too_old(talk):
        return
    for power in seat.powers:
        sheet = situation.sheets.get(power)
        if sheet is None or not sheet.flawed or sheet.received > talk.received:
            continue
        number, received = sheet.number + 1, talk.received
        cleared = replace(sheet, number=number, flawed=False, received=received, mail=talk.mail_id)
        talk.file(cleared)
        talk.done(f"The error flag of {Words(situation.world).power(power)} is cleared.")
