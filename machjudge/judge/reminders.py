"""Reminders, late notices, open seats, calendar entries, digests, and leaps of the clock."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import chain
from typing import cast
from zoneinfo import ZoneInfo

import structlog

from machjudge.adjudicator.moments import Stage, read_moment
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.world import World
from machjudge.judge.changes import Changes, with_token
from machjudge.judge.faults import Stale
from machjudge.judge.game_settings import Policy
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    absences_of,
    delay_lines,
    has_to_order,
    load,
    log_entry,
    missing,
    players,
    reader_of,
    seat_of,
    times_late,
    with_excused,
    with_late,
    with_left,
    zone_of,
)
from machjudge.judge.mails import Attachment, Outgoing, QueuedMessage, WaitingDigest, paged
from machjudge.judge.outgoing import (
    Addressee,
    addressees,
    announcements,
    due_at,
    due_now,
    game_message,
    head_now,
    plain_page,
    view_for_power,
    with_map,
)
from machjudge.judge.people import with_seat
from machjudge.judge.ports import Services, UnitOfWork, tell_of_game
from machjudge.judge.records import (
    Bounces,
    Calendar,
    Clock,
    Game,
    GameId,
    Limit,
    Notify,
    Person,
    PersonId,
    Role,
    Seat,
    SeatWarning,
    Status,
)
from machjudge.judge.secret import JudgeSecret
from machjudge.judge.tick_times import BEAT, Leap, Looks, digest_at
from machjudge.judge.timetable import (
    Remind,
    after_leap,
    grace_after,
    line_instant,
    missing_for,
    next_clock,
    past_absences,
    played_without_the_late_at,
    seat_opens,
    seats_open_at,
    timing_of,
)
from machjudge.messages.calendar import Event, calendar_file, event_file
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.layout import inside, without
from machjudge.messages.receipt import PowerNeeds, needs_lines, on_file_lines
from machjudge.messages.render import (
    MessageHeader,
    Reader,
    flag_help,
    flag_line,
    phase_name,
    without_orders,
)
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words, header_time, when
from machjudge.translatable import Message, MessageOrText

# Which messages wait for the digest of their reader (`SET NOTIFY`), and until when. An answer, a
# reminder, a late notice and whatever else asks somebody to act never wait. Of the news of a
# game, those that give a seat to its reader or take it never wait either.
_TO_ANSWER = timedelta(hours=12)
"""How long before a deadline a digest must come with urgent messages."""


def queue_for_digests(services: Services, uow: UnitOfWork, changes: Changes, now: datetime) -> None:
    """Hold back a game's news for the digests of those who want one."""
    game = changes.game
    if game is None or not any(each.may_wait for each in changes.messages):
        return
    owners = {**_owners(changes.read), **_owners(game)}
    read = uow.persons.of(set(owners.values()))
    people = {who: changes.persons.get(who) or person for who, person in read.items()}
    matters = changes.read is None or _course(changes.read) != _course(game)
    for number, one in enumerate(changes.messages):
        person = people.get(owners.get(one.to, PersonId("")))
        if person is None or not one.may_wait or one.game != game.id:
            continue
        if person.notify is Notify.EACH or _concerns_seat(changes.read, game, one.to):
            continue
        if matters and not _can_wait(services, person, game, now):
            continue
        changes.messages[number] = replace(one, held_for=person.id)


def _can_wait(services: Services, person: Person, game: Game, now: datetime) -> bool:
    """True if the reader still has time to answer after their digest."""
    if person.notify is Notify.IMPORTANT:
        return False
    clock = game.clock
    if clock is None or clock.paused is not None or clock.ends is not None:
        return True
    digest = digest_at(zone_of(services, person), person.digest_hour, now)
    return clock.deadline >= digest + _TO_ANSWER


def _course(game: Game) -> tuple[object, ...]:
    clock = game.clock
    times = None if clock is None else (clock.deadline, clock.grace, clock.paused, clock.ends)
    return (game.status, game.position, game.master, times)


def _owners(game: Game | None) -> Mapping[str, PersonId]:
    seats = game.seats if game is not None else ()
    return {seat.address: seat.person for seat in seats if seat.person is not None}


def _concerns_seat(read: Game | None, game: Game, address: str) -> bool:
    """True if a person gets or loses a seat, or the game itself, at an address."""
    before, after = _seats_at(read, address), _seats_at(game, address)
    if before != after:
        return True
    if read is None or read.master == game.master:
        return False
    return any(person in (read.master, game.master) for _, _, person in after)


def _seats_at(game: Game | None, address: str) -> frozenset[tuple[object, ...]]:
    seats = game.seats if game is not None else ()
    here = (seat for seat in seats if seat.address == address and seat.person is not None)
    return frozenset((seat.number, seat.role, seat.person) for seat in here)


# Files for calendars: they go with the messages that set a deadline, move it or end the game.
# Each game is one entry in the calendar of everybody who plays or keeps it. The entry moves from
# deadline to deadline, and goes with the game or with their seat.
_FILE = "deadline.ics"


@dataclass(frozen=True, slots=True)
class _Due:
    at: datetime
    stands: bool
    position: int | None
    """The previous phase: another one makes another deadline, even at the same instant.

    Secret transfers of chits are not counted.
    """


