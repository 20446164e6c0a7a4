"""The commands for the times of a game: deadlines, pauses, absences, and policies for the late."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from itertools import groupby
from typing import Any

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.units import Kind
from machjudge.judge.changes import Changes
from machjudge.judge.commands import (
    MASTERS,
    NOT_PLAYED,
    PLAYERS,
    PLAYERS_AND_MASTER,
    command,
    setting,
)
from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import ANY_DAY, GameSettings, PhaseTiming, Policy
from machjudge.judge.game_view import GameView, absences_of, log_entry, zone_of
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import Standing
from machjudge.judge.outgoing import addressees, announce, announce_setting, announcements
from machjudge.judge.ports import Services
from machjudge.judge.records import Absence, Clock, Game, Role, Seat, Status
from machjudge.judge.reminders import with_deadline
from machjudge.judge.timetable import (
    NEVER,
    delay_clock,
    flaw_of_days,
    full_minute,
    next_hours,
    read_hours,
    read_minute,
    read_minutes,
    timing_of,
)
from machjudge.language.commands import PlainCommand, Setting
from machjudge.language.dates import USUAL_TIME, WEEKDAYS, read_instant
from machjudge.language.lexicon import Several, Unknown
from machjudge.language.words import ParseError
from machjudge.mail_parser.lines import Line
from machjudge.translatable import Message, MessageOrText

_MANY = 3


def times(settings: GameSettings) -> Message:
    """Return the lengths of phases and the policy for the late."""
    timings = tuple(timing_of(settings, stage) for stage in Stage)
    days = tuple(() if each.days == ANY_DAY else due_days(each.days) for each in timings)
    return Message(
        "clock.times", settings=settings, timings=timings, days=days, usual_notice=_USUAL_NOTICE
    )


_USUAL_NOTICE = GameSettings().notice_hours


def due_days(days: str) -> tuple[Message, ...]:
    """Return the days of a template, which start on Sunday, as ``Mon to Fri``."""
    week = enumerate(f"{days[1:]}{days[:1]}")
    runs = groupby(week, key=lambda day: NEVER if day[1] == NEVER else day[1].islower())
    return tuple(
        Message("clock.due_days", first=first, last=last, from_noon=kind is True)
        for kind, run in runs
        if kind != NEVER
        for first, last in _joined([number for number, _ in run])
    )


def _joined(run: list[int]) -> Iterator[tuple[int, int]]:
    """Consecutive days as a range, others singly."""
    yield from [(run[0], run[-1])] if len(run) >= _MANY else zip(run, run, strict=True)


_CLOCK = re.compile(r"\d?\d:\d\d")


@setting("deadline", about_phase=True)
def set_deadline(context: MailContext, line: Line, said: Setting) -> None:
    """Move the deadline of this phase, and its grace with it."""
    instant = _instant(context, line, said)
    if instant is not None:
        clock = with_deadline(context.playing(), instant)
        start = clock.start if clock.start is None else min(clock.start, instant)
        _moved(context, replace(clock, start=start), "deadline", instant)


@setting("grace", about_phase=True)
def set_grace(context: MailContext, line: Line, said: Setting) -> None:
    """Move the end of this phase's grace, not before the deadline."""
    instant = _instant(context, line, said)
    if instant is None:
        return
    clock = context.playing().clock
    if instant < clock.deadline:
        context.refuse(line, Message("clock.grace_first", at=clock.deadline, zone=_zone(context)))
    else:
        _moved(context, replace(clock, grace=instant, opened=False), "grace", instant)


@setting("start", about_phase=True)
def set_start(context: MailContext, line: Line, said: Setting) -> None:
    """Play nothing before an instant; a deadline before it moves there.  ``no start``: none."""
    if not said.on:
        view = context.playing()
        context.set_game(replace(view.game, clock=replace(view.clock, start=None)))
        context.note("start", Message("clock.start_gone"))
        context.done(Message("clock.start_gone"))
        lines = [Message("clock.no_start_told")]
        announce(context, context.own_game, Message("session.parameter_change"), lines)
        return
    instant = _instant(context, line, said)
    if instant is not None:
        view = context.playing()
        clock = with_deadline(view, instant) if instant > view.clock.deadline else view.clock
        _moved(context, replace(clock, start=instant), "start", instant)


