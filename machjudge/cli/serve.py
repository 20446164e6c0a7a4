"""``machjudge serve``: take mails in, handle them and send messages until a signal comes."""

import click

from machjudge.app import log_to_stderr, serve_all, work_on
from machjudge.app import serve as serve_until_stopped
from machjudge.cli import with_settings
from machjudge.settings import Settings


@click.command()
@click.option(
    "--all", "alone", is_flag=True, help="Do what tick does, too, and all in one process."
)
@with_settings
def serve(settings: Settings, *, alone: bool) -> None:
    """Take mails in, handle them and send the messages.

    Runs until it is stopped, with a worker process beside it. Deadlines are for `machjudge tick`,
    but with --all. SIGTERM and Ctrl-C end it in order: no mail that was acknowledged is lost.
    """
    log_to_stderr(settings.log_level)
    (serve_all if alone else serve_until_stopped)(settings)


@click.command()
@with_settings
def worker(settings: Settings) -> None:
    """Handle mails and send messages beside `serve`.

    Runs until it is stopped. It needs the same database. Mails keep their order, however many
    workers there are.
    """
    log_to_stderr(settings.log_level)
    work_on(settings)
