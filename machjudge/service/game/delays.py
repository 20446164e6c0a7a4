"""For whom and for what a phase waits: the lines of ``list``, ``who late`` and ``nudge``."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.delays import flag_line, wait_line
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording, joined
from machjudge.service.game.deadlines import Run, decide, missing_for
from machjudge.service.game.needs import missing
from machjudge.service.game.view import GameView, is_played


def holdup_lines(
    situation: GameView, words: Words, now: datetime, zone: tzinfo, sight: Sight
) -> list[Wording]:
    """Who and what holds the phase up; reasons by name only to a master and of one's own powers.

    Before the deadline others read how many they are; after it who is late, unless the game is
    quiet.
    """
    if situation.clock.paused is not None:
        return [Sentence("game.delay.paused", since=situation.clock.paused, zone=zone)]
    readiness = situation.readiness()
    late = missing_for(situation.game.conduct, readiness)
    is_over = now >= situation.clock.deadline
    others = frozenset() if is_over else (readiness.flagged | situation.waiting()) - late
    told = (late | others) if sight.sees_progress() else (late | others) & sight.powers
    lines = _headlines(situation, words, late, len(others), sight, is_over=is_over)
    for power in (p for p in situation.world.scenario.in_play if p in told):
        lines += _reasons(situation, words, power, sight, is_over=is_over)
    return lines or _nobody(situation, now, zone)


def _reasons(
    situation: GameView, words: Words, power: PowerId, sight: Sight, *, is_over: bool
) -> Iterator[Wording]:
    """Why the phase waits for a power; after the deadline only orders that are missing."""
    name = words.power(power)
    lack = missing(situation.world, situation.state, power, situation.orders_of(power))
    if lack.units and not sight.sees_orders_of(power):
        yield Sentence("game.delay.orders", power=name, n=len(lack.units))
    elif lack.units:
        yield Sentence("game.delay.units", power=name, units=tuple(map(words.unit, lack.units)))
    if lack.builds:
        yield Sentence("game.delay.builds", power=name, n=lack.builds)
    if lack.removals:
        yield Sentence("game.delay.removals", power=name, n=lack.removals)
    if power in situation.flagged():
        yield Sentence("game.delay.reason", reason=flag_line(name))
    if power in situation.waiting() and not is_over:
        yield Sentence("game.delay.reason", reason=wait_line(name))


def _headlines(
    situation: GameView,
    words: Words,
    late: frozenset[PowerId],
    others: int,
    sight: Sight,
    *,
    is_over: bool,
) -> list[Wording]:
    if late and is_over:
        own = sight.powers & late
        is_told = not situation.game.conduct.quiet or sight.is_master or bool(own)
        names = joined(", ", (words.power(power) for power in sorted(late))) if is_told else ""
        return [Sentence("game.delay.late", names=names, n=len(late))]
    lines: list[Wording] = [Sentence("game.delay.incomplete", n=len(late))] if late else []
    if others:
        lines.append(Sentence("game.delay.others", n=others, late=len(late)))
    return lines


def _nobody(situation: GameView, now: datetime, zone: tzinfo) -> list[Wording]:
    """No power holds the phase up: whether something else does."""
    clock, conduct = situation.clock, situation.game.conduct
    readiness = situation.readiness()
    if not is_played(situation.game):
        return [Sentence("game.delay.nobody_plays")]
    if conduct.manual:
        return [Sentence("game.delay.manual")]
    if isinstance(decide(clock, conduct, readiness, now), Run):
        return [Sentence("game.delay.all_in", unled=len(readiness.missing))]
    if clock.start is not None and now < clock.start:
        return [Sentence("game.delay.not_before", start=clock.start, zone=zone)]
    if readiness.wait:
        return [Sentence("game.delay.standing")]
    due = (readiness.since or clock.began) + readiness.delay
    return [Sentence("game.delay.played_at", due=due, zone=zone)]
