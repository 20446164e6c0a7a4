"""How long the phases of each kind take."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.phase_times import change_times
from machjudge.service.credentials.authority import Act
from machjudge.service.game.time_templates import (
    flaw_of_days,
    read_hours,
    read_minute,
    read_minutes,
)
from machjudge.service.model.conduct import Conduct, PhaseTiming
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.session import Session

_KEYS = {
    short: name
    for name in ("clock", "min", "next", "grace", "delay", "days")
    for short in (name, name[0] if name not in ("delay", "days") else name[:2])
}
"""The words of a template, and how they may be cut short."""


def set_template(session: Session, line: Line, said: Setting) -> None:
    """Change the template of a kind of phase; the running phase keeps its times."""
    game = session.game
    if game is None:
        return
    conduct = _with_words(game.conduct, said.key, said.value)
    if not isinstance(conduct, Conduct):
        session.refuse(line, conduct)
    else:
        change_times(session, game, conduct, " ".join((said.key, *said.value)))
        if game.clock is not None:
            session.done(Sentence("clock.template.later"))


def _template_entry(key: str, *also: str) -> CommandEntry:
    return CommandEntry(
        f"set {key}",
        RUNNING,
        MASTERS,
        Act.STEER,
        set_template,
        setting=key,
        also=also,
    )


SET_TEMPLATES = (
    _template_entry("moves", "set move"),
    _template_entry("retreats", "set retreat"),
    _template_entry("adjustments", "set adjust", "set adjustment", "set builds"),
)
"""One for each kind of phase."""


def _with_words(conduct: Conduct, key: str, words: Sequence[str]) -> Conduct | Sentence:
    """The conduct with a template changed, or what is wrong with the words."""
    if not words or len(words) % 2:
        return Sentence("clock.template.no_pairs", kind=key.upper())
    before = conduct
    for name, value in zip(words[::2], words[1::2], strict=True):
        known = _KEYS.get(name.lower())
        changed = _with_value(conduct, key, known, value) if known else _ANY
        if not isinstance(changed, Conduct):
            return Sentence("clock.template.unfit", name=name, value=value, reason=changed)
        conduct = changed
    return _never_played(before, conduct, key) or conduct


_ANY = Sentence("clock.template.known")


def _never_played(before: Conduct, conduct: Conduct, key: str) -> Sentence | None:
    """Why phases would now wait beyond their deadlines; None if they do not."""
    least, length = _template(conduct, key).least_hours, _length(conduct, key)
    is_as_before = (least, length) == (_template(before, key).least_hours, _length(before, key))
    if least <= length or is_as_before:
        return None
    return Sentence("clock.template.never_played", least=least, length=length)


def _with_value(conduct: Conduct, key: str, name: str, value: str) -> Conduct | Wording:
    """The conduct with one word of a template changed, or why the value does not fit."""
    if name == "next":
        hours = read_hours(value)
        if hours == 0:
            return Sentence("clock.template.no_time")
        return _with_length(conduct, key, hours) if isinstance(hours, int) else hours
    timing = _with_part(_template(conduct, key), name, value)
    return _with_template(conduct, key, timing) if isinstance(timing, PhaseTiming) else timing


def _template(conduct: Conduct, key: str) -> PhaseTiming:
    if key == "moves":
        return conduct.moves
    return conduct.retreats if key == "retreats" else conduct.adjustments


def _with_template(conduct: Conduct, key: str, timing: PhaseTiming) -> Conduct:
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


def _with_part(timing: PhaseTiming, name: str, value: str) -> PhaseTiming | Wording:
    match name:
        case "clock":
            minute = read_minute(value)
            if not isinstance(minute, int):
                return minute
            return replace(timing, clock=None if minute < 0 else minute)
        case "days":
            return flaw_of_days(value) or replace(timing, days=value)
        case "delay":
            minutes = read_minutes(value)
            if not isinstance(minutes, int):
                return minutes
            return replace(timing, delay_minutes=minutes)
        case "min":
            hours = read_hours(value)
            return replace(timing, least_hours=hours) if isinstance(hours, int) else hours
        case _:
            hours = read_hours(value)
            return replace(timing, grace_hours=hours) if isinstance(hours, int) else hours
