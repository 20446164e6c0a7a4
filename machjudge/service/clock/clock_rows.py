"""The rows of the table of commands that are about time."""

from machjudge.language.commands import commands as said
from machjudge.language.commands.commands import Set
from machjudge.service.clock import absences, phase_times, this_phase
from machjudge.service.session.command import (
    MASTERS,
    PLAYERS,
    PLAYING,
    RUNNING,
    Entry,
    Handler,
    Who,
)

_PLAYERS_AND_MASTERS = frozenset({Who.PLAYER, Who.MASTER})


def _template(key: str, what: str, *also: str) -> Entry:
    return Entry(
        f"set {key}",
        RUNNING,
        f"SET {key.upper()} NEXT 72 GRACE 168",
        f"How long {what} take.",
        MASTERS,
        phase_times.set_template,
        Set,
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


def _switch(key: str, usage: str, about: str, *also: str) -> Entry:
    return _master_sets(key, usage, about, phase_times.set_switch, *also)


def _master_sets(
    key: str, usage: str, about: str, handler: Handler, *also: str, more: tuple[str, ...] = ()
) -> Entry:
    name = f"set {key}"
    return Entry(name, RUNNING, usage, about, MASTERS, handler, Set, key, also, more)


AWAY_ENTRIES: tuple[Entry, ...] = (
    Entry(
        "set absence",
        PLAYING,
        "SET ABSENCE 24 Dec to 2 Jan",
        "You are away; later deadlines fall behind it.",
        _PLAYERS_AND_MASTERS,
        absences.set_absence,
        Set,
        setting="absence",
        also=("set holiday", "set vacation", "set noabsence"),
        more=(
            "The deadline of this phase stays as it is.",
            "SET NO ABSENCE 1 takes your first one away,",
            "SET NO ABSENCE all of them; three at most.",
        ),
    ),
    Entry(
        "set priority",
        PLAYING,
        "SET PRIORITY A mil, F gen, A",
        "Which units are kept first if you are silent.",
        PLAYERS,
        absences.set_priority,
        Set,
        setting="priority",
        more=("Units, places, or kinds: A, F, G.", "SET NO PRIORITY: as the judge likes."),
    ),
)
CLOCK_ENTRIES: tuple[Entry, ...] = (
    _master_sets(
        "grace", "SET GRACE +72h", "Until when this phase waits for the late.", this_phase.set_grace
    ),
    _master_sets("start", "SET START +12h", "Nothing is played before it.", this_phase.set_start),
    _template("moves", "campaigns", "set move"),
    _template("retreats", "retreats", "set retreat"),
    _template("adjustments", "adjustments", "set adjust", "set adjustment", "set builds"),
    _master_sets(
        "nmr",
        "SET NMR WAIT | HOLD | CIVIL DISORDER",
        "What happens when the grace is over.",
        phase_times.set_policy,
        "set cd",
        "set nonmr",
        more=(
            "WAIT: the game waits, the seat is open.",
            "HOLD: units hold, nothing is spent.",
            "CIVIL DISORDER: what is there is played.",
        ),
    ),
    _master_sets(
        "warn",
        "SET WARN 24 8 1",
        "Hours before the deadline of reminders.",
        phase_times.set_warnings,
        "set warning",
        "set warnings",
        more=("SET NO WARN: no reminders.",),
    ),
    _master_sets(
        "max absence",
        "SET MAX ABSENCE 15",
        "How many days an absence may last.",
        phase_times.set_most_absent,
        "set max holidays",
        "set max vacations",
    ),
    _switch(
        "strict grace",
        "SET [NO] STRICT GRACE",
        "Grace may end on any day.",
    ),
    _switch(
        "strict wait",
        "SET [NO] STRICT WAIT",
        "Only who has orders to give may wait.",
    ),
    _switch("manual process", "SET MANUAL PROCESS", "You play each phase by PROCESS."),
    _switch("auto process", "SET AUTO PROCESS", "Phases are played by the clock."),
    Entry(
        "pause",
        RUNNING,
        "PAUSE",
        "Stop the clocks; orders and press go on.",
        MASTERS,
        this_phase.pause,
        said.Pause,
        also=("suspend",),
    ),
    Entry(
        "resume",
        RUNNING,
        "RESUME",
        "Let a paused or terminated game go on.",
        MASTERS,
        this_phase.resume,
        said.Resume,
        more=("The deadline moves by as long as they stood.",),
    ),
)
