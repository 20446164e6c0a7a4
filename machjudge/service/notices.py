"""Reminders before a deadline and late notices after it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from machjudge.adjudicator.names import PowerId
from machjudge.letters.sheetlines import PowerNeeds, needs_lines, on_file_lines
from machjudge.letters.words import Words
from machjudge.service.changes import Changes
from machjudge.service.desk import Desk
from machjudge.service.needs import missing
from machjudge.service.post import Addressee, addressees, head_now, letter
from machjudge.service.records import Outgoing
from machjudge.service.situation import Situation


def remind(desk: Desk, situation: Situation, powers: frozenset[PowerId], now: datetime) -> Changes:
    """Remind those whose orders are missing; once in a phase."""
    game = replace(situation.game, clock=replace(situation.clock, reminded=True))
    letters = [
        _letter(desk, situation, to, "reminder", powers)
        for to in addressees(desk, game, situation.people, now)
        if powers.intersection(to.powers)
    ]
    return Changes(read=situation.game, game=game, letters=letters)


def tell_late(
    desk: Desk, situation: Situation, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Tell the late ones, and the first time everybody, for whom the game waits."""
    clock = situation.clock
    is_first = clock.late_told is None or clock.late_told < clock.deadline
    game = replace(situation.game, clock=replace(clock, late_told=now))
    letters = [
        _letter(desk, situation, to, "late", powers)
        for to in addressees(desk, game, situation.people, now)
        if is_first or powers.intersection(to.powers) or to.sight.is_master
    ]
    return Changes(read=situation.game, game=game, letters=letters)


def _letter(
    desk: Desk, situation: Situation, to: Addressee, name: str, powers: frozenset[PowerId]
) -> Outgoing:
    words = Words(situation.world)
    own = [power for power in to.powers if power in powers]
    facts = {
        "head": head_now(desk, situation),
        "reader": to.reader,
        "own": bool(own),
        "letters": "".join(sorted(powers)),
        "names": [words.power(power) for power in sorted(powers)],
        "missing": power_needs(situation, own),
        "on_file": tuple(line for power in own for line in on_file(situation, power)),
    }
    return letter(situation.game, to.address, desk.paper.page(name, facts))


def power_needs(situation: Situation, powers: Iterable[PowerId]) -> tuple[PowerNeeds, ...]:
    """What each of the powers still has to order; those with nothing are left out."""
    words, state = Words(situation.world), situation.state
    found = []
    for power in powers:
        lack = missing(situation.world, state, power, situation.orders_of(power))
        lines = needs_lines(words, lack.units, lack.builds, lack.removals)
        if lines:
            found.append(PowerNeeds(words.power(power), lines))
    return tuple(found)


def on_file(situation: Situation, power: PowerId) -> tuple[str, ...]:
    """The lines of a power's order set; empty where nothing is on file."""
    orders = situation.orders_of(power)
    return on_file_lines(Words(situation.world), orders, ()) if orders else ()
