"""The manual page and the completions of shells, made from the commands themselves."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from machjudge.cli import imported, main

_HEAD = (Path(__file__).parent / "manual_head.1").read_text("utf-8")
_TAIL = (Path(__file__).parent / "manual_tail.1").read_text("utf-8")
SHELLS: dict[str, type[ShellComplete]] = {
    "bash-completion/completions/machjudge": BashComplete,
    "zsh/site-functions/_machjudge": ZshComplete,
    "fish/vendor_completions.d/machjudge.fish": FishComplete,
}
"""Where each shell looks for what completes its lines, below `share`."""


def files() -> dict[str, str]:
    """Everything below `share`, by its path there."""
    scripts = {
        path: shell(main, {}, "machjudge", "_MACHJUDGE_COMPLETE").source()
        for path, shell in SHELLS.items()
    }
    return {"man/man1/machjudge.1": page(), **scripts}


def page() -> str:
    """The manual page, in the language of man(7)."""
    about = _paragraphs(main.help or "")
    commands = [".SH COMMANDS", *_commands(main, ["machjudge"])]
    return _HEAD + "\n".join([*about, *commands, ""]) + _TAIL


def _commands(group: click.Group, names: list[str]) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = imported(name) if group is main else group.commands[name]
        if isinstance(command, click.Group):
            yield from _commands(command, [*names, name])
        else:
            yield from _command(command, [*names, name])


def _command(command: click.Command, names: list[str]) -> Iterator[str]:
    context = click.Context(command)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_plain(' '.join([*names[1:], usage]))}"
    yield from _paragraphs(command.help or "")
    options = [each for each in command.params if isinstance(each, click.Option)]
    for param in options:
        record = param.get_help_record(context)
        if record is not None and "--config" not in param.opts:
            yield from (".TP", f".B {_plain(record[0])}", _plain(record[1]))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield from (".PP", _plain(" ".join(paragraph.split())))


def _plain(text: str) -> str:
    """Text that means nothing to roff."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def completions() -> str:
    """What `completions.json` shall hold: what each command declares, as shells complete it."""
    names = main.list_commands(click.Context(main))
    lines = (f"{json.dumps(name)}: {json.dumps(_declared(imported(name)))}" for name in names)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _declared(command: click.Command) -> dict[str, object]:
    """Its summary and parameters, or the commands below it; --config, which all have, is added."""
    params = [_param(each) for each in command.params if "--config" not in each.opts]
    facts: dict[str, object] = {"help": command.short_help, "params": params}
    if isinstance(command, click.Group):
        facts["commands"] = {name: _declared(each) for name, each in command.commands.items()}
    return facts


def _param(param: click.Parameter) -> dict[str, object]:
    facts: dict[str, object] = {"names": param.opts, "kind": type(param.type).__name__}
    if isinstance(param.type, click.Choice):
        facts["choices"] = [*param.type.choices]
    if param.nargs != 1:
        facts["nargs"] = param.nargs
    if isinstance(param, click.Option):
        facts["help"] = param.help
        facts |= {trait: True for trait in ("is_flag", "multiple") if getattr(param, trait)}
    return facts
