"""``machjudge tick``: what is due now, once; made for cron."""

import click

from machjudge.app.pending_work import is_quiet
from machjudge.cli import with_settings
from machjudge.cli.faults import WRONG
from machjudge.settings import Settings


@click.command()
@with_settings
def tick(settings: Settings) -> None:
    """Play what is due, remind, and send what waits.

    Waiting mails are handled first. To be called from cron, as often as you like: what has been
    done is not done again. Says nothing if nothing was processed; exits with 1 if a game could
    not be looked at.
    """
    if not is_quiet(settings):
        _tick(settings)


def _tick(settings: Settings) -> None:
    # Most ticks find nothing to do, and do without the rest of the program.
    from machjudge.app import build, log_to_stderr, renewed  # noqa: PLC0415
    from machjudge.app import tick as tick_once  # noqa: PLC0415

    log_to_stderr(settings.log_level)
    application = build(settings)
    try:
        with renewed(application.leases):
            ticked = tick_once(application)
    finally:
        application.close()
    for game in ticked.processed:
        click.echo(f"{game}: processed")
    for game in ticked.failed:
        click.echo(f"machjudge: {game} could not be processed; see the log", err=True)
    if ticked.failed:
        raise click.exceptions.Exit(WRONG)
