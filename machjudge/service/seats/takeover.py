"""Taking a seat that nobody holds: by somebody new, or by its player who comes back.

The old password of a seat takes it for nobody.  It only lets a player back whose seat was opened
because no orders came; who resigned or was ejected has left.
"""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.replacements import clock_for_newcomer
from machjudge.service.game import registry
from machjudge.service.game.pending import pending_lines
from machjudge.service.game.view import load, seat_of
from machjudge.service.identity.provisional import claim_seat
from machjudge.service.identity.unlock import may_try, why_not
from machjudge.service.model.invitations import SHUT_OUT, is_shut_out
from machjudge.service.model.records import Game, Person, Role, Seat, Status, Wishes
from machjudge.service.seats.admitting import ask_for_approval, unwelcome
from machjudge.service.session.outgoing import announce, as_led, masters_only, public_name, sight_of
from machjudge.service.session.people_meant import seat_name
from machjudge.service.session.quotas import no_more_seats
from machjudge.service.session.session import Session

NOT_REGISTERED = Sentence("seats.take.not_registered")
OVER = Sentence("seats.take.over")
HAS_SEEN = Sentence("seats.take.has_seen")


def take_over(session: Session, line: Line, game: Game, letter: PowerId, password: str) -> bool:
    """Sit down at a seat that nobody holds; say whether it is one.  What is wrong is refused."""
    seat = seat_of(game, letter)
    typed, password = password, registry.plain_password(password)
    if seat is None or seat.person is not None or registry.password_flaw(password):
        return False
    flaw = _why_nobody(session, game)
    if flaw is None and seat.former is None and is_out(session, game, seat):
        flaw = _eliminated(game)
    if flaw is not None:
        session.refuse_all(line, flaw)
    elif seat.password and not may_try(session, game.id, letter):
        session.refuse_all(line, why_not(session, game.id, letter))
    elif seat.password and registry.is_right(session.services, seat.password, typed):
        _take_back(session, line, game, seat, letter)
    else:
        _take(session, line, game, seat, letter, password)
    return True


def _why_nobody(session: Session, game: Game) -> Wording | None:
    """Why the writer gets no seat of the game, whatever the password is."""
    if game.status is Status.FINISHED:
        return OVER
    known = session.claimant
    return SHUT_OUT if known is not None and is_shut_out(game.conduct, known) else None


def _eliminated(game: Game) -> Wording:
    return Sentence("seats.take.eliminated", game=game.name)


def has_seen_orders(game: Game, person: Person) -> bool:
    """Whether somebody runs the game without playing, so that nothing is hidden from them."""
    own = [seat for seat in game.seats if seat.person == person.id]
    return any(seat.role is Role.MASTER for seat in own) and sight_of(game, own).sees_all


def as_new(game: Game, seat: Seat, person: Person, hashed: str) -> Seat:
    """The seat as somebody new has it: nothing of what its last player wished is left."""
    return replace(
        seat,
        person=person.id,
        address=person.addresses[0],
        password=hashed,
        waits=False,
        absences=(),
        priority=(),
        draw=None,
        concede=None,
        wishes=Wishes(),
        approved=not game.conduct.approval,
        public=False,
        former=None,
    )


def abandoned(seat: Seat) -> Seat:
    """The seat of somebody who has left it for good."""
    return replace(seat, person=None, former=None, waits=False, draw=None, concede=None)


def is_out(session: Session, game: Game, seat: Seat) -> bool:
    """Whether all powers of a seat have left the game, so that nobody need take it."""
    if game.status is not Status.RUNNING:
        return False
    situation = session.situation() or load(session.services, session.uow, game)
    return situation.state.eliminated.issuperset(seat.powers)


def open_seat_lines(game: Game, seats: Sequence[Seat]) -> list[Sentence]:
    """How somebody takes those of the seats that have powers."""
    letters = tuple(seat.powers[0] for seat in seats if seat.powers)
    return [Sentence("seats.take.how", game=game.name, letters=letters)] if letters else []


