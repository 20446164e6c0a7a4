"""What people and machines send that is wrong: a clear answer, or silence where that is right.

All over SMTP, at one judge with one game.  The rest of the mail counts, and the game of others is
untouched.
"""

import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count

import pytest

from machjudge.judge.records import GameId
from tests.journeys.conftest import SMALL, at_the_small_game
from tests.journeys.judge import JUDGE, Judge, QueuedMessage
from tests.mail.servers import relaying
from tests.patience import wait_until

LORENZA = SMALL.people["L"].address
SIGNON = SMALL.signon("L").encode()
NUMBERS = count(1)
MAIL = {"inbox", "outbox", "attachments", "sqlite_sequence", "heartbeat", "tries", "counts"}
"""Tables that every mail may change; none tells anything of a game."""


@dataclass(frozen=True)
class Bad:
    """A mail, byte by byte."""

    body: bytes
    fields: dict[bytes, bytes] = field(default_factory=dict)
    sender: str = LORENZA
    """Who stands in the envelope."""
    id: str = field(default_factory=lambda: f"<bad.{next(NUMBERS)}@players.example>")

    @property
    def raw(self) -> bytes:
        """Header and body."""
        usual = {
            b"From": f"Lorenza <{LORENZA}>".encode(),
            b"To": JUDGE.encode(),
            b"Subject": b"orders",
            b"Message-ID": self.id.encode(),
        }
        head = b"".join(b"%s: %s\r\n" % each for each in (usual | self.fields).items())
        return head + b"\r\n" + self.body.replace(b"\n", b"\r\n")


def bad(*lines: bytes, fields: dict[bytes, bytes] | None = None, sender: str = LORENZA) -> Bad:
    """A mail of some lines."""
    return Bad(b"\n".join(lines) + b"\n", fields or {}, sender)


@pytest.fixture(scope="module")
def serving(tmp_path_factory, begun) -> Iterator[Judge]:
    """A judge whose door is open, with the small game."""
    judge = at_the_small_game(tmp_path_factory.mktemp("noise"), begun)
    with relaying(judge.post, judge.relay_port):
        judge.serve()
        yield judge
        judge.end()


def answers(judge: Judge, mail: Bad) -> list[QueuedMessage]:
    """All letters that a mail brings, to whomever they go."""
    before = len(judge.letters())
    judge.send(mail.raw, sender=mail.sender)
    judge.rest()
    return judge.letters()[before:]


def answer(judge: Judge, mail: Bad) -> str:
    """The only letter that a mail brings; it goes to Lorenza."""
    (letter,) = answers(judge, mail)
    assert letter.to == LORENZA
    return letter.text


def on_file(judge: Judge, power: str = "L") -> list[str]:
    """The orders of a power on file, in canonical notation."""
    with judge.application.store.reading() as work:
        order_set = work.order_sets.on_file(GameId("borgia"), 0).get(power)
    return [line.canonical for line in order_set.lines] if order_set is not None else []


def game(judge: Judge) -> list[object]:
    """Everything that is stored of the game and its people."""
    tables = [each for each in judge.tables() if each.rpartition(" ")[2] not in MAIL]
    assert "SELECT * FROM games" in tables
    return [judge.rows(each) for each in tables]


# --- lines that are wrong --------------------------------------------------------------------


def test_an_unknown_command_costs_the_rest_nothing(serving) -> None:
    """It comes back as a line that was not read; the orders around it are on file."""
    text = answer(serving, bad(SIGNON, b"A flo - are", b"frobnicate the duke", b"A pst H"))

    assert "NOT READ\n  line 3: frobnicate the duke\n" in text
    assert {"A flo - are", "A pst h"} <= set(on_file(serving))


def test_a_sentence_of_a_stranger_brings_help(serving) -> None:
    """Anyone who writes a sentence with no command in it is told how to join, and where help is."""
    fields = {b"From": b"Eve <eve@elsewhere.example>"}
    (letter,) = answers(
        serving, bad(b"frobnicate the duke", fields=fields, sender="eve@elsewhere.example")
    )

    assert letter.to == "eve@elsewhere.example"
    assert "WELCOME" in letter.text
    assert "HELP (all commands)" in letter.text


