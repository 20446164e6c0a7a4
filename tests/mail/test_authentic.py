"""Mails prove their senders by DKIM, or by the word of the one host that the keeper trusts.

Whoever has another signed mail of somebody proves nothing with it.
"""

import re
import tomllib
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from time import process_time

import dkim
import pytest
from dkim.crypto import HASH_ALGORITHMS, RSASSA_PKCS1_v1_5_sign, parse_pem_private_key

from machjudge.judge.faults import SenderNotKnownYet
from machjudge.mail.authentication import DnsSenderChecks, NoAnswerInTime
from tests.cases import cases

HERE = Path(__file__).parent
LUCIA = "lucia@mail.player.example"
JUDGE = "judge@mach.example"
RECEIVED = datetime(2026, 11, 20, 18, 20, tzinfo=UTC)
MAIL = (
    b"From: Lucia <lucia@mail.player.example>\r\nTo: judge@mach.example\r\n"
    b"Subject: Orders\r\nDate: Fri, 20 Nov 2026 18:19:00 +0000\r\n"
    b"Message-ID: <1@player.example>\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n"
    b"\r\nSIGNON Lborgia x\r\nRESIGN\r\n"
)
HOST = "mx.mach.example"
KEY = b"v=DKIM1; k=rsa; p=" + (HERE / "dkim.txt").read_bytes().strip()
ALL = "from to cc subject date message-id mime-version content-type content-transfer-encoding"
RESULTS = tomllib.loads((HERE / "results.toml").read_text())


def record(name: bytes, timeout: float = 5) -> bytes | None:
    """The TXT records that there are: every domain below example has the same key."""
    known = name.rstrip(b".").lower().endswith(b".example") and name.startswith(b"s._domainkey.")
    return KEY if known else None


def signed(
    domain: str = "player.example",
    mail: bytes = MAIL,
    names: str = ALL,
    at: datetime | None = RECEIVED,
    **more: object,
) -> bytes:
    """The mail with a signature of a domain, made at an instant, over fields of those names."""
    private = (HERE / "dkim.pem").read_bytes()
    covered = [name.encode() for name in names.split()]
    with pytest.MonkeyPatch.context() as patch:
        moment = int((at or RECEIVED).timestamp())
        patch.setattr("dkim.time.time", lambda: moment)
        return (
            dkim.sign(mail, b"s", domain.encode(), private, include_headers=covered, **more) + mail
        )


def is_verified(
    raw: bytes,
    address: str = LUCIA,
    host: str = "",
    key: bytes = KEY,
    received: datetime = RECEIVED,
) -> bool:
    """True if a mail proves an address."""

    def found(name: bytes, timeout: float = 5) -> bytes | None:
        return key if record(name) else None

    return DnsSenderChecks(JUDGE, host, found).is_verified(raw, address, received)


@cases
def test_a_signature_counts_for_its_domain_and_those_below(domain: str, proves: bool) -> None:
    """Anyone who signs for another domain says nothing about From."""
    assert is_verified(signed(domain)) is proves


@pytest.mark.parametrize(
    "raw",
    [
        MAIL,
        signed().replace(b"RESIGN", b"A flo H"),
        signed().replace(b"Lucia <lucia@", b"Lucia <marco@"),
        signed(length=True) + b"RESIGN\r\n",
        signed(length=True),
        b"From: marco@mail.player.example\r\n" + signed(),
        signed(signature_algorithm=b"rsa-sha1"),
        b"DKIM-Signature: v=1; a=rsa-sha256; d=player.example; s=s; h=from; bh=x; b=y\r\n" + MAIL,
        b"DKIM-Signature: \xff;;=\r\n" + MAIL,
        b"No field\r\n" + signed(),
        b" no field before it\r\n" + signed(),
        b"From lucia Fri Nov 20\r\n" + signed(),
        b"\r\n" + signed(),
        b"",
    ],
)
def test_what_proves_nothing(raw: bytes) -> None:
    """No signature, another text, another From, text that is not covered, two Froms, noise."""
    assert not is_verified(raw)


def test_a_good_signature_among_others_counts() -> None:
    """Mailing lists and servers on the way add theirs."""
    assert is_verified(signed("other.example", signed()))
    assert is_verified(signed().replace(b"bh=", b"bh=0", 1)[: -len(MAIL)] + signed())


@pytest.mark.parametrize("body", [b"simple", b"relaxed"])
@pytest.mark.parametrize("head", [b"simple", b"relaxed"])
def test_each_canonicalization_counts(head: bytes, body: bytes) -> None:
    """With blanks in the text that one of them passes over."""
    mail = MAIL + b"A  flo \t -  bol  \r\n\r\n"
    raw = signed(mail=mail, canonicalize=(head, body))

    assert is_verified(raw)
    assert is_verified(raw.replace(b"bol  ", b"bol")) is (body == b"relaxed")


