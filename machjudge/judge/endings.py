"""Rollbacks, and the end of a game: victory, votes, declarations, termination, last mails."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from machjudge.judge.commands import MASTERS, NOT_PLAYED, OVER, PLAYERS, command, setting
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import (
    GameView,
    absences_of,
    living,
    load,
    log_entry,
    players,
    vacant_powers,
)
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import Outgoing
from machjudge.judge.outgoing import addressees, announce, game_message, head_of
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
from machjudge.judge.setup import player_lines, tenure_lines, word_lines
from machjudge.judge.timetable import full_minute, next_clock
from machjudge.language.commands import Declare, PlainCommand, Rollback, Setting
from machjudge.mail_parser.lines import Line
from machjudge.messages import tables
from machjudge.messages.render import phase_name
from machjudge.messages.tables import commitment_lines, secret_lines
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText


# Games that end by themselves: somebody has won, or a die ends it (VIC-01, VIC-10).
def ending_of(game: Game, played: StoredPhase) -> Ending | None:
    """Return how a game ends with its last phase; None if it goes on.

    Of several who have won at once, the one with most cities wins; equals share the win (VIC-08).
    Where a die ends the game, fulfilling the condition comes before leading (VIC-10).
    """
    is_known = game.clock is not None and game.clock.won
    counts = game.settings.auto_victory or is_known or _end_thrown(played) is not None
    return declared(played) if counts else None


def declared(played: StoredPhase) -> Ending | None:
    """Return the ending that a phase declares; None if it declares no winner."""
    ended, best = _end_thrown(played), _best(played)
    if not best and ended is not None:
        best = list(dict.fromkeys(map(played.after.side_of, ended.leaders)))
    if not best:
        return None
    winners = tuple(power for side in best for power in side)
    return Ending(End.VICTORY if len(best) == 1 else End.DRAW, winners, played.processed)


def _end_thrown(played: StoredPhase) -> EndThrown | None:
    return next((e for e in played.events if isinstance(e, EndThrown) and e.is_end), None)


def _best(played: StoredPhase) -> Sequence[tuple[PowerId, ...]]:
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


def _unchanging(context: MailContext, said: Rollback) -> str:
    """The line that means the same phase however the game has gone on."""
    view = context.view()
    goal = _goal(stored_phases(context, view), view, said) if view is not None else None
    return "ROLLBACK" if goal is None else f"ROLLBACK {goal.after.moment.code}"


@command(
    "rollback",
    act=Act.FINAL,
    who=MASTERS,
    kind=Rollback,
    about_phase=True,
    unchanging=_unchanging,
    refused_in=NOT_PLAYED,
)
def rollback(context: MailContext, line: Line, said: Rollback) -> None:
    """Go to the previous phase or a named one, earlier or already rolled back."""
    view = context.playing()
    stands = why_it_stands(context)
    if stands is not None:
        context.refuse(line, stands)
        return
    if context.changes.phases or context.changes.order_sets:
        context.refuse(line, Message("ending.rollback.alone"))
        return
    stored = stored_phases(context, view)
    goal = _goal(stored, view, said)
    if goal is None:
        context.refuse(line, _nowhere(stored, said))
        return
    went = moved_to(view.game, goal, context)
    context.set_game(went)
    context.current = load(context.services, context.uow, went)
    _tell_rollback(context, went, view, stored, goal)


def _played(words: Words, phases: Sequence[StoredPhase]) -> tuple[MessageOrText, ...]:
    return tuple(phase_name(words, each.before.moment) for each in phases if not each.is_interlude)


def _is_correction(phase: StoredPhase) -> bool:
    return phase.is_interlude and not phase.is_secret


def _tell_rollback(
    context: MailContext, game: Game, before: GameView, stored: Stored, goal: StoredPhase
) -> None:
    was, now = before.state.moment, goal.after.moment
    context.note("rollback", Message("ending.rollback.logged", was=was.code, now=now.code))
    context.done(Message("ending.rollback.done", now=now.code))
    context.undone_by(f"ROLLBACK {was.code}")
    left = (before.phase, *ancestors(stored, before.phase))
    found = (goal, *ancestors(stored, goal))
    gone = [phase for phase in reversed(left) if phase not in found]
    again = [phase for phase in reversed(found) if phase not in left]
    words = Words(before.world)
    message = Message(
        "ending.rollback.announced",
        was=phase_name(words, was),
        now=phase_name(words, now),
        chits=is_for_hire(before.world),
        gone=_played(words, gone),
        again=_played(words, again),
        undone=any(map(_is_correction, gone)),
        redone=any(map(_is_correction, again)),
    )
    announce(context, game, Message("ending.rollback.subject", now=now.code), [message])


def stored_phases(context: MailContext, view: GameView) -> Stored:
    """Return all phases of a game by number, those rolled back included."""
    return {phase.number: phase for phase in context.uow.phases.all_of(view.game.id)}


def _goal(stored: Stored, view: GameView, said: Rollback) -> StoredPhase | None:
    line = list(ancestors(stored, view.phase))
    if said.phase is None:
        here = view.state.moment
        return next((phase for phase in line if phase.after.moment != here), None)
    others = [phase for _, phase in sorted(stored.items(), reverse=True) if phase not in line]
    meant = (phase for phase in (*line, *others) if phase.after.moment.code == said.phase.code)
    return next((phase for phase in meant if phase.number != view.phase.number), None)


def ancestors(stored: Stored, phase: StoredPhase) -> Iterator[StoredPhase]:
    """Return the phases that led to a phase, the last first."""
    while phase.parent is not None:
        phase = stored[phase.parent]
        yield phase


def _nowhere(stored: Stored, said: Rollback) -> Message:
    if said.phase is None:
        return Message("ending.rollback.first_phase")
    codes = tuple(dict.fromkeys(phase.after.moment.code for phase in stored.values()))
    return Message("ending.rollback.unknown_phase", code=said.phase.code, codes=codes)


def moved_to(game: Game, goal: StoredPhase, context: MailContext, *, at_once: bool = False) -> Game:
    """Return the game at another position, with a whole phase's time.

    Orders shorten it only *at_once*.
    """
    stage = goal.after.moment.stage
    clock = next_clock(game.settings, stage, context.now, None, absences_of(game))
    old = game.clock
    paused, resumes = (old.paused, old.resumes) if old is not None else (None, None)
    start = None if at_once else clock.deadline
    stands = replace(clock, paused=paused, resumes=resumes, start=start)
    return replace(
        game,
        position=goal.number,
        clock=replace(stands, vacant=vacant_powers(game)),
        seats=without_waits(game.seats),
        ejected=without_waits(game.ejected),
    )


_MAX_ACTS = 200

_NO_ACTS = frozenset({"joined", "resigned", "absence", "revoked", "ended"})
"""Notices that are no use of a master's power.

