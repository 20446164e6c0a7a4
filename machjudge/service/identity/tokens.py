"""Tokens by mail: a way in for who forgot their password, a way back from a change, a link.

A token goes to addresses on file and nowhere else; only its hash is kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.head import Head
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.credentials.mailed_tokens import WAY_BACK_LASTS, Token, TokenPurpose, hash_of
from machjudge.service.credentials.reply_tokens import SeatToken
from machjudge.service.game.registry import FORMING, MASTER, OBSERVER
from machjudge.service.game.view import reader_of, zone_of
from machjudge.service.model.records import Game, Person, PersonId, Role, Seat
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.message_parts import paged
from machjudge.service.session.answerable import is_own
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.outgoing import head_of
from machjudge.service.session.session import Session

WAY_IN_LASTS = timedelta(hours=24)
LINK_LASTS = timedelta(hours=24)
AT_MOST_EVERY = timedelta(hours=1)
MOST_ADDRESSES = 5
"""Of one person."""


# --- a way in --------------------------------------------------------------------------------


def send_token(session: Session, line: Line, said: PlainCommand) -> None:
    """Mail a token for each seat that the writer has in a game to the addresses on file.

    The answer is the same whoever asks, and whether there is such a game or not.
    """
    session.done(Sentence("identity.token.sent"))
    game = session.find_game(said.text.removeprefix("?"))
    if game is None:
        return
    asked: dict[PersonId, list[Seat]] = {}
    for seat in _own_seats(session, game):
        if seat.person is None or sent_lately(
            session, seat.person, TokenPurpose.WAY_IN, seat.number
        ):
            continue
        asked.setdefault(seat.person, []).append(seat)
    for owner, seats in asked.items():
        person = session.uow.persons.get(owner)
        if person is not None:
            _mail_way_in(session, game, seats, person)


SEND_TOKEN = CommandEntry(
    "send token",
    COMING,
    ANYBODY,
    Act.READ,
    send_token,
)


def _own_seats(session: Session, game: Game) -> Iterable[Seat]:
    person = session.claimant
    for seat in game.seats:
        is_his = person is not None and seat.person == person.id
        if seat.person is not None and (is_his or seat.address == session.address):
            yield seat


def sent_lately(
    session: Session,
    person: PersonId,
    purpose: TokenPurpose,
    seat: int | None = None,
    address: str = "",
) -> bool:
    """Whether such a token was made in the last hour; used ones count no more."""
    made = [
        *session.uow.keys.made_since(person, session.now - AT_MOST_EVERY),
        *session.changes.tokens,
    ]
    wanted = (person, purpose, seat, address)
    return any(
        (each.person, each.purpose, each.seat, each.address) == wanted
        for each in made
        if each.made > session.now - AT_MOST_EVERY
    )


def _mail_way_in(session: Session, game: Game, seats: Sequence[Seat], person: Person) -> None:
    """One message to each address, with a token for each seat."""
    session.mails_token = True
    token = Token("", TokenPurpose.WAY_IN, person.id, session.now, session.now + WAY_IN_LASTS)
    made = tuple(
        (letter_of(seat), make_token(session, replace(token, game=game.id, seat=seat.number)))
        for seat in seats
    )
    zone = zone_of(session.services, person)
    way_in = Sentence(
        "identity.token.way_in", game=game.name, seats=made, until=token.until, zone=zone
    )
    subject = Sentence("identity.token.reset")
    addresses = (*(seat.address for seat in seats), *person.addresses)
    for address in dict.fromkeys(addresses):
        session.send(token_letter(session, address, person, subject, way_in, game))


def letter_of(seat: Seat) -> str:
    """The letter of a seat's signon."""
    match seat.role:
        case Role.PLAYER:
            return seat.powers[0] if seat.powers else FORMING
        case Role.MASTER:
            return MASTER
        case Role.OBSERVER:
            return OBSERVER


def signon_for(session: Session) -> tuple[str, Game] | None:
    """What signs on to the seat of a mail's reply code, and its game; also of an old code.

    Empty where that seat is gone.
    """
    token = next((each for each in session.speaks if isinstance(each, SeatToken)), None)
    game = session.find_game(token.game) if token is not None else None
    if token is None or game is None:
        return None
    seat = next((each for each in game.seats if each.number == token.seat), None)
    return f"{letter_of(seat)}{game.name}" if seat is not None else "", game


# --- a way back ------------------------------------------------------------------------------


def confirm_change(session: Session, what: str, told: Sequence[Wording] = ()) -> None:
    """Have the old address of a seat told that something was changed.

    *what* is the password or the address.  `confirm_changes` tells it when the mail is over.
    """
    if session.seat_number is not None:
        session.to_confirm.append((session.seat_number, what, tuple(told)))


