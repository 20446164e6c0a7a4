"""The acts that wait for an answer: the port `PendingActs`."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from machjudge.service.credentials.pending_acts import PendingAct
from machjudge.service.model.records import GameId
from machjudge.service.ports.interfaces import Stale
from machjudge.store.schema.rows import add_rows, row, rows
from machjudge.store.schema.tables import PendingActRow

_KEPT = timedelta(days=7)
"""How long an act is kept whose time is over."""


class StoredPendingActs:
    """The pending acts in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, name: str) -> PendingAct | None:
        """The act of that name."""
        found = row(self._session, select(PendingActRow).where(PendingActRow.name == name))
        return None if found is None else _act(found)

    def of(self, game: GameId, seat: int) -> Sequence[PendingAct]:
        """The acts of one seat, oldest first."""
        wanted = select(PendingActRow).where(PendingActRow.game == game, PendingActRow.seat == seat)
        found = rows(self._session, wanted.order_by(PendingActRow.made, PendingActRow.name))
        return [_act(each) for each in found]

    def add(self, act: PendingAct) -> None:
        """Keep an act; those whose time is long over go.  Raises Stale if it is there already."""
        self._session.execute(delete(PendingActRow).where(PendingActRow.until < act.made - _KEPT))
        values = {
            "name": act.name,
            "game": act.game,
            "seat": act.seat,
            "generation": act.generation,
            "lines": list(act.lines),
            "made": act.made,
            "until": act.until,
        }
        add_rows(self._session, PendingActRow, [values], "that act waits already")

    def drop(self, name: str) -> None:
        """Forget an act.  Raises Stale if somebody else was faster."""
        gone = delete(PendingActRow).where(PendingActRow.name == name).returning(PendingActRow.name)
        if self._session.scalar(gone) is None:
            message = "that act does not wait any more"
            raise Stale(message)


def _act(found: PendingActRow) -> PendingAct:
    return PendingAct(
        name=found.name,
        game=GameId(found.game),
        seat=found.seat,
        generation=found.generation,
        lines=tuple(found.lines),
        made=found.made,
        until=found.until,
    )
