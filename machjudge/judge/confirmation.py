"""Confirmations by mail: of acts, seats, addresses and registrations, and their tokens."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from typing import TypeAlias
from zoneinfo import ZoneInfo
from zoneinfo import available_timezones as zones_on_disk

from machjudge.judge import people
from machjudge.judge import people as registry
from machjudge.judge.changes import Changes
from machjudge.judge.commands import SEATED, CommandEntry, command, setting
from machjudge.judge.credentials import (
    MAX_WAITING,
    TOKEN_LASTS,
    WAITS,
    WAY_BACK_LASTS,
    Act,
    ActToken,
    AddressToken,
    PendingAct,
    Proven,
    SeatToken,
    Token,
    TokenPurpose,
    TokenScope,
    Verdict,
    code_of,
    hash_of,
    verdict,
)
from machjudge.judge.faults import Stale
from machjudge.judge.game_view import reader_of, zone_of, zone_words
from machjudge.judge.mail_context import NOT_CONFIRMED, MailContext, is_own, tell_unread
from machjudge.judge.mails import Outgoing, paged
from machjudge.judge.outgoing import announce_setting, head_of, plain_page
from machjudge.judge.people import FORMING, MASTER, OBSERVER
from machjudge.judge.ports import Services
from machjudge.judge.records import (
    AddressStanding,
    Claimed,
    Game,
    GameId,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
)
from machjudge.judge.sign_in import may_try, own_words
from machjudge.language.commands import PlainCommand, Setting
from machjudge.mail_parser.lines import Line, Mail, Where, agrees
from machjudge.messages.render import Answer, MessageRenderer
from machjudge.messages.wording import LineError
from machjudge.translatable import Message, MessageOrText

# Tokens by mail: a way in for who forgot their password, a way back from a change, a link. A
# token goes to addresses on file and nowhere else; only its hash is kept.
AT_MOST_EVERY = timedelta(hours=1)
MAX_ADDRESSES = 5


# --- a way in --------------------------------------------------------------------------------


@command("send token")
def send_token(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Mail tokens for the writer's seats in a game, if any; the answer is always the same."""
    context.done(Message("identity.token.sent"))
    game = context.find_game(said.text.removeprefix("?"))
    if game is None:
        return
    asked: dict[PersonId, list[Seat]] = {}
    for seat in _own_seats(context, game):
        if seat.person is None or sent_lately(
            context, seat.person, TokenPurpose.WAY_IN, seat.number
        ):
            continue
        asked.setdefault(seat.person, []).append(seat)
    for owner, seats in asked.items():
        person = context.uow.persons.get(owner)
        if person is not None:
            _mail_way_in(context, game, seats, person)


def _own_seats(context: MailContext, game: Game) -> Iterable[Seat]:
    person = context.claimant
    for seat in game.seats:
        is_his = person is not None and seat.person == person.id
        if seat.person is not None and (is_his or seat.address == context.address):
            yield seat


def sent_lately(
    context: MailContext,
    person: PersonId,
    purpose: TokenPurpose,
    seat: int | None = None,
    address: str = "",
) -> bool:
    """Return True if such a token was made in the last hour and is unused."""
    made = [
        *context.uow.tokens.made_since(person, context.now - AT_MOST_EVERY),
        *context.changes.tokens,
    ]
    wanted = (person, purpose, seat, address)
    return any(
        (each.person, each.purpose, each.seat, each.address) == wanted
        for each in made
        if each.made > context.now - AT_MOST_EVERY
    )


def _mail_way_in(context: MailContext, game: Game, seats: Sequence[Seat], person: Person) -> None:
    """Send each address one message with a token for each seat."""
    context.writer.mails_token = True
    purpose = TokenPurpose.WAY_IN
    way_in = Message(
        "identity.token.way_in",
        game=game.name,
        seats=tuple(
            (letter_of(seat), make_token(context, purpose, person, game, seat)) for seat in seats
        ),
        until=context.now + TOKEN_LASTS[purpose],
        zone=zone_of(context.services, person),
    )
    subject = Message("identity.token.reset")
    addresses = (*(seat.address for seat in seats), *person.addresses)
    for address in dict.fromkeys(addresses):
        context.send(token_message(context, address, person, subject, way_in, game))


def letter_of(seat: Seat) -> str:
    """Return the letter of the seat's signon."""
    match seat.role:
        case Role.PLAYER:
            return seat.powers[0] if seat.powers else FORMING
        case Role.MASTER:
            return MASTER
        case Role.OBSERVER:
            return OBSERVER


def signon_for(context: MailContext) -> tuple[str, Game] | None:
    """Return the signon and game of a reply code's seat, even an old code's; else empty."""
    token = next(
        (each for each in context.writer.token_scopes if isinstance(each, SeatToken)), None
    )
    game = context.find_game(token.game) if token is not None else None
    if token is None or game is None:
        return None
    seat = next((each for each in game.seats if each.number == token.seat), None)
    return f"{letter_of(seat)}{game.name}" if seat is not None else "", game


# --- a way back ------------------------------------------------------------------------------


