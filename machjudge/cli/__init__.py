"""The command ``machjudge``: a table of sub-commands, each imported only when it is called.

`adjudicate` therefore starts without the database.  A sub-command that works with an installation
takes its settings through `with_settings`.
"""

import difflib
import functools
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Concatenate, ParamSpec, TypeVar

import click

from machjudge import __version__
from machjudge.adjudicator.names import MachjudgeError
from machjudge.settings import Settings, load

P = ParamSpec("P")
R = TypeVar("R")

COMMANDS = {
    "adjudicate": "machjudge.cli.adjudicate:adjudicate",
    "config": "machjudge.cli.config:config",
    "demo": "machjudge.cli.demo:demo",
    "export": "machjudge.cli.export:export",
    "keeper": "machjudge.cli.keeper:keeper",
    "map": "machjudge.cli.map:map_",
    "migrate": "machjudge.cli.migrate:migrate",
    "read": "machjudge.cli.read:read",
    "replay": "machjudge.cli.replay:replay",
    "serve": "machjudge.cli.serve:serve",
    "tick": "machjudge.cli.tick:tick",
    "verify": "machjudge.cli.verify:verify",
    "worker": "machjudge.cli.worker:worker",
}
"""Sub-command -> module:attribute; one whose module is not there is no command."""

_INTERRUPTED = 130  # 128 + SIGINT, as shells count


class Fault(click.ClickException):
    """A fault of ours or of the installation, told in one line."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line, on stderr unless *file* is given."""
        click.echo(f"machjudge: {' '.join(self.message.split())}", file=file, err=file is None)


class House(click.Group):
    """The sub-commands of `COMMANDS`, and the end of every error that reaches the top."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands that are there."""
        return sorted(name for name in COMMANDS if _place_of(name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None if there is none."""
        place = _place_of(cmd_name)
        if place is None:
            return None
        module, attribute = place
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that *args* begin with; a usage error names the nearest if it is unknown."""
        near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
        if near and near[0] != args[0]:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; our own faults become one line, Ctrl-C ends without a word.

        A pipe that the reader has closed is noticed here and passed over by click.
        """
        try:
            result: object = super().invoke(ctx)
            sys.stdout.flush()
        except MachjudgeError as error:
            raise Fault(str(error)) from error
        except KeyboardInterrupt:
            raise click.exceptions.Exit(_INTERRUPTED) from None
        return result


def _place_of(name: str) -> tuple[str, str] | None:
    """Module and attribute of the command *name*, if its module is there."""
    module, _, attribute = COMMANDS.get(name, "").partition(":")
    if not module or find_spec(module) is None:
        return None
    return module, attribute


def with_settings(command: Callable[Concatenate[Settings, P], R]) -> Callable[P, R]:
    """Call *command* with the settings in force as its first argument.

    Stands next to the function, below click's own decorators.
    SettingsError, which ends the program with one line, if they cannot be used.
    """

    @functools.wraps(command)
    def with_settings_in_force(*args: P.args, **kwargs: P.kwargs) -> R:
        file = click.get_current_context().find_object(Path)
        return command(load(os.environ, file), *args, **kwargs)

    return with_settings_in_force


@click.group(cls=House, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="machjudge")
@click.option(
    "--config",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read the settings from this TOML file.",
)
@click.pass_context
def main(ctx: click.Context, file: Path | None) -> None:
    """Run a judge for games of Machiavelli that are played by e-mail."""
    ctx.obj = file
