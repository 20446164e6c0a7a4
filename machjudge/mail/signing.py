"""Signs the mails that go out with the judge's own key (DKIM, RFC 6376)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from structlog import get_logger

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.mail.compose import ComposedMail

_TRIED = b"From: a@example.org\r\nTo: b@example.org\r\n\r\n-\r\n"

log = get_logger(__name__)

Signing = Callable[[ComposedMail], ComposedMail]
"""Gives a mail with its signature."""


class KeyUnusable(MachjudgeError):
    """A file without a private key that mails can be signed with."""


@dataclass(frozen=True, slots=True)
class DkimSigner:
    """Signs for a domain with the private key whose public half stands under the selector."""

    domain: str
    selector: str
    key: bytes = field(repr=False)
    """In PEM: RSA, at least 1024 bits."""

    def __call__(self, mail: ComposedMail) -> ComposedMail:
        """The mail with a signature above its header; without one if it cannot be signed."""
        try:
            signature = self.signature(mail.content)
        except Exception:  # whatever the library stumbles over, the mail goes
            log.exception("message not signed")
            return mail
        return replace(mail, content=signature + mail.content)

    def signature(self, content: bytes) -> bytes:
        """The header field ``DKIM-Signature`` of a mail.  Raises what the library raises."""
        import dkim  # noqa: PLC0415  takes long to load, and few keepers have their own key

        written: bytes = dkim.sign(
            content,
            self.selector.encode("ascii"),
            self.domain.encode("idna"),
            self.key,
            canonicalize=(b"relaxed", b"relaxed"),
        )
        return written


def unsigned(mail: ComposedMail) -> ComposedMail:
    """The mail as it is: the relay signs it, or nobody."""
    return mail


def signer_of(file: Path, selector: str, domain: str) -> DkimSigner:
    """A signer with the key in a file, which has been tried once.  Raises KeyUnusable."""
    try:
        signer = DkimSigner(domain, selector, file.read_bytes())
    except OSError as fault:
        message = f"the key for DKIM cannot be read: {file}: {fault.strerror or fault}"
        raise KeyUnusable(message) from fault
    try:
        signer.signature(_TRIED)
    except Exception as fault:  # the library raises many things for what is no key
        message = f"{file} has no private RSA key in PEM of 1024 bits or more"
        raise KeyUnusable(message) from fault
    return signer
