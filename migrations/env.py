"""How Alembic reaches the database.

``machjudge migrate`` hands over its connection.  For ``alembic -c migrations/alembic.ini`` (to
write a new migration) the database is the one that the settings name.
"""

import os

from alembic import context
from sqlalchemy import Connection, Enum
from sqlalchemy.types import TypeDecorator

from machjudge.db.engine import open_engine, writing
from machjudge.db.tables import Base


def plain(kind, item, _autogen):
    """Write a column's type as the database knows it: what has been taken stays as it was."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    if kind == "type" and isinstance(item, Enum):
        return f"sa.String(length={item.length})"
    return False


def told(step, **_more):
    """Tell whoever called that a step is done."""
    tell = context.config.attributes.get("tell")
    if tell is not None and step.up_revision is not None:
        tell(f"step {step.up_revision_id}: {step.up_revision.doc}")


def run(connection: Connection) -> None:
    """Take the steps on *connection*; who opened it commits."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        # SQLite cannot alter most things: tables are built anew and copied.
        render_as_batch=True,
        render_item=plain,
        on_version_apply=told,
    )
    with context.begin_transaction():
        context.run_migrations()


def run_by_hand() -> None:
    """Take the steps on the database that the settings name."""
    from machjudge.settings import load  # noqa: PLC0415 - not needed by `machjudge migrate`

    engine = open_engine(load(os.environ).database, creates=True, foreign_keys=False)
    with writing(engine) as connection:
        run(connection)
        connection.commit()


if context.is_offline_mode():
    message = "the steps are taken on a database, not written as SQL"
    raise SystemExit(message)
if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    run_by_hand()
