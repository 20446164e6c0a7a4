"""What reading makes of a whole mail: numbers of lines, who is a machine."""

import pytest

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.lines import LineKind, MailKind, ReadingLimits, Where, WhyIgnored
from tests.mail_parser.mails import CORPUS, ORDERS, SIGNON, flaws_of, lines_of, mail, texts
from tests.messages.said import say


def test_lines_are_numbered_as_their_writer_sees_them() -> None:
    """Blank and dropped lines count, so that a problem names the line in the player's mail."""
    read_mail = read(mail(f"Hello,\n\n{SIGNON}\n----\n* A Flo\n-> Bol\nSIGNOFF\n"))

    assert [(line.number, line.text, line.raw) for line in read_mail.lines] == [
        (3, SIGNON, SIGNON),
        (5, "A Flo -> Bol", "* A Flo\n-> Bol"),
        (7, "SIGNOFF", "SIGNOFF"),
    ]
    assert [(each.text, each.where) for each in read_mail.skipped] == [("Hello,", Where.GREETING)]


@pytest.mark.parametrize("sender", ["Mach <post@mach.example>", "post+borgia.L@mach.example"])
def test_a_mail_from_an_address_of_ours_is_our_own(sender: str) -> None:
    """Even without its loop header a mail of ours is known, with or without +anything."""
    own = read(mail(SIGNON, sender=sender), own=("Post@mach.example",))
    without = read(mail(SIGNON, sender=sender))

    assert (own.kind, own.loop, own.why_ignored) == (MailKind.IGNORE, True, WhyIgnored.OWN_MAIL)
    assert without.kind is MailKind.ORDERS


def test_a_player_may_write_to_himself_with_a_blind_copy() -> None:
    """Sender and receiver being one is no loop, if he is not called judge."""
    assert read(mail(SIGNON, "To: Lucia <lucia@player.example>")).kind is MailKind.ORDERS


def test_only_loops_are_called_loops() -> None:
    """Other automatic mail is ignored, but is none of ours."""
    read_mail = read(mail(SIGNON, "Auto-Submitted: auto-replied"))

    assert (read_mail.kind, read_mail.loop) == (MailKind.IGNORE, False)


@pytest.mark.parametrize("number", [26, 99, 100])
def test_a_mail_that_went_through_many_servers_goes_in_a_circle(number: int) -> None:
    """A hundred Received fields are too many (RFC 5321, 6.3)."""
    read_mail = read(mail(SIGNON, *["Received: from a by b; now"] * number))

    assert read_mail.loop == (number == 100)


def test_ignored_mails_have_no_lines() -> None:
    """What is ignored cannot act."""
    assert read(mail("\n".join(ORDERS), "Auto-Submitted: auto-replied")).lines == ()


def test_signs_of_machines_may_say_no() -> None:
    """Header fields that deny are no sign."""
    fields = ("Auto-Submitted: No", "X-Autoreply: no", "X-Auto-Response-Suppress: None")

    assert read(mail(SIGNON, *fields)).kind is MailKind.ORDERS


def test_five_thousand_lines_are_cut_at_the_limit() -> None:
    """The first two thousand lines are read; the mail is held and says from where it was cut."""
    read_mail = read(mail(SIGNON + "\n" + "A Flo H\n" * 5_000))

    assert (read_mail.kind, len(read_mail.lines)) == (MailKind.HOLD, 2_000)
    assert [say(defect.words) for defect in read_mail.defects] == [
        "line 2001: there are too many lines; those from here on were not read"
    ]


def test_many_quoted_lines_are_no_many_lines() -> None:
    """Only lines that are read count."""
    read_mail = read(mail("> A Flo - Bol\n" * 5_000 + "\n".join(ORDERS)))

    assert (read_mail.kind, tuple(texts(read_mail))) == (MailKind.ORDERS, ORDERS)