Some are about a seat, perhaps the one from which a master plays.
"""


@dataclass(frozen=True, slots=True)
class _LastMail:
    services: Services
    game: Game
    ending: Ending
    view: GameView | None
    """At its end; None if it never began."""
    people: Mapping[PersonId, Person]
    log: Sequence[Notice]
    diaries: Iterable[Note]
    phases: Sequence[StoredPhase]
    """All that were played; the last mail contains the seal of their record."""

    @property
    def outcome(self) -> Message:
        return outcome(self.words, self.ending, practice=self.game.settings.practice)

    @property
    def words(self) -> Words:
        return Words(self.services.world(self.game))

    @property
    def postal(self) -> tuple[Note, ...]:
        """The postal press that waited for further results."""
        return self.view.postal if self.view is not None else ()


def end_game(
    context: MailContext, end: End, winners: tuple[PowerId, ...], *, by_vote: bool = False
) -> None:
    """End the game of a mail; tell everybody how, and what was hidden until now."""
    game, _ = context.sitting()
    ending = Ending(end, winners, context.now, by_vote=by_vote)
    scene = _LastMail(
        context.services,
        finished(game, ending),
        ending,
        context.view(),
        context.people(game),
        [*context.uow.notices.all_of(game.id), *context.changes.notices],
        all_notes(context, NoteKind.DIARY),
        [*context.uow.phases.all_of(game.id), *(stored for stored, _ in context.changes.phases)],
    )
    context.set_game(scene.game)
    context.note("ended", scene.outcome)
    context.answer.verdict.append(scene.outcome)
    context.done(Message("ending.over"))
    _publish(scene, context.changes)
    context.messages += _messages(scene)


def end_for_good(services: Services, uow: UnitOfWork, view: GameView, now: datetime) -> Changes:
    """End a game that is won, or broken off, and was not taken back in time."""
    game = view.game
    won = ending_of(game, view.phase) if view.clock.won else None
    ending = Ending(End.TERMINATED, (), now) if won is None else replace(won, at=now)
    changes, ended = Changes(read=game), replace(view, game=finished(game, ending))
    end_by_itself(services, uow, ended, ending, changes)
    return changes


def end_by_itself(
    services: Services, uow: UnitOfWork, view: GameView, ending: Ending, changes: Changes
) -> None:
    """End a game without a mail that asks for it.

    *changes* are written with its end, such as its last phase; *view* is the game after them,
    `finished`.
    """
    game = view.game
    scene = _LastMail(
        services,
        game,
        ending,
        view,
        view.people,
        [*uow.notices.all_of(game.id), *changes.notices],
        uow.notes.all_of(game.id, NoteKind.DIARY),
        [*uow.phases.all_of(game.id), *(stored for stored, _ in changes.phases)],
    )
    changes.game = game
    changes.notices.append(log_entry(services, game.id, ending.at, None, "ended", scene.outcome))
    _publish(scene, changes)
    changes.messages += _messages(scene)


def finished(game: Game, ending: Ending) -> Game:
    """Return the game after its end, without votes and clock."""
    seats = tuple(replace(s, draw=None, concede=None, waits=False) for s in game.seats)
    ended = replace(game, status=Status.FINISHED, clock=None, ending=ending, seats=seats)
    return replace(ended, ejected=())


def without_waits(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats without the waits of a phase that is over; their votes stand."""
    return tuple(replace(seat, waits=False) if seat.waits else seat for seat in seats)


