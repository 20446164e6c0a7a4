"""When a phase is played, reminders are sent, and seats are opened.  Pure: *now* is given."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import ANY_DAY, GameSettings, PhaseTiming, Policy
from machjudge.judge.records import Absence, Clock, Jump
from machjudge.judge.tick_times import Leap
from machjudge.translatable import Message

# The times of a phase that begins: deadline, grace and start by the templates. Pure. A deadline
# is the length of the phase from now, never before the old one, rounded up to the clock, on an
# allowed day, and past all absences; the grace follows it, on an allowed day too.
_MINUTE = timedelta(minutes=1)
# The values in the templates of phases: lengths of time, times of day, days; or why they are
# none. Pure. What is wrong is a reason which may stand behind a colon.
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_NOON = 12 * 60
_MINUTES_OF_AN_HOUR = 60
_MAX_DAYS_TO_LOOK = 9
NEVER = "-"


def timing_of(settings: GameSettings, stage: Stage) -> PhaseTiming:
    """Return the template for a kind of phase."""
    match stage:
        case Stage.CAMPAIGN:
            return settings.moves
        case Stage.RETREATS:
            return settings.retreats
        case Stage.ADJUSTMENT:
            return settings.adjustments


def next_hours(settings: GameSettings, stage: Stage) -> int:
    """Return how long a phase of the kind lasts until its deadline, in hours."""
    match stage:
        case Stage.CAMPAIGN:
            return settings.campaign_hours
        case Stage.RETREATS:
            return settings.retreat_hours
        case Stage.ADJUSTMENT:
            return settings.adjustment_hours


def first_clock(
    settings: GameSettings,
    now: datetime,
    stage: Stage = Stage.CAMPAIGN,
    away: Iterable[Absence] = (),
) -> Clock:
    """Return the times of the first phase of a game that starts now."""
    return _clock(settings, stage, now, now + settings.first_hours * _HOUR, away)


def next_clock(
    settings: GameSettings,
    stage: Stage,
    now: datetime,
    old: datetime | None = None,
    away: Iterable[Absence] = (),
) -> Clock:
    """Return the times of a phase that begins now; *old* is the deadline of the last one."""
    wanted = now + next_hours(settings, stage) * _HOUR
    return _clock(settings, stage, now, wanted if old is None else max(wanted, old), away)


_LONGER = timedelta(hours=6)
"""A phase that is longer than usual by as much says why."""


def why_longer(
    settings: GameSettings,
    stage: Stage,
    clock: Clock,
    old: datetime | None,
) -> Message | None:
    """Return why a new phase has more time than such phases have; None if it has not.

    *old* is the deadline of the last phase; None for the first one.  Absences have no name, and
    are told where comings and goings are.
    """
    hours = next_hours(settings, stage)
    wanted = clock.began + hours * _HOUR
    if clock.deadline - wanted < _LONGER:
        return None
    kind = stage.name.lower()
    if old is None:
        return Message("clock.longer.first", stage=kind, hours=hours, first=settings.first_hours)
    if old - wanted >= _LONGER:
        return Message("clock.longer.early", stage=kind, hours=hours)
    timing, zone = timing_of(settings, stage), ZoneInfo(settings.zone)
    if clock.deadline == on_allowed_day(timing, zone, wanted):
        return Message("clock.longer.days", stage=kind, hours=hours)
    return None if settings.quiet else Message("clock.longer.away", stage=kind, hours=hours)


def _clock(
    settings: GameSettings, stage: Stage, now: datetime, wanted: datetime, away: Iterable[Absence]
) -> Clock:
    timing, zone = timing_of(settings, stage), ZoneInfo(settings.zone)
    deadline = past_absences(timing, zone, wanted, away)
    start = full_minute(now + timing.least_hours * _HOUR)
    return Clock(
        began=now,
        deadline=deadline,
        start=start if timing.least_hours else None,
        grace=grace_after(settings, stage, deadline),
    )


def grace_after(settings: GameSettings, stage: Stage, deadline: datetime) -> datetime:
    """Return the end of the grace of a phase with that deadline."""
    return _grace_at(settings, stage, deadline + timing_of(settings, stage).grace_hours * _HOUR)


def _grace_at(settings: GameSettings, stage: Stage, end: datetime) -> datetime:
    """The first instant from *end* on at which a grace may end."""
    if settings.strict_grace:
        return full_minute(end)
    # The grace need not end at the hour at which deadlines are.
    days = timing_of(settings, stage).days
    return on_allowed_day(PhaseTiming(days=days), ZoneInfo(settings.zone), end)


def delay_clock(
    clock: Clock,
    by: timedelta,
    after: datetime,
    settings: GameSettings,
    stage: Stage,
    away: Iterable[Absence] = (),
) -> Clock:
    """Return the clock with its times after an instant moved by *by*, or less, as allowed."""
    by = up_to_minutes(by)

    def moved(instant: datetime | None) -> datetime | None:
        return instant + by if instant is not None and instant > after else instant

    deadline = clock.deadline
    if deadline > after:
        timing = timing_of(settings, stage)
        deadline = past_absences(timing, ZoneInfo(settings.zone), deadline + by, away)
    grace = clock.grace
    if grace is not None and grace > after:
        later = deadline - clock.deadline if clock.deadline > after else by
        grace = _grace_at(settings, stage, grace + later)
    kept = tuple(hours for hours in clock.warned if deadline - hours * _HOUR <= after + by)
    return replace(
        clock,
        deadline=deadline,
        grace=grace,
        start=moved(clock.start),
        ends=moved(clock.ends),
        warned=kept,
    )


def past_absences(
    timing: PhaseTiming, zone: ZoneInfo, wanted: datetime, away: Iterable[Absence]
) -> datetime:
    """Return the first allowed deadline from *wanted* on outside all absences."""
    absences = sorted(away, key=lambda each: each.start)
    deadline = on_allowed_day(timing, zone, wanted)
    while True:
        end = max((a.end for a in absences if a.start <= deadline < a.end), default=None)
        if end is None:
            return deadline
        deadline = on_allowed_day(timing, zone, end)


def on_allowed_day(timing: PhaseTiming, zone: ZoneInfo, instant: datetime) -> datetime:
    """Return the first allowed deadline from *instant* on, in UTC."""
    if timing.clock is None:
        instant = _full_hour(instant, zone)
        if timing.days == ANY_DAY:
            return instant
    here = instant.astimezone(zone)
    days = (here.date() + n * _DAY for n in range(_MAX_DAYS_TO_LOOK))
    for day in days:
        letter = timing.days[day.isoweekday() % 7]
        if letter == NEVER:
            continue
        first = _NOON if letter.islower() else 0
        minute = first if timing.clock is None else max(timing.clock, first)
        at = time(*divmod(minute, _MINUTES_OF_AN_HOUR))
        earliest = datetime.combine(day, at, zone).astimezone(UTC)
        if earliest >= instant:
            return earliest
        if timing.clock is None and day == here.date():
            return instant.astimezone(UTC)
    # A template that allows no day is never taken; a deadline is needed all the same.
    return instant.astimezone(UTC)


def up_to_minutes(span: timedelta) -> timedelta:
    """Return the duration rounded up to full minutes."""
    return -(-span // _MINUTE) * _MINUTE


def is_days(text: str) -> bool:
    """Return True if *text* says on which days deadlines may fall, such as ``-MTWTF-``."""
    if len(text) != len(ANY_DAY) or not text.strip(NEVER):
        return False
    both = zip(text, ANY_DAY, strict=True)
    return all(one in (NEVER, day, day.lower()) for one, day in both)


def full_minute(instant: datetime) -> datetime:
    """Return the instant rounded up to a full minute."""
    start = instant.replace(second=0, microsecond=0)
    return start if start == instant else start + _MINUTE


def _full_hour(instant: datetime, zone: ZoneInfo) -> datetime:
    here = instant.astimezone(zone)
    start = here.replace(minute=0, second=0, microsecond=0).astimezone(UTC)
    return start if start == instant else start + _HOUR


def line_instant(at: datetime) -> str:
    """Return an instant as settings read it, whatever the writer's time zone."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


