"""The command ``machjudge``: a table of sub-commands, each imported only when it is called.

`adjudicate` therefore starts without the database, and the list of commands and what shells
complete without any of them: `completions.json` has what they declare.  A sub-command that works
with an installation takes its settings through `with_settings`.
"""

import ast
import difflib
import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import click

from machjudge import __version__
from machjudge.adjudicator.names import MachjudgeError
from machjudge.cli.faults import CommandFault, OwnFault, faults_told, open_streams
from machjudge.settings import Settings, load, where_set

__all__ = ["COMMANDS", "CommandFault", "CommandGroup", "main", "with_settings"]

P = ParamSpec("P")
R = TypeVar("R")

COMMANDS = {
    "adjudicate": "machjudge.cli.adjudicate:adjudicate",
    "backup": "machjudge.cli.maintenance:backup",
    "config": "machjudge.cli.config:config",
    "demo": "machjudge.cli.demo:demo",
    "differences": "machjudge.cli.differences:differences",
    "doctor": "machjudge.cli.doctor:doctor",
    "export": "machjudge.cli.games:export",
    "import": "machjudge.cli.games:import_",
    "keeper": "machjudge.cli.keeper:keeper",
    "map": "machjudge.cli.maps:map_",
    "metrics": "machjudge.cli.maintenance:metrics",
    "migrate": "machjudge.cli.maintenance:migrate",
    "move": "machjudge.cli.maintenance:move",
    "read": "machjudge.cli.read:read",
    "replay": "machjudge.cli.games:replay",
    "restore": "machjudge.cli.maintenance:restore",
    "show": "machjudge.cli.games:show",
    "serve": "machjudge.cli.serve:serve",
    "setup": "machjudge.cli.setup:setup",
    "stats": "machjudge.cli.games:stats",
    "tick": "machjudge.cli.serve:tick",
    "verify": "machjudge.cli.games:verify",
    "what-if": "machjudge.cli.games:what_if",
    "worker": "machjudge.cli.serve:worker",
}
"""Sub-command -> module:attribute; one whose module is not there is no command."""


class CommandGroup(click.Group):
    """The sub-commands of `COMMANDS`; an error that reaches the top ends here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands that are there."""
        return sorted(name for name in COMMANDS if _place_of(name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name as lists show it, not imported; None if there is none."""
        place = _place_of(cmd_name)
        return click.Command(cmd_name, short_help=_summary(*place)) if place else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that *args* begin with, imported now but for a shell's TAB.

        A usage error names the nearest if it is unknown.
        """
        near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
        if near and near[0] != args[0] and not ctx.resilient_parsing:  # not to a shell's TAB
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        name, listed, rest = super().resolve_command(ctx, args)
        if listed is not None and ctx.resilient_parsing:
            return name, completed(name or ""), rest
        return name, listed and imported(name or ""), rest

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401  as click has it
    ) -> click.Context:
        """Read the arguments; what is wrong with them becomes one line."""
        open_streams()
        with faults_told():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; whatever ends it becomes one line, or an exit code."""
        with faults_told():
            result: object = super().invoke(ctx)
            return result


def _place_of(name: str) -> tuple[str, str] | None:
    """Module and attribute of the command *name*, if its module is there."""
    module, _, attribute = COMMANDS.get(name, "").partition(":")
    if not module or find_spec(module) is None:
        return None
    return module, attribute


def _summary(module: str, attribute: str) -> str:
    """The first paragraph of the docstring of a command, read in the source of *module*."""
    source = Path(getattr(find_spec(module), "origin", "")).read_bytes()
    return next(
        (ast.get_docstring(each) or "").partition("\n\n")[0]
        for each in ast.parse(source).body
        if isinstance(each, ast.FunctionDef) and each.name == attribute
    )


def imported(name: str) -> click.Command:
    """The command *name* of the table, with everything that it can do; it has to be there."""
    module, _, attribute = COMMANDS[name].partition(":")
    command: click.Command = getattr(import_module(module), attribute)
    _complete(command)
    return command


COMPLETIONS = Path(__file__).with_name("completions.json")
"""What each command declares, as far as shells complete it; a test keeps it up to date."""
_COMPLETED_TYPES = {"Path": click.Path(), "File": click.File()}


def completed(name: str) -> click.Command:
    """The command *name* of the table as shells complete it, without what it does."""
    facts = json.loads(COMPLETIONS.read_text("utf-8")).get(name)
    if facts is None:
        return imported(name)
    command = _declared(name, facts)
    _complete(command)
    return command


def _declared(name: str, facts: Mapping[str, Any]) -> click.Command:
    params = [_param(**each) for each in facts.get("params", ())]
    if "commands" not in facts:
        return click.Command(name, params=params, help=facts["help"])
    inner = {each: _declared(each, of) for each, of in facts["commands"].items()}
    return click.Group(name, commands=inner, params=params, help=facts["help"])


def _param(
    names: Sequence[str],
    kind: str,
    choices: Sequence[str] = (),
    **traits: Any,  # noqa: ANN401  as click has it
) -> click.Parameter:
    type_ = click.Choice(choices) if choices else _COMPLETED_TYPES.get(kind)
    if names[0].startswith("-"):
        return click.Option(names, type=type_, **traits)
    return click.Argument(names, type=type_, required=False, **traits)


def _keep(ctx: click.Context, _param: click.Parameter, file: Path | None) -> None:
    """Keep the file for `with_settings`; the one that is named last counts."""
    ctx.obj = file or ctx.obj


def _config_option() -> click.Option:
    return click.Option(
        ["--config", "settings_file"],
        metavar="FILE",
        type=click.Path(path_type=Path, readable=False),  # what is wrong, reading it tells
        expose_value=False,
        callback=_keep,
        help="Read the settings from this TOML file.",
    )


def _complete(command: click.Command) -> None:
    """Let a command, and those below it, take --config, and be listed with a whole sentence."""
    if all("--config" not in param.opts for param in command.params):
        command.params.append(_config_option())
    command.short_help = (command.help or "").partition("\n\n")[0]
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _complete(each)


def with_settings(command: Callable[Concatenate[Settings, P], R]) -> Callable[P, R]:
    """Call *command* with the settings in force as its first argument.

    Stands next to the function, below click's own decorators.
    SettingsError, which ends the program with one line, if they cannot be used.
    """

    @functools.wraps(command)
    def with_settings_in_force(*args: P.args, **kwargs: P.kwargs) -> R:
        file = click.get_current_context().find_object(Path)
        settings = load(os.environ, file)
        try:
            return command(settings, *args, **kwargs)
        except (MachjudgeError, CommandFault) as fault:
            given = fault.sentences if isinstance(fault, CommandFault) else ()
            faults = getattr(fault, "faults", None) or given or (fault,)
            found = [(str(each), where_set(settings, str(each))) for each in faults]
            if not any(where for _, where in found) or isinstance(fault, OwnFault):
                raise
            sentences = (f"{says} ({where})" if where else says for says, where in found)
            raise CommandFault(*sentences) from fault

    return with_settings_in_force


@click.group(
    cls=CommandGroup,
    params=[_config_option()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="machjudge")
def main() -> None:
    """Run a judge for games of Machiavelli that are played by e-mail.

    Exit codes: 0 done; 1 something that was looked at is wrong; 2 not done, because of the
    arguments, the settings, a file or the database; 3 a fault of machjudge itself.
    """
