"""Games that were played at another judge, brought here from the files that it has exported.

A file names powers and no people: a game that was imported has a master, and nobody who played it.
It stands beside the replay, which is made of a game before it is kept: what another version has
played may be anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.model.names import MachjudgeError, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.world import world_of
from machjudge.codec.document.chronicle import Chronicle, ChronicleEntry, ChronicleLine
from machjudge.codec.document.shape import shown
from machjudge.sentence import Sentence
from machjudge.service.ending.ending import finished
from machjudge.service.ending.victory import declared
from machjudge.service.game.view import reader_of
from machjudge.service.model.ends import End, Ending, Provenance
from machjudge.service.model.holdings import holdings
from machjudge.service.model.records import (
    Game,
    GameId,
    Holding,
    MailId,
    Person,
    RandomWord,
    SharedDice,
    Sheet,
    SheetLine,
    StoredPhase,
)
from machjudge.service.pages.replay import course_along, replay_of
from machjudge.service.pages.turns import line_to
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import sight_of
from machjudge.service.setup.creating import name_flaw
from machjudge.service.setup.forming import WantedGame, new_game

ELSEWHERE = MailId(0)
"""Stands for the mails from which lines came at another judge; none has this number here."""
_NO_PASSWORD = ""
"""Opens nothing: its master gets in by a token."""
_NO_SEAT = 0
"""The number of no seat."""


class NotImported(MachjudgeError):
    """A game is not imported; nothing of it is kept."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class WantedImport:
    """What a game is to be here: its name, and the address of its master."""

    name: str
    master: str


def expected_master(services: Services, uow: UnitOfWork, wanted: WantedImport) -> Person:
    """Who becomes the master of a game.  Raises NotImported, also if its name cannot be given."""
    flaw = name_flaw(wanted.name, lambda name: uow.games.get(GameId(name.lower())))
    if flaw is not None:
        raise NotImported(Sentence("archive.name_refused", flaw=flaw))
    known = uow.persons.by_address(wanted.master) if wanted.master.isprintable() else None
    if known is None:
        raise NotImported(Sentence("archive.no_such_master", address=shown(wanted.master)))
    return known


def import_game(
    services: Services,
    chronicle: Chronicle,
    scenario: Scenario,
    wanted: WantedImport,
    now: datetime,
) -> Game:
    """Keep a game in which everything holds (see `verify`), as one that is over.

    Raises NotImported if it cannot be kept, or could not be shown to anybody; Stale if a game of
    that name came into being meanwhile.
    """
    with services.store.reading() as uow:
        master = expected_master(services, uow, wanted)
        phases = [
            stored_phase(GameId(wanted.name.lower()), each, each.played or now)
            for each in chronicle.phases
        ]
        last = next(phase for phase in phases if phase.number == chronicle.last)
        forming = new_game(
            services, WantedGame(wanted.name, scenario, last.rules), master, _NO_PASSWORD, now
        )
        begun = replace(
            forming, secret=chronicle.secret, shared=_shared(chronicle.words), position=last.number
        )
        game = finished(begun, _ending(chronicle, last, now))
        kept = _shown(services, uow, game, phases, now)
    with services.store.writing() as uow:
        uow.games.add(game)
        for phase, held in kept:
            uow.phases.add(phase, held)
        for sheet in _sheets(phases):
            uow.sheets.add(sheet)
        uow.commit()
    return game


def _shown(
    services: Services, uow: UnitOfWork, game: Game, phases: Sequence[StoredPhase], now: datetime
) -> Sequence[tuple[StoredPhase, Sequence[Holding]]]:
    """The phases with what each power held, once the replay has been made, as for anybody.

    Raises NotImported if that fails.
    """
    scenario = services.scenario(game)
    sight, line = sight_of(game, []), line_to(game.position, phases)
    try:
        course = course_along(services, uow, game, sight, line)
        replay_of(services, course, reader_of(services, None, now))
        return [(each, holdings(world_of(scenario, each.rules), each.after)) for each in phases]
    except Exception as error:  # the rules of another version may know what these do not
        fault = f"{type(error).__name__}: {shown(str(error))}"
        raise NotImported(Sentence("archive.cannot_be_shown", fault=fault)) from error


# --- the parts of a game ---------------------------------------------------------------------


def _ending(chronicle: Chronicle, last: StoredPhase, now: datetime) -> Ending:
    """How it ended; where the file does not say so, that follows from its last phase."""
    origin, end = Provenance(chronicle.judge, chronicle.game), chronicle.end
    if end is None:
        return replace(declared(last) or Ending(End.TERMINATED, (), now), origin=origin)
    return Ending(End(end.how), end.winners, end.at, by_vote=end.by_vote, origin=origin)


def _shared(words: tuple[str, ...] | None) -> SharedDice | None:
    if words is None:
        return None
    return SharedDice(tuple(RandomWord(_NO_SEAT, word) for word in words), published=True)


def stored_phase(game: GameId, entry: ChronicleEntry, at: datetime) -> StoredPhase:
    """A phase of a file as it is kept, played *at* an instant."""
    return StoredPhase(
        game=game,
        number=entry.number,
        parent=entry.parent,
        moment=entry.moment,
        before=entry.before,
        after=entry.after,
        orders={
            power: tuple(_line(line, at) for line in lines) for power, lines in entry.orders.items()
        },
        rules=entry.rules,
        events=entry.events,
        adjudicator=entry.adjudicator,
        processed=at,
    )


def _line(line: ChronicleLine, at: datetime) -> SheetLine:
    return SheetLine(line.written, line.canonical, at, None if line.by_judge else ELSEWHERE)


def _sheets(phases: Iterable[StoredPhase]) -> Iterable[Sheet]:
    """What the players had on file: whoever has no sheet is told to have been silent."""
    sheets: dict[tuple[int, PowerId], Sheet] = {}
    for phase in phases:
        for power, lines in phase.orders.items():
            own = tuple(line for line in lines if line.mail is not None)
            if own and phase.parent is not None:
                sheets[phase.parent, power] = Sheet(
                    game=phase.game,
                    after=phase.parent,
                    power=power,
                    number=1,
                    lines=own,
                    flawed=False,
                    received=phase.processed,
                    mail=None,
                )
    return sheets.values()
