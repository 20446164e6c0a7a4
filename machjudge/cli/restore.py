"""``machjudge restore FILE``: a copy of the database in its place again."""

from pathlib import Path

import click

from machjudge.cli import CommandFault, with_settings
from machjudge.cli.backup import sqlite_file
from machjudge.settings import Settings, migrations_folder
from machjudge.store.schema.copying import put_back, standing_of
from machjudge.store.schema.standing import SchemaStanding


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Also in place of a database that is there.")
@with_settings
def restore(settings: Settings, file: Path, *, force: bool) -> None:
    """Put a copy that `backup` has made in the place of the database.

    Stop serve, worker and tick first. Mails that came after the copy are gone.
    """
    database = sqlite_file(settings, "pg_restore")
    if not file.is_file():
        message = f"there is no file {file}"
        raise CommandFault(message)
    stands = standing_of(file, migrations_folder())
    if stands not in {SchemaStanding.CURRENT, SchemaStanding.OLDER}:
        message = f"{file} is no database of a judge, or of a newer version"
        raise CommandFault(message)
    if not force and database.exists() and database.stat().st_size:
        message = f"{database} is there: make a backup of it, then restore with --force"
        raise CommandFault(message)
    put_back(file, database)
    click.echo(f"{database} is again what was copied to {file}.")
    if stands is SchemaStanding.OLDER:
        click.echo("It is of an older version: machjudge migrate.")
