"""The addressees of a game's messages, and the phase that a mail answers.

That is the phase of the message in In-Reply-To or References (RFC 5322, 3.6.4), else the one in
its subject, which is less certain: people type new texts below old subjects.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from hmac import compare_digest
from itertools import chain, islice, takewhile
from typing import cast

from machjudge.adjudicator.moments import Moment, Stage, read_moment
from machjudge.adjudicator.names import PowerId
from machjudge.judge.credentials import SeatToken, code_of
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    has_to_order,
    reader_of,
    seat_of,
)
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import (
    OutboxId,
    Outgoing,
    Part,
    QueuedMessage,
    Standing,
    dotted,
    paged,
    shown_number,
)
from machjudge.judge.pictures import pictures_of_position
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.records import Clock, Game, Person, PersonId, Role, Seat, Status, StoredPhase
from machjudge.judge.secret import JudgeSecret
from machjudge.messages.receipt import LinesByPlace, alert, asked, buttons, said_for
from machjudge.messages.render import MessageHeader, Page, Reader, phase_name
from machjudge.messages.results import void_orders
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class Addressee:
    """An address that gets messages of a game, with all its seats."""

    address: str
    reader: Reader
    seats: tuple[Seat, ...]
    sight: Sight

    @property
    def powers(self) -> tuple[PowerId, ...]:
        """The powers that are led from this address."""
        return tuple(power for seat in self.seats for power in seat.powers)


def sight_of(game: Game, seats: Iterable[Seat]) -> Sight:
    """Return what the holder of these seats may see.

    Playing at another seat takes something away; what they did and got there adds nothing to the
    sight of observers' seats.
    """
    own = list(seats)
    people = {seat.person for seat in own if seat.person is not None}
    addresses = {seat.address for seat in own}
    all_seats = [s for s in game.seats if s.person in people or s.address in addresses]
    roles = {seat.role for seat in all_seats if seat.person is not None}
    watch = all(seat.role is Role.OBSERVER for seat in own)
    as_player = game.settings.master_plays
    return Sight(
        frozenset(power for seat in own for power in seat.powers),
        is_master=Role.MASTER in {seat.role for seat in own},
        plays=Role.PLAYER in roles or (as_player and Role.MASTER in roles),
        as_player=as_player,
        hidden_money=game.settings.hidden_money,
        hidden_kinds=not game.settings.special_public,
        foggy=game.settings.foggy,
        anonymous=game.settings.anonymous,
        is_over=game.status is Status.FINISHED,
        reveals=game.settings.reveal,
        people=frozenset(people),
        watches_from=frozenset(seat.number for seat in own if watch),
        has_copies=game.settings.press.watched,
        opens_press=game.settings.press.opened,
        in_letters=any(seat.wishes.in_letters for seat in own),
    )


def view_for_power(view: GameView, power: PowerId) -> SeenGame:
    """Return the game as a power's leader sees it, to read and check its orders."""
    seat = seat_of(view.game, power)
    if seat is None:
        return view.seen_by(sight_of(view.game, []))
    person = view.people.get(seat.person) if seat.person is not None else None
    language = person.language if person is not None else ""
    return view.seen_by(sight_of(view.game, [seat]), language)


def addressees(
    services: Services, game: Game, people: Mapping[PersonId, Person], now: datetime
) -> Iterator[Addressee]:
    """Return everybody at the game, each address once, by the number of the first seat."""
    taken = [seat for seat in game.seats if seat.person is not None]
    for address in dict.fromkeys(seat.address for seat in taken):
        seats = tuple(seat for seat in taken if seat.address == address)
        person = next((people[p] for s in seats if (p := s.person) and p in people), None)
        reader = reader_of(services, person, now)
        yield Addressee(address, reader, seats, sight_of(game, seats))


