"""``machjudge metrics``: figures of a judge in the text format of Prometheus."""

from collections.abc import Iterator
from datetime import datetime

import click

from machjudge import __version__
from machjudge.cli import with_settings
from machjudge.settings import Settings
from machjudge.store.figures import Figures, figures
from machjudge.store.schema.engine import open_engine, reading
from machjudge.wiring.chance import now as real_time
from machjudge.wiring.database import prepare_database

Sample = tuple[str, float]
"""The labels as they are written, and the value."""


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
            found = figures(connection, now)
    finally:
        engine.dispose()
    click.echo("\n".join(lines(found, now)))


def lines(found: Figures, now: datetime) -> Iterator[str]:
    """The figures, each with what it means."""
    for name, meaning, samples in _families(found, now):
        yield f"# HELP machjudge_{name} {meaning}"
        yield f"# TYPE machjudge_{name} gauge"
        for labels, value in samples:
            yield f"machjudge_{name}{labels} {value:g}"


def _families(found: Figures, now: datetime) -> Iterator[tuple[str, str, list[Sample]]]:
    yield "info", "The version of the program.", [(f'{{version="{__version__}"}}', 1)]
    for name, what, counted in (
        ("mails", "Mails that came in", found.mails),
        ("messages", "Messages to people", found.letters),
        ("games", "Games", found.games),
    ):
        samples = [(f'{{state="{state}"}}', float(number)) for state, number in counted.items()]
        yield name, f"{what}, by their state.", samples
    yield "overdue_games", "Games whose phase waits after its deadline.", [("", found.overdue)]
    came_back = "Addresses whose messages came back."
    yield "unreachable_addresses", came_back, [("", found.out_of_reach)]
    for name, meaning, since in (
        ("oldest_mail_seconds", "How long the oldest mail waits.", found.oldest_mail or now),
        ("oldest_message_seconds", "The same for messages.", found.oldest_letter or now),
        ("last_look_seconds", "How long ago the judge looked at its clock.", found.last_look),
    ):
        if since is not None:
            yield name, meaning, [("", max(0.0, (now - since).total_seconds()))]
