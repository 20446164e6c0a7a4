"""Which part of a mail is its text, and how it is written: read where it can be, else named."""

from base64 import b64encode

import pytest

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.lines import MailKind
from tests.cases import cases
from tests.mail_parser.mails import SIGNON, flaws_of, mail, texts
from tests.messages.said import say

ORDERS = (SIGNON, "remove A Arezzo", "maintain A Florence")
BODY = "\r\n".join(ORDERS) + "\r\n"
HTML = "".join(f"<div>{line}</div>" for line in ORDERS)


def parts(kind: str, *pieces: tuple[str, str]) -> bytes:
    """A mail of several parts, each with its header fields and its body."""
    body = "".join(f"--b\r\n{head}\r\n\r\n{text}\r\n" for head, text in pieces)
    return mail(f"{body}--b--\r\n", f'Content-Type: multipart/{kind}; boundary="b"')


def plain(text: str) -> tuple[str, str]:
    """A part of plain text."""
    return "Content-Type: text/plain; charset=utf-8", text


def laid_out(text: str) -> tuple[str, str]:
    """A part of HTML."""
    return "Content-Type: text/html; charset=utf-8", text


PICTURE = "Content-Type: image/png\r\nContent-ID: <p>\r\nContent-Transfer-Encoding: base64", "AAAA"


def encoded(*pieces: bytes) -> bytes:
    """A mail whose body is base64, in pieces that each end with their padding."""
    body = "\r\n".join(b64encode(each).decode() for each in pieces)
    return mail(body + "\r\n", "Content-Transfer-Encoding: base64")


READ = {
    "blank text of no-break spaces": parts(
        "alternative", plain("\u00a0\r\n\u00a0"), laid_out(HTML)
    ),
    "blank text without width": parts("alternative", plain("\ufeff\u200b\r\n"), laid_out(HTML)),
    "stub": parts("alternative", plain("Please use a program that shows HTML."), laid_out(HTML)),
    "device": parts("alternative", plain("Sent from my phone"), laid_out(HTML)),
    "no-break spaces for spaces": mail(BODY.replace(" ", "\u00a0")),
    "CR CR LF": mail(BODY).replace(b"\r\n", b"\r\r\n"),
    "CR CR LF in parts": parts("mixed", plain(BODY)).replace(b"\r\n", b"\r\r\n"),
    "base64 in two pieces": encoded(BODY[:31].encode(), BODY[31:].encode()),
    "base64 in three pieces": encoded(*(BODY[at : at + 25].encode() for at in range(0, 75, 25))),
    "base64 with a footer": encoded(BODY.encode()) + b"-- \r\nThe List of Players\r\n",
    "base64 not declared": mail(b64encode(BODY.encode())),
    "plain that is called base64": mail(BODY, "Content-Transfer-Encoding: base64"),
    "a word that is called base64": mail("Hello\r\n" + BODY, "Content-Transfer-Encoding: base64"),
    "root by start": mail(
        f"--b\r\n{PICTURE[0]}\r\n\r\nAAAA\r\n--b\r\nContent-Type: text/html\r\nContent-ID: <r>\r\n"
        f"\r\n{HTML}\r\n--b--\r\n",
        'Content-Type: multipart/related; boundary="b"; start="<r>"',
    ),
    "root without start": parts("related", PICTURE, laid_out(HTML)),
    "text below a picture": parts("mixed", plain("Dear judge,"), PICTURE, plain(BODY)),
    "boundary not named": parts("mixed", plain(BODY)).replace(b'; boundary="b"', b""),
    "flowed that is not": mail(
        BODY.replace("\r\n", " \r\n"), "Content-Type: text/plain; format=flowed"
    ),
}


@pytest.mark.parametrize("raw", READ.values(), ids=READ)
def test_the_text_is_found(raw: bytes) -> None:
    """Whatever part it stands in, and however it is written."""
    found = read(raw)

    assert (found.kind, tuple(texts(found))) == (MailKind.ORDERS, ORDERS)