@pytest.mark.parametrize(
    ("signon", "shown"),
    [
        (b"SIGNON Lborgia gigliO15", "SIGNON Lborgia ********"),
        (b"SIGNON Lmedici giglio15", "SIGNON Lmedici ********"),
        (b"SIGNON Xborgia giglio15", "SIGNON Xborgia ********"),
    ],
    ids=["password", "game", "power"],
)
def test_a_signon_that_opens_nothing_tells_nothing(serving, signon, shown) -> None:
    """Wrong password, game and power get the same answer; nothing behind it is read."""
    before = game(serving)
    text = answer(serving, bad(signon, b"A flo H", b"PRESS TO V", b"Venice, hear!", b"ENDPRESS"))

    assert text == (
        "NOT TAKEN\n"
        f"line 1: {shown}\n"
        "That game, power and password do not go together.\n"
        "The rest of the mail was not read.\n"
        "\n"
        "NOT READ\n"
        "  line 2: A flo H\n"
        "  line 3: PRESS TO V\n"
        "  line 4: Venice, ...\n"
        "  line 5: ENDPRESS\n"
        "\n"
        ":: Judge: MACH\n"
    )
    assert game(serving) == before


def test_orders_for_the_units_of_another_are_refused(serving) -> None:
    """One's own in the same mail are taken; the other power's stay as they are."""
    before = on_file(serving, "I")
    text = answer(serving, bad(SIGNON, b"A mil - pav", b"A flo - bol", b"F gen H"))

    for line in ("line 2: A mil - pav\n", "line 4: F gen H\n"):
        assert f"{line}That is not one of your units [SYN-10].\n" in text
    assert "A flo - bol" in on_file(serving)
    assert on_file(serving, "I") == before


# --- mails that can hardly be read -----------------------------------------------------------


@pytest.mark.parametrize(
    ("mail", "said"),
    [
        (bad(b""), "there is no text to read"),
        (bad(b"", b"   ", b"\t"), "there is no text to read"),
        (
            bad(b"\x89PNG\r\n", bytes(range(256)) * 20, fields={b"Content-Type": b"image/png"}),
            "there is no text in the mail itself, only a file or a picture",
        ),
    ],
    ids=["empty", "blank", "a picture"],
)
def test_a_mail_without_text_brings_help(serving, mail, said) -> None:
    """The writer may not know how."""
    before = game(serving)
    text = answer(serving, mail)

    assert said in " ".join(text.split()).lower()
    assert "WELCOME" in text
    assert game(serving) == before


def test_a_binary_attachment_costs_the_orders_nothing(serving) -> None:
    """It is passed over."""
    parts = [
        b"--b",
        b"Content-Type: text/plain",
        b"",
        SIGNON,
        b"A flo - pst",
        b"--b",
        b'Content-Type: application/octet-stream; name="a.exe"',
        b"Content-Transfer-Encoding: base64",
        b"",
        b"TVqQAAMAAAAEAAAA//8AALgAAAAAAAAA",
        b"--b--",
    ]
    fields = {b"MIME-Version": b"1.0", b"Content-Type": b"multipart/mixed; boundary=b"}
    text = answer(serving, bad(*parts, fields=fields))

    assert "NOT TAKEN" not in text
    assert "A flo - pst" in on_file(serving)


def test_invalid_utf8_costs_only_its_line(serving) -> None:
    """The line comes back as it could be read."""
    fields = {b"Content-Type": b"text/plain; charset=utf-8"}
    text = answer(serving, bad(SIGNON, b"A flo \xff\xfe H", b"A pst - flo", fields=fields))

    assert "line 2:" in text
    assert "line 3:" not in text
    assert "A pst - flo" in on_file(serving)


def test_a_nul_costs_only_its_line(serving) -> None:
    """It is not guessed what was meant."""
    text = answer(serving, bad(SIGNON, b"A flo H", b"A p\x00st H", b"F psa H"))

    assert "line 3: the line holds control characters; not read" in text
    assert {"A flo h", "F psa h"} <= set(on_file(serving))


