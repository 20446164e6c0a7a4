"""How much of one mail is carried out, and the sentence about the rest.

What is cut off is named first in the answer, and the phase waits for it: an order is never lost
silently.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from machjudge.language.commands import commands as c
from machjudge.language.commands.commands import Command, Set
from machjudge.language.vocabulary.said import Problem
from machjudge.reading import Line, MailFlaw
from machjudge.sentence import Sentence
from machjudge.service.identity.signon import rest_of_line
from machjudge.service.lines.command_table import entries_for, entry_of_setting
from machjudge.service.session.answered_mail import Work
from machjudge.service.session.incoming import SaidLines
from machjudge.service.session.session import Session, is_player

MOST_COMMANDS = 150
"""Commands of one mail that are carried out."""
MOST_SETTINGS = 200
"""Settings of one mail, however many stand on a line."""
MOST_ERRORS = 100
"""Lines of one mail that may be wrong."""

TOO_MANY_ERRORS = Sentence("lines.cut.errors", most=MOST_ERRORS)
_CUT = frozenset({MailFlaw.TOO_MANY_LINES, MailFlaw.TOO_MUCH_TEXT, MailFlaw.TEXT_CUT})


@dataclass(slots=True)
class Heard:
    """What of a mail was carried out so far."""

    commands: int = 0
    settings: int = 0

    def takes(self, session: Session, line: Line, command: Command) -> bool:
        """Whether there is room for a command; where not, nothing more of the mail is read."""
        self.commands += 1
        self.settings += len(command.settings) if isinstance(command, Set) else 0
        if self.commands > MOST_COMMANDS:
            stop(session, line.number, Sentence("lines.cut.commands", most=MOST_COMMANDS))
        elif self.settings > MOST_SETTINGS:
            stop(session, line.number, Sentence("lines.cut.settings", most=MOST_SETTINGS))
        elif session.work >= Work.MOST:
            stop(session, line.number, Sentence("lines.cut.work"))
        session.work += 1
        return not session.is_closed


def stop(session: Session, number: int, reason: Sentence) -> None:
    """Read nothing more of a mail, from the line with that number on."""
    session.is_closed = session.is_cut = True
    session.answer.verdict.append(Sentence("lines.cut.stopped", reason=reason, number=number))


def tell_cut(session: Session) -> None:
    """Say first that a mail was too long, and let the phase wait for the rest of it."""
    for defect in session.mail.defects:
        if defect.flaw in _CUT:
            has_many = defect.flaw is MailFlaw.TOO_MANY_LINES
            told = Sentence("lines.cut.too_long", line=defect.line, has_many=has_many)
            session.answer.verdict.insert(0, told)
            session.is_cut = True
            break
    if session.is_cut and is_player(session.seat):
        session.flag()


# --- dry: a mail that is read and answered, and of which nothing is stored ----------------------

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