@cases
def test_a_charset_that_says_too_little_is_read_as_what_it_is(label: str, charset: str) -> None:
    """Programs name the smaller one, and write the wider one."""
    signs = {"gbk": "镕", "gb18030": "\u20ac", "cp932": "①", "cp949": "똠", "cp1254": "€"}
    text = f"A Flo H  {signs.get(charset, 'Forlì')}"

    found = read(mail(text.encode(charset), f"Content-Type: text/plain; charset={label}"))

    assert (texts(found), flaws_of(found)) == ([text], set())


SIGNED = b"0\x80\x06\t*\x86H\x86\xf7\r\x01\x07\x02\xa0\x80" + BODY.encode()
SEALED = SIGNED.replace(b"\x07\x02", b"\x07\x03")


def cms(content: bytes, kind: str = "application/pkcs7-mime", more: str = "") -> bytes:
    """A mail that S/MIME has put into one piece."""
    fields = f'Content-Type: {kind}{more}; name="smime.p7m"', "Content-Transfer-Encoding: base64"
    return mail(b64encode(content), *fields)


NAMED = {
    "signed": (cms(SIGNED), "SIGNED_WHOLE"),
    "signed, as a file": (cms(SIGNED, "application/octet-stream"), "SIGNED_WHOLE"),
    "signed, by its word": (cms(b"x", more="; smime-type=signed-data"), "SIGNED_WHOLE"),
    "sealed": (cms(SEALED, "application/x-pkcs7-mime"), "ENCRYPTED"),
    "sealed, whatever it says": (cms(SEALED, more="; smime-type=signed-data"), "ENCRYPTED"),
    "sealed below a footer": (
        parts("mixed", plain("Neri Bank"), ("Content-Type: multipart/encrypted; boundary=e", "")),
        "ENCRYPTED",
    ),
    "Outlook": (mail("\x01\x02", "Content-Type: application/ms-tnef"), "OUTLOOK"),
    "Outlook as a file": (
        parts("mixed", ('Content-Type: application/octet-stream; name="winmail.dat"', "x")),
        "OUTLOOK",
    ),
    "a document": (mail("%PDF", "Content-Type: application/pdf"), "OTHER_FORMAT"),
    "rich text": (mail("{\\rtf1}", "Content-Type: text/rtf"), "OTHER_FORMAT"),
    "a photograph": (parts("mixed", ("Content-Type: image/jpeg", "x")), "OTHER_FORMAT"),
}


@pytest.mark.parametrize(("raw", "flaw"), NAMED.values(), ids=NAMED)
def test_what_cannot_be_read_is_named(raw: bytes, flaw: str) -> None:
    """The answer says what it is, and what to send in its place."""
    found = read(raw)

    assert found.kind is MailKind.HOLD
    assert flaw in flaws_of(found)
    assert "EMPTY" not in flaws_of(found)
    (told,) = [say(each.words) for each in found.defects if each.flaw.name == flaw]
    assert "send" in told or "write" in told


def test_html_with_more_orders_than_the_text_beside_it_is_told() -> None:
    """Only the first lines of some texts are plain."""
    found = read(parts("alternative", plain("\r\n".join(ORDERS[:2])), laid_out(HTML)))

    assert (found.kind, tuple(texts(found))) == (MailKind.HOLD, ORDERS[:2])
    assert flaws_of(found) == {"TEXTS_DIFFER"}


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        "* SIGNON Lborgia tulip9\r\n* remove\r\n  A Arezzo\r\n* maintain A Florence\r\n",
        f"{BODY}\r\n> A Bol H\r\n",
    ],
)
def test_a_text_that_is_only_laid_out_otherwise_differs_in_nothing(text: str) -> None:
    """Lines may be broken, marked or quoted as each program likes."""
    quoted = f"{HTML}<blockquote>A Bol H</blockquote>"

    assert "TEXTS_DIFFER" not in flaws_of(read(parts("alternative", plain(text), laid_out(quoted))))