def enter_deadlines(services: Services, uow: UnitOfWork, changes: Changes, now: datetime) -> None:
    """Add the file to the first message for each address whose calendar entry changes."""
    read, game = changes.read, changes.game
    if game is None:
        return
    before = _entries(read) if read is not None else {}
    goes_on = changes.phases and all(each.is_secret for each, _ in changes.phases)
    after = _entries(replace(game, position=read.position) if read and goes_on else game)
    moved = {who for who in before.keys() | after.keys() if before.get(who) != after.get(who)}
    number = _number(read)
    # Addresses are private: a new one leaves the entry of others unchanged.
    is_told = bool(moved) and {who: due for (_, who), due in before.items()} != {
        who: due for (_, who), due in after.items()
    }
    number += is_told
    was_known = read is not None and read.clock is not None and read.clock.entered is not None
    if game.clock is not None and (is_told or was_known) and game.clock.entered != number:
        changes.game = game = replace(game, clock=replace(game.clock, entered=number))
    if not moved:
        return
    staying = {person for _, person in after}
    people = uow.persons.of({person for _, person in moved})
    for address, who in sorted(moved):
        person = changes.persons.get(who) or people.get(who)
        if person is None or person.calendar in (Calendar.OFF, Calendar.LINK):
            continue
        own = (each.to == address and each.game == game.id for each in changes.messages)
        first = next((n for n, is_own in enumerate(own) if is_own), None)
        old, new = before.get((address, who)), after.get((address, who))
        entry = new or old
        # A new address of the same person has the same calendar.
        has_moved = new is None and who in staying
        if first is None or entry is None or has_moved:
            continue
        one = changes.messages[first]
        # A cancellation comes after the entry, and before any further one (RFC 5546, 2.1.4).
        sequence = 2 * number + (new is None)
        owner = (one.to, person)
        event = _event(services, game, one.phase, owner, entry, now, sequence)
        event = replace(event, is_cancelled=new is None)
        media_type = "; ".join(("text/calendar", "charset=utf-8", f"method={event.method}"))
        file = Attachment(_FILE, media_type, event_file(event))
        changes.messages[first] = replace(one, attachments=(*one.attachments, file))


def _number(read: Game | None) -> int:
    """The sequence number of the game's last calendar change, or a higher one if unknown."""
    if read is None or (read.clock is None and read.position is None):
        return 0
    known = read.clock.entered if read.clock is not None else None
    return read.version if known is None else known


def _entries(game: Game) -> dict[tuple[str, PersonId], _Due]:
    clock = game.clock
    if clock is None:
        return {}
    stands = clock.paused is not None or clock.ends is not None
    entry = _Due(clock.deadline, stands, game.position)
    seats = [each for each in game.seats if each.person and each.role is not Role.OBSERVER]
    return {(seat.address, seat.person): entry for seat in seats if seat.person is not None}


@lru_cache(maxsize=16)
def _named_phase(world: World, phase: str) -> MessageOrText:
    moment = read_moment(phase)
    return "" if moment is None else phase_name(Words(world), moment)


def _event(
    services: Services,
    game: Game,
    phase: str,
    owner: tuple[str, Person],
    entry: _Due,
    now: datetime,
    sequence: int,
) -> Event:
    """The entry of a game in a phase with that code, for the calendar at a person's address."""
    address, person = owner
    say = services.renderer.of(person.language or LANGUAGE).say
    name = _named_phase(services.world(game), phase)
    judge = services.judge.address
    # It identifies a person's entry without revealing the person.
    named = f"{game.id} {game.created.isoformat()} {person.id}"
    uid = hashlib.sha256(named.encode()).hexdigest()[:32]
    at = when(entry.at, zone_of(services, person))
    return Event(
        uid=f"{uid}@{judge.rpartition('@')[2]}",
        sequence=sequence,
        at=entry.at,
        made=now,
        summary=say(
            Message("clock.calendar.summary", game=game.name, phase=name, stands=entry.stands)
        ),
        description=say(Message("clock.calendar.description", game=game.name, at=at, judge=judge)),
        judge=judge,
        reader=address,
        invites=person.calendar is Calendar.INVITE,
        stands=entry.stands,
        alarms=person.alarms,
    )


def calendar_path(secret: JudgeSecret, address: str) -> str:
    """Return the path of an address's calendar file, which only the judge can compute."""
    return f"calendars/{secret.code('calendar', address.lower(), length=_BYTES_OF_NAME)}.ics"


_BYTES_OF_NAME = 20
"""160 bits."""


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """A running game in a calendar file."""

    game: Game
    phase: str
    """The code of its phase."""

    @property
    def facts(self) -> tuple[object, ...]:
        """What the entry tells; nothing else of the game changes the file."""
        clock = self.game.clock
        stands = clock is not None and (clock.paused or clock.ends) is not None
        times = (clock.began, clock.deadline, clock.entered) if clock is not None else ()
        return (self.game.id, self.phase, *times, stands)


def calendar_owners(game: Game) -> Collection[tuple[str, PersonId]]:
    """Return the addresses and people in whose calendars a game is."""
    return _entries(game)


def calendar_of(
    services: Services, person: Person, address: str, entries: Sequence[CalendarEntry], mark: str
) -> str:
    """Return the calendar file of a person's address, with its own entries."""
    # Nobody is invited by a file to which they subscribe.
    owner = (address, replace(person, calendar=Calendar.LINK))
    events = [
        _event(services, game, each.phase, owner, due, clock.began, 2 * (clock.entered or 0))
        for each in entries
        if (clock := (game := each.game).clock) is not None
        and (due := _entries(game).get((address, person.id))) is not None
    ]
    say = services.renderer.of(person.language or LANGUAGE).say
    name = say(Message("clock.calendar.name", judge=services.judge.code))
    return calendar_file(name, mark, events)


# Seats whose messages come back: their masters are told before the deadline, nobody else. The
# judge goes on mailing there.
def tell_out_of_reach(services: Services, view: GameView, now: datetime) -> Changes:
    """Tell reachable masters which seats cannot be reached, once per phase and seat."""
    bounces = view.out_of_reach(now)
    addresses = tuple(sorted({*view.clock.out_of_reach, *bounces}))
    game = replace(view.game, clock=replace(view.clock, out_of_reach=addresses))

    def lines(to: Addressee) -> tuple[Message, ...]:
        if not to.sight.sees_bounces() or any(seat.number in bounces for seat in to.seats):
            return ()
        return (
            Message(
                "clock.out_of_reach.announced",
                seats=out_of_reach_lines(view, to.reader, to.sight),
                deadline=view.clock.deadline,
                zone=to.reader.zone,
            ),
        )

    subject = Message("clock.out_of_reach.subject")
    messages = announcements(services, replace(view, game=game), now, subject, lines)
    return Changes(read=view.game, game=game, messages=messages)


