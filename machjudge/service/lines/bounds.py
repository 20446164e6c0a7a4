"""How much of one mail is carried out, and the sentence about the rest.

What is cut off is named first in the answer, and the phase waits for it: an order is never lost
silently.
"""

from dataclasses import dataclass

from machjudge.language.commands.commands import Command, Set
from machjudge.reading import Flaw, Line
from machjudge.service.session.session import Session, is_player

MOST_COMMANDS = 150
"""Commands of one mail that are carried out."""
MOST_SETTINGS = 200
"""Settings of one mail, however many stand on a line."""
MOST_ERRORS = 100
"""Lines of one mail that may be wrong."""

_TOO_MANY_COMMANDS = f"NOT READ: a mail may hold {MOST_COMMANDS} commands"
_TOO_MANY_SETTINGS = f"NOT READ: a mail may hold {MOST_SETTINGS} settings"
TOO_MANY_ERRORS = f"NOT READ: more than {MOST_ERRORS} lines are wrong"
_CUT = frozenset({Flaw.TOO_MANY_LINES, Flaw.TOO_MUCH_TEXT, Flaw.TEXT_CUT})
_AGAIN = "Send what is missing in another mail."


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
            stop(session, line.number, _TOO_MANY_COMMANDS)
        elif self.settings > MOST_SETTINGS:
            stop(session, line.number, _TOO_MANY_SETTINGS)
        return not session.is_closed


def stop(session: Session, number: int, reason: str) -> None:
    """Read nothing more of a mail, from the line with that number on."""
    session.is_closed = session.is_cut = True
    session.answer.verdict += [f"{reason}; nothing from line {number} on was read.", _AGAIN]


def tell_cut(session: Session) -> None:
    """Say first that a mail was too long, and let the phase wait for the rest of it."""
    for defect in session.mail.defects:
        if defect.flaw in _CUT:
            session.answer.verdict.insert(0, _words_of(defect.flaw, defect.line))
            session.answer.verdict.insert(1, _AGAIN)
            session.is_cut = True
            break
    if session.is_cut and is_player(session.seat):
        session.flag()


def _words_of(flaw: Flaw, line: int | None) -> str:
    if line is None:
        return "NOT READ: your mail is too long; only its beginning was read."
    too = "has too many lines" if flaw is Flaw.TOO_MANY_LINES else "is too long"
    return f"NOT READ: your mail {too}; nothing from line {line} on was read."
