"""``machjudge differences``: what two named sets of rules play otherwise."""

import click

from machjudge.adjudicator.options import PRESETS
from machjudge.cli.console import text
from machjudge.judge.game_settings import GameSettings, with_preset
from machjudge.judge.rule_settings import service_contrasts
from machjudge.messages.wording import contrasts


@click.command("differences")
@click.argument("left", type=click.Choice(list(PRESETS)))
@click.argument("right", type=click.Choice(list(PRESETS)))
def differences(left: str, right: str) -> None:
    """Show what two named sets of rules play otherwise.

    Each option that differs stands with both of its sentences.
    """
    one, other = (with_preset(GameSettings(), name) for name in (left, right))
    rows = (*contrasts(PRESETS[left], PRESETS[right]), *service_contrasts(one, other))
    click.echo("\n".join(text("differences", {"left": left, "right": right, "rows": rows})))
