"""One more address of somebody who is known: it is theirs when somebody answers from it.

The person is proved first, by the seat that the mail has opened or by a token from an address on
file; the new address then gets a message, and its answer does it.
"""

from dataclasses import replace
from datetime import timedelta

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.head import Head
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.credentials.mailed_tokens import Token, TokenPurpose, hash_of
from machjudge.service.credentials.reply_tokens import AddressToken, code_of, hash_of_code
from machjudge.service.game.view import zone_of
from machjudge.service.identity.forgetting import forget
from machjudge.service.identity.tokens import (
    MOST_ADDRESSES,
    confirm_change,
    is_valid,
    link_meant,
)
from machjudge.service.model.records import Game, Person, Seat
from machjudge.service.ports.mails import Outgoing
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.session import Session

LASTS = timedelta(days=3)
_ADDS = "add "
TOO_LATE = Sentence("identity.address.too_late")
TAKEN = Sentence("identity.address.taken")


def ask_address(session: Session, person: Person, address: str, seat: Seat | None = None) -> None:
    """Mail the new address what confirms it; with a seat, its mails go there from then on."""
    if session.game is None and seat is not None:
        return
    token = AddressToken(person.id, address, f"{_ADDS}{session.services.chance.token()}")
    hashed = hash_of_code(code_of(session.services.secret, token))
    until = session.now + LASTS
    kept = Token(hashed, TokenPurpose.LINK, person.id, session.now, until, address=address)
    if seat is not None and session.game is not None:
        kept = replace(kept, game=session.game.id, seat=seat.number)
    session.changes.tokens.append(kept)
    session.send(_letter(session, person, token))


def confirm(session: Session, line: Line, said: PlainCommand) -> None:
    """Whoever got the token at an address on file is the person; now the new address answers.

    Or they are forgotten, where the token is for that.
    """
    token = session.uow.keys.token(hash_of(said.text))
    if token is not None and token.purpose is TokenPurpose.FORGET and is_valid(session, token):
        session.secrets.add(said.text)
        forget(session, line, token)
        return
    meant = link_meant(session, line, said)
    if meant is None:
        return
    person, token = meant
    if session.services.judge.confirm:
        ask_address(session, person, token.address)
        session.done(Sentence("identity.address.asked", address=token.address))
        return
    linked = replace(person, addresses=(*person.addresses, token.address))
    session.changes.persons[person.id] = linked
    session.done(Sentence("identity.address.linked", address=token.address))


CONFIRM = CommandEntry(
    "confirm",
    COMING,
    ANYBODY,
    Act.READ,
    confirm,
    secret_at=1,
)


def _letter(session: Session, person: Person, token: AddressToken) -> Outgoing:
    until, zone = session.now + LASTS, zone_of(session.services, person)
    asks = Sentence("identity.address.please_confirm", name=person.name, until=until, zone=zone)
    subject = Sentence("identity.one_more_address")
    facts = {"head": Head(session.services.judge.code), "subject": subject, "lines": (asks,)}
    page = session.services.paper.page("token", facts)
    return Outgoing(token.address, page.subject, page.body, reply=token, takes_token=False)


def adds(token: AddressToken) -> bool:
    """Whether a token makes an address one of somebody's."""
    return token.serial.startswith(_ADDS)


def add_address(session: Session, token: AddressToken) -> None:
    """The address that got the message is one of the person's; once, and in time."""
    kept = session.uow.keys.token(hash_of_code(code_of(session.services.secret, token)))
    person = session.uow.persons.get(token.person)
    if person is None or (kept is None and token.address not in person.addresses):
        session.answer.verdict.append(TOO_LATE)
        return
    session.proven, session.has_code = person.id, True
    if kept is None:
        return
    if session.now >= kept.until or not _may_have(session, person, token.address):
        session.proven, session.has_code = None, False
        session.answer.verdict.append(TOO_LATE if session.now >= kept.until else TAKEN)
        return
    session.changes.used.add(kept.hashed)
    addresses = tuple(dict.fromkeys((*person.addresses, token.address)))
    session.changes.persons[person.id] = replace(person, addresses=addresses)
    session.answer.verdict.append(Sentence("identity.address.yours", address=token.address))
    game = session.find_game(kept.game) if kept.game is not None else None
    if game is not None and kept.seat is not None:
        _move(session, game, kept.seat, token)


def _may_have(session: Session, person: Person, address: str) -> bool:
    owner = session.uow.persons.by_address(address)
    if owner is not None:
        return owner.id == person.id
    return len(person.addresses) < MOST_ADDRESSES


def _move(session: Session, game: Game, number: int, token: AddressToken) -> None:
    """The mails of the seat go to the new address, and the old one is told."""
    seat = next((each for each in game.seats if each.number == number), None)
    if seat is None or seat.person != token.person:
        return
    session.enter(game, seat)
    confirm_change(session, "address", [Sentence("identity.address.moved")])
    session.set_seat(replace(seat, address=token.address))
    session.done(Sentence("identity.address.used", address=token.address))
