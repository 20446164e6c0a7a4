"""Letters become mails that people can read and machines leave alone."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.credentials import SeatToken, code_of
from machjudge.judge.mails import (
    Attachment,
    OutboxId,
    Outgoing,
    QueuedMessage,
    hidden_number,
    leaving_tag,
    return_tag,
)
from machjudge.judge.records import GameId, Judge
from machjudge.judge.secret import fixed
from machjudge.mail.compose import MAX_REFERENCES, Unwritable, compose
from tests.cases import cases

JUDGE = Judge("MACH", "judge@mach.example", None, "0.1.0")
SECRET = fixed(bytes(range(32)))
MADE = datetime(2026, 11, 20, 12, tzinfo=UTC)
OUTGOING = Outgoing(
    to="lucia@example.com",
    subject="Re: MACH:Borgia - S1454M orders",
    body="Dear Lucia,\n\nA Pad H\n",
    game=GameId("borgia"),
    phase="S1454M",
    answers="<2@example.com>",
    references=("<0@example.com>", "<1@example.com>"),
)
NUMBER = hidden_number(SECRET, OutboxId(7))
"""What stands for the number of the letter."""
ROOT = "<borgia.s1454m.game@mach.example>"


def mail(outgoing: Outgoing = OUTGOING, **changes):
    """The mail of a letter, as its reader's program sees it."""
    letter = QueuedMessage(OutboxId(7), MADE, 1, replace(outgoing, **changes))
    return message_from_bytes(compose(letter, JUDGE, SECRET).content, policy=default)


def text_of(message) -> str:
    """The text, its line ends as programs show them."""
    return message.get_content().replace("\r\n", "\n")


def raw(**changes) -> bytes:
    """The bytes of the mail of a letter."""
    letter = QueuedMessage(OutboxId(7), MADE, 1, replace(OUTGOING, **changes))
    return compose(letter, JUDGE, SECRET).content


def test_people_see_who_writes_what_to_whom() -> None:
    """The judge, the reader, the subject, the date of writing, the text."""
    seen = mail()

    assert seen["From"] == "MACH judge <judge@mach.example>"
    assert seen["To"] == "lucia@example.com"
    assert seen["Subject"] == OUTGOING.subject
    assert seen["Date"].datetime == MADE
    assert text_of(seen) == OUTGOING.body


def test_machines_see_that_a_machine_wrote_it() -> None:
    """RFC 3834: an answer is auto-replied; holiday notices are asked to keep quiet."""
    seen = mail()

    assert seen["Auto-Submitted"] == "auto-replied"
    assert seen["X-Auto-Response-Suppress"] == "All"
    assert seen["X-Machjudge-Loop"] == "<judge@mach.example>"
    assert mail(answers=None)["Auto-Submitted"] == "auto-generated"


def sent_by(judge: str) -> str:
    """The envelope sender of a letter of a judge at that address."""
    letter = QueuedMessage(OutboxId(12_345_678), MADE, 1, OUTGOING)
    return compose(letter, replace(JUDGE, address=judge), SECRET).sender


def test_bounces_come_back_to_the_letters_own_address() -> None:
    """The envelope sender is the judge's address with the letter's tag."""
    tag = return_tag(SECRET, OutboxId(12_345_678))

    assert sent_by(JUDGE.address) == f"judge+{tag}@mach.example"


def test_no_envelope_sender_is_longer_than_servers_take() -> None:
    """A local part has 64 signs at most (RFC 5321, 4.5.3.1.1): else bounces go to the judge."""
    tag = return_tag(SECRET, OutboxId(12_345_678))

    assert sent_by(f"{'j' * 31}@mach.example") == f"{'j' * 31}+{tag}@mach.example"
    assert sent_by(f"{'j' * 32}@mach.example") == f"{'j' * 32}@mach.example"


def test_the_same_letter_is_the_same_mail() -> None:
    """Byte for byte, attachments too: so a repeat is recognisable."""
    attachments = (Attachment("map.svg", "image/svg+xml", b"<svg/>"),)

    assert raw(attachments=attachments) == raw(attachments=attachments)


def test_the_id_is_the_rows() -> None:
    """It does not depend on when or how often the letter is sent."""
    assert mail()["Message-ID"] == f"<20261120T120000.{NUMBER}@mach.example>"


