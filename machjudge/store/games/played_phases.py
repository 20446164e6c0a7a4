"""The phases as they were processed: the port `Phases`."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import ColumnElement, Select, func, select, tuple_
from sqlalchemy.orm import Session

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import Game, GameId, Holding, StoredPhase
from machjudge.store.games.cache import LAST_PHASE, PHASE, SHEETS, CachedGames
from machjudge.store.schema.documents import PhaseDocument, read_phase, write_phase
from machjudge.store.schema.rows import FRESH, add_rows, rows
from machjudge.store.schema.tables import HoldingRow, PhaseRow


class StoredPhases:
    """The stored phases in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached
        self._last: dict[GameId, int] = {}

    def get(self, game: GameId, number: int) -> StoredPhase:
        """One stored phase.  Raises KeyError."""
        return self._cached.part(game, (PHASE, number), lambda: self._read(game, number))

    def _read(self, game: GameId, number: int) -> StoredPhase:
        one = (PhaseRow.game == game, PhaseRow.number == number)
        kept = self._as_kept(game, number, *one)
        if kept is not None:
            return kept
        last = _last_number(game).scalar_subquery()
        whole = select(PhaseRow, last).where(*one)
        found = self._session.execute(whole, execution_options=FRESH).one_or_none()
        if found is None:
            raise KeyError(game, number)
        phase, number_of_last = found
        self._last[game] = number_of_last
        return _phase(phase)

    def _as_kept(self, game: GameId, number: int, *one: ColumnElement[bool]) -> StoredPhase | None:
        """The phase as it was read for an earlier version of the game, if it is that one still.

        Of a phase nothing changes, unless the clock was wrong when it was played.
        """
        kept: StoredPhase | None = self._cached.earlier(game, (PHASE, number))
        if kept is None:
            return None
        last = _last_number(game).scalar_subquery()
        found = self._session.execute(select(PhaseRow.processed, last).where(*one)).one_or_none()
        if found is None or found.processed != kept.processed:
            return None
        self._last[game] = found[1]
        return kept

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        """All stored phases of a game by number, those from before a rollback included."""
        every = select(PhaseRow).where(PhaseRow.game == game).order_by(PhaseRow.number)
        return [_phase(each) for each in rows(self._session, every)]

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        """Add a phase and its rows of the index.  Raises Stale if its number is taken."""
        self._last.pop(phase.game, None)
        self._cached.changed(phase.game, PHASE, SHEETS, *LAST_PHASE)
        taken = f"there is a phase {phase.number} of {phase.game} already"
        add_rows(self._session, PhaseRow, [_columns(phase)], taken)
        index = [
            {
                "game": phase.game,
                "phase": phase.number,
                "power": holding.power,
                "cities": holding.cities,
                "treasury": holding.treasury,
            }
            for holding in holdings
        ]
        add_rows(self._session, HoldingRow, index, f"a power is named twice in {phase.game}")

    def now(self, games: Iterable[Game]) -> Mapping[GameId, str]:
        """The code of the phase in which each of some games is; without those that form."""
        wanted = [(game.id, game.position) for game in games if game.position is not None]
        moment = PhaseRow.document["after"]["moment"].as_string()
        found = select(PhaseRow.game, moment).where(
            tuple_(PhaseRow.game, PhaseRow.number).in_(wanted)
        )
        return {GameId(game): code for game, code in self._session.execute(found)}

    def last_number(self, game: GameId) -> int:
        """The highest number used in the game; -1 where there is none."""
        return self._cached.part(game, LAST_PHASE, lambda: self._read_last(game))

    def _read_last(self, game: GameId) -> int:
        if game not in self._last:
            last = self._session.scalar(_last_number(game))
            self._last[game] = -1 if last is None else last
        return self._last[game]

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        """The rows of the index of one phase, by power."""
        found = rows(
            self._session,
            select(HoldingRow).where(HoldingRow.game == game, HoldingRow.phase == number),
        )
        ordered = sorted(found, key=lambda each: each.power)
        return [Holding(PowerId(each.power), each.cities, each.treasury) for each in ordered]


def _last_number(game: GameId) -> Select[int]:
    return select(func.max(PhaseRow.number)).where(PhaseRow.game == game)


def _columns(phase: StoredPhase) -> dict[str, object]:
    document = PhaseDocument(phase.before, phase.after, phase.orders, phase.rules, phase.events)
    return {
        "game": phase.game,
        "number": phase.number,
        "parent": phase.parent,
        "moment": phase.moment,
        "adjudicator": phase.adjudicator,
        "processed": phase.processed,
        "document": write_phase(document),
    }


def _phase(found: PhaseRow) -> StoredPhase:
    document = read_phase(found.document, f"phase {found.number} of {found.game}")
    return StoredPhase(
        game=GameId(found.game),
        number=found.number,
        parent=found.parent,
        moment=found.moment,
        before=document.before,
        after=document.after,
        orders=document.orders,
        rules=document.rules,
        events=document.events,
        adjudicator=found.adjudicator,
        processed=found.processed,
    )
