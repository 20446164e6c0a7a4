"""All rows of one database into another one of any kind, so that a judge goes on there."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.store.schema.engine import is_sqlite, name_of, open_engine, writing
from machjudge.store.schema.tables import Base

_ROWS_AT_ONCE = 500
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND usename = current_user AND pid <> pg_backend_pid()"
)


class CannotMove(MachjudgeError):
    """A database that cannot be moved, or not to there; nothing was changed."""


def move_rows(old: str, new: str, tell: Callable[[str], None] = lambda _: None) -> int:
    """Copy all rows from the database *old* into *new*, both at the newest step; how many.

    *new* has all of them or, whenever this ends early, none; *old* stays as it is.  Nobody writes
    to either meanwhile.  *tell* hears of each table that is done.
    Raises CannotMove if *old* is in use, or *new* holds rows.
    """
    sources, goals = open_engine(old), open_engine(new)
    try:
        with writing(sources) as source, writing(goals) as goal:
            _expect_unused(source)
            _lock(source)
            _lock(goal)
            _expect_empty(goal)
            rows = 0
            for table in Base.metadata.sorted_tables:
                moved = _move_table(source, goal, table)
                tell(f"{table.name}: {moved}")
                rows += moved
            goal.commit()
    finally:
        sources.dispose()
        goals.dispose()
    return rows


def _move_table(source: Connection, goal: Connection, table: Table) -> int:
    moved = 0
    found = source.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE})
    for rows in found.mappings().partitions():
        goal.execute(insert(table), [dict(row) for row in rows])
        moved += len(rows)
    if table.autoincrement_column is not None:
        _go_on_after(goal, table, _last_number(source, table))
    return moved


def _gives_no_number_twice(table: Table) -> bool:
    """Whether SQLite remembers the highest number also when its row is gone."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _last_number(source: Connection, table: Table) -> int:
    """The highest number that was ever given, as far as the database knows; 0 if there was none."""
    if is_sqlite(source) and not _gives_no_number_twice(table):
        return source.scalar(select(func.max(table.autoincrement_column))) or 0
    if is_sqlite(source):
        last = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return source.scalar(last, {"name": table.name}) or 0
    sequence = _sequence(source, table)
    given = text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # noqa: S608
    return source.scalar(given) or 0


def _go_on_after(goal: Connection, table: Table, last: int) -> None:
    """Have the next row get a higher number than *last*."""
    if last == 0:
        return
    found: dict[str, Any] = {"name": table.name, "last": last}
    if is_sqlite(goal) and not _gives_no_number_twice(table):
        return  # the next one is one higher than those that are there
    if is_sqlite(goal):
        goal.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), found)
        goal.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), found)
    else:
        sequence = _sequence(goal, table)
        goal.execute(text("SELECT setval(:name, :last)"), {"name": sequence, "last": last})


def _sequence(connection: Connection, table: Table) -> str:
    (column,) = table.primary_key.columns
    found = {"table": table.name, "column": column.name}
    return str(connection.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), found))


def _expect_unused(source: Connection) -> None:
    """Refuse a database on a server while other processes of the judge are connected to it.

    Who has a SQLite file open is seen before: see `copying.expect_file_unused`.
    """
    if not is_sqlite(source) and source.scalar(_OTHERS):
        message = f"{name_of(source.engine)} is in use: stop serve, worker and tick first"
        raise CannotMove(message)


def _lock(connection: Connection) -> None:
    """Have nobody else write to any table; a writing transaction on SQLite is alone anyway."""
    if not is_sqlite(connection):
        names = ", ".join(table.name for table in Base.metadata.sorted_tables)
        connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def _expect_empty(goal: Connection) -> None:
    for table in Base.metadata.sorted_tables:
        if goal.scalar(select(func.count()).select_from(select(table).limit(1).subquery())):
            message = (
                f"{name_of(goal.engine)} holds a judge already: name an empty database to move to"
            )
            raise CannotMove(message)
