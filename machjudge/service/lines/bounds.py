"""How much of one mail is carried out, and the sentence about the rest.

What is cut off is named first in the answer, and the phase waits for it: an order is never lost
silently.
"""

from dataclasses import dataclass

from machjudge.language.commands.commands import Command, Set
from machjudge.reading import Line, MailFlaw
from machjudge.sentence import Sentence
from machjudge.service.session.answered_mail import Work
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
