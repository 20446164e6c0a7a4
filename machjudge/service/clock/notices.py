"""Reminders before a deadline, late notices after it, seats that are opened to others."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.delays import flag_help, flag_line
from machjudge.letters.page.lateness import without_orders
from machjudge.letters.receipt.order_lines import PowerNeeds, needs_lines, on_file_lines
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.out_of_reach import out_of_reach_lines, told_themselves
from machjudge.service.game.attendance import times_late, with_late, with_left
from machjudge.service.game.deadlines import Remind, played_without_the_late_at, seats_open_at
from machjudge.service.game.needs import missing
from machjudge.service.game.registry import with_seat
from machjudge.service.game.view import GameView, SeenGame
from machjudge.service.model.conduct import Policy
from machjudge.service.model.records import Game, Notice, Seat
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import Addressee, addressees, as_led, head_now, letter


def remind(services: Services, situation: GameView, due: Remind, now: datetime) -> Changes:
    """Remind those whose orders are missing; each warning goes out once in a phase."""
    clock = situation.clock
    warned = tuple(dict.fromkeys((*clock.warned, *due.hours)))
    game = replace(situation.game, clock=replace(clock, warned=warned))
    letters = [
        _letter(services, situation, to, "reminder", due.powers)
        for to in addressees(services, game, situation.people, now)
        if due.powers.intersection(to.powers)
    ]
    return Changes(read=situation.game, game=game, letters=letters)


def nudges(
    services: Services, situation: GameView, powers: frozenset[PowerId], now: datetime
) -> list[Outgoing]:
    """A reminder, or after the deadline a late notice, to those alone whose orders are missing."""
    page = "reminder" if now < situation.clock.deadline else "late"
    return [
        _letter(services, situation, to, page, powers)
        for to in addressees(services, situation.game, situation.people, now)
        if powers.intersection(to.powers)
    ]


def tell_late(
    services: Services, situation: GameView, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Tell the late ones, and the first time everybody, for whom the game waits."""
    clock = situation.clock
    is_first = clock.late_told is None or clock.late_told < clock.deadline
    noted = with_late(situation, powers) if is_first else situation.game
    game = replace(noted, clock=replace(clock, late_told=now))
    letters = [
        _letter(services, replace(situation, game=game), to, "late", powers)
        for to in addressees(services, game, situation.people, now)
        if is_first or powers.intersection(to.powers) or to.sight.is_master
    ]
    return Changes(read=situation.game, game=game, letters=letters)


def open_seats(
    services: Services, situation: GameView, powers: frozenset[PowerId], now: datetime
) -> Changes:
    """Open the seats of those who let their grace pass; everybody is told, they as well."""
    read, clock = situation.game, situation.clock
    opened = [seat for seat in read.seats if powers.intersection(seat.powers)]
    left = with_left(read, dict.fromkeys(seat.person for seat in opened))
    turned_out = tuple((seat.number, seat.person) for seat in opened if seat.person is not None)
    after = replace(clock, opened=True, late_told=now, turned_out=(*clock.turned_out, *turned_out))
    game = replace(left, clock=after)
    for seat in opened:
        game = with_seat(game, replace(seat, person=None, former=seat.person, waits=False))
    words = Words(situation.world)
    letters = [
        _opened_letter(services, situation, to, opened)
        for to in addressees(services, read, situation.people, now)
        if not read.conduct.quiet or to.sight.is_master or any(s in to.seats for s in opened)
    ]
    notices = [
        Notice(game.id, now, None, "abandoned", services.paper.say(told))
        for told in (
            Sentence("clock.seat_opened", power=words.power(power)) for power in sorted(powers)
        )
    ]
    return Changes(read=read, game=game, notices=notices, letters=letters)


def _opened_letter(
    services: Services, situation: GameView, to: Addressee, opened: Sequence[Seat]
) -> Outgoing:
    words, game = Words(situation.world), situation.game
    powers = [power for seat in opened for power in seat.powers]
    facts = {
        "head": head_now(services, situation),
        "reader": to.reader,
        "own": any(seat in to.seats for seat in opened),
        "letters": "".join(powers),
        "names": [words.power(power) for power in powers],
        "played": played_without_the_late_at(situation.clock, game.conduct),
        "then": outcome(situation, powers),
        "by_hand": game.conduct.manual,
        "signons": [f"{seat.powers[0]}{game.name}" for seat in opened],
    }
    return letter(game, to.address, services.paper.page("opened", facts))


