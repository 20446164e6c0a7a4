"""Handles the kept mails one after the other, each in one transaction.

Mails of one sender, and mails for one game, take effect in the order of their receipt.  A mail
that failed is tried again within seconds, then set aside; meanwhile only later mails of the same
proven writer for the same game wait.  A failure of the database is not a failure of the mail.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from itertools import chain

import structlog

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.changes import Changes
from machjudge.judge.credentials import (
    AddressToken,
    Proven,
    SeatToken,
    TokenScope,
    presented,
)
from machjudge.judge.faults import FollowsFailed, MustWait, Stale, StoreTrouble, Vanished
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.game_view import load, log_entry, people_of, reader_of, zone_of
from machjudge.judge.handle_mail import (
    answer_messages,
    codes_of,
    game_answered,
    place_opened,
    run_mail,
    without_code_lines,
)
from machjudge.judge.limits import (
    Cause,
    LimitedHasher,
    Need,
    Say,
    content_of,
    fitted,
    keys_of,
    thread_of,
    with_proof,
    without_proof,
)
from machjudge.judge.mail_context import (
    LineParser,
    MailContext,
    Unreadable,
    faults_of_reading,
    is_own,
    kept_text,
    read_mail,
)
from machjudge.judge.mails import (
    Attachment,
    Fate,
    KeptMail,
    MailEnd,
    MailOutcome,
    OutboxId,
    Outgoing,
    bounce_of,
    in_messages,
    is_return,
    message_left,
    message_left_by,
    message_of_return,
    message_returned,
    paged,
)
from machjudge.judge.newspaper import newspapers
from machjudge.judge.outgoing import game_message, head_of, message_with_id, plain_page, sight_of
from machjudge.judge.ports import (
    NOT_ONE_SENDER,
    ScenarioUnusable,
    Services,
    UnitOfWork,
    about_mail,
    claim_of,
    kind_of,
    where_to_answer,
    who_hears_of_it,
)
from machjudge.judge.practice import with_practice
from machjudge.judge.records import (
    DAY,
    Game,
    GameId,
    Limit,
    Notice,
    Notify,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
)
from machjudge.judge.reminders import enter_deadlines, queue_for_digests
from machjudge.judge.rows import is_courteous
from machjudge.judge.sign_in import ScenarioOf, meant, named_game, scenario_named, sender_check
from machjudge.judge.tick import again, is_settled
from machjudge.language.commands import Create, Join, Observe, SignOff, SignOn
from machjudge.mail_parser.lines import (
    LineKind,
    Mail,
    MailFlaw,
    MailKind,
    Owner,
    ReadingLimits,
    WhyIgnored,
    closest,
)
from machjudge.mail_parser.reader import Failure, claim_in, cut_in, failure_in, texts_of
from machjudge.mail_parser.secrets import codes_in
from machjudge.messages.layout import one_line
from machjudge.messages.render import MessageHeader
from machjudge.translatable import Message, MessageOrText


def _no_game(_: str) -> None:
    """A `scenario_of` that knows no game."""


def game_concerned(
    said: LineParser, mail: Mail, scenario_of: ScenarioOf = _no_game
) -> GameId | None:
    """Return the game of a mail's first opening command; *scenario_of* decides ambiguous ones."""
    greeted = None
    for line in mail.instructions:
        match said.command(line):
            case SignOn() as opening if is_courteous(line):
                greeted = greeted or GameId(opening.game.lower())
            case SignOn() as opening:
                return GameId(meant(opening, scenario_of).game.lower())
            case Join() as opening:
                game = named_game(opening, lambda name: scenario_of(name) is not None).game
                return GameId(game.lower()) if game else None
            case Observe(game=name) | Create(game=name):
                return GameId(name.lower())
            case SignOff():
                break
            case _:
                continue
    return greeted


def forget_people(context: MailContext, uow: UnitOfWork) -> None:
    """Forget the people who have asked for it in this mail, in the same transaction."""
    if not context.changes.erased:
        return
    renderer, name = context.services.renderer, Message("identity.forget.name")
    for each in sorted(context.changes.erased):
        person = uow.persons.get(each)
        if person is None:
            continue
        games = uow.personal_data.games(person)
        for game in games:
            person = _empty_seats(uow, game, person)
        uow.personal_data.erase(person, games, renderer.say(name), renderer.translations(name))


def _empty_seats(uow: UnitOfWork, name: GameId, person: Person) -> Person:
    """Return the person with the addresses of the seats that are emptied, too."""
    uow.games.lock(name)
    game = uow.games.get(name)
    if game is None:
        return person
    gone = [seat for seat in game.seats if _goes(seat, person, game.status)]
    gone += [seat for seat in game.ejected if person.id in (seat.person, seat.former)]
    addresses = (*person.addresses, *(each.address.lower() for each in gone if each.address))
    person = replace(person, addresses=tuple(dict.fromkeys(addresses)))
    emptied = replace(
        game,
        seats=tuple(_emptied(each) if each in gone else each for each in game.seats),
        ejected=tuple(each for each in game.ejected if each not in gone),
        settings=_nameless(game.settings, person),
    )
    if emptied != game:
        uow.games.save(replace(emptied, version=game.version + 1), game)
    return person


def _nameless(settings: GameSettings, person: Person) -> GameSettings:
    """The settings with the person's token for their addresses: a list does not become empty."""

    def lists(entries: tuple[str, ...], tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        rest = tuple(each for each in entries if each.lower() not in person.addresses)
        yield rest
        yield tokens if rest == entries else tuple(dict.fromkeys((*tokens, person.id)))

    allowed, invited = lists(settings.allowed, settings.invited)
    denied, shut_out = lists(settings.denied, settings.shut_out)
    return replace(settings, allowed=allowed, invited=invited, denied=denied, shut_out=shut_out)


def _goes(seat: Seat, person: Person, status: Status) -> bool:
    """Return True if a seat is, or was, one person's; one retaken meanwhile stays."""
    if seat.person == person.id:
        return status is Status.FINISHED
    return seat.person is None and (seat.former == person.id or seat.address in person.addresses)


def _emptied(seat: Seat) -> Seat:
    return replace(
        seat, person=None, former=None, address="", password="", generation=seat.generation + 1
    )


WHY_LEAVING = "left by the address in a message"


def leave_watched(services: Services, kept: KeptMail, now: datetime) -> bool:
    """End the observer's seat, or the digests, whose message a mail answers.

    Returns False if there is neither.  No other seat is touched.
    """
    messages = (message_left(services.secret, each) for each in kept.recipients)
    number = next((each for each in messages if each is not None), None)
    number = number or message_left_by(services.secret, kept.raw)
    if number is None:
        return False
    with services.store.writing() as uow:
        posted = uow.outbox.posted(number)
        left = None if posted is None else posted.outgoing
        if left is not None and left.digest_of is not None:
            _stop_digests(services, uow, left.digest_of, left.to, now)
        elif left is not None and left.game is not None:
            uow.games.lock(left.game)
            game = uow.games.get(left.game)
            # The observer's seat of that number, as long as it has the same address.
            wanted = (left.observer, left.to, Role.OBSERVER)
            seats = game.seats if game is not None else ()
            seat = next((s for s in seats if (s.number, s.address, s.role) == wanted), None)
            if game is not None and seat is not None:
                _leave(services, uow, game, seat, now)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT, WHY_LEAVING), kept_text(kept.raw), now)
        uow.commit()
    return True


