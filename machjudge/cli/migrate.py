"""``machjudge migrate``: bring the database to where this version needs it."""

import click

from machjudge.cli import with_settings
from machjudge.settings import Settings, migrations_folder
from machjudge.store.schema.engine import open_engine
from machjudge.store.schema.schema import migrate as take_steps
from machjudge.wiring.secret_file import secret_of, take_secret


@click.command()
@click.option("--new-secret", is_flag=True, help="Also go on with the secret that is there now.")
@with_settings
def migrate(settings: Settings, *, new_secret: bool) -> None:
    """Create or upgrade the database.

    Make a backup first. Either all steps are taken or none; each that is done is told.

    With --new-secret the judge goes on with the secret that is there now, or with a new one, when
    its own is lost: reply codes in older messages open nothing any more, passwords do.
    """
    before, after = take_steps(settings.database, migrations_folder(), tell=_told)
    if before == after:
        click.echo(f"The database is up to date (step {after}).")
    elif before is None:
        click.echo(f"The database is ready: its tables have been made (step {after}).")
    else:
        click.echo(f"The database has been upgraded from step {before} to step {after}.")

    if new_secret:
        engine = open_engine(settings.database)
        try:
            take_secret(engine, secret_of(settings))
        finally:
            engine.dispose()
        click.echo("The judge goes on with the secret that is there now.")


def _told(step: str) -> None:
    click.echo(step, err=True)
