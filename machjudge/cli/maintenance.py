"""``machjudge metrics``: figures of a judge in the text format of Prometheus."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import click

from machjudge import __version__
from machjudge.app.application import prepare_database
from machjudge.app.machine import (
    bring_secret,
    bring_secret_back,
    judge_secret,
    path_of,
    secret_of,
    take_secret,
)
from machjudge.app.machine import now as real_time
from machjudge.cli import CommandFault, with_settings
from machjudge.db.engine import file_of, open_engine, reading
from machjudge.db.maintenance import (
    BACKED_UP_DATABASE,
    BACKED_UP_SECRET,
    Figures,
    MailboxFigures,
    add_backup,
    copy,
    drop_backups,
    expect_file_unused,
    figures,
    figures_of_mailbox,
    move_rows,
    put_back,
    standing_of,
)
from machjudge.db.maintenance import migrate as take_steps
from machjudge.db.schema_version import SchemaStanding
from machjudge.settings import Settings, load, migrations_folder

_A_SERVER = "the database is no SQLite file: use {} of PostgreSQL, as docs/keeping.md shows"


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--rotate",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="FILE is a folder: add a backup, and keep the newest NUMBER.",
)
@with_settings
def backup(settings: Settings, file: Path, *, rotate: int | None) -> None:
    """Copy the database into FILE, which must not be there yet.

    The judge may run meanwhile. Only you can read FILE: it holds what the database holds.

    With --rotate, FILE is a folder, which is made if only it is missing. A folder with the database
    and the judge's secret is added to it, named by the time; older ones of this judge are removed,
    and nothing else.
    """
    database = sqlite_file(settings, "pg_dump")
    prepare_database(settings.database, creates=False)
    if rotate is None:
        copy(database, file.absolute())
        click.echo(f"{database} has been copied to {file}, and the copy is sound.")
        click.echo(
            f"The judge's secret is not in it; keep a copy of {path_of(settings)} elsewhere."
        )
        return
    engine = open_engine(settings.database)
    try:
        judge_secret(settings, engine)
    finally:
        engine.dispose()
    made = add_backup(database, path_of(settings), file.absolute(), real_time())
    gone = drop_backups(database, path_of(settings), file.absolute(), rotate)
    click.echo(f"{made} has a sound copy of the database, and the judge's secret; {gone} removed.")


def sqlite_file(settings: Settings, instead: str) -> Path:
    """The file of the database.

    Raises CommandFault where it is on a server, which has *instead*.
    """
    database = file_of(settings.database)
    if database is None:
        raise CommandFault(_A_SERVER.format(instead))
    return database


@click.command()
@click.option("--new-secret", is_flag=True, help="Also go on with the secret that is there now.")
@with_settings
def migrate(settings: Settings, *, new_secret: bool) -> None:
    """Create or upgrade the database.

    Make a backup first. Either all steps are taken or none; each that is done is printed.

    With --new-secret the judge goes on with the secret that is there now, or with a new one, when
    its own is lost: reply codes in older messages open nothing any more, passwords do.
    """
    before, after = take_steps(settings.database, migrations_folder(), tell=_report)
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


_report = partial(click.echo, err=True)


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
    rows = move_rows(settings.database, new.database, _report)
    click.echo(f"The judge has been moved: {rows} rows. From now on start it with {file}.")
    click.echo("Nothing was removed from the old database; do not start the judge with it again.")


Sample = tuple[str, float]
"""The labels as they are written, and the value."""
Family = tuple[str, str, list[Sample]]
"""The name of a figure, what it means, and its values."""


@click.command()
@with_settings
def metrics(settings: Settings) -> None:
    """Print figures for Prometheus: what waits, and since when.

    For the textfile collector of its node exporter; nothing is changed.
    """
    prepare_database(settings.database, creates=False)
    engine = open_engine(settings.database)
    try:
        with reading(engine) as connection:
            now = real_time()
            found, inbox = figures(connection, now), settings.inbox
            mailbox = figures_of_mailbox(connection, inbox.name, now) if inbox else None
    finally:
        engine.dispose()
    click.echo("\n".join(lines(found, now, mailbox)))


def lines(found: Figures, now: datetime, mailbox: MailboxFigures | None = None) -> Iterator[str]:
    """The figures, each with what it means."""
    of_mailbox = _of_mailbox(mailbox, now) if mailbox else ()
    for name, meaning, samples in (*_families(found, now), *of_mailbox):
        yield f"# HELP machjudge_{name} {meaning}"
        yield f"# TYPE machjudge_{name} {'counter' if name.endswith('_total') else 'gauge'}"
        for labels, value in samples:
            yield f"machjudge_{name}{labels} {value:g}"


def _families(found: Figures, now: datetime) -> Iterator[Family]:
    yield "info", "The version of the program.", [(f'{{version="{__version__}"}}', 1)]
    for name, what, counted in (
        ("mails", "Mails that came in", found.mails),
        ("messages", "Messages to people", found.messages),
        ("games", "Games", found.games),
    ):
        samples = [(f'{{state="{state}"}}', float(number)) for state, number in counted.items()]
        yield name, f"{what}, by their state.", samples
    yield "overdue_games", "Games whose phase waits after its deadline.", [("", found.overdue)]
    came_back = "Addresses whose messages came back."
    yield "unreachable_addresses", came_back, [("", found.out_of_reach)]
    for name, meaning, since in (
        ("oldest_mail_seconds", "How long the oldest mail waits.", found.oldest_mail or now),
        ("oldest_message_seconds", "The same for messages.", found.oldest_message or now),
        ("last_look_seconds", "How long ago the judge looked at its clock.", found.last_look),
    ):
        if since is not None:
            yield name, meaning, [("", _seconds(since, now))]


def _of_mailbox(found: MailboxFigures, now: datetime) -> Iterator[Family]:
    polled, fault = found.polled, found.faulted
    if polled is not None:
        last = "How long ago the judge looked through the mailbox."
        yield "mailbox_last_look_seconds", last, [("", _seconds(polled, now))]
    waiting = "Mails in the mailbox that the last look could not take."
    yield "mailbox_waiting_mails", waiting, [("", found.waiting)]
    stands = "How long the connection to the mailbox stands; 0 without one."
    yield "mailbox_connected_seconds", stands, [("", _seconds(found.connected or now, now))]
    opened = "How often the mailbox was connected to."
    yield "mailbox_connections_total", opened, [("", found.connections)]
    if fault is not None:
        last = "How long ago the mailbox could not be looked through, and why."
        why = (found.why or "").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        yield "mailbox_last_error_seconds", last, [(f'{{why="{why}"}}', _seconds(fault, now))]


def _seconds(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds())


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Also in place of a database that is there.")
@with_settings
def restore(settings: Settings, file: Path, *, force: bool) -> None:
    """Put a copy that `backup` has made in the place of the database.

    FILE is such a copy, or one of the folders that `backup --rotate` makes: the judge's secret is
    put back as well then. Stop serve, worker and tick first. Mails that came after the copy are
    gone.
    """
    database = sqlite_file(settings, "pg_restore")
    secret = None
    if file.is_dir():
        file, secret = file / BACKED_UP_DATABASE, file / BACKED_UP_SECRET
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
    if secret is not None:
        aside = bring_secret_back(secret, settings, force=force)
        if aside is not None:
            click.echo(f"The secret that was there is now {aside}.")
    put_back(file, database)
    click.echo(f"{database} is again what was copied to {file}.")
    if stands is SchemaStanding.OLDER:
        click.echo("It is of an older version: machjudge migrate.")
