"""What is the sender's and what is quoted, line by line."""

import pytest

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.lines import Where
from tests.cases import cases
from tests.mail_parser.mails import SIGNON, flaws_of, lines_of, mail, texts

UTF8 = "Content-Type: text/plain; charset=utf-8"
QUOTED = "> A Flo - Bol\n> SIGNON Pborgia xxxx\n"


@cases
def test_what_only_looks_like_an_announcement_costs_nothing(line: str) -> None:
    """Without a quotation behind it, or a time or address in it, it announces nothing."""
    assert lines_of(mail(f"{SIGNON}\n{line}\nA Flo H\n"))[-1] == "A Flo H"


@cases
def test_an_announcement_before_a_quotation_goes_with_it(announcement: str) -> None:
    """The answer below it is read, the announcement is not."""
    assert lines_of(mail(f"{announcement}\n{QUOTED}{SIGNON}\nA Flo H\n")) == [SIGNON, "A Flo H"]


def test_three_rows_of_prose_are_no_attribution() -> None:
    """An attribution ends within four rows, and never runs over a blank one."""
    body = f"On 5 May\n\n{SIGNON}\nA Flo H\nMilan wrote at 17:00:\n{QUOTED}"

    assert lines_of(mail(body)) == ["On 5 May", SIGNON, "A Flo H"]


def test_an_attribution_never_swallows_a_signon() -> None:
    """A row with a signon is no part of one."""
    assert lines_of(mail(f"On 5 May I begin\n{SIGNON}\nA Flo H:\n"))[1] == SIGNON


def test_drawn_lines_above_a_header_block_go_with_it() -> None:
    """Nothing of the enclosed mail is left, and nothing above it is lost."""
    body = f"{SIGNON}\nA Flo H\n\n_____\n\nFrom: a@b.example\nSent: today\nTo: c\n\nA Flo - Bol\n"

    assert lines_of(mail(body)) == [SIGNON, "A Flo H"]


def test_a_signon_in_a_signature_is_none() -> None:
    """It does not count, and the sender is told."""
    one = read(mail(f"A Flo H\n-- \n{SIGNON}\n"))

    assert (texts(one), flaws_of(one)) == (["A Flo H"], {"SIGNON_ONLY_QUOTED"})


@pytest.mark.parametrize("dash", ["—", "–"])
def test_a_lone_dash_begins_a_signature_if_nothing_is_said_behind_it(dash: str) -> None:
    """A word processor makes one dash of two; but players draw lines, too."""
    assert lines_of(mail(f"A Flo H\n{dash}\nLucia\n")) == ["A Flo H"]
    assert lines_of(mail(f"A Flo H\n{dash}\nA Are - Per\n")) == ["A Flo H", "A Are - Per"]


@cases
def test_only_what_was_broken_is_put_together(body: str, lines: list[str]) -> None:
    """A line that is complete never swallows the next, nor a short one an order."""
    assert lines_of(mail(body)) == lines


@cases
def test_footers_are_dropped_with_their_paragraph(footer: str) -> None:
    """The orders above stay, in the same paragraph too."""
    assert lines_of(mail(f"{SIGNON}\nA Flo H\n{footer}\n")) == [SIGNON, "A Flo H"]


def test_a_mail_that_is_wholly_quoted_in_a_responder_is_ignored() -> None:
    """Old responders name themselves in other fields."""
    assert read(mail(SIGNON, "Delivered-To: Autoresponder")).lines == ()


@cases
def test_bars_and_pictures_in_front_of_an_order_are_dropped(row: str, line: str) -> None:
    """And a drawn line around it does not hide it."""
    assert lines_of(mail(f"{SIGNON}\n{row}\n".encode(), UTF8)) == [SIGNON, line]


def test_a_password_keeps_its_signs() -> None:
    """What stands at the end of a signon is never taken off."""
    signon = "SIGNON Lborgia tulip!*_~👍"

    assert lines_of(mail(f"👉 {signon}\nA Flo H\n".encode(), UTF8))[0] == signon


@cases
def test_what_programs_write_below_the_orders_is_none_of_them(footer: str) -> None:
    """A drawn line with nothing said below it, and telephones in any language."""
    body = f"{SIGNON}\nA Flo H\n\n{footer}\n"

    assert lines_of(mail(body.encode(), UTF8)) == [SIGNON, "A Flo H"]


def test_the_fields_of_a_registration_are_no_signature() -> None:
    """Although the sender's own name stands in one."""
    fields = ["REGISTER", "Name: Lucia Neri", "Timezone: Europe/Rome", "END"]

    assert lines_of(mail("\n".join(fields), sender="Lucia Neri <lucia@player.example>")) == fields


def test_a_comment_may_hold_courtesies() -> None:
    """What stands up to its end is text."""
    rows = [SIGNON, "SET COMMENT BEGIN", "Dear all,", "be kind.", "Thanks", "END", "SET NODICE"]

    assert lines_of(mail("\n".join(rows))) == rows


@cases
def test_what_may_be_quoted_is_asked_about(body: str, said: list[str], unclear: list[str]) -> None:
    """Orders of which nobody can tell whose they are do nothing, and are named."""
    found = read(mail(body, UTF8))

    assert [row.text for row in found.said] == said
    assert [row.text for row in found.skipped if row.where is Where.UNCLEAR] == unclear
