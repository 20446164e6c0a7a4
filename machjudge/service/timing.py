"""The templates by which phases get their times, and what happens with those who are late."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from machjudge.language.commands import Setting
from machjudge.reading import Line
from machjudge.service.announce import announce_setting
from machjudge.service.conduct import Conduct, Policy, Timing
from machjudge.service.parts import Standing
from machjudge.service.records import Game
from machjudge.service.talk import Talk
from machjudge.service.timetable import is_days
from machjudge.service.timewords import times

_HOUR = 60
_DAY = 24 * _HOUR
_MOST_HOURS = 24 * 366
_MOST_ABSENT_DAYS = 366
_TIME = re.compile(r"(\d{1,5}(?:\.\d{1,2})?|\.\d{1,2})(m|h|d)?", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)
_UNITS = {"m": 1, "h": _HOUR, "d": _DAY, "": _HOUR}
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


def set_template(talk: Talk, line: Line, said: Setting) -> None:
    """Change the template of a kind of phase; the running phase keeps its times."""
    game = talk.game
    if game is None:
        return
    conduct = _with_words(game.conduct, said.key, said.value)
    if isinstance(conduct, str):
        talk.refuse(line, conduct)
    else:
        _changed(talk, game, conduct, f"{said.key} {' '.join(said.value)}")
        if game.clock is not None:
            talk.done("The running phase keeps its times.")


def _with_words(conduct: Conduct, key: str, words: Sequence[str]) -> Conduct | str:
    """The conduct with a template changed, or what is wrong with the words."""
    if not words or len(words) % 2:
        return f"write pairs of a word and its value, such as SET {key.upper()} NEXT 72 GRACE 168"
    for name, value in zip(words[::2], words[1::2], strict=True):
        known = _KEYS.get(name.lower())
        changed = _with_value(conduct, key, known, value) if known else None
        if changed is None:
            return f"{name} {value} does not fit: {_EXPECTED.get(known or '', _ANY)}"
        conduct = changed
    return conduct


_ANY = "there are CLOCK, MIN, NEXT, GRACE, DELAY and DAYS"
_EXPECTED = {
    "clock": "a time such as 20:00, a minute of the day, or -1",
    "min": "hours, such as 12",
    "next": "hours, such as 72, or 3d",
    "grace": "hours, such as 168, or 7d",
    "delay": "hours, such as 0.5, or 30m",
    "days": "seven letters from Sunday, such as -MTWTF- or SmtwtfS",
}


def _with_value(conduct: Conduct, key: str, name: str, value: str) -> Conduct | None:
    """The conduct with one word of a template changed; nothing where the value does not fit."""
    if name == "next":
        hours = _hours(value)
        return _with_length(conduct, key, hours) if hours else None
    timing = _with_part(_template(conduct, key), name, value)
    return None if timing is None else _with_template(conduct, key, timing)


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


def _with_part(timing: Timing, name: str, value: str) -> Timing | None:
    if name == "clock":
        minute = _minute_of_day(value)
        return None if minute is None else replace(timing, clock=None if minute < 0 else minute)
    if name == "days":
        return replace(timing, days=value) if is_days(value) else None
    if name == "delay":
        minutes = _minutes(value)
        return None if minutes is None else replace(timing, delay_minutes=minutes)
    hours = _hours(value)
    if hours is None:
        return None
    if name == "min":
        return replace(timing, least_hours=hours)
    return replace(timing, grace_hours=hours)


def _minutes(value: str) -> int | None:
    """A length of time in minutes; hours, where nothing else stands behind the number."""
    match = _TIME.fullmatch(value.lower())
    minutes = round(float(match[1]) * _UNITS[match[2] or ""]) if match else None
    return minutes if minutes is not None and minutes <= _MOST_HOURS * _HOUR else None


def _hours(value: str) -> int | None:
    minutes = _minutes(value)
    return None if minutes is None or minutes % _HOUR else minutes // _HOUR


def _minute_of_day(value: str) -> int | None:
    """The minute of the day; -1 for none."""
    if value in ("-1", "none", "off"):
        return -1
    match = _CLOCK.fullmatch(value)
    minute = int(match[1]) * _HOUR + int(match[2]) if match and int(match[2]) < _HOUR else None
    if value.isascii() and value.isdigit():
        minute = int(value)
    return minute if minute is not None and minute < _DAY else None


def set_policy(talk: Talk, line: Line, said: Setting) -> None:
    """Say what becomes of a phase whose orders are missing when the grace is over."""
    word = " ".join(said.value).lower()
    policy = _POLICIES.get(word) if said.on else Policy.WAIT
    if policy is None:
        talk.refuse(line, "write wait, hold, or civil disorder")
    elif talk.game is not None:
        game = talk.game
        _changed(talk, game, replace(game.conduct, policy=policy), f"nmr {policy.value}")


def set_warnings(talk: Talk, line: Line, said: Setting) -> None:
    """Say how many hours before a deadline the missing are warned."""
    words = " ".join(said.value).replace(",", " ").split()
    hours = [_hours(word) for word in words] if said.on else []
    if None in hours or (said.on and not all(hours)):
        talk.refuse(line, "write hours, such as SET WARN 24 8 1")
    elif talk.game is not None:
        given = tuple(sorted({each for each in hours if each}, reverse=True))
        conduct = replace(talk.game.conduct, warn_hours=given)
        _changed(talk, talk.game, conduct, f"warn {' '.join(map(str, given)) or 'never'}")


def set_most_absent(talk: Talk, line: Line, said: Setting) -> None:
    """Say how long absences may be."""
    if not said.on or said.number > _MOST_ABSENT_DAYS:
        talk.refuse(line, f"write a number of days up to {_MOST_ABSENT_DAYS}")
    elif talk.game is not None:
        conduct = replace(talk.game.conduct, most_absent_days=said.number)
        _changed(talk, talk.game, conduct, f"max absence {said.number}")


def set_switch(talk: Talk, line: Line, said: Setting) -> None:
    """Switch one of the yes-or-no questions of the clock."""
    if said.value:
        talk.refuse(line, f"nothing can stand behind {said.key}")
    elif talk.game is not None:
        conduct = _switched(talk.game.conduct, said.key, on=said.on)
        _changed(talk, talk.game, conduct, f"{'' if said.on else 'no '}{said.key}")


def _switched(conduct: Conduct, key: str, *, on: bool) -> Conduct:
    if key == "strict grace":
        return replace(conduct, strict_grace=on)
    if key == "strict wait":
        return replace(conduct, strict_wait=on)
    return replace(conduct, manual=on if key == "manual process" else not on)


def _changed(talk: Talk, game: Game, conduct: Conduct, words: str) -> None:
    """Keep the conduct, log it, and tell everybody how the times are now."""
    changed = replace(game, conduct=conduct)
    talk.set_game(changed)
    if conduct == game.conduct:
        talk.done(f"{words}: nothing changes.")
        return
    talk.note("times", words)
    talk.done(f"Set: {words}.")
    standing = Standing("times", tuple(times(changed)))
    announce_setting(talk, changed, ["The master has set:", f"  {words}"], standing)
