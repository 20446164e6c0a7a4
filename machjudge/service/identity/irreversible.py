"""What cannot be taken back needs more than a password.

It is done at once when a reply token or a verified sender proves the mail, from an address on file
of the seat.  Otherwise it waits: a message goes to the address on file, and the answer does it.
"""

import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace

from machjudge.letters.page.reply import Answer
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line, Mail, Where
from machjudge.reading.text.courtesies import agrees
from machjudge.sentence import Sentence
from machjudge.service.credentials.mailed_tokens import WAY_BACK_LASTS, TokenPurpose
from machjudge.service.credentials.pending_acts import MOST_WAITING, WAITS, PendingAct
from machjudge.service.credentials.reply_tokens import ActToken
from machjudge.service.game.view import reader_of, zone_of
from machjudge.service.identity.agreeing import own_words
from machjudge.service.model.records import Game, Person, Role, Seat
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.message_parts import paged
from machjudge.service.session.outgoing import head_of
from machjudge.service.session.session import Session
from machjudge.service.session.unread_lines import tell_unread

_NO = re.compile(r"\W*(?:no|not me|not mine|stop|cancel)\b", re.IGNORECASE)


# --- now, or later ---------------------------------------------------------------------------


def is_proven(session: Session) -> bool:
    """Whether the mail may do at once what cannot be taken back.

    A seat that is taken with this very mail has nothing to lose, and where the judge confirms no
    addresses a password is enough.
    """
    if session.answers_act or _is_new(session) or not session.services.judge.confirm:
        return True
    if not is_from_address_on_file(session):
        return False
    return session.opened_by_token or session.is_verified


def is_from_address_on_file(session: Session) -> bool:
    """Whether the mail claims an address of whoever sits where it was opened."""
    seat = _seat_as_read(session)
    return seat is not None and session.address in addresses_on_file(session, seat)


def addresses_on_file(session: Session, seat: Seat) -> tuple[str, ...]:
    """The address that answers for a seat, and all others of its owner.

    As long as a change of the address can be undone, the one before it answers: whoever has a
    password could name an address of their own.
    """
    before = _address_before(session, seat)
    owner = session.uow.persons.get(seat.person) if seat.person is not None else None
    others = owner.addresses if owner is not None else ()
    new = {seat.address} - {before}
    return tuple(dict.fromkeys([before, *(each for each in others if each not in new)]))


def _address_before(session: Session, seat: Seat) -> str:
    """The address of a seat before the first change of it that can still be undone."""
    game = session.changes.read
    if game is None or seat.person is None:
        return seat.address
    made = session.uow.keys.made_since(seat.person, session.now - WAY_BACK_LASTS)
    here = [each for each in made if (each.game, each.seat) == (game.id, seat.number)]
    return next((each.address for each in here if each.purpose is TokenPurpose.UNDO), seat.address)


def put_off(session: Session, line: Line, text: str) -> None:
    """Have an act wait for the answer to a message to the address on file.

    *text* is the act as a line of its own.
    """
    game, seat = session.changes.read, _seat_as_read(session)
    if game is None or seat is None:
        return
    lines = (*_speaking_as(session), text)
    waiting = [each for each in _waiting(session, game, seat) if session.now < each.until]
    if any(each.lines == lines for each in waiting):
        session.refuse(line, Sentence("identity.act.waits_already"))
        return
    if len(waiting) >= MOST_WAITING:
        session.refuse(line, Sentence("identity.act.too_many", most=MOST_WAITING))
        return
    act = PendingAct(
        session.services.chance.token(),
        game.id,
        seat.number,
        seat.generation,
        lines,
        session.now,
        session.now + WAITS,
    )
    session.changes.acts.append(act)
    session.send(_question(session, game, seat, act))
    session.done(Sentence("identity.act.waits", line=text))


def _is_new(session: Session) -> bool:
    read, seat = session.changes.read, _own_seat(session)
    return seat is None or read is None or all(s.number != seat.number for s in read.seats)


def _own_seat(session: Session) -> Seat | None:
    """The seat that the mail has opened, whoever it speaks for since."""
    seats = session.game.seats if session.game is not None else ()
    return next((seat for seat in seats if seat.number == session.opened_seat), None)


def _seat_as_read(session: Session) -> Seat | None:
    """The seat that the mail has opened, before the mail has changed anything."""
    seats = session.changes.read.seats if session.changes.read is not None else ()
    return next((seat for seat in seats if seat.number == session.opened_seat), None)


def _speaking_as(session: Session) -> tuple[str, ...]:
    """The line that makes the seat speak as the mail does now."""
    seat = session.seat
    if seat is None or seat.role is not Role.PLAYER or session.power is None:
        return ()
    return (f"{'BECOME' if session.became else 'FOR'} {session.power}",)


