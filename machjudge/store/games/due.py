"""When the judge last looked at its clock: the port `Pulse`."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from machjudge.store.games.ahead import bring_back
from machjudge.store.schema.tables import PulseRow

_ONLY = 1


class StoredPulse:
    """The last look at the clock, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def last(self) -> datetime | None:
        """When it was; None before the first."""
        found = self._session.get(PulseRow, _ONLY)
        return None if found is None else found.at

    def usual(self) -> timedelta | None:
        """How long is usually between looks; None as long as nothing is known."""
        found = self._session.get(PulseRow, _ONLY)
        if found is None or found.usual is None:
            return None
        return timedelta(seconds=found.usual)

    def beat(self, now: datetime, usual: timedelta | None = None) -> None:
        """Note that it is *now*, and how long is usually between looks."""
        seconds = None if usual is None else round(usual.total_seconds())
        self._session.merge(PulseRow(id=_ONLY, at=now, usual=seconds))
        self._session.flush()

    def set_back(self, now: datetime) -> None:
        """Leave nothing in the future that a clock has noted which was ahead."""
        bring_back(self._session, now)
        self._session.expire_all()