# The one message to the masters before a deadline: who is missing, what each of them can be sent,
# and what will happen. A master who plays reads no more than `WHO LATE` shows them.
_MAX_PHASES_BACK = 12
_MAX_WITH_BUTTONS = 3
"""Of more missing powers only those who are silent, or cannot be reached, have buttons."""
_SILENT = 2
"""The phases without a mail after which somebody counts as silent."""
_MORE_TIME = timedelta(days=1)


def brief(services: Services, uow: UnitOfWork, view: GameView, now: datetime) -> Changes:
    """Tell the masters who is missing before the deadline, once a phase."""
    bounces = view.out_of_reach(now)
    addresses = tuple(sorted({*view.clock.out_of_reach, *bounces}))
    clock = replace(view.clock, briefed=True, out_of_reach=addresses)
    game = replace(view.game, clock=clock)
    readiness = view.readiness(now)
    missing_powers = missing_for(game.settings, readiness)
    silent = {power: _silent_phases(uow, view, power) for power in sorted(missing_powers)}
    messages = []
    for to in addressees(services, game, view.people, now):
        is_told = to.sight.is_master and not any(seat.number in bounces for seat in to.seats)
        # Their own powers they are reminded of as players.
        misses = not silent.keys() <= set(to.powers)
        if is_told and (misses or (to.sight.manages and (bounces or readiness.flagged))):
            facts = _briefing(services, replace(view, game=game), to, silent)
            page = services.renderer.page("briefing", facts)
            messages.append(_before_deadline(view, game_message(game, to.address, page), now))
    return Changes(read=view.game, game=game, messages=messages)


def _before_deadline(view: GameView, reminder: Outgoing, now: datetime) -> Outgoing:
    """A message that tells nothing after the deadline, and is urgent from half of its time on."""
    deadline = view.clock.deadline
    if now >= deadline:
        return reminder
    return replace(reminder, yields=(deadline - now) / 2, expires=deadline)


def _briefing(
    services: Services, view: GameView, to: Addressee, silent: Mapping[PowerId, int]
) -> Mapping[str, object]:
    words, sight, clock = Words(view.world), to.sight, view.clock
    readiness = view.readiness(to.reader.now)
    # A master who may play reads how many are missing, as players do.
    listed = view.world.in_play if sight.manages else ()
    missing_powers = [power for power in listed if power in silent]
    ordered = [
        power
        for power in listed
        if power not in silent and has_to_order(view.world, view.state, power)
    ]
    led = readiness.missing if readiness.led is None else readiness.led
    unreached = {
        power
        for seat in view.game.seats
        if seat.number in view.out_of_reach(to.reader.now)
        for power in seat.powers
    }
    known = silent if sight.sees_all else {}
    is_wanted = {p for p in missing_powers if known.get(p, 0) >= _SILENT or p in unreached}
    few = len(missing_powers) <= _MAX_WITH_BUTTONS
    named = [p for p in missing_powers if p in led and (few or p in is_wanted)]
    return {
        "head": head_now(services, view),
        "reader": to.reader,
        "due_now": due_at(view, to.reader.zone),
        "left": clock.deadline - to.reader.now,
        "names": [words.power(power) for power in missing_powers],
        "count": len(silent),
        "missing": delay_lines(view, words, to.reader.now, to.reader.zone, sight),
        "facts": (
            *_people_missing(view, words, missing_powers, sight),
            *(_unreached(view, words, to.reader) if sight.sees_bounces() else ()),
            *(
                Message("clock.briefing.silent", power=words.power(power), n=n)
                for power, n in known.items()
                if n >= _SILENT
            ),
        ),
        "ordered": [words.power(power) for power in ordered],
        "then": after_deadline(view, to.reader.zone, len(silent)),
        "buttons": _buttons_for_masters(view, words, named, led, sight),
    }


def _people_missing(
    view: GameView, words: Words, powers: Sequence[PowerId], sight: Sight
) -> Iterator[Message]:
    """Who leads the missing powers, or that nobody does."""
    for power in powers:
        seat = seat_of(view.game, power)
        person = view.people.get(seat.person) if seat is not None and seat.person else None
        name = person.name if person is not None and sight.sees_people() else ""
        is_led = person is not None
        yield Message("clock.briefing.who", power=words.power(power), name=name, is_led=is_led)


def _unreached(view: GameView, words: Words, reader: Reader) -> Iterator[Message]:
    bounces = view.out_of_reach(reader.now)
    for seat in view.game.seats:
        if seat.number in bounces:
            yield Message(
                "clock.briefing.unreached",
                powers=tuple(map(words.power, seat.powers)),
                address=seat.address,
                since=bounces[seat.number].since,
                zone=reader.zone,
            )


def _buttons_for_masters(
    view: GameView,
    words: Words,
    named: Sequence[PowerId],
    led: Collection[PowerId],
    sight: Sight,
) -> tuple[Message, ...]:
    later = view.clock.deadline + _MORE_TIME
    found = [Message("clock.briefing.button.extend", line=f"SET DEADLINE {line_instant(later)}")]
    plays = not sight.sees_all
    if led or not sight.manages:
        found.append(Message("clock.briefing.button.remind", line="NUDGE"))
    for power in named:
        name = str(view.world.scenario.powers[power].name)
        facts = {"power": words.power(power)}
        if len(led) > 1:
            found.append(Message("clock.briefing.button.remind_one", line=f"NUDGE {name}", **facts))
        found.append(Message("clock.briefing.button.replace", line=f"EJECT {name}", **facts))
    play = f"PROCESS {view.state.moment.code}" if plays else "PREVIEW"
    found.append(Message(f"clock.briefing.button.{'play' if plays else 'preview'}", line=play))
    return tuple(found)