def turned_out(
    services: Services, game: Game, clock: Clock, people: Mapping[PersonId, Person], now: datetime
) -> Iterator[Addressee]:
    """Return the players of seats opened in this phase, who may still come back."""
    reached = {seat.address for seat in game.seats if seat.person is not None}
    for number, who in clock.turned_out:
        seat = next(each for each in game.seats if each.number == number)
        if seat.former == who and seat.address not in reached:
            person = people.get(who)
            reader = reader_of(services, person, now)
            yield Addressee(seat.address, reader, (seat,), sight_of(game, [seat]))


def head_of(services: Services, game: Game, phase: str = "") -> MessageHeader:
    """Return the head of a game's messages; *phase* is the code of the current phase."""
    scenario, clock = services.scenario(game), game.clock
    paused = clock is not None and clock.paused is not None
    moment = read_moment(phase)
    return MessageHeader(
        judge=services.judge.code,
        game=game.name,
        variant=f"{scenario.title} ({scenario.id})",
        phase=phase,
        deadline=clock.deadline if clock is not None and not paused else None,
        state="paused" if paused else game.status.value,
        ends=clock.ends if clock is not None else None,
        won=clock is not None and clock.won,
        next=phase_name(Words(services.world(game)), moment) if moment is not None else "",
    )


def head_now(services: Services, view: GameView) -> MessageHeader:
    """Return the head of a running game's messages."""
    return head_of(services, view.game, view.state.moment.code)


def plain_page(
    services: Services,
    subject: MessageOrText,
    lines: Sequence[MessageOrText],
    head: MessageHeader | None = None,
    reader: Reader | None = None,
) -> Page:
    """Return a page of sentences; without a head it is about no game."""
    facts: dict[str, object] = {
        "head": head or MessageHeader(services.judge.code),
        "subject": subject,
        "lines": lines,
    }
    if reader is not None:
        facts["reader"] = reader
    return services.renderer.page("token", facts)


def public_name(game: Game, person: Person) -> MessageOrText:
    """Return the public name of the person at a power's seat."""
    return Message("session.somebody") if game.settings.anonymous else person.name


def game_message(game: Game, address: str, page: Page, *, may_wait: bool = False) -> Outgoing:
    """Return a page as a message that answers no mail; *may_wait*: it may come in a digest."""
    return replace(paged(address, page, game.id), may_wait=may_wait)


Subject = MessageOrText | Callable[[Addressee], MessageOrText]
"""What a message is about; one with an instant is made for each reader's zone."""


def announcements(
    services: Services,
    view: GameView,
    now: datetime,
    subject: "Subject",
    lines_for: Callable[[Addressee], Sequence[MessageOrText]],
    *,
    may_wait: bool = False,
) -> list[Outgoing]:
    """Return unsolicited messages for the addressees who have lines."""
    found = []
    head = head_now(services, view)
    for to in addressees(services, view.game, view.people, now):
        lines = lines_for(to)
        if lines:
            about = subject(to) if callable(subject) else subject
            facts = {"head": head, "subject": about, "reader": to.reader, "lines": lines}
            page = services.renderer.page("announcement", facts)
            found.append(game_message(view.game, to.address, page, may_wait=may_wait))
    return found


def due_now(view: GameView, to: Addressee) -> MessageOrText:
    """Return what is due from a reader, and when, for a subject; "" for those who lead no power."""
    own = [power for power in to.powers if power not in view.state.eliminated]
    clock, zone = view.game.clock, to.reader.zone
    if clock is None or not own:
        return ""
    if clock.ends is not None:
        return Message("clock.due.ends", at=clock.ends, zone=zone)
    if clock.paused is not None:
        return Message("clock.due.paused")
    if not any(has_to_order(view.world, view.state, power) for power in own):
        return Message("clock.due.nothing")
    return due_at(view, zone)


def due_at(view: GameView, zone: tzinfo) -> Message:
    """Return what is due in a running phase, and when, for a subject."""
    stage = view.state.moment.stage.name.lower()
    return Message(f"clock.due.{stage}", at=view.clock.deadline, zone=zone)