_LONGEST_NOTICE = timedelta(hours=24)
"""How long before the end of the grace seats are opened if the phase is then played."""
_LATE_HOURS_OPENED = 48
"""The interval of notices that a seat is open."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do yet."""


@dataclass(frozen=True, slots=True)
class Remind:
    """Remind the missing of the deadline."""

    powers: frozenset[PowerId]
    hours: tuple[int, ...] = ()
    """The reminders that this one includes; each is sent once."""


@dataclass(frozen=True, slots=True)
class TellOutOfReach:
    """Tell the masters which seats cannot be reached."""


@dataclass(frozen=True, slots=True)
class BriefMasters:
    """Tell the masters before the deadline who is missing, and what will happen."""


@dataclass(frozen=True, slots=True)
class Late:
    """Tell everybody whose orders are missing after the deadline."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class Excuse:
    """Move the deadline once for players who have missed none before."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class OpenSeats:
    """Open the seats of these powers."""

    powers: frozenset[PowerId]


@dataclass(frozen=True, slots=True)
class AskSubstitutes:
    """Ask the next people who would lead open seats."""


@dataclass(frozen=True, slots=True)
class AskMaster:
    """Tell the master that the phase could be played."""


@dataclass(frozen=True, slots=True)
class Run:
    """Play the phase now."""

    without: frozenset[PowerId] = frozenset()
    due: datetime | None = None
    """The end of the grace that is over; None if the phase waits for no powers."""


