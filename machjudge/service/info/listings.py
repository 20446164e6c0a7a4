"""What a game is like, for whoever may ask: the brief list of all, the full listing of one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.letters.page import standings
from machjudge.letters.page.head import Reader
from machjudge.letters.receipt.todo import retreat_lines
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.clock.out_of_reach import out_of_reach_lines
from machjudge.service.clock.times_listed import times
from machjudge.service.ending.ending import outcome
from machjudge.service.game.attendance import times_late
from machjudge.service.game.delays import holdup_lines
from machjudge.service.game.view import GameView, load, open_powers, people_of, players
from machjudge.service.model.records import Clock, Game, Person, PersonId, Role, Seat
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import ScenarioUnusable, Services
from machjudge.service.session.outgoing import head_of
from machjudge.service.setup.forming import player_lines, still_needed
from machjudge.service.setup.habits import rules_told


@dataclass(frozen=True, slots=True)
class Brief:
    """A game in the list of all."""

    name: str
    variant: str
    phase: str
    """Empty while the game is forming."""
    needed: int | None
    """How many players a game that is forming still needs; None where that is secret."""
    ends: datetime | None
    """When a game ends that is broken off."""
    open: tuple[PowerId, ...]
    """The powers that somebody may take over."""


def brief(services: Services, uow: UnitOfWork, game: Game, phase: str) -> Brief:
    """One entry of the list: a game in a phase with that code.

    A game whose scenario cannot be used now is listed too, with the scenario's id alone.
    """
    ends = game.clock.ends if game.clock is not None else None
    scenario = usable_scenario(services, game)
    if scenario is None:
        return Brief(game.name, game.scenario, phase, needed=None, ends=ends, open=())
    return Brief(
        name=game.name,
        variant=f"{scenario.title} ({scenario.id})",
        phase=phase,
        needed=None if game.conduct.secret else still_needed(scenario, game),
        ends=ends,
        open=tuple(sorted(open_powers(services, uow, game), key=scenario.in_play.index)),
    )


def usable_scenario(services: Services, game: Game) -> Scenario | None:
    """The scenario of a game; None where its file is gone, or was broken after it began."""
    try:
        return services.scenario(game)
    except ScenarioUnusable:
        return None


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
    people = people_of(uow, game)
    master = uow.persons.get(game.master)
    is_told = sight.is_master or not game.conduct.secret
    return {
        **_EMPTY,
        **_settings(services.scenario(game), game),
        "head": head_of(services, game),
        "needed": still_needed(services.scenario(game), game) if is_told else None,
        "people": (*master_lines(master), *(names_at(players(game), people) if is_told else ())),
    }


def _running(
    services: Services, situation: GameView, reader: Reader, sight: Sight
) -> Mapping[str, object]:
    words, game = Words(situation.world), situation.game
    state = sight.view(situation.world, situation.state)
    return {
        **_EMPTY,
        **_settings(words.world.scenario, game),
        "head": head_of(services, game, state.moment.code),
        "moment": words.moment(state.moment),
        **_course(situation, words, reader, sight),
        "people": (
            *master_lines(situation.people.get(game.master)),
            *player_lines(words, situation, sight),
            *_observers(situation),
        ),
        "out_of_reach": out_of_reach_lines(situation, reader, sight),
        "units": standings.board_units(words, state),
        "dislodged": [
            line for dislodged in state.dislodged for line in retreat_lines(words, dislodged)
        ],
        "treasuries": standings.treasuries(
            words, state, sight, dated=sight.sees_all or state.moment.stage is Stage.ADJUSTMENT
        ),
        "chits": standings.chits(words, state, _with(words, sight.sees_chits_of)),
        "votes": tuple(_votes(words, situation, sight)),
        "late_counts": _late_counts(words, game),
        "holdings": standings.holdings(words, state),
    }


def _settings(scenario: Scenario, game: Game) -> Mapping[str, object]:
    """What the master has set; of a game that was imported its rules alone are known."""
    known = {"name": game.name, "rules": (rules_told(scenario, game),)}
    if game.is_imported:
        return known
    return {
        **known,
        "press": (Sentence("press.rules", rules=game.conduct.press),),
        "times": (times(game.conduct),),
        "comment": game.conduct.comment,
    }


def _late_counts(words: Words, game: Game) -> Sequence[tuple[str, int]] | None:
    """How often each was late; None where the game does not tell it."""
    if not game.conduct.late_count:
        return None
    late = ((words.power(p), times_late(game, p)) for p in words.world.scenario.in_play)
    return [(power, times) for power, times in late if times]


_EMPTY: Mapping[str, object] = {
    "moment": "",
    **dict.fromkeys(("outcome", "broken_off", "deadline", "late_counts")),
    **dict.fromkeys(("press", "times", "comment", "units", "dislodged"), ()),
    **dict.fromkeys(("treasuries", "chits", "votes", "holdings", "out_of_reach"), ()),
}


def _with(words: Words, may: Callable[[PowerId], bool]) -> tuple[PowerId, ...]:
    return tuple(power for power in words.world.scenario.in_play if may(power))


def _votes(words: Words, situation: GameView, sight: Sight) -> Iterator[Sentence]:
    """How those vote whose votes the reader may see."""
    for seat in players(situation.game):
        if not any(sight.sees_votes_of(power) for power in seat.powers):
            continue
        voters = tuple(map(words.power, seat.powers))
        if seat.draw is not None:
            among = tuple(map(words.power, seat.draw))
            yield Sentence("info.votes_for_draw", voters=voters, among=among)
        if seat.concede is not None:
            winner = words.power(seat.concede)
            yield Sentence("info.concedes", voters=voters, winner=winner)


def _course(
    situation: GameView, words: Words, reader: Reader, sight: Sight
) -> Mapping[str, object]:
    """The deadline and who is missing; how the game ended."""
    game = situation.game
    if game.ending is not None:
        return {"outcome": outcome(words, game.ending), "ended": game.ending.at, "held": ()}
    clock = situation.clock
    return {
        "broken_off": broken_off(clock, reader.zone),
        "deadline": clock.deadline if clock.paused is None else None,
        "held": holdup_lines(situation, words, reader.now, reader.zone, sight),
    }


def broken_off(clock: Clock, zone: tzinfo) -> Sentence | None:
    """That a game is won or broken off, and when it ends; None where it goes on."""
    if clock.ends is None:
        return None
    return Sentence("info.broken_off", ends=clock.ends, zone=zone, won=clock.won)


def master_lines(person: Person | None) -> Iterable[Sentence]:
    """The line of a listing that names the master; none where nobody is."""
    return [Sentence("info.master", name=person.name)] if person is not None else []


def _observers(situation: GameView) -> Iterator[Sentence]:
    watching = [seat for seat in situation.game.seats if seat.role is Role.OBSERVER]
    for name in names_at(watching, situation.people):
        yield Sentence("info.observer", name=name)


def names_at(seats: Iterable[Seat], people: Mapping[PersonId, Person]) -> list[str]:
    """The names of the people at some seats."""
    sitting = (people.get(seat.person) for seat in seats if seat.person is not None)
    return [person.name for person in sitting if person is not None]
