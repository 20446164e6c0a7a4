"""``machjudge what-if``: what other orders would have brought in a phase of an exported game."""

from pathlib import Path
from typing import BinaryIO

import click

from machjudge.adjudicator.world import world_of
from machjudge.app.application import renderer_of
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.faults import say
from machjudge.cli.files import Readable
from machjudge.cli.games import read_game
from machjudge.formats.game_file import Chronicle, ChronicleEntry
from machjudge.judge.archive import scenario_of
from machjudge.judge.game_view import read_order_texts
from machjudge.judge.mail_context import LineParser
from machjudge.judge.what_if import Trial, read_tried, try_out
from machjudge.language.words import read_phase
from machjudge.map_files.folders import Atlas
from machjudge.messages.visibility import EVERYTHING
from machjudge.settings import Settings


@click.command("what-if")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("phase")
@click.argument("orders", type=Readable(), default="-")
@with_settings
def what_if(settings: Settings, file: Path, phase: str, orders: BinaryIO) -> None:
    """Play a phase of an exported game with other orders.

    FILE is what `machjudge export` has written, PHASE such as F1455M. ORDERS, or the standard
    input, has orders of any powers, a line each; the name of a power above them, with a colon, says
    whose they are where their units do not. What was ordered in the game stands beside them. No die
    is thrown: what each could bring is told.
    """
    chronicle = read_game(file)
    entry = _entry(chronicle, phase)
    world = world_of(scenario_of(chronicle, Atlas(settings.map_folders)), entry.rules)
    stage = entry.before.moment.stage
    played = {
        power: read_order_texts(world, stage, (line.canonical for line in lines))
        for power, lines in entry.orders.items()
    }
    trial = Trial.of(world, EVERYTHING.view(world, entry.before), EVERYTHING, played)
    text = orders.read().decode("utf-8", "replace")
    rows = [(n, row.strip()) for n, row in enumerate(text.splitlines(), 1) if row.strip()]
    facts = try_out(trial, read_tried(trial, rows, None, LineParser())).facts
    renderer = renderer_of(settings)
    say(renderer.say(line) for line in renderer.lines("what_if", facts))


def _entry(chronicle: Chronicle, phase: str) -> ChronicleEntry:
    """The last played phase of that name.  Raises CommandFault."""
    moment = read_phase(phase.split())
    played = [each for each in chronicle.phases if each.parent is not None and each.orders]
    found = [each for each in played if each.before.moment == moment]
    if not found:
        names = ", ".join(dict.fromkeys(each.moment for each in played))
        message = f"there is no phase {phase} in the game; there are {names or 'none'}"
        raise CommandFault(message)
    return found[-1]