# --- for this judge --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["subject", "date", "message-id", "content-type", "to"])
def test_what_a_mail_means_is_covered(name: str) -> None:
    """A signature that leaves such a field out counts for nothing, and so it does without it."""
    rest = ALL.replace(f" {name} ", " ", 1)
    without = re.sub(rb"(?im)^%s: .*\r\n" % name.encode(), b"", MAIL, count=1)

    assert not is_verified(signed(names=rest))
    assert not is_verified(signed(mail=without, names=rest))


@pytest.mark.parametrize("name", ["mime-version", "content-transfer-encoding"])
def test_what_says_how_to_read_a_mail_is_covered_where_it_is_there(name: str) -> None:
    """Many mails have no such field."""
    rest = ALL.replace(f" {name}", "", 1)
    without = re.sub(rb"(?im)^%s: .*\r\n" % name.encode(), b"", MAIL, count=1)

    assert not is_verified(signed(names=rest))
    assert is_verified(signed(mail=without, names=rest))


@cases
def test_a_second_field_on_top_proves_nothing(field: str) -> None:
    """It would be read first, and the signature covers the one below."""
    assert not is_verified(field.encode() + b"\r\n" + signed())


@cases
def test_a_mail_to_others_proves_nothing_here(fields: str) -> None:
    """Anyone who got it could hand it in; a To that is added is not covered."""
    mail = MAIL.replace(b"To: judge@mach.example\r\n", fields.encode())

    assert not is_verified(signed(mail=mail))
    assert not is_verified(b"To: judge@mach.example\r\n" + signed(mail=mail))
    assert not is_verified(
        b"Cc: judge@mach.example\r\n" + signed(mail=mail, names=ALL.replace("cc ", ""))
    )


@pytest.mark.parametrize(
    "fields",
    [
        b"To: Judge <Judge+r.abc@MACH.example>\r\n",
        b"To: marco@player.example, judge@mach.example\r\n",
        b"To: m@b.example\r\nCc: Marco <m@b.example>,\r\n The judge <judge@mach.example>\r\n",
    ],
)
def test_the_judge_may_be_named_among_others(fields: bytes) -> None:
    """In To or in Cc, with whatever stands behind its plus."""
    assert is_verified(signed(mail=MAIL.replace(b"To: judge@mach.example\r\n", fields)))


@pytest.mark.parametrize("noise", [b"\r", b"\x00", b"\x0b", b"\x1b"])
def test_a_head_that_can_be_read_in_two_ways_proves_nothing(noise: bytes) -> None:
    """Some programs end a line at a bare CR, others do not: then the head ends there."""
    added = b"X-A: b" + noise + noise + b"RESIGN\r\n"

    assert not is_verified(added + signed())
    assert not is_verified(b"X-A: b\r\n \t\r\n" + signed())
    assert is_verified(b"X-A: b\r\n" + signed())


def test_a_private_mail_that_its_reader_hands_in_proves_nothing() -> None:
    """Eve got a signed mail of V; another Content-Type makes a part of its text the whole mail."""
    raw = (HERE / "dkim_replay.eml").read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    checks = DnsSenderChecks(JUDGE, HOST, lambda _name, timeout=0: KEY)
    field = f"Authentication-Results: {HOST}; dkim=pass header.d=p.example"
    signed_at = datetime.fromtimestamp(1_795_729_824, UTC)

    for received in (RECEIVED, signed_at):
        assert not checks.is_verified(raw, "v@p.example", received)
        assert not checks.is_verified(results(field, raw), "v@p.example", received)


# --- now -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hours", "proves"), [(-49, False), (-47, True), (47, True), (49, False)])
def test_a_mail_counts_for_two_days(hours: int, proves: bool) -> None:
    """Its Date may differ so far from the receipt."""
    date = format_datetime(RECEIVED + timedelta(hours=hours)).encode()
    mail = re.sub(rb"Date: .*\r\n", b"Date: " + date + b"\r\n", MAIL)

    assert is_verified(signed(mail=mail)) is proves


@pytest.mark.parametrize(
    "date",
    [b"", b"yesterday", b"Fri, 99 Nov 2026 18:19:00 +0000", b"Fri, 20 Nov 99999 1:1:1 +9999"],
)
def test_a_date_that_names_no_instant_proves_nothing(date: bytes) -> None:
    """Nobody knows how old such a mail is."""
    assert not is_verified(signed(mail=re.sub(rb"Date: .*\r\n", b"Date: " + date + b"\r\n", MAIL)))


