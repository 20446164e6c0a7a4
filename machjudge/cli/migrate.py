"""``machjudge migrate``: bring the database to where this version needs it."""

import click

from machjudge.cli import with_settings
from machjudge.settings import Settings, migrations_folder
from machjudge.store.schema.schema import migrate as take_steps


@click.command()
@with_settings
def migrate(settings: Settings) -> None:
    """Create or upgrade the database.

    Make a backup first. Either all steps are taken or none; each that is done is told.
    """
    before, after = take_steps(settings.database, migrations_folder(), tell=_told)
    if before == after:
        click.echo(f"The database is up to date (step {after}).")
    elif before is None:
        click.echo(f"The database is ready: its tables have been made (step {after}).")
    else:
        click.echo(f"The database has been upgraded from step {before} to step {after}.")


def _told(step: str) -> None:
    click.echo(step, err=True)
