"""What happens with those who are late, reminders, and the switches of the clock."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.times_listed import times
from machjudge.service.credentials.authority import Act
from machjudge.service.game.time_templates import (
    read_hours,
)
from machjudge.service.game.timetable import full_minute
from machjudge.service.model.conduct import Conduct, Policy
from machjudge.service.model.records import Clock, Game
from machjudge.service.ports.message_parts import Standing
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session

_MOST_ABSENT_DAYS = 366
_NOTICE = timedelta(hours=24)
"""How long a phase is still waited for that has waited without end until now."""
_POLICIES: Mapping[str, Policy] = {
    "": Policy.HOLD,
    "wait": Policy.WAIT,
    "hold": Policy.HOLD,
    "civildisorder": Policy.CIVIL_DISORDER,
    "disorder": Policy.CIVIL_DISORDER,
    "cd": Policy.CIVIL_DISORDER,
}


def set_policy(session: Session, line: Line, said: Setting) -> None:
    """Say what becomes of a phase whose orders are missing when the grace is over."""
    word = "".join(said.value).lower()
    policy = _POLICIES.get(word) if said.on else Policy.WAIT
    if policy is None:
        session.refuse(line, Sentence("clock.nmr.unknown"))
    elif session.game is not None:
        game, words = session.game, Sentence("clock.nmr.set", policy=policy.value)
        clock = _with_time_left(game, policy, session.now)
        if clock is None or clock.grace is None:
            change_times(session, game, replace(game.conduct, policy=policy), words)
            return
        told = Sentence("clock.nmr.waits", until=clock.grace, zone=UTC)
        conduct = replace(game.conduct, policy=policy)
        change_times(session, replace(game, clock=clock), conduct, words, told)
        session.done(told)


SET_NMR = CommandEntry(
    "set nmr",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_policy,
    setting="nmr",
    also=("set cd", "set nonmr"),
)


def _with_time_left(game: Game, policy: Policy, now: datetime) -> Clock | None:
    """The clock with a day more, where the phase would be played at once; None elsewhere.

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
    flaws = [each for each in hours if not isinstance(each, int)]
    if flaws or (said.on and not all(hours)):
        session.refuse(line, Sentence("clock.warn.unfit", flaw=flaws[0] if flaws else ""))
    elif session.game is not None:
        given = tuple(sorted({each for each in hours if isinstance(each, int)}, reverse=True))
        conduct = replace(session.game.conduct, warn_hours=given)
        change_times(session, session.game, conduct, Sentence("clock.warn.set", hours=given))


SET_WARN = CommandEntry(
    "set warn",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_warnings,
    setting="warn",
    also=("set warning", "set warnings"),
)


def set_most_absent(session: Session, line: Line, said: Setting) -> None:
    """Say how long absences may be."""
    if not said.on or said.number > _MOST_ABSENT_DAYS:
        wanted = said.number if said.on else 0
        session.refuse(line, Sentence("clock.absence.most", wanted=wanted, most=_MOST_ABSENT_DAYS))
    elif session.game is not None:
        conduct = replace(session.game.conduct, most_absent_days=said.number)
        change_times(session, session.game, conduct, f"{said.key} {said.number}")


SET_MAX_ABSENCE = CommandEntry(
    "set max absence",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_most_absent,
    setting="max absence",
    also=("set max holidays", "set max vacations"),
)


def set_switch(session: Session, line: Line, said: Setting) -> None:
    """Switch one of the yes-or-no questions of the clock."""
    if said.value:
        session.refuse(line, Sentence("setup.nothing_behind", name=said.key))
    elif session.game is not None:
        conduct = _switched(session.game.conduct, said.key, on=said.on)
        change_times(session, session.game, conduct, f"{'' if said.on else 'no '}{said.key}")


SET_STRICT_GRACE = CommandEntry(
    "set strict grace",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_switch,
    setting="strict grace",
)
SET_STRICT_WAIT = CommandEntry(
    "set strict wait",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_switch,
    setting="strict wait",
)
SET_MANUAL_PROCESS = CommandEntry(
    "set manual process",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_switch,
    setting="manual process",
)
SET_AUTO_PROCESS = CommandEntry(
    "set auto process",
    RUNNING,
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


def change_times(
    session: Session, game: Game, conduct: Conduct, words: Wording, *told: Wording
) -> None:
    """Keep the conduct, log it, and tell everybody how the times are now, and *told* besides."""
    changed = replace(game, conduct=conduct)
    session.set_game(changed)
    if conduct == game.conduct:
        session.done(Sentence("clock.nothing_changes", words=words))
        return
    session.note("times", words)
    session.done(Sentence("clock.set", words=words))
    announce_setting(
        session,
        changed,
        [Sentence("clock.master_has_set"), Sentence("clock.item", words=words), *told],
        Standing("times", (times(conduct),)),
    )