@pytest.mark.parametrize(("hours", "proves"), [(-49, False), (-47, True), (0.5, True), (2, False)])
def test_a_signature_counts_for_two_days(hours: float, proves: bool) -> None:
    """By its own time; none is made after its mail came."""
    assert is_verified(signed(at=RECEIVED + timedelta(hours=hours))) is proves


@pytest.mark.parametrize(
    ("tag", "proves"),
    [("x=+60", True), ("x=-1", False), ("x=0", False), ("x=soon", False), ("t=soon", False)],
)
def test_a_signature_ends_when_it_says(tag: str, proves: bool) -> None:
    """With ``x=``, in seconds from the receipt."""
    name, _, value = tag.partition("=")
    seconds = str(int(RECEIVED.timestamp()) + int(value)) if value.lstrip("+-").isdigit() else value

    assert is_verified(_signed_with({name: seconds})) is proves


def _signed_with(tags: Mapping[str, str]) -> bytes:
    """The mail with a right signature that has tags which the library does not write."""
    body = MAIL.partition(b"\r\n\r\n")[2]
    hashed = HASH_ALGORITHMS[b"rsa-sha256"]
    digest = b64encode(hashed(body).digest()).decode()
    said = {
        "v": "1", "a": "rsa-sha256", "d": "player.example", "s": "s",
        "h": ALL.replace(" ", ":"), "bh": digest, **tags,
    }  # fmt: skip
    value = " " + "; ".join(f"{name}={text}" for name, text in said.items()) + "; b="
    mail = dkim.DKIM(MAIL)
    hasher = dkim.HashThrough(hashed())
    names = [name.encode() for name in ALL.split()]
    field = (b"DKIM-Signature", value.encode() + b"\r\n")
    canonical = dkim.CanonicalizationPolicy.from_c_value(b"simple/simple")
    dkim.hash_headers(hasher, canonical, mail.headers, names, field, said)
    private = parse_pem_private_key((HERE / "dkim.pem").read_bytes())
    right = b64encode(RSASSA_PKCS1_v1_5_sign(hasher, private))
    return b"DKIM-Signature:" + value.encode() + right + b"\r\n" + MAIL


@cases
def test_a_signature_says_what_it_is(tags: Mapping[str, str], proves: bool) -> None:
    """Of this version, by DNS, for its own domain, over the whole text."""
    assert is_verified(_signed_with(tags)) is proves


@cases
def test_a_key_is_used_for_what_its_owner_says(tags: str, proves: bool) -> None:
    """No test key, no key for other services or hashes, and none that costs much."""
    assert is_verified(signed(), key=KEY.replace(b"p=", tags.encode() + b"p=", 1)) is proves


@pytest.mark.parametrize(
    "key",
    [b"", b"p=", b"v=DKIM2; p=x", b"v=DKIM1; k=ed25519; p=x", b"p", b"v=DKIM1; p=\xff", b"p=a=;;"],
)
def test_a_record_that_is_no_key_proves_nothing(key: bytes) -> None:
    """Strangers write it."""
    assert not is_verified(signed(), key=key)


def test_a_key_that_is_for_the_domain_alone_is_not_for_those_below() -> None:
    """With ``t=s`` the signer's identity has the very domain."""
    key = KEY.replace(b"p=", b"t=s; p=", 1)

    assert is_verified(_signed_with({"i": "@player.example"}), key=key)
    assert not is_verified(_signed_with({"i": "@mail.player.example"}), key=key)


# --- name servers, and work ------------------------------------------------------------------


def test_a_name_server_that_fails_proves_nothing() -> None:
    """The mail is no error of the judge."""

    def broken(name: bytes, timeout: float = 5) -> bytes:
        raise OSError(name)

    assert not DnsSenderChecks(JUDGE, "", broken).is_verified(signed(), LUCIA, RECEIVED)


def test_a_name_server_that_does_not_answer_in_time_leaves_it_open() -> None:
    """The mail may be looked at again."""

    def slow(name: bytes, timeout: float = 5) -> bytes:
        raise NoAnswerInTime

    with pytest.raises(SenderNotKnownYet):
        DnsSenderChecks(JUDGE, "", slow).is_verified(signed(), LUCIA, RECEIVED)


def test_no_name_server_is_asked_for_what_could_prove_nothing() -> None:
    """Another domain, a mail to others, an old one, and many signatures."""
    asked: list[bytes] = []

    def ask(name: bytes, timeout: float = 5) -> bytes | None:
        asked.append(name)
        return None

    checks = DnsSenderChecks(JUDGE, "", ask)
    for raw in (MAIL, signed("other.example"), signed(names="from"), signed(length=True)):
        checks.is_verified(raw, LUCIA, RECEIVED)
    checks.is_verified(signed(), LUCIA, RECEIVED + timedelta(days=3))
    assert not asked

    many = signed()[: -len(MAIL)] * 20 + MAIL
    assert not checks.is_verified(many, LUCIA, RECEIVED)
    assert len(asked) == 2