def _stop_digests(
    services: Services, uow: UnitOfWork, who: PersonId, address: str, now: datetime
) -> None:
    """Send messages singly again, and end the seats at games that are only watched."""
    person = uow.persons.held((who,)).get(who)
    if person is None or person.notify is Notify.EACH:
        return
    watched = []
    for name in uow.personal_data.games(person):
        uow.games.lock(name)
        game = uow.games.get(name)
        seats = game.seats if game is not None else ()
        wanted = (who, address, Role.OBSERVER)
        own = next((s for s in seats if (s.person, s.address, s.role) == wanted), None)
        if game is not None and own is not None:
            watched.append(game.name)
            _without_seat(services, game, own, now).write(uow)
    message = Message("clock.digest.stopped", watched=tuple(watched))
    subject, reader = Message("clock.digest.stopped_subject"), reader_of(services, person, now)
    uow.outbox.put(paged(address, plain_page(services, subject, (message,), reader=reader)))
    uow.persons.save(replace(person, notify=Notify.EACH))


def _leave(services: Services, uow: UnitOfWork, game: Game, seat: Seat, now: datetime) -> None:
    changes = _without_seat(services, game, seat, now)
    person = people_of(uow, game).get(seat.person) if seat.person is not None else None
    message = Message("seats.leave.watched", game=game.name)
    reader, subject = reader_of(services, person, now), Message("seats.leave.subject")
    page = plain_page(services, subject, (message,), head_of(services, game), reader)
    changes.messages.append(game_message(game, seat.address, page))
    changes.write(uow)


def _without_seat(services: Services, game: Game, seat: Seat, now: datetime) -> Changes:
    others = tuple(each for each in game.seats if each.number != seat.number)
    left = Message("seats.leave.log", number=seat.number)
    return Changes(
        read=game,
        game=replace(game, seats=others),
        notices=[log_entry(services, game.id, now, seat.person, "resigned", left)],
    )


WHY_NOT_SENT = "without a proof, and the address has got its messages of the day"
_MEANT = (LineKind.ORDER, LineKind.COMMAND, LineKind.AGREEMENT)
_MAX_HELD = 50


def cause_of(context: MailContext) -> Cause:
    """Return what decides how many messages a mail may cause."""
    game = context.game
    # Practice goes on with each mail, and HINT is the same in each phase.
    phase = f"{game.id}/{game.position}" if game is not None and game.settings.practice else ""
    return Cause(
        sender=context.address or context.answer_to,
        answer_to=context.answer_to,
        content=content_of(context.mail, phase),
        thread=thread_of(context.mail),
        now=context.now,
        need=_need(context),
        is_proven=is_proven(context),
        is_empty=is_empty(context),
    )


def _need(context: MailContext) -> Need:
    if context.writer.mails_token:
        return Need.TOKEN
    if context.writer.is_locked:
        return Need.LOCKED
    return (
        Need.QUESTION if context.writer.unconfirmed is not None and context.is_claim else Need.OTHER
    )


def is_proven(context: MailContext) -> bool:
    """Return True if the writer is known for sure, or the keeper asks for no proof."""
    if not context.services.judge.limits.answers_a_day:
        return True
    return context.proof not in (Proven.NOTHING, Proven.UNCONFIRMED)


def is_empty(context: MailContext) -> bool:
    """Return True if only a reply code proves a mail, and it says nothing to the judge.

    Orders, commands, what looks like them, and agreement are written by people.
    """
    changes = context.changes
    lines = (line for order_set in changes.order_sets for line in order_set.lines)
    filed = any(line.mail == context.mail_id for line in lines) or changes.plans
    said = context.writer.tries or context.answer.done or context.answer.texts or context.messages
    is_meant = any(row.owner is Owner.WRITER and row.kind in _MEANT for row in context.mail.rows)
    return not (is_meant or filed or said or changes.persons or _game_changed(context))


def _game_changed(context: MailContext) -> bool:
    """Return True if a mail changed more than the instant when the master was heard."""
    game, read = context.changes.game, context.changes.read
    if game is None or read is None:
        return game is not read
    return replace(game, heard=read.heard) != read


def clear_bounces(context: MailContext) -> None:
    """Clear the bounces of proven writers, and save them with how they were read."""
    person, changes = context.person, context.changes
    if person is not None and person.bounces and not context.is_claim:
        changes.persons[person.id] = replace(person, bounces=())
    changes.known = context.uow.persons.of(changes.persons)


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """The messages that a mail causes, and its answer."""

    cause: Cause
    messages: Sequence[Outgoing]
    answers: Sequence[Outgoing]
    say: Say


def keep(context: MailContext, post: OutgoingMail, uow: UnitOfWork) -> MailEnd:
    """Save the changes of a mail and the messages that the limits allow.  Raises Stale."""
    if not context.answer_to:
        return MailEnd(MailOutcome.SILENT, WhyIgnored.NO_SENDER.value)
    messages = apply_limits(post, uow, context.services)
    if messages is None:
        # A mail that gets no answer does nothing.
        return MailEnd(MailOutcome.SILENT, WHY_NOT_SENT)
    context.changes.messages = messages
    enter_deadlines(context.services, uow, context.changes, context.now)
    queue_for_digests(context.services, uow, context.changes, context.now)
    context.changes.write(uow)
    return MailEnd(MailOutcome.ANSWERED)