# --- what happens then -----------------------------------------------------------------------


def _take_back(session: Session, line: Line, game: Game, seat: Seat, letter: PowerId) -> None:
    """The player whose seat was opened has it again; no deadline is put off for that."""
    person = session.uow.persons.get(seat.former) if seat.former is not None else None
    if person is None:
        session.refuse_all(line, Sentence("seats.take.old_password"))
        return
    if is_shut_out(game.conduct, person):
        session.refuse_all(line, SHUT_OUT)
        return
    held = replace(seat, person=person.id, former=None)
    power = _speak(session, game, held, letter)
    session.done(Sentence("seats.take.you_again", power=power))
    _tell(session, held, person, "leads_again", power)


def _take(
    session: Session, line: Line, game: Game, seat: Seat, letter: PowerId, password: str
) -> None:
    """Somebody new has the seat; where they are not confirmed, it waits for their answer."""
    person = session.person_or_new() if session.services.judge.confirm else session.person
    known = session.claimant or person
    flaw = NOT_REGISTERED if known is None else _why_not(session, game, known)
    if is_out(session, game, seat):
        flaw = _eliminated(game)
    if person is None or flaw is not None:
        session.refuse_all(line, flaw or NOT_REGISTERED)
        return
    taken = as_new(game, seat, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        led(session, game, taken, letter, person)
        return
    claim_seat(session, game, taken, person)
    if session.waits is not None:
        names = seat_name(session, game, seat)
        session.answer.verdict.append(Sentence("seats.take.waits", power=names, game=game.name))


def led(session: Session, game: Game, taken: Seat, letter: PowerId, person: Person) -> None:
    """Somebody new leads a power, and reads what its last player has left."""
    power = _speak(session, game, taken, letter)
    session.done(Sentence("seats.take.you", power=power))
    _show_what_was_kept(session, power)
    _tell(session, taken, person, "has_taken_over", power, *_fresh_deadline(session))
    ask_for_approval(session, taken, str(taken.number))


def _why_not(session: Session, game: Game, person: Person) -> Wording | None:
    if has_seen_orders(game, person):
        return HAS_SEEN
    return unwelcome(session, game, person) or no_more_seats(session)


def _speak(session: Session, game: Game, seat: Seat, letter: PowerId) -> Wording:
    """Speak from the seat; the names of its powers."""
    session.enter(game, seat)
    session.speak_from(seat.number, letter)
    session.begins = True
    return seat_name(session, game, seat)


def _tell(
    session: Session, seat: Seat, person: Person, what: str, power: Wording, *more: Sentence
) -> None:
    """Note what somebody did, and tell the others."""
    if session.game is None:
        return
    session.note("joined", Sentence(f"seats.take.{what}", name=person.name, power=power))
    name = public_name(session.game, person)
    deed = Sentence(f"seats.take.{what}", name=name, power=power)
    told = [Sentence("seats.take.told", deed=deed), *more]
    subject = Sentence("seats.subject.signon", letters="".join(seat.powers))
    announce(session, session.game, subject, told, masters_only(session.game))


def _show_what_was_kept(session: Session, power: Wording) -> None:
    """Orders belong to the power: whoever takes it over finds them, and reads so."""
    situation, own = session.situation(), session.power
    if situation is None or own is None:
        return
    sheet = situation.sheets.get(own)
    if sheet is not None and sheet.lines:
        session.done(Sentence("seats.take.filed", power=power))
    if pending_lines(as_led(situation, own), own):
        session.done(Sentence("seats.take.kept", power=power))


def _fresh_deadline(session: Session) -> list[Sentence]:
    """Give whoever took over the last open seat the time of a whole phase; say so."""
    game, situation = session.game, session.situation()
    if game is None or game.clock is None or situation is None:
        return []
    clock = clock_for_newcomer(game, situation.state.moment.stage, session.now)
    if clock == game.clock:
        return []
    session.set_game(replace(game, clock=clock))
    told = Sentence("seats.take.deadline_moved")
    session.done(told)
    return [told]
