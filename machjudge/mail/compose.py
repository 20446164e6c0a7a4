"""Compose a message of the outbox as a mail. Pure: the same message gives the same bytes.

So a message sent twice is one mail. Header fields follow RFC 5322, RFC 3834 (automatic mail), RFC
2919 (List-Id) and RFC 2369 (List-Unsubscribe).
"""

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import MIMEPart
from email.policy import SMTP, SMTPUTF8
from email.utils import formataddr
from functools import lru_cache, partial
from textwrap import wrap
from urllib.parse import quote

from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.credentials import LABEL, code_of, tag_of
from machjudge.judge.mails import (
    Attachment,
    Outgoing,
    QueuedMessage,
    hidden_number,
    leaving_tag,
    return_tag,
)
from machjudge.judge.records import Judge
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.addresses import (
    ids_in,
    is_thread_root,
    list_id,
    own_message_id,
    tagged,
    thread_root,
)
from machjudge.mail.html import Laid, html_of
from machjudge.mail_parser.reader import LOOP_HEADER, RETURN_HEADER

# The parts of a mail as bytes (RFC 2045, 2046, 2387): texts, files, and what holds several.
# Written here, because the library takes most of the time of a mail for what is a few lines.
_LONGEST_LINE = 998  # RFC 5322, 2.1.1
_BASE64_LINE = 76  # RFC 2045, 6.8
# A line that begins so gets a ">" in many mailboxes (RFC 4155).
_FROM = b"From "
_FROM_LINE = re.compile(rb"^From ", re.MULTILINE)


def text_part(kind: str, text: str) -> bytes:
    """Return a part of *kind* ``plain`` or ``html``, in 7bit if no server would change that.

    *text* ends with a line end.
    """
    content = text.replace("\n", "\r\n").encode()
    longest = max(map(len, content.split(b"\r\n")))
    tells_from = content.startswith(_FROM) or b"\n" + _FROM in content
    is_safe = content.isascii() and longest <= _LONGEST_LINE and not tells_from
    if not is_safe:
        content = _FROM_LINE.sub(b"=46rom ", b2a_qp(content))
    encoding = "7bit" if is_safe else "quoted-printable"
    head = (
        f'Content-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: {encoding}\r\n'
    )
    return head.encode("ascii") + b"\r\n" + content


def file_part(file: Attachment, content_id: str = "") -> bytes:
    """Return a part with a file, a picture with *content_id*, or an invitation."""
    disposition = "" if is_invitation(file) else "inline" if content_id else "attachment"
    shown = f"Content-ID: <{content_id}>\r\n" if content_id else ""
    head = _file_fields(file.media_type, file.name, disposition) + shown.encode("ascii")
    return head + b"\r\n" + _base64(file.content)


@lru_cache(maxsize=256)
def _file_fields(media_type: str, name: str, disposition: str) -> bytes:
    """What the header says of a file; without a *disposition* it has no name either."""
    kind, *parameters = media_type.split("; ")
    maintype, _, subtype = kind.partition("/")
    part = MIMEPart(policy=SMTP)
    part.set_content(
        b"",
        maintype=maintype,
        subtype=subtype,
        disposition=disposition or None,
        filename=name if disposition else None,
        params=dict(each.split("=") for each in parameters),
    )
    return part.as_bytes().rstrip() + b"\r\n"


@lru_cache(maxsize=32)
def _base64(content: bytes) -> bytes:
    """The content in lines (RFC 2045, 6.8), cached for equal pictures."""
    encoded = b2a_base64(content, newline=False)
    lines = [encoded[at : at + _BASE64_LINE] for at in range(0, len(encoded), _BASE64_LINE)]
    return b"\r\n".join([*lines, b""])


def is_invitation(file: Attachment) -> bool:
    """Return whether it is an invitation, which stands beside the text (RFC 5546, 3.2.2)."""
    return file.media_type.endswith("; method=REQUEST")


@dataclass(slots=True)
class Multiparts:
    """Makes multipart parts with distinct boundaries."""

    name: str
    """The base of the boundaries, which is in no part."""
    made: int = 0

    def of(self, kind: str, parts: Iterable[bytes], more: str = "") -> bytes:
        """Return the parts in a ``multipart/`` of *kind*; a single part stays as it is."""
        several = [*parts]
        if len(several) == 1:
            return several[0]
        boundary = f"=_{self.name}{f'.{self.made}' if self.made else ''}_="
        self.made += 1
        head = f'Content-Type: multipart/{kind};{more}\r\n boundary="{boundary}"\r\n\r\n'
        line = f"--{boundary}".encode("ascii")
        held = b"".join(line + b"\r\n" + part.rstrip(b"\r\n") + b"\r\n\r\n" for part in several)
        return head.encode("ascii") + held + line + b"--\r\n"


