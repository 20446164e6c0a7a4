"""Reply codes are found wherever mail programs carry them, and redacted wherever they stand."""

import sys
import unicodedata

import pytest

from machjudge.judge.mail_context import read_mail
from machjudge.mail_parser.secrets import (
    lines_of_codes,
    redact,
    redact_codes,
    redact_secrets,
)
from tests.cases import cases

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


# --- broken by mail programs -----------------------------------------------------------------

HALVES = CODE[:11], CODE[11:]
FULL_WIDTH = str.maketrans({chr(n): chr(n + 0xFEE0) for n in range(0x21, 0x7F)})
CYRILLIC = str.maketrans(
    "aceopsxyijh", "\u0430\u0441\u0435\u043e\u0440\u0455\u0445\u0443\u0456\u0458\u04bb"
)
MATHEMATICAL = str.maketrans({chr(97 + n): chr(0x1D41A + n) for n in range(26)})
INVISIBLE = [
    chr(n)
    for n in range(sys.maxunicode + 1)
    if unicodedata.category(chr(n)) in ("Cf", "Mn", "Me")
    or n in (0x115F, 0x1160, 0x2065, 0x3164, 0xFFA0, *range(0xFFF0, 0xFFF9))
    or 0xE0000 <= n <= 0xE0FFF
]
"""Signs for programs, marks, and all default-ignorable code points of Unicode."""
BROKEN = {
    "a zero-width space": "\u200b".join(HALVES),
    "a zero-width space behind each sign": "\u200b".join(CODE),
    "a soft hyphen": "\u00ad".join(HALVES),
    "a word joiner": "\u2060".join(HALVES),
    "a byte-order mark": "\ufeff".join(HALVES),
    "a filler": "\u3164".join(HALVES),
    "an accent": "\u0301".join(HALVES),
    "a space": " ".join(HALVES),
    "a no-break space": "\u00a0".join(HALVES),
    "a line break": "\n".join(HALVES),
    "a line break with a hyphen": "-\n".join(HALVES),
    "a line break with the mark of a quotation": "\n> ".join(HALVES),
    "a soft line break that was not decoded": "=\n".join(HALVES),
    "a soft hyphen that was not decoded": "=C2=AD".join(HALVES),
    "an entity": "&shy;".join(HALVES),
    "an element": "<wbr>".join(HALVES),
    "letters of full width": CODE.translate(FULL_WIDTH),
    "letters of another script": CODE.translate(CYRILLIC),
    "letters of another style": CODE.translate(MATHEMATICAL),
    "capitals": CODE.upper(),
}


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("tag", ["r.", "R.", "r\u200b.", "\uff52\uff0e", "r. ", "judge%2Br."])
def test_a_broken_code_is_found_and_redacted(how: str, tag: str) -> None:
    """Whatever a mail program has put between its signs, or in their place."""
    lines = f"Reply code: {tag}{BROKEN[how]}\nA Pad H".split("\n")
    kept = redact_secrets(lines, {CODE})

    assert CODE in read_mail(f"{HEAD}\n{chr(10).join(lines)}\n".encode()).codes
    assert len(kept) == len(lines)
    assert kept[-1] == "A Pad H"
    for piece in (*HALVES, CODE):
        assert piece.translate(FULL_WIDTH) not in "".join(kept)
        assert piece not in "".join(kept).lower()
    assert not any(each in "".join(kept) for each in ("fg", "\uff46\uff47", "\U0001d41f\U0001d420"))


def test_no_sign_that_nobody_sees_hides_a_code() -> None:
    """One by one, all default-ignorable code points, signs for programs, and marks."""
    hidden = [each for each in INVISIBLE if redact_codes(f"r.{each.join(HALVES)}") != "r.********"]

    assert len(INVISIBLE) > 4_000
    assert hidden == []


@pytest.mark.parametrize(
    "how", ["a zero-width space", "a line break", "a soft hyphen", "an accent"]
)
def test_what_is_kept_of_a_mail_holds_no_piece_of_a_code(how: str) -> None:
    """As the code is a secret that the mail has proved."""
    kept = redact(f"{HEAD}\nA Pad H\n> r.{BROKEN[how]}\n".encode(), {CODE}).decode()

    assert HALVES[0] not in kept
    assert HALVES[1] not in kept


@pytest.mark.parametrize("how", ["a line break", "a zero-width space", "letters of full width"])
def test_pieces_of_a_code_are_lines_that_say_nothing_else(how: str) -> None:
    """Prose and orders around them stay."""
    lines = f"A Pad H\nr.{BROKEN[how]}\nA Ver - Mil".split("\n")
    left = lines_of_codes(lines)

    assert (left[0], left[-1]) == (lines[0], lines[-1])
    assert all(not each.strip("r.*") for each in left[1:-1])


@cases
def test_prose_and_orders_hold_no_code(lines: list[str]) -> None:
    """Nothing of them is redacted, though their letters may be as many."""
    assert redact_secrets(lines, ()) == lines


def test_a_password_in_another_form_of_letters_is_redacted() -> None:
    """It is the same word to the person who reads it."""
    written = "lag\u200buna22", "laguna22".translate(FULL_WIDTH), "lag\u00adun\u043022"

    assert redact_secrets(written, {"laguna22"}) == ["********"] * 3
