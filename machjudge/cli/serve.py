"""``machjudge serve``: take mails in, handle them and send letters until a signal comes."""

import click

from machjudge.cli import with_settings
from machjudge.settings import Settings
from machjudge.wiring import log_to_stderr
from machjudge.wiring import serve as serve_until_stopped


@click.command()
@with_settings
def serve(settings: Settings) -> None:
    """Take mails in, handle them and send the messages.

    Runs until it is stopped, with a worker process beside it. Deadlines are for `machjudge tick`.
    SIGTERM and Ctrl-C end it in order: no mail that was acknowledged is lost.
    """
    log_to_stderr(settings.log_level)
    serve_until_stopped(settings)