MAX_REFERENCES = 20
"""The most Message-IDs named of a thread: mail programs use the first and last ones."""

_LINE = 78  # RFC 5322, 2.1.1
_LONGEST_LOCAL = 64  # RFC 5321, 4.5.3.1.1
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_CONTROL_OR_SPACES = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_INTERNATIONAL = re.compile(r"{0}@{0}".format(r"[^\x00-\x20\x7f-\xa0<>()\[\],;:\\\"@]+"))
_LINE_END = re.compile(r"\r\n|\r|\u2028|\u2029")


class Unwritable(MachjudgeError):
    """A message cannot be written as a mail."""


@dataclass(frozen=True, slots=True)
class ComposedMail:
    """A mail and its envelope, ready for the relay."""

    sender: str
    """The envelope sender for bounces: the judge's address with the message's tag."""
    recipient: str
    content: bytes

    @property
    def international(self) -> bool:
        """Return whether the relay must know SMTPUTF8 for it (RFC 6531)."""
        return not self.recipient.isascii()


@dataclass(frozen=True, slots=True)
class _Post:
    """A message with the judge's secrets of it."""

    message: QueuedMessage
    judge: Judge
    secret: JudgeSecret
    number: str
    """The public form of its number."""
    tag: str
    """The tag of its reply token, or ""."""
    bounces_to: str
    """The envelope sender: the message's own address, where there may be one."""


def compose(message: QueuedMessage, judge: Judge, secret: JudgeSecret) -> ComposedMail:
    """Return the mail of a message, with token and bounce address.  Raises Unwritable."""
    secret.check()
    scope = message.outgoing.reply
    tag = "" if scope is None else tag_of(code_of(secret, scope))
    bounces_to = judge.address
    if not judge.plain_envelope:
        bounces_to = _own(judge, return_tag(secret, message.id))
    post = _Post(message, judge, secret, hidden_number(secret, message.id), tag, bounces_to)
    try:
        content = _content(post)
    except Exception as fault:  # the library raises many things for addresses and media types
        says = f"message {message.id} cannot be written: {type(fault).__name__}"
        raise Unwritable(says) from fault
    return ComposedMail(bounces_to, message.outgoing.to, content)


def _own(judge: Judge, tag: str) -> str:
    """The judge's address with a tag, if that may be and is not too long."""
    own = tagged(judge.address, tag)
    is_usable = judge.plus and len(own.rpartition("@")[0]) <= _LONGEST_LOCAL
    return own if is_usable else judge.address


def _content(post: _Post) -> bytes:
    machine_fields = "".join([f"{name}: {text}\r\n" for name, text in _fields(post)])
    return (
        machine_fields.encode("ascii")
        + _people_fields(post)
        + b"MIME-Version: 1.0\r\n"
        + _said(post)
    )


def _people_fields(post: _Post) -> bytes:
    """The fields that people read."""
    outgoing, judge = post.message.outgoing, post.judge
    international = not outgoing.to.isascii()
    subject = _CONTROL_OR_SPACES.sub(" ", outgoing.subject).strip()
    fields = (
        _mailbox("From", _name(judge), judge.address, international=international),
        _mailbox("To", "", outgoing.to, international=international),
        _subject(subject, international=international),
    )
    return b"".join(fields)


def _name(judge: Judge) -> str:
    return f"{judge.code} judge"


def _said(post: _Post) -> bytes:
    message, files = post.message, post.message.outgoing.attachments
    # Nobody can write a line that ends a part: it follows from the secret.
    holder = Multiparts(post.secret.code("mail/parts", message.id))
    # Mail programs offer to enter an invitation that stands beside the text.
    beside = [file_part(each) for each in files if is_invitation(each)]
    below = [file_part(each) for each in files if not (each.cid or is_invitation(each))]
    text = _with_code(_clean(message.outgoing.body), post.tag)
    forms = [text_part("plain", text), *_html(post, holder), *beside]
    return holder.of("mixed", [holder.of("alternative", forms), *below])


def _with_code(text: str, tag: str) -> str:
    return f"{text}\n{LABEL} {tag}\n" if tag else text


def _html(post: _Post, holder: Multiparts) -> Iterator[bytes]:
    """The HTML part with its pictures, if the message has a layout."""
    outgoing = post.message.outgoing
    language, _, kinds = outgoing.layout.partition(" ")
    if not language:
        return
    shown = [each for each in outgoing.attachments if each.cid]
    domain = post.judge.address.rpartition("@")[2]
    ids = {each.cid: f"{each.cid}.{post.number}@{domain}" for each in shown}
    body = _clean(outgoing.body)
    text, kinds = _with_code(body, post.tag), f"{kinds:.<{body.count(chr(10))}} n"
    areas = tuple(area for each in shown for area in each.areas)
    address = partial(_mailto, post)
    page = Laid(text, kinds, language, outgoing.subject, address, tuple(ids.values()), areas)
    pictures = [file_part(each, ids[each.cid]) for each in shown]
    html = text_part("html", html_of(page))
    yield holder.of("related", [html, *pictures], ' type="text/html";')