def for_reader(view: GameView, to: Addressee, *, with_filed: bool = False) -> Mapping[str, object]:
    """Return the part of a message for one reader alone.

    :param with_filed: give the lines of units with orders on file as they are there.
    """
    goes_on = view.game.clock is not None and not view.game.clock.won
    own = to.powers if goes_on else ()
    seen = to.sight.view(view.world, view.state)
    words = to.sight.words(view.world, seen)
    asks = [asked(words, seen, power, view.orders_of(power) if with_filed else ()) for power in own]
    alerts: list[MessageOrText] = [
        line for power in to.powers for line in alert(words, seen, power)
    ]
    if all(seat.person is None for seat in to.seats):
        alerts.insert(0, Message("session.seat_is_open"))
    return {
        "reader": to.reader,
        "due_now": due_now(view, to),
        "idle": view.is_idle,
        "due": tuple(line for each in asks for line in each.due),
        "form": tuple(
            line
            for power, each in zip(own, asks, strict=True)
            for line in said_for(words, power, own, each.form)
        ),
        # One answer opens one seat.
        "sendable": asks[0].sendable if len(asks) == 1 else (),
        "by_place": asks[0].by_place if len(asks) == 1 else (),
        "offered": asks[0].offered if len(asks) == 1 else (),
        "form_first": view.state.moment.stage is not Stage.CAMPAIGN,
        "buttons": buttons(words, seen) if len(asks) == 1 and asks[0].form else (),
        "alerts": tuple(alerts),
        "astray": tuple(
            line for power in to.powers for line in void_orders(words, power, view.phase.events)
        ),
        "is_master": to.sight.is_master,
    }


def with_map(services: Services, view: GameView, to: Addressee) -> Mapping[str, object]:
    """Return what a reader is asked, as `for_reader` with what is filed, and the map to tap on."""
    own = for_reader(view, to, with_filed=True)
    if not to.reader.pictures:
        return {**own, "pictures": ()}
    say = services.renderer.of(to.reader.language).say
    lines = cast("LinesByPlace", own["by_place"])
    state = to.sight.view(view.world, view.state)
    shown = pictures_of_position(
        services,
        Words(view.world),
        state,
        to.powers,
        tuple((place, say(line)) for place, line in lines),
    )
    return {**own, "pictures": shown}


def announce(
    context: MailContext,
    game: Game,
    subject: Subject,
    lines: Sequence[MessageOrText],
    only: Collection[str] | None = None,
    standing: Standing | None = None,
) -> None:
    """Tell everybody at the game, or some addresses, except the speaker, who gets the answer."""
    own = context.seat.address if context.seat is not None else ""
    view = context.view()
    head = head_of(context.services, game, view.state.moment.code if view is not None else "")
    for to in addressees(context.services, game, context.people(game), context.now):
        if to.address != own and (only is None or to.address in only):
            about = subject(to) if callable(subject) else subject
            context.send(Part(game.id, to.address, to.reader, head, about, tuple(lines), standing))


def masters_only(game: Game) -> frozenset[str] | None:
    """Return the audience of comings and goings: in a quiet game the masters alone."""
    if not game.settings.quiet:
        return None
    return frozenset() if game.settings.master_plays else masters_of(game)


def masters_of(game: Game) -> frozenset[str]:
    """Return the addresses of the master and their co-masters."""
    return frozenset(seat.address for seat in game.seats if seat.role is Role.MASTER)


def announce_setting(
    context: MailContext,
    game: Game,
    lines: Sequence[MessageOrText],
    standing: Standing | None = None,
) -> None:
    """Tell everybody a new setting, and which of several masters has set it."""
    person = context.person
    if game.settings.show and len(masters_of(game)) > 1 and person is not None:
        lines = [*lines, Message("session.set_by", name=person.name)]
    announce(context, game, Message("session.parameter_change"), lines, standing=standing)


