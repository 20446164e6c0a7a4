"""``machjudge migrate``: bring the database to where this version needs it."""

import click

from machjudge.cli import with_settings
from machjudge.settings import Settings, migrations_folder
from machjudge.store.schema import migrate as take_steps


@click.command()
@with_settings
def migrate(settings: Settings) -> None:
    """Make the tables of a new database, or bring those of an older version up to date.

    Either all steps are taken or none. Make a backup first.
    """
    before, after = take_steps(settings.database, migrations_folder())
    if before == after:
        click.echo(f"The database is up to date (step {after}).")
    else:
        click.echo(f"The database has been brought from step {before or 'nothing'} to {after}.")