def apply_limits(post: OutgoingMail, uow: UnitOfWork, services: Services) -> list[Outgoing] | None:
    """Count the messages and return those allowed; None if the mail may cause none.

    To be called in the transaction that keeps them.
    """
    cause, judge, say = post.cause, services.judge, post.say
    to_keeper = [each for each in post.messages if each.to == judge.keeper]
    messages = [each for each in post.messages if each.to != judge.keeper]
    every = [*messages, *post.answers]
    uow.counts.lock(keys_of(cause, every))
    if cause.is_proven:
        kept = [*messages, *_answers(cause, post.answers, uow, say)]
    else:
        known = {each.to for each in every if uow.persons.by_address(each.to) is not None}
        most = judge.limits.answers_a_day
        kept = without_proof(cause, every, uow.counts, most, known, say)
        if every and not kept:
            return None
    uow.counts.add(keys_of(cause, kept), cause.now)
    return [*to_keeper, *kept]


def _answers(
    cause: Cause, answers: Sequence[Outgoing], uow: UnitOfWork, say: Say
) -> list[Outgoing]:
    is_answered, ends = with_proof(cause, uow.counts)
    if not is_answered:
        return []
    below = f"\n{say(ends)}\n" if ends is not None else ""
    return [replace(each, body=each.body + below) for each in answers]


def held_lately(uow: UnitOfWork, kept: KeptMail, now: datetime) -> bool:
    """Return True if a possibly automatic mail of the sender was answered in the last day."""
    lately = uow.inbox.unheard(kept.sender, now - DAY, _MAX_HELD)
    return any(each.outcome is MailOutcome.HELD for each in lately)


WHY_POSTMASTER = "for postmaster"
"""The keeper's list about a mail that was not passed on yet."""
FROM_MACHINE = f"{WHY_POSTMASTER}, machine"
"""The keeper's list about a mail that is never passed on."""
_MAX = 10
"""Mails per message; the others stay in the keeper's list."""
_MAX_BYTES = 300_000
_TOLD = Limit("keeper/postmaster", 1)
_LOOKED_BACK = timedelta(days=7)


def is_for_postmaster(kept: KeptMail, judge: str) -> bool:
    """Return True if a mail went only to the postmaster; *judge* is the judge's address."""
    if is_own(kept.recipient, judge):
        return False
    return all(each.partition("@")[0].casefold() == "postmaster" for each in kept.recipients)


def pass_on(services: Services, kept: KeptMail, now: datetime) -> None:
    """Keep the mail for the keeper, and tell them once a day, unless a machine sent it."""
    claim = claim_in(kept.raw, (services.judge.address,), kept.envelope)
    is_machine = not kept.sender or claim is None
    with services.store.writing() as uow:
        uow.inbox.set_aside(kept.id, FROM_MACHINE if is_machine else WHY_POSTMASTER, now)
        _tell(services, uow, now)
        uow.commit()


def pass_on_waiting(services: Services, now: datetime) -> None:
    """Tell the keeper once a day of the new mails to postmaster."""
    with services.store.reading() as uow:
        if not _waiting(uow, now):
            return
    with suppress(Stale), services.store.writing() as uow:
        uow.counts.lock([_TOLD.key])
        _tell(services, uow, now)
        uow.commit()


def _tell(services: Services, uow: UnitOfWork, now: datetime) -> None:
    keeper, waiting = services.judge.keeper, _waiting(uow, now)
    if keeper is None or not waiting or _TOLD.used(uow.counts, now):
        return
    uow.counts.add((_TOLD.key,), now)
    files: list[Attachment] = []
    left = []
    for each in waiting:
        raw = uow.inbox.raw_of(each.id)
        size = sum(len(file.content) for file in files) + len(raw)
        if len(files) < _MAX and size <= _MAX_BYTES:
            name = f"postmaster-{each.id}.eml"
            files.append(Attachment(name, "application/octet-stream", raw))
            end = MailEnd(MailOutcome.SILENT, WHY_POSTMASTER)
            uow.inbox.finish_aside(each.id, end, kept_text(raw), now)
        else:
            left.append(each)
    senders = tuple(dict.fromkeys(one_line(each.sender) for each in waiting))
    message = Message(
        "intake.postmaster.announced",
        n=len(waiting),
        senders=senders[:_MAX],
        more=len(senders[_MAX:]),
        left=len(left),
    )
    subject = Message("intake.postmaster.subject")
    page = plain_page(services, subject, (message,))
    uow.outbox.put(Outgoing(keeper, page.subject, page.body, attachments=tuple(files)))


def _waiting(uow: UnitOfWork, now: datetime) -> list[KeptMail]:
    lately = uow.counts.all_lately([_TOLD.key], now - _LOOKED_BACK)[_TOLD.key]
    since = max(lately, default=now - _LOOKED_BACK)
    return [each for each in uow.inbox.all_aside(since) if each.why == WHY_POSTMASTER]


# A mail that cannot be handled: tried again for seconds, then set aside, and everybody is told. A
# fault that repeats itself at the same place would do so for ever, and one of reading does so at
# once: such a mail is set aside. Errors are counted apart from the deaths of processes: a process
# that is killed, or a machine without power, is not the fault of the mail it has at hand. So a
# mail is set aside after few errors, but after many deaths only, and the other mails go first
# meanwhile. Its writer and the master are told in the same transaction, before any phase is
# played without it.
# Mails of which nothing is obeyed: of several senders, and of machines. Machines are not
# answered. But a mail with the password of a seat, or with its reply code and orders, was meant,
# whatever a server on its way has made of its header: the address on file for the seat hears of
# it, once a day.
log = structlog.get_logger(__name__)

# An observer leaves by the address that each message to them names for it (RFC 2369, 3.2). By
# that in a digest, digests are stopped. Who had one of these messages in hand is its reader: the
# address is the proof. Mail programs write there by themselves, so whatever the mail says, it
# means this.
# Mail to `postmaster`: for the keeper, in one message a day (RFC 5321, 4.5.1).
WHY = "From names not exactly one sender"
"""The keeper's list about a mail of several senders that nobody is told of."""


@dataclass(slots=True)
class _HandledMail:
    kept: KeptMail
    mail: Mail
    now: datetime
    contexts: list[MailContext]
    """Kept for the report of a failure."""
    parsed_lines: LineParser = field(default_factory=LineParser)
    game: GameId | None = None
    is_found: bool = False
    is_noted: bool = False
    """The game is stored, so that mails for other games need not wait."""
    is_settled: bool = False


