"""Ending the reply tokens of a seat."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo
from zoneinfo import available_timezones as zones_on_disk

from machjudge.judge import people
from machjudge.judge import people as registry
from machjudge.judge.changes import Changes
from machjudge.judge.credentials import (
    MOST_WAITING,
    WAITS,
    WAY_BACK_LASTS,
    Act,
    ActToken,
    AddressToken,
    PendingAct,
    Proven,
    SeatToken,
    Speaks,
    Token,
    TokenPurpose,
    Verdict,
    code_of,
    hash_of,
    hash_of_code,
    verdict,
)
from machjudge.judge.game_view import reader_of, zone_of, zone_words
from machjudge.judge.mail_context import (
    ANYBODY,
    COMING,
    MASTERS,
    NOT_CONFIRMED,
    RUNNING,
    SEATED,
    CommandEntry,
    Session,
    is_own,
    tell_unread,
)
from machjudge.judge.mails import Outgoing, paged
from machjudge.judge.outgoing import announce_setting, head_of
from machjudge.judge.people import FORMING, MASTER, OBSERVER
from machjudge.judge.ports import Services, Stale
from machjudge.judge.records import (
    AddressStanding,
    Claimed,
    Game,
    GameId,
    Person,
    PersonId,
    Role,
    Seat,
)
from machjudge.judge.sign_in import may_try, own_words
from machjudge.language.commands import PlainCommand, Setting
from machjudge.mail_parser.lines import Line, Mail, Where, agrees
from machjudge.messages.render import Answer, Head
from machjudge.messages.wording import Trouble
from machjudge.sentence import Sentence, Wording

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
        "head": head_of(session.services, game, _phase_irreversible(session)),
        "subject": Sentence("identity.please_confirm"),
        "lines": (question,),
        "reader": reader_of(session.services, owner, session.now),
    }
    page = session.services.paper.page("token", facts)
    asked = paged(addresses_on_file(session, seat)[0], page, game.id)
    return replace(asked, reply=ActToken(act.name))


def _name(person: Person | None) -> str:
    return person.name if person is not None else ""


def _phase_irreversible(session: Session) -> str:
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


def revoke_tokens(session: Session, _: Line, __: PlainCommand) -> None:
    """End all reply tokens of the seat; the answer to this mail carries a new one."""
    if session.seat is None:
        return
    session.set_seat(replace(session.seat, generation=session.seat.generation + 1))
    session.note("revoked", Sentence("identity.revoked.log", number=session.seat.number))
    session.done(Sentence("identity.revoked.done"))


REVOKE_TOKENS = CommandEntry(
    "revoke tokens",
    COMING,
    SEATED,
    Act.ENTER,
    revoke_tokens,
)


MOST_CLAIMS = 3
"""Seats at one game that may wait for an answer from one address."""
MOST_AT_A_GAME = 50
LASTS = timedelta(days=3)
"""How long somebody waits for an answer who has no game whose master could say so."""


def claim_seat(session: Session, game: Game, seat: Seat, person: Person) -> None:
    """Keep a seat for somebody until they answer from the address that they claim.

    Nobody is kept out by those who do not answer: where there are many, the oldest gives way.
    """
    number = people.next_number(game)
    gone = _giving_way(game, seat.address)
    session.claim(game, replace(seat, number=number, claimed=Claimed(person.id, session.now)))
    give_way(session, gone)
    ask_to_answer(session, person)


def _giving_way(game: Game, address: str) -> list[Seat]:
    """The claims for which there is no room beside one more of an address."""
    by_age = sorted(game.claims, key=lambda claim: (claim.claimed is not None, _since(claim)))
    own = [claim for claim in by_age if claim.address == address]
    gone = own[: max(0, len(own) + 1 - MOST_CLAIMS)]
    rest = [claim for claim in by_age if claim not in gone]
    return gone + rest[: max(0, len(rest) + 1 - MOST_AT_A_GAME)]


def _since(claim: Seat) -> datetime:
    return claim.claimed.since if claim.claimed is not None else datetime.max.replace(tzinfo=UTC)


def give_way(session: Session, claims: Sequence[Seat]) -> None:
    """Drop claims of the open game, and for whom they were kept."""
    if session.game is not None and claims:
        numbers = {claim.number for claim in claims}
        session.set_game(people.without_claims(session.game, numbers))
    session.changes.forgotten |= {each.claimed.person for each in claims if each.claimed}


def ask_to_answer(session: Session, person: Person) -> None:
    """Have the answer to this mail ask for a reply from the claimed address."""
    session.waits = person


def waiting_words(session: Session) -> Iterator[Sentence]:
    """What the acknowledgement asks for and of whom, and what the answer would set."""
    person = session.waits
    if person is None:
        return
    claim = session.seat if session.is_claim else None
    is_known = session.uow.persons.by_address(person.addresses[0]) is not None
    yield Sentence(
        "identity.seat.waits",
        is_known=is_known,
        until=session.now + lasts(session.game),
        zone=zone_of(session.services, person),
    )
    yield from what_is_set(session.services, session.game, person, claim, is_known=is_known)


def rivals(game: Game, claim: Seat) -> list[Seat]:
    """The other claims of the same address at a game."""
    others = (each for each in game.claims if each.number != claim.number)
    return [each for each in others if each.address == claim.address]


def what_is_set(
    services: Services, game: Game | None, person: Person, claim: Seat | None, *, is_known: bool
) -> Iterator[Sentence]:
    """What the answer sets, as the mail has asked for it, and how many have asked for the same.

    *is_known*: the address is somebody's here.
    """
    others = rivals(game, claim) if game is not None and claim is not None else []
    registers = person.standing is AddressStanding.REGISTERING
    wishes = claim.preferences if claim is not None else ""
    sets = (
        (claim is not None and not others, Sentence("identity.seat.sets.password")),
        (registers or not is_known, Sentence("identity.seat.sets.name", name=person.name)),
        (
            registers or person.zone != services.judge.zone,
            Sentence("identity.seat.sets.zone", zone=zone_words(person.zone)),
        ),
        (bool(wishes), Sentence("identity.seat.sets.preferences", preferences=wishes)),
    )
    told = tuple(sentence for is_so, sentence in sets if is_so)
    if told:
        yield Sentence("identity.seat.answer_sets", sets=told)
    if others:
        yield Sentence("identity.seat.several", n=len(others) + 1)


def code_for(session: Session, address: str) -> Speaks | None:
    """For what an answer to this mail's answer speaks, beside a seat: for an address."""
    if session.waits is not None:
        own = address == session.waits.addresses[0]
        claim = session.seat if session.is_claim else None
        return token_of_claim(session.game, session.waits, claim) if own else None
    person = session.person
    if not session.has_code or person is None or address not in person.addresses:
        return None
    return AddressToken(person.id, address)


