"""The steps of the database: where it stands, and how it gets to where this version needs it."""

from enum import Enum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect, text

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.store.schema.engine import is_sqlite, open_engine, writing

LATEST = "head"
"""The last step that this version knows."""
EMPTY = "base"
"""Before the first step."""

_NOTE = "alembic_version"
_LOCK = 0x6D616369  # PostgreSQL's advisory lock on taking steps


class WrongSchema(MachjudgeError):
    """The database is not where this version needs it; what to do."""


class Standing(Enum):
    """Where a database stands, seen from this version."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    UNKNOWN = "unknown"
    """At a step of a newer version, or no database of ours."""


def standing(connection: Connection, steps: Path) -> Standing:
    """Where the database stands; *steps* is the folder of the migrations."""
    step = MigrationContext.configure(connection).get_current_revision()
    script = ScriptDirectory.from_config(_config(steps))
    if step is None:
        return Standing.UNKNOWN if _tables(connection) else Standing.EMPTY
    if step == script.get_current_head():
        return Standing.CURRENT
    known = {each.revision for each in script.walk_revisions()}
    return Standing.OLDER if step in known else Standing.UNKNOWN


def migrate(url: str, steps: Path, to: str = LATEST) -> tuple[str | None, str | None]:
    """Take the database to the step *to*; the steps where it stood before and stands now.

    All in one transaction.  Raises WrongSchema if it stands at a step that is not known here.
    """
    engine = open_engine(url, foreign_keys=False)
    try:
        with writing(engine) as connection:
            _wait_for_others(connection)
            before = MigrationContext.configure(connection).get_current_revision()
            _take_steps(connection, steps, to, before)
            after = MigrationContext.configure(connection).get_current_revision()
            _check_references(connection)
            connection.commit()
    finally:
        engine.dispose()
    return before, after


def _take_steps(connection: Connection, steps: Path, to: str, before: str | None) -> None:
    config = _config(steps)
    config.attributes["connection"] = connection
    if before is None and _tables(connection):
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


def _tables(connection: Connection) -> list[str]:
    """The tables beside the one in which Alembic notes the step."""
    return [name for name in inspect(connection).get_table_names() if name != _NOTE]


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
