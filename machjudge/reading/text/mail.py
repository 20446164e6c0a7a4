"""What a mail says, as values: the outcome of reading one.

Nothing here knows how mails are written; see :mod:`machjudge.reading.reader` for that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Self

from machjudge.sentence import Sentence


class MailKind(Enum):
    """What is to be done with a mail."""

    ORDERS = "orders"
    """Exactly its lines go on to the grammar."""
    IGNORE = "ignore"
    """Written by a machine: noted and never answered."""
    HOLD = "hold"
    """At most its lines may be read; one answer says what is wrong with it."""


class WhyIgnored(Enum):
    """The reason why a mail is never answered."""

    OWN_MAIL = "the mail is one of our own, or carries a loop header"
    TOO_MANY_HOPS = "the mail went through too many servers"
    BOUNCE = "a delivery report"
    AUTO_SUBMITTED = "the mail says that it was submitted automatically (RFC 3834)"
    AUTORESPONDER = "an automatic answer"
    SUPPRESSES_ANSWERS = "the mail asks for no automatic answers"
    BULK = "bulk mail"
    MAILING_LIST = "mail from a mailing list"
    ROBOT = "the sender is a machine or takes no answers"
    CALENDAR_REPLY = "the answer of a calendar"
    SUBJECT = "the subject is that of an automatic answer"
    NO_SENDER = "there is nobody to answer"


class MailFlaw(Enum):
    """Something wrong with a mail or a line of it."""

    EMPTY = "empty"
    UNREADABLE = "unreadable"
    NOT_TEXT = "not_text"
    ENCRYPTED = "encrypted"
    SIGNED_WHOLE = "signed_whole"
    OUTLOOK = "outlook"
    OTHER_FORMAT = "other_format"
    TEXTS_DIFFER = "texts_differ"
    SIGNON_ONLY_QUOTED = "signon_only_quoted"
    DIRECTION = "direction"
    CONTROL = "control"
    UNDECODABLE = "undecodable"
    TOO_LONG = "too_long"
    DEPENDS = "depends"
    TOO_MANY_LINES = "too_many_lines"
    TOO_MUCH_TEXT = "too_much_text"
    TEXT_CUT = "text_cut"
    QUOTE_CUT = "quote_cut"
    SEVERAL_SENDERS = "several_senders"
    NO_SENDER = "no_sender"
    BELOW_SIGNOFF = "below_signoff"
    LOOKS_AUTOMATIC = "looks_automatic"
    QUOTE_REST = "quote_rest"
    AFTER_QUOTE = "after_quote"
    OTHER_TEXT = "other_text"
    ATTACHMENT = "attachment"


_REMARKS = frozenset(
    {
        MailFlaw.BELOW_SIGNOFF,
        MailFlaw.AFTER_QUOTE,
        MailFlaw.OTHER_TEXT,
        MailFlaw.ATTACHMENT,
        MailFlaw.QUOTE_CUT,
    }
)


@dataclass(frozen=True, slots=True)
class Defect:
    """A flaw, and the line of the body where it is (counted from 1), if it is in a line."""

    flaw: MailFlaw
    line: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the sender has to be told (False: a remark, the mail was read as meant)."""
        return self.flaw not in _REMARKS

    @property
    def words(self) -> Sentence:
        """What is wrong, for the sender."""
        flaw = Sentence(f"reading.flaw.{self.flaw.value}")
        return Sentence("reading.defect", line=self.line, flaw=flaw)


class Owner(Enum):
    """Whose words a row of a mail is."""

    WRITER = "writer"
    JUDGE = "judge"
    """A message of the judge that the mail quotes."""
    QUOTE = "quotation"
    """Another quotation, or a text beside the one that is read."""
    FOOTER = "footer"
    """A signature, or what a mail program, a scanner or a company adds."""
    MACHINE = "machine"
    """The whole mail was written by a machine."""


class LineKind(Enum):
    """What a row of the writer is; the service says it once, where the game is known."""

    COMMAND = "command"
    ORDER = "order"
    """It is an order, or looks like one."""
    TEXT = "text"
    """Of a press or of a diary."""
    AGREEMENT = "agreement"
    QUESTION = "question"
    PROSE = "prose"


