"""By what a transaction knows whether a game is still as it was decoded."""

from functools import lru_cache

from sqlalchemy import bindparam, select

from machjudge.store.people.persons import COLUMNS, IN_ORDER
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.tables import AddressRow, GameRow, PersonRow


@lru_cache
def stamp_of(people: int) -> Prepared:
    """Which version of a game is stored, and its people, who change without it."""
    at_it = PersonRow.id.in_([bindparam(f"person{n}") for n in range(people)])
    return Prepared(
        select(GameRow.version, GameRow.only_sheets_since, GameRow.secret, *COLUMNS)
        .select_from(GameRow)
        .outerjoin(PersonRow, at_it)
        .outerjoin(AddressRow, AddressRow.person == PersonRow.id)
        .where(GameRow.id == bindparam("wanted"))
        .order_by(*IN_ORDER)
    )