def confirm_changes(session: Session) -> None:
    """Tell the old address of each seat once what this mail has changed; a token undoes it.

    Nothing goes out where the seat is younger than this mail.
    """
    read = session.changes.read
    for seat in read.seats if read is not None else ():
        changed = [
            (what, told) for number, what, told in session.to_confirm if number == seat.number
        ]
        if changed and read is not None:
            _confirm(session, read, seat, changed)


def _confirm(
    session: Session, game: Game, old: Seat, changed: Sequence[tuple[str, tuple[Wording, ...]]]
) -> None:
    person = session.people(game).get(old.person) if old.person is not None else None
    if person is None:
        return
    token = Token("", TokenPurpose.UNDO, person.id, session.now, session.now + WAY_BACK_LASTS)
    text = make_token(session, replace(token, game=game.id, seat=old.number, address=old.address))
    whats = dict.fromkeys(Sentence(f"identity.changed.{what}") for what, _ in changed)
    way_back = Sentence(
        "identity.changed.way_back",
        what=tuple(whats),
        game=game.name,
        told=tuple(line for _, told in changed for line in told),
        letter=letter_of(old),
        token=text,
        until=token.until,
        zone=zone_of(session.services, person),
    )
    subject = Sentence("identity.changed.subject", what=tuple(whats))
    session.send(token_letter(session, old.address, person, subject, way_back, game))


# --- a link ----------------------------------------------------------------------------------


def also_known(session: Session, line: Line, said: PlainCommand) -> None:
    """Ask to be the same person as an address that is registered: it gets a token."""
    old = said.text.lower()
    if "@" not in old or is_own(old, session.services.judge.address) or old == session.address:
        not_another = Sentence("identity.link.not_another")
        session.refuse(line, not_another, instead=Sentence("commands.i_am_also.usage"))
        return
    session.done(Sentence("identity.link.sent", address=old))
    person = session.uow.persons.by_address(old)
    if person is None or sent_lately(session, person.id, TokenPurpose.LINK, None, session.address):
        return
    token = Token("", TokenPurpose.LINK, person.id, session.now, session.now + LINK_LASTS)
    text = make_token(session, replace(token, address=session.address))
    claim = Sentence(
        "identity.link.claim",
        address=session.address,
        token=text,
        until=token.until,
        zone=zone_of(session.services, person),
    )
    session.send(token_letter(session, old, person, Sentence("identity.one_more_address"), claim))


I_AM_ALSO = CommandEntry(
    "i am also",
    COMING,
    ANYBODY,
    Act.READ,
    also_known,
)


def is_valid(session: Session, token: Token) -> bool:
    """Whether a token is worth something still: it was not used, and its time is not over."""
    return token.hashed not in session.changes.used and session.now < token.until


def link_meant(session: Session, line: Line, said: PlainCommand) -> tuple[Person, Token] | None:
    """Whose address a token makes another one, and the token; refuses one that is worth nothing."""
    session.secrets.add(said.text)
    token = session.uow.keys.token(hash_of(said.text))
    is_link = token is not None and token.purpose is TokenPurpose.LINK
    if token is None or not is_link or not is_valid(session, token):
        session.refuse(line, Sentence("identity.link.not_valid"))
        return None
    person = session.uow.persons.get(token.person)
    flaw = _link_flaw(session, person, token.address)
    if person is None or flaw is not None:
        session.refuse(line, flaw or "")
        return None
    session.changes.used.add(token.hashed)
    return person, token


def _link_flaw(session: Session, person: Person | None, address: str) -> Sentence | None:
    if person is None or session.uow.persons.by_address(address) is not None:
        return Sentence("identity.link.registered")
    if len(person.addresses) >= MOST_ADDRESSES:
        return Sentence("identity.link.too_many", most=MOST_ADDRESSES)
    return None


# --- letters ---------------------------------------------------------------------------------


def make_token(session: Session, token: Token) -> str:
    """A new token's text; its hash is kept."""
    text = session.services.chance.token()
    session.changes.tokens.append(replace(token, hashed=hash_of(text)))
    return text


def _phase(session: Session, game: Game) -> str:
    """The code of the phase that a game is at; empty while it forms."""
    if game.position is None:
        return ""
    return session.uow.phases.get(game.id, game.position).after.moment.code


def token_letter(
    session: Session,
    address: str,
    person: Person,
    subject: Sentence,
    says: Sentence,
    game: Game | None = None,
) -> Outgoing:
    """A message with a token to one address; it carries no reply code."""
    code = session.services.judge.code
    facts = {
        "head": head_of(session.services, game, _phase(session, game))
        if game is not None
        else Head(code),
        "subject": subject,
        "lines": (says,),
        "reader": reader_of(session.services, person, session.now),
    }
    page = session.services.paper.page("token", facts)
    about = game.id if game is not None else None
    return paged(address, page, about)