def refuse_sender(services: Services, work: _HandledMail) -> None:
    """Tell the people who may be told, or set the mail aside for the keeper."""
    proven = _about_proven(services, work)
    kept, mail, now = work.kept, work.mail, work.now
    with services.store.writing() as uow:
        to = who_hears_of_it(mail, kept.envelope, uow.persons)
        messages = [_refusal(services, mail, to)] if to else _once_a_day(uow, proven, now)
        for message in messages:
            uow.outbox.put(message)
        if messages or proven:
            uow.inbox.finish(kept, MailEnd(MailOutcome.ANSWERED, WHY), kept_text(kept.raw), now)
        else:
            uow.inbox.set_aside(kept.id, WHY, now)
        uow.commit()


WHY_BANNED = "its address is banned"
"""Why a mail was not handled, for the keeper."""


def is_banned(mail: Mail, banned: frozenset[str]) -> bool:
    """Return True if the keeper keeps the address of a mail, or its domain, out."""
    claim = claim_of(mail) if banned else None
    if claim is None:
        return False
    _, at, domain = claim.address.rpartition("@")
    return claim.address in banned or f"{at}{domain}" in banned


def turn_away_banned(services: Services, work: _HandledMail) -> None:
    """Say once a day that nothing of the address is read; do nothing that a mail asks for."""
    kept, mail, now = work.kept, work.mail, work.now
    page = plain_page(services, Message("identity.not_read"), (Message("ports.banned"),))
    with services.store.writing() as uow:
        to = who_hears_of_it(mail, kept.envelope, uow.persons)
        message = Outgoing(to, page.subject, page.body, answers=mail.message_id) if to else None
        for each in _once_a_day(uow, message, now):
            uow.outbox.put(each)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT, WHY_BANNED), kept_text(kept.raw), now)
        uow.commit()


WHY_TOO_LARGE = "too large"
"""Why a mail was not handled, for the keeper."""


def turn_away_large(services: Services, work: _HandledMail, sizes: tuple[int, int]) -> None:
    """Say once a day that a mail is too large; neither to lists nor to strangers by machines.

    *sizes* are that of the mail and the limit, in bytes.
    """
    kept, mail, now = work.kept, work.mail, work.now
    size, most = sizes
    why = Message("ports.too_large", size=-(-size // 1000), most=most // 1000)
    with services.store.writing() as uow:
        to = where_to_answer(mail, uow.persons)
        person = uow.persons.by_address(to) if to else None
        message = None
        if to and (person is not None or mail.suspected is None):
            reader = reader_of(services, person, now)
            page = plain_page(services, Message("identity.not_read"), (why,), reader=reader)
            message = Outgoing(to, page.subject, page.body, answers=mail.message_id)
        messages = _once_a_day(uow, message, now)
        for each in messages:
            uow.outbox.put(each)
        outcome = MailOutcome.ANSWERED if messages else MailOutcome.SILENT
        uow.inbox.finish(kept, MailEnd(outcome, WHY_TOO_LARGE), kept_text(kept.raw), now)
        uow.commit()


def pass_over(services: Services, work: _HandledMail) -> None:
    """Note a mail that may not be answered, and tell the seat that it proves."""
    proven = _about_proven(services, work)
    kept, now = work.kept, work.now
    why = work.mail.why_ignored.value if work.mail.why_ignored else ""
    with services.store.writing() as uow:
        for message in _once_a_day(uow, proven, now):
            uow.outbox.put(message)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT, why), kept_text(kept.raw), now)
        uow.commit()


def _refusal(services: Services, mail: Mail, to: str) -> Outgoing:
    page = plain_page(services, Message("identity.not_read"), (NOT_ONE_SENDER,))
    return Outgoing(to, page.subject, page.body, answers=mail.message_id)


def _once_a_day(uow: UnitOfWork, message: Outgoing | None, now: datetime) -> list[Outgoing]:
    """The message, unless its address had one today; this ends loops of machines."""
    if message is None:
        return []
    limit = Limit(f"passed/{message.to}", 1)
    uow.counts.lock([limit.key])
    if limit.used(uow.counts, now) >= limit.most:
        return []
    uow.counts.add([limit.key], now)
    return [message]


def _about_proven(services: Services, work: _HandledMail) -> Outgoing | None:
    """The message to the seat that a mail proves; a reply code counts only with an act."""
    kept, mail = work.kept, work.mail
    said = mail.lines or mail.unheard
    if not said:
        return None
    try:
        with services.store.reading() as uow:
            orders = replace(mail.with_lines(said), kind=MailKind.ORDERS, suspected=None)
            context = _context_of(services, uow, work, orders)
            context.writer.check_sender = lambda: False
            run_mail(context)
            return _passed_over(context, kept, mail)
    # A mail that is not obeyed needs no second try.
    except Exception:
        log.exception("mail.not_looked_at", mail=kept.id)
        return None


def _passed_over(context: MailContext, kept: KeptMail, mail: Mail) -> Outgoing | None:
    game, seat = context.game, context.seat
    is_proven = context.proof not in (Proven.NOTHING, Proven.UNCONFIRMED)
    does = (
        not context.writer.opened_by_token
        or context.ordering.has_ordered
        or context.progress.has_written
    )
    if game is None or seat is None or seat.person is None or not (is_proven and does):
        return None
    if mail.why_ignored is WhyIgnored.OWN_MAIL and context.writer.opened_by_token:
        return None  # the judge wrote the code itself, and the notice would come back as well
    several = any(defect.flaw is MailFlaw.SEVERAL_SENDERS for defect in mail.defects)
    reason = mail.why_ignored or WhyIgnored.BOUNCE
    why = "several_senders" if several else reason.name.lower()
    message = Message(
        "intake.passed_over",
        received=kept.received,
        zone=zone_of(context.services, context.uow.persons.get(seat.person)),
        why=Message(f"reading.why.{why}"),
    )
    facts = {
        "head": head_of(context.services, game),
        "subject": Message("identity.not_read"),
        "lines": (message,),
    }
    page = context.renderer.page("token", facts)
    return Outgoing(seat.address, page.subject, page.body, game.id, answers=mail.message_id)


_KIND = "returned"
_LONGEST_WHY = 100
_RETURNS_WITHIN = timedelta(days=7)