@dataclass(frozen=True, slots=True)
class Resume:
    """End a pause whose end the master has named."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End a game that the master has broken off, after the time to take it back."""


Decision = (
    Wait
    | Remind
    | TellOutOfReach
    | BriefMasters
    | Late
    | Excuse
    | OpenSeats
    | AskMaster
    | AskSubstitutes
    | Run
    | Resume
    | Finish
)


@dataclass(frozen=True, slots=True)
class Readiness:
    """How complete the orders of a phase are."""

    missing: frozenset[PowerId]
    wait: bool
    """A player waits for the deadline, or corrected orders are expected."""
    since: datetime | None = None
    """The last receipt of orders; None if there were none."""
    led: frozenset[PowerId] | None = None
    """The missing powers with a player; None if all have one."""
    vacant: frozenset[PowerId] = frozenset()
    """The missing powers without a player since before the phase began."""
    flagged: frozenset[PowerId] = frozenset()
    """The powers with the error flag, for which the phase waits until the deadline."""
    silent: frozenset[PowerId] | None = None
    """The missing powers that sent nothing; None if all did."""
    delay: timedelta = timedelta(0)
    played: bool = True
    out_of_reach: frozenset[int] = frozenset()
    opens: Mapping[PowerId, datetime] | None = None
    """When the seats of powers open, as their players were told; None: nobody was."""
    spared: frozenset[PowerId] = frozenset()
    """The missing powers whose seats were opened in this phase already."""
    excusable: frozenset[PowerId] = frozenset()
    """The missing powers whose players are excused once more."""


def decide(clock: Clock, settings: GameSettings, readiness: Readiness, now: datetime) -> Decision:
    """Return what to do with a game at *now*.

    Complete orders are played after the delay, or at the deadline if a player waits for it. For
    missing ones the game waits until its grace is over, and then goes by its policy. Nothing is
    played before the start of the phase, while it is paused, while no power has a player, or, where
    the master plays it by hand, without them. A game that is broken off waits for its end; practice
    ends at its deadline.
    """
    if clock.ends is not None:
        return Finish() if now >= clock.ends else Wait()
    if clock.paused is not None and clock.resumes is not None and now >= clock.resumes:
        return Resume()
    if clock.paused is None and settings.practice and now >= clock.deadline:
        return Finish()
    if clock.paused is not None or not readiness.played:
        return Wait()
    decision = _before_start(_due(clock, settings, readiness, now), clock, now)
    before = now < clock.deadline and not isinstance(decision, Run)
    if before and _is_briefing_due(clock, settings, readiness, now):
        return BriefMasters()
    untold = readiness.out_of_reach.difference(clock.out_of_reach)
    # After the deadline the late notice names them; what comes back then is told before a seat
    # is lost by it.
    if untold and (
        (before and out_of_reach_told_at(clock, settings) <= now)
        or (now >= clock.deadline and isinstance(decision, Wait | OpenSeats))
    ):
        return TellOutOfReach()
    if isinstance(decision, Run) and settings.manual:
        return AskMaster() if _told_long_ago(clock, settings, now, clock.began) else Wait()
    return decision


