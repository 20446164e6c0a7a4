"""The end of a game: its last mail, with everything that may be known now, and the secret."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.model.names import PowerId
from machjudge.codec.document.seals import seal_of
from machjudge.letters.page import standings
from machjudge.letters.page.rulesheet import commitment_lines, secret_lines
from machjudge.letters.wording.sight import EVERYTHING, Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.archive.chronicle import record_of
from machjudge.service.ending.victory import ending_of
from machjudge.service.game.view import GameView
from machjudge.service.model.ends import End, Ending, Provenance
from machjudge.service.model.notes import Note, NoteKind
from machjudge.service.model.records import (
    Game,
    Notice,
    Person,
    PersonId,
    Role,
    Status,
    StoredPhase,
)
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.press.diary import opened
from machjudge.service.press.notebook import all_notes
from machjudge.service.press.postal_issue import postal_lines, published
from machjudge.service.session.outgoing import Addressee, addressees, head_of, letter
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import player_lines
from machjudge.service.setup.shared_dice import word_lines

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
        "units": standings.board_units(words, state),
        "treasuries": standings.treasuries(words, state),
        "chits": standings.chits(words, state, words.world.scenario.in_play),
        "holdings": standings.holdings(words, state),
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
