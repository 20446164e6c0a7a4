"""``machjudge worker``: a further process that handles mails and sends messages."""

import click

from machjudge.cli import with_settings
from machjudge.settings import Settings
from machjudge.wiring import log_to_stderr, work_on


@click.command()
@with_settings
def worker(settings: Settings) -> None:
    """Handle mails and send messages beside `serve`.

    Runs until it is stopped. It needs the same database. Mails keep their order, however many
    workers there are.
    """
    log_to_stderr(settings.log_level)
    work_on(settings)