def note_return(services: Services, kept: KeptMail, now: datetime) -> bool:
    """Record a bounce reported by a mail server.

    It counts once, against the address of the original message, whatever the report says.  Returns
    False if the mail is none: neither is its recipient an address for bounces, whose reports have
    no sender, nor does it return what only the reader of a message has had.
    """
    is_sealed = is_return(kept.recipient)
    with faults_of_reading():
        failure = None if is_sealed and kept.sender else failure_in(kept.raw)
    if failure is None and not is_sealed:
        return False
    with services.store.writing() as uow:
        number = message_returned(services.secret, kept.recipient)
        if number is None and failure is not None:
            number = _letter_in(services, uow, failure, now)
            if number is None and not is_sealed:
                return False
        if failure is not None and number is not None:
            why, bounce = failure.why, bounce_of(failure.why, failure.status)
            message = uow.outbox.came_back(number, now, why, bounce)
            returned = None if message is None else message.outgoing
            counts = None if bounce is None else bounce.name.lower()
            log.warning("message returned", message=number, bounce=counts)
            if returned is not None and returned.game is not None:
                _tell_masters(services, uow, returned, returned.game, why, now)
        uow.inbox.finish(kept, MailEnd(MailOutcome.SILENT), kept_text(kept.raw), now)
        uow.commit()
    return True


def _letter_in(
    services: Services, uow: UnitOfWork, failure: Failure, now: datetime
) -> OutboxId | None:
    """The message that a report returns: by its seal, its Message-ID, or at last its reply code."""
    secret, address = services.secret, services.judge.address
    sealed = (message_of_return(secret, tag) for tag in failure.tags)
    by_id = (message_with_id(secret, uow, address, each) for each in failure.ids)
    of_code = (
        _newest_with(uow, scope, now)
        for _, scope in presented(secret, uow.reply_tokens, failure.codes)
    )
    return next((each for each in chain(sealed, by_id, of_code) if each is not None), None)


def _newest_with(uow: UnitOfWork, scope: TokenScope, now: datetime) -> OutboxId | None:
    """The newest message that carried a token."""
    match scope:
        case AddressToken(address=address):
            addresses = {address}
        case SeatToken(game=name, seat=number):
            game = uow.games.get(name)
            seats = () if game is None else game.seats
            addresses = {each.address for each in seats if each.number == number}
        case _:
            return None
    messages = (uow.outbox.lately(a, now - _RETURNS_WITHIN, _MAX_SENT) for a in addresses if a)
    sent = (each for each in chain.from_iterable(messages) if each.fate is Fate.SENT)
    return next((each.id for each in sent if each.outgoing.reply == scope), None)


def _tell_masters(
    services: Services,
    uow: UnitOfWork,
    returned: Outgoing,
    game_id: GameId,
    why: str,
    now: datetime,
) -> None:
    """Tell the masters once a day per address, except of their own addresses."""
    uow.games.lock(game_id)
    game = uow.games.get(game_id)
    if game is None or _was_told_today(uow, game, returned.to, now):
        return
    uow.notices.add(Notice(game.id, now, None, _KIND, returned.to))
    for each in _messages(services, uow, game, returned, why, now):
        uow.outbox.put(each)


def _was_told_today(uow: UnitOfWork, game: Game, address: str, now: datetime) -> bool:
    return any(
        notice.kind == _KIND and notice.text == address and notice.at.date() == now.date()
        for notice in uow.notices.all_of(game.id)
    )


def _messages(
    services: Services, uow: UnitOfWork, game: Game, returned: Outgoing, why: str, now: datetime
) -> Iterator[Outgoing]:
    people = people_of(uow, game)
    at_the_address = [seat for seat in game.seats if seat.address == returned.to]
    message = Message(
        "intake.returned.announced",
        to=returned.to,
        letters=" ".join(power for seat in at_the_address for power in seat.powers),
        subject=returned.subject,
        why=why[:_LONGEST_WHY],
    )
    masters = {
        seat.address: people.get(seat.person)
        for seat in game.seats
        if seat.role is Role.MASTER and seat.person is not None
    }
    for address, person in masters.items():
        if address == returned.to:
            continue
        subject, reader = Message("intake.returned.subject"), reader_of(services, person, now)
        page = plain_page(services, subject, (message,), head_of(services, game), reader)
        yield game_message(game, address, page)


MAX_ERRORS = 3
MAX_DEATHS = 8
AGAIN_AFTER = timedelta(seconds=2)
"""Delay after an error; no other mail waits for it."""
_LONGEST_TEXT = 20_000


class ProcessDied(MachjudgeError):
    """Processes ended repeatedly while they handled a mail."""


@dataclass(frozen=True, slots=True)
class FailedTry:
    """A failed try, and what the mail had proved before."""

    kept: KeptMail
    error: Exception
    now: datetime
    game: Game | None = None
    seat: Seat | None = None
    secrets: frozenset[str] = frozenset()

    @property
    def is_final(self) -> bool:
        """Return True if the mail is not tried again."""
        if isinstance(self.error, Unreadable | ScenarioUnusable):
            return True  # the same until the program or the file is mended
        is_worn_out = self.kept.tries >= MAX_ERRORS or self.kept.deaths >= MAX_DEATHS
        return is_worn_out or self.kept.why == kind_of(self.error)


def failure_of(
    services: Services,
    kept: KeptMail,
    error: Exception,
    contexts: Sequence[MailContext],
    now: datetime,
) -> FailedTry:
    """Describe a failed try; *contexts* is what was made of the mail, if anything."""
    failure = FailedTry(kept, error, now)
    for context in contexts:
        secrets = frozenset(context.secrets)
        failure = FailedTry(kept, error, now, context.game, context.writers_seat, secrets)
    if failure.seat is not None:
        return failure
    with suppress(Exception), services.store.reading() as uow:
        # Whatever it says, the address to which a reply went proves who wrote it.
        found = presented(services.secret, uow.reply_tokens, codes_in(kept.recipients))
        scopes = [scope for _, scope in found]
        place = place_opened(scopes, lambda name: uow.games.get(GameId(name)))
        if place is not None:
            return replace(failure, game=place.game, seat=place.seat)
    return failure


