"""For whom and for what a phase waits: the lines of ``list``, ``who late`` and ``nudge``."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.delays import flag_line, wait_line
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.times import when
from machjudge.letters.wording.words import Words, counted, flowed
from machjudge.service.game.deadlines import Run, decide, missing_for
from machjudge.service.game.needs import missing
from machjudge.service.game.view import GameView, is_played

_WIDTH = 60
_ALL_LED = "All orders of powers that have a player are in."


def holdup_lines(
    situation: GameView, words: Words, now: datetime, zone: tzinfo, sight: Sight
) -> list[str]:
    """Who and what holds the phase up; reasons by name only to a master and of one's own powers.

    Before the deadline others read how many they are; after it who is late, unless the game is
    quiet.
    """
    if situation.clock.paused is not None:
        return ["Paused; the clocks stand since", f"  {when(situation.clock.paused, zone)}"]
    readiness = situation.readiness()
    late = missing_for(situation.game.conduct, readiness)
    is_over = now >= situation.clock.deadline
    others = frozenset() if is_over else (readiness.flagged | situation.waiting()) - late
    told = (late | others) if sight.sees_progress() else (late | others) & sight.powers
    lines = _headlines(situation, words, late, len(others), sight, is_over=is_over)
    for power in (p for p in situation.world.scenario.in_play if p in told):
        shown = reasons(situation, words, power, sight, is_over=is_over)
        lines += [f"  {line}" for line in shown]
    return lines or _nobody(situation, now, zone)


def reasons(
    situation: GameView, words: Words, power: PowerId, sight: Sight, *, is_over: bool
) -> Iterator[str]:
    """Why the phase waits for a power; after the deadline only orders that are missing."""
    name = words.power(power)
    lack = missing(situation.world, situation.state, power, situation.orders_of(power))
    if lack.units and not sight.sees_orders_of(power):
        yield f"{name}, {counted(len(lack.units), 'order')} missing."
    elif lack.units:
        units = (words.unit(unit) for unit in lack.units)
        yield from flowed(f"{name}, no order", units, _WIDTH)
    if lack.builds:
        yield f"{name}: {counted(lack.builds, 'build')} not ordered, nor waived."
    if lack.removals:
        yield f"{name}: {counted(lack.removals, 'removal')} not ordered."
    if power in situation.flagged():
        yield flag_line(name)
    if power in situation.waiting() and not is_over:
        yield wait_line(name)


def _headlines(
    situation: GameView,
    words: Words,
    late: frozenset[PowerId],
    others: int,
    sight: Sight,
    *,
    is_over: bool,
) -> list[str]:
    names = ", ".join(words.power(power) for power in sorted(late))
    if late and is_over:
        own = sight.powers & late
        is_told = not situation.game.conduct.quiet or sight.is_master or bool(own)
        return [f"Late: {names if is_told else counted(len(late), 'power')}."]
    lines = [f"{counted(len(late), 'power')} still without complete orders."] if late else []
    if others:
        verb = "holds" if others == 1 else "hold"
        more = "more power" if late else "power"
        lines.append(f"{counted(others, more)} {verb} the phase up until its deadline.")
    return lines


def _nobody(situation: GameView, now: datetime, zone: tzinfo) -> list[str]:
    """No power holds the phase up: whether something else does."""
    clock, conduct = situation.clock, situation.game.conduct
    readiness = situation.readiness()
    if not is_played(situation.game):
        return ["Nobody plays: the game stands still until somebody does."]
    if conduct.manual:
        return ["No orders are missing; the master plays the phase."]
    if isinstance(decide(clock, conduct, readiness, now), Run):
        return [_ALL_LED if readiness.missing else "All orders are in."]
    if clock.start is not None and now < clock.start:
        return ["No orders are missing; nothing is played before", f"  {when(clock.start, zone)}."]
    if readiness.wait:
        return ["All orders are standing ones: they are played at the deadline."]
    due = (readiness.since or clock.began) + readiness.delay
    return ["No orders are missing; the phase is played at", f"  {when(due, zone)}."]