def test_limits_can_be_set() -> None:
    """Lines and characters of a line are limited as the caller says."""
    read_mail = read(
        mail("A Flo H\n" * 3 + "A Flo holds\n"), limits=ReadingLimits(lines=2, characters=8)
    )

    assert texts(read_mail) == ["A Flo H", "A Flo H"]
    assert flaws_of(read_mail) == {"TOO_MANY_LINES", "TOO_LONG"}


def test_a_broken_line_may_not_grow_beyond_the_limit() -> None:
    """Pieces that are short, but long together, are too long."""
    pieces = ",\n".join(["A Flo supports A Bologna - Modena and more of this kind and so on"] * 10)

    read_mail = read(mail(pieces), limits=ReadingLimits(characters=200))

    assert (texts(read_mail), flaws_of(read_mail)) == ([], {"TOO_LONG", "EMPTY"})


def test_what_follows_the_signoff_is_no_defect() -> None:
    """Nothing behind the signoff is looked at, however bad it is."""
    read_mail = read(mail("\n".join(ORDERS) + "\n" + "x" * 5_000 + "\nA \x00 \u202e\n"))

    assert (read_mail.kind, read_mail.defects) == (MailKind.ORDERS, ())


def test_a_press_of_many_words_is_cut_in_lines() -> None:
    """A long paragraph of press keeps all its words; a giant one is left out."""
    words = [f"w{n}" for n in range(3_000)]
    read_mail = read(mail("BROADCAST\n" + " ".join(words) + "\nENDPRESS\n"))
    giant = read(mail("BROADCAST\n" + "word " * 10_000 + "\nENDPRESS\n"))

    assert " ".join(texts(read_mail)[1:-1]).split() == words
    assert max(map(len, texts(read_mail))) <= 1_000
    assert (texts(giant), flaws_of(giant)) == (["BROADCAST", "ENDPRESS"], {"TOO_LONG"})


def test_the_text_of_a_press_is_marked_and_cannot_hide_anything() -> None:
    """Its lines are no commands, and hold nothing that cannot be seen."""
    body = "PRESS TO M\nA Flo H\u202e\x1b\n\nSIGNON Lborgia tulip9\nENDPRESS\nA Bol H\n"

    read_mail = read(mail(body, "Content-Type: text/plain; charset=utf-8"))

    assert read_mail.kind is MailKind.ORDERS
    assert [(line.raw, line.is_press) for line in read_mail.lines] == [
        ("PRESS TO M", False),
        ("A Flo H", True),
        ("", True),
        ("SIGNON Lborgia tulip9", True),
        ("ENDPRESS", False),
        ("A Bol H", False),
    ]


def test_runs_of_spaces_inside_a_line_are_kept() -> None:
    """Two spaces begin a comment: the grammar has to see them."""
    assert lines_of(mail("A Flo H  I stay\n")) == ["A Flo H  I stay"]


@pytest.mark.parametrize("row", ["\U0001f44d", "\U0001f44d\U0001f3fb", "\u2705 \U0001f44d"])
def test_a_thumb_by_itself_agrees(row: str) -> None:
    """As "OK" does; one in front of a line says nothing."""
    utf8 = "Content-Type: text/plain; charset=utf-8"

    (agreed,) = read(mail(f"{row}\n", utf8)).rows

    assert (agreed.text, agreed.kind) == ("OK", LineKind.AGREEMENT)
    assert lines_of(mail(f"{row} A Flo H\n", utf8)) == ["A Flo H"]


def test_a_tapped_reaction_agrees_to_nothing() -> None:
    """A program sends it as a mail; what it writes beside the picture is its own."""
    body = (
        "--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\U0001f44d\r\n\r\n"
        "Lucia reacted via Gmail\r\n--b\r\n"
        "Content-Type: text/vnd.google.email-reaction+json\r\n\r\n{}\r\n--b--\r\n"
    )

    one = read(mail(body, "Content-Type: multipart/alternative; boundary=b"))

    assert [row.text for row in one.rows] == ["Lucia reacted via Gmail"]


def test_attachments_are_named() -> None:
    """The names of what was not read, or their types."""
    read_mail = read((CORPUS / "26_attachment.eml").read_bytes())

    assert read_mail.attachments == ("map.pdf",)