def next_decision(
    clock: Clock, settings: GameSettings, readiness: Readiness, now: datetime
) -> datetime | None:
    """Return the next instant at which `decide` may differ from *now*; None if never."""
    last = clock.late_told or clock.began
    late = (last + hours * _HOUR for hours in (settings.late_hours, _LATE_HOURS_OPENED))
    warned = (clock.deadline - hours * _HOUR for hours in settings.warn_hours)
    ready = (readiness.since or clock.began) + readiness.delay
    opens, told_at = seats_open_at(clock, settings), out_of_reach_told_at(clock, settings)
    briefed_at = briefing_at(clock, settings)
    known = (clock.ends, clock.resumes, clock.start, clock.grace, opens, told_at, briefed_at)
    named = [each.opens for each in clock.cautioned] if clock.cautioned else ()
    instants = (clock.began, clock.deadline, ready, *known, *late, *warned, *named)
    return min((each for each in instants if each is not None and each > now), default=None)


def counts_before(
    decision: Decision, clock: Clock, readiness: Readiness, now: datetime
) -> datetime:
    """Return before which instant a mail must be kept to precede what is decided.

    All mails count until the phase is played.  Only if everything was there at the deadline is the
    phase played as it stood then, however late the judge looks.
    """
    ready = readiness.since or clock.began
    if isinstance(decision, Run) and decision.due is None and ready < clock.deadline:
        return min(now, clock.deadline)
    return now


def _before_start(decision: Decision, clock: Clock, now: datetime) -> Decision:
    early = clock.start is not None and now < clock.start
    return Wait() if early and isinstance(decision, Run) else decision


def _due(clock: Clock, settings: GameSettings, readiness: Readiness, now: datetime) -> Decision:
    waited_for = missing_for(settings, readiness)
    if not waited_for:
        decision = _complete(clock, readiness, now)
        if not isinstance(decision, Wait):
            return decision
    elif now >= clock.deadline:
        return _overdue(clock, settings, readiness, now)
    reminded = waited_for | readiness.flagged
    hours = _warnings_due(clock, settings, now)
    return Remind(reminded, hours) if reminded and hours else Wait()


def missing_for(settings: GameSettings, readiness: Readiness) -> frozenset[PowerId]:
    """Return the missing powers that the phase waits for.

    If the phase would be played without them in the end, powers without a player at its beginning
    are left out.  A seat that was opened since is waited for until the grace is over.
    """
    if settings.policy is Policy.WAIT:
        return readiness.missing
    return readiness.missing - readiness.vacant


def _complete(clock: Clock, readiness: Readiness, now: datetime) -> Decision:
    if now >= clock.deadline:
        return Run(readiness.missing)
    ready = (readiness.since or clock.began) + readiness.delay
    return Wait() if readiness.wait or now < ready else Run(readiness.missing)


def _overdue(clock: Clock, settings: GameSettings, readiness: Readiness, now: datetime) -> Decision:
    """After the deadline: an excuse, late notices, open seats, and the policy of the game."""
    is_told = clock.late_told is not None and clock.late_told >= clock.deadline
    if readiness.excusable and not clock.excused and not is_told:
        return Excuse(readiness.excusable)
    end = played_without_the_late_at(clock, settings)
    if end is not None and now >= end:
        return Run(readiness.missing, end)
    # The first notice goes before everything else: nobody loses a seat without one.
    if not is_told:
        return Late(readiness.missing)
    at_risk = _at_risk(settings, readiness)
    named = readiness.opens or {}
    if not at_risk <= named.keys() and seat_opens(clock, settings, now) is not None:
        return Late(at_risk - named.keys())
    opens = seats_open_at(clock, settings)
    to_open = frozenset(p for p in at_risk & named.keys() if opens and now >= max(opens, named[p]))
    if to_open:
        return OpenSeats(to_open)
    return Late(readiness.missing) if _told_long_ago(clock, settings, now, now) else Wait()


def played_without_the_late_at(clock: Clock, settings: GameSettings) -> datetime | None:
    """Return when the phase is played without the late: the end of the grace, or None."""
    return None if settings.policy is Policy.WAIT else clock.grace