def with_valid_votes(
    seats: Iterable[Seat], in_play: Collection[PowerId], before: State, after: State
) -> tuple[Seat, ...]:
    """Return the seats after a phase, without the votes that an elimination has made void.

    A vote for a draw of all survivors stays one.  One for a draw of some lapses with any of them,
    as one for a victory does.
    """
    out = after.eliminated - before.eliminated
    left = set(in_play) - before.eliminated
    return tuple(_with_valid_vote(s, left, out) for s in seats) if out else tuple(seats)


def _with_valid_vote(seat: Seat, left: Collection[PowerId], out: Collection[PowerId]) -> Seat:
    draw, concede = seat.draw, seat.concede
    if draw is not None and not set(draw).isdisjoint(out):
        draw = tuple(p for p in draw if p not in out) if set(draw) == set(left) else None
    if concede in out or (seat.powers and set(seat.powers).isdisjoint(set(left) - set(out))):
        concede = None
    return replace(seat, draw=draw, concede=concede)


def vote_lines(view: GameView, read: Game, seats: Sequence[Seat]) -> Iterator[Message]:
    """Return what a reader's votes are, and which of them have lapsed since the game was *read*."""
    words, own = Words(view.world), {seat.number for seat in seats}
    were = {seat.number: seat for seat in read.seats}
    for seat in (s for s in view.game.seats if s.number in own and s.person is not None):
        was = were.get(seat.number, seat)
        if seat.draw is not None:
            yield Message("ending.vote.draw_stands", among=tuple(map(words.power, seat.draw)))
        elif was.draw is not None:
            yield Message("ending.vote.draw_lapsed", among=tuple(map(words.power, was.draw)))
        if seat.concede is not None:
            yield Message("ending.vote.concede_stands", winner=words.power(seat.concede))
        elif was.concede is not None:
            yield Message("ending.vote.concede_lapsed", winner=words.power(was.concede))


def _publish(scene: _LastMail, changes: Changes) -> None:
    if scene.view is not None and scene.postal:
        after = scene.view.phase.number
        changes.press += published(scene.game, scene.postal, after, scene.ending.at)
        changes.removed_notes += scene.postal


def outcome(words: Words, ending: Ending, *, practice: bool = False) -> Message:
    """Return how a game ended, in one sentence; of an imported one also where it was played."""
    winners = tuple(map(words.power, ending.winners))
    origin = ending.origin or Provenance(judge="", game="")
    return Message(
        "ending.outcome",
        end=ending.end.value,
        winners=winners,
        judge=origin.judge,
        game=origin.game,
        practice=practice,
    )


def _messages(scene: _LastMail) -> Iterator[Outgoing]:
    services, game, view = scene.services, scene.game, scene.view
    renderer = services.renderer
    record = record_of(services, game, scene.phases) if view is not None else None
    facts = {
        "outcome": scene.outcome,
        "by_vote": scene.ending.by_vote,
        "acts": _acts(scene),
        "postal": postal_lines(scene.words, scene.postal),
        **_position(services, game, view),
        "seal": seal_of(record) if record is not None else "",
    }
    for to in addressees(services, game, scene.people, scene.ending.at):
        facts["players"] = facts["tenures"] = ()
        if view is not None and to.sight.sees_people():
            facts["players"] = player_lines(scene.words, replace(view, game=game), to.sight)
            codes = {phase.number: phase.after.moment.code for phase in scene.phases}
            facts["tenures"] = tenure_lines(
                scene.words, game, scene.people, to.sight, codes.__getitem__
            )
        page = renderer.page("finished", {**facts, "reader": to.reader})
        diaries = opened(renderer.of(to.reader.language), scene.words, scene.diaries, game)
        yield replace(game_message(game, to.address, page, may_wait=True), attachments=diaries)