def test_an_answer_follows_its_mail_in_the_thread_of_the_phase() -> None:
    """The root of the phase first, the answered mail last."""
    seen = mail()

    assert seen["In-Reply-To"] == "<2@example.com>"
    assert seen["References"].split() == [
        ROOT,
        "<0@example.com>",
        "<1@example.com>",
        "<2@example.com>",
    ]


def test_what_the_judge_writes_by_itself_hangs_on_the_root() -> None:
    """All letters of a phase are one thread; those of a game are its list."""
    seen = mail(answers=None, references=())

    assert (seen["In-Reply-To"], seen["References"]) == (ROOT, ROOT)
    assert seen["List-Id"] == "<borgia.mach.example>"


def test_each_phase_has_a_thread_of_its_own() -> None:
    """Not one for years; before and after the game there is one for the game."""
    roots = [mail(answers=None, references=(), phase=each)["References"] for each in PHASES]

    assert roots == [
        "<borgia.s1454m.game@mach.example>",
        "<borgia.s1454r.game@mach.example>",
        "<borgia.game@mach.example>",
    ]


PHASES = ("S1454M", "S1454R", "")


def test_an_answer_to_an_older_phase_does_not_put_two_threads_together() -> None:
    """The root of the older phase is not named, only the mails between."""
    older = "<borgia.f1453b.game@mach.example>"
    seen = mail(references=(older, "<borgia.game@mach.example>", "<1@mach.example>"))

    assert seen["References"].split() == [ROOT, "<1@mach.example>", "<2@example.com>"]


def test_a_letter_without_game_and_mail_begins_a_thread() -> None:
    """There is nothing to refer to."""
    seen = mail(game=None, answers=None, references=())

    assert [seen[name] for name in ("In-Reply-To", "References", "List-Id")] == [None] * 3


def test_an_answer_to_our_own_letter_names_nothing_twice() -> None:
    """A player who answers results has the root among his references."""
    seen = mail(references=(ROOT, "<2@example.com>", "<1@example.com>"))

    assert seen["References"].split() == [ROOT, "<1@example.com>", "<2@example.com>"]
    assert mail(answers=ROOT, references=())["References"] == ROOT


def test_long_threads_are_cut_in_the_middle() -> None:
    """Their root and their latest mails stay."""
    many = tuple(f"<{n}@example.com>" for n in range(100))

    names = mail(references=many, answers="<last@example.com>")["References"].split()

    assert len(names) == MAX_REFERENCES + 2
    assert (names[0], names[-2], names[-1]) == (ROOT, "<99@example.com>", "<last@example.com>")


def test_a_long_id_is_not_broken() -> None:
    """Nor written as an encoded word: then no program would find the mail."""
    long = f"<{'x' * 300}@example.com>"

    assert f"In-Reply-To: {long}\r\n".encode() in raw(answers=long)
    assert f" {long}\r\n".encode() in raw(answers=long)


def test_ids_that_are_none_are_left_out() -> None:
    """A stranger's header cannot add lines to ours."""
    content = raw(answers="<a@b>\r\nBcc: <eve@evil.example>", references=("junk", "<>"))

    assert b"Bcc" not in content
    assert b"In-Reply-To: <eve@evil.example>" in content


def test_plain_text_goes_plain() -> None:
    """As everybody's program, and a person at a terminal, reads it; not to be wrapped anew.

    A text without a format is fixed (RFC 3676, 4.1).
    """
    content = raw()

    assert b"Content-Transfer-Encoding: 7bit\r\n" in content
    assert b"\r\n\r\nDear Lucia,\r\n\r\nA Pad H\r\n" in content
    assert mail()["Content-Type"].params.get("format", "fixed") == "fixed"


@cases
def test_any_text_arrives_as_it_was_written(body) -> None:
    """In lines that no server on the way has a reason to change."""
    content = raw(body=body)

    assert text_of(mail(body=body)) == body
    assert content.isascii()
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert b"\nFrom " not in content


def test_control_signs_do_not_leave_the_house() -> None:
    """A player's NUL or escape sequence reaches nobody's terminal; line ends are of one kind."""
    seen = mail(body="a\x00b\x1b[31mc\rd\r\ne\u2028f", subject="x\r\nBcc: eve@evil.example\x07y")

    assert text_of(seen) == "a�b�[31mc\nd\ne\nf\n"
    assert seen["Subject"] == "x Bcc: eve@evil.example y"
    assert seen["Bcc"] is None


