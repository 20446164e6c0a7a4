"""Many games, made by copying the rows of one."""

from sqlalchemy import Connection, Engine, Table, func, insert, literal, select

from machjudge.store.schema.engine import writing
from machjudge.store.schema.tables import Base

TABLES = ("games", "seats", "attended", "sheets", "phases", "holdings")
"""What makes a game; its press and its notices are not looked at."""


def add_games(engine: Engine, name: str, wanted: int, *, running: bool) -> None:
    """Copy a game until there are so many copies that run, or that are over."""
    prefix = "copy" if running else "over"
    tables = {table.name: table for table in Base.metadata.sorted_tables}
    with writing(engine) as connection:
        games = tables["games"]
        there = connection.execute(
            select(func.count()).where(games.c.id.startswith(prefix))
        ).scalar_one()
        for number in range(there, wanted):
            for table in TABLES:
                _copy(connection, tables[table], name, f"{prefix}{number}", running=running)


def _copy(connection: Connection, table: Table, name: str, new: str, *, running: bool) -> None:
    key = "id" if table.name == "games" else "game"
    new_values = {key: literal(new)}
    if table.name == "games":
        new_values |= {"name": literal(new)}
        new_values |= {} if running else {"status": literal("finished")}
    columns = [new_values.get(each.name, each).label(each.name) for each in table.c]
    rows = select(*columns).where(table.c[key] == name)
    connection.execute(insert(table).from_select([each.name for each in table.c], rows))
