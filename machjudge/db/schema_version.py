"""The migration step of a database, without Alembic, which loads slowly."""

from enum import Enum
from pathlib import Path

from sqlalchemy import (
    Connection,
    inspect,
    text,
)

from machjudge.adjudicator.names import MachjudgeError

_NOTE = "alembic_version"
"""Alembic's table of the step."""


class WrongSchema(MachjudgeError):
    """The database is not where this version needs it; what to do."""


class SchemaStanding(Enum):
    """Where a database stands, seen from this version."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    UNKNOWN = "unknown"
    """At a step of a newer version, or no database of ours."""


def standing(connection: Connection, steps: Path) -> SchemaStanding:
    """Where the database stands; *steps* is the folder of the migrations."""
    step = step_of(connection)
    if step is None:
        return SchemaStanding.UNKNOWN if tables_of(connection) else SchemaStanding.EMPTY
    if step == newest_step(steps):
        return SchemaStanding.CURRENT
    return SchemaStanding.OLDER if step in _known(steps) else SchemaStanding.UNKNOWN


def step_of(connection: Connection) -> str | None:
    """The step at which a database stands; None before the first."""
    if not inspect(connection).has_table(_NOTE):
        return None
    step: str | None = connection.scalar(text(f"SELECT version_num FROM {_NOTE}"))  # noqa: S608
    return step


def tables_of(connection: Connection) -> list[str]:
    """The tables beside the one in which Alembic notes the step."""
    return [name for name in inspect(connection).get_table_names() if name != _NOTE]


def newest_step(steps: Path) -> str:
    """The last step: each file is called like its step, and the names are in their order."""
    return max(_known(steps), default="")


def _known(steps: Path) -> set[str]:
    return {each.stem for each in (steps / "versions").glob("[0-9]*.py")}