def seats_open_at(clock: Clock, settings: GameSettings) -> datetime | None:
    """Return when the seats of silent players are opened, or None.

    In games that wait, at the end of the grace.  In games that play on, a day before, but not in
    the first half of the grace, to allow for players who are an hour late.
    """
    if clock.grace is None or settings.policy is Policy.WAIT:
        return clock.grace
    return clock.grace - min(_LONGEST_NOTICE, (clock.grace - clock.deadline) / 2)


def seat_opens(clock: Clock, settings: GameSettings, warned: datetime) -> datetime | None:
    """Return when a seat is opened whose player reads of it at *warned*; None for never.

    Not before the time of the game for that, nor before the notice that it gives; and not at all
    where the phase has been played by then.
    """
    opens = seats_open_at(clock, settings)
    if opens is None:
        return None
    opens = max(opens, full_minute(warned + settings.notice_hours * _HOUR))
    end = played_without_the_late_at(clock, settings)
    return opens if end is None or opens < end else None


def briefing_at(clock: Clock, settings: GameSettings) -> datetime | None:
    """Return when masters read who is missing; None if never, or if they have read it.

    The set time before the deadline, or half of a shorter phase.
    """
    if not settings.briefing_hours or clock.briefed:
        return None
    half = clock.began + (clock.deadline - clock.began) / 2
    at = clock.deadline - settings.briefing_hours * _HOUR
    return at if at > clock.began else half


def _is_briefing_due(
    clock: Clock, settings: GameSettings, readiness: Readiness, now: datetime
) -> bool:
    """True if it is time, and somebody is waited for, flagged or out of reach."""
    at = briefing_at(clock, settings)
    if at is None or now < at:
        return False
    untold = readiness.out_of_reach.difference(clock.out_of_reach)
    return bool(missing_for(settings, readiness) or readiness.flagged or untold)


def out_of_reach_told_at(clock: Clock, settings: GameSettings) -> datetime:
    """Return from when on masters are told: their briefing names the seats if it is to come.

    Otherwise the first reminder of the phase, or half of its time.
    """
    briefing = briefing_at(clock, settings)
    if briefing is not None:
        return briefing
    half = clock.began + (clock.deadline - clock.began) / 2
    warned = (clock.deadline - hours * _HOUR for hours in settings.warn_hours)
    return min((half, *(each for each in warned if each > clock.began)))


def _at_risk(settings: GameSettings, readiness: Readiness) -> frozenset[PowerId]:
    """The powers whose seats are opened if nothing comes; each seat once in a phase."""
    led = (readiness.missing if readiness.led is None else readiness.led) - readiness.spared
    if settings.policy is Policy.WAIT or readiness.silent is None:
        return led
    return led & readiness.silent


def _told_long_ago(clock: Clock, settings: GameSettings, now: datetime, never: datetime) -> bool:
    """True if the last notice is old enough to be repeated; *never* stands for none."""
    hours = max(_LATE_HOURS_OPENED, settings.late_hours) if clock.opened else settings.late_hours
    last = clock.late_told
    return now >= (never if last is None or last < clock.began else last + hours * _HOUR)


def _warnings_due(clock: Clock, settings: GameSettings, now: datetime) -> tuple[int, ...]:
    """The reminders that are due and unsent; none at the time of the results."""
    due = [
        hours
        for hours in settings.warn_hours
        if clock.began < clock.deadline - hours * _HOUR <= now and hours not in clock.warned
    ]
    return tuple(due)


_MINUTES_OF_A_DAY = 24 * _MINUTES_OF_AN_HOUR
_MAX_DAYS = 366
_TIME = re.compile(r"(\d{1,9}(?:\.\d{1,2})?|\.\d{1,2})(m|h|d)?", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)
_UNITS = {"m": 1, "h": _MINUTES_OF_AN_HOUR, "d": _MINUTES_OF_A_DAY, "": _MINUTES_OF_AN_HOUR}


def read_minutes(value: str) -> int | Message:
    """Return a duration in minutes; a number without unit is hours."""
    match = _TIME.fullmatch(value.lower())
    if match is None:
        return Message("game.time.length")
    minutes = round(float(match[1]) * _UNITS[match[2] or ""])
    is_short = minutes <= _MAX_DAYS * _MINUTES_OF_A_DAY
    return minutes if is_short else Message("game.time.too_long", most=_MAX_DAYS)