def _silent_phases(uow: UnitOfWork, view: GameView, power: PowerId) -> int:
    """How many phases in a row a power has sent no mail with orders, the current one included."""
    order_set = view.order_sets.get(power)
    if order_set is not None and any(line.mail is not None for line in order_set.lines):
        return 0
    count, stored = 1, view.phase
    while stored.parent is not None and count < _MAX_PHASES_BACK:
        if not stored.is_interlude and has_to_order(view.world, stored.before, power):
            if any(line.mail is not None for line in stored.orders.get(power, ())):
                break
            count += 1
        stored = uow.phases.get(view.game.id, stored.parent)
    return count


def out_of_reach_lines(view: GameView, reader: Reader, sight: Sight) -> tuple[Message, ...]:
    """Return the seats that cannot be reached, for a reader who may see them."""
    bounces = view.out_of_reach(reader.now) if sight.sees_bounces() else {}
    words = Words(view.world)
    return tuple(
        _line(view, words, seat, bounces, reader)
        for seat in view.game.seats
        if seat.number in bounces
    )


def _line(
    view: GameView, words: Words, seat: Seat, bounces: Mapping[int, Bounces], reader: Reader
) -> Message:
    person = view.people.get(seat.person) if seat.person is not None else None
    return Message(
        "clock.out_of_reach.seat",
        powers=tuple(map(words.power, seat.powers)),
        is_master=seat.role is Role.MASTER,
        name=person.name if person is not None else "",
        address=seat.address,
        since=bounces[seat.number].since,
        zone=reader.zone,
    )


def own_bounce_lines(view: GameView, to: Addressee) -> tuple[Message, ...]:
    """Return the warning for a person whose messages come back."""
    bounces = view.out_of_reach(to.reader.now)
    own = next((bounces[seat.number] for seat in to.seats if seat.number in bounces), None)
    if own is None:
        return ()
    message = Message(
        "clock.out_of_reach.own",
        address=own.address,
        last=own.last,
        zone=to.reader.zone,
        is_master=to.sight.is_master,
    )
    return (message,)


def clock_for_newcomer(game: Game, stage: Stage, now: datetime) -> Clock | None:
    """Return the clock of a game whose seat was just taken.

    The taker of the last open seat has the time of a whole phase, unless the game is paused or has
    ``set no fresh deadline``.  A deadline never moves forward.
    """
    clock = game.clock
    if clock is None or clock.paused is not None or not game.settings.fresh_deadline:
        return clock
    if any(seat.powers and seat.person is None for seat in players(game)):
        return clock
    fresh = next_clock(game.settings, stage, now, clock.deadline, absences_of(game))
    if fresh.deadline == clock.deadline:
        return clock
    return _due_again(clock, fresh.deadline, fresh.grace)


def with_deadline(view: GameView, deadline: datetime) -> Clock:
    """Return the clock of a phase with another deadline, and the grace that follows it."""
    grace = grace_after(view.game.settings, view.state.moment.stage, deadline)
    return _due_again(view.clock, deadline, grace)


def _due_again(clock: Clock, deadline: datetime, grace: datetime | None) -> Clock:
    """The clock with other times; what was told about the old ones counts no more."""
    moved = replace(clock, deadline=deadline, grace=grace, warned=(), cautioned=())
    return replace(moved, briefed=False, opened=False)


Waiting = Callable[[GameView, Collection[PowerId], datetime], tuple[Message, ...]]


def remind(
    services: Services, view: GameView, due: Remind, now: datetime, waiting: Waiting
) -> Changes:
    """Remind those whose orders are missing; each reminder is sent once per phase.

    :param waiting: the lines about what else waits for the leader of some powers.
    """
    clock = view.clock
    warned = tuple(dict.fromkeys((*clock.warned, *due.hours)))
    lacking = view.readiness().missing & due.powers
    reminded = tuple(sorted({*clock.reminded, *lacking}))
    clock = replace(_cautioned(view, lacking, now), warned=warned, reminded=reminded)
    game = replace(view.game, clock=clock)
    messages = [
        _message(services, view, to, "reminder", due.powers, waiting(view, to.powers, now))
        for to in addressees(services, game, view.people, now)
        if due.powers.intersection(to.powers)
    ]
    return Changes(read=view.game, game=game, messages=messages)


def _cautioned(view: GameView, powers: Collection[PowerId], now: datetime) -> Clock:
    """The clock after messages to players that name the opening of their seats."""
    warnings = [
        SeatWarning(seat.number, seat.person, opens)
        for seat in view.game.seats
        if seat.person is not None and (own := [p for p in seat.powers if p in powers])
        if (opens := _opens(view, own, now)) is not None
    ]
    seats = {each.seat for each in warnings}
    others = (each for each in view.clock.cautioned if each.seat not in seats)
    return replace(view.clock, cautioned=(*others, *warnings))


def nudges(
    services: Services, view: GameView, powers: frozenset[PowerId], now: datetime
) -> list[Outgoing]:
    """Return reminders, or after the deadline late notices, to those with missing orders."""
    page = "reminder" if now < view.clock.deadline else "late"
    return [
        _message(services, view, to, page, powers)
        for to in addressees(services, view.game, view.people, now)
        if powers.intersection(to.powers)
    ]


