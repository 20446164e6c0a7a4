"""The master's commands for players and phases, and the takeover from a silent master.

A co-master takes over after a number of silent days.  The master is warned a day before, or half of
the time before, and stays a co-master; only the new master can give the game back (PROMOTE).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import BulkOrder
from machjudge.judge.audience import no_power, powers_meant
from machjudge.judge.changes import Changes
from machjudge.judge.clock import why_it_stands
from machjudge.judge.commands import (
    FIRST_MASTER,
    MASTERS,
    NOT_PLAYED,
    PLAYERS,
    command,
    setting,
)
from machjudge.judge.credentials import Act, SubstituteToken
from machjudge.judge.game_view import (
    GameView,
    delay_lines,
    log_entry,
    percent_on_time,
    players,
    reader_of,
    record_flaw,
    record_of,
    seat_of,
    zone_of,
)
from machjudge.judge.mail_context import MailContext, is_player
from machjudge.judge.mails import Outgoing, paged
from machjudge.judge.outgoing import (
    Addressee,
    announce_setting,
    announcements,
    head_now,
    plain_page,
    sight_of,
)
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.preview import master_plays, token
from machjudge.judge.process import process
from machjudge.judge.records import (
    Attendance,
    Game,
    Person,
    Role,
    Seat,
    SeatRequest,
    Substitute,
    is_invited,
    why_not_sit,
)
from machjudge.judge.reminders import clock_for_newcomer, nudges
from machjudge.judge.timetable import full_minute
from machjudge.language.commands import Become, NotACommand, PlainCommand, Process, Setting
from machjudge.language.lexicon import lexicon_of
from machjudge.mail_parser.lines import Line
from machjudge.messages.render import flag_line
from machjudge.messages.wording import Words, when
from machjudge.translatable import Message, MessageOrText

_ADDRESSED = re.compile(
    r"(?P<orders>(?:(?:here\sare\s)?(?:my|our|the)\s)?(?:orders|moves)\s(?=for\s))?"
    r"(?P<word>for\s)?(?:the\s)?(?:(?P<name>[^:]{3,30}?)\s?:|(?P<plain>[^\W\d_]{3,}))"
    r"(?:\s+|(?<=:)|$)(?P<rest>\S.*)?",
    re.IGNORECASE,
)


@command("for", act=Act.PLAY, who=PLAYERS, kind=Become, is_dry=True)
@command("become", act=Act.STEER, who=MASTERS, kind=Become, is_dry=True)
def become(context: MailContext, line: Line, said: Become) -> None:
    """Speak for another power; if that fails, read no further."""
    game, _ = context.sitting()
    power = _power(context, said.who)
    flaw = _flaw(context, said, power)
    if flaw is not None:
        context.refuse_all(line, flaw)
        return
    seat = seat_of(game, power) if power is not None else None
    if seat is None or power is None:
        is_master = said.who.lower() in ("master", "gm", "moderator")
        unknown = no_power(context.services.scenario(game), said.who)
        refusal = Message("foreign.command.become_master") if is_master else unknown
        context.refuse_all(line, refusal)
        return
    if not said.own:
        context.became = True
        context.begin_copy()
        name = Words(context.services.world(game)).power(power)
        context.note("become", Message("phases.become.logged", power=name))
    context.speak_from(seat.number, power)


def split_power_heading(context: MailContext, line: Line) -> tuple[Line, ...] | None:
    """Split a line that begins with a power of the reader's own into ``FOR`` and the rest.

    ``Venice: A pad h`` is ``FOR Venice`` and the order, or the order alone if the lines are for
    Venice already.  None for any other line.
    """
    found = _ADDRESSED.fullmatch(line.text)
    if (
        found is None
        or not is_player(context.seat)
        or context.ordering.target
        or context.ordering.targets_no_phase
    ):
        return None
    power = _power(context, found["name"] or found["plain"])
    if power is None:
        return None
    own = {each for seat in own_seats(context) for each in seat.powers}
    if power not in own or not _is_for_power(context, line.text, found, len(own)):
        return None
    change = f"FOR {found['name'] or found['plain']}"
    said = [change] if power != context.power else []
    return tuple(
        replace(line, text=each, raw=each) for each in (*said, found["rest"]) if each is not None
    )


def _is_for_power(context: MailContext, text: str, found: re.Match[str], powers: int) -> bool:
    """True if the name of a power is a heading, not a place of an order."""
    rest, has_colon = found["rest"], found["name"] is not None
    if rest is None and found["word"]:
        return found["orders"] is not None
    if rest is None:
        return has_colon or (powers > 1 and not _is_order(context, text))
    if found["word"] and has_colon:
        return True
    if _is_order(context, text):
        return False
    is_nothing_else = has_colon and isinstance(context.parsed_lines.command_in(rest), NotACommand)
    return is_nothing_else or _is_order(context, rest)


def _is_order(context: MailContext, text: str) -> bool:
    view = context.view()
    if view is None:
        return False
    pieces = context.parsed_lines.orders(text, context.lexicon(view.game), view.state.moment.stage)
    return all(
        isinstance(each.said, BulkOrder) or (each.understood and not each.refused)
        for each in pieces
    )


def _flaw(context: MailContext, said: Become, power: PowerId | None) -> Message | None:
    game, seat = context.sitting()
    if said.own:
        own = {each for seat in own_seats(context) for each in seat.powers}
        names = tuple(map(Words(context.services.world(game)).power, sorted(own)))
        not_yours = Message("phases.become.not_yours", said=said.who, own=names)
        return None if power in own else not_yours
    if context.became:
        return Message("phases.become.only_once")
    if seat.role is not Role.MASTER:
        return Message("phases.become.for_master")
    may = game.settings.master_plays
    return Message("phases.become.you_play", may=may) if master_plays(context) else None


def own_seats(context: MailContext) -> Iterator[Seat]:
    """Return the players' seats of the signed-on person, the opened one first."""
    seat = context.seat
    if seat is None or context.game is None:
        return
    if seat.role is Role.PLAYER:
        yield seat
    for each in context.game.seats:
        is_his = each.person is not None and each.person == seat.person
        if is_his and each.role is Role.PLAYER and each.number != seat.number:
            yield each


