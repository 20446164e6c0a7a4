"""``machjudge backup FILE``: a copy of the database, made while the judge runs."""

from pathlib import Path

import click

from machjudge.cli import CommandFault, with_settings
from machjudge.settings import Settings
from machjudge.store.schema.copying import copy
from machjudge.store.schema.engine import file_of
from machjudge.wiring.database import prepare_database
from machjudge.wiring.secret_file import path_of

_A_SERVER = "the database is no SQLite file: use {} of PostgreSQL, as docs/keeping.md shows"


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@with_settings
def backup(settings: Settings, file: Path) -> None:
    """Copy the database into FILE, which must not be there yet.

    The judge may run meanwhile. Only you can read FILE: it holds what the database holds.
    """
    database = sqlite_file(settings, "pg_dump")
    prepare_database(settings.database, creates=False)
    copy(database, file.absolute())
    click.echo(f"{database} has been copied to {file}, and the copy is sound.")
    click.echo(f"The judge's secret is not in it; keep a copy of {path_of(settings)} elsewhere.")


def sqlite_file(settings: Settings, instead: str) -> Path:
    """The file of the database.

    Raises CommandFault where it is on a server, which has *instead*.
    """
    database = file_of(settings.database)
    if database is None:
        raise CommandFault(_A_SERVER.format(instead))
    return database
