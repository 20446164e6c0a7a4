"""Back to an earlier phase, and forward again.  Dice stay the same; the orders come back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from machjudge.adjudicator.events import EndThrown, SideWon, VictoryReached
from machjudge.adjudicator.money.assassins import is_for_hire
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.state import State
from machjudge.formats.game_file import seal_of
from machjudge.judge.archive import record_of
from machjudge.judge.audience import no_power, powers_meant
from machjudge.judge.changes import Changes
from machjudge.judge.clock import why_it_stands
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import GameView, absences_of, living, load, players, vacant_powers
from machjudge.judge.mail_context import (
    MASTERS,
    NOT_PLAYED,
    OVER,
    PLAYERS,
    PLAYING,
    RUNNING,
    CommandEntry,
    Session,
)
from machjudge.judge.mails import Outgoing
from machjudge.judge.outgoing import Addressee, addressees, announce, head_of, letter
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.postal_press import all_notes, opened, postal_lines, published
from machjudge.judge.records import (
    Clock,
    End,
    Ending,
    Game,
    Note,
    NoteKind,
    Notice,
    Person,
    PersonId,
    Provenance,
    Role,
    Seat,
    Status,
    StoredPhase,
)
from machjudge.judge.setup import player_lines, word_lines
from machjudge.judge.timetable import full_minute, next_clock
from machjudge.language.commands import Declare, PlainCommand, Rollback, Setting
from machjudge.mail_parser.lines import Line
from machjudge.messages import tables
from machjudge.messages.render import phase_name
from machjudge.messages.tables import commitment_lines, secret_lines
from machjudge.messages.visibility import EVERYTHING, Sight
from machjudge.messages.wording import Words
from machjudge.sentence import Sentence, Wording


def ending_of(game: Game, played: StoredPhase) -> Ending | None:
    """How a game ends with its last phase; None if it goes on.

    Of several who have won at once, whoever has most cities wins; equals share the win (VIC-08).
    Where a die ends the game, whoever fulfils the condition has won before whoever leads (VIC-10).
    """
    is_known = game.clock is not None and game.clock.won
    counts = game.conduct.auto_victory or is_known or _end_thrown(played) is not None
    return declared(played) if counts else None


def declared(played: StoredPhase) -> Ending | None:
    """How a phase ended its game if what it declares counts; None if it declares no winner."""
    ended, best = _end_thrown(played), _best(played)
    if not best and ended is not None:
        best = _sides(played.after, ended.leaders)
    if not best:
        return None
    winners = tuple(power for side in best for power in side)
    return Ending(End.VICTORY if len(best) == 1 else End.DRAW, winners, played.processed)


def _end_thrown(played: StoredPhase) -> EndThrown | None:
    return next((e for e in played.events if isinstance(e, EndThrown) and e.is_end), None)


def _sides(state: State, powers: Iterable[PowerId]) -> Sequence[tuple[PowerId, ...]]:
    return list(dict.fromkeys(map(state.side_of, powers)))


def _best(played: StoredPhase) -> Sequence[tuple[PowerId, ...]]:
    """The sides that have won with the most cities; nobody if nobody has won."""
    won: list[tuple[int, tuple[PowerId, ...]]] = []
    for event in played.events:
        match event:
            case VictoryReached():
                won.append((event.cities, (event.power,)))
            case SideWon():
                won.append((event.cities, event.powers))
            case _:
                pass
    most = max((cities for cities, _ in won), default=0)
    return [side for cities, side in won if cities == most]


Stored = Mapping[int, StoredPhase]


def _unchanging(session: Session, said: Rollback) -> str:
    """The line that means the same phase however the game has gone on when it is read."""
    situation = session.situation()
    code = said.phase.code if said.phase is not None else None
    goal = _goal(_stored(session, situation), situation, code) if situation is not None else None
    return "ROLLBACK" if goal is None else f"ROLLBACK {goal.after.moment.code}"


def rollback(session: Session, line: Line, said: Rollback) -> None:
    """Go to the phase before, or to one that is named: one before this, or one gone back from."""
    game, situation = session.game, session.situation()
    if game is None or situation is None:
        session.refuse(line, session.why_not_played())
        return
    stands = why_it_stands(session)
    if stands is not None:
        session.refuse(line, stands)
        return
    if session.changes.phases or session.changes.sheets:
        session.refuse(line, Sentence("ending.rollback.alone"))
        return
    stored = _stored(session, situation)
    goal = _goal(stored, situation, said.phase.code if said.phase is not None else None)
    if goal is None:
        session.refuse(line, _nowhere(stored, said))
        return
    went = _moved_to(game, goal, session)
    session.set_game(went)
    session.current = load(session.services, session.uow, went)
    _tell(session, went, situation, _Way.between(stored, situation.phase, goal))


ROLLBACK = CommandEntry(
    "rollback",
    RUNNING,
    MASTERS,
    Act.FINAL,
    rollback,
    Rollback,
    about_phase=True,
    unchanging=_unchanging,
    refused_in=NOT_PLAYED,
)


@dataclass(frozen=True, slots=True)
class _Way:
    """What a game leaves behind on its way to another position, and what it finds again."""

    goal: StoredPhase
    gone: tuple[StoredPhase, ...]
    """Of whose outcome the game goes on no longer, the oldest first."""
    again: tuple[StoredPhase, ...]

    @classmethod
    def between(cls, stored: Stored, here: StoredPhase, goal: StoredPhase) -> "_Way":
        """The way from one stored phase to another."""
        left = (here, *_ancestors(stored, here))
        found = (goal, *_ancestors(stored, goal))
        return cls(
            goal,
            tuple(phase for phase in reversed(left) if phase not in found),
            tuple(phase for phase in reversed(found) if phase not in left),
        )

    def said(self, words: Words) -> dict[str, object]:
        """What became of results and corrections, for everybody; chits are nobody's business."""
        return {
            "gone": _played(words, self.gone),
            "again": _played(words, self.again),
            "undone": any(map(_is_correction, self.gone)),
            "redone": any(map(_is_correction, self.again)),
        }