def _instant(context: MailContext, line: Line, said: Setting) -> datetime | None:
    (game, _), view = context.sitting(), context.view()
    text = " ".join(said.value)
    every_week = _every_week(text) or _from_now(said.key, text)
    if view is None:
        not_begun = Message("clock.not_begun", hours=game.settings.first_hours)
        refused = not_begun if game.status is Status.FORMING else context.why_not_played()
        context.refuse(line, refused, instead=every_week)
        return None
    if view.clock.paused is not None:
        context.refuse(line, why_it_stands(context) or Message("clock.resume_first"))
        return None
    minute = timing_of(game.settings, view.state.moment.stage).clock
    usual = USUAL_TIME if minute is None else time(*divmod(minute, 60))
    instant = instant_of(context, line, text, _zone(context), usual, instead=every_week)
    return None if instant is None else full_minute(instant)


def _every_week(text: str, key: str = "moves") -> str | None:
    """How to set several weekdays for deadlines; None for one instant."""
    plain = [word.strip(",.") for word in text.lower().split()]
    days = {n for n, day in enumerate(WEEKDAYS) for word in plain if day[:3] == word[:3]}
    if len(days) <= 1:
        return None
    letters = "".join(each if (n - 1) % 7 in days else "-" for n, each in enumerate("SMTWTFS"))
    clock = next((word for word in plain if _CLOCK.fullmatch(word)), None)
    return f"SET {key.upper()} DAYS {letters}" + (f" CLOCK {clock}" if clock else "")


_SPAN = re.compile(
    r"(?:in|by|en|dentro de|fra|tra)?\s*\+?\s*(\d{1,3})\s*"
    r"(?:(w)(?:eeks?)?|(d)(?:ays?|[ií]as?)?|(h)(?:ours?|rs?|oras?)?"
    r"|(s)emanas?|(s)ettiman[ae]|(g)iorn[oi]|(o)r[ae])"
)
_UNIT = {"w": "w", "d": "d", "h": "h", "s": "w", "g": "d", "o": "h"}
_HOURS = {"w": 168, "d": 24, "h": 1}
_NEVER = frozenset({"off", "no", "none", "never", "nunca", "mai"})


def _says_never(said: Setting) -> bool:
    """Return True for ``set warn off`` and its like."""
    return " ".join(said.value).lower() in _NEVER


def _span_in(text: str) -> tuple[int, str] | None:
    """A span of time in words ("5 days"): how many, and the letter of the unit."""
    found = _SPAN.fullmatch(text)
    if found is None:
        return None
    return int(found[1]), next(_UNIT[each] for each in found.groups()[1:] if each)


def _from_now(key: str, text: str) -> str | None:
    """The line for a time that is written as a span ("5 days"), or as none at all."""
    plain = text.strip(" .").lower()
    span = _span_in(plain)
    if span is not None:
        return f"SET {key.upper()} +{span[0]}{span[1]}"
    if plain.isdecimal():
        return f"SET {key.upper()} +{plain}h"
    if plain in _NEVER:
        return {"deadline": "PAUSE", "grace": "SET NMR HOLD", "start": "SET NO START"}.get(key)
    return None


def instant_of(
    context: MailContext,
    line: Line,
    text: str,
    zone: tzinfo,
    usual: time = USUAL_TIME,
    instead: str | None = None,
) -> datetime | None:
    """Return a future instant in words; otherwise the line is refused."""
    instant = read_instant(text, context.now, zone, usual)
    if isinstance(instant, ParseError):
        why = Message("clock.no_instant", reason=instant.reason)
        context.refuse(line, why, instead=instead)
        return None
    if instant <= context.now:
        context.refuse(line, Message("clock.is_past", at=instant, zone=zone))
        return None
    return instant


