"""Many games, made by copying the rows of one."""

from sqlalchemy import CTE, Connection, Engine, String, Table, cast, func, insert, literal, select
from sqlalchemy.sql.expression import true

from machjudge.db.engine import writing
from machjudge.db.tables import Base

TABLES = ("games", "seats", "attended", "sheets", "phases", "holdings")
"""What makes a game; its press and its notices are not looked at."""
LARGE = ("sheets", "phases", "holdings")
"""What nobody reads of a running game of which nothing is due; ten thousand would fill a disk."""


def add_games(
    engine: Engine,
    name: str,
    wanted: int,
    *,
    running: bool,
    whole: bool = False,
    suffix: str = "",
) -> None:
    """Copy a game until there are so many copies that run, or that are over.

    Of those that run, phases and orders are left out unless they are to be *whole*. The names of
    those that are counted end with *suffix*.
    """
    prefix = "copy" if running else "over"
    tables = {table.name: table for table in Base.metadata.sorted_tables}
    with writing(engine) as connection:
        games = tables["games"]
        there = connection.execute(
            select(func.count()).where(games.c.id.like(f"{prefix}%{suffix}"))
        ).scalar_one()
        if there >= wanted:
            return
        numbers = numbers_from(there, wanted)
        for table in TABLES:
            if whole or not (running and table in LARGE):
                _copy(connection, tables[table], name, (prefix, suffix), numbers)
        connection.commit()


def numbers_from(first: int, end: int) -> CTE:
    """A table of the numbers from *first* on, *end* left out."""
    numbers = select(literal(first).label("n")).cte(recursive=True)
    return numbers.union_all(select(numbers.c.n + 1).where(numbers.c.n + 1 < end))


def _copy(
    connection: Connection, table: Table, name: str, around: tuple[str, str], numbers: CTE
) -> None:
    prefix, suffix = around
    new = literal(prefix) + cast(numbers.c.n, String) + literal(suffix)
    key = "id" if table.name == "games" else "game"
    new_values = {key: new}
    if table.name == "games":
        new_values |= {"name": new}
        # Of those that run, nothing is due before their deadline.
        runs = {"next_look": table.c.deadline}
        new_values |= runs if prefix == "copy" else {"status": literal("finished")}
    columns = [new_values.get(each.name, each).label(each.name) for each in table.c]
    rows = select(*columns).select_from(table.join(numbers, true())).where(table.c[key] == name)
    connection.execute(insert(table).from_select([each.key for each in table.c], rows))