def _power(context: MailContext, who: str) -> PowerId | None:
    """The named power, or the one that has its units (SET-24)."""
    game, _ = context.sitting()
    name = who.lower().removeprefix("the ")
    found = lexicon_of(context.services.scenario(game)).power(name)
    if not isinstance(found, str):
        return None
    view = context.view()
    return view.leads(PowerId(found)) if view is not None else PowerId(found)


@command(
    "process", act=Act.FINAL, who=MASTERS, kind=Process, about_phase=True, refused_in=NOT_PLAYED
)
def process_now(context: MailContext, line: Line, said: Process) -> None:
    """Play the named phase at once; masters who see previews also give its token."""
    view = context.playing()
    stands = why_it_stands(context)
    if stands is not None:
        context.refuse(line, stands)
        return
    moment = view.state.moment
    if said.phase != moment:
        reason = Message("phases.process.wrong_phase", code=moment.code)
        context.refuse(line, reason, instead=f"PROCESS {moment.code}")
        return
    flaw = _token_flaw(context, view, said.token)
    if flaw is not None:
        context.refuse(line, flaw, instead="PREVIEW")
        return
    by = context.person.id if context.person is not None else None
    changes, after = process(context.services, context.uow, view, context.now, by)
    context.add(changes, after)
    context.done(Message("phases.process.done", code=moment.code))
    played = context.game.clock if context.game is not None else None
    if played is not None:
        first = ("RESUME",) if played.ends is not None else ()
        context.undone_by(*first, f"ROLLBACK {moment.code}")


