"""The times of the phase that is being played: deadline, grace and start; pause and resume."""

from dataclasses import replace
from datetime import datetime, time, timedelta, tzinfo

from machjudge.language.commands.commands import Pause, Resume, Setting
from machjudge.language.vocabulary.dates import USUAL_TIME, read_instant
from machjudge.language.vocabulary.said import Problem
from machjudge.letters.wording.times import span, when
from machjudge.letters.wording.words import counted
from machjudge.reading import Line
from machjudge.service.game.timetable import full_minute, grace_after, put_off, timing_of
from machjudge.service.game.view import absences_of, zone_of
from machjudge.service.model.records import Clock, Game
from machjudge.service.session.announce import announce
from machjudge.service.session.session import Talk


def set_deadline(talk: Talk, line: Line, said: Setting) -> None:
    """Put the deadline of this phase on another instant; the grace goes with it."""
    game, instant = talk.game, _instant(talk, line, said)
    if game is None or game.clock is None or instant is None:
        return
    clock = _with_deadline(talk, game, game.clock, instant)
    start = clock.start if clock.start is None else min(clock.start, instant)
    _moved(talk, game, replace(clock, start=start), "deadline", instant)


def set_grace(talk: Talk, line: Line, said: Setting) -> None:
    """Put the end of this phase's grace on another instant, not before the deadline."""
    game, instant = talk.game, _instant(talk, line, said)
    if game is None or game.clock is None or instant is None:
        return
    if instant < game.clock.deadline:
        talk.refuse(line, f"the deadline is {_when(talk, game.clock.deadline)}; grace follows it")
        return
    _moved(talk, game, replace(game.clock, grace=instant, opened=False), "grace", instant)


def set_start(talk: Talk, line: Line, said: Setting) -> None:
    """Let nothing be played before an instant; a deadline before it moves there."""
    game, instant = talk.game, _instant(talk, line, said)
    if game is None or game.clock is None or instant is None:
        return
    clock = replace(game.clock, start=instant)
    if instant > clock.deadline:
        clock = _with_deadline(talk, game, clock, instant)
    _moved(talk, game, clock, "start", instant)


def _with_deadline(talk: Talk, game: Game, clock: Clock, instant: datetime) -> Clock:
    situation = talk.situation()
    if situation is None:
        return clock
    stage = situation.state.moment.stage
    grace = grace_after(game.conduct, stage, instant)
    return replace(clock, deadline=instant, grace=grace, warned=(), opened=False)


def _instant(talk: Talk, line: Line, said: Setting) -> datetime | None:
    """The instant that somebody wrote, in the time to come; otherwise the line is refused."""
    game, situation = talk.game, talk.situation()
    if game is None or game.clock is None or situation is None:
        hours = game.conduct.first_hours if game is not None else 0
        first = (
            f"; its first deadline comes {counted(hours, 'hour')} after its start" if hours else ""
        )
        talk.refuse(line, f"the game has not begun{first}")
        return None
    if game.clock.paused is not None:
        talk.refuse(line, why_it_stands(talk) or "the game is paused; RESUME first")
        return None
    zone = zone_of(talk.desk, talk.person)
    minute = timing_of(game.conduct, situation.state.moment.stage).clock
    usual = USUAL_TIME if minute is None else time(*divmod(minute, 60))
    instant = instant_of(talk, line, " ".join(said.value), zone, usual)
    return None if instant is None else full_minute(instant)


def instant_of(
    talk: Talk, line: Line, text: str, zone: tzinfo, usual: time = USUAL_TIME
) -> datetime | None:
    """An instant in the time to come in words; otherwise the line is refused."""
    instant = read_instant(text, talk.now, zone, usual)
    if isinstance(instant, Problem):
        talk.refuse(line, f"{instant.reason}; write it like 24 Nov 2026 20:00, or +48h")
        return None
    if instant <= talk.now:
        talk.refuse(line, f"{when(instant, zone)} is over")
        return None
    return instant


