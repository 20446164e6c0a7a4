"""Messages that the judge signs itself (DKIM, RFC 6376), and keys that cannot be used."""

from email import message_from_bytes
from pathlib import Path

import dkim
import pytest

from machjudge.mail.relay import DkimSigner, KeyUnusable, signer_of
from tests.mail.test_sender import Office

HERE = Path(__file__).parent
KEY = HERE / "dkim.pem"


def published(name: bytes, **_: object) -> bytes | None:
    """What DNS says."""
    known = name == b"judge2026._domainkey.mach.example."
    return b"v=DKIM1; k=rsa; p=" + (HERE / "dkim.txt").read_bytes().strip() if known else None


def sent_with(signer: DkimSigner, to: str = "a@x.example", body: str = "Hello\n") -> bytes:
    """A message as the relay gets it."""
    office = Office(signed=signer)
    office.bag.put(to, body)
    with office.relay():
        office.send()
    ((_, _, content),) = office.postmaster.taken
    return content


@pytest.mark.parametrize("to", ["a@x.example", "josé@x.example"])
@pytest.mark.parametrize("body", ["Hello\n", "Año — “Città”\n\n.\n" + "long " * 400 + "\n"])
def test_what_the_relay_gets_is_signed_by_the_domain_of_the_judge(to: str, body: str) -> None:
    """And the signature covers who writes, to whom, about what, and the whole text."""
    content = sent_with(signer_of(KEY, "judge2026", "mach.example"), to, body)
    fields = message_from_bytes(content)["DKIM-Signature"].replace("\r\n", "").replace(" ", "")
    covered = set(fields.partition("h=")[2].partition(";")[0].split(":"))

    assert dkim.verify(content, dnsfunc=published)
    assert "d=mach.example;" in fields
    assert {"from", "to", "subject", "date", "message-id"} <= covered
    assert not dkim.verify(
        content.replace(b"QueuedMessage 1", b"QueuedMessage 2"), dnsfunc=published
    )
    assert not dkim.verify(content + b"More.\r\n", dnsfunc=published)


def test_without_a_key_nothing_is_signed() -> None:
    """The relay does it, or nobody."""
    office = Office()
    office.bag.put("a@x.example")
    with office.relay():
        office.send()

    assert b"DKIM-Signature" not in office.postmaster.taken[0][2]


def test_a_message_that_cannot_be_signed_goes_without_a_signature() -> None:
    """It is better in a spam folder than nowhere."""
    content = sent_with(DkimSigner("mach.example", "judge2026", b"no key"))

    assert content.endswith(b"Hello\r\n")
    assert b"DKIM-Signature" not in content


@pytest.mark.parametrize("content", [None, b"", b"no key", b"-----BEGIN RSA PRIVATE KEY-----\n"])
def test_a_key_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None) -> None:
    """When the judge begins, not when the first message goes."""
    file = tmp_path / "own.pem"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(KeyUnusable, match=r"own\.pem"):
        signer_of(file, "judge2026", "mach.example")


def test_a_key_is_not_shown() -> None:
    """Not even where a fault shows everything."""
    assert "PRIVATE" not in repr(signer_of(KEY, "judge2026", "mach.example"))