def tell_late(
    services: Services, view: GameView, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Tell the late, and the first time everybody, whom the game waits for."""
    clock = view.clock
    is_first = clock.late_told is None or clock.late_told < clock.deadline
    noted = with_late(view, powers) if is_first else view.game
    unreached = tuple(sorted({*clock.out_of_reach, *view.out_of_reach(now)}))
    clock = replace(_cautioned(view, powers, now), late_told=now, out_of_reach=unreached)
    game = replace(noted, clock=clock)
    messages = [
        _message(services, replace(view, game=game), to, "late", powers)
        for to in addressees(services, game, view.people, now)
        if is_first or powers.intersection(to.powers) or to.sight.manages
    ]
    return Changes(read=view.game, game=game, messages=messages)


def excuse(
    services: Services, view: GameView, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Move the deadline for players who miss it for the first time, and tell everybody."""
    read, stage = view.game, view.state.moment.stage
    settings = read.settings
    after = max(now, view.clock.deadline) + timedelta(hours=settings.excused_hours)
    zone = ZoneInfo(settings.zone)
    deadline = past_absences(timing_of(settings, stage), zone, after, absences_of(read))
    clock = replace(
        with_deadline(view, deadline),
        excused=True,
        reminded=tuple(sorted({*view.clock.reminded, *view.readiness().missing})),
    )
    seats = [seat for seat in read.seats if powers.intersection(seat.powers)]
    used = ((seat.number, view.state.moment.code) for seat in seats)
    seating = replace(read.seating, excused=(*read.seating.excused, *used))
    people = dict.fromkeys(seat.person for seat in seats)
    game = replace(with_excused(read, people), clock=clock, seating=seating)
    after_it = replace(view, game=game)
    words = Words(view.world)

    def lines(to: Addressee) -> tuple[Message, ...]:
        own = [words.power(power) for power in to.powers if power in powers]
        named = not settings.quiet or to.sight.is_master
        others = [words.power(p) for p in _in_turn(view, powers) if p not in to.powers]
        return tuple(
            Message(
                f"clock.excuse.{kind}",
                names=tuple(names),
                hours=settings.excused_hours,
                yearly=settings.excused_yearly,
            )
            for kind, names in (("you", own), ("others" if named else "unnamed", others))
            if names
        )

    messages = announcements(
        services,
        after_it,
        now,
        lambda to: Message("clock.subject", what="deadline", at=deadline, zone=to.reader.zone),
        lines,
    )
    names = tuple(words.power(p) for p in _in_turn(view, powers))
    logged = Message("clock.excuse.noted", names=names)
    notice = log_entry(services, game.id, now, None, "excused", logged)
    return Changes(read=read, game=game, notices=[notice], messages=messages)


def open_seats(
    services: Services, view: GameView, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Open the seats of silent players after the grace, and tell everybody."""
    read, clock = view.game, view.clock
    opened = [seat for seat in read.seats if powers.intersection(seat.powers)]
    left = with_left(read, dict.fromkeys(seat.person for seat in opened))
    turned_out = tuple((seat.number, seat.person) for seat in opened if seat.person is not None)
    seats = {seat.number for seat in opened}
    after = replace(
        clock,
        opened=True,
        late_told=now,
        turned_out=(*clock.turned_out, *turned_out),
        cautioned=tuple(each for each in clock.cautioned if each.seat not in seats),
    )
    game = replace(left, clock=after)
    for seat in opened:
        game = with_seat(game, replace(seat, person=None, former=seat.person, waits=False))
    words = Words(view.world)
    messages = [
        _opened_message(services, view, to, opened)
        for to in addressees(services, read, view.people, now)
        if not read.settings.quiet or to.sight.manages or any(s in to.seats for s in opened)
    ]
    notices = [
        log_entry(services, game.id, now, None, "abandoned", message)
        for message in (
            Message("clock.seat_opened", power=words.power(power)) for power in sorted(powers)
        )
    ]
    return Changes(read=read, game=game, notices=notices, messages=messages)


def _opened_message(
    services: Services, view: GameView, to: Addressee, opened: Sequence[Seat]
) -> Outgoing:
    words, game = Words(view.world), view.game
    powers = [power for seat in opened for power in seat.powers]
    own = [seat for seat in opened if seat in to.seats]
    facts = {
        "head": head_now(services, view),
        "reader": to.reader,
        **_to_answer(services, view, to, [power for seat in own for power in seat.powers]),
        "own_signon": "",
        "own": bool(own),
        "names": [words.power(power) for power in powers],
        "played": played_without_the_late_at(view.clock, game.settings),
        "then": outcome(view, powers),
        "by_hand": game.settings.manual,
        "signons": [f"{seat.powers[0]}{game.name}" for seat in own or opened],
    }
    return game_message(game, to.address, services.renderer.page("opened", facts))


def ask_master(services: Services, view: GameView, now: datetime) -> Changes:
    """Tell the master that the phase can be played, which they do by hand."""
    read, code = view.game, view.state.moment.code
    game = replace(read, clock=replace(view.clock, late_told=now))
    messages = announcements(
        services,
        replace(view, game=game),
        now,
        Message("clock.by_hand.subject"),
        lambda to: [Message("clock.by_hand.ready", phase=code)] if to.sight.is_master else [],
    )
    return Changes(read=read, game=game, messages=messages)


def _message(
    services: Services,
    view: GameView,
    to: Addressee,
    name: str,
    powers: frozenset[PowerId],
    agreements: tuple[Message, ...] = (),
) -> Outgoing:
    words = to.sight.words(view.world, to.sight.view(view.world, view.state))
    own = [power for power in to.powers if power in powers]
    named = not view.game.settings.quiet or bool(own) or to.sight.manages
    facts = {
        "head": head_now(services, view),
        "reader": to.reader,
        **_to_answer(services, view, to, own),
        "agreements": agreements,
        "own": bool(own),
        "due_now": due_now(view, to),
        "opens": _opens(view, own or powers, to.reader.now),
        "grace": view.clock.grace,
        "waits": view.game.settings.policy is Policy.WAIT,
        "seat_goes": seat_goes(view) if own else "",
        "played": played_without_the_late_at(view.clock, view.game.settings),
        "then": outcome(view, own),
        "powers": [words.power(power) for power in _in_turn(view, powers)] if named else [],
        "names": _late_names(words, view, powers) if named else [],
        "count": len(powers),
        "by_hand": view.game.settings.manual,
        "missing": required_orders(view, own),
        "flags": (*_flags(view, own, now=to.reader.now), *own_bounce_lines(view, to)),
        "out_of_reach": out_of_reach_lines(view, to.reader, to.sight),
        "on_file": tuple(
            line for power in own for line in on_file(view_for_power(view, power), power)
        ),
    }
    page = game_message(view.game, to.address, services.renderer.page(name, facts))
    now = to.reader.now
    if now < view.clock.deadline:
        return _before_deadline(view, page, now)
    plays = played_without_the_late_at(view.clock, view.game.settings)
    is_to_come = plays is not None and now < plays and not view.game.settings.manual
    return replace(page, expires=plays if is_to_come else None)


def _to_answer(
    services: Services, view: GameView, to: Addressee, own: Sequence[PowerId]
) -> Mapping[str, object]:
    """What the phase's first message had for somebody whose orders are missing."""
    if not own:
        return {"form": (), "buttons": (), "own_signon": ""}
    asks = with_map(services, view, to)
    late = to.reader.now >= view.clock.deadline
    useless = frozenset(("todo.button.wait",) if late else ())
    buttons = [
        each for each in cast("Sequence[Message]", asks["buttons"]) if each.key not in useless
    ]
    if view.flagged().intersection(own):
        buttons.insert(0, Message("todo.button.ready"))
    form = asks["form"] if required_orders(view, own) else ()
    signon = f"{own[0]}{view.game.name}"
    return {**asks, "form": form, "buttons": tuple(buttons), "own_signon": signon}


def _in_turn(view: GameView, powers: Collection[PowerId]) -> list[PowerId]:
    return [power for power in view.world.scenario.in_play if power in powers]


def _late_names(words: Words, view: GameView, powers: Collection[PowerId]) -> list[MessageOrText]:
    """The names of the late, with their counts where the game shows them."""
    if not view.game.settings.late_count:
        return [words.power(power) for power in _in_turn(view, powers)]
    return [
        Message("clock.late_again", name=words.power(power), times=times_late(view.game, power))
        for power in _in_turn(view, powers)
    ]


def _flags(view: GameView, own: Iterable[PowerId], now: datetime) -> tuple[MessageOrText, ...]:
    words, flagged = Words(view.world), view.flagged()
    lines = tuple(flag_line(words.power(power)) for power in own if power in flagged)
    return (*lines, flag_help(holds=now < view.clock.deadline)) if lines else ()


def after_deadline(view: GameView, zone: tzinfo, missing: int) -> Message:
    """Return what happens at the deadline if orders of so many powers are missing."""
    clock, settings = view.clock, view.game.settings
    return Message(
        "clock.briefing.then",
        policy=settings.policy.value,
        missing=missing,
        manual=settings.manual,
        deadline=clock.deadline,
        grace=clock.grace,
        opens=seats_open_at(clock, settings),
        stage=view.state.moment.stage.name.lower(),
        money=view.world.rules.game.money,
        zone=zone,
    )


def seat_goes(view: GameView) -> MessageOrText:
    """Who has a seat that is opened for silence, besides those who sign on."""
    settings = view.game.settings
    if not settings.substitute_hours and settings.vacant is None:
        return ""
    return Message(
        "clock.seat_goes",
        substitutes=bool(settings.substitute_hours),
        bot=settings.vacant is not None,
    )


def _opens(view: GameView, powers: Collection[PowerId], now: datetime) -> datetime | None:
    """When the seats of powers open if orders stay missing; None for never.

    Where their players have been told an instant, it is that one or a later one.
    """
    clock, settings = view.clock, view.game.settings
    goes_on = settings.policy is not Policy.WAIT
    if goes_on and any(power in view.order_sets for power in powers):
        return None
    if view.opened_before().intersection(powers):
        return None
    named = view.named_openings()
    promised = [named[power] for power in powers if power in named]
    opens = seats_open_at(clock, settings)
    return max(promised[0], opens) if promised and opens else seat_opens(clock, settings, now)


def outcome(view: GameView, powers: Sequence[PowerId]) -> MessageOrText:
    """Return what happens to the units of late powers when the phase is played."""
    if not powers or view.game.settings.policy is Policy.WAIT:
        return ""
    is_silent = not any(view.orders_of(power) for power in powers)
    return without_orders(
        view.state.moment.stage,
        holds=view.game.settings.policy is Policy.HOLD,
        money=view.world.rules.game.money,
        is_silent=is_silent,
    )


def required_orders(view: GameView, powers: Iterable[PowerId]) -> tuple[PowerNeeds, ...]:
    """Return what each power has to order; those with nothing are left out."""
    words, state = Words(view.world), view.state
    found = []
    for power in powers:
        lack = missing(view.world, state, power, view.provided(power))
        lines = needs_lines(words, lack.units, lack.builds, lack.removals)
        if lines:
            found.append(PowerNeeds(words.power(power), lines))
    return tuple(found)


def on_file(view: SeenGame, power: PowerId) -> tuple[MessageOrText, ...]:
    """Return the lines of a power's order set; empty if it has none."""
    orders, words = view.orders_of(power), view.words
    return on_file_lines(words, orders, ()) if orders else ()


_MAX_TRIES = 5

# The judge's clock jumped, or the judge was down for long: nobody loses time by it. After a leap
# forward the times of the running phases are put off by as much, as far as they were still to
# come; when the clock is set back again they return. A phase that began in a time that has not
# come begins anew, as long as it was to be. Messages, tries and claims that were put off by the
# wrong clock are due again. Everybody at the game and the keeper are told.
ClockOf = Callable[[], datetime]


def check_clock(services: Services, clock: ClockOf) -> Leap | None:
    """Record a look at the judge's clock; after a leap adjust the games, and tell.

    Each process does so before mails or phases, at most once a minute with a record.  The clock is
    read after the stored look, so that no other process's look is later.  A mailbox out of reach is
    like a judge that is down: the time in which no mails could come in is compensated.
    """
    services.store.read_bans()
    looks = _looks(services)
    now = services.store.heard_until(clock())
    leap = looks.leap(now)
    if leap is None:
        if looks.last is None or now < looks.last or now - looks.last >= BEAT:
            _beat(services, looks, now)
        return None
    if _looks(services).last != looks.last:
        return None  # another process has looked meanwhile: this one was only slow
    with services.store.reading() as uow:
        games = [game.id for game in uow.games.unfinished() if game.status is Status.RUNNING]
    for game in games:
        _put_right_or_tell(services, game, leap)
    with suppress(Stale), services.store.writing() as uow:
        if leap.by < timedelta(0):
            uow.heartbeat.set_back(now)
        _note(uow, looks.after(now))
        for outgoing in _to_keeper(services, leap):
            uow.outbox.put(outgoing)
        uow.commit()
    return leap


def _looks(services: Services) -> Looks:
    with services.store.reading() as uow:
        beat = uow.heartbeat
        return Looks(beat.last(), beat.usual(), beat.missed())


def _beat(services: Services, looks: Looks, now: datetime) -> None:
    """Record a look, unless another process has done so, perhaps later than *now*."""
    with suppress(Stale), services.store.writing() as uow:
        if uow.heartbeat.last() != looks.last:
            return
        _note(uow, looks.after(now))
        uow.commit()


def _note(uow: UnitOfWork, looks: Looks) -> None:
    if looks.last is not None:
        uow.heartbeat.beat(looks.last, looks.usual, looks.missed)


def _put_right_or_tell(services: Services, game: GameId, leap: Leap) -> None:
    try:
        for _ in range(_MAX_TRIES):
            with suppress(Stale):
                _put_right(services, game, leap)
                return
    # One game's failure, whatever it is, must not keep the others from being put right.
    except Exception as error:
        tell_of_game(services, game, error, leap.now)


def _put_right(services: Services, game_id: GameId, leap: Leap) -> None:
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None or game.clock is None:
            return
        view = load(services, uow, game)
        waits_since = uow.inbox.oldest_untried(game_id)
    stage, away = view.state.moment.stage, absences_of(game)
    clock = after_leap(view.clock, leap, game.settings, stage, away, waits_since=waits_since)
    if clock == view.clock:
        return
    after = replace(view, game=replace(view.game, clock=clock))
    changes = Changes(
        read=view.game,
        game=after.game,
        notices=[log_entry(services, game_id, leap.now, None, "clock", leap.words)],
        messages=announcements(
            services,
            after,
            leap.now,
            lambda to: Message(
                "clock.subject", what="deadline", at=clock.deadline, zone=to.reader.zone
            ),
            lambda _: [leap.words, Message("clock.jump.moved")],
            may_wait=True,
        ),
    )
    with services.store.writing() as uow:
        uow.games.lock(game_id)
        enter_deadlines(services, uow, changes, leap.now)
        queue_for_digests(services, uow, changes, leap.now)
        changes.write(uow)
        uow.commit()


def _to_keeper(services: Services, leap: Leap) -> list[Outgoing]:
    if services.judge.keeper is None:
        return []
    facts = {
        "head": MessageHeader(services.judge.code),
        "what": leap.words,
        "since": header_time(leap.since),
        "now": header_time(leap.now),
    }
    page = services.renderer.page("clock", facts)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]


_MAILBOX_TOLD_AFTER = timedelta(minutes=10)


def tell_of_mailbox(services: Services, since: datetime, why: str, now: datetime) -> None:
    """Tell the keeper that the mailbox is out of reach, and the masters of games that wait for it.

    Once a day each, and not of what is over within minutes.
    """
    if now - since < _MAILBOX_TOLD_AFTER:
        return
    with services.store.reading() as uow:
        waiting = [each for each in uow.games.unfinished() if _waits_for_mail(each, now)]
        messages = {Limit("keeper/mailbox", 1): _of_mailbox(services, since, why)}
        for game in waiting:
            if (view := load(services, uow, game)) is not None:
                limit = Limit(f"keeper/mailbox/{game.id}", 1)
                messages[limit] = _waiting_messages(services, view, since, now)
        messages = {each: to for each, to in messages.items() if not each.used(uow.counts, now)}
    if not messages:
        return
    with suppress(Stale), services.store.writing() as uow:
        keys = [each.key for each in messages]
        uow.counts.lock(keys)
        if any(each.used(uow.counts, now) for each in messages):
            return  # another process has told it
        uow.counts.add(keys, now)
        for outgoing in chain.from_iterable(messages.values()):
            uow.outbox.put(outgoing)
        uow.commit()


def _waits_for_mail(game: Game, now: datetime) -> bool:
    clock = game.clock if game.status is Status.RUNNING else None
    return clock is not None and clock.paused is None and clock.deadline <= now


def _of_mailbox(services: Services, since: datetime, why: str) -> list[Outgoing]:
    if services.judge.keeper is None:
        return []
    message = Message("ports.mailbox.announced", since=header_time(since), why=why)
    lines = (message, Message("ports.mailbox.meanwhile"))
    page = plain_page(services, Message("ports.mailbox.subject"), lines)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]