def try_again(services: Services, failure: FailedTry) -> None:
    """Put a mail back; only its own writer's next mail for the game waits for it."""
    kept, seat = failure.kept, failure.seat
    with services.store.writing() as uow:
        if failure.game is not None and seat is not None:
            uow.inbox.concerns(kept.id, failure.game.id)
        uow.inbox.put_back(
            kept.id,
            failure.now + AGAIN_AFTER,
            counts=True,
            fault=kind_of(failure.error),
            writer=seat.person if seat is not None else None,
        )
        uow.commit()


def set_aside(services: Services, failure: FailedTry) -> None:
    """Set a mail aside, and tell the keeper, its writer and the masters.

    It is set aside even if telling them fails.  Raises Stale if it is finished, StoreTrouble.
    """
    for write in (_write, _tell_keeper):
        try:
            with services.store.writing() as uow:
                write(services, uow, failure)
                uow.inbox.set_aside(failure.kept.id, kind_of(failure.error), failure.now)
                uow.commit()
        except (Stale, StoreTrouble):
            raise
        except Exception:
            log.exception("mail.not_reported", mail=failure.kept.id)
        else:
            return
    with services.store.writing() as uow:
        uow.inbox.set_aside(failure.kept.id, kind_of(failure.error), failure.now)
        uow.commit()


def _tell_keeper(services: Services, uow: UnitOfWork, failure: FailedTry) -> None:
    for each in about_mail(services, uow, failure.kept, failure.error, failure.now):
        uow.outbox.put(each)


def _write(services: Services, uow: UnitOfWork, failure: FailedTry) -> None:
    case = _case(services, uow, failure)
    waits = case.unusable is None and _flag(case)
    _tell_keeper(services, uow, failure)
    for game in case.games:
        uow.notices.add(Notice(game.id, failure.now, None, "aside", str(failure.kept.id)))
    messages = [*_to_writer(case, waits=waits), *_to_masters(case, waits=waits)]
    for each in reversed({each.to: each for each in reversed(messages)}.values()):
        uow.outbox.put(each)


@dataclass(frozen=True, slots=True)
class _Case:
    """A mail that is set aside, and the people concerned."""

    services: Services
    uow: UnitOfWork
    failure: FailedTry
    person: PersonId | None
    games: tuple[Game, ...]
    """The game that it is for; if unknown, those at which its sender sits."""
    unusable: Game | None
    """The game whose scenario is broken, if that is why."""
    is_told: bool
    """An unproven mail is reported once per address and day."""

    @property
    def kept(self) -> KeptMail:
        return self.failure.kept

    def head(self, game: Game | None) -> MessageHeader:
        """The head of a message; without the game's facts if its scenario is broken."""
        code = self.services.judge.code
        if game is None:
            return MessageHeader(code)
        if game is self.unusable:
            return MessageHeader(code, game.name, variant=game.scenario, state=game.status.value)
        return head_of(self.services, game)

    def seats(self, game: Game) -> list[Seat]:
        """The seat that it has opened, or those of its address."""
        if self.failure.seat is not None:
            return [self.failure.seat]
        return _seats_of(game, self.kept.sender, self.person)

    def zone(self, reader: str) -> tzinfo:
        person = self.uow.persons.by_address(reader) if reader else None
        return zone_of(self.services, person)


def _case(services: Services, uow: UnitOfWork, failure: FailedTry) -> _Case:
    kept, error = failure.kept, failure.error
    unusable = error.game if isinstance(error, ScenarioUnusable) else None
    owner = uow.persons.by_address(kept.sender) if kept.sender else None
    person = None if owner is None else owner.id
    game = unusable or failure.game
    if game is None and kept.game is not None:
        game = uow.games.get(kept.game)
    games = (
        (game,)
        if game is not None
        else tuple(each for each in uow.games.unfinished() if _seats_of(each, kept.sender, person))
    )
    lately = uow.inbox.set_aside_since(kept.sender, failure.now - DAY)
    is_told = failure.seat is not None or not lately
    return _Case(services, uow, failure, person, games, unusable, is_told)


def _seats_of(game: Game, address: str, person: PersonId | None) -> list[Seat]:
    taken = [seat for seat in game.seats if seat.person is not None]
    return [seat for seat in taken if seat.person == person or seat.address == address]


def _flag(case: _Case) -> bool:
    """Let the phase wait for a clean mail of a player, as after a wrong line."""
    failure, seat = case.failure, case.failure.seat
    if seat is None or seat.role is not Role.PLAYER or failure.game is None:
        return False
    case.uow.games.lock(failure.game.id)
    game = case.uow.games.get(failure.game.id)
    if game is None or game.status is not Status.RUNNING or game.clock is None:
        return False
    view = load(case.services, case.uow, game)
    own = [view.order_sets[power] for power in seat.powers if power in view.order_sets]
    if case.kept.received < game.clock.began:
        return False
    flagged = [
        view.next_order_set(
            order_set.power, order_set.lines, case.kept.received, case.kept.id, flawed=True
        )
        for order_set in own
        if not order_set.flawed
    ]
    if flagged:
        Changes(read=game, game=game, order_sets=flagged).write(case.uow)
    return bool(own)


def _to_writer(case: _Case, *, waits: bool) -> Iterator[Outgoing]:
    game = case.games[0] if len(case.games) == 1 else None
    for address in _addresses(case):
        received, zone = case.kept.received, case.zone(address)
        if case.unusable is None:
            notice = Message("intake.aside.to_sender", received=received, zone=zone, waits=waits)
        else:
            name = case.unusable.name
            notice = Message("intake.aside.unusable", received=received, zone=zone, game=name)
        subject, lines = Message("intake.aside.not_handled"), (notice, *_text_back(case))
        page = plain_page(case.services, subject, lines, case.head(game))
        answers = case.kept.message_id or None
        of = None if game is None else game.id
        message = Outgoing(address, page.subject, page.body, game=of, answers=answers)
        cut = case.services.renderer.say(Message("intake.aside.cut"))
        yield message if case.failure.seat is not None else fitted(message, "", cut)


def _text_back(case: _Case) -> tuple[MessageOrText, ...]:
    kept = kept_text(case.kept.raw, case.failure.secrets)
    try:
        text = texts_of(kept)[0]
    except Exception:  # reading may be what is broken
        text = kept.partition(b"\n\n")[2].decode("utf-8", "replace")
    lines = text[:_LONGEST_TEXT].strip().split("\n")
    return (Message("intake.aside.text"), *(f"  {line}".rstrip() for line in lines))


