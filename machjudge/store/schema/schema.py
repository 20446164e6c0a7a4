"""The steps of the database: how it gets to where this version needs it."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from machjudge.store.schema.engine import is_sqlite, open_engine, writing
from machjudge.store.schema.standing import WrongSchema, step_of, tables_of

LATEST = "head"
"""The last step that this version knows."""
EMPTY = "base"
"""Before the first step."""

_LOCK = 0x6D616369  # PostgreSQL's advisory lock on taking steps


def migrate(
    url: str, steps: Path, to: str = LATEST, tell: Callable[[str], None] = lambda _: None
) -> tuple[str | None, str | None]:
    """Take the database to the step *to*; the steps where it stood before and stands now.

    All in one transaction; *tell* hears of each step that is done.  Raises WrongSchema if it
    stands at a step that is not known here.
    """
    engine = open_engine(url, foreign_keys=False)
    try:
        with writing(engine) as connection:
            _wait_for_others(connection)
            before = step_of(connection)
            config = _config(steps)
            config.attributes |= {"connection": connection, "tell": tell}
            _take_steps(config, connection, to, before)
            after = step_of(connection)
            _check_references(connection)
            connection.commit()
    finally:
        engine.dispose()
    return before, after


def _take_steps(config: Config, connection: Connection, to: str, before: str | None) -> None:
    if before is None and tables_of(connection):
        message = "the database holds tables of another program"
        raise WrongSchema(message)
    try:
        if to == EMPTY:
            command.downgrade(config, to)
        else:
            command.upgrade(config, to)
    except CommandError as fault:
        message = f"the database stands at a step that this version does not know: {before}"
        raise WrongSchema(message) from fault


def _config(steps: Path) -> Config:
    config = Config()
    # Alembic reads a percent sign as the beginning of a variable.
    config.set_main_option("script_location", str(steps).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _wait_for_others(connection: Connection) -> None:
    if not is_sqlite(connection):
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def _check_references(connection: Connection) -> None:
    """On SQLite, references are not checked while tables are rebuilt: check them all now."""
    if is_sqlite(connection):
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            message = f"the table {broken[0]} refers to rows that are not there"
            raise WrongSchema(message)
