"""``machjudge doctor``: whether a judge can do its work, one line for each thing looked at."""

import os
from collections.abc import Iterator
from pathlib import Path

import click

from machjudge.cli.faults import WRONG, say
from machjudge.cli.findings import LOOKS, DoctorFinding, DoctorVerdict, right, wrong
from machjudge.settings import Settings, SettingsError, load


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Look for what keeps the judge from its work, and say what to do.

    Prints one line for each finding: ok, wrong, note, or a DNS record to publish. Nothing is
    changed, and no name server is asked. Exits with 1 if something is wrong.
    """
    found = [*_findings(context.find_object(Path))]
    say(str(each) for each in found)
    if any(each.verdict is DoctorVerdict.WRONG for each in found):
        context.exit(WRONG)


def _findings(file: Path | None) -> Iterator[DoctorFinding]:
    try:
        settings = load(os.environ, file)
    except SettingsError as fault:
        yield from (wrong("settings", each) for each in fault.faults)
        return
    yield right("settings", f"they can be used, from {_origins(settings)}")
    for look in LOOKS:
        yield from look(settings)


def _origins(settings: Settings) -> str:
    """Where the settings come from: files and variables, or nothing but defaults."""
    given = dict.fromkeys(each for each in settings.origins.values() if each != "default")
    return ", ".join(given) or "the defaults alone"