class Where(Enum):
    """Where something stands that was not read."""

    GREETING = "greeting"
    CLOSING = "closing"
    SIGNATURE = "signature"
    QUOTE = "quote"
    FURTHER = "further"


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a mail; the pieces of a row that a mail program has broken are one."""

    number: int
    """Its place in the body as its writer sees it, counted from 1."""
    text: str
    """In normal form (see :mod:`machjudge.reading.text.characters`), without bullets or emphasis;
    in press as it was written, but for characters that cannot be seen."""
    raw: str
    """As it was written; the pieces of a broken line are joined by a line feed. In press, the
    same as the text."""
    is_press: bool = False
    """Whether it is the text of a press and so no command, whatever it looks like."""
    part: tuple[int, int] | None = None
    """From where to where in its text somebody speaks of it, where that is not all of it."""
    owner: Owner = Owner.WRITER
    kind: LineKind | None = None
    where: Where | None = None
    """Where it stands, if it was left out on purpose; an order may stand there by mistake."""
    is_changed: bool = False
    """Whether its writer has put it in, or changed it, within words of the judge."""

    @property
    def first_word(self) -> str:
        """Its first word; empty if it has none, as an empty line of a press."""
        return next(iter(self.text.split(maxsplit=1)), "")


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A text file whose lines were read, because the mail itself held no orders."""

    name: str
    first: int
    """The number of its first line."""
    last: int


_SAID = frozenset({LineKind.COMMAND, LineKind.ORDER, LineKind.TEXT})


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as read. Header values are single lines without control characters."""

    sender: str | None
    """The address of the person whom the mail names as its writer: in From, or where a list or a
    server has replaced it, in Reply-To or the envelope."""
    reply_to: str | None
    """The address in Reply-To, if it is exactly one of a person."""
    display_name: str
    """The sender's name in From, or ""."""
    subject: str
    message_id: str | None
    """With its angle brackets."""
    references: tuple[str, ...]
    """The mails it answers, oldest first, the one in In-Reply-To last."""
    kind: MailKind
    rows: tuple[Line, ...]
    """Every row with its owner, in the order of the mail; also where the mail is ignored."""
    defects: tuple[Defect, ...]
    loop: bool
    """Whether it is one of our own mails coming back."""
    why_ignored: WhyIgnored | None = None
    attachments: tuple[str, ...] = ()
    """Names (or types) of the parts that were not read."""
    file: AttachedFile | None = None
    suspected: WhyIgnored | None = None
    """Why it may be automatic, although somebody seems to have written it."""
    codes: tuple[str, ...] = ()
    """What may be a reply code in it, the surest first."""
    senders: tuple[str, ...] = ()
    """Every address in its From fields, in lower case."""
    is_in_from: bool = True
    """Whether the sender's address stands in From, which is what servers vouch for."""
    by_list: bool = False
    """Whether it came by a mailing list or a server that puts itself in place of the writer."""
    quoted: tuple[str, ...] = ()
    """The messages of the judge of which rows are quoted, as far as they are known."""
    quotable: tuple[str, ...] = ()
    """Its words where it may quote a message of the judge (see `closest`), else none."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The rows that are read; none if the mail is ignored."""
        return tuple(row for row in self.rows if row.where is None and row.owner is Owner.WRITER)

    @property
    def unheard(self) -> tuple[Line, ...]:
        """The rows of a mail that is ignored: looked at for a proof, never obeyed."""
        return tuple(row for row in self.rows if row.where is None and row.owner is Owner.MACHINE)

    @property
    def asides(self) -> tuple[Line, ...]:
        """The rows that were left out on purpose."""
        return tuple(row for row in self.rows if row.where and row.owner is not Owner.MACHINE)

    def with_lines(self, lines: Iterable[Line]) -> Self:
        """The same mail with other rows to be read."""
        read = (replace(line, owner=Owner.WRITER) for line in lines)
        return replace(self, rows=(*read, *self.asides))

    @property
    def said(self) -> tuple[Line, ...]:
        """The rows with which its writer says something to the judge or to others: no prose."""
        return tuple(row for row in self.rows if row.owner is Owner.WRITER and row.kind in _SAID)

    @property
    def has_own_words(self) -> bool:
        """Whether its writer says anything at all beside what is quoted."""
        return any(row.owner is Owner.WRITER for row in self.rows)

    @property
    def instructions(self) -> tuple[Line, ...]:
        """Its lines without the text of any press: only these may be orders and commands."""
        return tuple(line for line in self.lines if not line.is_press)


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much of a mail is read. Beyond these, the mail is held with a defect."""

    lines: int = 2_000
    """Lines handed on."""
    characters: int = 1_000
    """Characters of one line."""
    said: int = 30_000
    """Characters of all lines handed on, without those of press."""
    rows: int = 6_000
    """Rows of the body looked at, quoted text included."""
    shown: int = 300_000
    """Characters of these rows."""
    text: int = 1_100_000
    """Bytes of the body looked at, markup included."""

    @property
    def longest(self) -> int:
        """Characters of one line of press; it is handed on in pieces of *characters*."""
        return 20 * self.characters
