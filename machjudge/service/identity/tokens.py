"""Tokens by mail: a way in for who forgot his password, a way back from a change, a link.

A token goes to addresses on file and nowhere else; only its hash is kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from machjudge.language.commands.commands import AlsoKnown, Confirm, SendToken
from machjudge.letters.page.head import Head, Reader
from machjudge.letters.wording.times import when
from machjudge.letters.wording.words import listed
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.credentials.mailed_tokens import WAY_BACK_LASTS, Purpose, Token, hash_of
from machjudge.service.game.registry import FORMING, MASTER, OBSERVER
from machjudge.service.game.view import zone_of
from machjudge.service.model.records import Game, Person, PersonId, Role, Seat
from machjudge.service.ports.mails import Outgoing
from machjudge.service.session.answerable import is_own
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.outgoing import head_of
from machjudge.service.session.session import Session

WAY_IN_LASTS = timedelta(hours=24)
LINK_LASTS = timedelta(hours=24)
AT_MOST_EVERY = timedelta(hours=1)
MOST_ADDRESSES = 5
"""Of one person."""
_ONE_SEAT = ("These lines open it once, and set a new password:",)
_SEVERAL_SEATS = (
    "You have several. Each pair of lines opens one of them once, in a",
    "mail of its own, and sets a new password:",
)


# --- a way in --------------------------------------------------------------------------------


def send_token(session: Session, line: Line, said: SendToken) -> None:
    """Mail a token for each seat that the writer has in a game to the addresses on file.

    The answer is the same whoever asks, and whether there is such a game or not.
    """
    session.done("If you have a seat in that game, a token goes to your")
    session.done("addresses on file, at most once an hour.")
    game = session.find_game(said.game.removeprefix("?"))
    if game is None:
        return
    asked: dict[PersonId, list[Seat]] = {}
    for seat in _own_seats(session, game):
        if seat.person is None or _sent_lately(session, seat.person, Purpose.WAY_IN, seat.number):
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
    SendToken,
)


def _own_seats(session: Session, game: Game) -> Iterable[Seat]:
    person = session.claimant
    for seat in game.seats:
        is_his = person is not None and seat.person == person.id
        if seat.person is not None and (is_his or seat.address == session.address):
            yield seat


def _sent_lately(
    session: Session, person: PersonId, purpose: Purpose, seat: int | None, address: str = ""
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
    token = Token("", Purpose.WAY_IN, person.id, session.now, session.now + WAY_IN_LASTS)
    lines = [
        f"Somebody asked to reset the password of your seat in {game.name}.",
        *(_ONE_SEAT if len(seats) == 1 else _SEVERAL_SEATS),
        "",
    ]
    for seat in seats:
        text = _make(session, replace(token, game=game.id, seat=seat.number))
        lines += [f"  SIGNON {letter_of(seat)}{game.name} {text}", "  SET PASSWORD new", ""]
    lines += [
        _until(session, person, WAY_IN_LASTS),
        "If you did not ask for it, ignore this message:",
        "your password is unchanged.",
    ]
    addresses = (*(seat.address for seat in seats), *person.addresses)
    for address in dict.fromkeys(addresses):
        session.send(_letter(session, address, person, "Password Reset", lines, game))


def letter_of(seat: Seat) -> str:
    """The letter of a seat's signon."""
    match seat.role:
        case Role.PLAYER:
            return seat.powers[0] if seat.powers else FORMING
        case Role.MASTER:
            return MASTER
        case Role.OBSERVER:
            return OBSERVER


# --- a way back ------------------------------------------------------------------------------


def confirm_change(session: Session, what: str, told: Sequence[str] = ()) -> None:
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
    session: Session, game: Game, old: Seat, changed: Sequence[tuple[str, tuple[str, ...]]]
) -> None:
    person = session.people(game).get(old.person) if old.person is not None else None
    if person is None:
        return
    token = Token("", Purpose.UNDO, person.id, session.now, session.now + WAY_BACK_LASTS)
    text = _make(session, replace(token, game=game.id, seat=old.number, address=old.address))
    what = listed(dict.fromkeys(what for what, _ in changed))
    were = "was" if what in ("password", "address") else "were"
    lines = [
        f"The {what} of your seat in {game.name} {were} changed.",
        *(line for _, told in changed for line in told),
        "If you did that, you need not do anything.",
        "If not, this opens the seat, and the mails come here again:",
        "",
        f"  SIGNON {letter_of(old)}{game.name} {text}",
        "  SET PASSWORD new",
        "",
        _until(session, person, WAY_BACK_LASTS),
    ]
    subject = f"{what.capitalize()} Change"
    session.send(_letter(session, old.address, person, subject, lines, game))