_CODE = "[SUF][0-9]{4}[MRB]"
_OWN_ID = re.compile(
    r"<([0-9]{8}T[0-9]{6})(?:\.([a-z2-7]{8})|(\.[0-9]{6})\.([1-9][0-9]{0,8}))"
    r"(?:\.r\.([a-z2-7]{26}))?@([^<>\s@]+)>"
)
"""When a message was made, its hidden number, and the tag of its reply token.

Earlier versions wrote the number as it is, behind the microseconds.
"""
_ROOT = re.compile(rf"<([^<>\s@]+)\.({_CODE})\.game@([^<>\s@]+)>", re.IGNORECASE)
_MARK = re.compile(rf"\(({_CODE})\)")
"""The code of the phase at the end of a subject: ``borgia: … (S1454M)``."""
_TAG = re.compile(rf":(\S+)\s+-\s+({_CODE})\b(\s+Results\b)?", re.IGNORECASE)
"""The beginning of a subject with ``SET SUBJECT PLAIN``, and of all in earlier versions."""
_MAX_LOOKED_AT = 4
_LARGEST_NUMBER = 999_999_999
"""The largest row number of a database, as a limit for forged IDs."""
_SECOND, _MICROSECOND = "%Y%m%dT%H%M%S", ".%f"


@dataclass(frozen=True, slots=True)
class Answered:
    """The phase of the answered message, if it is not the current one."""

    moment: Moment
    is_certain: bool
    """The mail names the message itself, not only the code in its subject."""


def answered(context: MailContext) -> Answered | None:
    """Return the other phase that a mail answers; None for the current one, or no message."""
    view = context.view()
    if view is None or context.seat is None:
        return None
    by_id = next(chain(_by_ids(context, view), _by_tokens(context, view)), None)
    found = by_id or _by_subject(context, view, context.mail.subject)
    if found is None or found == view.state.moment:
        return None
    return Answered(found, is_certain=by_id is not None)


def last_played(context: MailContext) -> StoredPhase | None:
    """Return the last phase that was played, not counting interludes; None if there is none."""
    view = context.view()
    back = _back(context, view) if view is not None else ()
    return next((each for each in back if not each.is_interlude), None)


def interludes(context: MailContext) -> tuple[StoredPhase, ...]:
    """Return the changes of the position since the last phase was played, in order."""
    view = context.view()
    back = _back(context, view) if view is not None else ()
    return tuple(takewhile(lambda phase: phase.is_interlude, back))[::-1]


def as_it_was(context: MailContext, view: GameView, moment: Moment) -> StoredPhase | None:
    """Return the stored phase of *moment* on the way to the current position."""
    return next((p for p in _back(context, view) if p.before.moment == moment), None)


def began(context: MailContext) -> datetime | None:
    """Return when the current phase began, not counting interludes, in UTC.

    None if it is the first one, or no game is running.
    """
    played = last_played(context)
    return played.processed if played is not None else None


def answered_at(context: MailContext) -> datetime | None:
    """Return when the message was made that a mail answers by its header; else None."""
    posted = _posted_in(context, next(iter(reversed(context.mail.references)), ""))
    return posted.made if posted is not None else None


def _by_ids(context: MailContext, view: GameView) -> Iterator[Moment]:
    domain = context.services.judge.address.rpartition("@")[2].lower()
    for each in reversed(context.mail.references):
        own, root = _OWN_ID.fullmatch(each), _ROOT.fullmatch(each)
        found = None
        if own is not None:
            found = _of_token(context, view, own[5]) if own[6].lower() == domain else None
            found = found or _of_posted(context, view, _posted_in(context, each))
        elif root is not None and root[3].lower() == domain:
            is_here = root[1].lower() == dotted(view.game.id)
            found = read_moment(root[2].upper()) if is_here else None
        if found is not None:
            yield found