@command(
    "nudge", act=Act.STEER, who=MASTERS, also=("remind",), about_phase=True, refused_in=NOT_PLAYED
)
def nudge(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Remind those whose orders are missing, or some of them, besides the automatic reminders."""
    view = context.playing()
    named = powers_meant(view.world.scenario, said.text.split())
    if said.text and (isinstance(named, str) or not named):
        context.refuse(line, no_power(view.world.scenario, str(named or said.text)))
        return
    if view.clock.paused is not None:
        context.refuse(line, why_it_stands(context) or Message("phases.nudge.paused"))
        return
    readiness, words = view.readiness(), Words(view.world)
    led = readiness.missing if readiness.led is None else readiness.led
    if context.now < view.clock.deadline:
        led |= readiness.flagged
    if said.text:
        led &= frozenset(named)
    seats = [context.seat] if context.seat is not None else []
    sight = sight_of(view.game, seats)
    if not sight.manages:
        # Whose orders are missing is not for who may play.
        context.messages += nudges(context.services, view, led, context.now)
        context.note("nudge", Message("phases.nudge.logged_for_all"))
        context.done(Message("phases.nudge.quietly"))
        return
    if not led:
        context.done(Message("phases.nudge.nobody"))
        zone = zone_of(context.services, context.person)
        for held in delay_lines(view, words, context.now, zone, sight):
            context.done(Message("game.delay.reason", reason=held))
        return
    context.messages += nudges(context.services, view, led, context.now)
    names = tuple(map(words.power, sorted(led)))
    context.note("nudge", Message("phases.nudge.logged", powers=names))
    context.done(Message("phases.nudge.done", powers=names))
    for power in sorted(readiness.flagged):
        context.done(Message("phases.nudge.flagged", flag=flag_line(words.power(power))))


def _token_flaw(context: MailContext, view: GameView, given: str) -> Message | None:
    """Why the phase cannot be played with this word.

    Masters who play name the phase alone; the judge ignores a token of theirs, which could show
    whether orders have changed.
    """
    if master_plays(context):
        return None
    if not given:
        return Message("phases.process.no_token")
    if given.lower() == token(view):
        return None
    return Message("phases.process.other_token")


_DAY = timedelta(days=1)

MAX_DAYS = 90
"""The longest time that a master may be silent, with a co-master."""


def succession(services: Services, view: GameView, now: datetime) -> Changes | None:
    """Warn a silent master, or give the game to a co-master; None while nothing is due."""
    game, seat = view.game, _successor(view.game, now)
    if seat is None or now < _warned_from(game):
        return None
    if not _is_warned(game):
        return _warned(services, view, seat, now)
    return _handed_over(services, view, seat, now) if now >= _hands_over_at(game) else None


def next_succession(game: Game, now: datetime) -> datetime | None:
    """Return when a silent master may next be warned or replaced; None if never."""
    back = (absence.end + _DAY for seat in game.seats for absence in seat.absences)
    instants = (_warned_from(game), _hands_over_at(game), *back)
    return min((each for each in instants if each > now), default=None)


def _notice(game: Game) -> timedelta:
    """The time between warning and takeover: a day, or half of a short time."""
    return min(_DAY, timedelta(days=game.settings.silent_days) / 2)


def _warned_from(game: Game) -> datetime:
    heard = game.heard or game.created
    return heard + timedelta(days=game.settings.silent_days) - _notice(game)


def _is_warned(game: Game) -> bool:
    return game.warned is not None and game.warned >= _warned_from(game)


def _hands_over_at(game: Game) -> datetime:
    """When a co-master takes over: never sooner after the warning than announced."""
    start = game.warned if game.warned is not None and _is_warned(game) else _warned_from(game)
    return start + _notice(game)


def _successor(game: Game, now: datetime) -> Seat | None:
    """The next master, by the first seat; None while the master is away."""
    if not game.settings.silent_days or _is_away(game, now):
        return None
    return next(
        (
            seat
            for seat in game.seats
            if seat.role is Role.MASTER and seat.person not in (None, game.master)
        ),
        None,
    )


def _warned(services: Services, view: GameView, seat: Seat, now: datetime) -> Changes:
    game = view.game
    changed = replace(game, warned=now)

    def warning(to: Addressee) -> Message:
        return Message(
            "phases.succession.warning",
            own=any(each.person == game.master for each in to.seats),
            days=game.settings.silent_days,
            name=_name_of(view, seat),
            at=when(_hands_over_at(changed), to.reader.zone),
        )

    messages = announcements(
        services,
        replace(view, game=changed),
        now,
        Message("phases.succession.warning_subject"),
        lambda to: [warning(to)] if to.sight.is_master else [],
    )
    logged = Message("phases.succession.warning_logged")
    notice = log_entry(services, game.id, now, None, "master", logged)
    return Changes(read=game, game=changed, notices=[notice], messages=messages)


def _handed_over(services: Services, view: GameView, seat: Seat, now: datetime) -> Changes:
    game = view.game
    changed = replace(game, master=seat.person or game.master, heard=now)
    name = _name_of(view, seat)
    message = Message("phases.succession.announced", days=game.settings.silent_days, name=name)
    subject = Message("phases.succession.subject")
    after = replace(view, game=changed)
    messages = announcements(services, after, now, subject, lambda _: [message], may_wait=True)
    logged = Message("phases.succession.logged", name=name)
    notice = log_entry(services, game.id, now, None, "master", logged)
    return Changes(read=game, game=changed, notices=[notice], messages=messages)


def _name_of(view: GameView, seat: Seat) -> MessageOrText:
    person = view.people.get(seat.person) if seat.person is not None else None
    return person.name if person is not None else Message("phases.succession.somebody")


def _is_away(game: Game, now: datetime) -> bool:
    """True if the master has an absence, or had until the day before."""
    own = (seat for seat in game.seats if seat.person == game.master)
    absences = (absence for seat in own for absence in seat.absences)
    return any(each.start <= now < each.end + _DAY for each in absences)


@setting("takeover", who=FIRST_MASTER)
def set_takeover(context: MailContext, line: Line, said: Setting) -> None:
    """Set after how many silent days a co-master takes over; ``no takeover``: never."""
    (game, _), days = context.sitting(), said.number if said.on else 0
    if days > MAX_DAYS or (said.on and not days):
        wanted = Message("phases.succession.number_wanted", most=MAX_DAYS)
        context.refuse(line, wanted, instead="SET TAKEOVER 14")
        return
    changed = replace(game, settings=replace(game.settings, silent_days=days))
    message = Message("phases.succession.set", days=days)
    context.set_game(changed)
    context.note("settings", message)
    context.done(Message("phases.succession.done", change=message))
    announced = Message("phases.succession.set_announced", change=message)
    announce_setting(context, changed, [announced])


# Substitutes for open seats: people who have offered themselves are asked one after the other,
# each for so many hours; a bot leads the seat only when nobody is left to ask.
_RELIABLE = 90
"""In 100 phases, from which on somebody is asked before others."""


def ask_substitutes(
    services: Services, uow: UnitOfWork, view: GameView, now: datetime
) -> Changes | None:
    """Ask the next substitutes for the open seats of a game; None if there is nothing to do."""
    game, clock = view.game, view.clock
    if not game.settings.substitute_hours or clock.paused is not None or clock.ends is not None:
        return None
    open_ = {seat.number: seat for seat in _open_seats(view)}
    asked = [
        each if each.until > now or not each.is_open else replace(each, is_open=False)
        for each in game.seating.asked
        if each.seat in open_
    ]
    wanted = [s for s in open_.values() if not any(a.is_open for a in asked if a.seat == s.number)]
    messages = []
    offers = _in_turn(uow, view, now) if wanted else ()
    for seat in wanted:
        tried = {each.person for each in asked if each.is_open or each.seat == seat.number}
        offer = next((each for each in offers if each.person not in tried), None)
        person = uow.persons.get(offer.person) if offer is not None else None
        if person is None:
            continue
        until = full_minute(now + timedelta(hours=game.settings.substitute_hours))
        asked.append(SeatRequest(seat.number, person.id, until))
        messages.append(_request(services, view, seat, person, until, now))
    if tuple(asked) == game.seating.asked:
        return None
    changed = replace(game, seating=replace(game.seating, asked=tuple(asked)))
    return Changes(read=game, game=changed, messages=messages)


def next_request(game: Game, now: datetime) -> datetime | None:
    """Return when the time of a substitute to answer is over; None if none is asked."""
    ends = [each.until for each in game.seating.asked if each.is_open and each.until > now]
    return min(ends, default=None)


def _open_seats(view: GameView) -> list[Seat]:
    out = view.state.eliminated
    return [s for s in players(view.game) if s.person is None and not out.issuperset(s.powers)]


def _in_turn(uow: UnitOfWork, view: GameView, now: datetime) -> Sequence[Substitute]:
    """Those who may be asked: the reliable first, then in the order of their offers."""
    found = {}
    for offer in uow.substitutes.all():
        if offer.game in ("", view.game.id) and offer.person not in found:
            person = uow.persons.get(offer.person)
            left = _time_left(view, now) if person is not None else timedelta(0)
            if person is not None and left >= timedelta(hours=offer.notice):
                record = record_of(uow.games.attended_by(person.id), person.id)
                flaw = why_no_substitute(view.game, person, record)
                if flaw is None and not any(each.is_out_of_reach for each in person.bounces):
                    percent = percent_on_time(record)
                    found[person.id] = (percent is not None and percent < _RELIABLE, offer)
    return [offer for _, offer in sorted(found.values(), key=lambda each: each[0])]


def _time_left(view: GameView, now: datetime) -> timedelta:
    """How long somebody who takes a seat now has for the phase, at least."""
    clock, stage = view.clock, view.state.moment.stage
    if len(_open_seats(view)) == 1:
        clock = clock_for_newcomer(replace(view.game, seats=()), stage, now) or clock
    return max(clock.deadline, clock.grace or clock.deadline) - now


def why_no_substitute(
    game: Game, person: Person, record: Iterable[Attendance]
) -> MessageOrText | None:
    """Return why somebody may not be a substitute in a game; None if they may.

    Who leads, led or leads the game knows what the seat must not.
    """
    sat = {game.master, *(each.person for each in game.seating.tenures)}
    sat |= {each.person for each in game.attendance}
    for seat in (*game.seats, *game.ejected):
        if seat.role is not Role.OBSERVER or game.settings.press.watched:
            sat |= {seat.person, seat.former}
    if person.id in sat:
        return Message("seats.substitute.has_sat")
    flaw = why_not_sit(game.settings, person)
    if flaw is not None or is_invited(game.settings, person):
        return flaw
    return record_flaw(game.settings, record)


def _request(
    services: Services, view: GameView, seat: Seat, person: Person, until: datetime, now: datetime
) -> Outgoing:
    """The question whether somebody leads a seat; it says what everybody may know."""
    words, reader = Words(view.world), reader_of(services, person, now)
    powers = tuple(map(words.power, seat.powers))
    asks = Message(
        "seats.substitute.asks", powers=powers, game=view.game.name, until=until, zone=reader.zone
    )
    subject = Message("seats.substitute.subject", powers=powers)
    page = plain_page(services, subject, (asks,), head_now(services, view), reader)
    token = SubstituteToken(view.game.id, seat.number, seat.generation, person.id)
    return replace(paged(person.addresses[0], page, view.game.id), reply=token)
