"""A letter of the outbox -> the bytes of a mail.  Pure: the same letter gives the same bytes.

So a letter that is sent twice, because nobody knows whether the relay has taken it, is the same
mail twice.  Header fields follow RFC 5322, RFC 3834 (automatic mail), RFC 2919 (List-Id) and RFC
2369 (List-Unsubscribe).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import formataddr
from functools import lru_cache
from urllib.parse import quote

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.mail.ids import ids_in, is_thread_root, list_id, own_message_id, thread_root
from machjudge.mail.route import tagged
from machjudge.reading import LOOP_HEADER
from machjudge.service.credentials.reply_tokens import LABEL, code_of, tag_of
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import Judge
from machjudge.service.ports.bounce_address import leaving_tag, return_tag
from machjudge.service.ports.mailbox import Letter
from machjudge.service.ports.mails import Attachment, Outgoing

MOST_REFERENCES = 20
"""How many Message-IDs of a thread are named; mail programs go by the first and the last ones."""

_LONGEST_LINE = 998  # RFC 5322, 2.1.1
_LONGEST_LOCAL = 64  # RFC 5321, 4.5.3.1.1
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_CONTROL_OR_SPACES = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_INTERNATIONAL = re.compile(r"{0}@{0}".format(r"[^\x00-\x20\x7f-\xa0<>()\[\],;:\\\"@]+"))
# A line that begins so gets a ">" in many mailboxes (RFC 4155).
_FROM = re.compile("^From ", re.MULTILINE)
_SAFE = "quoted-printable"
_LINE_END = re.compile(r"\r\n|\r|\u2028|\u2029")


class Unwritable(MachjudgeError):
    """A letter that cannot be written as a mail, and why."""


@dataclass(frozen=True, slots=True)
class ComposedMail:
    """A mail and its envelope, ready for the relay."""

    sender: str
    """The envelope sender, to which bounces go: the judge's address with the letter's own tag."""
    recipient: str
    content: bytes

    @property
    def international(self) -> bool:
        """Whether the relay must know SMTPUTF8 for it (RFC 6531)."""
        return not self.recipient.isascii()


@dataclass(frozen=True, slots=True)
class _Post:
    """A letter with all that only the judge knows of it."""

    letter: Letter
    judge: Judge
    secret: JudgeSecret

    @property
    def tag(self) -> str:
        """The tag of its reply token; empty where it has none."""
        speaks = self.letter.outgoing.reply
        return "" if speaks is None else tag_of(code_of(self.secret, speaks))


def compose(letter: Letter, judge: Judge, secret: JudgeSecret) -> ComposedMail:
    """The mail of a letter, with its token and its address for bounces.

    Raises Unwritable, for instance for a recipient that is no address.
    """
    post = _Post(letter, judge, secret)
    secret.check()
    try:
        content = _content(post)
    except Exception as fault:  # the library raises many things for addresses and media types
        message = f"letter {letter.id} cannot be written: {type(fault).__name__}"
        raise Unwritable(message) from fault
    return ComposedMail(_sender(post), letter.outgoing.to, content)


def _sender(post: _Post) -> str:
    """Where bounces go."""
    return _own(post.judge.address, return_tag(post.secret, post.letter.id))


def _own(judge: str, tag: str) -> str:
    """The judge's address with a tag; the plain one where its local part would be too long."""
    own = tagged(judge, tag)
    return own if len(own.rpartition("@")[0]) <= _LONGEST_LOCAL else judge


def _content(post: _Post) -> bytes:
    machine_fields = "".join(f"{name}: {text}\r\n" for name, text in _fields(post))
    said = _said(post)
    return machine_fields.encode("ascii") + _people_fields(post) + said.as_bytes()


def _people_fields(post: _Post) -> bytes:
    """What people read in the header: from whom, to whom, about what."""
    outgoing, judge = post.letter.outgoing, post.judge
    international = not outgoing.to.isascii()
    fields = (
        _mailbox("From", _name(judge), judge.address, international=international),
        _mailbox("To", "", outgoing.to, international=international),
        _field("Subject", _CONTROL_OR_SPACES.sub(" ", outgoing.subject).strip(), international),
    )
    return b"".join(fields)


def _name(judge: Judge) -> str:
    """What stands before the judge's address."""
    return f"{judge.code} judge"


