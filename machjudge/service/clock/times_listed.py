"""The times of a game as its listing says them."""

from collections.abc import Sequence
from itertools import groupby

from machjudge.adjudicator.model.moments import Stage
from machjudge.letters.wording.words import counted, listed
from machjudge.service.game.timetable import NEVER, timing_of
from machjudge.service.model.conduct import ANY_DAY, Conduct, Policy, Timing
from machjudge.service.model.records import Game

_STAGES = {
    Stage.CAMPAIGN: "Campaigns",
    Stage.RETREATS: "Retreats",
    Stage.ADJUSTMENT: "Adjustments",
}
_HOUR = 60
_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MANY = 3


def times(game: Game) -> list[str]:
    """How long phases take, and what happens with those who are late."""
    conduct = game.conduct
    return [
        f"First deadline: {counted(conduct.first_hours, 'hour')} after the start.",
        f"Campaigns {counted(conduct.campaign_hours, 'hour')}, retreats {conduct.retreat_hours},",
        f"  adjustments {conduct.adjustment_hours}.",
        *_templates(conduct),
        _warnings(conduct),
        *_late(conduct),
        *_played(conduct),
    ]


def _templates(conduct: Conduct) -> list[str]:
    """What is special about each kind of phase."""
    return [
        f"{name}: {special}."
        for stage, name in _STAGES.items()
        for special in _special(timing_of(conduct, stage), conduct.zone)
    ]


def _special(timing: Timing, zone: str) -> list[str]:
    said = []
    if timing.clock is not None:
        said.append(f"due at {clock_words(timing.clock)} {zone}")
    if timing.days != ANY_DAY:
        said.append(f"due on {days_words(timing.days)}")
    if timing.least_hours:
        said.append(f"played after {counted(timing.least_hours, 'hour')} at least")
    if timing.delay_minutes:
        said.append(f"played {counted(timing.delay_minutes, 'minute')} later")
    return said


def days_words(days: str) -> str:
    """The days of a template, which has them from Sunday, as ``Mon to Fri``."""
    week = [*zip(_WEEK, f"{days[1:]}{days[:1]}", strict=True)]
    runs = (list(run) for _, run in groupby(week, key=lambda day: _kind(day[1])))
    return listed(part for run in runs for part in _run_words(run))


def _kind(letter: str) -> str:
    """Never, from noon on, or all day."""
    if letter == NEVER:
        return NEVER
    return "from noon" if letter.islower() else ""


def _run_words(run: Sequence[tuple[str, str]]) -> list[str]:
    """Days that follow each other and are alike: none, each, or the first and the last of many."""
    names, kind = [name for name, _ in run], _kind(run[0][1])
    if kind == NEVER:
        return []
    behind = f" {kind}" if kind else ""
    if len(names) >= _MANY:
        return [f"{names[0]} to {names[-1]}{behind}"]
    return [f"{name}{behind}" for name in names]


def clock_words(minute: int) -> str:
    """A minute of the day as ``23:30``."""
    return f"{minute // _HOUR:02}:{minute % _HOUR:02}"


def _warnings(conduct: Conduct) -> str:
    if not conduct.warn_hours:
        return "No reminders."
    hours = listed(map(str, conduct.warn_hours))
    return f"Reminder: {hours} {'hour' if hours == '1' else 'hours'} before the deadline."


def _late(conduct: Conduct) -> list[str]:
    hours = [timing_of(conduct, stage).grace_hours for stage in _STAGES]
    grace = [
        f"Grace: {counted(hours[0], 'hour')}, retreats {hours[1]},",
        f"  adjustments {hours[2]}.",
    ]
    match conduct.policy:
        case Policy.WAIT:
            then = "  Then seats are open; the game waits."
        case Policy.HOLD:
            then = "  Then units hold, nothing is spent."
        case Policy.CIVIL_DISORDER:
            then = "  Then what is there is played."
    late = f"Late: the game waits; a notice every {counted(conduct.late_hours, 'hour')}."
    return [late, *grace, then]


def _played(conduct: Conduct) -> list[str]:
    if conduct.manual:
        return ["The master plays each phase by hand."]
    return ["A phase is played at once when all orders", "  are in and nobody has set wait."]
