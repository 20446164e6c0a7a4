"""``machjudge move FILE``: the judge in another database, from SQLite to PostgreSQL or back."""

from pathlib import Path

import click

from machjudge.cli import CommandFault, with_settings
from machjudge.settings import Settings, load
from machjudge.store.schema.copying import expect_file_unused
from machjudge.store.schema.engine import file_of
from machjudge.store.schema.moving import move_rows
from machjudge.wiring.database import prepare_database
from machjudge.wiring.secret_file import bring_secret


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@with_settings
def move(settings: Settings, file: Path) -> None:
    """Move the judge into another database.

    It must be empty; the settings in FILE name it. Stop serve, worker and tick first. The old
    database stays as it is. If the command is interrupted, the new one is empty: give the command
    again.
    """
    new = load({}, file)
    if new.database == settings.database:
        message = f"{file} names the database in which the judge is already"
        raise CommandFault(message)
    prepare_database(settings.database, creates=False)
    database = file_of(settings.database)
    if database is not None:
        expect_file_unused(database)
    prepare_database(new.database)
    bring_secret(settings, new)
    rows = move_rows(settings.database, new.database, _told)
    click.echo(f"The judge has been moved: {rows} rows. From now on start it with {file}.")
    click.echo("Nothing was removed from the old database; do not start the judge with it again.")


def _told(done: str) -> None:
    click.echo(done, err=True)
