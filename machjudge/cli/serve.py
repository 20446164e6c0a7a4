"""``machjudge serve``, ``worker`` and ``tick``: the judge at work.

A tick mostly finds nothing to do, and then imports none of the rest of the program.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import click
from sqlalchemy import Connection, Engine

from machjudge import app
from machjudge.app.machine import collect_garbage_seldom, judge_secret, now
from machjudge.cli import with_settings
from machjudge.cli.faults import WRONG
from machjudge.db.engine import file_of, open_engine, reading
from machjudge.db.pending_work import (
    anything_waits,
    heard_until,
    is_watched,
    looks_in,
    may_forget,
    note_look,
    pages_are_due,
)
from machjudge.db.schema_version import SchemaStanding, standing
from machjudge.judge.faults import Stale
from machjudge.judge.tick_times import BEAT
from machjudge.settings import Settings, migrations_folder


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
    app.log_to_stderr(settings.log_level)
    (app.serve_all if alone else app.serve)(settings)


@click.command()
@with_settings
def worker(settings: Settings) -> None:
    """Handle mails and send messages beside `serve`.

    Runs until it is stopped. It needs the same database. Mails keep their order, however many
    workers there are.
    """
    app.log_to_stderr(settings.log_level)
    app.work_on(settings)


@click.command()
@with_settings
def tick(settings: Settings) -> None:
    """Play what is due, remind, and send what waits.

    Waiting mails are handled first. To be called from cron, as often as you like: what has been
    done is not done again. Says nothing if nothing was processed; exits with 1 if a game could
    not be looked at.
    """
    if is_quiet(settings):
        return
    collect_garbage_seldom()
    app.log_to_stderr(settings.log_level)
    application = app.build(settings)
    try:
        with app.renewed(application.leases):
            ticked = app.tick(application)
    finally:
        application.close()
    for game in ticked.processed:
        click.echo(f"{game}: processed")
    for game in ticked.failed:
        click.echo(f"machjudge: {game} could not be processed; see the log", err=True)
    if ticked.failed:
        raise click.exceptions.Exit(WRONG)


def is_quiet(settings: Settings, clock: Callable[[], datetime] = now) -> bool:
    """Return whether nothing waits or is due; the look at the clock is then noted.

    Raises DatabaseOutOfReach, and SecretUnusable as `build` does.
    """
    file = file_of(settings.database)
    if file is not None and not file.exists():
        return False
    engine = open_engine(settings.database)
    try:
        if not _is_quiet(engine, clock, settings):
            return False
        judge_secret(settings, engine)  # the keeper hears now that it is not there
        return True
    finally:
        engine.dispose()


def _is_quiet(engine: Engine, clock: Callable[[], datetime], settings: Settings) -> bool:
    with reading(engine) as connection:
        if standing(connection, migrations_folder()) is not SchemaStanding.CURRENT:
            return False
        looks = looks_in(connection)
        at = heard = clock()
        if settings.inbox is not None:
            if not is_watched(connection, settings.inbox.name, at):
                return False
            heard = heard_until(connection, settings.inbox.name, at)
        if looks.last is None or heard < looks.last or looks.leap(heard) is not None:
            return False
        if anything_waits(connection, at) or _is_to_tidy(connection, at, settings):
            return False
    if heard - looks.last >= BEAT:
        with suppress(Stale):  # somebody else has looked
            note_look(engine, looks, looks.after(heard))
    return True


def _is_to_tidy(connection: Connection, at: datetime, settings: Settings) -> bool:
    if settings.keep_mails and may_forget(connection, at):
        return True
    if settings.web is None:
        return False
    from machjudge.judge.pages import INDEX  # noqa: PLC0415 - judges without pages need it not

    return not (settings.web / INDEX).exists() or pages_are_due(connection, at)