def _position(services: Services, game: Game, view: GameView | None) -> Mapping[str, object]:
    """The position and the secret; nothing if the game never began."""
    if view is None:
        empty = ("units", "treasuries", "chits", "holdings", "secret", "commitment", "words")
        return {"head": head_of(services, game), **dict.fromkeys(empty, ())}
    words = Words(view.world)
    state = EVERYTHING.view(view.world, view.state)
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


def _acts(scene: _LastMail) -> Sequence[Notice]:
    game = scene.game
    masters = {seat.person for seat in game.seats if seat.role is Role.MASTER} | {game.master}
    acts = [each for each in scene.log if each.by in masters and each.kind not in _NO_ACTS]
    return acts[-_MAX_ACTS:]


# Votes of the players to end a game: for a draw, or for one of them to have won. A vote stands
# until it is withdrawn, or the seat has another player. The vote that makes them unanimous ends
# the game, and so does a phase that eliminates the last who has not voted so. Those who are
# eliminated and seats without a player are not asked; nobody is told how others vote.
@setting("draw", act=Act.PLAY, who=PLAYERS, for_the_living=True, refused_in=NOT_PLAYED)
def set_draw(context: MailContext, line: Line, said: Setting) -> None:
    """Vote for a draw of all survivors, or of some; or withdraw the vote."""
    view, (_, seat) = context.playing(), context.sitting()
    if not said.on and (number := _agreed_vote(view, seat, "draw")):
        context.refuse(line, Message("ending.vote.agreed", number=number))
        return
    if not said.on:
        context.set_seat(replace(seat, draw=None))
        context.done(Message("ending.vote.no_draw"))
        return
    among = draw_meant(view, said.value)
    if not isinstance(among, tuple):
        context.refuse(line, among)
        return
    context.set_seat(replace(seat, draw=among))
    names = tuple(map(Words(view.world).power, among))
    context.done(Message("ending.vote.draw", among=names))
    count(context)


def _agreed_vote(view: GameView, seat: Seat, kind: str) -> int | None:
    """Return the number of the agreement that will cast such a vote of the seat."""
    now = view.state.moment
    for each in view.game.agreements:
        own = (text for p in seat.powers if each.is_of((p,)) for text in each.side(p))
        if each.stands(now) and any(text.startswith(kind) for text in own):
            return each.number
    return None


def draw_meant(view: GameView, value: Sequence[str]) -> tuple[PowerId, ...] | Message:
    """Return the powers of a draw in words, all survivors without any; or why it is none."""
    left = living(view)
    if not value:
        return left
    if view.game.settings.dias:
        return Message("ending.vote.draw_of_all")
    named = powers_meant(view.world.scenario, value)
    if isinstance(named, str):
        return no_power(view.world.scenario, named)
    if not set(named) <= set(left):
        return Message("ending.vote.eliminated_cannot_share")
    if len({view.state.side_of(power) for power in named}) == 1:
        return Message("ending.vote.is_no_draw", power=named[0])
    return with_allies(view, named)


@setting("concede", act=Act.PLAY, who=PLAYERS, for_the_living=True, refused_in=NOT_PLAYED)
def set_concede(context: MailContext, line: Line, said: Setting) -> None:
    """Vote to give the game to another power; or withdraw the vote."""
    view, (_, seat) = context.playing(), context.sitting()
    if not said.on and (number := _agreed_vote(view, seat, "concede")):
        context.refuse(line, Message("ending.vote.agreed", number=number))
        return
    if not said.on:
        context.set_seat(replace(seat, concede=None))
        context.done(Message("ending.vote.no_concede"))
        return
    winner = concession_meant(view, seat, said.value)
    if not isinstance(winner, str):
        context.refuse(line, winner)
        return
    winners = with_allies(view, (winner,))
    context.set_seat(replace(seat, concede=winners[0]))
    names = tuple(map(Words(view.world).power, winners))
    context.done(Message("ending.vote.concede", winners=names))
    count(context)