def _waiting_messages(
    services: Services, view: GameView, since: datetime, now: datetime
) -> list[Outgoing]:
    def lines(to: Addressee) -> tuple[Message, ...]:
        message = Message("clock.mailbox.announced", since=since, zone=to.reader.zone)
        return (message,) if to.sight.is_master else ()

    return announcements(services, view, now, Message("clock.mailbox.subject"), lines)


# The digest: one message a day with all that has waited, and with what is due in one's games.
# When it is due follows each time from its oldest message and from what the reader wants by then:
# no clock that leaps, and no zone that changes, lets a message wait for ever.
log = structlog.get_logger(__name__)

_LONGEST = 300_000
"""Characters of one digest's messages; more become another digest."""


@dataclass(frozen=True, slots=True)
class DueGame:
    """What is due in a person's game."""

    game: str
    phase: Message
    deadline: datetime
    stands: bool
    asks: bool
    needs: tuple[PowerNeeds, ...]
    stage: Stage


@dataclass(frozen=True, slots=True)
class _Recipient:
    """The reader of a digest, its address and instant."""

    services: Services
    person: Person
    address: str
    views: Sequence[GameView]
    now: datetime


def send_digests(services: Services, now: datetime) -> int:
    """Send the digests that are due, and return how many; a failure stops no other."""
    with services.store.reading() as uow:
        waiting = uow.outbox.held()
        people = uow.persons.of({each.person for each in waiting})
    sent = 0
    for each in waiting:
        person = people.get(each.person)
        if person is None or not _is_due(services, person, each, now):
            continue
        try:
            with suppress(Stale):  # another process has made it
                sent += _send(services, person, each.address, now)
        # The digest of one reader, whatever fails in it, must not keep the others waiting.
        except Exception:
            log.exception("digest failed", person=person.id)
    return sent