def _waiting(session: Session, game: Game, seat: Seat) -> Sequence[PendingAct]:
    return [*session.uow.acts.of(game.id, seat.number), *session.changes.acts]


def _question(session: Session, game: Game, seat: Seat, act: PendingAct) -> Outgoing:
    owner = session.uow.persons.get(seat.person) if seat.person is not None else None
    zone = zone_of(session.services, owner)
    what = session.safe(act.what)
    question = Sentence(
        "identity.act.question", game=game.name, what=what, until=act.until, zone=zone
    )
    facts = {
        "head": head_of(session.services, game, _phase(session)),
        "subject": Sentence("identity.please_confirm"),
        "lines": (question,),
        "reader": reader_of(session.services, owner, session.now),
    }
    page = session.services.paper.page("token", facts)
    asked = paged(addresses_on_file(session, seat)[0], page, game.id)
    return replace(asked, reply=ActToken(act.name))


def _name(person: Person | None) -> str:
    return person.name if person is not None else ""


def _phase(session: Session) -> str:
    return session.current.state.moment.code if session.current is not None else ""


def refusals_of(session: Session, act: Callable[[Session], None]) -> list[Trouble]:
    """Why an act would not be taken, tried without any effect."""
    trial = copy(session)
    trial.answer, trial.letters, trial.to_confirm = Answer(), [], []
    trial.order_lines = list(session.order_lines)
    kept = {
        each.name: copy(getattr(session.changes, each.name)) for each in fields(session.changes)
    }
    trial.changes = replace(session.changes, **kept)
    act(trial)
    return trial.answer.troubles


# --- the answer ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActAnswer:
    """What the answer to a question about an act wants."""

    lines: tuple[Line, ...]
    """What is to be read instead of the mail's own lines."""


def hear_answer(session: Session, in_full: Callable[[Line], str]) -> ActAnswer | None:
    """Open the seat of the act that a mail answers; None where it answers none.

    Read instead of its lines are those of the act; none of them if the mail does not agree.
    *in_full* writes an act as it would wait now, so that one that is repeated agrees.
    """
    token = next(iter(session.speaks), None)
    if not isinstance(token, ActToken):
        return None
    act = session.uow.acts.get(token.act)
    game = session.find_game(act.game) if act is not None else None
    seat = _seat_of(game, act) if game is not None and act is not None else None
    if act is None or game is None or seat is None or session.now >= act.until:
        session.answer.verdict.append(Sentence("identity.act.over"))
        return ActAnswer(())
    session.enter(game, seat)
    return _decide(session, act, in_full)


def _seat_of(game: Game, act: PendingAct) -> Seat | None:
    return next(
        (
            seat
            for seat in game.seats
            if (seat.number, seat.generation) == (act.seat, act.generation)
            and seat.person is not None
        ),
        None,
    )


def _decide(session: Session, act: PendingAct, in_full: Callable[[Line], str]) -> ActAnswer:
    session.answers_act = True
    own = session.mail.instructions
    first = _word(session.mail, own)
    if _NO.match(first):
        session.changes.acts_done.add(act.name)
        session.answer.verdict.append(Sentence("identity.act.dropped", what=act.what))
        return ActAnswer(own[1:])
    if (
        not first
        or agrees(first)
        or any(_is_same(act.what, each) for each in (first, *map(in_full, own[:1])))
    ):
        session.changes.acts_done.add(act.name)
        _name_rest(session, own[1:] if own and own[0].text == first else own)
        numbers = range(1, len(act.lines) + 1)
        return ActAnswer(
            tuple(Line(n, text, text) for n, text in zip(numbers, act.lines, strict=True))
        )
    session.answer.verdict.append(Sentence("identity.act.undecided", what=act.what))
    return ActAnswer(())


def _is_same(act: str, said: str) -> bool:
    """Whether somebody repeats the act: its first words may be another one, or be cut short."""
    return said.lower().rstrip(".! ").split() == act.lower().split()


def _name_rest(session: Session, rest: Sequence[Line]) -> None:
    """Name what stands below the word that agrees; greetings, and the word, want no answer."""
    rows = tuple(row for row in session.mail.rows if row.where is not Where.GREETING)
    session.mail = replace(session.mail, rows=rows)
    tell_unread(session, rest)
    if rest:
        session.answer.ignored.append(Sentence("identity.act.below"))


def _word(mail: Mail, own: Sequence[Line]) -> str:
    """The first line of an answer that says something; empty for an answer without words."""
    greetings = [aside.text for aside in mail.asides if aside.where is Where.GREETING]
    agreeing = (each for each in greetings if agrees(each))
    said = next(agreeing, own[0].text if own else "")
    return said or next(iter(own_words(mail)), "")