def token_of_claim(game: Game | None, person: Person, claim: Seat | None) -> AddressToken:
    """What the answer to a message about a claim carries: whose it is, at which game, for what."""
    at = game.id if game is not None else ""
    seat = f" {letter_of(claim)}" if claim is not None else ""
    return AddressToken(person.id, person.addresses[0], f"{at}{seat}")


def lasts(game: Game | None) -> timedelta:
    """How long a seat waits for an answer."""
    return timedelta(hours=game.conduct.confirm_hours) if game is not None else LASTS


def is_over(game: Game, claim: Seat, now: datetime) -> bool:
    """Whether nobody has answered in time."""
    return claim.claimed is not None and now >= claim.claimed.since + lasts(game)


# --- opening one ------------------------------------------------------------------------------


def open_claim(session: Session, game: Game, letter: str, password: str) -> bool:
    """Speak from a seat that waits for an answer, if the password is its own; say whether it is."""
    claims = _candidates(session, game, letter)
    if not claims or not may_try(session, game.id, letter):
        return False
    for claim in claims:
        if people.is_right(session.services, claim.password, password):
            session.claim(game, claim)
            session.waits = session.person
            return True
    return False


def _candidates(session: Session, game: Game, letter: str) -> list[Seat]:
    """The seats under the address in From that a signon with that letter means."""
    own = [claim for claim in game.claims if claim.address == session.address]
    return [claim for claim in own if _is_called(claim, letter)][:MOST_CLAIMS]


def _is_called(claim: Seat, letter: str) -> bool:
    match claim.role:
        case Role.PLAYER:
            return letter in claim.powers or (letter == people.FORMING and not claim.powers)
        case Role.MASTER:
            return letter == people.MASTER
        case Role.OBSERVER:
            return letter == people.OBSERVER


def withdraw(session: Session, game: Game, claim: Seat) -> None:
    """Give up a seat that waits for an answer, and whoever it waits for."""
    if not game.is_confirmed:
        session.changes.is_removed = True
    session.set_game(people.without_claims(game, {claim.number}))
    if claim.claimed is not None:
        session.changes.persons.pop(claim.claimed.person, None)
        if session.uow.persons.get(claim.claimed.person) is not None:
            session.changes.forgotten.add(claim.claimed.person)
    session.seat_number = session.opened_seat = session.waits = None
    session.is_closed = session.has_resigned = True
    session.done(Sentence("identity.seat.withdrawn", game=game.name))


