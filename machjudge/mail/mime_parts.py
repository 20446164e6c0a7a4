"""The parts of a mail as bytes (RFC 2045, 2046, 2387): texts, files, and what holds several.

Written here, because the library takes most of the time of a mail for what is a few lines.
"""

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import MIMEPart
from email.policy import SMTP
from functools import lru_cache

from machjudge.service.ports.mails import Attachment

_LONGEST_LINE = 998  # RFC 5322, 2.1.1
_BASE64_LINE = 76  # RFC 2045, 6.8
# A line that begins so gets a ">" in many mailboxes (RFC 4155).
_FROM = b"From "
_FROM_LINE = re.compile(rb"^From ", re.MULTILINE)


def text_part(kind: str, text: str) -> bytes:
    """A text that ends with a line end: plain where no server on the way has a reason to change it.

    *kind* is ``plain`` or ``html``.
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
    """A file to keep; with a *content_id* a picture that the HTML shows; or an invitation."""
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
    """The content in lines (RFC 2045, 6.8); kept, as readers get the same picture one by one."""
    encoded = b2a_base64(content, newline=False)
    lines = (encoded[at : at + _BASE64_LINE] for at in range(0, len(encoded), _BASE64_LINE))
    return b"".join(line + b"\r\n" for line in lines)


def is_invitation(file: Attachment) -> bool:
    """Whether it is a calendar's invitation, which stands beside the text (RFC 5546, 3.2.2)."""
    return file.media_type.endswith("; method=REQUEST")


@dataclass(slots=True)
class Multiparts:
    """Makes what holds several parts; no two of one mail have the same boundary."""

    name: str
    """What is in the boundaries, and in no part."""
    made: int = 0

    def of(self, kind: str, parts: Iterable[bytes], more: str = "") -> bytes:
        """The parts in a ``multipart/`` of that *kind*; one alone stays as it is."""
        several = [*parts]
        if len(several) == 1:
            return several[0]
        boundary = f"=_{self.name}{f'.{self.made}' if self.made else ''}_="
        self.made += 1
        head = f'Content-Type: multipart/{kind};{more}\r\n boundary="{boundary}"\r\n\r\n'
        line = f"--{boundary}".encode("ascii")
        held = b"".join(line + b"\r\n" + part.rstrip(b"\r\n") + b"\r\n\r\n" for part in several)
        return head.encode("ascii") + held + line + b"--\r\n"