def _played(words: Words, phases: Sequence[StoredPhase]) -> tuple[Wording, ...]:
    return tuple(phase_name(words, each.before.moment) for each in phases if not each.is_interlude)


def _is_correction(phase: StoredPhase) -> bool:
    return phase.is_interlude and not phase.is_secret


def _tell(session: Session, game: Game, before: GameView, way: _Way) -> None:
    was, now = before.state.moment, way.goal.after.moment
    session.note("rollback", Sentence("ending.rollback.logged", was=was.code, now=now.code))
    session.done(Sentence("ending.rollback.done", now=now.code))
    words = Words(before.world)
    told = Sentence(
        "ending.rollback.announced",
        was=phase_name(words, was),
        now=phase_name(words, now),
        chits=is_for_hire(before.world),
        **way.said(words),
    )
    announce(session, game, Sentence("ending.rollback.subject", now=now.code), [told])


def _stored(session: Session, situation: GameView) -> Stored:
    return {phase.number: phase for phase in session.uow.phases.all_of(situation.game.id)}


def _goal(stored: Stored, situation: GameView, code: str | None) -> StoredPhase | None:
    """The stored phase after which the game stands at the phase that is meant."""
    line = list(_ancestors(stored, situation.phase))
    if code is None:
        here = situation.state.moment
        return next((phase for phase in line if phase.after.moment != here), None)
    others = [phase for _, phase in sorted(stored.items(), reverse=True) if phase not in line]
    meant = (phase for phase in (*line, *others) if phase.after.moment.code == code)
    return next((phase for phase in meant if phase.number != situation.phase.number), None)


def _ancestors(stored: Stored, phase: StoredPhase) -> Iterator[StoredPhase]:
    """The phases from which this one went on, the newest first."""
    while phase.parent is not None:
        phase = stored[phase.parent]
        yield phase


