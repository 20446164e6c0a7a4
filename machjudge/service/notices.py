"""Reminders before a deadline, late notices after it, seats that are opened to others."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from machjudge.adjudicator.names import PowerId
from machjudge.letters.sheetlines import PowerNeeds, needs_lines, on_file_lines
from machjudge.letters.words import Words, counted
from machjudge.service.attendance import times_late, with_late, with_left
from machjudge.service.changes import Changes
from machjudge.service.conduct import Policy
from machjudge.service.deadlines import Remind
from machjudge.service.desk import Desk
from machjudge.service.envelopes import Outgoing
from machjudge.service.needs import missing
from machjudge.service.post import Addressee, addressees, head_now, letter
from machjudge.service.records import Game, Notice, Seat
from machjudge.service.registry import with_seat
from machjudge.service.situation import Situation


def remind(desk: Desk, situation: Situation, due: Remind, now: datetime) -> Changes:
    """Remind those whose orders are missing; each warning goes out once in a phase."""
    clock = situation.clock
    warned = tuple(dict.fromkeys((*clock.warned, *due.hours)))
    game = replace(situation.game, clock=replace(clock, warned=warned))
    letters = [
        _letter(desk, situation, to, "reminder", due.powers)
        for to in addressees(desk, game, situation.people, now)
        if due.powers.intersection(to.powers)
    ]
    return Changes(read=situation.game, game=game, letters=letters)


def nudges(
    desk: Desk, situation: Situation, powers: frozenset[PowerId], now: datetime
) -> list[Outgoing]:
    """A reminder, or after the deadline a late notice, to those alone whose orders are missing."""
    page = "reminder" if now < situation.clock.deadline else "late"
    return [
        _letter(desk, situation, to, page, powers)
        for to in addressees(desk, situation.game, situation.people, now)
        if powers.intersection(to.powers)
    ]


def tell_late(
    desk: Desk, situation: Situation, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Tell the late ones, and the first time everybody, for whom the game waits."""
    clock = situation.clock
    is_first = clock.late_told is None or clock.late_told < clock.deadline
    counted = with_late(situation, powers) if is_first else situation.game
    game = replace(counted, clock=replace(clock, late_told=now))
    letters = [
        _letter(desk, replace(situation, game=game), to, "late", powers)
        for to in addressees(desk, game, situation.people, now)
        if is_first or powers.intersection(to.powers) or to.sight.is_master
    ]
    return Changes(read=situation.game, game=game, letters=letters)


def open_seats(
    desk: Desk, situation: Situation, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Open the seats of those who let their grace pass; everybody is told, they as well."""
    read, clock = situation.game, situation.clock
    opened = [seat for seat in read.seats if powers.intersection(seat.powers)]
    left = with_left(read, dict.fromkeys(seat.person for seat in opened))
    game = replace(left, clock=replace(clock, opened=True, late_told=now))
    for seat in opened:
        game = with_seat(game, replace(seat, person=None, waits=False))
    words = Words(situation.world)
    letters = [
        _opened_letter(desk, situation, to, opened)
        for to in addressees(desk, read, situation.people, now)
        if not read.conduct.quiet or to.sight.is_master or any(s in to.seats for s in opened)
    ]
    notices = [
        Notice(game.id, now, None, "abandoned", f"the seat of {words.power(power)} was opened")
        for power in sorted(powers)
    ]
    return Changes(read=read, game=game, notices=notices, letters=letters)


def _opened_letter(
    desk: Desk, situation: Situation, to: Addressee, opened: Sequence[Seat]
) -> Outgoing:
    words, game = Words(situation.world), situation.game
    powers = [power for seat in opened for power in seat.powers]
    facts = {
        "head": head_now(desk, situation),
        "reader": to.reader,
        "own": any(seat in to.seats for seat in opened),
        "letters": "".join(powers),
        "names": [words.power(power) for power in powers],
        "grace": situation.clock.grace,
        "warning": _warning(situation, powers) if _goes_on(situation) else "",
        "signons": [f"SIGNON {seat.powers[0]}{game.name} password" for seat in opened],
    }
    return letter(game, to.address, desk.paper.page("opened", facts))


def ask_master(desk: Desk, situation: Situation, now: datetime) -> Changes:
    """Tell the master that the phase can be played, which he does by hand."""
    read, code = situation.game, situation.state.moment.code
    game = replace(read, clock=replace(situation.clock, late_told=now))
    lines = [f"{code} can be played.", "You play it yourself (set manual process):"]
    facts = {
        "head": head_now(desk, situation),
        "subject": "Ready to Process",
        "lines": [*lines, f"  PROCESS {code}"],
    }
    letters = [
        letter(
            game,
            to.address,
            desk.paper.page("announcement", {**facts, "reader": to.reader}),
        )
        for to in addressees(desk, game, situation.people, now)
        if to.sight.is_master
    ]
    return Changes(read=read, game=game, letters=letters)


def _letter(
    desk: Desk, situation: Situation, to: Addressee, name: str, powers: frozenset[PowerId]
) -> Outgoing:
    words = Words(situation.world)
    own = [power for power in to.powers if power in powers]
    named = not situation.game.conduct.quiet or bool(own) or to.sight.is_master
    facts = {
        "head": head_now(desk, situation),
        "reader": to.reader,
        "own": bool(own),
        "warning": _warning(situation, own),
        "letters": "".join(sorted(powers)) if named else "",
        "names": _late_names(words, situation.game, powers) if named else [],
        "count": counted(len(powers), "power"),
        "missing": power_needs(situation, own),
        "grace": situation.clock.grace,
        "on_file": tuple(line for power in own for line in on_file(situation, power)),
    }
    return letter(situation.game, to.address, desk.paper.page(name, facts))


def _late_names(words: Words, game: Game, powers: Iterable[PowerId]) -> list[str]:
    """The names of the late, where the game counts how often with the number of times."""
    names = [(words.power(power), times_late(game, power)) for power in sorted(powers)]
    if not game.conduct.late_count:
        return [name for name, _ in names]
    return [f"{name} (late {counted(times, 'time')})" for name, times in names]


def _goes_on(situation: Situation) -> bool:
    """Whether the phase is played without those who stay silent."""
    return situation.game.conduct.policy is not Policy.WAIT


def _warning(situation: Situation, own: Sequence[PowerId]) -> str:
    """What becomes of those who stay silent."""
    grace, policy = situation.clock.grace, situation.game.conduct.policy
    if grace is None or not own:
        return ""
    match policy:
        case Policy.WAIT:
            return "Then your seat is open to others."
        case Policy.HOLD:
            return "Then their units hold, and they spend nothing."
        case Policy.CIVIL_DISORDER:
            return "Then the phase is played with what is there."


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
