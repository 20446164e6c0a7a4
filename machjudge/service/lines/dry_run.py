"""``dry``: a mail that is read and answered, and of which nothing is stored."""

from collections.abc import Iterable

from machjudge.language.commands import commands as c
from machjudge.language.commands.commands import Command
from machjudge.reading import Line
from machjudge.service.identity.signon import rest_of_line
from machjudge.service.session.incoming import line_read

SAYS = "DRY: this mail was only checked. Nothing of it is stored."
"""The first line of the answer."""
NOT_IN_DRY_MAILS = "DRY checks orders only; this needs a mail of its own"

_HARMLESS = (
    c.SignOn,
    c.Become,
    c.Phase,
    c.Ready,
    c.If,
    c.Else,
    c.EndIf,
    c.Clear,
    c.Restore,
    c.OrderSets,
    c.Dry,
    c.SignOff,
    c.Help,
    c.Get,
    c.List,
    c.History,
    c.Summary,
    c.Who,
    c.Map,
    c.Version,
    c.Ping,
    c.EndPress,
)
"""Commands that ask, or that are about orders, and what opens a seat that one has."""


def is_dry(lines: Iterable[Line]) -> bool:
    """Whether one of the lines, wherever it stands, says so; the text of a press says nothing."""
    for line in lines:
        command = None if line.is_press else line_read(line.text)
        if isinstance(command, c.SignOn | c.Join):
            command = line_read(rest_of_line(command))
        if isinstance(command, c.Dry):
            return True
        if isinstance(command, c.SignOff):
            break
    return False


def is_harmless(command: Command) -> bool:
    """Whether a dry mail may hold such a command; of settings the wish to wait alone."""
    if isinstance(command, c.Set):
        return {each.key for each in command.settings} == {"wait"}
    return isinstance(command, _HARMLESS)