def _nowhere(stored: Stored, said: Rollback) -> Sentence:
    if said.phase is None:
        return Sentence("ending.rollback.first_phase")
    codes = tuple(dict.fromkeys(phase.after.moment.code for phase in stored.values()))
    return Sentence("ending.rollback.unknown_phase", code=said.phase.code, codes=codes)


def _moved_to(game: Game, goal: StoredPhase, session: Session) -> Game:
    """The game at an earlier or later position, with the time of a whole phase.

    Nothing is played before the deadline, or the old orders would be played again at once.
    """
    stage = goal.after.moment.stage
    clock = next_clock(game.conduct, stage, session.now, None, absences_of(game))
    paused = game.clock.paused if game.clock is not None else None
    seats = (replace(seat, waits=False, draw=None, concede=None) for seat in game.seats)
    return replace(
        game,
        position=goal.number,
        clock=replace(clock, paused=paused, start=clock.deadline, vacant=vacant_powers(game)),
        seats=tuple(seats),
    )


_MOST_ACTS = 200
"""How many acts of the master the last mail names, the latest of them."""

_NO_ACTS = frozenset({"joined", "resigned", "ended"})
"""Kinds of notices that are no use of a master's power."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that the last mail is made from."""

    services: Services
    game: Game
    """As it is after its end."""
    ending: Ending
    situation: GameView | None
    """How it stood at its end; None if it never began."""
    people: Mapping[PersonId, Person]
    log: Sequence[Notice]
    diaries: Iterable[Note]
    phases: Sequence[StoredPhase]
    """All that were played, whose record is sealed with the last mail."""

    @property
    def outcome(self) -> Sentence:
        """How the game ended, in one sentence."""
        return outcome(self.words, self.ending)

    @property
    def words(self) -> Words:
        """The names of the game."""
        return Words(self.services.world(self.game))

    @property
    def postal(self) -> tuple[Note, ...]:
        """The postal press that waited for results, which will not come any more."""
        return self.situation.postal if self.situation is not None else ()


def end_game(
    session: Session, end: End, winners: tuple[PowerId, ...], *, by_vote: bool = False
) -> None:
    """End the game of a session; tell everybody at it how, and what was hidden until now."""
    game = session.game
    if game is None:
        return
    ending = Ending(end, winners, session.now, by_vote=by_vote)
    scene = _Scene(
        session.services,
        finished(game, ending),
        ending,
        session.situation(),
        session.people(game),
        [*session.uow.notices.all_of(game.id), *session.changes.notices],
        all_notes(session, NoteKind.DIARY),
        [*session.uow.phases.all_of(game.id), *(stored for stored, _ in session.changes.phases)],
    )
    session.set_game(scene.game)
    session.note("ended", scene.outcome)
    session.answer.verdict.append(scene.outcome)
    session.done(Sentence("ending.over"))
    _publish(scene, session.changes)
    session.letters += _letters(scene)


def end_for_good(
    services: Services, uow: UnitOfWork, situation: GameView, now: datetime
) -> Changes:
    """End a game that is won, or broken off, and was not taken back in time."""
    game = situation.game
    won = ending_of(game, situation.phase) if situation.clock.won else None
    ending = Ending(End.TERMINATED, (), now) if won is None else replace(won, at=now)
    changes, ended = Changes(read=game), replace(situation, game=finished(game, ending))
    end_by_itself(services, uow, ended, ending, changes)
    return changes


