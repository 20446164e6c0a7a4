"""What a mail says, as values: the outcome of reading one.

Nothing here knows how mails are written; see :mod:`machjudge.reading.reader` for that.
"""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
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


class Flaw(Enum):
    """Something wrong with a mail or a line of it; the value is the sentence for the reader."""

    EMPTY = "there is no text to read"
    UNREADABLE = "the structure of the mail cannot be read"
    NOT_TEXT = "what should be text is something else"
    ENCRYPTED = "the text is encrypted"
    SIGNON_ONLY_QUOTED = "the only signon stands in a quotation or signature; it does not count"
    DIRECTION = "the line holds characters that change the direction of writing; not read"
    CONTROL = "the line holds control characters; not read"
    UNDECODABLE = "the line holds bytes that are no text in any likely character set; not read"
    TOO_LONG = "the line is too long; not read"
    DEPENDS = "not read, because it depends on a line before it that was not read"
    TOO_MANY_LINES = "there are too many lines; those from here on were not read"
    TOO_MUCH_TEXT = "there is too much text; the lines from here on were not read"
    TEXT_CUT = "the mail is too large; only its beginning was read"
    QUOTE_CUT = "the quoted text is too long; not all of it was looked at"
    SEVERAL_SENDERS = "the mail names more than one sender"
    NO_SENDER = "the mail names no sender that can be read"
    BELOW_SIGNOFF = (
        "nothing below SIGNOFF is read; a mail opens one game only, so send a second signon and "
        "what belongs to it in a mail of its own"
    )
    LOOKS_AUTOMATIC = (
        "the header of this mail is that of automatic mail or of a mailing list (Precedence, "
        "List-Id or X-Auto-Response-Suppress); it was read because of the commands in it"
    )
    QUOTE_REST = "taken for the end of the quoted line above it; not read"
    AFTER_QUOTE = "text after the quoted mail was not read"
    OTHER_TEXT = "a further text in the mail was not read"
    ATTACHMENT = "an attachment was not read"


_REMARKS = frozenset(
    {Flaw.BELOW_SIGNOFF, Flaw.AFTER_QUOTE, Flaw.OTHER_TEXT, Flaw.ATTACHMENT, Flaw.QUOTE_CUT}
)


@dataclass(frozen=True, slots=True)
class Defect:
    """A flaw, and the line of the body where it is (counted from 1), if it is in a line."""

    flaw: Flaw
    line: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the sender has to be told (False: a remark, the mail was read as meant)."""
        return self.flaw not in _REMARKS

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        return where + self.flaw.value


@dataclass(frozen=True, slots=True)
class Line:
    """One line for the grammar."""

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


class Where(Enum):
    """Where something stands that was not read."""

    GREETING = "a greeting"
    CLOSING = "a closing formula, and what stands below it"
    SIGNATURE = "a signature"
    QUOTE = "quoted text"
    FURTHER = "a further text of the mail, such as one behind a picture"


@dataclass(frozen=True, slots=True)
class Aside:
    """A row beside the lines for the grammar: left out, and no defect."""

    number: int
    text: str
    """In normal form, without quote marks, bullets and emphasis."""
    where: Where


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A text file whose lines were read, because the mail itself held no orders."""

    name: str
    first: int
    """The number of its first line."""
    last: int


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as read. Header values are single lines without control characters."""

    sender: str | None
    """The address in From."""
    reply_to: str | None
    """The address in Reply-To, if it is exactly one and well formed."""
    display_name: str
    """The sender's name in From, or ""."""
    subject: str
    message_id: str | None
    """With its angle brackets."""
    references: tuple[str, ...]
    """The mails it answers, oldest first, the one in In-Reply-To last."""
    kind: Kind
    lines: tuple[Line, ...]
    """Empty if the mail is ignored."""
    defects: tuple[Defect, ...]
    body_hash: str
    """SHA-256 (hex) of the decoded text: the same for the same text, however it was encoded."""
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
    asides: tuple[Aside, ...] = ()
    """What was left out on purpose, in the order of the mail; an order may be among it."""
    senders: tuple[str, ...] = ()
    """Every address in its From fields, in lower case."""

    @property
    def answer_to(self) -> str | None:
        """The address for an answer: Reply-To before From; None if there is neither."""
        return self.reply_to or self.sender


@dataclass(frozen=True, slots=True)
class Limits:
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
