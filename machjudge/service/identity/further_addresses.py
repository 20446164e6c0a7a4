"""One more address of somebody who is known: it is theirs when somebody answers from it.

The person is proved first, by the seat that the mail has opened or by a token from an address on
file; the new address then gets a message, and its answer does it.
"""

from dataclasses import replace
from datetime import timedelta

from machjudge.language.commands.commands import Confirm
from machjudge.letters.page.head import Head
from machjudge.letters.wording.times import when
from machjudge.reading import Line
from machjudge.service.credentials.mailed_tokens import Purpose, Token
from machjudge.service.credentials.reply_tokens import AddressToken, code_of, hash_of_code
from machjudge.service.game.view import zone_of
from machjudge.service.identity.tokens import MOST_ADDRESSES, confirm_change, link_meant
from machjudge.service.model.records import Game, Person, Seat
from machjudge.service.ports.mails import Outgoing
from machjudge.service.session.session import Talk

LASTS = timedelta(days=3)
_ADDS = "add "
TOO_LATE = "That address was not asked for, or too long ago; ask for it again."
TAKEN = "That address belongs to somebody else now, or you have too many."


def ask_address(talk: Talk, person: Person, address: str, seat: Seat | None = None) -> None:
    """Mail the new address what confirms it; with a seat, its mails go there from then on."""
    if talk.game is None and seat is not None:
        return
    token = AddressToken(person.id, address, f"{_ADDS}{talk.desk.chance.token()}")
    hashed = hash_of_code(code_of(talk.desk.secret, token))
    until = talk.now + LASTS
    kept = Token(hashed, Purpose.LINK, person.id, talk.now, until, address=address)
    if seat is not None and talk.game is not None:
        kept = replace(kept, game=talk.game.id, seat=seat.number)
    talk.changes.tokens.append(kept)
    talk.send(_letter(talk, person, token))


def confirm(talk: Talk, line: Line, said: Confirm) -> None:
    """Whoever got the token at an address on file is the person; now the new address answers."""
    meant = link_meant(talk, line, said)
    if meant is None:
        return
    person, token = meant
    if talk.desk.judge.confirm:
        ask_address(talk, person, token.address)
        talk.done(f"A message goes to {token.address}: reply to it, and the address is yours.")
        return
    linked = replace(person, addresses=(*person.addresses, token.address))
    talk.changes.persons[person.id] = linked
    talk.done(f"{token.address} is now one of your addresses.")
    talk.done("Mails of your games still go to the old one; SET ADDRESS changes that.")


def _letter(talk: Talk, person: Person, token: AddressToken) -> Outgoing:
    lines = (
        f"{person.name} wants to use this address here.",
        "Reply to this message, empty or with your orders, to confirm your address.",
        "If you did not ask for it, ignore this message. It lapses on",
        f"  {when(talk.now + LASTS, zone_of(talk.desk, person))}.",
    )
    facts = {"head": Head(talk.desk.judge.code), "subject": "One More Address", "lines": lines}
    page = talk.desk.paper.page("token", facts)
    return Outgoing(token.address, page.subject, page.body, reply=token, takes_token=False)


def adds(token: AddressToken) -> bool:
    """Whether a token makes an address one of somebody's."""
    return token.serial.startswith(_ADDS)


def add_address(talk: Talk, token: AddressToken) -> None:
    """The address that got the message is one of the person's; once, and in time."""
    kept = talk.uow.keys.token(hash_of_code(code_of(talk.desk.secret, token)))
    person = talk.uow.persons.get(token.person)
    if person is None or (kept is None and token.address not in person.addresses):
        talk.answer.verdict.append(TOO_LATE)
        return
    talk.proven, talk.has_code = person.id, True
    if kept is None:
        return
    if talk.now >= kept.until or not _may_have(talk, person, token.address):
        talk.proven, talk.has_code = None, False
        talk.answer.verdict.append(TOO_LATE if talk.now >= kept.until else TAKEN)
        return
    talk.changes.used.add(kept.hashed)
    addresses = tuple(dict.fromkeys((*person.addresses, token.address)))
    talk.changes.persons[person.id] = replace(person, addresses=addresses)
    talk.answer.verdict.append(f"{token.address} is now one of your addresses.")
    game = talk.find_game(kept.game) if kept.game is not None else None
    if game is not None and kept.seat is not None:
        _move(talk, game, kept.seat, token)


def _may_have(talk: Talk, person: Person, address: str) -> bool:
    owner = talk.uow.persons.by_address(address)
    if owner is not None:
        return owner.id == person.id
    return len(person.addresses) < MOST_ADDRESSES


def _move(talk: Talk, game: Game, number: int, token: AddressToken) -> None:
    """The mails of the seat go to the new address, and the old one is told."""
    seat = next((each for each in game.seats if each.number == number), None)
    if seat is None or seat.person != token.person:
        return
    talk.enter(game, seat)
    confirm_change(talk, "address", ["The mails for it go to another address from now on."])
    talk.set_seat(replace(seat, address=token.address))
    talk.done(f"Mails of this game go to {token.address}.")
