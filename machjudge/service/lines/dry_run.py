"""``dry``: a mail that is read and answered, and of which nothing is stored."""

from collections.abc import Iterable, Iterator

from machjudge.language.commands import commands as c
from machjudge.language.commands.commands import Command
from machjudge.language.vocabulary.said import Problem
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.identity.signon import rest_of_line
from machjudge.service.lines.command_table import entries_for, entry_of_setting
from machjudge.service.session.incoming import SaidLines

DRY = c.PlainCommand("dry")
"""The command, which counts wherever it stands; the text of a press says nothing."""
SAYS = Sentence("lines.dry")
"""The first line of the answer."""
NOT_IN_DRY_MAILS = Sentence("lines.not_in_dry_mails")

_PARTS = frozenset({"else", "endif", "endpress"})
"""What belongs to other commands and has no entry of its own."""


def commands_of(
    said: SaidLines, lines: Iterable[Line]
) -> Iterator[Command | c.NotACommand | Problem]:
    """What the lines of a mail say as commands, up to the one that ends it.

    Of a line that opens a seat, what stands behind that.
    """
    for line in lines:
        command = said.command(line)
        if isinstance(command, c.SignOn | c.Join):
            command = said.command_in(rest_of_line(said, command))
        yield command
        if isinstance(command, c.SignOff):
            break


def is_harmless(command: Command) -> bool:
    """Whether a dry mail may hold such a command, with each of its settings."""
    if isinstance(command, c.Set):
        found = [entry_of_setting(each) for each in command.settings]
        return bool(found) and all(each is not None and each.is_dry for each in found)
    entries = entries_for(command)
    is_part = isinstance(command, c.PlainCommand) and command.name in _PARTS
    return is_part or any(entry.is_dry for entry in entries)
