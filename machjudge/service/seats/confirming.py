"""An address is confirmed by answering a message of the judge that went there.

What was waiting happens then: the seat is somebody's, the others are told, the game may begin.
"""

import re
from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.reading import Where
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.reply_tokens import AddressToken, SeatToken
from machjudge.service.game import registry
from machjudge.service.game.view import seat_of
from machjudge.service.identity.further_addresses import add_address, adds
from machjudge.service.identity.irreversible import agrees
from machjudge.service.identity.provisional import withdraw
from machjudge.service.model.invitations import why_not_watch
from machjudge.service.model.records import AddressStanding, Game, Person, Role, Seat, Status
from machjudge.service.seats.admitting import unwelcome
from machjudge.service.seats.joining import seated
from machjudge.service.seats.takeover import HAS_SEEN, as_new, has_seen_orders, led
from machjudge.service.seats.watching import watching
from machjudge.service.session.session import Session
from machjudge.service.setup.creating import created
from machjudge.service.setup.forming import still_needed

NOTHING_WAITS = Sentence("seats.nothing_waits")
_NOT_ME = re.compile(r"\W*no\W*|.*\b(?:not|wasn['’]?t) (?:me|mine)\b.*", re.IGNORECASE)
"""A line by which somebody says that others have used their address."""


_SHORT = 3
"""Words of a line that says no more than yes."""


def hear_answer(session: Session) -> bool:
    """Confirm the address whose message this mail answers; say whether it answers one."""
    found = next((each for each in session.speaks if isinstance(each, AddressToken)), None)
    # An answer that may be a machine's says nothing about who reads there.
    if found is None or session.mail.suspected is not None:
        return False
    if adds(found):
        add_address(session, found)
        return True
    person = session.uow.persons.get(found.person)
    if person is None or person.is_confirmed:
        _hear_again(session, found, person)
    elif _is_undone(session):
        _undo(session, found, person)
    else:
        _confirm(session, found, person)
        _pass_over_yes(session)
    return True


def _pass_over_yes(session: Session) -> None:
    """A word of agreement above the orders, which nobody has to send, wants no answer."""
    mail = session.mail
    lines = tuple(line for line in mail.lines if line.is_press or not _is_yes(line.text))
    asides = tuple(aside for aside in mail.asides if not _is_yes(aside.text))
    session.mail = replace(mail, lines=lines, asides=asides)


def _is_yes(text: str) -> bool:
    return len(text.split()) <= _SHORT and agrees(text)


def _is_undone(session: Session) -> bool:
    """Whether the mail says that somebody else has used the address."""
    said = [each.text for each in session.mail.asides if each.where is Where.GREETING]
    said += [line.text for line in session.mail.instructions]
    return any(map(_NOT_ME.fullmatch, said))


def _undo(session: Session, token: AddressToken, person: Person) -> None:
    game, claim = _waiting(session, token)
    if game is not None and claim is not None:
        session.changes.read = game
        withdraw(session, game, claim)
    session.changes.forgotten.add(person.id)
    session.is_closed = True
    session.answer.verdict.append(Sentence("seats.nothing_kept"))


def _waiting(session: Session, token: AddressToken) -> tuple[Game | None, Seat | None]:
    """The game that a token is about, and the seat there that waits for its answer."""
    game = session.find_game(token.serial) if token.serial else None
    claims = game.claims if game is not None else ()
    return game, next((claim for claim in claims if _is_for(claim, token)), None)


def _is_for(seat: Seat, token: AddressToken) -> bool:
    return seat.claimed is not None and seat.claimed.person == token.person


# --- answered for the first time --------------------------------------------------------------


