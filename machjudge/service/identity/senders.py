"""From whom a game takes mails: from anybody with a proof, known addresses, verified senders."""

from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.service.model.conduct import Senders
from machjudge.service.model.records import Game, PersonId, Seat
from machjudge.service.ports.changes import Changes
from machjudge.service.session.announce import announce_setting
from machjudge.service.session.session import Talk

_NOT_KNOWN = (
    "this game takes mails from addresses on file only; write from yours, or send a mail from "
    "there with I AM ALSO and this address"
)
_NOT_VERIFIED = (
    "this game takes mails of verified senders only, and nothing proves that yours comes from "
    "your address on file; send it by the mail server of that address"
)
_SAYS = {
    Senders.ANY: "Mails with a password or a reply code count from any address.",
    Senders.KNOWN: "Mails count from addresses on file only, with a password or a reply code.",
    Senders.VERIFIED: "Mails count from verified senders only, with a password or a reply code.",
}


def turned_away(talk: Talk, line: Line | None, done: int = 0) -> bool:
    """Leave the seat that was opened again, if the game takes no such mail; say whether it was so.

    :param line: the line that has opened it; None where a reply code has.
    :param done: how many lines of the answer stood there before.
    """
    flaw = _flaw(talk)
    if flaw is None:
        return False
    talk.changes = Changes(persons=talk.changes.persons)
    talk.seat_number = talk.opened_seat = talk.speaking_for = talk.current = None
    talk.opened_by_token = talk.answers_act = False
    talk.letters, talk.to_confirm = [], []
    del talk.answer.done[done:]
    talk.answer.verdict.clear()
    if line is not None:
        talk.refuse_all(line, flaw)
    else:
        talk.answer.verdict.append(f"Nothing was done: {flaw}.")
        talk.is_closed = True
    return True


def _flaw(talk: Talk) -> str | None:
    """Why the seat that is open may not be spoken for; a seat that is taken with the mail may."""
    read, number = talk.changes.read, talk.opened_seat
    seats = read.seats if read is not None else ()
    before = next((seat for seat in seats if seat.number == number), None)
    game, now = talk.game, talk.seat
    if read is None or before is None or game is None or now is None:
        return None
    if now.person != _owner(before):
        return None
    return why_not(talk, game.conduct.sender, now)


def _owner(seat: Seat) -> PersonId | None:
    return seat.person or seat.former


def why_not(talk: Talk, senders: Senders, seat: Seat) -> str | None:
    """Why the sender of a mail may not speak for a seat; None if they may."""
    match senders:
        case Senders.ANY:
            return None
        case Senders.KNOWN:
            return None if _is_on_file(talk, seat) else _NOT_KNOWN
        case Senders.VERIFIED:
            is_so = _is_on_file(talk, seat) and talk.is_verified
            return None if is_so else _NOT_VERIFIED


def _is_on_file(talk: Talk, seat: Seat) -> bool:
    owner = talk.uow.persons.get(seat.person) if seat.person is not None else None
    return talk.address in (seat.address, *(owner.addresses if owner is not None else ()))


def set_sender(talk: Talk, line: Line, said: Setting) -> None:
    """Say from whom the game takes mails; the master's own mail must be one of those."""
    game, seat = talk.game, talk.seat
    word = said.value[0].lower() if said.on and said.value else Senders.ANY.value
    wanted = next((each for each in Senders if each.value == word), None)
    if game is None or seat is None:
        return
    if wanted is None:
        talk.refuse(line, "write any, known, or verified", instead="SET SENDER KNOWN")
    elif why_not(talk, wanted, seat) is not None:
        talk.refuse(
            line,
            f"your own mails would not count any more: this one is not from a {word} sender",
        )
    else:
        _set(talk, game, wanted)


def _set(talk: Talk, game: Game, wanted: Senders) -> None:
    changed = replace(game, conduct=replace(game.conduct, sender=wanted))
    talk.set_game(changed)
    talk.done(_SAYS[wanted])
    if wanted is not game.conduct.sender:
        talk.note("sender", wanted.value)
        announce_setting(talk, changed, ["The master has set:", f"  {_SAYS[wanted]}"])
