"""The times of the phase that is being played: deadline, grace and start; pause and resume."""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta, tzinfo

from machjudge.language.commands.commands import PlainCommand, Setting
from machjudge.language.vocabulary.date_words import WEEKDAYS
from machjudge.language.vocabulary.dates import USUAL_TIME, read_instant
from machjudge.language.vocabulary.said import Problem
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.timetable import full_minute, grace_after, put_off, timing_of
from machjudge.service.game.view import absences_of, zone_of
from machjudge.service.model.records import Clock, Game, Status
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce
from machjudge.service.session.session import Session

_CLOCK = re.compile(r"\d?\d:\d\d")


def set_deadline(session: Session, line: Line, said: Setting) -> None:
    """Put the deadline of this phase on another instant; the grace goes with it."""
    game, instant = session.game, _instant(session, line, said)
    if game is None or game.clock is None or instant is None:
        return
    clock = _with_deadline(session, game, game.clock, instant)
    start = clock.start if clock.start is None else min(clock.start, instant)
    _moved(session, game, replace(clock, start=start), "deadline", instant)


SET_DEADLINE = CommandEntry(
    "set deadline",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deadline,
    setting="deadline",
    about_phase=True,
)


def set_grace(session: Session, line: Line, said: Setting) -> None:
    """Put the end of this phase's grace on another instant, not before the deadline."""
    game, instant = session.game, _instant(session, line, said)
    if game is None or game.clock is None or instant is None:
        return
    if instant < game.clock.deadline:
        session.refuse(
            line, Sentence("clock.grace_first", at=game.clock.deadline, zone=_zone(session))
        )
        return
    _moved(session, game, replace(game.clock, grace=instant, opened=False), "grace", instant)


SET_GRACE = CommandEntry(
    "set grace",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_grace,
    setting="grace",
    about_phase=True,
)


def set_start(session: Session, line: Line, said: Setting) -> None:
    """Let nothing be played before an instant; a deadline before it moves there."""
    game, instant = session.game, _instant(session, line, said)
    if game is None or game.clock is None or instant is None:
        return
    clock = replace(game.clock, start=instant)
    if instant > clock.deadline:
        clock = _with_deadline(session, game, clock, instant)
    _moved(session, game, clock, "start", instant)


SET_START = CommandEntry(
    "set start",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_start,
    setting="start",
    about_phase=True,
)


def _with_deadline(session: Session, game: Game, clock: Clock, instant: datetime) -> Clock:
    situation = session.situation()
    if situation is None:
        return clock
    stage = situation.state.moment.stage
    grace = grace_after(game.conduct, stage, instant)
    return replace(clock, deadline=instant, grace=grace, warned=(), opened=False)


def _instant(session: Session, line: Line, said: Setting) -> datetime | None:
    """The instant that somebody wrote, in the time to come; otherwise the line is refused."""
    game, situation = session.game, session.situation()
    if game is None or game.clock is None or situation is None:
        forms = game is not None and game.status is Status.FORMING
        hours = game.conduct.first_hours if game is not None else 0
        not_begun = Sentence("clock.not_begun", hours=hours)
        refused = not_begun if forms else session.why_not_played()
        session.refuse(line, refused, instead=_every_week(" ".join(said.value)))
        return None
    if game.clock.paused is not None:
        session.refuse(line, why_it_stands(session) or Sentence("clock.resume_first"))
        return None
    minute = timing_of(game.conduct, situation.state.moment.stage).clock
    usual = USUAL_TIME if minute is None else time(*divmod(minute, 60))
    text = " ".join(said.value)
    instant = instant_of(session, line, text, _zone(session), usual, instead=_every_week(text))
    return None if instant is None else full_minute(instant)


def _every_week(text: str) -> str | None:
    """How to say that deadlines fall on several days of each week; None for one instant."""
    plain = [word.strip(",.") for word in text.lower().split()]
    days = {n for n, day in enumerate(WEEKDAYS) for word in plain if day[:3] == word[:3]}
    if len(days) <= 1:
        return None
    letters = "".join(each if (n - 1) % 7 in days else "-" for n, each in enumerate("SMTWTFS"))
    clock = next((word for word in plain if _CLOCK.fullmatch(word)), None)
    return f"SET MOVES DAYS {letters}" + (f" CLOCK {clock}" if clock else "")