def _moved(context: MailContext, clock: Clock, what: str, instant: datetime) -> None:
    moved = replace(context.playing().game, clock=clock)
    context.set_game(moved)
    zone = _zone(context)
    context.note(what, Message("clock.moved.noted", what=what, at=instant))
    context.done(Message("clock.moved.done", what=what, at=instant, zone=zone))
    message = Message("clock.moved.announced", what=what, at=instant, zone=zone)
    announce(
        context,
        moved,
        lambda to: Message("clock.subject", what=what, at=instant, zone=to.reader.zone),
        [message],
    )


def _zone(context: MailContext) -> tzinfo:
    return zone_of(context.services, context.person)


@command("pause", act=Act.STEER, who=MASTERS, also=("suspend",), refused_in=NOT_PLAYED)
def pause(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Stop the clocks of a game, perhaps until an instant; orders and press go on.

    The players read the master's reason, and when the game goes on.
    """
    view = context.playing()
    found = _PAUSE.fullmatch(said.text)
    stands = why_it_stands(context)
    if stands is None and view.clock.paused is not None and not said.text:
        stands = Message("clock.paused.already")
    if stands is not None:
        context.refuse(line, stands)
        return
    if found is None:
        context.refuse(line, Message("clock.paused.unclear"), instead=_USAGE_OF_PAUSE)
        return
    until, why = None, context.safe((found["why"] or "").rstrip("."))
    if found["until"]:
        until = instant_of(context, line, found["until"], _zone(context))
        if until is None:
            return
        until = full_minute(until)
    stopped = replace(view.clock, paused=view.clock.paused or context.now, resumes=until)
    paused = replace(view.game, clock=stopped)
    context.set_game(paused)
    facts = {"until": until, "zone": _zone(context), "why": why}
    context.note("paused", Message("clock.paused.noted", **facts))
    context.done(Message("clock.paused.done", **facts))
    subject = Message("clock.paused.subject")
    announce(context, paused, subject, [Message("clock.paused.announced", **facts)])


_PAUSE = re.compile(
    r"(?:(?:until|till|to)\s+(?P<until>\S.*?))?(?:(?:^|\s+)because\s+(?P<why>\S.*))?",
    re.IGNORECASE,
)
_USAGE_OF_PAUSE = Message("commands.pause.usage")


@command("resume", act=Act.STEER, who=MASTERS, refused_in=NOT_PLAYED)
def resume(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Resume a game that was paused or broken off; its times move by the length of the pause."""
    view = context.playing()
    game, stopped = view.game, view.clock
    if stopped.ends is not None and context.received >= stopped.ends:
        message = Message("clock.resumed.too_late", at=stopped.ends, zone=_zone(context))
        context.refuse(line, message)
        return
    if stopped.paused is None:
        context.refuse(line, Message("clock.resumed.runs"))
        return
    stood, stage = context.now - stopped.paused, view.state.moment.stage
    moved = delay_clock(stopped, stood, stopped.paused, game.settings, stage, absences_of(game))
    clock = replace(moved, paused=None, resumes=None, ends=None, won=False)
    resumed = replace(game, clock=clock)
    context.set_game(resumed)
    taken_back = stopped.ends is not None
    context.note("resumed", Message("clock.resumed.noted", taken_back=taken_back, stood=stood))
    context.done(Message("clock.resumed.done", at=clock.deadline, zone=_zone(context)))
    message = Message("clock.resumed.announced", taken_back=taken_back, stood=stood)
    announce(
        context,
        resumed,
        lambda to: Message("clock.resumed.subject", at=clock.deadline, zone=to.reader.zone),
        [message],
    )


def resume_at_end(services: Services, view: GameView, now: datetime) -> Changes:
    """End a pause at the instant that the master has named; its times move by its length."""
    read, stopped = view.game, view.clock
    since = stopped.paused or now
    stage = view.state.moment.stage
    moved = delay_clock(stopped, now - since, since, read.settings, stage, absences_of(read))
    game = replace(read, clock=replace(moved, paused=None, resumes=None))
    facts = {"taken_back": False, "stood": now - since}
    logged = Message("clock.resumed.noted", **facts)
    messages = announcements(
        services,
        replace(view, game=game),
        now,
        lambda to: Message("clock.resumed.subject", at=moved.deadline, zone=to.reader.zone),
        lambda _: [Message("clock.resumed.announced", **facts)],
    )
    notice = log_entry(services, read.id, now, None, "resumed", logged)
    return Changes(read=read, game=game, notices=[notice], messages=messages)


def why_it_stands(context: MailContext) -> Message | None:
    """Return why nothing can be played or set at a game that is broken off, or None."""
    clock = context.game.clock if context.game is not None else None
    if clock is None or clock.ends is None:
        return None
    return Message("clock.broken_off", at=clock.ends, zone=_zone(context), won=clock.won)


_MAX_ABSENT_DAYS = 366
_NOTICE = timedelta(hours=24)
"""The delay of a phase that has waited without end until now."""
_POLICIES: Mapping[str, Policy] = {
    "": Policy.HOLD,
    "wait": Policy.WAIT,
    "hold": Policy.HOLD,
    "civildisorder": Policy.CIVIL_DISORDER,
    "disorder": Policy.CIVIL_DISORDER,
    "cd": Policy.CIVIL_DISORDER,
}


@setting("nmr", also=("set cd", "set nonmr"))
def set_policy(context: MailContext, line: Line, said: Setting) -> None:
    """Set what happens to a phase whose orders are missing after the grace."""
    word = "".join(said.value).lower()
    policy = _POLICIES.get(word) if said.on else Policy.WAIT
    if policy is None:
        context.refuse(line, Message("clock.nmr.unknown"), instead="SET NMR HOLD")
        return
    game, _ = context.sitting()
    words = Message("clock.nmr.set", policy=policy.value)
    settings = replace(game.settings, policy=policy)
    clock = _with_time_left(game, policy, context.now)
    if clock is None or clock.grace is None:
        change_times(context, game, settings, words)
        return
    message = Message("clock.nmr.waits", until=clock.grace, zone=UTC)
    change_times(context, replace(game, clock=clock), settings, words, message)
    context.done(message)


def _with_time_left(game: Game, policy: Policy, now: datetime) -> Clock | None:
    """The clock with one more day if the phase would be played at once, else None."""
    clock = game.clock
    tightens = game.settings.policy is Policy.WAIT and policy is not Policy.WAIT
    if not tightens or clock is None or clock.grace is None or clock.grace > now:
        return None
    return replace(clock, grace=full_minute(now + _NOTICE))


@setting("warn", also=("set warning", "set warnings"))
def set_warnings(context: MailContext, line: Line, said: Setting) -> None:
    """Set how many hours before a deadline the missing are reminded."""
    words = " ".join(said.value).replace(",", " ").split()
    is_on = said.on and not _says_never(said)
    hours = [read_hours(word) for word in words] if is_on else []
    flaws = [each for each in hours if not isinstance(each, int)]
    if flaws or (is_on and not all(hours)):
        flaw = flaws[0] if flaws else ""
        context.refuse(line, Message("clock.warn.unfit", flaw=flaw), instead="SET WARN 24 8 1")
        return
    game, _ = context.sitting()
    given = tuple(sorted({each for each in hours if isinstance(each, int)}, reverse=True))
    settings = replace(game.settings, warn_hours=given)
    change_times(context, game, settings, Message("clock.warn.set", hours=given))


@setting("briefing", also=("set briefings",))
def set_briefing(context: MailContext, line: Line, said: Setting) -> None:
    """Set how long before a deadline the masters read who is missing; ``no briefing``: never."""
    is_on = said.on and not _says_never(said)
    hours = read_hours(" ".join(said.value)) if is_on else 0
    if not isinstance(hours, int) or (is_on and not hours):
        flaw = hours if isinstance(hours, Message) else ""
        context.refuse(line, Message("clock.briefing.unfit", flaw=flaw), instead="SET BRIEFING 24")
        return
    game, _ = context.sitting()
    message = Message("clock.briefing.set", hours=hours)
    changed = replace(game, settings=replace(game.settings, briefing_hours=hours))
    context.set_game(changed)
    context.done(message)
    if changed != game:
        context.note("times", message)


@setting("notice")
def set_notice(context: MailContext, line: Line, said: Setting) -> None:
    """Set how long before a seat is opened its player has read so, at least."""
    hours = read_hours(" ".join(said.value))
    if not said.on or not isinstance(hours, int) or not 0 < hours <= _MAX_NOTICE:
        flaw = hours if isinstance(hours, Message) else ""
        unfit = Message("clock.notice.unfit", flaw=flaw, most=_MAX_NOTICE)
        context.refuse(line, unfit, instead="SET NOTICE 12")
        return
    game, _ = context.sitting()
    settings = replace(game.settings, notice_hours=hours)
    change_times(context, game, settings, Message("clock.notice.set", hours=hours))


@setting("substitutes")
def set_substitutes(context: MailContext, line: Line, said: Setting) -> None:
    """Set how long each substitute has to answer who is asked for an open seat."""
    is_on = said.on and not _says_never(said)
    hours = read_hours(" ".join(said.value)) if is_on else 0
    if not isinstance(hours, int) or (is_on and not 0 < hours <= _MAX_NOTICE):
        flaw = hours if isinstance(hours, Message) else ""
        unfit = Message("clock.substitutes.unfit", flaw=flaw, most=_MAX_NOTICE)
        context.refuse(line, unfit, instead="SET SUBSTITUTES 24")
        return
    game, _ = context.sitting()
    settings = replace(game.settings, substitute_hours=hours)
    change_times(context, game, settings, Message("clock.substitutes.set", hours=hours))


_MAX_NOTICE = 168


@setting("excuse", also=("set excuses",))
def set_excuse(context: MailContext, line: Line, said: Setting) -> None:
    """Set how far a deadline moves for a player who misses one for the first time."""
    game, _ = context.sitting()
    words = [word.lower() for word in said.value]
    how_often = [word for word in words if word in _HOW_OFTEN]
    numbers = [word for word in words if word not in _HOW_OFTEN]
    hours = read_hours(" ".join(numbers)) if numbers else game.settings.excused_hours
    is_empty = said.on and (not words or (hours == 0 and bool(numbers)))
    if not isinstance(hours, int) or is_empty or len(how_often) > 1:
        flaw = hours if isinstance(hours, Message) else ""
        context.refuse(line, Message("clock.excuse.unfit", flaw=flaw), instead="SET EXCUSE 48")
        return
    settings = replace(game.settings, excused_hours=hours if said.on else 0)
    for word in how_often:
        settings = replace(settings, excused_yearly=_HOW_OFTEN[word])
    message = Message(
        "clock.excuse.set", hours=settings.excused_hours, yearly=settings.excused_yearly
    )
    change_times(context, game, settings, message)


_HOW_OFTEN = {"yearly": True, "once": False}


@setting("max absence", also=("set max holidays", "set max vacations"))
def set_most_absent(context: MailContext, line: Line, said: Setting) -> None:
    """Set how long absences may be."""
    if not said.on or said.number > _MAX_ABSENT_DAYS:
        wanted = said.number if said.on else 0
        context.refuse(line, Message("clock.absence.most", wanted=wanted, most=_MAX_ABSENT_DAYS))
        return
    game, _ = context.sitting()
    settings = replace(game.settings, most_absent_days=said.number)
    change_times(context, game, settings, Message("clock.absence.limit", days=said.number))


_SWITCHES = {
    "strict grace": ("strict_grace", True),
    "strict wait": ("strict_wait", True),
    "manual process": ("manual", True),
    "auto process": ("manual", False),
}
"""The fields of settings that are on or off, with the value for on."""


@setting(*_SWITCHES)
def set_switch(context: MailContext, line: Line, said: Setting) -> None:
    """Switch one of the clock's settings on or off."""
    game, _ = context.sitting()
    field, is_on = _SWITCHES[said.key]
    settings = replace(game.settings, **_change(field, said.on is is_on))
    words = Message(f"clock.switch.{field}", on=said.on is is_on)
    change_times(context, game, settings, words)


def _change(field: str, value: Any) -> dict[str, Any]:  # noqa: ANN401  fields of several kinds
    """A field of a game's settings with its new value; mypy cannot know the type of its name."""
    return {field: value}


def change_times(
    context: MailContext,
    game: Game,
    settings: GameSettings,
    words: MessageOrText,
    *more: MessageOrText,
) -> None:
    """Save and log the settings, and tell everybody the new times and *more*."""
    changed = replace(game, settings=settings)
    context.set_game(changed)
    if settings == game.settings:
        context.done(Message("clock.nothing_changes", words=words))
        return
    context.note("times", words)
    context.done(Message("clock.set", words=words))
    say = context.services.renderer.say
    if say(times(settings)) == say(times(game.settings)):
        # What a listing's times do not show is said as it was written.
        announce_setting(context, changed, [Message("setup.master_has_set", change=words), *more])
        return
    standing = Standing("times", (Message("clock.times_changed"), times(settings)))
    announce_setting(context, changed, more, standing)


MAX_ABSENCES = 3
_DAY = timedelta(days=1)
_FIRST_MINUTE, _LAST_MINUTE = time(0, 0), time(23, 59)
_TO = re.compile(r"\s+(?:to|until|till)\s+|\s+-\s+", re.IGNORECASE)
_MAX_WISHES = 40


@setting(
    "absence",
    act=Act.PLAY,
    who=PLAYERS_AND_MASTER,
    also=("set holiday", "set vacation", "set noabsence"),
    for_the_living=True,
)
def set_absence(context: MailContext, line: Line, said: Setting) -> None:
    """Be away for some time: no deadline set from now on falls into it."""
    game, seat = context.sitting()
    pending = tuple(each for each in seat.absences if each.end > context.now)
    if not said.on:
        _clear(context, line, seat, pending, "".join(said.value))
        return
    absence = _absence(context, line, said.value[0])
    if absence is None:
        return
    # A longer one is the master's to allow: they write it for the player, after BECOME.
    most = None if context.became else game.settings.most_absent_days
    flaw = _flaw(pending, absence, most)
    if flaw is not None:
        context.refuse(line, flaw)
        return
    kept = tuple(sorted((*pending, absence), key=lambda each: each.start))
    context.set_seat(replace(seat, absences=kept))
    context.note("absence", Message("clock.absence.noted", seat=seat.number, absence=absence))
    context.done(Message("clock.absence.set", absence=_absence_message(context, absence)))
    if game.clock is not None and absence.start <= game.clock.deadline <= absence.end:
        context.done(Message("clock.absence.deadline_stays"))
    if seat.role is Role.MASTER:
        context.undone_by(f"SET NO ABSENCE {kept.index(absence) + 1}")
    _tell_master(context)


def _absence(context: MailContext, line: Line, text: str) -> Absence | None:
    zone = zone_of(context.services, context.person)
    first, *rest = _TO.split(text.removeprefix("from ").strip(), maxsplit=1)
    if first.lower() in ("now", "today"):
        start: datetime | None = context.now
    else:
        start = instant_of(context, line, first, zone, _FIRST_MINUTE)
    if start is None:
        return None
    end = instant_of(context, line, rest[0], zone, _LAST_MINUTE) if rest else start + _DAY
    return Absence(start, end) if end is not None else None


def _flaw(pending: tuple[Absence, ...], absence: Absence, most: int | None) -> Message | None:
    if absence.end <= absence.start:
        return Message("clock.absence.ends_before")
    if len(pending) >= MAX_ABSENCES:
        return Message("clock.absence.too_many", most=MAX_ABSENCES)
    if most is not None and absence.end - absence.start > (most + 1) * _DAY:
        return Message("clock.absence.too_long", most=most)
    return None


def _clear(
    context: MailContext, line: Line, seat: Seat, pending: tuple[Absence, ...], number: str
) -> None:
    if not number or number.lower() == "all":
        context.set_seat(replace(seat, absences=()))
        context.done(Message("clock.absence.all_gone"))
        _tell_master(context, gone=pending)
    elif number.isdecimal() and 1 <= int(number) <= len(pending):
        gone = pending[int(number) - 1]
        left = tuple(each for each in pending if each is not gone)
        context.set_seat(replace(seat, absences=left))
        context.done(Message("clock.absence.gone", absence=_absence_message(context, gone)))
        _tell_master(context, gone=(gone,))
    else:
        context.refuse(line, Message("clock.absence.unknown", have=len(pending)))


def _absence_message(context: MailContext, absence: Absence) -> Message:
    zone = zone_of(context.services, context.person)
    return Message("clock.absence.lasts", absence=absence, zone=zone)


def _tell_master(context: MailContext, gone: tuple[Absence, ...] = ()) -> None:
    (game, seat), person = context.sitting(), context.person
    left = tuple(each for each in seat.absences if each.end > context.now)
    if not (gone or left):
        return
    name = person.name if person is not None else seat.address
    lines = [Message("clock.absence.ended", name=name)] if gone else []
    lines += [_absence_message(context, each) for each in gone]
    lines += [Message("clock.absence.pending", name=name)] if left else []
    lines += [_absence_message(context, each) for each in left]
    masters = {
        to.address
        for to in addressees(context.services, game, context.people(game), context.now)
        if to.sight.manages
    }
    announce(context, game, Message("clock.absence.subject"), lines, only=masters)


@setting("priority", act=Act.PLAY, who=PLAYERS)
def set_priority(context: MailContext, line: Line, said: Setting) -> None:
    """Set which units the judge keeps first in an adjustment without orders."""
    game, seat = context.sitting()
    if not said.on:
        context.set_seat(replace(seat, priority=()))
        context.done(Message("clock.priority.judge"))
        return
    items = [" ".join(item.split()) for item in said.value[0].split(",")]
    wishes = [_wish(context, game, item) for item in items if item]
    wrong = [item for item, wish in zip(filter(None, items), wishes, strict=True) if wish is None]
    if wrong or not wishes or len(wishes) > _MAX_WISHES:
        context.refuse(line, Message("clock.priority.unknown", wrong=wrong[0] if wrong else ""))
        return
    kept = tuple(dict.fromkeys(wish for wish in wishes if wish is not None))
    context.set_seat(replace(seat, priority=kept))
    context.done(Message("clock.priority.set", kept=kept))


def _wish(context: MailContext, game: Game, item: str) -> str | None:
    """A unit, a place or a kind as stored: ``A mil``, ``mil``, ``A``; else empty."""
    letter, _, rest = item.partition(" ")
    lexicon = context.lexicon(game)
    usual = lexicon.letters.get(letter.lower(), letter.lower())
    kinds = [kind.value for kind in Kind if usual in (kind.value.lower(), kind.name.lower())]
    if kinds and not rest:
        return kinds[0]
    name = (rest if kinds else item).lower()
    place = lexicon.place(name)
    if isinstance(place, Several | Unknown):
        return None
    return f"{kinds[0]} {place}" if kinds else str(place)


_KEYS = {
    short: name
    for name in ("clock", "min", "next", "grace", "delay", "days")
    for short in (name, name[0] if name not in ("delay", "days") else name[:2])
}
_TEMPLATES = {
    "moves": (Stage.CAMPAIGN, "campaign_hours"),
    "retreats": (Stage.RETREATS, "retreat_hours"),
    "adjustments": (Stage.ADJUSTMENT, "adjustment_hours"),
}
"""The fields of the templates, with their kind of phase and the field of its length."""
_NUMBERS: Mapping[str, tuple[Callable[[str], int | Message], str]] = {
    "clock": (read_minute, "clock"),
    "delay": (read_minutes, "delay_minutes"),
    "min": (read_hours, "least_hours"),
    "grace": (read_hours, "grace_hours"),
}


@setting("moves", also=("set move",))
@setting("retreats", also=("set retreat",))
@setting("adjustments", also=("set adjust", "set adjustment", "set builds"))
def set_template(context: MailContext, line: Line, said: Setting) -> None:
    """Change the template of a kind of phase; the current phase keeps its times."""
    game, _ = context.sitting()
    settings = _with_words(game.settings, said.key, said.value)
    if not isinstance(settings, GameSettings):
        number, unit = _span_in(" ".join(said.value).lower()) or (0, "h")
        hours = number * _HOURS[unit]
        every_week = _every_week(" ".join(said.value), said.key)
        instead = f"SET {said.key.upper()} NEXT {hours}" if hours else every_week
        context.refuse(line, settings, instead)
    else:
        pairs = zip(said.value[::2], said.value[1::2], strict=True)
        parts = tuple(_part_in_words(name.lower(), value) for name, value in pairs)
        words = Message("clock.template.set", kind=said.key, parts=parts)
        change_times(context, game, settings, words)
        if game.clock is not None:
            context.done(Message("clock.template.later"))


def _part_in_words(name: str, value: str) -> Message:
    """What a pair of a word and its value says: ``NEXT 72`` are 72 hours to the deadline."""
    key = _KEYS[name]
    read = {"clock": read_minute, "delay": read_minutes}.get(key, read_hours)
    number = value if key == "days" else read(value)
    if key == "clock" and isinstance(number, int):
        number = f"{number // 60:02}:{number % 60:02}" if number >= 0 else ""
    return Message(f"clock.template.part.{key}", value=number)


def _with_words(settings: GameSettings, key: str, words: Sequence[str]) -> GameSettings | Message:
    if not words or len(words) % 2:
        return Message("clock.template.no_pairs", kind=key.upper())
    before = settings
    for name, value in zip(words[::2], words[1::2], strict=True):
        known = _KEYS.get(name.lower())
        changed = _with_value(settings, key, known, value) if known else _ANY
        if not isinstance(changed, GameSettings):
            return Message("clock.template.unfit", name=name, value=value, reason=changed)
        settings = changed
    return _never_played(before, settings, key) or settings


_ANY = Message("clock.template.known")


def _never_played(before: GameSettings, settings: GameSettings, key: str) -> Message | None:
    """Why phases would wait beyond their deadlines; None if they do not."""
    stage, _ = _TEMPLATES[key]
    least, length = timing_of(settings, stage).least_hours, next_hours(settings, stage)
    was = timing_of(before, stage).least_hours, next_hours(before, stage)
    if least <= length or (least, length) == was:
        return None
    return Message("clock.template.never_played", least=least, length=length)


def _with_value(
    settings: GameSettings, key: str, name: str, value: str
) -> GameSettings | MessageOrText:
    stage, length = _TEMPLATES[key]
    if name == "next":
        hours = read_hours(value)
        if hours == 0:
            return Message("clock.template.no_time")
        if not isinstance(hours, int):
            return hours
        return replace(settings, **_change(length, hours))
    timing = _with_part(timing_of(settings, stage), name, value)
    if not isinstance(timing, PhaseTiming):
        return timing
    return replace(settings, **_change(key, timing))


def _with_part(timing: PhaseTiming, name: str, value: str) -> PhaseTiming | MessageOrText:
    if name == "days":
        return flaw_of_days(value) or replace(timing, days=value)
    read, field = _NUMBERS[name]
    number = read(value)
    if not isinstance(number, int):
        return number
    return replace(timing, **_change(field, None if number < 0 else number))