def end_by_itself(
    services: Services, uow: UnitOfWork, situation: GameView, ending: Ending, changes: Changes
) -> None:
    """End a game without a mail that asks for it.

    *changes* are what is written with its end, such as its last phase; *situation* is how it stands
    after them, its game `finished`.
    """
    game = situation.game
    scene = _Scene(
        services,
        game,
        ending,
        situation,
        situation.people,
        [*uow.notices.all_of(game.id), *changes.notices],
        uow.notes.all_of(game.id, NoteKind.DIARY),
        [*uow.phases.all_of(game.id), *(stored for stored, _ in changes.phases)],
    )
    changes.game = game
    outcome_said = services.paper.say(scene.outcome)
    changes.notices.append(Notice(game.id, ending.at, None, "ended", outcome_said))
    _publish(scene, changes)
    changes.letters += _letters(scene)


def finished(game: Game, ending: Ending) -> Game:
    """The game after its end: nobody votes, nothing is due."""
    seats = tuple(replace(seat, draw=None, concede=None, waits=False) for seat in game.seats)
    return replace(game, status=Status.FINISHED, clock=None, ending=ending, seats=seats)


def _publish(scene: _Scene, changes: Changes) -> None:
    """Publish what waited for results."""
    if scene.situation is not None and scene.postal:
        after = scene.situation.phase.number
        changes.press += published(scene.game, scene.postal, after, scene.ending.at)
        changes.torn += scene.postal


def outcome(words: Words, ending: Ending) -> Sentence:
    """How a game ended, in one sentence; of a game that was imported also where it was played."""
    winners = tuple(map(words.power, ending.winners))
    origin = ending.origin or Provenance(judge="", game="")
    return Sentence(
        "ending.outcome",
        end=ending.end.value,
        winners=winners,
        judge=origin.judge,
        game=origin.game,
    )


def _letters(scene: _Scene) -> list[Outgoing]:
    facts = _facts(scene)
    readers = addressees(scene.services, scene.game, scene.people, scene.ending.at)
    return [_letter(scene, facts, to) for to in readers]


def _letter(scene: _Scene, facts: Mapping[str, object], to: Addressee) -> Outgoing:
    """The last mail of the game, with the diaries that were opened."""
    game, papers = scene.game, scene.services.paper
    players = _players(game, scene.situation, to.sight)
    page = papers.page("finished", {**facts, "reader": to.reader, "players": players})
    diaries = opened(papers.of(to.reader.language), scene.words, scene.diaries, game)
    return replace(letter(game, to.address, page, may_wait=True), attachments=diaries)


def _facts(scene: _Scene) -> Mapping[str, object]:
    """What everybody may know now."""
    return {
        "outcome": scene.outcome,
        "by_vote": scene.ending.by_vote,
        "acts": _acts(scene),
        "postal": postal_lines(scene.words, scene.postal),
        **_position(scene.services, scene.game, scene.situation),
        "seal": _seal(scene),
    }


def _seal(scene: _Scene) -> str:
    """The seal of the game's record; empty where it never began."""
    if scene.situation is None:
        return ""
    return seal_of(record_of(scene.services, scene.game, scene.phases))


def _position(services: Services, game: Game, situation: GameView | None) -> Mapping[str, object]:
    """The position, and the secret; nothing to show where the game never began."""
    if situation is None:
        empty = ("units", "treasuries", "chits", "holdings", "secret", "commitment", "words")
        return {"head": head_of(services, game), **dict.fromkeys(empty, ())}
    words = Words(situation.world)
    state = EVERYTHING.view(situation.world, situation.state)
    return {
        "head": head_of(services, game, state.moment.code),
        "units": tables.board_units(words, state),
        "treasuries": tables.treasuries(words, state),
        "chits": tables.chits(words, state, words.world.scenario.in_play),
        "holdings": tables.holdings(words, state),
        "secret": secret_lines(game.secret),
        "commitment": commitment_lines(game.secret),
        "is_shared": game.shared is not None,
        "words": word_lines(game),
    }


def _players(game: Game, situation: GameView | None, sight: Sight) -> tuple[Sentence, ...]:
    """Who led what, if that is told."""
    if situation is None or not sight.sees_people():
        return ()
    ended = replace(situation, game=game)
    return player_lines(Words(situation.world), ended, sight)