@pytest.mark.parametrize(
    "subject",
    [
        "Ergebnis für Würzburg " * 12,
        "Re: [Errors] cesare: adjustments by Fri 27 Nov, 19:00 UTC \u2013 you lead Turkey (F1498B)",
        "x" * 500,
        "",
        "日本語" * 60,
    ],
)
def test_any_subject_arrives(subject) -> None:
    """In lines of sound length."""
    content = raw(subject=subject)

    assert mail(subject=subject)["Subject"].strip() == subject.strip()
    assert max(map(len, content.split(b"\r\n"))) <= 998


def test_a_long_subject_begins_on_the_line_of_its_name() -> None:
    """Some programs show nothing of a field whose first line is empty."""
    content = raw(subject="intro, Spring 1385: A Bologna must retreat, " + "4 places taken, " * 3)

    assert b"\r\nSubject: intro, Spring 1385: A Bologna must retreat, 4 places taken" in content


def test_attachments_go_along() -> None:
    """Under their names, with their types and contents."""
    attachments = (
        Attachment("map.svg", "image/svg+xml", b"<svg>\xc3\xa4</svg>"),
        Attachment("Würzburg.bin", "application/octet-stream", bytes(range(256))),
    )

    text, picture, rest = mail(attachments=attachments).iter_parts()

    assert text_of(text) == OUTGOING.body
    assert (picture.get_content_type(), picture.get_filename()) == ("image/svg+xml", "map.svg")
    assert picture.get_content() == attachments[0].content
    assert (rest.get_filename(), rest.get_content()) == ("Würzburg.bin", bytes(range(256)))


def test_an_invitation_stands_beside_the_text_and_a_file_below_it() -> None:
    """Calendars enter what is another form of the text (RFC 5546); the bytes stay the same."""
    files = (
        Attachment("map.svg", "image/svg+xml", b"<svg/>"),
        Attachment("d.ics", "text/calendar; charset=utf-8; method=REQUEST", b"BEGIN:VCALENDAR"),
    )
    both, picture = mail(attachments=files).iter_parts()
    text, invitation = both.iter_parts()

    assert both.get_content_type() == "multipart/alternative"
    assert text_of(text) == OUTGOING.body
    assert invitation["Content-Type"].params["method"] == "REQUEST"
    assert invitation.get_content().strip() == "BEGIN:VCALENDAR"
    assert picture.get_filename() == "map.svg"
    assert raw(attachments=files) == raw(attachments=files)


def test_a_file_for_calendars_says_what_it_asks_of_them() -> None:
    """One that invites nobody is a file like others."""
    kind = "text/calendar; charset=utf-8; method=PUBLISH"
    _, file = mail(attachments=(Attachment("d.ics", kind, b"BEGIN"),)).iter_parts()

    assert (file.get_filename(), file["Content-Type"].params["method"]) == ("d.ics", "PUBLISH")


def test_an_address_beyond_ascii_asks_for_smtputf8() -> None:
    """RFC 6531."""
    letter = QueuedMessage(OutboxId(7), MADE, 1, replace(OUTGOING, to="lucía@example.com"))
    composed = compose(letter, JUDGE, SECRET)

    assert composed.international
    assert "To: lucía@example.com\r\n".encode() in composed.content


@pytest.mark.parametrize("to", ["", "lucia", "lucia@", "a@b\r\nBcc: c@d", "a@b, c@d", "a b@c"])
def test_what_is_no_address_gets_no_mail(to) -> None:
    """The letter is given up and the keeper can see it."""
    with pytest.raises(Unwritable, match="message 7"):
        mail(to=to)


@given(body=st.text(max_size=200), subject=st.text(max_size=100))
def test_any_letter_can_be_written(body, subject) -> None:
    """Whatever a player's text or name has put into it."""
    content = raw(body=body, subject=subject)

    head = content.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] not in b" \t"]
    assert len(names) == len(set(names)) == 14


def test_a_reply_token_stands_in_three_places() -> None:
    """The address for answers, the Message-ID, and the last line of the text."""
    token_scopes = SeatToken(GameId("borgia"), 3, 0, "S1454M")
    tag = f"r.{code_of(SECRET, token_scopes)}"
    seen = mail(reply=token_scopes)

    assert str(seen["Reply-To"]).endswith(f"<judge+{tag}@mach.example>")
    assert seen["Message-ID"] == f"<20261120T120000.{NUMBER}.{tag}@mach.example>"
    assert text_of(seen).endswith(f"A Pad H\n\nReply code: {tag}\n")
    assert mail()["Reply-To"] is None
    assert "Reply code" not in text_of(mail())