# --- what it may do ---------------------------------------------------------------------------


def why_not_yet(session: Session, entry: CommandEntry) -> Sentence | None:
    """Why a command waits until the address of the open seat is confirmed; None if it may be."""
    if session.proof is not Proven.UNCONFIRMED:
        return None
    found = verdict(entry.act, Proven.UNCONFIRMED)
    is_own = session.game is not None and not session.game.is_confirmed
    may = found in (Verdict.YES, Verdict.ANSWERED) or (
        found is Verdict.OWN and (is_own or entry.name == "resign")
    )
    return None if may and entry.name != "set address" else NOT_CONFIRMED


def forget_me(session: Session, _: Line, __: PlainCommand) -> None:
    """Mail a token to whoever writes, at their addresses on file; the answer says the same to all.

    CONFIRM and the token have them forgotten.
    """
    session.done(Sentence("identity.forget.sent"))
    person = session.claimant
    if person is not None and not sent_lately(session, person.id, TokenPurpose.FORGET):
        _mail_token(session, person)


FORGET_ME = CommandEntry(
    "forget me",
    COMING,
    ANYBODY,
    Act.READ,
    forget_me,
)


def forget(session: Session, line: Line, token: Token) -> None:
    """Have somebody forgotten who has a seat in no game any more that is not over."""
    games = _unfinished(session, token.person)
    if games:
        session.refuse(line, Sentence("identity.forget.still_there", games=games))
        return
    session.changes.used.add(token.hashed)
    session.changes.erased.add(token.person)
    session.done(Sentence("identity.forget.done"))
    session.is_closed = True


def _unfinished(session: Session, person: PersonId) -> tuple[str, ...]:
    found = session.uow.games.unfinished()
    return tuple(game.name for game in found if any(seat.person == person for seat in game.seats))


def _mail_token(session: Session, person: Person) -> None:
    token = Token("", TokenPurpose.FORGET, person.id, session.now, session.now + LINK_LASTS)
    text = make_token(session, token)
    zone = zone_of(session.services, person)
    says = Sentence("identity.forget.letter", token=text, until=token.until, zone=zone)
    subject = Sentence("identity.please_confirm")
    session.mails_token = True
    for address in person.addresses:
        session.send(token_letter(session, address, person, subject, says))


_REMINDED_AFTER = timedelta(days=1)
_MOST_HOURS = 30 * 24
_HOURS = {"hour": 1, "hours": 1, "h": 1, "day": 24, "days": 24, "d": 24}


def look_after_claims(services: Services, now: datetime) -> None:
    """Remind everybody once whose answer is missing, and drop what nobody has confirmed."""
    with services.store.reading() as uow:
        people = {person.id: person for person in uow.persons.unconfirmed(now)}
        names = uow.games.claimed() if people else ()
        games = [game for name in names if (game := uow.games.get(name)) is not None]
    for game in games:
        # Whoever was faster has answered, or the next tick looks again.
        with suppress(Stale):
            _look_at(services, game.id, now)
    seated = {claim.person for game in games for claim in game.claims}
    old = [p.id for p in people.values() if p.id not in seated and p.registered + LASTS <= now]
    _forget(services, old)


def _forget(services: Services, people: Sequence[PersonId]) -> None:
    """Drop registrations that nobody has confirmed."""
    for person in people:
        # Whoever was faster has confirmed it, or forgotten it as well.
        with suppress(Stale), services.store.writing() as uow:
            known = uow.persons.get(person)
            if known is not None and not known.is_confirmed:
                uow.persons.remove(person)
                uow.commit()


def _look_at(services: Services, name: GameId, now: datetime) -> None:
    with services.store.writing() as uow:
        uow.games.lock(name)
        game = uow.games.get(name)
        if game is None or uow.inbox.any_before(now, name):
            return
        found = (uow.persons.get(claim.person) for claim in game.claims if claim.person)
        people = {person.id: person for person in found if person is not None}
        known = {c.address for c in game.claims if uow.persons.by_address(c.address) is not None}
        _changes(services, game, people, known, now).write(uow)
        uow.commit()