def _acts(scene: _Scene) -> Sequence[Notice]:
    """What the master did with their powers."""
    game = scene.game
    masters = {seat.person for seat in game.seats if seat.role is Role.MASTER} | {game.master}
    acts = [each for each in scene.log if each.by in masters and each.kind not in _NO_ACTS]
    return acts[-_MOST_ACTS:]


def set_draw(session: Session, line: Line, said: Setting) -> None:
    """Vote for a draw of all survivors, or of some; or take the vote back."""
    seat, situation = session.seat, session.situation()
    if seat is None or situation is None:
        session.refuse(line, session.why_not_played())
        return
    if not said.on:
        session.set_seat(replace(seat, draw=None))
        session.done(Sentence("ending.vote.no_draw"))
        return
    among = _among(situation, said.value)
    if not isinstance(among, tuple):
        session.refuse(line, among)
        return
    session.set_seat(replace(seat, draw=among))
    names = tuple(map(Words(situation.world).power, among))
    session.done(Sentence("ending.vote.draw", among=names))
    count(session)


SET_DRAW = CommandEntry(
    "set draw",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_draw,
    setting="draw",
    for_the_living=True,
    refused_in=NOT_PLAYED,
)


def _among(situation: GameView, value: Sequence[str]) -> tuple[PowerId, ...] | Wording:
    """Who shall share the win, or why that is no draw."""
    left = living(situation)
    if not value:
        return left
    if situation.game.conduct.dias:
        return Sentence("ending.vote.draw_of_all")
    named = powers_meant(situation.world.scenario, value)
    if isinstance(named, str):
        return no_power(situation.world.scenario, named)
    if not set(named) <= set(left):
        return Sentence("ending.vote.eliminated_cannot_share")
    if len({situation.state.side_of(power) for power in named}) == 1:
        return Sentence("ending.vote.is_no_draw", power=named[0])
    return together(situation, named)


def set_concede(session: Session, line: Line, said: Setting) -> None:
    """Vote for another power to have won; or take the vote back."""
    seat, situation = session.seat, session.situation()
    if seat is None or situation is None:
        session.refuse(line, session.why_not_played())
        return
    if not said.on:
        session.set_seat(replace(seat, concede=None))
        session.done(Sentence("ending.vote.no_concede"))
        return
    named = powers_meant(situation.world.scenario, said.value)
    objection = _why_not(situation, seat, named)
    if objection is not None or isinstance(named, str):
        session.refuse(line, objection or "")
        return
    winners = together(situation, named)
    session.set_seat(replace(seat, concede=winners[0]))
    names = tuple(map(Words(situation.world).power, winners))
    session.done(Sentence("ending.vote.concede", winners=names))
    count(session)


SET_CONCEDE = CommandEntry(
    "set concede",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_concede,
    setting="concede",
    for_the_living=True,
    refused_in=NOT_PLAYED,
)


def _why_not(situation: GameView, seat: Seat, named: tuple[PowerId, ...] | str) -> Wording | None:
    """Why a game cannot be given to whoever is named; None if it can."""
    if not situation.game.conduct.concessions:
        return Sentence("ending.vote.no_concessions")
    if isinstance(named, str):
        scenario = situation.world.scenario
        return no_power(scenario, named) if named else Sentence("ending.vote.to_whom")
    if len(named) != 1:
        return Sentence("ending.vote.to_one")
    if named[0] in seat.powers:
        return Sentence("ending.vote.to_yourself")
    return None if named[0] in living(situation) else Sentence("ending.vote.to_eliminated")


def count(session: Session) -> None:
    """End the game if the votes agree."""
    situation = session.situation()
    if situation is None:
        return
    voters = voters_of(situation)
    draw = _agreed_draw(voters)
    if draw:
        end_game(session, End.DRAW, draw, by_vote=True)
        return
    winner = _agreed_winner(voters)
    if winner is not None:
        end_game(session, End.CONCESSION, together(situation, (winner,)), by_vote=True)