def read_hours(value: str) -> int | Message:
    """Return a duration in full hours."""
    minutes = read_minutes(value)
    if isinstance(minutes, Message):
        return minutes
    hours, rest = divmod(minutes, _MINUTES_OF_AN_HOUR)
    return Message("game.time.full_hours") if rest else hours


def read_minute(value: str) -> int | Message:
    """Return the minute of the day; -1 for none."""
    if value.lower() in ("-1", "none", "off"):
        return -1
    match = _CLOCK.fullmatch(value)
    if match is not None:
        minute = int(match[1]) * _MINUTES_OF_AN_HOUR + int(match[2])
        is_time = int(match[2]) < _MINUTES_OF_AN_HOUR and minute < _MINUTES_OF_A_DAY
        return minute if is_time else Message("game.time.of_day")
    if not (value.isascii() and value.isdigit()):
        return Message("game.time.minute")
    if int(value[:9]) < _MINUTES_OF_A_DAY:
        return int(value)
    return Message("game.time.last_minute", last=_MINUTES_OF_A_DAY - 1)


def flaw_of_days(value: str) -> Message | None:
    """Return why the letters are not a list of weekdays; None if they are."""
    if is_days(value):
        return None
    if len(value) == len(ANY_DAY) and not value.strip(NEVER):
        return Message("game.time.no_day")
    if sorted(value.upper()) == sorted(ANY_DAY):
        return Message("game.time.from_sunday", week=ANY_DAY)
    return Message("game.time.days", week=ANY_DAY)


def after_leap(
    clock: Clock,
    leap: Leap,
    settings: GameSettings,
    stage: Stage,
    away: Iterable[Absence] = (),
    *,
    waits_since: datetime | None = None,
) -> Clock:
    """Return the times of a phase after a leap of the judge's clock.

    *waits_since* is when the oldest mail was received that nobody has tried to handle.
    """
    if leap.by > timedelta(0):
        moved = delay_clock(clock, leap.by, leap.since, settings, stage, away)
        return _after_silence(clock, leap, moved)
    if clock.began > leap.now:
        # It began in a time that has not come: it begins now, as long as it was to be.  Mails that
        # none has tried to handle have come since: it waited for those that came before it.
        clock = delay_clock(clock, leap.now - clock.began, leap.now, settings, stage, away)
        clock = replace(clock, began=min(leap.now, waits_since or leap.now))
    clock = _taken_back(clock, leap)

    def come(instant: datetime | None) -> datetime | None:
        return min(instant, leap.now) if instant is not None else None

    return replace(
        clock,
        start=come(clock.start),
        late_told=come(clock.late_told),
        paused=come(clock.paused),
    )


def _after_silence(clock: Clock, leap: Leap, moved: Clock) -> Clock:
    """The clock after each leap; a paused one moves only the end of its game."""
    if clock.jump is not None and clock.jump.since == leap.since:
        return clock
    if clock.paused is not None:
        moved = replace(clock, ends=moved.ends)
    if moved == clock:
        return clock
    jump = Jump(
        leap.since,
        up_to_minutes(leap.by),
        deadline=moved.deadline - clock.deadline,
        grace=_between(clock.grace, moved.grace),
        start=_between(clock.start, moved.start),
    )
    return replace(moved, jump=jump)


def _between(before: datetime | None, after: datetime | None) -> timedelta | None:
    return None if before is None or after is None else after - before


def _taken_back(clock: Clock, leap: Leap) -> Clock:
    """Undo an earlier leap forward, if the clock went back behind it."""
    jump = clock.jump
    if jump is None or leap.now > jump.since + abs(jump.by) / 2:
        return clock

    def back(instant: datetime | None, by: timedelta | None) -> datetime | None:
        if instant is None or instant <= leap.now:
            return instant
        return instant - (jump.by if by is None else by)

    return replace(
        clock,
        deadline=back(clock.deadline, jump.deadline) or clock.deadline,
        grace=back(clock.grace, jump.grace),
        start=back(clock.start, jump.start),
        ends=back(clock.ends, None),
        jump=None,
    )