def _is_due(services: Services, person: Person, waiting: WaitingDigest, now: datetime) -> bool:
    if person.notify is Notify.EACH or waiting.since > now:
        return True
    return digest_at(zone_of(services, person), person.digest_hour, waiting.since) <= now


def _send(services: Services, person: Person, address: str, now: datetime) -> int:
    with services.store.reading() as uow:
        held = uow.outbox.held_for(person.id, address)
        games = [game for name in uow.personal_data.games(person) if (game := uow.games.get(name))]
        views = _views(services, uow, games, person, address)
    reader = _Recipient(services, person, address, views, now)
    messages = [_digest(reader, batch) for batch in _batches(held)]
    by_id = {game.id: game for game in games}
    with services.store.writing() as uow:
        uow.outbox.gather([each.id for each in held], now)
        for one in messages:
            uow.outbox.put(with_token(one, by_id.get(one.game) if one.game else None))
        uow.commit()
    return len(messages)


def _views(
    services: Services, uow: UnitOfWork, games: Sequence[Game], person: Person, address: str
) -> Sequence[GameView]:
    """The running games of a player or master at an address, the next deadline first."""
    found = []
    for game in games:
        own = [s for s in game.seats if (s.person, s.address) == (person.id, address)]
        if game.status is Status.RUNNING and any(s.role is not Role.OBSERVER for s in own):
            found.append(load(services, uow, game))
    return sorted(found, key=lambda view: view.clock.deadline)