def _by_tokens(context: MailContext, view: GameView) -> Iterator[Moment]:
    for code in context.writer.codes:
        moment = _of_token(context, view, code)
        if moment is not None:
            yield moment


def _of_token(context: MailContext, view: GameView, code: str | None) -> Moment | None:
    match context.writer.codes.get(code or ""):
        case SeatToken(game=game, phase=phase) if game == view.game.id:
            return read_moment(phase)
    return None


def message_with_id(
    secret: JudgeSecret, uow: UnitOfWork, judge: str, message_id: str
) -> OutboxId | None:
    """Return the message whose whole Message-ID this is, code and all; None if there is none.

    *judge* is the judge's address.  Only the message's reader has had the Message-ID.
    """
    own, message = _OWN_ID.fullmatch(message_id), _posted(secret, uow, judge, message_id)
    if own is None or message is None or not own[2]:
        return None
    scope = message.outgoing.reply
    code = "" if scope is None else code_of(secret, scope)
    return message.id if compare_digest(code, own[5] or "") else None


def _posted(
    secret: JudgeSecret, uow: UnitOfWork, judge: str, message_id: str
) -> QueuedMessage | None:
    """The message in the outbox with a Message-ID of ours; None if there is none."""
    own = _OWN_ID.fullmatch(message_id)
    if own is None or own[6].lower() != judge.rpartition("@")[2].lower():
        return None
    shown = shown_number(secret, own[2]) if own[2] else OutboxId(int(own[4]))
    is_number = shown is not None and shown <= _LARGEST_NUMBER
    posted = uow.outbox.posted(shown) if shown is not None and is_number else None
    if posted is None:
        return None
    made = posted.made.astimezone(UTC)
    instant = f"{made:{_SECOND}}{f'{made:{_MICROSECOND}}' if own[3] else ''}"
    return posted if instant == own[1] + (own[3] or "") else None


def _posted_in(context: MailContext, message_id: str) -> QueuedMessage | None:
    services = context.services
    return _posted(services.secret, context.uow, services.judge.address, message_id)


def _of_posted(context: MailContext, view: GameView, posted: QueuedMessage | None) -> Moment | None:
    if posted is None or posted.outgoing.game != view.game.id:
        return None
    if posted.outgoing.phase:
        return read_moment(posted.outgoing.phase)
    return _by_subject(context, view, posted.outgoing.subject)


def _by_subject(context: MailContext, view: GameView, subject: str) -> Moment | None:
    """The phase of the code in a subject; plain results ask for orders for the next phase."""
    tag, marks = _TAG.search(subject), _MARK.findall(subject)
    if tag is None and marks and f"{view.game.id}: " in subject.lower():
        return read_moment(marks[-1])
    if tag is None and f"{view.game.id}, " in subject.lower():
        return _by_news(context, view, subject)
    if tag is None or tag[1].lower() != view.game.id:
        return None
    moment = read_moment(tag[2].upper())
    if moment is None or tag[3] is None:
        return moment
    stored = as_it_was(context, view, moment)
    return stored.after.moment if stored is not None else moment


def _by_news(context: MailContext, view: GameView, subject: str) -> Moment | None:
    """The phase that the results in a subject asked orders for, as earlier versions wrote it."""
    for stored in islice(_back(context, view), _MAX_LOOKED_AT):
        phase = phase_name(Words(view.world), stored.before.moment)
        papers = dict.fromkeys((context.renderer, context.services.renderer))
        tags = (f"{view.game.id}, {renderer.say(phase)}:".lower() for renderer in papers)
        if any(tag in subject.lower() for tag in tags):
            return stored.after.moment
    return None


def _back(context: MailContext, view: GameView) -> Iterator[StoredPhase]:
    stored = view.phase
    fresh = {phase.number: phase for phase, _ in context.changes.phases}
    while stored.parent is not None:
        yield stored
        stored = fresh.get(stored.parent) or context.uow.phases.get(view.game.id, stored.parent)