def _addresses(case: _Case) -> tuple[str, ...]:
    """The owner of the seat, and the person named in From.

    Machines and lists are not told; unproven senders once a day.
    """
    judge, seat = case.services.judge.address, case.failure.seat
    claim = claim_in(case.kept.raw, (judge,), case.kept.envelope)
    named = claim.sender if claim is not None and not is_own(claim.sender, judge) else ""
    owner = seat.address if seat is not None else ""
    return tuple(dict.fromkeys(filter(None, (named, owner)))) if case.is_told else ()


def _to_masters(case: _Case, *, waits: bool) -> Iterator[Outgoing]:
    for game in case.games if case.is_told else ():
        for master in game.seats:
            if master.role is Role.MASTER and master.person is not None:
                yield _to_master(case, game, master, waits=waits)


def _to_master(case: _Case, game: Game, master: Seat, *, waits: bool) -> Outgoing:
    facts = {
        "powers": _powers(case, game, master),
        "sits": bool(case.seats(game)),
        "received": case.kept.received,
        "zone": case.zone(master.address),
    }
    if case.unusable is None:
        message = Message("intake.aside.to_master", waits=waits, **facts)
    else:
        message = Message("intake.aside.unusable_to_master", **facts)
    subject = Message("intake.aside.mail_not_handled")
    page = plain_page(case.services, subject, (message,), case.head(game))
    return game_message(game, master.address, page)


def _powers(case: _Case, game: Game, master: Seat) -> tuple[str, ...]:
    """The writer's powers; none for a master who plays, or with a broken scenario."""
    if sight_of(game, [master]).plays or game is case.unusable:
        return ()
    names = case.services.scenario(game).powers
    return tuple(names[power].name for seat in case.seats(game) for power in seat.powers)


_MAX_STARTS = 10
"""Restarts after conflicts before a mail is put back."""
_MAX_LOOKS = 20
"""Checks for an older mail that is still read before a mail is put back."""
_BETWEEN_LOOKS_SECONDS = 0.01
_QUOTED_FOR = timedelta(days=60)
_MAX_SENT = 30
"""Messages to a mail's writer that are checked for quotations."""
_AGAIN_AFTER_OTHERS = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class TakenMail:
    """A mail that was taken up."""

    mail: KeptMail
    game: GameId | None
    is_finished: bool
    is_settled: bool = False
    """The game certainly waits for more, so that no tick is needed."""


def take(
    services: Services,
    now: datetime,
    *,
    before: datetime | None = None,
    unless_overdue: bool = False,
) -> TakenMail | None:
    """Claim the oldest mail that can be handled, or, *unless_overdue*, none after a deadline."""
    with services.store.writing(single=True, outlasts_power=False) as uow:
        kept = uow.inbox.claim(now, before=before, unless_overdue=unless_overdue)
        uow.commit()
    if kept is None:
        return None
    contexts: list[MailContext] = []
    if kept.deaths >= MAX_DEATHS:
        return _fail(services, failure_of(services, kept, ProcessDied(), contexts, now))
    try:
        return again(lambda: handle(services, kept, now, contexts))
    # A mail that cannot be handled, for whatever reason, must not hold up the others.
    except Exception as error:
        if isinstance(error, Stale | StoreTrouble) and not isinstance(error, Vanished):
            return _wait_for_store(services, kept, error, now)
        return _fail(services, failure_of(services, kept, error, contexts, now))


def handle(
    services: Services, kept: KeptMail, now: datetime, contexts: list[MailContext] | None = None
) -> TakenMail:
    """Handle one claimed mail, in one writing transaction at its end.

    What is made of it is added to *contexts*, for the report of a failure.
    """
    if note_return(services, kept, now):
        return TakenMail(kept, None, is_finished=True)
    if leave_watched(services, kept, now):
        return TakenMail(kept, None, is_finished=True)
    if is_for_postmaster(kept, services.judge.address):
        pass_on(services, kept, now)
        return TakenMail(kept, None, is_finished=True)
    mail = _read(services, kept, now)
    work = _HandledMail(kept, mail, now, [] if contexts is None else contexts)
    if (turn_away := _turns_away(kept, mail)) is not None:
        turn_away(services, work)
        return TakenMail(kept, None, is_finished=True)
    if is_banned(mail, services.store.banned):
        turn_away_banned(services, work)
        return TakenMail(kept, None, is_finished=True)
    if (sizes := cut_in(kept.raw)) is not None:
        turn_away_large(services, work, sizes)
        return TakenMail(kept, None, is_finished=True)
    if mail.why_ignored is not None:
        # Only a proof shows whom to answer.
        work.mail = replace(mail.with_lines(mail.unheard), kind=MailKind.HOLD, why_ignored=None)
    try:
        return _handle_in_turn(services, work)
    except Exception:
        # Only its own game's phase waits for it.
        with suppress(Exception):
            _note_game(services, work)
        raise


def _turns_away(kept: KeptMail, mail: Mail) -> Callable[[Services, _HandledMail], None] | None:
    """The handler for a mail of which nothing is obeyed; None for any other."""
    if not kept.sender or mail.why_ignored not in (None, WhyIgnored.NO_SENDER):
        return pass_over
    if mail.why_ignored is None:
        return None if claim_of(mail) is not None else refuse_sender
    return None if mail.unheard or mail.codes else pass_over


def _read(services: Services, kept: KeptMail, now: datetime) -> Mail:
    """Parse a mail, with the recent messages that it quotes.  Raises Unreadable."""
    reading = partial(
        read_mail,
        kept.raw,
        own=(services.judge.address,),
        limits=ReadingLimits(lines=services.judge.max_lines),
        renderer=services.renderer,
        envelope=kept.envelope,
    )
    mail = reading()
    addresses = {each.lower() for each in (mail.sender, mail.reply_to) if each}
    if mail.quotable and addresses:
        with services.store.reading() as uow:
            sent = [uow.outbox.bodies(a, now - _QUOTED_FOR, _MAX_SENT) for a in sorted(addresses)]
        messages = closest(mail.quotable, (text for each in sent for _, text in each))
        mail = reading(messages=messages) if messages else mail
    return without_code_lines(mail)


