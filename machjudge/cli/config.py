"""``machjudge config``: the settings in force, where each comes from and what it means.

Without ``--json`` the output is itself a settings file, with asterisks for passwords.
"""

import json
from collections.abc import Iterator

import click

from machjudge.cli import with_settings
from machjudge.settings import TABLE, Settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@with_settings
def config(settings: Settings, *, as_json: bool) -> None:
    """Print the settings in force, their origins and meanings."""
    if as_json:
        click.echo(json.dumps(described(settings), indent=2))
    else:
        click.echo("\n\n".join(paragraphs(settings)))


def described(settings: Settings) -> dict[str, dict[str, object]]:
    """Name -> value (passwords masked), origin, variable, default, meaning and what is expected."""
    return {
        entry.name: {
            "value": entry.shown(settings),
            "origin": settings.origins[entry.name],
            "variable": entry.variable,
            "default": entry.default,
            "meaning": entry.meaning,
            "expected": entry.kind.expected,
        }
        for entry in TABLE
    }


def paragraphs(settings: Settings) -> Iterator[str]:
    """One paragraph of a TOML file for each setting."""
    for entry in TABLE:
        yield "\n".join(
            [
                f"# {entry.meaning}",
                f"# Expected: {entry.kind.expected}.",
                f"# From: {settings.origins[entry.name]}",
                # Strings, whole numbers and lists of these are written alike in JSON and in TOML.
                f"{entry.name} = {json.dumps(entry.shown(settings), ensure_ascii=False)}",
            ]
        )
