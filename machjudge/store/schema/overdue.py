"""Games whose deadline is over, by the indexed instant at which they want to be looked at."""

from datetime import datetime

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam

from machjudge.store.schema.columns import Instant
from machjudge.store.schema.tables import GameRow

NOW: BindParameter[datetime] = bindparam("now", type_=Instant())
"""The instant at which a statement asks."""


def is_overdue() -> ColumnElement[bool]:
    """Whether the deadline of a game is over at ``now``, and it does not rest."""
    return and_(GameRow.deadline <= NOW, GameRow.next_look <= NOW)