def ask_master(services: Services, situation: GameView, now: datetime) -> Changes:
    """Tell the master that the phase can be played, which they do by hand."""
    read, code = situation.game, situation.state.moment.code
    game = replace(read, clock=replace(situation.clock, late_told=now))
    facts = {
        "head": head_now(services, situation),
        "subject": Sentence("clock.by_hand.subject"),
        "lines": [Sentence("clock.by_hand.ready", phase=code)],
    }
    letters = [
        letter(
            game,
            to.address,
            services.paper.page("announcement", {**facts, "reader": to.reader}),
        )
        for to in addressees(services, game, situation.people, now)
        if to.sight.is_master
    ]
    return Changes(read=read, game=game, letters=letters)


def _letter(
    services: Services, situation: GameView, to: Addressee, name: str, powers: frozenset[PowerId]
) -> Outgoing:
    words = to.sight.words(situation.world, to.sight.view(situation.world, situation.state))
    own = [power for power in to.powers if power in powers]
    named = not situation.game.conduct.quiet or bool(own) or to.sight.is_master
    facts = {
        "head": head_now(services, situation),
        "reader": to.reader,
        "own": bool(own),
        "opens": _opens(situation, own or powers),
        "played": played_without_the_late_at(situation.clock, situation.game.conduct),
        "then": outcome(situation, own),
        "letters": "".join(sorted(powers)) if named else "",
        "names": _late_names(words, situation.game, powers) if named else [],
        "count": len(powers),
        "by_hand": situation.game.conduct.manual,
        "missing": power_needs(situation, own),
        "flags": (*_flags(situation, own, now=to.reader.now), *told_themselves(situation, to)),
        "out_of_reach": out_of_reach_lines(situation, to.reader, to.sight),
        "on_file": tuple(
            line for power in own for line in on_file(as_led(situation, power), power)
        ),
    }
    return letter(situation.game, to.address, services.paper.page(name, facts))


def _late_names(words: Words, game: Game, powers: Iterable[PowerId]) -> list[Wording]:
    """The names of the late, where the game counts how often with the number of times."""
    if not game.conduct.late_count:
        return [words.power(power) for power in sorted(powers)]
    return [
        Sentence("clock.late_again", name=words.power(power), times=times_late(game, power))
        for power in sorted(powers)
    ]


def _flags(situation: GameView, own: Iterable[PowerId], now: datetime) -> tuple[Wording, ...]:
    """The error flags of some powers, and what clears them."""
    words, flagged = Words(situation.world), situation.flagged()
    lines = tuple(flag_line(words.power(power)) for power in own if power in flagged)
    return (*lines, flag_help(holds=now < situation.clock.deadline)) if lines else ()


def _opens(situation: GameView, powers: Iterable[PowerId]) -> datetime | None:
    """When the seats of powers are opened to others, if orders stay missing; or never."""
    clock, conduct = situation.clock, situation.game.conduct
    goes_on = conduct.policy is not Policy.WAIT
    if clock.opened or (goes_on and any(power in situation.sheets for power in powers)):
        return None
    opens = seats_open_at(clock, conduct)
    # At the deadline itself the phase is played, and nobody has lost a seat.
    return None if goes_on and opens == clock.deadline else opens


def outcome(situation: GameView, powers: Sequence[PowerId]) -> Wording:
    """What becomes of the units of late powers when the phase is played without them."""
    if not powers or situation.game.conduct.policy is Policy.WAIT:
        return ""
    is_silent = not any(situation.orders_of(power) for power in powers)
    return without_orders(
        situation.state.moment.stage,
        holds=situation.game.conduct.policy is Policy.HOLD,
        money=situation.world.rules.game.money,
        is_silent=is_silent,
    )


def power_needs(situation: GameView, powers: Iterable[PowerId]) -> tuple[PowerNeeds, ...]:
    """What each of the powers still has to order; those with nothing are left out."""
    words, state = Words(situation.world), situation.state
    found = []
    for power in powers:
        lack = missing(situation.world, state, power, situation.orders_of(power))
        lines = needs_lines(words, lack.units, lack.builds, lack.removals)
        if lines:
            found.append(PowerNeeds(words.power(power), lines))
    return tuple(found)


def on_file(situation: SeenGame, power: PowerId) -> tuple[Wording, ...]:
    """The lines of a power's order set; empty where nothing is on file."""
    orders, words = situation.orders_of(power), situation.words
    return on_file_lines(words, orders, ()) if orders else ()
