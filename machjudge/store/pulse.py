"""When the judge last looked at his clock: the port `Pulse`."""

from datetime import datetime

from sqlalchemy.orm import Session

from machjudge.store.tables import PulseRow

_ONLY = 1


class Pulse:
    """The last look at the clock, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def last(self) -> datetime | None:
        """When it was; none before the first."""
        found = self._session.get(PulseRow, _ONLY)
        return None if found is None else found.at

    def beat(self, now: datetime) -> None:
        """Note that it is *now*."""
        self._session.merge(PulseRow(id=_ONLY, at=now))
        self._session.flush()
