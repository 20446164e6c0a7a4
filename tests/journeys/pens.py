"""How people's mail programs write what they mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from textwrap import wrap

from tests.journeys.judge import JUDGE, QueuedMessage
from tests.judge.lines import html_replies


@dataclass(frozen=True)
class Writer:
    """Somebody who writes to the judge."""

    name: str
    address: str
    password: str


@dataclass(frozen=True)
class Written:
    """A mail, ready to be sent."""

    id: str
    copies: tuple[bytes, ...]
    """The mail as often as it is delivered."""


Pen = Callable[[Writer, Sequence[str], Sequence[QueuedMessage]], Written]
"""Writes lines as a mail; the last letter of the judge may be there to be answered."""


def plain(writer: Writer, lines: Sequence[str], _: Sequence[QueuedMessage] = ()) -> Written:
    """A mail of text and nothing else."""
    mail = _head(writer)
    mail.set_content("\n".join(lines) + "\n")
    return _written(mail)


def html(writer: Writer, lines: Sequence[str], _: Sequence[QueuedMessage] = ()) -> Written:
    """A mail of HTML and nothing else, as some telephones write it."""
    mail = _head(writer)
    rows = "".join(f"<div>{line.replace(' ', '&nbsp;')}<br></div>" for line in lines)
    style = "<style>div { font-family: Verdana; color: #123456 }</style>"
    mail.set_content(
        f"<html><head>{style}</head><body>{rows}<br><div>Sent from my phone</div></body></html>",
        subtype="html",
        cte="base64",
    )
    return _written(mail)


def reply(writer: Writer, lines: Sequence[str], last: Sequence[QueuedMessage]) -> Written:
    """An answer over the judge's letter, which stands quoted below it."""
    (letter,) = last
    mail = _head(writer)
    del mail["Subject"]
    mail["Subject"] = f"Re: {letter.subject}"
    mail["In-Reply-To"] = str(letter.mail["Message-ID"])
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
    attribution = f"On Fri, 20 Nov 2026 at 19:30, MACH judge <{JUDGE}> wrote:"
    mail.set_content("\n".join([*lines, "", attribution, "", quoted, ""]))
    return _written(mail)


def twice(writer: Writer, lines: Sequence[str], _: Sequence[QueuedMessage] = ()) -> Written:
    """A mail that some server on the way delivers again, with another trace line."""
    once = plain(writer, lines)
    again = b"Received: from relay.example by another way\r\n" + once.copies[0]
    return Written(once.id, (*once.copies, again))


PENS: Mapping[str, Pen] = {"plain": plain, "html": html, "reply": reply, "twice": twice}


def _head(writer: Writer) -> EmailMessage:
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f"{writer.name} <{writer.address}>"
    mail["To"] = JUDGE
    mail["Subject"] = "my orders"
    mail["Message-ID"] = make_msgid(domain="players.example")
    return mail


def _written(mail: EmailMessage) -> Written:
    return Written(str(mail["Message-ID"]), (mail.as_bytes(),))


# --- answers to a message, as programs lay them out ---------------------------------------------


def gmail(text: str, letter: QueuedMessage) -> tuple[str, str]:
    """Gmail on the web, in HTML: the quotation has a class of its own."""
    return html_replies.gmail(_html_of(letter), text.split("\n"), ()), "html"


def outlook(text: str, letter: QueuedMessage) -> tuple[str, str]:
    """Outlook for Windows, in HTML: Word writes the quotation anew, below a rule."""
    return html_replies.outlook(_html_of(letter), text.split("\n"), ()), "html"


def marked(text: str, letter: QueuedMessage) -> tuple[str, str]:
    """Plain text with marks, and nothing that announces them."""
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
    return f"{text}\n\n{quoted}\n", "plain"


def wrapped(text: str, letter: QueuedMessage) -> tuple[str, str]:
    """Plain text in which every row of the message is broken anew, without a mark."""
    rows = [row for line in letter.text.splitlines() for row in wrap(line, 38) or [""]]
    quoted = "\n".join(rows)
    return (
        f"{text}\n\nOp vr 20 nov 2026 om 19:30 schreef MACH judge\n<{JUDGE}>:\n\n{quoted}\n",
        "plain",
    )


def unknown(text: str, letter: QueuedMessage) -> tuple[str, str]:
    """A program that nobody knows: no mark, and an announcement in a language of its own."""
    return (
        f"{text}\n\n---- Na Čt, 20 lis 2026 19:30 MACH judge napsal ----\n\n{letter.text}\n",
        "plain",
    )


PROGRAMS: Mapping[str, Callable[[str, QueuedMessage], tuple[str, str]]] = {
    "gmail": gmail,
    "outlook": outlook,
    "marked": marked,
    "wrapped": wrapped,
    "unknown": unknown,
}


def answering(
    writer: Writer, text: str, letter: QueuedMessage, program: str, subject: str = "Re: {}"
) -> Written:
    """An answer to a message of the judge; *subject* has a place for that of the message."""
    mail = _head(writer)
    del mail["Subject"]
    mail["Subject"] = subject.format(letter.subject)
    mail["In-Reply-To"] = str(letter.mail["Message-ID"])
    body, kind = PROGRAMS[program](text, letter)
    mail.set_content(body, subtype=kind)
    return _written(mail)


def _html_of(letter: QueuedMessage) -> str:
    part = letter.mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())