BOMBS = {
    "a megabyte of folded header": b"X-A: b\r\n" + b" c\r\n" * 250_000 + signed(),
    "many fields": b"X-A: b\r\n" * 100_000 + signed(),
    "blanks in a signature": signed().replace(
        b"d=player", b"d=" + b" \r\n\t" * 15_000 + b"player", 1
    ),
    "many names": signed(names="from " * 2_000 + ALL),
    "many signatures": signed()[: -len(MAIL)] * 90 + MAIL + b"x\r\n",
    "a megabyte of blanks": signed(mail=MAIL + b"x\r\n", canonicalize=(b"relaxed", b"relaxed"))
    + b" " * 1_000_000
    + b"x",
    "no line end": b"DKIM-Signature: " + b"x" * 1_000_000,
    "results": b"Authentication-Results: mx.mach.example; a=" + b"(" * 60_000 + b"\r\n" + MAIL,
}


@pytest.mark.parametrize("name", BOMBS)
def test_the_work_for_a_mail_is_bounded(name: str) -> None:
    """A megabyte of noise takes a moment, where it took minutes."""
    began = process_time()

    assert not is_verified(BOMBS[name], host=HOST)
    assert process_time() - began < 5


# --- the word of a trusted host --------------------------------------------------------------


def results(field: str, mail: bytes = MAIL) -> bytes:
    """The mail with a field above it, or several."""
    return field.replace("\n", "\r\n").encode() + b"\r\n" + mail


@pytest.mark.parametrize("name", RESULTS["believed"])
def test_the_trusted_host_is_believed(name: str) -> None:
    """As far as the keeper trusts it, and no further."""
    raw = results(RESULTS["believed"][name])

    assert is_verified(raw, host=HOST)
    assert not is_verified(raw)
    assert not is_verified(raw, host="mx.other.example")


@pytest.mark.parametrize("name", RESULTS["not_believed"])
def test_other_words_are_not_believed(name: str) -> None:
    """Only the host's topmost results, by the grammar, and only a pass for the domain of From."""
    assert not is_verified(results(RESULTS["not_believed"][name]), host=HOST)


def test_results_in_the_text_are_text() -> None:
    """Only the header counts."""
    raw = MAIL + f"Authentication-Results: {HOST}; dkim=pass header.d=player.example\r\n".encode()

    assert not is_verified(raw, host=HOST)


PASSED = f"Authentication-Results: {HOST}; dkim=pass header.d=player.example"
DMARC = f"Authentication-Results: {HOST}; dmarc=pass header.from=mail.player.example"


@pytest.mark.parametrize("field", [PASSED, DMARC])
def test_what_the_host_finds_right_must_count_here_too(field: str) -> None:
    """It does not say what the signature covers, for whom the mail was, and when."""
    weak = signed(names="from to subject date message-id")
    elsewhere = signed(mail=MAIL.replace(b"To: judge@mach.example", b"To: eve@evil.example"))

    assert is_verified(results(field, signed()), host=HOST)
    assert not is_verified(results(field, weak), host=HOST)
    wrong = signed(mail=MAIL + b"x\r\n")[: -len(MAIL) - 3]
    assert not is_verified(results(field, wrong + weak), host=HOST)
    assert not is_verified(results(field, elsewhere), host=HOST)
    assert not is_verified(results(field), host=HOST, received=RECEIVED + timedelta(days=3))
    folded = weak.replace(b"d=player", b"d=" + b" " * 100 + b"player", 1)
    assert not is_verified(results(field, folded), host=HOST)


def test_a_mail_without_date_counts_by_the_host_alone() -> None:
    """It says that it came just now; a signature without Date says nothing of the time."""
    undated = re.sub(rb"Date: .*\r\n", b"", MAIL)

    assert is_verified(results(PASSED, undated), host=HOST)
    assert not is_verified(results(PASSED, signed(mail=undated)), host=HOST)
    assert not is_verified(signed(mail=undated))


def test_a_domain_may_vouch_by_the_server_that_sent_a_mail() -> None:
    """DMARC passes then, whatever the signature covers; another server's pass does not help."""
    weak = signed(names="from to subject date message-id")

    own, other = f"{DMARC}; spf=pass smtp.mailfrom=", "eve@evil.example"
    assert is_verified(results(f"{own}bounce@player.example", weak), host=HOST)
    assert not is_verified(results(own + other, weak), host=HOST)
