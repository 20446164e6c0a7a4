"""Who writes, what about, in answer to what: and nothing of it can become another header line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.lines import MailKind, WhyIgnored
from machjudge.mail_parser.mime import decode_words, mailboxes, parameter
from tests.cases import cases
from tests.mail_parser.mails import SIGNON, flaws_of, mail


@cases
def test_the_sender_is_found(field: str, address: str, name: str) -> None:
    """The address in From and the name beside it, in every form that mail programs write."""
    read_mail = read(mail(SIGNON, sender=field))

    assert (read_mail.sender, read_mail.display_name) == (address, name)


@cases
def test_what_is_no_address_is_no_sender(field: str) -> None:
    """A malformed address is never answered."""
    read_mail = read(mail(SIGNON, sender=field))

    assert read_mail.sender is None
    assert read_mail.why_ignored is WhyIgnored.NO_SENDER


@cases
def test_two_senders_are_not_one(field: str) -> None:
    """Whichever of them is meant, nobody knows."""
    read_mail = read(mail(SIGNON, sender=field), envelope="a@b.example")

    assert read_mail.sender is None
    assert "SEVERAL_SENDERS" in flaws_of(read_mail)


@pytest.mark.parametrize("sender", [None, "", "Lucia", "lucia@player..example", "<>"])
def test_without_a_sender_the_answer_goes_to_reply_to_and_else_to_the_envelope(sender) -> None:
    """Somebody can be answered; that is vouched for by nobody."""
    fields = ("Subject: x", "Reply-To: lucia@home.example")
    by_field = read(mail(SIGNON, *fields, sender=sender), envelope="a@b.example")
    by_envelope = read(mail(SIGNON, "Subject: x", sender=sender), envelope="lucia@home.example")

    for read_mail in (by_field, by_envelope):
        assert (read_mail.kind, read_mail.sender) == (MailKind.ORDERS, "lucia@home.example")
        assert not read_mail.is_in_from


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ([], None),
        (["Reply-To: Lucia <lucia@home.example>"], "lucia@home.example"),
        (["Reply-To: a@home.example, b@home.example"], None),
        (["Reply-To: a@home.example", "Reply-To: b@home.example"], None),
        (["Reply-To: judge+r.x@mach.example"], None),
        (["Reply-To: Judge@mach.example, lucia@home.example"], "lucia@home.example"),
        (["Reply-To: noreply@home.example"], None),
        (["Reply-To: players@lists.example", "List-Post: <mailto:players@lists.example>"], None),
        (["Reply-To: nonsense"], None),
        (["Reply-To:"], None),
    ],
)
def test_reply_to_is_one_address_of_a_person(fields: list[str], answer: str | None) -> None:
    """Not the judge's, not a list's, not one that nobody reads."""
    assert read(mail(SIGNON, *fields), own=["judge@mach.example"]).reply_to == answer


LISTS = {
    "List-Post": ["List-Post: <mailto:players@lists.example>"],
    "List-Id": ["List-Id: Players <players.lists.example>"],
    "X-BeenThere": ["X-BeenThere: players@lists.example", "Precedence: list"],
    "Mailing-List": ["Mailing-List: list players@lists.example; contact x@lists.example"],
    "Sender": ["Precedence: list", "Sender: players-bounces@lists.example"],
    "List-Unsubscribe": ["List-Unsubscribe: <mailto:players-leave@lists.example?subject=x>"],
}
MUNGED = "Lucia Neri via Players <players@lists.example>"


@pytest.mark.parametrize("fields", LISTS.values(), ids=LISTS)
def test_a_list_in_from_is_nobody_who_writes(fields: list[str]) -> None:
    """The person stands in Reply-To, in the former From, or in the envelope; else nowhere."""
    reply = [*fields, "Reply-To: Lucia Neri <lucia@player.example>"]
    both = [*fields, "Reply-To: players@lists.example, lucia@player.example"]
    former = [*fields, "X-Original-From: Lucia Neri <lucia@player.example>"]
    for sender in (MUNGED, "players@lists.example"):
        for found in (
            read(mail(SIGNON, *reply, sender=sender)),
            read(mail(SIGNON, *both, sender=sender)),
            read(mail(SIGNON, *former, sender=sender)),
            read(mail(SIGNON, *fields, sender=sender), envelope="lucia@player.example"),
        ):
            assert (found.kind, found.sender) == (MailKind.HOLD, "lucia@player.example")
            assert (found.by_list, found.is_in_from) == (True, False)
        lost = read(mail(SIGNON, *fields, sender=sender), envelope="players-bounces@lists.example")
        assert (lost.sender, lost.why_ignored) == (None, WhyIgnored.NO_SENDER)


@pytest.mark.parametrize("fields", LISTS.values(), ids=LISTS)
def test_a_person_in_from_of_a_list_mail_is_the_writer(fields: list[str]) -> None:
    """Where the list has put only itself into Reply-To."""
    found = read(mail(SIGNON, *fields, "Reply-To: players@lists.example"))

    assert (found.sender, found.by_list) == ("lucia@player.example", True)


def test_a_server_that_puts_itself_into_from_says_via() -> None:
    """Without any field of lists."""
    found = read(mail(SIGNON, "Reply-To: lucia@player.example", sender=MUNGED))

    assert (found.sender, found.display_name) == ("lucia@player.example", "Lucia Neri")
    assert found.by_list


def test_the_judge_in_from_is_the_judge_only_where_nobody_else_is_named() -> None:
    """A server of ours may rewrite From to the only address that it knows."""
    own = ["judge@mach.example"]
    sender = "Lucia via Mach <judge@mach.example>"

    assert read(mail(SIGNON, sender=sender), own).why_ignored is WhyIgnored.OWN_MAIL
    for found in (
        read(mail(SIGNON, "Reply-To: lucia@player.example", sender=sender), own),
        read(mail(SIGNON, sender=sender), own, envelope="lucia@player.example"),
    ):
        assert (found.kind, found.sender) == (MailKind.ORDERS, "lucia@player.example")


@cases
def test_the_subject_is_one_harmless_line(raw: str, subject: str) -> None:
    """Encoded words are decoded, line ends and control characters are gone."""
    assert read(mail(SIGNON, f"Subject: {raw}")).subject == subject


@given(st.binary(max_size=200), st.sampled_from("qb"), st.sampled_from(["utf-8", "utf-16", "x"]))
def test_no_header_value_has_a_second_line(content: bytes, encoding: str, charset: str) -> None:
    """Whatever an encoded word holds, name and subject are single lines that can be printed."""
    codes = "".join(f"={byte:02X}" for byte in content) if encoding == "q" else content.hex()
    word = f"=?{charset}?{encoding}?{codes}?="

    read_mail = read(mail(SIGNON, f"Subject: {word}", sender=f"{word} <a@b.example>"))

    for value in (read_mail.subject, read_mail.display_name):
        assert len(value.splitlines()) <= 1
        assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in value)


def test_ids_and_references_are_kept() -> None:
    """The thread is References and then In-Reply-To, each id once, nothing that is no id."""
    read_mail = read(
        mail(
            SIGNON,
            "Message-ID: <3@player.example>",
            "References: <1@mach.example>\r\n junk <2@mach.example> <1@mach.example>",
            "In-Reply-To: <2@mach.example>",
        )
    )

    assert read_mail.message_id == "<3@player.example>"
    assert read_mail.references == ("<1@mach.example>", "<2@mach.example>")


@pytest.mark.parametrize("field", ["", "3", "<a b>", "<a\x07b>", "<>"])
def test_what_is_no_id_is_none(field: str) -> None:
    """An id with spaces or control characters is not used."""
    assert read(mail(SIGNON, f"Message-ID: {field}")).message_id is None


@cases
def test_parameters_are_read_in_every_form(field: str, value: str) -> None:
    """Quoted, escaped, extended and continued parameters (RFC 2045, RFC 2231)."""
    assert parameter(field, "charset") == value


def test_neighbouring_entries_of_an_address_field_are_told_apart() -> None:
    """Commas in quotes, comments and angles do not part entries."""
    found = mailboxes('"a, b" <c@d.example>, e@f.example (g, h), i')

    assert [(box.name, box.address) for box in found] == [
        ("a, b", "c@d.example"),
        ("g, h", "e@f.example"),
        ("", None),
    ]


def test_words_of_two_charsets_side_by_side() -> None:
    """White space between encoded words is no text, whatever their charsets."""
    assert decode_words("=?utf-8?q?=C3=BC?= =?latin-1?q?=FC?=") == "üü"
