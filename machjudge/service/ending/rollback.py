"""Back to an earlier phase, and forward again.  Dice stay the same; the orders come back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator.money.chits import is_for_hire
from machjudge.language.commands.commands import Rollback
from machjudge.letters.page.head import phase_name
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.this_phase import why_it_stands
from machjudge.service.credentials.authority import Act
from machjudge.service.game.timetable import next_clock
from machjudge.service.game.view import GameView, absences_of, load, vacant_powers
from machjudge.service.model.records import Game, StoredPhase
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce
from machjudge.service.session.session import Session

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