def _confirm(session: Session, token: AddressToken, person: Person) -> None:
    """The seat goes to whoever the address belongs to; else to somebody new."""
    owner = session.uow.persons.by_address(token.address)
    if owner is None:
        # Somebody else may have taken the name meanwhile.
        name = session.names().nearest(person.name, token.address)
        owner = replace(person, name=name, standing=AddressStanding.CONFIRMED)
    else:
        session.changes.forgotten.add(person.id)
        owner = _with_wishes(session, owner, person)
    session.changes.persons[owner.id] = owner
    session.proven, session.has_code = owner.id, True
    session.answer.verdict.append(Sentence("seats.confirmed", address=token.address))
    game, claim = _waiting(session, token)
    if claim is not None and game is not None:
        _seat(session, game, claim, owner)
    elif token.serial:
        session.answer.verdict.append(NOTHING_WAITS)


def _with_wishes(session: Session, owner: Person, asked: Person) -> Person:
    """Somebody who is known, with what their own unproven mail asked to change."""
    if asked.standing is AddressStanding.REGISTERING:
        return replace(owner, name=asked.name, zone=asked.zone)
    return owner if asked.zone == session.services.judge.zone else replace(owner, zone=asked.zone)


def _seat(session: Session, game: Game, claim: Seat, owner: Person) -> None:
    """The seat that waited is its owner's, if it still may be."""
    rest = _without(session, game, claim)
    seat = replace(claim, person=owner.id, address=claim.address)
    flaw = _flaw(session, game, claim, owner)
    if flaw:
        session.changes.read, session.changes.game = game, rest
        session.answer.verdict.append(Sentence("seats.no_seat", why=flaw))
    elif not game.is_confirmed:
        _found(session, game, seat, owner)
    elif claim.role is Role.OBSERVER:
        session.enter(rest, seat)
        watching(session, rest, owner)
    elif claim.powers:
        _lead(session, rest, seat, owner)
    else:
        session.enter(rest, seat)
        seated(session, seat, owner)


def _without(session: Session, game: Game, claim: Seat) -> Game:
    """The game without the seats that waited for an answer from the same address."""
    same = [each for each in game.claims if each.address == claim.address]
    for each in same:
        if each.claimed is not None and each is not claim:
            session.changes.forgotten.add(each.claimed.person)
    return registry.without_claims(game, {each.number for each in same})


def _flaw(session: Session, game: Game, claim: Seat, owner: Person) -> Wording | None:
    if not game.is_confirmed:
        return None
    if claim.role is Role.OBSERVER:
        return why_not_watch(game.conduct, owner)
    if claim.powers:
        seat = seat_of(game, claim.powers[0])
        if seat is None or seat.person is not None or game.status is Status.FINISHED:
            return Sentence("seats.too_late")
        return HAS_SEEN if has_seen_orders(game, owner) else unwelcome(session, game, owner)
    if game.status is not Status.FORMING or not still_needed(session.services.scenario(game), game):
        return Sentence("seats.all_taken", game=game.name)
    return unwelcome(session, game, owner)


def _found(session: Session, game: Game, seat: Seat, owner: Person) -> None:
    """The game is there for everybody."""
    session.changes.read = game
    session.set_game(replace(game, master=owner.id, seats=(seat,), claims=()))
    session.seat_number = session.opened_seat = seat.number
    if session.game is not None:
        created(session, session.game, owner)


def _lead(session: Session, game: Game, claim: Seat, owner: Person) -> None:
    """Somebody new leads a power whose player has left."""
    letter = PowerId(claim.powers[0])
    seat = seat_of(game, letter)
    if seat is None:
        return
    taken = replace(as_new(game, seat, owner, claim.password), address=claim.address)
    led(session, game, replace(taken, claimed=claim.claimed), letter, owner)


# --- answered again ---------------------------------------------------------------------------


def _hear_again(session: Session, token: AddressToken, person: Person | None) -> None:
    """The message was answered before: it still says who writes, and opens the seat it was for."""
    game = session.find_game(token.serial) if token.serial else None
    seats = game.seats if game is not None else ()
    seat = next((each for each in seats if each.person and _is_for(each, token)), None)
    if game is not None and seat is not None:
        session.speaks = (SeatToken(game.id, seat.number, seat.generation), *session.speaks)
    elif person is not None and token.address in person.addresses:
        session.proven, session.has_code = person.id, True
    else:
        session.answer.verdict.append(NOTHING_WAITS)