LAID_OUT = replace(OUTGOING, body="The news.\n\nA map of all.\n", layout="en t p")
MAP = Attachment("near.png", "image/png", b"\x89PNG", "near")


def test_html_stands_behind_the_text_and_says_the_same() -> None:
    """A program shows the last form that it knows; one for terminals the first."""
    seen = mail(LAID_OUT)
    text, html = seen.iter_parts()

    assert seen.get_content_type() == "multipart/alternative"
    assert text_of(text) == LAID_OUT.body
    assert html.get_content_type() == "text/html"
    assert "A map of all." in html.get_content()


def test_a_picture_goes_with_the_html_that_shows_it() -> None:
    """As a part related to it (RFC 2387), under a Content-ID that no other message has."""
    file = Attachment("deadline.ics", "text/calendar; charset=utf-8; method=PUBLISH", b"BEGIN")
    both, calendar = mail(LAID_OUT, attachments=(file, MAP)).iter_parts()
    _, related = both.iter_parts()
    html, picture = related.iter_parts()

    assert related["Content-Type"].params["type"] == "text/html"
    assert f'src="cid:near.{NUMBER}@mach.example" alt="A map of all."' in html.get_content()
    assert picture["Content-ID"] == f"<near.{NUMBER}@mach.example>"
    assert picture["Content-Disposition"] == 'inline; filename="near.png"'
    assert picture.get_content() == b"\x89PNG"
    assert calendar.get_filename() == "deadline.ics"


def test_an_invitation_is_the_last_form_of_the_text() -> None:
    """Text, HTML, calendar: all are one message."""
    kind = "text/calendar; charset=utf-8; method=REQUEST"
    seen = mail(LAID_OUT, attachments=(Attachment("d.ics", kind, b"BEGIN"),))

    assert [each.get_content_type() for each in seen.iter_parts()] == [
        "text/plain",
        "text/html",
        "text/calendar",
    ]


@given(body=st.text(max_size=200), layout=st.text(alphabet=" .thsiwdxyoqnvbp|+", max_size=40))
def test_any_html_can_be_written(body, layout) -> None:
    """In lines of sound length and ASCII, whatever the text and the kinds of its lines are."""
    content = raw(body=body, layout=f"en {layout}")

    assert content.isascii()
    assert max(map(len, content.split(b"\r\n"))) <= 998


# --- providers that refuse a plus ----------------------------------------------------------------

WITH_CODE = replace(OUTGOING, reply=SeatToken(GameId("borgia"), 2, 0, "S1454M"), observer=2)


def as_sent_by(judge: Judge, outgoing: Outgoing = WITH_CODE):
    """A mail of such a judge, with its envelope."""
    return compose(QueuedMessage(OutboxId(7), MADE, 1, outgoing), judge, SECRET)


def test_a_bare_envelope_says_in_the_mail_which_message_it_is() -> None:
    """For delivery reports; the address for answers keeps its code."""
    sent = as_sent_by(replace(JUDGE, plain_envelope=True))
    seen = message_from_bytes(sent.content, policy=default)

    assert sent.sender == "judge@mach.example"
    assert seen["X-Machjudge-Return"] == return_tag(SECRET, OutboxId(7))
    assert seen["Reply-To"].addresses[0].addr_spec.startswith("judge+r.")


def test_without_a_plus_the_code_stands_in_the_message_id_and_the_text_alone() -> None:
    """Nowhere is the address of the judge written with a plus; observers leave by the subject."""
    sent = as_sent_by(replace(JUDGE, plus=False), replace(WITH_CODE, layout="en ...."))
    seen = message_from_bytes(sent.content, policy=default)
    code = code_of(SECRET, WITH_CODE.reply)

    assert sent.sender == "judge@mach.example"
    assert b"judge+" not in sent.content
    assert code in seen["Message-ID"]
    assert f"Reply code: r.{code}" in seen.get_body(["plain"]).get_content()
    assert seen["Reply-To"].addresses[0].addr_spec == "judge@mach.example"
    leaving = f"<mailto:judge@mach.example?subject={leaving_tag(SECRET, OutboxId(7))}>"
    assert seen["List-Unsubscribe"] == leaving


def test_a_message_with_an_address_of_its_own_has_no_field_for_reports() -> None:
    """Its envelope sender says it."""
    assert "X-Machjudge-Return" not in message_from_bytes(as_sent_by(JUDGE).content)