def together(situation: GameView, named: Sequence[PowerId]) -> tuple[PowerId, ...]:
    """The powers with all that win with them: those of one player, if they are not eliminated."""
    meant = {each for power in named for each in situation.state.side_of(power)}
    return tuple(power for power in living(situation) if power in meant)


def voters_of(situation: GameView) -> tuple[Seat, ...]:
    """The seats whose votes count: taken, with a power that is not eliminated."""
    left = set(living(situation))
    return tuple(
        seat
        for seat in players(situation.game)
        if seat.person is not None and left.intersection(seat.powers)
    )


def _agreed_draw(voters: Sequence[Seat]) -> tuple[PowerId, ...] | None:
    """Among whom all want the game drawn, if they do."""
    wishes = {seat.draw for seat in voters}
    return wishes.pop() if len(wishes) == 1 else None


def _agreed_winner(voters: Sequence[Seat]) -> PowerId | None:
    """To whom all others concede, if they do."""
    for winner in sorted({seat.concede for seat in voters if seat.concede is not None}):
        others = [seat for seat in voters if winner not in seat.powers]
        if others and all(seat.concede == winner for seat in others):
            return winner
    return None


RESPITE = timedelta(weeks=1)
"""How long the end of a game can be taken back."""


def standing(clock: Clock, now: datetime, *, won: bool = False) -> Clock:
    """The clock that stands until the game ends for good, or its master takes that back."""
    ends = full_minute(now + RESPITE)
    return replace(clock, paused=clock.paused or now, ends=ends, won=won)


def terminate(session: Session, line: Line, _: PlainCommand) -> None:
    """Break a game off: one that forms at once, one that is played in a week."""
    game = session.game
    if game is None:
        return
    if game.clock is None:
        end_game(session, End.TERMINATED, ())
    elif game.clock.ends is not None:
        session.refuse(line, why_it_stands(session) or session.why_not_played())
    else:
        _break_off(session, game, game.clock)


TERMINATE = CommandEntry(
    "terminate",
    RUNNING,
    MASTERS,
    Act.FINAL,
    terminate,
    refused_in=OVER,
)


def _break_off(session: Session, game: Game, clock: Clock) -> None:
    """Stop the clock, name the end, and tell everybody; the head of the letters says when."""
    stopped = replace(game, clock=standing(clock, session.now))
    session.set_game(stopped)
    session.note("terminated", Sentence("ending.terminated.logged"))
    session.done(Sentence("ending.terminated.done"))
    told = [Sentence("ending.terminated.announced")]
    announce(session, stopped, Sentence("ending.terminated.subject"), told)


def declare(session: Session, line: Line, said: Declare) -> None:
    """Say who has won, or who shares the win (VIC-01, VIC-08)."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
        return
    if not said.draw and not said.powers:
        session.refuse(line, Sentence("ending.say_who_has_won"))
        return
    winners = _winners(situation, said)
    if isinstance(winners, tuple):
        end_game(session, End.DRAW if said.draw else End.VICTORY, winners)
    else:
        session.refuse(line, winners)


DECLARE = CommandEntry(
    "declare",
    RUNNING,
    MASTERS,
    Act.FINAL,
    declare,
    Declare,
    also=("declare victory", "declare draw"),
    refused_in=NOT_PLAYED,
)


def _winners(situation: GameView, said: Declare) -> tuple[PowerId, ...] | Wording:
    """Who is named, or why they cannot win."""
    if not said.powers:
        return living(situation)
    named = powers_meant(situation.world.scenario, said.powers)
    if isinstance(named, str):
        return no_power(situation.world.scenario, named)
    out = [power for power in named if power not in living(situation)]
    if out:
        return Sentence("ending.eliminated", power=Words(situation.world).power(out[0]))
    if said.draw and len({situation.state.side_of(power) for power in named}) == 1:
        return Sentence("ending.draw_of_one")
    return together(situation, named)
