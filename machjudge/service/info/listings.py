"""What a game is like, for whoever may ask: the brief list of all, the full listing of one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page import tables
from machjudge.letters.page.head import Reader
from machjudge.letters.receipt.todo import retreat_lines
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.times import header_time, span, when
from machjudge.letters.wording.words import Words, counted, listed, moment_words
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.times_listed import times
from machjudge.service.ending.ending import outcome
from machjudge.service.game.attendance import times_late
from machjudge.service.game.delays import holdup_lines
from machjudge.service.game.view import GameView, load, people_of, players
from machjudge.service.model.records import Game, Person, PersonId, Role, Seat, Status
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import head_of
from machjudge.service.setup.forming import player_lines, still_needed
from machjudge.service.setup.habits import habit_lines
from machjudge.service.setup.rulebook import describe
from machjudge.service.setup.variants import people_lines


@dataclass(frozen=True, slots=True)
class Brief:
    """A game in the list of all."""

    name: str
    phase: str
    variant: str
    state: str


def brief(services: Services, uow: UnitOfWork, game: Game) -> Brief:
    """One entry of the list."""
    scenario = services.scenario(game)
    phase, state = "", game.status.value
    if game.status is Status.FORMING:
        needed = f"{counted(still_needed(scenario, game), 'more player')} needed"
        phase, state = "forming", "players wanted" if game.conduct.secret else needed
    if game.position is not None:
        phase = uow.phases.get(game.id, game.position).after.moment.code
        state = _state(scenario.in_play, game)
    return Brief(game.name, phase, f"{scenario.title} ({scenario.id})", state)


def _state(powers: Iterable[PowerId], game: Game) -> str:
    """Which seats of a game that is played are open; or when it ends, if it is broken off."""
    if game.clock is not None and game.clock.ends is not None:
        return f"broken off; ends {header_time(game.clock.ends)}"
    open_ = [power for power in powers if _is_open(game, power)]
    return f"Openings: {', '.join(open_)}" if open_ else "all seats taken"


def _is_open(game: Game, power: str) -> bool:
    return any(power in seat.powers and seat.person is None for seat in players(game))


def may_list(game: Game, person: PersonId | None) -> bool:
    """Whether a game may be shown: it is listed, or whoever asks sits at it."""
    if not game.is_confirmed:
        return False
    sitting = {seat.person for seat in game.seats} | {game.master}
    return game.conduct.listed or (person is not None and person in sitting)


def listing_facts(
    services: Services, uow: UnitOfWork, shown: Game | GameView, reader: Reader, sight: Sight
) -> Mapping[str, object]:
    """The facts of the template ``listing``, as far as this reader may see them.

    *shown* is a game as it is stored, or one in the middle of a mail that changes it.
    """
    if isinstance(shown, GameView):
        return _running(services, shown, reader, sight)
    if shown.position is None:
        return _forming(services, uow, shown, sight)
    return _running(services, load(services, uow, shown), reader, sight)


def _forming(services: Services, uow: UnitOfWork, game: Game, sight: Sight) -> Mapping[str, object]:
    needed = still_needed(services.scenario(game), game)
    people = people_of(uow, game)
    is_told = sight.is_master or not game.conduct.secret
    names = names_at(players(game), people) if is_told else ()
    missing_ = [f"{counted(needed, 'more player')} needed."] if is_told else []
    return {
        **_EMPTY,
        "head": head_of(services, game),
        "state": [f"{game.name} is forming.", *missing_],
        "rules": (
            *people_lines(services.scenario(game)),
            *describe(game.rules),
            *habit_lines(game.conduct),
        ),
        "press": (Sentence("press.rules", rules=game.conduct.press),),
        "times": (times(game.conduct),),
        "comment": game.conduct.comment,
        "people": [*_master(uow, game), *names],
    }


def _running(
    services: Services, situation: GameView, reader: Reader, sight: Sight
) -> Mapping[str, object]:
    words, state, game = Words(situation.world), situation.state, situation.game
    return {
        "head": head_of(services, game, state.moment.code),
        "state": [
            f"{game.name}: {moment_words(state.moment)}.",
            *_course(situation, words, reader, sight),
        ],
        "rules": (
            *people_lines(words.world.scenario),
            *describe(game.rules),
            *habit_lines(game.conduct),
        ),
        "press": (Sentence("press.rules", rules=game.conduct.press),),
        "times": (times(game.conduct),),
        "comment": game.conduct.comment,
        "people": [
            *_master_of(situation),
            *player_lines(words, situation, sight),
            *_observers(situation),
        ],
        "units": tables.board_units(words, state),
        "dislodged": [
            line for dislodged in state.dislodged for line in retreat_lines(words, dislodged)
        ],
        "treasuries": tables.treasuries(
            words, state, sight, dated=sight.sees_all or state.moment.stage is Stage.ADJUSTMENT
        ),
        "chits": tables.chits(words, state, _with(words, sight.sees_chits_of)),
        "votes": _votes(words, situation, sight),
        "late_counts": _late_counts(words, game),
        "holdings": tables.holdings(words, state),
    }


def _late_counts(words: Words, game: Game) -> tuple[str, ...]:
    """How often each was late, where the game tells it."""
    if not game.conduct.late_count:
        return ()
    late = [(power, times_late(game, power)) for power in words.world.scenario.in_play]
    lines = [f"{words.power(power):<10} {counted(times, 'time')}" for power, times in late if times]
    return tuple(lines) or ("Nobody so far.",)


_EMPTY: Mapping[str, Sequence[str]] = {
    "units": (),
    "dislodged": (),
    "treasuries": (),
    "chits": (),
    "votes": (),
    "late_counts": (),
    "holdings": (),
}


def _with(words: Words, may: Callable[[PowerId], bool]) -> tuple[PowerId, ...]:
    return tuple(power for power in words.world.scenario.in_play if may(power))


def _votes(words: Words, situation: GameView, sight: Sight) -> tuple[str, ...]:
    """How those vote whose votes the reader may see."""
    lines = []
    for seat in players(situation.game):
        if not any(sight.sees_votes_of(power) for power in seat.powers):
            continue
        who = listed(words.power(power) for power in seat.powers)
        if seat.draw is not None:
            lines.append(f"{who}: draw of {listed(words.power(each) for each in seat.draw)}")
        if seat.concede is not None:
            lines.append(f"{who}: {words.power(seat.concede)} has won")
    return tuple(lines)


def _course(situation: GameView, words: Words, reader: Reader, sight: Sight) -> list[Wording]:
    """The deadline and who is missing; how the game ended."""
    if situation.game.ending is not None:
        ended = when(situation.game.ending.at, reader.zone)
        return [outcome(words, situation.game.ending), f"  {ended}"]
    held = holdup_lines(situation, words, reader.now, reader.zone, sight)
    return [*_deadline(situation, reader), *held]


def _deadline(situation: GameView, reader: Reader) -> list[str]:
    paused, ends = situation.clock.paused, situation.clock.ends
    if ends is not None:
        return broken_off_lines(ends, reader.zone)
    if paused is not None:
        return []
    left = reader.left(situation.clock.deadline)
    time = f"in {span(left)}" if left.total_seconds() > 0 else f"{span(-left)} ago"
    return ["Deadline:", f"  {when(situation.clock.deadline, reader.zone)}", f"  {time}"]


def broken_off_lines(ends: datetime, zone: tzinfo) -> list[str]:
    """That a game is broken off, and when it ends."""
    return ["Broken off by its master; it ends for good", f"  {when(ends, zone)}"]


def _master(uow: UnitOfWork, game: Game) -> list[str]:
    person = uow.persons.get(game.master)
    return [f"Master: {person.name}"] if person is not None else []


def _master_of(situation: GameView) -> list[str]:
    person = situation.people.get(situation.game.master)
    return [f"Master: {person.name}"] if person is not None else []


def _observers(situation: GameView) -> list[str]:
    watching = [seat for seat in situation.game.seats if seat.role is Role.OBSERVER]
    return [f"Observer: {name}" for name in names_at(watching, situation.people)]


def names_at(seats: Iterable[Seat], people: Mapping[PersonId, Person]) -> list[str]:
    """The names of the people at some seats."""
    sitting = (people.get(seat.person) for seat in seats if seat.person is not None)
    return [person.name for person in sitting if person is not None]
