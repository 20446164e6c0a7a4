"""The phases as they were processed: the port `Phases`."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import GameId, Holding, StoredPhase
from machjudge.store.schema.documents import PhaseDocument, read_phase, write_phase
from machjudge.store.schema.rows import add_rows, row, rows
from machjudge.store.schema.tables import HoldingRow, PhaseRow


class Phases:
    """The stored phases in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, game: GameId, number: int) -> StoredPhase:
        """One stored phase.  Raises KeyError."""
        one = select(PhaseRow).where(PhaseRow.game == game, PhaseRow.number == number)
        found = row(self._session, one)
        if found is None:
            raise KeyError(game, number)
        return _phase(found)

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        """All stored phases of a game by number, those from before a rollback included."""
        every = select(PhaseRow).where(PhaseRow.game == game).order_by(PhaseRow.number)
        return [_phase(each) for each in rows(self._session, every)]

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        """Add a phase and its rows of the index.  Raises Stale if its number is taken."""
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

    def last_number(self, game: GameId) -> int:
        """The highest number used in the game; -1 where there is none."""
        last = self._session.scalar(select(func.max(PhaseRow.number)).where(PhaseRow.game == game))
        return -1 if last is None else last

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        """The rows of the index of one phase, by power."""
        found = rows(
            self._session,
            select(HoldingRow).where(HoldingRow.game == game, HoldingRow.phase == number),
        )
        ordered = sorted(found, key=lambda each: each.power)
        return [Holding(PowerId(each.power), each.cities, each.treasury) for each in ordered]


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
