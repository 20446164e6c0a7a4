"""The templates by which phases get their times, and what happens with those who are late."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from machjudge.language.commands.commands import Setting
from machjudge.letters.wording.times import when
from machjudge.reading import Line
from machjudge.service.clock.times_listed import times
from machjudge.service.credentials.authority import Act
from machjudge.service.game.time_templates import (
    flaw_of_days,
    read_hours,
    read_minute,
    read_minutes,
)
from machjudge.service.game.timetable import full_minute
from machjudge.service.model.conduct import Conduct, Policy, Timing
from machjudge.service.model.records import Clock, Game
from machjudge.service.ports.message_parts import Standing
from machjudge.service.session.announce import announce_setting
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.session import Session

_MOST_ABSENT_DAYS = 366
_NOTICE = timedelta(hours=24)
"""How long a phase is still waited for that has waited without end until now."""
_KEYS = {
    short: name
    for name in ("clock", "min", "next", "grace", "delay", "days")
    for short in (name, name[0] if name not in ("delay", "days") else name[:2])
}
"""The words of a template, and how they may be cut short."""
_POLICIES: Mapping[str, Policy] = {
    "": Policy.HOLD,
    "wait": Policy.WAIT,
    "hold": Policy.HOLD,
    "civil disorder": Policy.CIVIL_DISORDER,
    "disorder": Policy.CIVIL_DISORDER,
    "cd": Policy.CIVIL_DISORDER,
}


def set_template(session: Session, line: Line, said: Setting) -> None:
    """Change the template of a kind of phase; the running phase keeps its times."""
    game = session.game
    if game is None:
        return
    conduct = _with_words(game.conduct, said.key, said.value)
    if isinstance(conduct, str):
        session.refuse(line, conduct)
    else:
        _changed(session, game, conduct, f"{said.key} {' '.join(said.value)}")
        if game.clock is not None:
            session.done("The running phase keeps its times.")


def _template_entry(key: str, what: str, *also: str) -> CommandEntry:
    return CommandEntry(
        f"set {key}",
        RUNNING,
        f"SET {key.upper()} NEXT 72 GRACE 168",
        f"How long {what} take.",
        MASTERS,
        Act.STEER,
        set_template,
        setting=key,
        also=also,
        more=(
            "NEXT 72: hours to the deadline.",
            "GRACE 168: hours that the game waits.",
            "CLOCK 20:00: deadlines are at that time.",
            "DAYS -MTWTF-: on which days, from Sunday;",
            "  a small letter only from noon on.",
            "MIN 12: hours before which nothing is played.",
            "DELAY 0.5: hours after the last orders.",
            "The running phase keeps its times.",
        ),
    )


SET_TEMPLATES = (
    _template_entry("moves", "campaigns", "set move"),
    _template_entry("retreats", "retreats", "set retreat"),
    _template_entry("adjustments", "adjustments", "set adjust", "set adjustment", "set builds"),
)
"""One for each kind of phase."""


def _with_words(conduct: Conduct, key: str, words: Sequence[str]) -> Conduct | str:
    """The conduct with a template changed, or what is wrong with the words."""
    if not words or len(words) % 2:
        return f"write pairs of a word and its value, such as SET {key.upper()} NEXT 72 GRACE 168"
    before = conduct
    for name, value in zip(words[::2], words[1::2], strict=True):
        known = _KEYS.get(name.lower())
        changed = _with_value(conduct, key, known, value) if known else _ANY
        if isinstance(changed, str):
            return f"{name} {value} does not fit: {changed}"
        conduct = changed
    return _never_played(before, conduct, key) or conduct


_ANY = "there are CLOCK, MIN, NEXT, GRACE, DELAY and DAYS"


def _never_played(before: Conduct, conduct: Conduct, key: str) -> str:
    """Why phases would now wait beyond their deadlines; empty where they do not."""
    least, length = _template(conduct, key).least_hours, _length(conduct, key)
    is_as_before = (least, length) == (_template(before, key).least_hours, _length(before, key))
    if least <= length or is_as_before:
        return ""
    return (
        f"with MIN {least} and NEXT {length} nothing is played before the deadline is long over; "
        f"MIN is {length} at most"
    )


def _with_value(conduct: Conduct, key: str, name: str, value: str) -> Conduct | str:
    """The conduct with one word of a template changed, or why the value does not fit."""
    if name == "next":
        hours = read_hours(value)
        if hours == 0:
            return "a phase takes an hour at least"
        return hours if isinstance(hours, str) else _with_length(conduct, key, hours)
    timing = _with_part(_template(conduct, key), name, value)
    return timing if isinstance(timing, str) else _with_template(conduct, key, timing)


def _template(conduct: Conduct, key: str) -> Timing:
    if key == "moves":
        return conduct.moves
    return conduct.retreats if key == "retreats" else conduct.adjustments


def _with_template(conduct: Conduct, key: str, timing: Timing) -> Conduct:
    if key == "moves":
        return replace(conduct, moves=timing)
    if key == "retreats":
        return replace(conduct, retreats=timing)
    return replace(conduct, adjustments=timing)


def _with_length(conduct: Conduct, key: str, hours: int) -> Conduct:
    if key == "moves":
        return replace(conduct, campaign_hours=hours)
    if key == "retreats":
        return replace(conduct, retreat_hours=hours)
    return replace(conduct, adjustment_hours=hours)


def _length(conduct: Conduct, key: str) -> int:
    if key == "moves":
        return conduct.campaign_hours
    return conduct.retreat_hours if key == "retreats" else conduct.adjustment_hours


def _with_part(timing: Timing, name: str, value: str) -> Timing | str:
    match name:
        case "clock":
            minute = read_minute(value)
            if isinstance(minute, str):
                return minute
            return replace(timing, clock=None if minute < 0 else minute)
        case "days":
            return flaw_of_days(value) or replace(timing, days=value)
        case "delay":
            minutes = read_minutes(value)
            return minutes if isinstance(minutes, str) else replace(timing, delay_minutes=minutes)
        case "min":
            hours = read_hours(value)
            return hours if isinstance(hours, str) else replace(timing, least_hours=hours)
        case _:
            hours = read_hours(value)
            return hours if isinstance(hours, str) else replace(timing, grace_hours=hours)


def set_policy(session: Session, line: Line, said: Setting) -> None:
    """Say what becomes of a phase whose orders are missing when the grace is over."""
    word = " ".join(said.value).lower()
    policy = _POLICIES.get(word) if said.on else Policy.WAIT
    if policy is None:
        session.refuse(line, "write wait, hold, or civil disorder")
    elif session.game is not None:
        game, words = session.game, f"nmr {policy.value}"
        clock = _with_time_left(game, policy, session.now)
        if clock is None or clock.grace is None:
            _changed(session, game, replace(game.conduct, policy=policy), words)
            return
        told = ["The phase waits for the late until", f"  {when(clock.grace, UTC)}."]
        conduct = replace(game.conduct, policy=policy)
        _changed(session, replace(game, clock=clock), conduct, words, told)
        for each in told:
            session.done(each)


SET_NMR = CommandEntry(
    "set nmr",
    RUNNING,
    "SET NMR WAIT | HOLD | CIVIL DISORDER",
    "What happens when the grace is over.",
    MASTERS,
    Act.STEER,
    set_policy,
    setting="nmr",
    also=(
        "set cd",
        "set nonmr",
    ),
    more=(
        "WAIT: the game waits, the seat is open.",
        "HOLD: units hold, nothing is spent.",
        "CIVIL DISORDER: what is there is played.",
    ),
)


def _with_time_left(game: Game, policy: Policy, now: datetime) -> Clock | None:
    """The clock with a day more, where the phase would be played at once; none elsewhere.

    The late have been told that the game waits for them.
    """
    clock = game.clock
    tightens = game.conduct.policy is Policy.WAIT and policy is not Policy.WAIT
    if not tightens or clock is None or clock.grace is None or clock.grace > now:
        return None
    return replace(clock, grace=full_minute(now + _NOTICE))


def set_warnings(session: Session, line: Line, said: Setting) -> None:
    """Say how many hours before a deadline the missing are warned."""
    words = " ".join(said.value).replace(",", " ").split()
    hours = [read_hours(word) for word in words] if said.on else []
    flaws = [each for each in hours if isinstance(each, str)]
    if flaws or (said.on and not all(hours)):
        why = f"{flaws[0]}; " if flaws else ""
        session.refuse(line, f"{why}write hours, such as SET WARN 24 8 1")
    elif session.game is not None:
        given = tuple(sorted({each for each in hours if isinstance(each, int)}, reverse=True))
        conduct = replace(session.game.conduct, warn_hours=given)
        _changed(session, session.game, conduct, f"warn {' '.join(map(str, given)) or 'never'}")


SET_WARN = CommandEntry(
    "set warn",
    RUNNING,
    "SET WARN 24 8 1",
    "Hours before the deadline of reminders.",
    MASTERS,
    Act.STEER,
    set_warnings,
    setting="warn",
    also=(
        "set warning",
        "set warnings",
    ),
    more=("SET NO WARN: no reminders.",),
)


def set_most_absent(session: Session, line: Line, said: Setting) -> None:
    """Say how long absences may be."""
    if not said.on or said.number > _MOST_ABSENT_DAYS:
        many = f"{said.number} days are too many; " if said.on else ""
        session.refuse(line, f"{many}write a number of days up to {_MOST_ABSENT_DAYS}")
    elif session.game is not None:
        conduct = replace(session.game.conduct, most_absent_days=said.number)
        _changed(session, session.game, conduct, f"max absence {said.number}")


SET_MAX_ABSENCE = CommandEntry(
    "set max absence",
    RUNNING,
    "SET MAX ABSENCE 15",
    "How many days an absence may last.",
    MASTERS,
    Act.STEER,
    set_most_absent,
    setting="max absence",
    also=(
        "set max holidays",
        "set max vacations",
    ),
)


def set_switch(session: Session, line: Line, said: Setting) -> None:
    """Switch one of the yes-or-no questions of the clock."""
    if said.value:
        session.refuse(line, f"nothing can stand behind {said.key}")
    elif session.game is not None:
        conduct = _switched(session.game.conduct, said.key, on=said.on)
        _changed(session, session.game, conduct, f"{'' if said.on else 'no '}{said.key}")


SET_STRICT_GRACE = CommandEntry(
    "set strict grace",
    RUNNING,
    "SET [NO] STRICT GRACE",
    "Grace may end on any day.",
    MASTERS,
    Act.STEER,
    set_switch,
    setting="strict grace",
)
SET_STRICT_WAIT = CommandEntry(
    "set strict wait",
    RUNNING,
    "SET [NO] STRICT WAIT",
    "Only who has orders to give may wait.",
    MASTERS,
    Act.STEER,
    set_switch,
    setting="strict wait",
)
SET_MANUAL_PROCESS = CommandEntry(
    "set manual process",
    RUNNING,
    "SET MANUAL PROCESS",
    "You play each phase by PROCESS.",
    MASTERS,
    Act.STEER,
    set_switch,
    setting="manual process",
)
SET_AUTO_PROCESS = CommandEntry(
    "set auto process",
    RUNNING,
    "SET AUTO PROCESS",
    "Phases are played by the clock.",
    MASTERS,
    Act.STEER,
    set_switch,
    setting="auto process",
)


def _switched(conduct: Conduct, key: str, *, on: bool) -> Conduct:
    if key == "strict grace":
        return replace(conduct, strict_grace=on)
    if key == "strict wait":
        return replace(conduct, strict_wait=on)
    return replace(conduct, manual=on if key == "manual process" else not on)


def _changed(
    session: Session, game: Game, conduct: Conduct, words: str, told: Sequence[str] = ()
) -> None:
    """Keep the conduct, log it, and tell everybody how the times are now, and *told* besides."""
    changed = replace(game, conduct=conduct)
    session.set_game(changed)
    if conduct == game.conduct:
        session.done(f"{words}: nothing changes.")
        return
    session.note("times", words)
    session.done(f"Set: {words}.")
    standing = Standing("times", tuple(times(changed)))
    announce_setting(session, changed, ["The master has set:", f"  {words}", *told], standing)
