"""The lines that take back what a master has set: each answer names its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.options import PRESETS, nearest, value_text
from machjudge.bots.policies import BotPolicy
from machjudge.judge.game_settings import (
    PRESS_SWITCHES,
    TOGGLES,
    Fakes,
    GameSettings,
    PhaseTiming,
    PressRules,
    Tones,
    service_departures,
    service_value,
    with_preset,
)
from machjudge.judge.mail_context import MailContext
from machjudge.judge.records import Clock, Game, PersonId, Status
from machjudge.judge.rule_settings import base_of, lines_back, usual_rules
from machjudge.judge.timetable import grace_after, line_instant

Lines = Callable[[Any, Any], Iterator[str]]
"""The lines for a value before and after; Any: the fields have several types."""


def name_lines_back(context: MailContext, before: Game) -> None:
    """Add to the answer the lines that make the game as it was *before* the last command."""
    after = context.game
    if after is None or after == before or after.status is not before.status:
        return
    view = context.view()
    stage = view.state.moment.stage if view is not None else Stage.CAMPAIGN
    named = _Names(context)
    context.undone_by(
        *_of_scenario(context, before, after),
        *_of_settings(before.settings, after.settings, named),
        *(
            _of_clock(before, after, stage, context.now)
            if before.position == after.position
            else ()
        ),
    )


class _Names:
    """What a list of people calls somebody: by name, if no other person has it."""

    def __init__(self, context: MailContext) -> None:
        self._persons = context.uow.persons

    def __call__(self, person: str) -> str:
        known = self._persons.get(PersonId(person))
        if known is None:
            return ""
        is_unique = "," not in known.name and len(self._persons.by_name(known.name)) == 1
        return known.name if is_unique or not known.addresses else known.addresses[0]


# --- scenario and rules ----------------------------------------------------------------------


def _of_scenario(context: MailContext, before: Game, after: Game) -> Iterator[str]:
    services, is_forming = context.services, before.status is Status.FORMING
    scenario = services.scenario(before)
    if before.scenario != after.scenario:
        atlas, other = services.atlas, services.scenario(after)
        if base_of(atlas, scenario).id == base_of(atlas, other).id and before.rules == after.rules:
            variant = scenario.variant
            option = f" OPTION {variant.option}" if variant and variant.option > 1 else ""
            yield f"SET PLAYERS {scenario.players}{option}"
        else:
            yield f"SET SCENARIO {before.scenario}"
            settings = with_preset(after.settings, scenario.preset or "judge")
            after = replace(after, rules=usual_rules(scenario), settings=settings)
            yield from lines_back(before.rules, after.rules, scenario, is_forming=is_forming)
            yield from _service_options(before.settings, after.settings)
            return
    preset = _preset(before, after) if is_forming else None
    if preset is not None:
        yield f"SET PRESET {preset}"
        return
    if (before.shared is None) is not (after.shared is None):
        yield "SET DICE SHARED" if after.shared is None else "SET DICE"
        after = replace(
            after, rules=replace(after.rules, game=replace(after.rules.game, dice=True))
        )
    lines = (
        *lines_back(before.rules, after.rules, scenario, is_forming=is_forming),
        *_service_options(before.settings, after.settings),
    )
    is_many = is_forming and len(lines) > _MANY
    if is_many and scenario.bare != (name := nearest(before.rules)):
        settings = with_preset(after.settings, name)
        by_preset = (
            f"SET PRESET {name}",
            *lines_back(before.rules, PRESETS[name], scenario, is_forming=is_forming),
            *_service_options(before.settings, settings),
        )
        lines = min(lines, by_preset, key=len)
    yield from lines


_MANY = 3
"""More lines may be fewer behind the nearest named set of rules."""


def _preset(before: Game, after: Game) -> str | None:
    """The named set of rules that makes the game as it was; None if it is about less, or more."""
    is_large = before.rules != after.rules and before.settings != after.settings
    names = (
        name
        for name, rules in PRESETS.items()
        if rules == before.rules and with_preset(after.settings, name) == before.settings
    )
    return next(names, None) if is_large else None


def _service_options(before: GameSettings, after: GameSettings) -> Iterator[str]:
    for name in service_departures(before, after):
        value = value_text(service_value(before, name))
        if name == "late_orders":
            yield f"SET NMR {value.replace('_', ' ').upper()}"
        elif name == "treasury_visibility":
            yield f"SET {'' if before.hidden_money else 'NO'}HIDDEN MONEY"
        else:
            yield f"SET OPTION {name} {value}"


# --- settings --------------------------------------------------------------------------------


def _of_settings(
    before: GameSettings, after: GameSettings, named: Callable[[str], str]
) -> Iterator[str]:
    for field in fields(GameSettings):
        was, now = getattr(before, field.name), getattr(after, field.name)
        if was != now and field.name in LINES:
            yield from LINES[field.name](was, now)
    yield from _of_press(before.press, after.press)
    yield from _of_guests(before, after, named)


def _switch(name: str) -> Lines:
    def line(was: bool, _: bool) -> Iterator[str]:
        yield f"SET {'' if was else 'NO'}{name.upper()}"

    return line


def _number(name: str, off: int | None = None, unit: str = "") -> Lines:
    def line(was: int, _: int) -> Iterator[str]:
        yield f"SET NO{name}" if was == off else f"SET {name} {was}{unit}"

    return line


def _template(name: str) -> Lines:
    def line(was: PhaseTiming, now: PhaseTiming) -> Iterator[str]:
        minute = was.clock
        at = "NONE" if minute is None else f"{minute // 60:02}:{minute % 60:02}"
        parts = {
            "CLOCK": (at, was.clock != now.clock),
            "MIN": (str(was.least_hours), was.least_hours != now.least_hours),
            "GRACE": (str(was.grace_hours), was.grace_hours != now.grace_hours),
            "DELAY": (f"{was.delay_minutes}m", was.delay_minutes != now.delay_minutes),
            "DAYS": (was.days, was.days != now.days),
        }
        said = " ".join(f"{part} {value}" for part, (value, is_new) in parts.items() if is_new)
        yield f"SET {name} {said}"

    return line


def _warnings(was: Sequence[int], _: Sequence[int]) -> Iterator[str]:
    yield f"SET WARN {' '.join(map(str, was))}" if was else "SET NOWARN"


def _comment(was: Sequence[str], _: Sequence[str]) -> Iterator[str]:
    yield from ("SET COMMENT BEGIN", *was, "END") if was else ("SET NOCOMMENT",)


def _sender(was: object, _: object) -> Iterator[str]:
    yield f"SET SENDER {value_text(was)}"


def _vacant(was: BotPolicy | None, _: object) -> Iterator[str]:
    yield f"SET VACANT BOT {was.value.upper()}" if was else "SET NOVACANT"


def _excuse(was: bool, _: bool) -> Iterator[str]:
    yield f"SET EXCUSE {'YEARLY' if was else 'ONCE'}"


LINES: Mapping[str, Lines] = {
    "campaign_hours": _number("MOVES NEXT"),
    "retreat_hours": _number("RETREATS NEXT"),
    "adjustment_hours": _number("ADJUSTMENTS NEXT"),
    "moves": _template("MOVES"),
    "retreats": _template("RETREATS"),
    "adjustments": _template("ADJUSTMENTS"),
    "strict_grace": _switch("strict grace"),
    "strict_wait": _switch("strict wait"),
    "manual": _switch("manual process"),
    "vacant": _vacant,
    "most_absent_days": _number("MAX ABSENCE"),
    "warn_hours": _warnings,
    "briefing_hours": _number("BRIEFING", off=0),
    "excused_hours": _number("EXCUSE", off=0),
    "excused_yearly": _excuse,
    "substitute_hours": _number("SUBSTITUTES", off=0),
    "notice_hours": _number("NOTICE"),
    "confirm_hours": _number("CONFIRM", unit=" HOURS"),
    "listed": _switch("listed"),
    "comment": _comment,
    "silent_days": _number("TAKEOVER", off=0),
    "by_lot": _switch("prfrand"),
    "manual_start": _switch("manual start"),
    "least_on_time": _number("RELIABILITY", off=0),
    "most_left": _number("RESRAT", off=100),
    "sender": _sender,
    **{
        key.replace(" ", "_"): _switch(key)
        for key in TOGGLES
        if key.replace(" ", "_") in {field.name for field in fields(GameSettings)}
    },
}
"""How each setting is set again; those of the named rule sets are options, press has its own."""


def _of_press(before: PressRules, after: PressRules) -> Iterator[str]:
    for name, field in PRESS_SWITCHES.items():
        was = getattr(before, field)
        if was is not getattr(after, field):
            yield f"SET {'' if was else 'NO'}{name.upper()}"
    if before.tones is not after.tones:
        is_none = before.tones is Tones.NONE
        yield "SET NOPRESS" if is_none else f"SET {before.tones.value.upper()} PRESS"
    if before.fakes is not after.fakes:
        yield {
            Fakes.NONE: "SET NOFAKE PRESS",
            Fakes.MAY: "SET FAKE PRESS",
            Fakes.BROADCAST: "SET PARTIAL FAKES BROADCAST",
        }[before.fakes]
    if before.observers is not after.observers:
        yield f"SET OBSERVER PRESS {before.observers.value}"
    if before.late is not after.late:
        yield f"SET LATE PRESS {before.late.value}"


def _of_guests(
    before: GameSettings, after: GameSettings, named: Callable[[str], str]
) -> Iterator[str]:
    """What was added goes first, as it may take other entries with it; then the rest comes back."""
    lists = (
        ("DENY", before.denied, after.denied, str),
        ("DENY", before.shut_out, after.shut_out, named),
        ("ALLOW", before.allowed, after.allowed, str),
        ("ALLOW", before.invited, after.invited, named),
    )
    for word, was, now, called in lists:
        for each in now:
            if each not in was and called(each):
                yield f"SET {word} PLAYER -{called(each)}"
    for word, was, now, called in lists:
        for each in was:
            if each not in now and called(each):
                yield f"SET {word} PLAYER {called(each)}"


# --- the clock -------------------------------------------------------------------------------


def _of_clock(before: Game, after: Game, stage: Stage, now: datetime) -> Iterator[str]:
    was, clock = before.clock, after.clock
    if was is None or clock is None:
        return
    if (was.paused is None) is not (clock.paused is None) or was.ends != clock.ends:
        yield from _stops_or_goes(was, clock)
        return
    if was.deadline != clock.deadline:
        yield f"SET DEADLINE {line_instant(was.deadline) if was.deadline > now else '+1m'}"
        clock = replace(clock, deadline=was.deadline)
        clock = replace(clock, grace=grace_after(before.settings, stage, was.deadline))
        if clock.start is not None:
            clock = replace(clock, start=min(clock.start, was.deadline))
    if was.grace != clock.grace and was.grace is not None and was.grace > now:
        yield f"SET GRACE {line_instant(was.grace)}"
    if was.start != clock.start:
        is_over = was.start is None or was.start <= now
        yield (
            "SET NOSTART"
            if is_over or was.start is None
            else f"SET START {line_instant(was.start)}"
        )


def _stops_or_goes(was: Clock, now: Clock) -> Iterator[str]:
    if now.paused is not None:
        yield "RESUME"
    if was.paused is not None and was.ends is None:
        yield f"PAUSE UNTIL {line_instant(was.resumes)}" if was.resumes is not None else "PAUSE"
    elif was.ends is not None and not was.won:
        yield "TERMINATE"