def _mailto(post: _Post, lines: str) -> str:
    """A ``mailto:`` for lines in reply to this mail (RFC 6068), with its code as proof."""
    own = _own(post.judge, post.tag)
    if not post.tag:
        return ""
    said = lines if own != post.judge.address else f"{lines}\n{LABEL} {post.tag}"
    subject = quote(f"Re: {post.message.outgoing.subject.removeprefix('Re: ')}", safe="")
    body = quote(said.replace("\n", "\r\n") + "\r\n", safe="")
    return f"mailto:{quote(own, safe='@')}?subject={subject}&body={body}"


@lru_cache(maxsize=4096)
def _mailbox(name: str, display: str, address: str, *, international: bool) -> bytes:
    """A field with one address.  Raises the library's error for an invalid one."""
    local, _, domain = address.rpartition("@")
    # The library refuses local parts beyond ASCII (RFC 6531), but writes them.
    if not address.isascii() and _INTERNATIONAL.fullmatch(address):
        value = Address(display, username=local, domain=domain)
    else:
        value = Address(display, addr_spec=address)
    return _folded(name, value, international=international)


@lru_cache(maxsize=1024)
def _subject(text: str, *, international: bool) -> bytes:
    """The subject; a plain one begins on the line of its name."""
    plain = f"Subject: {text}"
    lines = wrap(plain, _LINE, break_long_words=False, break_on_hyphens=False)
    if plain.isascii() and "=?" not in plain and " ".join(lines) == plain:
        return "\r\n ".join(lines).encode() + b"\r\n"
    # The library leaves a space where it breaks a line, and begins the next with another.
    folded = _folded("Subject", text, international=international)
    return folded.replace(b" \r\n ", b"\r\n ")


def _folded(name: str, value: str | Address, *, international: bool) -> bytes:
    """A line or more of the header (RFC 5322)."""
    policy = SMTPUTF8 if international else SMTP
    return policy.fold_binary(*policy.header_store_parse(name, value))


def _fields(post: _Post) -> Iterator[tuple[str, str]]:
    """The machine-readable fields, folded here: the library would encode a long Message-ID."""
    message, judge, outgoing = post.message, post.judge, post.message.outgoing
    domain = judge.address.rpartition("@")[2]
    yield "Message-ID", own_message_id(post.number, message.made, domain, post.tag)
    if post.tag:
        yield "Reply-To", formataddr((_name(judge), _own(judge, post.tag)))
    yield "Date", f"{message.made:%a, %d %b %Y %H:%M:%S +0000}"
    if references := _references(outgoing, domain):
        yield "In-Reply-To", references[-1]
        yield "References", "\r\n ".join(references)
    yield "Auto-Submitted", "auto-replied" if outgoing.answers else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, f"<{judge.address}>"
    if post.bounces_to == judge.address:
        yield RETURN_HEADER, return_tag(post.secret, message.id)
    if outgoing.game is not None:
        yield "List-Id", list_id(outgoing.game, domain)
    if outgoing.observer is not None or outgoing.digest_of is not None:
        tag = leaving_tag(post.secret, message.id)
        address = _own(judge, tag)
        # Without an address of its own, the subject says which message it is.
        subject = "unsubscribe" if address != judge.address else tag
        yield "List-Unsubscribe", f"<mailto:{quote(address, safe='@+')}?subject={subject}>"


def _references(outgoing: Outgoing, domain: str) -> list[str]:
    """The thread: its root, then the mails answered.

    Roots of other phases are left out, so that mail programs keep the threads apart.
    """
    answered = ids_in(" ".join([*outgoing.references, outgoing.answers or ""]))
    root: list[str] = []
    if outgoing.game is not None:
        game = outgoing.game
        root = [thread_root(game, outgoing.phase, domain)]
        answered = tuple(each for each in answered if not is_thread_root(each, game, domain))
    # The last one is the mail that is answered, even if it stands among the older ones too.
    before = [each for each in answered[:-1] if each not in answered[-1:]]
    latest = list(dict.fromkeys(before))[-MAX_REFERENCES:]
    return [*root, *latest, *answered[-1:]]


def _clean(body: str) -> str:
    """The text with uniform line ends, a final one, and no control signs."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _LINE_END.sub("\n", body)).rstrip("\n") + "\n"