def _moved(talk: Talk, game: Game, clock: Clock, what: str, instant: datetime) -> None:
    moved = replace(game, clock=clock)
    talk.set_game(moved)
    talk.note(what, f"the {what} was set to {instant.isoformat()}")
    names = {"deadline": "The deadline", "grace": "The end of the grace", "start": "The start"}
    talk.done(f"{names[what]} is {_when(talk, instant)}.")
    if what == "deadline":
        told = ["The master has set another deadline."]
    else:
        told = [f"The master has set the {what} of this phase:", f"  {_when(talk, instant)}"]
    announce(talk, moved, "Deadline Change", told)


def _when(talk: Talk, instant: datetime) -> str:
    return when(instant, zone_of(talk.desk, talk.person))


def pause(talk: Talk, line: Line, _: Pause) -> None:
    """Stop the clocks of a game; orders and press go on."""
    game = talk.game
    if game is None or game.clock is None:
        talk.refuse(line, talk.why_not_played())
    elif game.clock.paused is not None:
        talk.refuse(line, why_it_stands(talk) or "the game is paused already")
    else:
        paused = replace(game, clock=replace(game.clock, paused=talk.now))
        talk.set_game(paused)
        talk.note("paused", "the clocks were stopped")
        talk.done("The game is paused: its clocks stand until you RESUME.")
        told = ["The master has paused the game.", "The clocks stand; orders and press go on."]
        announce(talk, paused, "Paused", told)


def resume(talk: Talk, line: Line, _: Resume) -> None:
    """Let a game go on that was paused or broken off; its times move by as long as they stood."""
    game = talk.game
    if game is None or game.clock is None:
        talk.refuse(line, talk.why_not_played())
        return
    if game.clock.ends is not None and talk.received >= game.clock.ends:
        talk.refuse(line, f"too late: the game ended for good {_when(talk, game.clock.ends)}")
        return
    if game.clock.paused is None:
        talk.refuse(line, "the game is neither paused nor terminated; its clocks run")
        return
    stood = talk.now - game.clock.paused
    moved = _put_off(talk, game, game.clock, stood, game.clock.paused)
    clock = replace(moved, paused=None, ends=None)
    resumed = replace(game, clock=clock)
    talk.set_game(resumed)
    _tell_resumed(talk, resumed, clock, game.clock.ends is not None, span(stood))


def _put_off(talk: Talk, game: Game, clock: Clock, stood: timedelta, since: datetime) -> Clock:
    """The clock with the times moved that were to come when it was stopped."""
    situation = talk.situation()
    if situation is None:
        return clock
    stage = situation.state.moment.stage
    return put_off(clock, stood, since, game.conduct, stage, absences_of(game))


def _tell_resumed(talk: Talk, game: Game, clock: Clock, taken_back: bool, stood: str) -> None:
    """Tell everybody that a game goes on, and whether its end was taken back."""
    back = "the end of the game was taken back; " if taken_back else ""
    talk.note("resumed", f"{back}the clocks stood for {stood}")
    talk.done(f"The game goes on, due {_when(talk, clock.deadline)}.")
    told = ["The master has taken it back: the game does not end."] if taken_back else []
    announce(talk, game, "Resumed", [*told, f"The game goes on, after {stood}."])


def why_it_stands(talk: Talk) -> str | None:
    """Why nothing is played or set at a game that is broken off; none at any other."""
    clock = talk.game.clock if talk.game is not None else None
    if clock is None or clock.ends is None:
        return None
    return f"the game is broken off; {until_end(talk, clock)}"


def until_end(talk: Talk, clock: Clock) -> str:
    """When it ends, in the time of whoever writes, and what takes that back."""
    if clock.ends is None:
        return ""
    return f"it ends {when(clock.ends, zone_of(talk.desk, talk.person))}; RESUME takes that back"