# --- a link ----------------------------------------------------------------------------------


def also_known(session: Session, line: Line, said: AlsoKnown) -> None:
    """Ask to be the same person as an address that is registered: it gets a token."""
    old = said.address.lower()
    if "@" not in old or is_own(old, session.services.judge.address) or old == session.address:
        session.refuse(
            line, "that is not another mail address of yours", instead="I AM ALSO old@example.org"
        )
        return
    session.done(f"If {old} is known here, a token goes there;")
    session.done("CONFIRM and the token join the two addresses.")
    person = session.uow.persons.by_address(old)
    if person is None or _sent_lately(session, person.id, Purpose.LINK, None, session.address):
        return
    token = Token("", Purpose.LINK, person.id, session.now, session.now + LINK_LASTS)
    text = _make(session, replace(token, address=session.address))
    lines = [
        f"Somebody at {session.address} claims to be you.",
        "If you are, send this from either address:",
        "",
        f"  CONFIRM {text}",
        "",
        _until(session, person, LINK_LASTS),
        "If you are not, ignore this message.",
    ]
    session.send(_letter(session, old, person, "One More Address", lines))


I_AM_ALSO = CommandEntry(
    "i am also",
    COMING,
    ANYBODY,
    Act.READ,
    also_known,
    AlsoKnown,
)


def link_meant(session: Session, line: Line, said: Confirm) -> tuple[Person, Token] | None:
    """Whose address a token makes another one, and the token; refuses one that is worth nothing."""
    session.secrets.add(said.token)
    token = session.uow.keys.token(hash_of(said.token))
    is_used = token is not None and token.hashed in session.changes.used
    if token is None or token.purpose is not Purpose.LINK or is_used or session.now >= token.until:
        session.refuse(line, "that token is not valid; a token works once, within a day")
        return None
    person = session.uow.persons.get(token.person)
    flaw = _link_flaw(session, person, token.address)
    if person is None or flaw:
        session.refuse(line, flaw)
        return None
    session.changes.used.add(token.hashed)
    return person, token


def _link_flaw(session: Session, person: Person | None, address: str) -> str:
    if person is None or session.uow.persons.by_address(address) is not None:
        return "the new address is already registered to another person"
    if len(person.addresses) >= MOST_ADDRESSES:
        return f"a person has {MOST_ADDRESSES} addresses at most"
    return ""


# --- letters ---------------------------------------------------------------------------------


def _make(session: Session, token: Token) -> str:
    """A new token's text; its hash is kept."""
    text = session.services.chance.token()
    session.changes.tokens.append(replace(token, hashed=hash_of(text)))
    return text


def _phase(session: Session, game: Game) -> str:
    """The code of the phase that a game is at; empty while it forms."""
    if game.position is None:
        return ""
    return session.uow.phases.get(game.id, game.position).after.moment.code


def _until(session: Session, person: Person, lasts: timedelta) -> str:
    return f"It works until {when(session.now + lasts, zone_of(session.services, person))}."


def _letter(
    session: Session,
    address: str,
    person: Person,
    subject: str,
    lines: Sequence[str],
    game: Game | None = None,
) -> Outgoing:
    code = session.services.judge.code
    facts = {
        "head": head_of(session.services, game, _phase(session, game))
        if game is not None
        else Head(code),
        "subject": subject,
        "lines": lines,
        "reader": Reader(person.name, zone_of(session.services, person), session.now),
    }
    page = session.services.paper.page("token", facts)
    about = game.id if game is not None else None
    return Outgoing(address, page.subject, page.body, game=about, phase=page.phase)
