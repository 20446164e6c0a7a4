"""The database of a judge, before anything else is done with it."""

from pathlib import Path

from machjudge.settings import migrations_folder
from machjudge.store.schema.engine import DatabaseOutOfReach, file_of, name_of, open_engine, reading
from machjudge.store.schema.standing import SchemaStanding, WrongSchema, standing

_WHAT_TO_DO = "name the judge's settings with --config, or create it with machjudge migrate"
_MISSING = f"there is no database {{}}: {_WHAT_TO_DO}"
_EMPTY = f"the database {{}} is empty: {_WHAT_TO_DO}"
_LOST = (
    "there is no judge in the database {}, but its secret {} is there: put the database back or "
    "restore a backup; for a new judge, machjudge migrate"
)


def prepare_database(url: str, *, creates: bool = True, unless: Path | None = None) -> None:
    """Make the tables of an empty database, unless it is only to be read.

    None are made where the file *unless* is named, which a judge has left here.
    Raises WrongSchema if it is of another version, and without *creates* if it is empty;
    DatabaseOutOfReach if it cannot be opened, and without *creates* if it is not there.
    """
    creates = creates and unless is None
    if not creates:
        _expect_file(url, unless)
    engine = open_engine(url)
    try:
        with reading(engine) as connection:
            stands = standing(connection, migrations_folder())
    finally:
        engine.dispose()
    name = name_of(engine)
    match stands:
        case SchemaStanding.CURRENT:
            return
        case SchemaStanding.EMPTY if not creates:
            raise WrongSchema(_EMPTY.format(name) if unless is None else _LOST.format(name, unless))
        case SchemaStanding.EMPTY:
            from machjudge.store.schema.schema import migrate  # noqa: PLC0415 - loads Alembic

            migrate(url, migrations_folder())
        case SchemaStanding.OLDER:
            message = (
                f"the database {name} is of an older version: back it up, then machjudge migrate"
            )
            raise WrongSchema(message)
        case SchemaStanding.UNKNOWN:
            message = f"the database {name} is of a newer version, or of another program"
            raise WrongSchema(message)


def _expect_file(url: str, unless: Path | None) -> None:
    """Refuse a SQLite database that would have to be made; opening it would make it."""
    file = file_of(url)
    if file is None:
        return
    if not file.exists():
        missing = _MISSING.format(file) if unless is None else _LOST.format(file, unless)
        raise DatabaseOutOfReach(missing)
    if file.is_file() and file.stat().st_size == 0:
        raise WrongSchema(_EMPTY.format(file) if unless is None else _LOST.format(file, unless))