def confirm_change(context: MailContext, what: str, lines: Sequence[MessageOrText] = ()) -> None:
    """Schedule a notice to the old address of a seat about a change.

    *what* is the password or the address; `confirm_changes` sends it at the end of the mail.
    """
    if context.seat_number is not None:
        context.at_end.to_confirm.append((context.seat_number, what, tuple(lines)))


def confirm_changes(context: MailContext) -> None:
    """Tell the old address of each seat once what this mail has changed; a token undoes it.

    Nothing is sent if the seat is newer than this mail.
    """
    read = context.changes.read
    for seat in read.seats if read is not None else ():
        changed = [
            (what, lines)
            for number, what, lines in context.at_end.to_confirm
            if number == seat.number
        ]
        if changed and read is not None:
            _confirm(context, read, seat, changed)


def _confirm(
    context: MailContext,
    game: Game,
    old: Seat,
    changed: Sequence[tuple[str, tuple[MessageOrText, ...]]],
) -> None:
    person = context.people(game).get(old.person) if old.person is not None else None
    if person is None:
        return
    whats = dict.fromkeys(Message(f"identity.changed.{what}") for what, _ in changed)
    way_back = Message(
        "identity.changed.way_back",
        what=tuple(whats),
        game=game.name,
        lines=tuple(line for _, lines in changed for line in lines),
        letter=letter_of(old),
        token=make_token(context, TokenPurpose.UNDO, person, game, old, old.address),
        until=context.now + WAY_BACK_LASTS,
        zone=zone_of(context.services, person),
    )
    subject = Message("identity.changed.subject")
    context.send(token_message(context, old.address, person, subject, way_back, game))


# --- a link ----------------------------------------------------------------------------------


