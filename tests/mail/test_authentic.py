"""Mails prove their senders by DKIM, or by the word of the one host that the keeper trusts."""

from pathlib import Path

import dkim
import pytest

from machjudge.mail.authentic import DnsSenderChecks
from machjudge.mail.keys import NoAnswerInTime
from machjudge.service.ports.stale import SenderNotKnownYet

HERE = Path(__file__).parent
LUCIA = "lucia@mail.player.example"
MAIL = (
    b"From: Lucia <lucia@mail.player.example>\r\nTo: judge@mach.example\r\n"
    b"Subject: Orders\r\nMessage-ID: <1@player.example>\r\n\r\nSIGNON Lborgia x\r\nRESIGN\r\n"
)
HOST = "mx.mach.example"


def record(name: bytes, timeout: int = 5) -> bytes | None:
    """The TXT records that there are: every domain below example has the same key."""
    known = name.rstrip(b".").lower().endswith(b".example") and name.startswith(b"s._domainkey.")
    return b"v=DKIM1; k=rsa; p=" + (HERE / "dkim.txt").read_bytes() if known else None


def signed(domain: str, mail: bytes = MAIL, **more) -> bytes:
    """The mail with a signature of a domain."""
    private = (HERE / "dkim.pem").read_bytes()
    return dkim.sign(mail, b"s", domain.encode(), private, **more) + mail


def is_verified(raw: bytes, address: str = LUCIA, host: str = "") -> bool:
    """Whether a mail proves an address."""
    return DnsSenderChecks(host, record).is_verified(raw, address)


@pytest.mark.parametrize(
    ("domain", "proves"),
    [
        ("mail.player.example", True),
        ("player.example", True),
        ("Player.Example", True),
        ("example", False),
        ("other.example", False),
        ("er.example", False),
        ("sub.mail.player.example", False),
    ],
)
def test_a_signature_counts_for_its_domain_and_those_below(domain, proves) -> None:
    """Whoever signs for another domain says nothing about From."""
    assert is_verified(signed(domain)) is proves


@pytest.mark.parametrize(
    "raw",
    [
        MAIL,
        signed("player.example").replace(b"RESIGN", b"A flo H"),
        signed("player.example").replace(b"Lucia <lucia@", b"Lucia <marco@"),
        signed("player.example", length=True) + b"RESIGN\r\n",
        b"From: marco@mail.player.example\r\n" + signed("player.example"),
        signed("player.example", signature_algorithm=b"rsa-sha1"),
        b"DKIM-Signature: v=1; a=rsa-sha256; d=player.example; s=s; h=from; bh=x; b=y\r\n" + MAIL,
        b"DKIM-Signature: \xff;;=\r\n" + MAIL,
        b"No field\r\n" + signed("player.example"),
        b" no field before it\r\n" + signed("player.example"),
        b"",
    ],
)
def test_what_proves_nothing(raw) -> None:
    """No signature, another text, another From, text that is not covered, two Froms, noise."""
    assert not is_verified(raw)


def test_a_good_signature_among_others_counts() -> None:
    """Mailing lists and servers on the way add theirs."""
    assert is_verified(signed("other.example", signed("player.example")))


def test_a_name_server_that_fails_proves_nothing() -> None:
    """The mail is no error of the judge."""

    def broken(name: bytes, timeout: int = 5) -> bytes:
        raise OSError(name)

    assert not DnsSenderChecks("", broken).is_verified(signed("player.example"), LUCIA)


def test_a_name_server_that_does_not_answer_in_time_leaves_it_open() -> None:
    """The mail may be looked at again."""

    def slow(name: bytes, timeout: int = 5) -> bytes:
        raise NoAnswerInTime

    with pytest.raises(SenderNotKnownYet):
        DnsSenderChecks("", slow).is_verified(signed("player.example"), LUCIA)


def results(*lines: str) -> bytes:
    """The mail with header fields above it."""
    return "".join(f"{line}\r\n" for line in lines).encode() + MAIL


@pytest.mark.parametrize(
    "field",
    [
        f"Authentication-Results: {HOST}; dkim=pass header.d=player.example",
        f"Authentication-Results: {HOST} 1; spf=fail; dkim=pass (good) header.d=player.example",
        f"Authentication-Results: {HOST};\r\n dkim=pass header.i=@x header.d=mail.player.example",
        f"AUTHENTICATION-RESULTS: {HOST.upper()}; DKIM=PASS header.d=PLAYER.EXAMPLE",
        f"Authentication-Results: {HOST}; dmarc=pass (p=none) header.from=mail.player.example",
    ],
)
def test_the_trusted_host_is_believed(field) -> None:
    """As far as the keeper trusts it, and no further."""
    assert is_verified(results(field), host=HOST)
    assert not is_verified(results(field))
    assert not is_verified(results(field), host="mx.other.example")


@pytest.mark.parametrize(
    "fields",
    [
        [f"Authentication-Results: {HOST}; dkim=fail header.d=player.example"],
        [f"Authentication-Results: {HOST}; none"],
        [f"Authentication-Results: {HOST}; spf=pass smtp.mailfrom=mail.player.example"],
        [f"Authentication-Results: {HOST}; dkim=pass header.d=other.example"],
        [f"Authentication-Results: {HOST}; dmarc=pass header.from=player.example"],
        [f"Authentication-Results: {HOST} 2; dkim=pass header.d=player.example"],
        [f"Authentication-Results: x.{HOST}; dkim=pass header.d=player.example"],
        [f"Authentication-Results: {HOST}; x=fail (; dkim=pass header.d=player.example)"],
        [f'Authentication-Results: {HOST}; x=fail reason="; dkim=pass header.d=player.example"'],
        [f"Authentication-Results: ({HOST}) evil.example; dkim=pass header.d=player.example"],
        [
            f"Authentication-Results: {HOST}; dkim=fail header.d=player.example",
            f"Authentication-Results: {HOST}; dkim=pass header.d=player.example",
        ],
        [f"X-Note: a\r\n Authentication-Results: {HOST}; dkim=pass header.d=player.example"],
    ],
)
def test_other_words_are_not_believed(fields) -> None:
    """Only its topmost results, only a pass for the domain of From, and nothing in comments."""
    assert not is_verified(results(*fields), host=HOST)


def test_results_in_the_text_are_text() -> None:
    """Only the header counts."""
    raw = MAIL + f"Authentication-Results: {HOST}; dkim=pass header.d=player.example\r\n".encode()

    assert not is_verified(raw, host=HOST)