def concession_meant(view: GameView, seat: Seat, value: Sequence[str]) -> PowerId | Message:
    """Return the power to which words give the game, or why a seat may not vote so."""
    if not view.game.settings.concessions:
        return Message("ending.vote.no_concessions")
    named = powers_meant(view.world.scenario, value)
    if isinstance(named, str):
        scenario = view.world.scenario
        return no_power(scenario, named) if named else Message("ending.vote.to_whom")
    if len(named) != 1:
        return Message("ending.vote.to_one")
    if named[0] in seat.powers:
        return Message("ending.vote.to_yourself")
    return named[0] if named[0] in living(view) else Message("ending.vote.to_eliminated")


def count(context: MailContext) -> None:
    """End the game if the votes agree."""
    agreed = agreed_end(context.playing())
    if agreed is not None:
        end_game(context, *agreed, by_vote=True)


def agreed_end(view: GameView) -> tuple[End, tuple[PowerId, ...]] | None:
    """Return how the game ends by the votes that stand; None if they do not agree."""
    voters, left = voters_of(view), living(view)
    wishes = {seat.draw for seat in voters}
    draw = wishes.pop() if len(wishes) == 1 else None
    if draw and set(draw) <= set(left):
        return End.DRAW, draw
    winner = _agreed_winner(voters)
    return None if winner not in left else (End.CONCESSION, with_allies(view, (winner,)))


def with_allies(view: GameView, named: Sequence[PowerId]) -> tuple[PowerId, ...]:
    """Return the powers with all that win with them: living ones of the same player."""
    meant = {each for power in named for each in view.state.side_of(power)}
    return tuple(power for power in living(view) if power in meant)


def voters_of(view: GameView) -> tuple[Seat, ...]:
    """Return the seats whose votes count: taken, with a power that is not eliminated."""
    left = set(living(view))
    return tuple(
        seat
        for seat in players(view.game)
        if seat.person is not None and left.intersection(seat.powers)
    )


def _agreed_winner(voters: Sequence[Seat]) -> PowerId | None:
    for winner in sorted({seat.concede for seat in voters if seat.concede is not None}):
        others = [seat for seat in voters if winner not in seat.powers]
        if others and all(seat.concede == winner for seat in others):
            return winner
    return None


# A game that is won, or broken off: for a week its master can take it back, then it ends for
# good. Its clock stands meanwhile; orders and press are taken, nothing is played and nothing
# revealed.
RESPITE = timedelta(weeks=1)
"""How long the end of a game can be taken back."""


def stopped_clock(clock: Clock, now: datetime, *, won: bool = False) -> Clock:
    """Return the clock that stands until the game ends, or the master takes that back."""
    ends = full_minute(now + RESPITE)
    return replace(clock, paused=clock.paused or now, ends=ends, won=won)


@command("terminate", act=Act.FINAL, who=MASTERS, refused_in=OVER)
def terminate(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Break a game off: a forming one at once, a running one in a week."""
    game = context.sitting()[0]
    if game.clock is None:
        end_game(context, End.TERMINATED, ())
    elif game.clock.ends is not None:
        context.refuse(line, why_it_stands(context) or context.why_not_played())
    else:
        # Stop the clock, name the end, and tell everybody; the head of the messages says when.
        stopped = replace(game, clock=stopped_clock(game.clock, context.now))
        context.set_game(stopped)
        context.note("terminated", Message("ending.terminated.logged"))
        context.done(Message("ending.terminated.done"))
        lines = [Message("ending.terminated.announced")]
        announce(context, stopped, Message("ending.terminated.subject"), lines)


@command(
    "declare",
    act=Act.FINAL,
    who=MASTERS,
    kind=Declare,
    also=("declare victory", "declare draw"),
    refused_in=NOT_PLAYED,
)
def declare(context: MailContext, line: Line, said: Declare) -> None:
    """Declare one winner, or several who share the win (VIC-01, VIC-08)."""
    view = context.playing()
    if not said.draw and not said.powers:
        context.refuse(line, Message("ending.say_who_has_won"))
        return
    winners = _winners(view, said)
    if isinstance(winners, tuple):
        end_game(context, End.DRAW if said.draw else End.VICTORY, winners)
    else:
        context.refuse(line, winners)


def _winners(view: GameView, said: Declare) -> tuple[PowerId, ...] | MessageOrText:
    if not said.powers:
        return living(view)
    named = powers_meant(view.world.scenario, said.powers)
    if isinstance(named, str):
        return no_power(view.world.scenario, named)
    out = [power for power in named if power not in living(view)]
    if out:
        return Message("ending.eliminated", power=Words(view.world).power(out[0]))
    if said.draw and len({view.state.side_of(power) for power in named}) == 1:
        return Message("ending.draw_of_one")
    return with_allies(view, named)