def _changes(
    services: Services,
    game: Game,
    people: dict[PersonId, Person],
    known: Collection[str],
    now: datetime,
) -> Changes:
    """What is to be done; *known* are the addresses that belong to somebody here."""
    over = [claim for claim in game.claims if is_over(game, claim, now)]
    late = [
        (claim, people[claim.person])
        for claim in game.claims
        if claim.person in people and claim not in over and _is_late(game, claim, now)
    ]
    rest = registry.without_claims(game, {claim.number for claim in over})
    for claim, _ in late:
        rest = registry.with_claim(rest, _reminded(claim))
    return Changes(
        read=game,
        game=rest,
        is_removed=not (rest.seats or rest.claims),
        forgotten={claim.person for claim in over if claim.person in people},
        letters=[
            _reminder(services, game, claim, person, now, is_known=claim.address in known)
            for claim, person in late
        ],
    )


def _is_late(game: Game, claim: Seat, now: datetime) -> bool:
    """Whether to remind them: after a day, or half of the time where that is earlier."""
    claimed, after = claim.claimed, min(_REMINDED_AFTER, lasts(game) / 2)
    return claimed is not None and not claimed.reminded and now >= claimed.since + after


def _reminded(claim: Seat) -> Seat:
    told = replace(claim.claimed, reminded=True) if claim.claimed is not None else None
    return replace(claim, claimed=told)


def _reminder(
    services: Services,
    game: Game,
    claim: Seat,
    person: Person,
    now: datetime,
    *,
    is_known: bool,
) -> Outgoing:
    since = claim.claimed.since if claim.claimed is not None else now
    until, zone = since + lasts(game), zone_of(services, person)
    asks = Sentence("identity.seat.reminder", game=game.name, until=until, zone=zone)
    subject = Sentence("identity.please_confirm")
    lines = (asks, *what_is_set(services, game, person, claim, is_known=is_known))
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": lines}
    page = services.paper.page("token", facts)
    code = token_of_claim(game, person, claim)
    return Outgoing(claim.address, page.subject, page.body, game=game.id, reply=code)


# --- for the master ---------------------------------------------------------------------------


def unconfirmed_lines(game: Game) -> list[Sentence]:
    """How many seats wait for an answer, for a master; empty where none does."""
    waiting = len(game.claims)
    return [Sentence("identity.seat.unconfirmed", n=waiting)] if waiting else []


def set_confirm(session: Session, line: Line, said: Setting) -> None:
    """Say how long a seat waits for somebody to confirm their address."""
    hours = _hours(said.value)
    if session.game is None:
        return
    if hours is None or not said.on:
        session.refuse(line, Sentence("identity.seat.days"), instead="SET CONFIRM 3 DAYS")
        return
    changed = replace(session.game, conduct=replace(session.game.conduct, confirm_hours=hours))
    session.set_game(changed)
    told = Sentence("identity.seat.confirm_within", hours=hours)
    session.note("confirm", told)
    session.done(told)
    announce_setting(session, changed, [told])


SET_CONFIRM = CommandEntry(
    "set confirm",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_confirm,
    setting="confirm",
)


def _hours(words: Sequence[str]) -> int | None:
    """The hours that ``3 days`` or ``36 hours`` are; a number alone counts days."""
    number, *unit = words or ("",)
    each = _HOURS.get(" ".join(unit).lower() if unit else "days")
    if each is None or not number.isdecimal() or len(number) > len(str(_MOST_HOURS)):
        return None
    hours = int(number) * each
    return hours if 1 <= hours <= _MOST_HOURS else None


NO_NAME = Sentence("identity.register.first")


def register(session: Session, line: Line, fields: Sequence[Line]) -> None:
    """Write down or change who somebody is; *fields* are lines such as ``Name: Lucia``."""
    said = {key: (value, at) for at in fields for key, value in [_field(at)]}
    person = session.person
    is_new = person is None
    named = said.get("name", ("", line))
    name = _free_name(session, *named) if named[0] else ""
    if person is None:
        name = name or _name_of_mail(session)
        if not name:
            session.refuse(line, Sentence("identity.register.no_name"))
            return
        person = session.somebody_new(name)
    elif name:
        person = replace(person, name=name)
    person = session.known_by(_with_zone(session, person, said))
    if not person.is_confirmed:
        session.known_by(replace(person, standing=AddressStanding.REGISTERING))
        ask_to_answer(session, person)
    told = Sentence(
        "identity.register.registered",
        name=person.name,
        zone=zone_words(person.zone),
        is_done=person.is_confirmed,
        is_assumed=is_new and not said.keys() & _ZONES,
    )
    session.done(told)


def _free_name(session: Session, typed: str, line: Line) -> str:
    """The name as it is kept; empty, and refused, where nobody may be called so."""
    flaw = session.names().flaw(typed)
    if flaw is not None:
        session.refuse(line, flaw)
        return ""
    return people.clean_name(typed)