def test_five_thousand_lines_are_not_all_read(serving) -> None:
    """The first thousand are; the answer says so, and does not become as long as the mail."""
    nonsense = [b"A flo H" if n % 2 else b"gibberish %d" % n for n in range(5000)]
    text = answer(serving, bad(SIGNON, *nonsense, b"A flo - are"))

    assert "line 1001: there are too many lines; those from here on were not read" in text
    assert len(text.splitlines()) < 200
    assert "A flo h" in on_file(serving)


@pytest.mark.parametrize("line", [b"x" * 70 + b"\r\n", b"\0" * 900 + b"\r\n"], ids=["x", "NUL"])
def test_ten_megabytes_are_refused_at_the_door(serving, line) -> None:
    """Not kept, not answered; the judge goes on."""
    before = serving.rows("SELECT count(*) FROM inbox")
    with smtplib.SMTP("127.0.0.1", serving.port) as client:
        client.docmd("HELO noise.example")
        client.mail(LORENZA)
        client.rcpt(JUDGE)
        code, _ = client.data(bad(SIGNON).raw + line * (10_000_000 // len(line)))

    assert code == 552
    assert serving.rows("SELECT count(*) FROM inbox") == before
    assert "A Pistoia H" in answer(serving, bad(SIGNON, b"A pst H"))


def test_a_megabyte_of_noise_is_answered(serving) -> None:
    """As large as may be, with a signon on top: the answer is short, and soon there."""
    noise = [bytes(33 + (n * k) % 94 for k in range(70)) for n in range(14_000)]
    text = answer(serving, bad(SIGNON, *noise))

    assert "Florence in borgia" in text
    assert len(text) < 20_000


# --- what is not what it seems ---------------------------------------------------------------


def test_a_header_cannot_be_injected(serving) -> None:
    """Neither by the name nor by the subject: one letter, to one reader, with one subject."""
    fields = {
        b"From": b"=?utf-8?q?Eve=0D=0ABcc:_all@victims.example?= <eve@elsewhere.example>",
        b"Subject": b"=?utf-8?q?Hi=0D=0ABcc:_all@victims.example=0D=0A=0D=0AYou won?=",
    }
    mail = bad(b"REGISTER", b"END", b"LIST", fields=fields, sender="eve@elsewhere.example")
    (letter,) = answers(serving, mail)
    _, readers, content = serving.post.taken[-1]
    head = content.partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ")

    assert [letter.to] == readers == ["eve@elsewhere.example"]
    assert b"\r\nBcc" not in head
    assert letter.mail["Bcc"] is None
    assert letter.subject.startswith("Re: MACH: Hi Bcc")
    assert "\nBcc" not in letter.text


@pytest.mark.parametrize(
    "recipient",
    ["judges@mach.example", "judge@elsewhere.example", "root@mach.example", "judge", "@"],
)
def test_wrong_recipients_are_refused(serving, recipient) -> None:
    """At once, so that the sender's own server tells him."""
    with (
        smtplib.SMTP("127.0.0.1", serving.port) as client,
        pytest.raises(smtplib.SMTPRecipientsRefused) as refused,
    ):
        client.sendmail(LORENZA, [recipient], bad(SIGNON).raw)

    assert [code for code, _ in refused.value.recipients.values()] in ([550], [553], [501])


def test_a_wrong_recipient_beside_the_judge_costs_nothing(serving) -> None:
    """The judge's mail is kept."""
    mail = bad(SIGNON, b"A flo - bol")
    with smtplib.SMTP("127.0.0.1", serving.port) as client:
        refused = client.sendmail(LORENZA, ["root@mach.example", "judge+x@mach.example"], mail.raw)
    serving.answer_to(mail.id)

    assert list(refused) == ["root@mach.example"]
    assert "A flo - bol" in on_file(serving)


ORDER = b"A flo - pst"
MACHINES: dict[str, tuple[dict[bytes, bytes], str]] = {
    "an automatic reply": ({b"Auto-Submitted": b"auto-replied"}, LORENZA),
    "a bounce": ({}, ""),
    "a loop": ({b"X-Machjudge-Loop": b"<judge@mach.example>"}, LORENZA),
    "ourselves": ({b"From": JUDGE.encode()}, JUDGE),
    "ourselves with an extension": ({b"From": b"judge+x@mach.example"}, "judge+x@mach.example"),
    "a circle": ({b"X-Trace": b"\r\n".join([b"1", *[b"Received: from a by b"] * 100])}, LORENZA),
}
"""Header fields and envelope of mails that programs send."""
SILENT = {
    **{name: bad(ORDER, fields=head, sender=who) for name, (head, who) in MACHINES.items()},
    "out of office": bad(b"I am away.", fields={b"Subject": b"Out of office: orders"}),
    "a report": bad(
        b"--r",
        b"",
        b"Could not deliver.",
        b"--r",
        b"Content-Type: message/delivery-status",
        b"",
        b"Action: failed",
        b"--r--",
        fields={b"Content-Type": b"multipart/report; report-type=delivery-status; boundary=r"},
    ),
    "a list": bad(b"I am away until Monday.", fields={b"Precedence": b"list"}),
    "nobody to answer": bad(
        ORDER, fields={b"From": b"undisclosed"}, sender="noreply@elsewhere.example"
    ),
}


def is_noted(judge: Judge, mail: Bad) -> bool:
    """True if it is stored of a mail that it was passed over."""
    found = judge.rows(f"SELECT outcome FROM inbox WHERE message_id = '{mail.id}'")  # noqa: S608
    return found == [("silent",)]


@pytest.mark.parametrize("mail", SILENT.values(), ids=SILENT)
def test_machines_are_never_answered(serving, mail) -> None:
    """Nor obeyed: the mail is noted, and nothing else happens."""
    before = game(serving)

    assert answers(serving, mail) == []
    assert game(serving) == before
    assert is_noted(serving, mail)


def test_machines_with_a_password_are_not_obeyed_and_its_owner_hears_of_it_once(serving) -> None:
    """Of all that come in a day, the first is told to the address on file for the seat."""
    before = game(serving)
    mails = [bad(SIGNON, ORDER, fields=head, sender=who) for head, who in MACHINES.values()]
    letters = [letter for mail in mails for letter in answers(serving, mail)]

    assert [(each.to, each.subject) for each in letters] == [(LORENZA, "borgia: not read")]
    assert game(serving) == before
    assert all(is_noted(serving, mail) for mail in mails)


def test_a_letter_of_the_judge_that_comes_back_is_not_answered(serving) -> None:
    """As from a player whose address leads back to the judge."""
    text = answer(serving, bad(SIGNON, b"A flo H"))
    assert text
    (_, _, content) = serving.post.taken[-1]
    serving.send(content.replace(b"Message-ID: <", b"Message-ID: <again."), sender=LORENZA)
    before = len(serving.letters())
    serving.rest()

    assert len(serving.letters()) == before


# --- after the deadline ----------------------------------------------------------------------


def test_an_order_after_the_deadline_does_not_slip_into_the_next_phase(judge) -> None:
    """The phase is played as it stood at its deadline; the late order is refused, and told why."""
    judge.serve()
    mails = []
    for step in SMALL.act("S1385M").steps:
        writer = SMALL.people[step["from"]]
        lines = [line.encode() for line in SMALL.lines(step["from"], step)]
        more = [b"set wait"] if step["from"] == "L" else []
        fields = {b"From": f"{writer.name} <{writer.address}>".encode()}
        mails.append(bad(lines[0], *more, *lines[1:], fields=fields, sender=writer.address))
    for mail in mails:
        judge.send(mail.raw, sender=mail.sender)
    judge.rest()
    deadline = judge.game("borgia").clock.deadline
    judge.let_pass(deadline - timedelta(hours=1))
    judge.clock.set(deadline)
    late = bad(SIGNON, b"A flo - bol")
    judge.send(late.raw, sender=LORENZA)
    text = judge.answer_to(late.id).text

    wait_until(lambda: judge.position("borgia").moment.code == "U1385M", "the next phase")
    assert "The mail was received before this phase began" in text
    assert [unit.place for unit in judge.position("borgia").units_of("L")].count("are") == 1
    assert judge.rows('SELECT count(*) FROM sheets WHERE "after" > 0') == [(0,)]