def _batches(held: Sequence[QueuedMessage]) -> Iterator[Sequence[QueuedMessage]]:
    """The messages in their order, in groups that fit one digest."""
    batch: list[QueuedMessage] = []
    size = 0
    for each in held:
        if batch and size + len(each.outgoing.body) > _LONGEST:
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += len(each.outgoing.body)
    if batch:
        yield batch


def _digest(to: _Recipient, held: Sequence[QueuedMessage]) -> Outgoing:
    games = tuple(dict.fromkeys(each.outgoing.game for each in held if each.outgoing.game))
    only = games[0] if len(games) == 1 else None
    services, person = to.services, to.person
    view = next((each for each in to.views if each.game.id == only), None)
    due = [_due(each, person) for each in to.views]
    facts = {
        "head": head_now(services, view)
        if view is not None
        else MessageHeader(services.judge.code),
        "reader": reader_of(services, person, to.now),
        "subject": Message(
            "clock.digest.subject", n=len(held), games=games, due=_first_due(to, due, only)
        ),
        "due": due,
        "messages": [_contents(each) for each in held],
        "hour": person.digest_hour,
        "is_last": person.notify is Notify.EACH,
        "is_of_one": only is not None,
    }
    page = services.renderer.page("digest", facts)
    return replace(
        paged(to.address, page, only),
        attachments=_files(held, is_one_game=only is not None),
        takes_token=only is not None,
        digest_of=person.id,
    )


def _first_due(to: _Recipient, games: Sequence[DueGame], only: str | None) -> MessageOrText:
    """The next orders that are missing; "" if there are none."""
    zone = zone_of(to.services, to.person)
    first = next((each for each in games if each.needs and not each.stands), None)
    if first is None:
        return ""
    due = Message(f"clock.due.{first.stage.name.lower()}", at=first.deadline, zone=zone)
    is_only = only is not None and first.game.lower() == only
    return Message("clock.digest.due", due=due, game="" if is_only else first.game.lower())


def _contents(held: QueuedMessage) -> tuple[str, datetime, str]:
    kinds = held.outgoing.layout.partition(" ")[2]
    # A digest has no picture to tap on, and a reply to it goes to nobody.
    said = without("tapping", held.outgoing.body, kinds)
    said = without("replying", said.text, said.kinds)
    return held.outgoing.subject, held.made, inside(said.text, said.kinds)


def _due(view: GameView, person: Person) -> DueGame:
    game, clock = view.game, view.clock
    own = [seat for seat in game.seats if seat.person == person.id]
    powers = [power for seat in own for power in seat.powers]
    moment = view.state.moment
    return DueGame(
        game=game.name,
        phase=phase_name(Words(view.world), moment),
        deadline=clock.deadline,
        stands=clock.paused is not None or clock.ends is not None,
        asks=bool(powers),
        needs=required_orders(view, powers),
        stage=moment.stage,
    )


def _files(held: Sequence[QueuedMessage], *, is_one_game: bool) -> tuple[Attachment, ...]:
    """The files of the messages, without pictures; of several with one name the newest."""
    found: dict[tuple[str, str], Attachment] = {}
    for each in held:
        game = each.outgoing.game or ""
        for file in (one for one in each.outgoing.attachments if not one.cid):
            name = file.name if is_one_game else f"{game}-{file.name}"
            found[game, file.name] = replace(file, name=name)
    return tuple(found.values())