def _said(post: _Post) -> EmailMessage:
    """What the message says, and what is attached to it."""
    letter, outgoing = post.letter, post.letter.outgoing
    message = EmailMessage(policy=SMTP if outgoing.to.isascii() else SMTPUTF8)
    text = _clean(outgoing.body) + (f"\n{LABEL} {post.tag}\n" if post.tag else "")
    message.set_content(text, charset="utf-8", cte=_encoding(text))
    if message["Content-Transfer-Encoding"] == _SAFE:
        message.set_payload(_FROM.sub("=46rom ", str(message.get_payload())))
    # Mail programs offer to enter an invitation that stands beside the text.
    for attachment in sorted(outgoing.attachments, key=_is_invitation, reverse=True):
        _attach(message, attachment)
    for number, part in enumerate(each for each in message.walk() if each.is_multipart()):
        inner = f".{number}" if number else ""
        part.set_boundary(f"=_{letter.id}.{letter.made:%Y%m%d%H%M%S%f}{inner}_=")
    return message


@lru_cache(maxsize=4096)
def _mailbox(name: str, display: str, address: str, *, international: bool) -> bytes:
    """A field with one address.  Raises what the library raises for an address that is none."""
    local, _, domain = address.rpartition("@")
    # The library refuses local parts beyond ASCII (RFC 6531), but writes them.
    if not address.isascii() and _INTERNATIONAL.fullmatch(address):
        value = Address(display, username=local, domain=domain)
    else:
        value = Address(display, addr_spec=address)
    return _folded(name, value, international=international)


@lru_cache(maxsize=1024)
def _field(name: str, text: str, international: bool) -> bytes:
    return _folded(name, text, international=international)


def _folded(name: str, value: str | Address, *, international: bool) -> bytes:
    """A line or more of the header (RFC 5322)."""
    policy = SMTPUTF8 if international else SMTP
    return policy.fold_binary(*policy.header_store_parse(name, value))


def _fields(post: _Post) -> Iterator[tuple[str, str]]:
    """What machines read; folded here, because the library would encode a long Message-ID."""
    letter, judge, outgoing = post.letter, post.judge, post.letter.outgoing
    domain = judge.address.rpartition("@")[2]
    yield "Message-ID", own_message_id(letter.id, letter.made, domain, post.tag)
    if post.tag:
        own = _own(judge.address, post.tag)
        yield "Reply-To", formataddr((_name(judge), own))
    yield "Date", f"{letter.made:%a, %d %b %Y %H:%M:%S +0000}"
    if references := _references(outgoing, domain):
        yield "In-Reply-To", references[-1]
        yield "References", "\r\n ".join(references)
    yield "Auto-Submitted", "auto-replied" if outgoing.answers else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, f"<{judge.address}>"
    if outgoing.game is not None:
        yield "List-Id", list_id(outgoing.game, domain)
    if outgoing.observer is not None or outgoing.digest_of is not None:
        address = _own(judge.address, leaving_tag(post.secret, letter.id))
        yield "List-Unsubscribe", f"<mailto:{quote(address, safe='@+')}?subject=unsubscribe>"


def _references(outgoing: Outgoing, domain: str) -> list[str]:
    """The thread: its root, which all letters of a phase share, then the mails answered.

    The roots of other phases are left out: a mail program would put the two threads together.
    """
    answered = ids_in(" ".join([*outgoing.references, outgoing.answers or ""]))
    root: list[str] = []
    if outgoing.game is not None:
        game = outgoing.game
        root = [thread_root(game, outgoing.phase, domain)]
        answered = tuple(each for each in answered if not is_thread_root(each, game, domain))
    # The last one is the mail that is answered, even if it stands among the older ones too.
    before = [each for each in answered[:-1] if each not in answered[-1:]]
    latest = list(dict.fromkeys(before))[-MOST_REFERENCES:]
    return [*root, *latest, *answered[-1:]]


def _clean(body: str) -> str:
    """The text with line ends of one kind and without control signs; it ends with a line end."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _LINE_END.sub("\n", body)).rstrip("\n") + "\n"


def _encoding(text: str) -> str:
    """The transfer encoding: plain where no server on the way has a reason to change anything."""
    plain = text.isascii() and max(map(len, text.split("\n"))) <= _LONGEST_LINE
    return "7bit" if plain and not _FROM.search(text) else _SAFE


def _attach(message: EmailMessage, attachment: Attachment) -> None:
    kind, *parameters = attachment.media_type.split("; ")
    maintype, _, subtype = kind.partition("/")
    is_invitation = _is_invitation(attachment)
    add = message.add_alternative if is_invitation else message.add_attachment
    add(
        attachment.content,
        maintype=maintype,
        subtype=subtype,
        filename=None if is_invitation else attachment.name,
        params=dict(each.split("=") for each in parameters),
    )


def _is_invitation(attachment: Attachment) -> bool:
    """Whether it is a calendar's invitation (RFC 5546, 3.2.2)."""
    return attachment.media_type.endswith("; method=REQUEST")
