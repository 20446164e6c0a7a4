"""``machjudge import FILE``: a finished game that another judge has exported, kept here."""

from pathlib import Path

import click

from machjudge import __version__
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import existing_application
from machjudge.cli.faults import say
from machjudge.cli.replay import watched
from machjudge.cli.verify import lines_about, read_game
from machjudge.codec.document.chronicle import Chronicle
from machjudge.codec.document.seals import seal_of
from machjudge.service.archive.replay import scenario_of
from machjudge.service.archive.verify import verify
from machjudge.service.model.records import Game
from machjudge.service.pages.imported import NotImported, WantedImport, expected_master, import_game
from machjudge.settings import Settings
from machjudge.wiring import Application


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--master",
    metavar="ADDRESS",
    required=True,
    help="Who becomes its master: the address of somebody who is registered here.",
)
@click.option("--as", "name", metavar="NAME", help="What the game is called here.")
@with_settings
def import_(settings: Settings, file: Path, master: str, name: str | None) -> None:
    """Keep a finished game that another judge has exported.

    FILE is checked as `machjudge verify` does it, and refused whole if anything in it is wrong.
    The game can be listed, summed up, replayed and exported again as if it had been played here.
    Nobody who played it comes along, and it counts for no ratings. Its master asks for a token to
    get in.
    """
    chronicle = read_game(file)
    wanted = WantedImport(chronicle.game if name is None else name, master)
    with existing_application(settings) as application:
        try:
            game = _imported(application, file, chronicle, wanted)
        except NotImported as refused:
            message = application.services.paper.say(refused.why)
            raise CommandFault(message) from refused
    click.echo(f"{game.name}: {len(chronicle.phases)} phases imported; the seal of its last mail")
    click.echo(f"must be {seal_of(chronicle)}")


def _imported(
    application: Application, file: Path, chronicle: Chronicle, wanted: WantedImport
) -> Game:
    services = application.services
    with services.store.reading() as uow:  # before anybody waits for nothing
        expected_master(services, uow, wanted)
    scenario = scenario_of(chronicle, services.atlas)
    findings = verify(chronicle, scenario, __version__, watched)
    if not all(finding.holds for finding in findings):
        say(lines_about(chronicle, findings, services.paper.say))
        message = f"{file} is not imported: what it tells does not hold"
        raise CommandFault(message)
    return import_game(services, chronicle, scenario, wanted, application.clock())