def _name_of_mail(session: Session) -> str:
    """The name in From, or one like it that is free; empty if there is none."""
    wanted = people.clean_name(session.mail.display_name)
    return session.names().nearest(wanted, session.address) if wanted else ""


def _field(line: Line) -> tuple[str, str]:
    key, _, value = line.text.partition(":")
    return key.strip().lower().replace(" ", ""), value.strip()


def _with_zone(session: Session, person: Person, said: dict[str, tuple[str, Line]]) -> Person:
    for key in _ZONES:
        if key in said:
            zone, line = said[key]
            found = find_zone(zone)
            if found is None:
                near = nearest_zone(zone) or "Europe/Rome"
                until = zone_words(person.zone)
                unknown = Sentence("identity.register.no_zone", zone=zone, until=until)
                session.refuse(line, unknown, f"Timezone: {near}")
                continue
            person = replace(person, zone=found)
    return person


@cache
def available_timezones() -> frozenset[str]:
    """The names of all time zones; looked up on the disk once."""
    return frozenset(zones_on_disk())


def find_zone(text: str) -> str | None:
    """A time zone by its IANA name in any case, its city, or hours from UTC; or None."""
    wanted = text.strip().strip(".,;").replace(" ", "_").lower()
    exact = next((zone for zone in available_timezones() if zone.lower() == wanted), None)
    if exact is not None:
        return exact
    offset = _OFFSET.fullmatch(wanted)
    if offset is not None:
        # The signs of these names are turned round: Etc/GMT-1 is an hour east of Greenwich.
        hours = int(offset["hours"]) * (1 if offset["sign"] == "-" else -1)
        name = f"Etc/GMT{hours:+d}" if hours else "UTC"
        return name if name in available_timezones() else None
    names = (wanted, wanted.partition("(")[0].rstrip("_"), wanted.partition(",")[0])
    return next((zone for name in names if (zone := _zone_of_city(name)) is not None), None)


def _zone_of_city(name: str) -> str | None:
    """The zone of a city of that name; None where several differ.

    Some cities have two names in the zone database, for one and the same zone.
    """
    cities = sorted((zone for zone in available_timezones() if _is_city(zone, name)), key=len)
    if len({tuple(_offsets(zone)) for zone in cities}) > 1:
        return None
    return next(iter(cities), None)


def _offsets(zone: str) -> Iterator[timedelta | None]:
    """How far the zone is from UTC, month by month through some years."""
    months = (datetime(year, month, 1) for year in _YEARS for month in range(1, 13))  # noqa: DTZ001
    return (ZoneInfo(zone).utcoffset(month) for month in months)


def nearest_zone(text: str) -> str | None:
    """The name of the time zone that looks most like a text."""
    zones = (zone for zone in sorted(available_timezones()) if zone.partition("/")[0] in _AREAS)
    cities = {zone.rpartition("/")[2].lower(): zone for zone in zones}
    wanted = text.strip().replace(" ", "_").lower().rpartition("/")[2]
    near = get_close_matches(wanted, cities, n=1, cutoff=0.7)
    return cities[near[0]] if near else None


def _is_city(zone: str, wanted: str) -> bool:
    area, _, city = zone.rpartition("/")
    return area.partition("/")[0] in _AREAS and city.lower() == wanted


_OFFSET = re.compile(r"(?:utc|gmt)?(?P<sign>[+-])0?(?P<hours>\d{1,2})(?::?00)?")
_ZONES = ("timezone", "zone")
_YEARS = range(2000, 2031)
_AREAS = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def newcomer(session: Session, line: Line, password: str) -> Person | None:
    """Whoever takes a new seat with a password of their own; nothing where something is wrong."""
    flaw = people.password_flaw(password)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return None
    person = session.person_or_new()
    if person is None:
        session.refuse_all(line, NO_NAME)
    return person


REGISTER = CommandEntry(
    "register",
    COMING,
    ANYBODY,
    Act.PERSON,
    None,
)


ADDRESS_QUESTION_LASTS = timedelta(days=3)
_ADDS = "add "
TOO_LATE = Sentence("identity.address.too_late")
TAKEN = Sentence("identity.address.taken")


def ask_address(session: Session, person: Person, address: str, seat: Seat | None = None) -> None:
    """Mail the new address what confirms it; with a seat, its mails go there from then on."""
    if session.game is None and seat is not None:
        return
    token = AddressToken(person.id, address, f"{_ADDS}{session.services.chance.token()}")
    hashed = hash_of_code(code_of(session.services.secret, token))
    until = session.now + ADDRESS_QUESTION_LASTS
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
    until, zone = session.now + ADDRESS_QUESTION_LASTS, zone_of(session.services, person)
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
