"""What came back from an address, in the columns of its row, all of them empty where nothing did.

It is counted in the transaction that notes the end of the letter, and stands with its owner.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from machjudge.service.model.records import Bounce, Bounces, Status, with_bounce
from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.tables import AddressRow, GameRow, PersonRow, SeatRow

COLUMNS = (
    AddressRow.bounced_since,
    AddressRow.bounced_last,
    AddressRow.bounce_halves,
    AddressRow.bounce_today,
)
_AT = AddressRow.address == bindparam("at")
_OWNER = (
    select(PersonRow.id)
    .where(PersonRow.id.in_(select(AddressRow.person).where(_AT)))
    .with_for_update()
)
_KNOWN = select(AddressRow.address, *COLUMNS).where(_AT)
_IS_SEAT = GameRow.id.in_(select(SeatRow.game).where(SeatRow.address == bindparam("at")))
_WAKE = (
    update(GameRow)
    .where(GameRow.status == Status.RUNNING.value, _IS_SEAT)
    .values(next_look=GameRow.created)
)


def count_bounce(connection: Connection, address: str, bounce: Bounce, now: datetime) -> None:
    """Count a message that came back from somebody's address; their games are looked at soon.

    Of an address that is nobody's, or only claimed, nothing is counted.
    """
    at = {"at": address.lower()}
    # First the games, then the people, as whoever handles a mail locks them.
    connection.execute(_WAKE, at)
    if not is_sqlite(connection):
        connection.execute(_OWNER, at)
    row = connection.execute(_KNOWN, at).one_or_none()
    if row is not None:
        score = with_bounce(read_bounces(row), row.address, bounce, now)
        connection.execute(update(AddressRow).where(_AT).values(**bounce_columns(score)), at)


def read_bounces(row: Row[*tuple[Any, ...]]) -> Bounces | None:
    """The score in a row with `COLUMNS` and the address; None where nothing came back."""
    if row.bounced_since is None:
        return None
    return Bounces(
        row.address, row.bounced_since, row.bounced_last, row.bounce_halves, row.bounce_today
    )


def bounce_columns(score: Bounces | None) -> dict[str, object]:
    """The inverse of `read_bounces`."""
    if score is None:
        return dict.fromkeys(each.key for each in COLUMNS)
    return {
        "bounced_since": score.since,
        "bounced_last": score.last,
        "bounce_halves": score.halves,
        "bounce_today": score.today,
    }
