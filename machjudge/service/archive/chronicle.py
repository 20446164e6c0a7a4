"""The chronicle of a game: what is stored of it, as one value that leaves the judge's database."""

from collections.abc import Iterable
from dataclasses import dataclass

from machjudge.adjudicator.model.dice import commitment
from machjudge.codec.document.chronicle import Chronicle, ChronicleEntry, ChronicleLine, throws_of
from machjudge.codec.document.ends import ChronicleEnd
from machjudge.service.model.ends import Ending, Provenance
from machjudge.service.model.records import Game, GameId, SheetLine, Status, StoredPhase
from machjudge.service.ports.services import Services


@dataclass(frozen=True, slots=True)
class NotFinished:
    """A game that is still going on: its secret must not leave the judge."""

    name: str


def chronicle_of(services: Services, game_id: GameId) -> Chronicle | None:
    """The chronicle of a game, finished or not; None if there is no such game.

    It holds the secret: of a game that goes on, nobody may see it.
    """
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None:
            return None
        phases = uow.phases.all_of(game_id)
    return record_of(services, game, phases)


def export(services: Services, game_id: GameId) -> Chronicle | NotFinished | None:
    """The chronicle of a finished game; None if there is no such game."""
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
    if game is not None and game.status is not Status.FINISHED:
        return NotFinished(game.name)
    return chronicle_of(services, game_id)


def record_of(services: Services, game: Game, phases: Iterable[StoredPhase]) -> Chronicle:
    """The chronicle of a game with those phases.

    Of a game that was imported it is the one of the judge where it was played, as it was sealed.
    """
    here = Provenance(services.judge.code, game.name)
    origin = here if game.ending is None else game.ending.origin or here
    return Chronicle(
        game=origin.game,
        scenario=game.scenario,
        judge=origin.judge,
        commitment=commitment(game.secret),
        secret=game.secret,
        words=game.words,
        last=game.position,
        phases=tuple(_entry(phase) for phase in phases),
        end=None if game.ending is None else _end(game.ending),
    )


def _end(ending: Ending) -> ChronicleEnd:
    return ChronicleEnd(ending.end.value, ending.winners, ending.at, by_vote=ending.by_vote)


def _entry(phase: StoredPhase) -> ChronicleEntry:
    return ChronicleEntry(
        number=phase.number,
        parent=phase.parent,
        moment=phase.moment,
        adjudicator=phase.adjudicator,
        rules=phase.rules,
        before=phase.before,
        orders={power: tuple(map(_line, lines)) for power, lines in phase.orders.items()},
        dice=throws_of(phase.events),
        events=phase.events,
        after=phase.after,
        played=phase.processed,
    )


def _line(line: SheetLine) -> ChronicleLine:
    return ChronicleLine(line.written, line.canonical, by_judge=line.mail is None)
