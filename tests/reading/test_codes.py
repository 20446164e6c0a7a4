"""Reply codes are found wherever mail programs carry them, and redacted wherever they stand."""

import pytest

from machjudge.reading import redact, redact_codes
from machjudge.service.session.incoming import read_mail

CODE = "abcdefghijklmnopqrstuvwx27"
TAG = f"r.{CODE}"
HEAD = "From: lucia@player.example\nMessage-ID: <1@player.example>\n"


@pytest.mark.parametrize(
    "mail",
    [
        f"{HEAD}To: MACH judge <judge+{TAG}@mach.example>\n\nA Pad H\n",
        f"{HEAD}To: judge+R.{CODE.upper()}@MACH.EXAMPLE\n\nA Pad H\n",
        f"{HEAD}Cc: <judge+{TAG}@mach.example>\n\nA Pad H\n",
        f"{HEAD}Delivered-To: judge+{TAG}@mach.example\n\nA Pad H\n",
        f"{HEAD}In-Reply-To: <20261120T120000.000000.7.{TAG}@mach.example>\n\nA Pad H\n",
        f"{HEAD}References: <a@b>\n <20261120T120000.000000.7.{TAG}@mach.example>\n\nA Pad H\n",
        f"{HEAD}\nA Pad H\n\nOn Friday, MACH judge wrote:\n> Hello\n>\n> Reply code: {TAG}\n",
        f"{HEAD}\nReply code: {TAG}\nA Pad H\n",
        f"{HEAD}\n{CODE}\nA Pad H\n",
        f"{HEAD}Content-Type: text/html\n\nA Pad H<p>Reply code: <b>{TAG}</b>",
        f"{HEAD}Content-Transfer-Encoding: quoted-printable\n\nA Pad H=20\n> Reply code: {TAG}\n",
    ],
)
def test_a_code_is_found(mail) -> None:
    """Alone in the address, in the header, in a quotation or typed, in plain text and in HTML."""
    assert read_mail(mail.encode()).codes == (CODE,)


def test_the_surest_code_comes_first() -> None:
    """The address for answers, then the answered mail, then what the text quotes."""
    codes = [letter * 26 for letter in "abcd"]
    mail = (
        f"{HEAD}To: judge+r.{codes[0]}@mach.example\n"
        f"In-Reply-To: <1.r.{codes[1]}@mach.example>\n"
        f"References: <2.r.{codes[2]}@mach.example> <1.r.{codes[1]}@mach.example>\n"
        f"\nA Pad H\n> Reply code: r.{codes[3]}\n"
    )

    assert read_mail(mail.encode()).codes == tuple(codes)


@pytest.mark.parametrize("text", ["a" * 25, "a" * 27, "a1" * 13, "r." + "a" * 27])
def test_other_words_are_no_codes(text) -> None:
    """They have 26 letters and digits, and stand alone."""
    assert read_mail(f"{HEAD}\n{text}\n".encode()).codes == ()


def test_what_is_kept_of_a_mail_holds_no_code() -> None:
    """Neither the header nor the text, quoted or not."""
    mail = (
        f"{HEAD}To: judge+{TAG}@mach.example\nIn-Reply-To: <1.{TAG}@mach.example>\n"
        f"\nA Pad H\n> Reply code: {TAG}\n{CODE}\n"
    )

    assert CODE.encode() not in redact(mail.encode()).lower()
    assert redact_codes(f"judge+{TAG}@mach.example") == "judge+r.********@mach.example"