@command("i am also")
def also_known(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Ask to be the same person as a registered address, which gets a token."""
    old = said.text.lower()
    if "@" not in old or is_own(old, context.services.judge.address) or old == context.address:
        not_another = Message("identity.link.not_another")
        context.refuse(line, not_another, instead=Message("commands.i_am_also.usage"))
        return
    context.done(Message("identity.link.sent", address=old))
    person = context.uow.persons.by_address(old)
    if person is None or sent_lately(context, person.id, TokenPurpose.LINK, None, context.address):
        return
    claim = Message(
        "identity.link.claim",
        address=context.address,
        token=make_token(context, TokenPurpose.LINK, person, address=context.address),
        until=context.now + TOKEN_LASTS[TokenPurpose.LINK],
        zone=zone_of(context.services, person),
    )
    context.send(token_message(context, old, person, Message("identity.one_more_address"), claim))


def is_valid(context: MailContext, token: Token) -> bool:
    """Return True if a token is unused and has not expired."""
    return token.hashed not in context.changes.used and context.now < token.until


def link_meant(context: MailContext, line: Line, said: PlainCommand) -> tuple[Person, Token] | None:
    """Return the token, and the owner of the address that it links; refuse an invalid one."""
    context.secrets.add(said.text)
    token = context.uow.tokens.token(hash_of(said.text))
    is_link = token is not None and token.purpose is TokenPurpose.LINK
    if token is None or not is_link or not is_valid(context, token):
        context.refuse(line, Message("identity.link.not_valid"))
        return None
    person = context.uow.persons.get(token.person)
    flaw = _link_flaw(context, person, token.address)
    if person is None or flaw is not None:
        context.refuse(line, flaw or "")
        return None
    context.changes.used.add(token.hashed)
    return person, token


def _link_flaw(context: MailContext, person: Person | None, address: str) -> Message | None:
    if person is None or context.uow.persons.by_address(address) is not None:
        return Message("identity.link.registered")
    if len(person.addresses) >= MAX_ADDRESSES:
        return Message("identity.link.too_many", most=MAX_ADDRESSES)
    return None


# --- messages ---------------------------------------------------------------------------------


def make_token(
    context: MailContext,
    purpose: TokenPurpose,
    person: Person,
    game: Game | None = None,
    seat: Seat | None = None,
    address: str = "",
) -> str:
    """Return the text of a new token; its hash is stored."""
    text = context.services.chance.token()
    context.changes.tokens.append(
        Token(
            hash_of(text),
            purpose,
            person.id,
            context.now,
            context.now + TOKEN_LASTS[purpose],
            game.id if game is not None else None,
            seat.number if seat is not None else None,
            address,
        )
    )
    return text


def token_message(
    context: MailContext,
    address: str,
    person: Person,
    subject: Message,
    says: Message,
    game: Game | None = None,
) -> Outgoing:
    """Return a message with a token to one address; it carries no reply code."""
    services, reader = context.services, reader_of(context.services, person, context.now)
    if game is None:
        return paged(address, plain_page(services, subject, (says,), reader=reader))
    phase = ""
    if game.position is not None:
        phase = context.uow.phases.get(game.id, game.position).after.moment.code
    head = head_of(services, game, phase)
    return paged(address, plain_page(services, subject, (says,), head, reader), game.id)


# What cannot be taken back needs more than a password. It is done at once when a reply token or a
# verified sender proves the mail, from an address on file of the seat. Otherwise it waits: a
# message goes to the address on file, and the answer does it.
_NO = re.compile(r"\W*(?:no|not me|not mine|stop|cancel)\b", re.IGNORECASE)


# --- now, or later ---------------------------------------------------------------------------


def is_proven(context: MailContext) -> bool:
    """Return True if the mail may do irreversible things at once.

    True also at a seat taken with this mail, and with a password where the judge confirms no
    addresses.
    """
    is_new = _seat_as_read(context) is None
    if context.writer.answers_act or is_new or not context.services.judge.confirm:
        return True
    if not is_from_address_on_file(context):
        return False
    return context.writer.opened_by_token or context.writer.is_verified


def is_from_address_on_file(context: MailContext) -> bool:
    """Return True if From is an address of the owner of the opened seat."""
    seat = _seat_as_read(context)
    return seat is not None and context.address in addresses_on_file(context, seat)


def addresses_on_file(context: MailContext, seat: Seat) -> tuple[str, ...]:
    """Return the address that answers for a seat, and all others of its owner.

    While a change of the address can be undone, the previous one answers: a stolen password could
    have changed it.
    """
    before = _address_before(context, seat)
    owner = context.uow.persons.get(seat.person) if seat.person is not None else None
    others = owner.addresses if owner is not None else ()
    new = {seat.address} - {before}
    return tuple(dict.fromkeys([before, *(each for each in others if each not in new)]))


def _address_before(context: MailContext, seat: Seat) -> str:
    """The address of a seat before the first change that can still be undone."""
    game = context.changes.read
    if game is None or seat.person is None:
        return seat.address
    made = context.uow.tokens.made_since(seat.person, context.now - WAY_BACK_LASTS)
    here = [each for each in made if (each.game, each.seat) == (game.id, seat.number)]
    return next((each.address for each in here if each.purpose is TokenPurpose.UNDO), seat.address)


def require_confirmation(context: MailContext, line: Line, text: str) -> None:
    """Delay an act, the line *text*, until a message to the address on file is answered."""
    game, seat = context.changes.read, _seat_as_read(context)
    if game is None or seat is None:
        return
    lines = (*_speaking_as(context), text)
    waiting = [each for each in _waiting(context, game, seat) if context.now < each.until]
    if any(each.lines == lines for each in waiting):
        context.refuse(line, Message("identity.act.waits_already"))
        return
    if len(waiting) >= MAX_WAITING:
        context.refuse(line, Message("identity.act.too_many", most=MAX_WAITING))
        return
    act = PendingAct(
        context.services.chance.token(),
        game.id,
        seat.number,
        seat.generation,
        lines,
        context.now,
        context.now + WAITS,
    )
    context.changes.acts.append(act)
    context.send(_question(context, game, seat, act))
    context.done(Message("identity.act.waits", line=text))


def _seat_as_read(context: MailContext) -> Seat | None:
    seats = context.changes.read.seats if context.changes.read is not None else ()
    return next((seat for seat in seats if seat.number == context.opened_seat), None)


def _speaking_as(context: MailContext) -> tuple[str, ...]:
    seat = context.seat
    if seat is None or seat.role is not Role.PLAYER or context.power is None:
        return ()
    return (f"{'BECOME' if context.became else 'FOR'} {context.power}",)


def _waiting(context: MailContext, game: Game, seat: Seat) -> Sequence[PendingAct]:
    return [*context.uow.acts.of(game.id, seat.number), *context.changes.acts]


def _question(context: MailContext, game: Game, seat: Seat, act: PendingAct) -> Outgoing:
    owner = context.uow.persons.get(seat.person) if seat.person is not None else None
    zone = zone_of(context.services, owner)
    what = context.safe(act.what)
    question = Message(
        "identity.act.question", game=game.name, what=what, until=act.until, zone=zone
    )
    phase = context.current.state.moment.code if context.current is not None else ""
    head = head_of(context.services, game, phase)
    reader = reader_of(context.services, owner, context.now)
    subject = Message("identity.please_confirm")
    page = plain_page(context.services, subject, (question,), head, reader)
    asked = paged(addresses_on_file(context, seat)[0], page, game.id)
    return replace(asked, reply=ActToken(act.name))


def refusals_of(context: MailContext, act: Callable[[MailContext], None]) -> list[LineError]:
    """Return why an act would be refused, tried without effect."""
    trial = copy(context)
    trial.answer, trial.messages = Answer(), []
    trial.writer, trial.progress = copy(context.writer), copy(context.progress)
    trial.at_end = replace(context.at_end, to_confirm=[])
    trial.ordering = replace(context.ordering, lines=list(context.ordering.lines))
    kept = {
        each.name: copy(getattr(context.changes, each.name)) for each in fields(context.changes)
    }
    trial.changes = replace(context.changes, **kept)
    act(trial)
    return trial.answer.troubles


# --- the answer ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActAnswer:
    """The effect of an answer to a question about an act."""

    lines: tuple[Line, ...]


def resume_pending_act(context: MailContext, in_full: Callable[[Line], str]) -> ActAnswer | None:
    """Open the seat of the act that a mail answers; None if it answers none.

    The act's lines are read instead of the mail's; none of them if the mail does not agree.
    *in_full* writes an act as it would wait now, so that a repeated one agrees.
    """
    token = next(iter(context.writer.token_scopes), None)
    if not isinstance(token, ActToken):
        return None
    act = context.uow.acts.get(token.act)
    game = context.find_game(act.game) if act is not None else None
    seat = _seat_of(game, act) if game is not None and act is not None else None
    if act is None or game is None or seat is None or context.now >= act.until:
        context.answer.verdict.append(Message("identity.act.over"))
        return ActAnswer(())
    context.enter(game, seat)
    return _decide(context, act, in_full)


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


def _decide(context: MailContext, act: PendingAct, in_full: Callable[[Line], str]) -> ActAnswer:
    context.writer.answers_act = True
    own = context.mail.instructions
    first = _word(context.mail, own)
    if _NO.match(first):
        context.changes.acts_done.add(act.name)
        context.answer.verdict.append(Message("identity.act.dropped", what=act.what))
        return ActAnswer(own[1:])
    if (
        not first
        or agrees(first)
        or any(_is_same(act.what, each) for each in (first, *map(in_full, own[:1])))
    ):
        context.changes.acts_done.add(act.name)
        _name_rest(context, own[1:] if own and own[0].text == first else own)
        numbers = range(1, len(act.lines) + 1)
        return ActAnswer(
            tuple(Line(n, text, text) for n, text in zip(numbers, act.lines, strict=True))
        )
    context.answer.verdict.append(Message("identity.act.undecided", what=act.what))
    return ActAnswer(())


def _is_same(act: str, said: str) -> bool:
    return said.lower().rstrip(".! ").split() == act.lower().split()


def _name_rest(context: MailContext, rest: Sequence[Line]) -> None:
    """Report the text below the agreement, without greetings."""
    rows = tuple(row for row in context.mail.rows if row.where is not Where.GREETING)
    context.mail = replace(context.mail, rows=rows)
    tell_unread(context, rest)
    if rest:
        context.answer.ignored.append(Message("identity.act.below"))


def _word(mail: Mail, own: Sequence[Line]) -> str:
    greetings = [each.text for each in mail.skipped if each.where is Where.GREETING]
    agreeing = (each for each in greetings if agrees(each))
    said = next(agreeing, own[0].text if own else "")
    return said or next(iter(own_words(mail)), "")


@command("revoke tokens", act=Act.ENTER, who=SEATED)
def revoke_tokens(context: MailContext, _: Line, __: PlainCommand) -> None:
    """End all reply tokens of the seat; the answer to this mail carries a new one."""
    if context.seat is None:
        return
    context.set_seat(replace(context.seat, generation=context.seat.generation + 1))
    context.note("revoked", Message("identity.revoked.log", number=context.seat.number))
    context.done(Message("identity.revoked.done"))


MAX_CLAIMS = 3
MAX_AT_A_GAME = 50
# One more address of somebody who is known: it is theirs when somebody answers from it. The
# person is proved first, by the seat that the mail has opened or by a token from an address on
# file; the new address then gets a message, and its answer does it.
# Seats taken under an address that nobody has confirmed: kept beside the game, for nobody yet.
# The acknowledgement goes to the claimed address, and asks for an answer. Until it comes, the
# seat is opened by its own password and by nothing else; it counts for nothing, and nobody is
# told.
LASTS = timedelta(days=3)
"""How long a claim lasts without a game whose master could set it."""


def claim_seat(context: MailContext, game: Game, seat: Seat, person: Person) -> None:
    """Reserve a seat until the claimed address answers; of too many claims drop the oldest."""
    number = people.next_number(game)
    gone = _giving_way(game, seat.address)
    context.claim(game, replace(seat, number=number, claimed=Claimed(person.id, context.now)))
    if context.game is not None and gone:
        numbers = {claim.number for claim in gone}
        context.set_game(people.without_claims(context.game, numbers))
    context.changes.forgotten |= {each.claimed.person for each in gone if each.claimed}
    ask_to_answer(context, person)


def _giving_way(game: Game, address: str) -> list[Seat]:
    by_age = sorted(game.claims, key=lambda claim: (claim.claimed is not None, _since(claim)))
    own = [claim for claim in by_age if claim.address == address]
    gone = own[: max(0, len(own) + 1 - MAX_CLAIMS)]
    rest = [claim for claim in by_age if claim not in gone]
    return gone + rest[: max(0, len(rest) + 1 - MAX_AT_A_GAME)]


def _since(claim: Seat) -> datetime:
    return claim.claimed.since if claim.claimed is not None else datetime.max.replace(tzinfo=UTC)


def ask_to_answer(context: MailContext, person: Person) -> None:
    """Make the answer to this mail ask for a reply from the claimed address."""
    context.writer.unconfirmed = person


def waiting_words(context: MailContext) -> Iterator[Message]:
    """Return what the acknowledgement asks for, and what the answer would set."""
    person = context.writer.unconfirmed
    if person is None:
        return
    claim = context.seat if context.is_claim else None
    is_known = context.uow.persons.by_address(person.addresses[0]) is not None
    yield Message(
        "identity.seat.waits",
        is_known=is_known,
        until=context.now + lasts(context.game),
        zone=zone_of(context.services, person),
    )
    yield from what_is_set(context.services, context.game, person, claim, is_known=is_known)


def rivals(game: Game, claim: Seat) -> list[Seat]:
    """Return the other claims of the same address at a game."""
    others = (each for each in game.claims if each.number != claim.number)
    return [each for each in others if each.address == claim.address]


def what_is_set(
    services: Services, game: Game | None, person: Person, claim: Seat | None, *, is_known: bool
) -> Iterator[Message]:
    """Return what an answer sets at this mail's request, and how many claims ask for the same.

    *is_known*: the address is a person's here.
    """
    others = rivals(game, claim) if game is not None and claim is not None else []
    registers = person.standing is AddressStanding.REGISTERING
    # A seat of a game that has begun keeps those of who had it first.
    is_forming = game is not None and game.status is Status.FORMING
    wishes = claim.preferences if claim is not None and is_forming else ""
    sets = (
        (claim is not None and not others, Message("identity.seat.sets.password")),
        (registers or not is_known, Message("identity.seat.sets.name", name=person.name)),
        (
            registers or person.zone != services.judge.zone,
            Message("identity.seat.sets.zone", zone=zone_words(person.zone)),
        ),
        (bool(wishes), Message("identity.seat.sets.preferences", preferences=wishes)),
    )
    sentences = tuple(sentence for is_so, sentence in sets if is_so)
    if sentences:
        yield Message("identity.seat.answer_sets", sets=sentences)
    if others:
        yield Message("identity.seat.several", n=len(others) + 1)


def code_for(context: MailContext, address: str) -> TokenScope | None:
    """Return the scope of the address token in this mail's answer."""
    if context.writer.unconfirmed is not None:
        own = address == context.writer.unconfirmed.addresses[0]
        claim = context.seat if context.is_claim else None
        return token_of_claim(context.game, context.writer.unconfirmed, claim) if own else None
    person = context.person
    if not context.writer.has_code or person is None or address not in person.addresses:
        return None
    return AddressToken(person.id, address)


def token_of_claim(game: Game | None, person: Person, claim: Seat | None) -> AddressToken:
    """Return the scope of the token in messages about a claim."""
    at = game.id if game is not None else ""
    seat = f" {letter_of(claim)}" if claim is not None else ""
    return AddressToken(person.id, person.addresses[0], f"{at}{seat}")


def lasts(game: Game | None) -> timedelta:
    """Return how long a claim lasts at a game."""
    return timedelta(hours=game.settings.confirm_hours) if game is not None else LASTS


def is_over(game: Game, claim: Seat, now: datetime) -> bool:
    """Return True if a claim has expired."""
    return claim.claimed is not None and now >= claim.claimed.since + lasts(game)


# --- opening one ------------------------------------------------------------------------------


def open_claim(context: MailContext, game: Game, letter: str, password: str) -> bool:
    """Speak from an unconfirmed seat with its own password; return False if it is wrong."""
    claims = _candidates(context, game, letter)
    if not claims or not may_try(context, game.id, letter):
        return False
    for claim in claims:
        if people.is_right(context.services, claim.password, password):
            context.claim(game, claim)
            context.writer.unconfirmed = context.person
            return True
    return False


def _candidates(context: MailContext, game: Game, letter: str) -> list[Seat]:
    own = [claim for claim in game.claims if claim.address == context.address]
    if letter == FORMING:
        own = [claim for claim in own if not claim.powers]
    return [claim for claim in own if people.is_called(claim, letter)][:MAX_CLAIMS]


def withdraw(context: MailContext, game: Game, claim: Seat) -> None:
    """Give up an unconfirmed seat, and its provisional person."""
    if not game.is_confirmed:
        context.changes.is_removed = True
    context.set_game(people.without_claims(game, {claim.number}))
    if claim.claimed is not None:
        context.changes.persons.pop(claim.claimed.person, None)
        if context.uow.persons.get(claim.claimed.person) is not None:
            context.changes.forgotten.add(claim.claimed.person)
    context.seat_number = context.opened_seat = context.writer.unconfirmed = None
    context.progress.is_closed = context.progress.has_resigned = True
    context.done(Message("identity.seat.withdrawn", game=game.name))


# --- what it may do ---------------------------------------------------------------------------


def why_not_yet(context: MailContext, entry: CommandEntry) -> Message | None:
    """Return why a command waits for the confirmation of the seat's address, or None."""
    if context.proof is not Proven.UNCONFIRMED:
        return None
    found = verdict(entry.act, Proven.UNCONFIRMED)
    is_own = context.game is not None and not context.game.is_confirmed
    may = found in (Verdict.YES, Verdict.ANSWERED) or (
        found is Verdict.OWN and (is_own or entry.name == "resign")
    )
    return None if may and entry.name != "set address" else NOT_CONFIRMED


@command("forget me")
def forget_me(context: MailContext, _: Line, __: PlainCommand) -> None:
    """Mail the writer's addresses on file a token for CONFIRM; the answer is always the same."""
    context.done(Message("identity.forget.sent"))
    person, purpose = context.claimant, TokenPurpose.FORGET
    if person is None or sent_lately(context, person.id, purpose):
        return
    says = Message(
        "identity.forget.letter",
        token=make_token(context, purpose, person),
        until=context.now + TOKEN_LASTS[purpose],
        zone=zone_of(context.services, person),
    )
    context.writer.mails_token = True
    for address in person.addresses:
        subject = Message("identity.please_confirm")
        context.send(token_message(context, address, person, subject, says))


def forget(context: MailContext, line: Line, token: Token) -> None:
    """Forget a person without a seat in an unfinished game."""
    found = context.uow.games.unfinished()
    games = tuple(
        game.name for game in found if any(seat.person == token.person for seat in game.seats)
    )
    if games:
        context.refuse(line, Message("identity.forget.still_there", games=games))
        return
    context.changes.used.add(token.hashed)
    context.changes.erased.add(token.person)
    context.done(Message("identity.forget.done"))
    context.progress.is_closed = True


_REMINDED_AFTER = timedelta(days=1)
_MAX_HOURS = 30 * 24
_HOURS = {"hour": 1, "hours": 1, "h": 1, "day": 24, "days": 24, "d": 24}


def look_after_claims(services: Services, now: datetime) -> None:
    """Remind the owners of unconfirmed claims once, and drop expired ones."""
    with services.store.reading() as uow:
        people = {person.id: person for person in uow.persons.unconfirmed(now)}
        names = uow.games.claimed() if people else ()
        games = [game for name in names if (game := uow.games.get(name)) is not None]
    for game in games:
        # After a conflict the next tick looks again.
        with suppress(Stale):
            _look_at(services, game.id, now)
    seated = {claim.person for game in games for claim in game.claims}
    old = [p.id for p in people.values() if p.id not in seated and p.registered + LASTS <= now]
    _forget(services, old)


def _forget(services: Services, people: Sequence[PersonId]) -> None:
    for person in people:
        # After a conflict it is confirmed, or forgotten already.
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
        over = [claim for claim in game.claims if is_over(game, claim, now)]
        late = [
            (claim, people[claim.person])
            for claim in game.claims
            if claim.person in people and claim not in over and _is_late(game, claim, now)
        ]
        rest = registry.without_claims(game, {claim.number for claim in over})
        for claim, _ in late:
            reminded = replace(claim.claimed, reminded=True) if claim.claimed is not None else None
            rest = registry.with_claim(rest, replace(claim, claimed=reminded))
        Changes(
            read=game,
            game=rest,
            is_removed=not (rest.seats or rest.claims),
            forgotten={claim.person for claim in over if claim.person in people},
            messages=[
                _reminder(services, game, claim, person, now, is_known=claim.address in known)
                for claim, person in late
            ],
        ).write(uow)
        uow.commit()


def _is_late(game: Game, claim: Seat, now: datetime) -> bool:
    claimed, after = claim.claimed, min(_REMINDED_AFTER, lasts(game) / 2)
    return claimed is not None and not claimed.reminded and now >= claimed.since + after


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
    asks = Message("identity.seat.reminder", game=game.name, until=until, zone=zone)
    subject = Message("identity.please_confirm")
    lines = (asks, *what_is_set(services, game, person, claim, is_known=is_known))
    page = plain_page(services, subject, lines)
    code = token_of_claim(game, person, claim)
    return Outgoing(claim.address, page.subject, page.body, game=game.id, reply=code)


# --- for the master ---------------------------------------------------------------------------


def unconfirmed_lines(game: Game) -> list[Message]:
    """Return how many seats are unconfirmed, for a master; empty if none is."""
    waiting = len(game.claims)
    return [Message("identity.seat.unconfirmed", n=waiting)] if waiting else []


@setting("confirm")
def set_confirm(context: MailContext, line: Line, said: Setting) -> None:
    """Set how long a seat waits for the confirmation of an address."""
    hours = _hours(said.value)
    if context.game is None:
        return
    if hours is None or not said.on:
        context.refuse(line, Message("identity.seat.days"), instead="SET CONFIRM 3 DAYS")
        return
    changed = replace(context.game, settings=replace(context.game.settings, confirm_hours=hours))
    context.set_game(changed)
    message = Message("identity.seat.confirm_within", hours=hours)
    context.note("confirm", message)
    context.done(message)
    announce_setting(context, changed, [message])


def _hours(words: Sequence[str]) -> int | None:
    """The hours in ``3 days`` or ``36 hours``; a number alone counts days."""
    number, *unit = words or ("",)
    each = _HOURS.get(" ".join(unit).lower() if unit else "days")
    if each is None or not number.isdecimal() or len(number) > len(str(_MAX_HOURS)):
        return None
    hours = int(number) * each
    return hours if 1 <= hours <= _MAX_HOURS else None


NO_NAME = Message("identity.register.first")


def register(context: MailContext, line: Line, fields: Sequence[Line]) -> None:
    """Add or change a person; *fields* are lines such as ``Name: Lucia``."""
    said = {key: (value, at) for at in fields for key, value in [_field(at)]}
    person = context.person
    is_new = person is None
    named = _said(said, _NAMES) or ("", line)
    name = _free_name(context, *named) if named[0] else ""
    if person is None:
        name = name or _name_in_mail(context)
        if not name:
            context.refuse(line, Message("identity.register.no_name"))
            return
        person = context.somebody_new(name)
    elif name:
        person = replace(person, name=name)
    person = context.known_by(_with_language(context, person, said))
    person = context.known_by(_with_zone(context, person, said))
    if not person.is_confirmed:
        context.known_by(replace(person, standing=AddressStanding.REGISTERING))
        ask_to_answer(context, person)
    message = Message(
        "identity.register.registered",
        name=person.name,
        zone=zone_words(person.zone),
        is_done=person.is_confirmed,
        is_assumed=is_new and _said(said, _ZONES) is None,
    )
    context.done(message)


def _free_name(context: MailContext, typed: str, line: Line) -> str:
    """The name as it is stored; empty, and refused, if it is not allowed."""
    flaw = context.names().flaw(typed)
    if flaw is not None:
        context.refuse(line, flaw)
        return ""
    return people.clean_name(typed)


def _name_in_mail(context: MailContext) -> str:
    """The name in From, or a similar free one; empty if there is none."""
    wanted = people.clean_name(context.mail.display_name)
    return context.names().nearest(wanted, context.address) if wanted else ""


_Fields: TypeAlias = Mapping[str, tuple[str, Line]]
"""What is said of a person, by the words before the colons."""


def _field(line: Line) -> tuple[str, str]:
    key, _, value = line.text.partition(":")
    return key.strip().lower().replace(" ", ""), value.strip()


def _said(said: _Fields, keys: Sequence[str]) -> tuple[str, Line] | None:
    return next((said[key] for key in keys if key in said), None)


def _with_zone(context: MailContext, person: Person, said: _Fields) -> Person:
    named = _said(said, _ZONES)
    if named is None:
        return person
    zone, line = named
    found = find_zone(zone)
    if found is None:
        near = nearest_zone(zone) or "Europe/Rome"
        unknown = Message("identity.register.no_zone", zone=zone, until=zone_words(person.zone))
        context.refuse(line, unknown, f"Timezone: {near}")
        return person
    return replace(person, zone=found)


def _with_language(context: MailContext, person: Person, said: _Fields) -> Person:
    named = _said(said, _LANGUAGES)
    if named is None:
        return person
    name, line = named
    found = language_named(context.services.renderer, name)
    if found is None:
        context.refuse(line, unknown_language(context.services.renderer))
        return person
    return replace(person, language=found)


def language_named(renderer: MessageRenderer, name: str) -> str | None:
    """Return the language that somebody calls by this name; None if there is none."""
    own = {each: _names_of(renderer.of(each)) for each in renderer.languages}
    return next((each for each, names in own.items() if name.lower().strip(" .") in names), None)


def unknown_language(renderer: MessageRenderer) -> Message:
    """Return that the judge does not write in a language, with those in which it does."""
    names = tuple(_names_of(renderer.of(each))[0] for each in renderer.languages)
    return Message("setup.language.unknown", names=names)


def _names_of(renderer: MessageRenderer) -> list[str]:
    return renderer.say(Message("setup.language.names")).split()


@cache
def available_timezones() -> frozenset[str]:
    """Return the names of all time zones; looked up on the disk once."""
    return frozenset(zones_on_disk())


def find_zone(text: str) -> str | None:
    """Return a time zone by IANA name in any case, by city, or by hours from UTC; or None."""
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
    """The zone of a city, perhaps under two names; None if several zones differ."""
    cities = sorted((zone for zone in available_timezones() if _is_city(zone, name)), key=len)
    if len({tuple(_offsets(zone)) for zone in cities}) > 1:
        return None
    return next(iter(cities), None)


def _offsets(zone: str) -> Iterator[timedelta | None]:
    months = (datetime(year, month, 1) for year in _YEARS for month in range(1, 13))  # noqa: DTZ001
    return (ZoneInfo(zone).utcoffset(month) for month in months)


def nearest_zone(text: str) -> str | None:
    """Return the name of the time zone that is most similar to a text."""
    zones = (zone for zone in sorted(available_timezones()) if zone.partition("/")[0] in _AREAS)
    cities = {zone.rpartition("/")[2].lower(): zone for zone in zones}
    wanted = text.strip().replace(" ", "_").lower().rpartition("/")[2]
    near = get_close_matches(wanted, cities, n=1, cutoff=0.7)
    return cities[near[0]] if near else None


def _is_city(zone: str, wanted: str) -> bool:
    area, _, city = zone.rpartition("/")
    return area.partition("/")[0] in _AREAS and city.lower() == wanted


_OFFSET = re.compile(r"(?:utc|gmt)?(?P<sign>[+-])0?(?P<hours>\d{1,2})(?::?00)?")
_NAMES = ("name", "nombre", "nome")
_ZONES = ("timezone", "zone", "zonahoraria", "zona", "fusoorario", "fuso")
_LANGUAGES = ("language", "idioma", "lengua", "lingua")
"""The words before the colons, in each language, without spaces."""
_YEARS = range(2000, 2031)
_AREAS = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def newcomer(context: MailContext, line: Line, password: str) -> Person | None:
    """The person for a new seat, by name and password; None if something is wrong."""
    flaw = people.password_flaw(password)
    if flaw is not None:
        context.refuse_all(line, flaw)
        return None
    person = context.person_or_new()
    if person is None:
        context.refuse_all(line, NO_NAME)
    return person


command("register", act=Act.PERSON)(None)


ADDRESS_QUESTION_LASTS = timedelta(days=3)
_ADDS = "add "
TOO_LATE = Message("identity.address.too_late")
TAKEN = Message("identity.address.taken")


def ask_address(
    context: MailContext, person: Person, address: str, seat: Seat | None = None
) -> None:
    """Mail a token to the new address; with a seat, its mails go there once confirmed."""
    if context.game is None and seat is not None:
        return
    token = AddressToken(person.id, address, f"{_ADDS}{context.services.chance.token()}")
    hashed = hash_of(code_of(context.services.secret, token))
    until = context.now + ADDRESS_QUESTION_LASTS
    kept = Token(hashed, TokenPurpose.LINK, person.id, context.now, until, address=address)
    if seat is not None and context.game is not None:
        kept = replace(kept, game=context.game.id, seat=seat.number)
    context.changes.tokens.append(kept)
    context.send(_message(context, person, token))


@command("confirm", secret_at=1)
def confirm(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Carry out a token: link or confirm the address, or forget the person."""
    token = context.uow.tokens.token(hash_of(said.text))
    if token is not None and token.purpose is TokenPurpose.FORGET and is_valid(context, token):
        context.secrets.add(said.text)
        forget(context, line, token)
        return
    meant = link_meant(context, line, said)
    if meant is None:
        return
    person, token = meant
    if context.services.judge.confirm:
        ask_address(context, person, token.address)
        context.done(Message("identity.address.asked", address=token.address))
        return
    linked = replace(person, addresses=(*person.addresses, token.address))
    context.changes.persons[person.id] = linked
    context.done(Message("identity.address.linked", address=token.address))


def _message(context: MailContext, person: Person, token: AddressToken) -> Outgoing:
    until, zone = context.now + ADDRESS_QUESTION_LASTS, zone_of(context.services, person)
    asks = Message("identity.address.please_confirm", name=person.name, until=until, zone=zone)
    subject = Message("identity.one_more_address")
    page = plain_page(context.services, subject, (asks,))
    return Outgoing(token.address, page.subject, page.body, reply=token, takes_token=False)


def adds(token: AddressToken) -> bool:
    """Return True if a token adds an address to a person."""
    return token.serial.startswith(_ADDS)


def add_address(context: MailContext, token: AddressToken) -> None:
    """Add the address that got the message to the person, once and in time."""
    kept = context.uow.tokens.token(hash_of(code_of(context.services.secret, token)))
    person = context.uow.persons.get(token.person)
    if person is None or (kept is None and token.address not in person.addresses):
        context.answer.verdict.append(TOO_LATE)
        return
    context.writer.proven, context.writer.has_code = person.id, True
    if kept is None:
        return
    if context.now >= kept.until or not _may_have(context, person, token.address):
        context.writer.proven, context.writer.has_code = None, False
        context.answer.verdict.append(TOO_LATE if context.now >= kept.until else TAKEN)
        return
    context.changes.used.add(kept.hashed)
    addresses = tuple(dict.fromkeys((*person.addresses, token.address)))
    context.changes.persons[person.id] = replace(person, addresses=addresses)
    context.answer.verdict.append(Message("identity.address.yours", address=token.address))
    game = context.find_game(kept.game) if kept.game is not None else None
    if game is not None and kept.seat is not None:
        _move(context, game, kept.seat, token)


def _may_have(context: MailContext, person: Person, address: str) -> bool:
    owner = context.uow.persons.by_address(address)
    if owner is not None:
        return owner.id == person.id
    return len(person.addresses) < MAX_ADDRESSES


def _move(context: MailContext, game: Game, number: int, token: AddressToken) -> None:
    seat = next((each for each in game.seats if each.number == number), None)
    if seat is None or seat.person != token.person:
        return
    context.enter(game, seat)
    confirm_change(context, "address", [Message("identity.address.moved")])
    context.set_seat(replace(seat, address=token.address))
    context.done(Message("identity.address.used", address=token.address))
