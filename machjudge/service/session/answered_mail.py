"""The mail being handled, and what its answer says so far: what was done, and what was refused."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from machjudge.letters.page.page import Stationery
from machjudge.letters.page.reply import Answer
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line, Mail, hidden_in, redact_line, redact_sentence, redacted_column
from machjudge.sentence import Sentence, Wording
from machjudge.service.model.records import MailId
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.message_parts import Part
from machjudge.service.ports.services import Services
from machjudge.service.session.incoming import SaidLines

NOT_READ = Sentence("session.rest_not_read")


class Work:
    """What larger things cost of the work that one mail may ask for, in simple commands.

    Each takes some milliseconds, or some kilobytes of the answer; nobody looks at a clock.
    """

    MOST = 150
    PICTURE = 30
    REPLAY = 40
    HISTORY = 10
    PLACES = 3
    """The places of a board in words."""
    SIGNS = 4_000
    """Of a text for one unit."""


@dataclass(slots=True)
class AnsweredMail:
    """A mail and its answer; a password of the mail is in no line of it."""

    services: Services
    uow: UnitOfWork
    """For reading only."""
    mail: Mail
    mail_id: MailId
    received: datetime
    now: datetime
    said: SaidLines = field(default_factory=SaidLines)
    """What its lines say."""
    answer: Answer = field(default_factory=Answer)
    changes: Changes = field(default_factory=Changes)
    letters: list[Outgoing | Part] = field(default_factory=list)
    """What goes out besides the answer."""
    is_closed: bool = False
    """Whether nothing more of the mail is read."""
    is_cut: bool = False
    """Whether the mail is too long, so that its end was not read."""
    work: int = 0
    """How much it has asked for so far, in units of a simple command (see `Work`)."""
    secrets: set[str] = field(default_factory=set)
    """The passwords of this mail; no answer and no log repeats one."""

    @property
    def paper(self) -> Stationery:
        """The templates in the language of whoever gets the answer."""
        return self.services.paper

    def log_words(self, wording: Wording) -> str:
        """A sentence as the log of a game has it, in the same language for all its readers."""
        return redact_sentence(self.services.paper.say(wording), self.secrets)

    def say(self, wording: Wording) -> str:
        """A sentence in the words of its reader, without a password of the mail."""
        return redact_sentence(self.paper.say(wording), self.secrets)

    def done(self, wording: Wording) -> None:
        """Say what was done."""
        self.answer.done += self.say(wording).split("\n")

    def refuse(
        self,
        line: Line,
        reason: Wording,
        instead: Wording | None = None,
        note: Wording = "",
        **marks: Any,  # noqa: ANN401  where in the line, as `Trouble` has it
    ) -> None:
        """Say what was not taken, and why; *instead* is a line that would have been right."""
        told = Trouble(line.number, line.text, reason, instead=instead, note=note, **marks)
        self.take_trouble(told)

    def take_trouble(self, trouble: Trouble) -> None:
        """Say what was not taken, without a password of the mail."""
        secrets = self.secrets | hidden_in(trouble.line, self.secrets)
        near, column, part = trouble.instead, trouble.column, trouble.part
        say = self.paper.say
        moved = partial(redacted_column, trouble.line, secrets=self.secrets)
        self.answer.troubles.append(
            replace(
                trouble,
                line=self.safe(trouble.line),
                reason=redact_sentence(say(trouble.reason), secrets),
                column=None if column is None else moved(column),
                part=None if part is None else (moved(part[0]), moved(part[1])),
                instead=None if near is None else redact_sentence(say(near), secrets),
                is_usage=isinstance(near, Sentence),
            )
        )

    def refuse_all(
        self, line: Line, reason: Wording, instead: Wording | None = None, note: Wording = NOT_READ
    ) -> None:
        """Refuse a line on which everything after it depends, and read no further."""
        self.refuse(line, reason, instead=instead, note=note)
        self.is_closed = True

    def safe(self, text: str) -> str:
        """Text of the mail without a password."""
        return redact_line(text, self.secrets)

    def send(self, letter: Outgoing | Part) -> None:
        """Send a letter, or a part of one, besides the answer."""
        self.letters.append(letter)