def instant_of(
    session: Session,
    line: Line,
    text: str,
    zone: tzinfo,
    usual: time = USUAL_TIME,
    instead: str | None = None,
) -> datetime | None:
    """An instant in the time to come in words; otherwise the line is refused."""
    instant = read_instant(text, session.now, zone, usual)
    if isinstance(instant, Problem):
        why = Sentence("clock.no_instant", reason=instant.reason)
        session.refuse(line, why, instead=instead)
        return None
    if instant <= session.now:
        session.refuse(line, Sentence("clock.is_past", at=instant, zone=zone))
        return None
    return instant


def _moved(session: Session, game: Game, clock: Clock, what: str, instant: datetime) -> None:
    moved = replace(game, clock=clock)
    session.set_game(moved)
    zone = _zone(session)
    session.note(what, Sentence("clock.moved.noted", what=what, at=instant))
    session.done(Sentence("clock.moved.done", what=what, at=instant, zone=zone))
    told = Sentence("clock.moved.told", what=what, at=instant, zone=zone)
    announce(session, moved, Sentence("clock.subject"), [told])


def _zone(session: Session) -> tzinfo:
    return zone_of(session.services, session.person)


def pause(session: Session, line: Line, _: PlainCommand) -> None:
    """Stop the clocks of a game; orders and press go on."""
    game = session.game
    if game is None or game.clock is None:
        session.refuse(line, session.why_not_played())
    elif game.clock.paused is not None:
        session.refuse(line, why_it_stands(session) or Sentence("clock.paused.already"))
    else:
        paused = replace(game, clock=replace(game.clock, paused=session.now))
        session.set_game(paused)
        session.note("paused", Sentence("clock.paused.noted"))
        session.done(Sentence("clock.paused.done"))
        subject = Sentence("clock.paused.subject")
        announce(session, paused, subject, [Sentence("clock.paused.told")])


PAUSE = CommandEntry(
    "pause",
    RUNNING,
    MASTERS,
    Act.STEER,
    pause,
    also=("suspend",),
    refused_in=NOT_PLAYED,
)


def resume(session: Session, line: Line, _: PlainCommand) -> None:
    """Let a game go on that was paused or broken off; its times move by as long as they stood."""
    game = session.game
    if game is None or game.clock is None:
        session.refuse(line, session.why_not_played())
        return
    if game.clock.ends is not None and session.received >= game.clock.ends:
        told = Sentence("clock.resumed.too_late", at=game.clock.ends, zone=_zone(session))
        session.refuse(line, told)
        return
    if game.clock.paused is None:
        session.refuse(line, Sentence("clock.resumed.runs"))
        return
    stood = session.now - game.clock.paused
    moved = _put_off(session, game, game.clock, stood, game.clock.paused)
    clock = replace(moved, paused=None, ends=None, won=False)
    resumed = replace(game, clock=clock)
    session.set_game(resumed)
    taken_back = game.clock.ends is not None
    session.note("resumed", Sentence("clock.resumed.noted", taken_back=taken_back, stood=stood))
    session.done(Sentence("clock.resumed.done", at=clock.deadline, zone=_zone(session)))
    told = Sentence("clock.resumed.told", taken_back=taken_back, stood=stood)
    announce(session, resumed, Sentence("clock.resumed.subject"), [told])


RESUME = CommandEntry(
    "resume",
    RUNNING,
    MASTERS,
    Act.STEER,
    resume,
    refused_in=NOT_PLAYED,
)


def _put_off(
    session: Session, game: Game, clock: Clock, stood: timedelta, since: datetime
) -> Clock:
    """The clock with the times moved that were to come when it was stopped."""
    situation = session.situation()
    if situation is None:
        return clock
    stage = situation.state.moment.stage
    return put_off(clock, stood, since, game.conduct, stage, absences_of(game))


def why_it_stands(session: Session) -> Sentence | None:
    """Why nothing is played or set at a game that is broken off; None at any other."""
    clock = session.game.clock if session.game is not None else None
    if clock is None or clock.ends is None:
        return None
    return Sentence("clock.broken_off", at=clock.ends, zone=_zone(session), won=clock.won)