def _handle_in_turn(services: Services, work: _HandledMail) -> TakenMail:
    """Handle the mail, again after each conflict; put it back if it has to wait."""
    kept = work.kept
    for _ in range(_MAX_STARTS):
        try:
            _attempt(services, work)
        except Vanished:
            raise
        except Stale:
            continue
        except FollowsFailed as fault:
            # Only its own writer waits for it.
            return _put_back(services, work, work.now + fault.after, kind_of(fault))
        except MustWait as fault:
            # It cannot be claimed again before its turn.
            return _put_back(services, work, work.now + fault.after)
        return TakenMail(kept, work.game, is_finished=True, is_settled=work.is_settled)
    return _put_back(services, work, work.now + _AGAIN_AFTER_OTHERS)


def _attempt(services: Services, work: _HandledMail) -> None:
    """Handle the mail once.  Raises Stale, and MustWait before its turn."""
    kept = work.kept
    mail = with_practice(services, kept, work.mail, work.parsed_lines)
    if not kept.is_oldest or kept.tries > 1 or kept.deaths:
        _await_turn(services, work)
    with services.store.reading() as reading:
        _find_game(services, reading, work)
        context = _context_of(services, reading, work, mail)
        work.contexts[:] = [context]
        run_mail(context)
        answers = answer_messages(context)
        is_held = mail.suspected is not None and context.seat is None
        if is_held and held_lately(reading, kept, work.now):
            # Two machines that answer each other would never end.
            answers = []
        cause = cause_of(context)
        clear_bounces(context)
        if context.progress.is_dry:
            # Nothing is stored; wrong passwords are counted already.
            context.changes, context.messages = Changes(), []
        papers = newspapers(services, reading, context.changes, work.now)
    messages = [*in_messages(services.renderer, context.messages), *papers]
    post = OutgoingMail(cause, messages, answers, context.say)
    _keep(services, work, context, post, is_held=is_held)


def _await_turn(services: Services, work: _HandledMail) -> None:
    """Return at the mail's turn; raises MustWait if that takes long."""
    with services.store.reading() as reading:
        _find_game(services, reading, work)
    if not _note_game(services, work) or work.game is None:
        return
    mail, game = work.kept.id, work.game
    for _ in range(_MAX_LOOKS):
        with services.store.reading() as reading:
            if not reading.inbox.must_wait(mail, game):
                return
            if not reading.inbox.is_read_elsewhere(mail, work.now):
                break
        time.sleep(_BETWEEN_LOOKS_SECONDS)
    raise MustWait


def _keep(
    services: Services,
    work: _HandledMail,
    context: MailContext,
    post: OutgoingMail,
    *,
    is_held: bool,
) -> None:
    """Save the mail's effects.  Raises Stale, and MustWait before its turn."""
    mail, kept = work.mail, work.kept
    game = context.game.id if context.game is not None else work.game
    if game != work.game:
        work.game, work.is_noted = game, False
    with services.store.writing() as uow:
        if game is not None:
            uow.games.lock(game)
        end = keep(context, post, uow)
        work.is_settled = end.outcome is MailOutcome.ANSWERED and is_settled(context, work.now)
        end = MailEnd(MailOutcome.HELD, mail.suspected.value) if is_held and mail.suspected else end
        redacted = kept_text(kept.raw, context.secrets)
        uow.inbox.finish(kept, end, redacted, work.now, game, _writer([context]))
        if end.outcome is MailOutcome.ANSWERED:
            forget_people(context, uow)
        uow.commit()


def _writer(contexts: Sequence[MailContext]) -> PersonId | None:
    seat = contexts[0].writers_seat if contexts else None
    return seat.person if seat is not None else None


def _find_game(services: Services, reading: UnitOfWork, work: _HandledMail) -> None:
    def scenario_of(name: str) -> Scenario | None:
        return scenario_named(services, reading, name)

    if not work.is_found:
        named = game_concerned(work.parsed_lines, work.mail, scenario_of)
        work.game = named or game_answered(services.secret, reading, work.kept, work.mail)
        work.is_found = True


def _note_game(services: Services, work: _HandledMail) -> bool:
    """Store the game of a mail; return True if the mail may have to wait for another."""
    if work.is_noted or not work.is_found:
        return True
    with services.store.writing(single=True, outlasts_power=False) as uow:
        may_wait = uow.inbox.concerns(work.kept.id, work.game)
        uow.commit()
    work.is_noted = True
    return may_wait


def _context_of(
    services: Services, reading: UnitOfWork, work: _HandledMail, mail: Mail
) -> MailContext:
    kept = work.kept
    limited = replace(services, passwords=LimitedHasher(services.passwords))
    context = MailContext(
        limited, reading, mail, kept.id, kept.received, work.now, work.parsed_lines
    )
    context.load_reply_tokens(codes_of(kept, mail))
    if mail.is_in_from:
        context.writer.check_sender = sender_check(
            services, reading, kept, context.address, work.now
        )
    return context


def _put_back(
    services: Services, work: _HandledMail, until: datetime, fault: str = ""
) -> TakenMail:
    with suppress(Stale):
        _note_game(services, work)
        with services.store.writing() as uow:
            writer = _writer(work.contexts) if fault else None
            uow.inbox.put_back(work.kept.id, until, counts=False, fault=fault, writer=writer)
            uow.commit()
    return TakenMail(work.kept, work.game, is_finished=False)


def _wait_for_store(
    services: Services, kept: KeptMail, trouble: Exception, now: datetime
) -> TakenMail:
    """Retry a mail until the database works; that is no failure of the mail.

    Raises StoreTrouble if it does not yet; the caller releases the mail later.
    """
    log.warning("mail.waits_for_database", mail=kept.id, exc_info=trouble)
    fault = "" if isinstance(trouble, Stale) else kind_of(trouble)
    with suppress(Stale), services.store.writing() as uow:
        uow.inbox.put_back(kept.id, now + _AGAIN_AFTER_OTHERS, counts=False, fault=fault)
        uow.commit()
    return TakenMail(kept, None, is_finished=False)


def _fail(services: Services, failure: FailedTry) -> TakenMail:
    """Put the mail back, or set it aside and tell all concerned.

    A mail that another process has taken up meanwhile is left alone.
    """
    kept, error = failure.kept, failure.error
    # The log writes where it happened, without the text of the fault, which may repeat the mail.
    log.error("mail.failed", mail=kept.id, tries=kept.tries, deaths=kept.deaths, exc_info=error)
    with suppress(Stale):
        (set_aside if failure.is_final else try_again)(services, failure)
    return TakenMail(kept, None, is_finished=False)
