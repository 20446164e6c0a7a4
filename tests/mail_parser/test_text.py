"""Bytes to text, text to lines: charsets, transfer encodings, flowed text, HTML."""

import base64
import codecs
import quopri
from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.mail_parser.html import lines_of
from machjudge.mail_parser.mime import decode, parse, quoted_printable, unfold
from tests.cases import cases

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=3, max_size=40)


@given(WORDS, st.sampled_from(["utf-8", "utf-16", "utf-7", "utf-8-sig", "gb18030", "utf-32"]))
def test_text_survives_every_unicode_charset(text: str, charset: str) -> None:
    """What its label says is believed."""
    assert decode(text.encode(charset), charset) == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("raw", "label", "text"),
    [
        (b"Forl\xec", "utf-8", "Forlì"),
        (b"Forl\xc3\xac", "iso-8859-1", "Forlì"),
        (b"a \x96 b", "iso-8859-1", "a – b"),
        (b"a \x96 b", "iso-8859-15", "a – b"),
        (b"\xa4", "iso-8859-15", "€"),
        (b"a \x96 b\n\xe2\x86\x92", "", "a – b\n→"),
        (b"\xcc\xee\xf1\xea", "windows-1251", "Моск"),
        (b"x\x81", "us-ascii", "x\ufffd"),
        (b"abc", "utf-16", "abc"),
        (b"a\x00b\x00c\x00", "utf-8", "abc"),
        (b"\x00a\x00b\x00c", "", "abc"),
        (b"\xc2\x96 \xc2\x81", "utf-8", "– \x81"),
        (b"abc", "idna", "abc"),
        (b"abc", "a\x00b", "abc"),
        (b"abc", '"UTF-8"', "abc"),
    ],
)
def test_wrong_labels_do_not_matter(raw: bytes, label: str, text: str) -> None:
    """The text is what it plainly is."""
    assert decode(raw, label) == text


def test_a_codec_that_fails_is_no_charset() -> None:
    """A codec that somebody has added to Python may raise what it likes."""

    def fail(*_: object) -> tuple[str, int]:
        reason = "no"
        raise ValueError(reason)

    def find(name: str) -> codecs.CodecInfo | None:
        return codecs.CodecInfo(fail, fail, name=name) if name == "x_failing" else None

    codecs.register(find)
    try:
        assert decode(b"Forl\xec", "x-failing") == "Forlì"
    finally:
        codecs.unregister(find)


@given(st.sampled_from(sorted({*aliases, *aliases.values()})), st.binary(max_size=100))
def test_every_codec_of_python_can_be_named(label: str, raw: bytes) -> None:
    """Whatever codec a label names, there is some text without halves of surrogate pairs."""
    decode(raw, label).encode("utf-8")


@given(st.binary(max_size=300))
def test_quoted_printable_and_base64_are_undone(raw: bytes) -> None:
    """What was encoded comes back, but for the line ends that quoted-printable may change."""
    coded = parse(b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(raw))

    assert coded.content(1_000) == raw
    assert quoted_printable(quopri.encodestring(raw, quotetabs=True)) == raw


@cases
def test_soft_line_ends_are_taken_back(lines: list[str], delsp: bool, unfolded: list[str]) -> None:
    """Format=flowed as RFC 3676 has it."""
    assert unfold(lines, delsp=delsp) == unfolded


@cases
def test_html_is_laid_out_as_it_is_seen(html: str, lines: list[str]) -> None:
    """One line per block, break or row of a table."""
    assert lines_of(html, 100) == (lines, False)


def test_html_beyond_the_limit_is_cut() -> None:
    """The caller learns that there was more."""
    lines, is_cut = lines_of("a<br>" * 200, 100)

    assert (len(lines), is_cut) == (101, True)
