"""Does a mail prove the address in its From?  By its own DKIM signature, or a trusted host's word.

DKIM is RFC 6376, Authentication-Results RFC 8601.  A signature counts for the address whose domain
is the signer's or lies below it, if it covers From and the whole text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from machjudge.mail.keys import SECONDS, KeyFinder
from machjudge.service.ports.stale import SenderNotKnownYet

if TYPE_CHECKING:
    import dkim

Dns = Callable[..., bytes | None]
"""The TXT record of a name; the library adds a timeout in seconds."""

_MOST_SIGNATURES = 3
_LEAST_BITS = 1024
_ALGORITHM = b"rsa-sha256"
"""The one that RFC 8301 leaves and all servers know."""
_LONGEST = 10_000
_FLAGS = re.IGNORECASE | re.MULTILINE
_FIELD = re.compile(rb"^authentication-results[ \t]*:((?:.*\n[ \t])*.*)$", _FLAGS)
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
_COMMENT = re.compile(r"\([^()]*\)")
_MOST_NESTED = 10
_METHOD = re.compile(r"\s*(\w+)(?:\s*/\s*1)?\s*=\s*(\w+)", re.ASCII)
_PROPERTY = re.compile(r"\b(header\s*\.\s*(?:d|i|from))\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DnsSenderChecks:
    """Proofs of senders; *dns* finds TXT records, *host* is whose results are believed."""

    host: str = ""
    """The authserv-id of the keeper's own mail server; empty: no results are believed."""
    dns: Dns = field(default_factory=KeyFinder)

    def is_verified(self, raw: bytes, address: str) -> bool:
        """Whether the mail *raw* proves that it comes from *address*, the one in its From.

        Raises SenderNotKnownYet if a name server did not answer in time.
        """
        domain = address.rpartition("@")[2].lower().rstrip(".")
        if not domain:
            return False
        return _is_vouched_for(raw, domain, self.host) or self._is_signed(raw, domain)

    def _is_signed(self, raw: bytes, domain: str) -> bool:
        """Whether the first signature of the domain over From and the whole text is right."""
        import dkim  # noqa: PLC0415  takes long to load, and few mails are signed

        try:
            mail = dkim.DKIM(raw, logger=_Silent(), minkey=_LEAST_BITS, timeout=SECONDS)
        except Exception:  # a header that is none; the library raises many things for it
            return False
        numbers = range(_MOST_SIGNATURES)
        # For others no name server is asked: they would prove nothing.
        number = next((each for each in numbers if _is_for(mail, each, domain)), None)
        return number is not None and self._is_right(mail, number)

    def _is_right(self, mail: "dkim.DKIM", number: int) -> bool:
        try:
            return bool(mail.verify(number, dnsfunc=self.dns))
        except SenderNotKnownYet:
            raise
        # Whatever strangers write into a signature, or their name servers say, proves nothing.
        except Exception as fault:
            log.info("signature refused", fault=type(fault).__name__)
            return False


class _Silent:
    """A logger for a library that would repeat the mail."""

    def __getattr__(self, _: str) -> Callable[..., None]:
        return lambda *_args, **_more: None


def _is_for(mail: "dkim.DKIM", number: int, domain: str) -> bool:
    """Whether a signature is one of the domain, and covers From and the whole text."""
    try:
        found = mail.verify_headerprep(number)
    except Exception:
        return False
    if not found:
        return False
    fields, names, _ = found
    signer = fields[b"d"].decode("ascii", "replace")
    is_whole = b"l" not in fields and fields.get(b"a") == _ALGORITHM
    return is_whole and b"from" in names and is_aligned(signer, domain)


def is_aligned(signer: str, domain: str) -> bool:
    """Whether who signs for a domain may sign for another one: the same, or one below it."""
    signer = signer.lower().strip(".")
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


# --- the word of a trusted host --------------------------------------------------------------


def _is_vouched_for(raw: bytes, domain: str, host: str) -> bool:
    """Whether the topmost results of the trusted host say so; others anybody can write."""
    if not host:
        return False
    head = _END_OF_HEADER.split(raw, 1)[0]
    for found in _FIELD.finditer(head):
        parts = _plain(found[1].decode("utf-8", "replace")[:_LONGEST]).split(";")
        named = parts[0].split()
        if named and named[0].lower().rstrip(".") == host.lower().rstrip("."):
            is_first_version = named[1:] in ([], ["1"])
            return is_first_version and any(_vouches(part, domain) for part in parts[1:])
    return False


def _plain(text: str) -> str:
    """A field in one line, without comments and quoted text that could hide a semicolon."""
    line = re.sub(r"\s+", " ", text)
    for _ in range(_MOST_NESTED):
        line, changed = _COMMENT.subn(" ", line)
        if not changed:
            break
    return re.sub(r"\"[^\"]*;[^\"]*\"", "", line)


def _vouches(part: str, domain: str) -> bool:
    """Whether one result says that the domain of From was proven."""
    method = _METHOD.match(part)
    if method is None or method[2].lower() != "pass":
        return False
    match method[1].lower():
        case "dkim":
            return any(is_aligned(each, domain) for each in _values(part, "header.d"))
        case "dmarc":
            return any(each == domain for each in _values(part, "header.from"))
        case _:
            return False


def _values(part: str, name: str) -> Iterator[str]:
    for found in _PROPERTY.finditer(part):
        if re.sub(r"\s", "", found[1]).lower() == name:
            yield found[2].lower().rpartition("@")[2].rstrip(".")
