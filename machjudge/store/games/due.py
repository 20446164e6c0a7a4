"""When the judge last looked at its clock: the port `Heartbeat`."""

from datetime import datetime, timedelta

from sqlalchemy import update
from sqlalchemy.orm import Session

from machjudge.store.games.ahead import bring_back
from machjudge.store.schema.rows import add_rows
from machjudge.store.schema.tables import HeartbeatRow

_ONLY = 1
_NOTE = update(HeartbeatRow).where(HeartbeatRow.id == _ONLY).returning(HeartbeatRow.id)


class StoredHeartbeat:
    """The last look at the clock, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def last(self) -> datetime | None:
        """When it was; None before the first."""
        found = self._session.get(HeartbeatRow, _ONLY)
        return None if found is None else found.at

    def usual(self) -> timedelta | None:
        """How long is usually between looks; None as long as nothing is known."""
        found = self._session.get(HeartbeatRow, _ONLY)
        if found is None or found.usual is None:
            return None
        return timedelta(seconds=found.usual)

    def missed(self) -> timedelta:
        """Unusual silences between looks that nobody has made up for yet."""
        found = self._session.get(HeartbeatRow, _ONLY)
        return timedelta(seconds=0 if found is None else found.missed or 0)

    def beat(
        self, now: datetime, usual: timedelta | None = None, missed: timedelta = timedelta(0)
    ) -> None:
        """Note that it is *now*, how long is usually between looks, what was missed.

        Raises Stale if another process has just noted the first look of all.
        """
        columns = {
            "at": now,
            "usual": None if usual is None else round(usual.total_seconds()),
            "missed": round(missed.total_seconds()),
        }
        is_noted = self._session.scalar(_NOTE.values(**columns))
        if is_noted is None:
            taken = "another process has looked at the clock"
            add_rows(self._session, HeartbeatRow, [{"id": _ONLY, **columns}], taken)
        self._session.expire_all()

    def set_back(self, now: datetime) -> None:
        """Leave nothing in the future that a clock has noted which was ahead."""
        bring_back(self._session, now)
        self._session.expire_all()
