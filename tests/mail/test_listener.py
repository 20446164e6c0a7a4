"""The doors, by real connections: what is taken in, what is refused, and when a 250 is said."""

import asyncio
import re
import smtplib
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.judge.faults import Stale
from machjudge.mail import server
from machjudge.mail.server import CannotListen, TcpEndpoint, UnixEndpoint
from tests.cases import cases
from tests.mail.conftest import SIZE_LIMIT
from tests.mail.servers import JUDGE, Mat, Running, talking
from tests.patience import SECONDS, wait_until
from tests.ports import free_port

MAIL = b"From: lucia@example.com\r\nMessage-ID: <1@example.com>\r\n\r\nlist\r\n"


def dial(address: tuple[str, int]) -> socket.socket:
    """A connection to a door."""
    return socket.create_connection(address, timeout=SECONDS)


def smtp(doors):
    """A connection that has greeted by SMTP."""
    return talking(dial(doors.smtp))


def lmtp(doors):
    """A connection that has greeted by LMTP."""
    return talking(dial(doors.lmtp), b"LHLO client.example")


def envelope(line, *recipients: str) -> None:
    """Begin a mail from Lucia to the judge."""
    assert line.ask(b"MAIL FROM:<lucia@example.com>").startswith("250")
    for each in recipients or (JUDGE,):
        assert line.ask(f"RCPT TO:<{each}>".encode()).startswith("250")


def data(line, content: bytes = MAIL) -> str:
    """Send the text of a mail and hear the (first) answer to it."""
    assert line.ask(b"DATA").startswith("354")
    line.connection.sendall(content + b".\r\n")
    return line.hear()


# --- what is taken in ------------------------------------------------------------------------


def test_a_mail_is_kept_before_its_250(doors) -> None:
    """As long as it is not kept, nothing is answered."""
    doors.mat.gate.clear()
    with smtp(doors) as line:
        envelope(line)
        with ThreadPoolExecutor() as pool:
            answer = pool.submit(data, line)
            threading.Event().wait(0.3)
            unanswered = not answer.done()
            doors.mat.gate.set()

            assert unanswered
            assert answer.result().startswith("250")

    assert [each.raw for each in doors.mat.kept] == [MAIL]


def test_envelope_and_author_are_noted(doors) -> None:
    """Whatever case or tag the judge was addressed by."""
    with smtp(doors) as line:
        line.ask(b"MAIL FROM:<Bounces@List.example>")
        line.ask(b"RCPT TO:<JUDGE+Borgia@mach.example>")
        data(line)

    (mail,) = doors.mat.kept
    assert mail.envelope_sender == "Bounces@List.example"
    assert mail.recipients == ("JUDGE+Borgia@mach.example",)
    assert (mail.sender, mail.message_id) == ("lucia@example.com", "<1@example.com>")


def test_a_bounce_is_taken_in(doors) -> None:
    """The null sender is welcome; its mails are kept and never answered."""
    with smtp(doors) as line:
        assert line.ask(b"MAIL FROM:<>").startswith("250")
        line.ask(b"RCPT TO:<judge+bounce.7@mach.example>")
        assert data(line).startswith("250")

    assert [(each.envelope_sender, each.sender) for each in doors.mat.kept] == [("", "")]


@pytest.mark.parametrize(
    "content",
    [
        b"Subject: NUL\r\n\r\na\x00b\r\n",
        b"Subject: 8 bit\r\n\r\n" + bytes(range(128, 256)) + b"\r\n",
        b"\r\n",
        b"",
        b"no header at all\r\n",
        b"Subject: a bare end\r\n\r\ntwo\rthree\r\n",
        b"Subject: a long line\r\n\r\n" + b"x" * 32_000 + b"\r\n",
    ],
)
def test_any_content_is_kept_as_it_is(doors, content) -> None:
    """Byte for byte: what it means is found out later."""
    with smtp(doors) as line:
        envelope(line)
        assert data(line, content).startswith("250")

    assert [each.raw for each in doors.mat.kept] == [content]


def test_dots_at_line_starts_are_restored(doors) -> None:
    """RFC 5321, 4.5.2; only a lone dot between proper line ends is the end of a mail."""
    with smtp(doors) as line:
        envelope(line)
        sent = b"..one\r\n...\r\n.x\r\nbare\r.\r\r\n"
        assert data(line, sent).startswith("250")

    assert [each.raw for each in doors.mat.kept] == [b".one\r\n..\r\nx\r\nbare\r.\r\r\n"]


@pytest.mark.parametrize(
    "content",
    [b"Subject: x\n\r\nlist\r\n", b"\r\nlist\n.\nMAIL FROM:<a@b.example>\r\n", b"\r\n\n.\r\n"],
)
def test_a_bare_line_feed_is_refused(doors, content) -> None:
    """RFC 5321, 2.3.8: behind one, a second mail could be smuggled past a server in front."""
    with smtp(doors) as line:
        envelope(line)
        assert data(line, content).startswith("550 5.6.0")

        envelope(line)
        assert data(line).startswith("250")

    assert [each.raw for each in doors.mat.kept] == [MAIL]


def test_addresses_beyond_ascii_are_taken(doors) -> None:
    """SMTPUTF8 (RFC 6531)."""
    with smtplib.SMTP(*doors.smtp) as client:
        assert client.has_extn("smtputf8") or client.ehlo()
        client.sendmail(
            "lucía@example.com", ["judge+señor@mach.example"], MAIL, ["SMTPUTF8", "BODY=8BITMIME"]
        )

    (mail,) = doors.mat.kept
    assert mail.envelope_sender == "lucía@example.com"
    assert mail.recipients == ("judge+señor@mach.example",)


def test_commands_may_come_without_waiting_for_answers(doors) -> None:
    """A whole mail in one packet, then another one on the same connection."""
    begin = (b"MAIL FROM:<a@x.example>", b"RCPT TO:<judge@mach.example>", b"DATA")
    with smtp(doors) as line:
        line.say(*begin, b"first", b".", *begin, b"second", b".")
        answers = [line.hear()[:3] for _ in range(8)]

    assert answers == ["250", "250", "354", "250"] * 2
    assert [each.raw for each in doors.mat.kept] == [b"first\r\n", b"second\r\n"]


@pytest.mark.parametrize("door", ["smtp", "lmtp"])
def test_what_is_spoken_is_announced(doors, door) -> None:
    """Pipelining and statuses, which RFC 2033 asks of LMTP; no AUTH, as nobody has an account."""
    kind = {"smtp": smtplib.SMTP, "lmtp": smtplib.LMTP}[door]
    with kind(*getattr(doors, door)) as client:
        client.ehlo()

        assert {"pipelining", "enhancedstatuscodes", "8bitmime", "smtputf8", "size"} == {
            name for name in client.esmtp_features if name != "help"
        }


@cases
def test_each_answer_has_a_status(doors, command, answer) -> None:
    """RFC 2034: also those to commands that are none."""
    with smtp(doors) as line:
        said = line.ask(command.encode())

    assert said.startswith(answer)
    assert re.match(r"\d{3} [25]\.\d\.\d ", said)


def test_a_mail_to_several_of_our_addresses_is_kept_once(doors) -> None:
    """One text, one mail; all recipients are noted."""
    with smtp(doors) as line:
        envelope(line, JUDGE, "judge+a@mach.example", "judge+b@mach.example")
        assert data(line).startswith("250")

    (mail,) = doors.mat.kept
    assert len(mail.recipients) == 3


def test_the_worker_is_woken(doors) -> None:
    """Once a mail has been kept."""
    with smtp(doors) as line:
        envelope(line)
        data(line)

    assert doors.listener.woken == 1


def test_mails_that_wait_together_are_kept_together(doors) -> None:
    """While one is being written, the others gather for one commit."""
    doors.mat.gate.clear()

    def send(n: int) -> str:
        with smtp(doors) as line:
            envelope(line)
            return data(line, b"Message-ID: <%d@x.example>\r\n\r\n" % n)

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(send, 0)
        wait_until(lambda: doors.mat.knocked == 1, "the first mail")
        answers = [first, *(pool.submit(send, n) for n in range(1, 8))]
        wait_until(lambda: doors.listener.waiting() == 7, "the others")
        doors.mat.gate.set()

        assert {each.result()[:3] for each in answers} == {"250"}

    assert sum(doors.mat.calls) == 8
    assert doors.mat.calls == [1, 7]


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["other@mach.example", "judge@elsewhere.example", "postmasters@mach.example"]
)
def test_nobody_else_lives_here(doors, address) -> None:
    """550; the judge's own part of the mail goes on."""
    with smtp(doors) as line:
        envelope(line)
        assert line.ask(f"RCPT TO:<{address}>".encode()).startswith("550")
        assert data(line).startswith("250")

    assert [each.recipients for each in doors.mat.kept] == [(JUDGE,)]


@pytest.mark.parametrize("address", ["postmaster", "Postmaster@mach.example"])
def test_mail_to_postmaster_is_taken_in(doors, address) -> None:
    """RFC 5321, 4.5.1: with and without a domain."""
    with smtp(doors) as line:
        envelope(line, address)
        assert data(line).startswith("250")

    assert [each.recipients for each in doors.mat.kept] == [(address,)]


def test_without_a_recipient_there_is_no_mail(doors) -> None:
    """Nothing is kept that is for nobody."""
    with smtp(doors) as line:
        line.ask(b"MAIL FROM:<lucia@example.com>")
        line.ask(b"RCPT TO:<other@mach.example>")
        assert line.ask(b"DATA").startswith("503")

    assert doors.mat.kept == []


@pytest.mark.parametrize(
    "command",
    [
        b"MAIL FROM:<a\x00b@x.example>",
        b"MAIL FROM:<a\xff@x.example>",
        b"MAIL FROM:<",
        b"MAIL FROM:<a b@>",
        b"MAIL FROM:" + b"<" * 300,
        b"MAIL FROM:<" + b"a" * 330 + b"@x.example>",
    ],
)
def test_noise_for_an_address_is_refused_for_good(doors, command) -> None:
    """With a 5xx; the connection goes on."""
    with smtp(doors) as line:
        assert line.ask(command)[0] == "5"
        envelope(line)
        assert data(line).startswith("250")


@pytest.mark.parametrize(
    "content",
    [b"x" * 70 + b"\r\n", b"x" * (2 * SIZE_LIMIT) + b"\r\n", b"\r\n"],
    ids=["lines", "one line", "empty lines"],
)
def test_a_mail_that_is_too_large_is_refused(doors, content) -> None:
    """552, once it is over; nothing is kept, and the connection goes on."""
    with smtp(doors) as line:
        envelope(line)
        too_much = content * (2 * SIZE_LIMIT // len(content) + 1)
        assert data(line, too_much).startswith("552")
        envelope(line)
        assert data(line).startswith("250")

    assert [each.raw for each in doors.mat.kept] == [MAIL]


def test_ten_megabytes_of_noise_are_refused(doors) -> None:
    """Without being kept in memory, in reasonable time."""
    with smtp(doors) as line:
        envelope(line)
        assert data(line, (b"\x00\xff" * 500 + b"\r\n") * 10_000).startswith("552")


def test_a_mail_as_large_as_allowed_is_kept(doors) -> None:
    """Even if it is a single line."""
    with smtp(doors) as line:
        envelope(line)
        assert data(line, b"x" * (SIZE_LIMIT - 2) + b"\r\n").startswith("250")
        envelope(line)
        assert data(line, b"x" * (SIZE_LIMIT - 1) + b"\r\n").startswith("552")


def test_an_announced_size_is_refused_at_once(doors) -> None:
    """RFC 1870: the sender need not send what would be refused."""
    with smtp(doors) as line:
        too_large = f"MAIL FROM:<a@x.example> SIZE={SIZE_LIMIT + 1}".encode()
        refused = line.ask(too_large)
        assert refused.startswith(f"552 5.3.4 The mail is too large: {SIZE_LIMIT} bytes at most. ")
        assert line.ask(b"MAIL FROM:<a@x.example> SIZE=100").startswith("250")


@pytest.mark.parametrize("fault", [Stale("busy"), OSError("disk full"), RuntimeError("bug")])
def test_any_fault_of_ours_is_a_451(doors, fault) -> None:
    """The sender still has the mail and comes again; nothing of the fault is told."""
    doors.mat.fault = fault
    with smtp(doors) as line:
        envelope(line)
        answer = data(line)
        doors.mat.fault = None
        envelope(line)
        assert data(line).startswith("250")

    assert answer.startswith("451")
    assert str(fault) not in answer


def test_a_fault_anywhere_in_a_session_is_a_451(doors, monkeypatch) -> None:
    """The connection goes on, and nothing of the fault is told."""

    def stumble(address: str) -> bool:
        message = f"stumbled over {address}"
        raise RuntimeError(message)

    with smtp(doors) as line:
        with monkeypatch.context() as broken:
            broken.setattr("machjudge.mail.server.is_sound", stumble)
            answer = line.ask(b"MAIL FROM:<lucia@example.com>")
        envelope(line)
        assert data(line).startswith("250")

    assert answer.startswith("451")
    assert "stumbled" not in answer


def test_one_mail_that_cannot_be_kept_does_not_cost_its_neighbours(doors, monkeypatch) -> None:
    """Of mails that gather for one commit, only the faulty one gets a 451."""
    mat = doors.mat
    keep = Mat.keep

    def choosy(self, arrivals) -> None:
        if any(b"faulty" in each.raw for each in arrivals):
            raise ValueError
        keep(self, arrivals)

    monkeypatch.setattr(Mat, "keep", choosy)
    mat.gate.clear()

    def send(text: bytes) -> str:
        with smtp(doors) as line:
            envelope(line)
            return data(line, text + b"\r\n")[:3]

    with ThreadPoolExecutor(5) as pool:
        first = pool.submit(send, b"1")
        wait_until(lambda: mat.knocked == 1, "the first mail")
        answers = [first, *(pool.submit(send, text) for text in (b"2", b"faulty", b"3"))]
        wait_until(lambda: doors.listener.waiting() == 3, "the others")
        mat.gate.set()

        assert [each.result() for each in answers] == ["250", "250", "451", "250"]


@settings(max_examples=30)
@given(noise=st.lists(st.binary(max_size=40), max_size=8))
def test_no_noise_brings_the_door_down(open_door, noise) -> None:
    """Whatever is said, a mail gets through afterwards on a new connection."""
    with talking(dial(open_door)) as line:
        line.say(*noise, b"MAIL FROM:<" + b"".join(noise)[:50] + b">")
    with talking(dial(open_door)) as line:
        envelope(line)
        assert data(line).startswith("250")


@pytest.fixture(scope="module")
def open_door():
    """A door that stays open for a whole search."""
    listener = Running(Mat(), SIZE_LIMIT)
    address = ("127.0.0.1", free_port())
    listener.open([TcpEndpoint(*address, lmtp=False)])
    yield address
    listener.end()


# --- LMTP ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [b"DATA\rQUIT", b"A\x00\x1b[2J", "\x85".encode()])
def test_an_answer_is_one_line_of_what_can_be_seen(doors, command) -> None:
    """What it repeats of a command makes no second answer, and does nothing to a terminal."""
    with smtp(doors) as line:
        answer = line.ask(command)

        assert answer.startswith("500")
        assert answer.isprintable()
        assert line.ask(b"NOOP").startswith("250")


def test_lmtp_answers_once_per_recipient(doors) -> None:
    """RFC 2033, 4.2: in the order of the recipients that were accepted."""
    with lmtp(doors) as line:
        envelope(line, JUDGE, "judge+a@mach.example")
        line.ask(b"RCPT TO:<other@mach.example>")
        answers = [data(line), line.hear()]
        assert line.ask(b"NOOP").startswith("250 ")

    assert [each[:5] for each in answers] == ["250 2", "250 2"]
    assert len(doors.mat.kept) == 1


def test_lmtp_refuses_once_per_recipient(doors) -> None:
    """A mail that is too large, and a fault of ours, likewise."""
    doors.mat.fault = OSError()
    with lmtp(doors) as line:
        envelope(line, JUDGE, "judge+a@mach.example", "judge+b@mach.example")
        too_large = [data(line, b"x" * 70 + b"\r\n" * SIZE_LIMIT), line.hear(), line.hear()]
        envelope(line, JUDGE, "judge+a@mach.example")
        fault = [data(line), line.hear()]
        assert line.ask(b"NOOP").startswith("250 ")

    assert [each[:3] for each in too_large] == ["552"] * 3
    assert [each[:3] for each in fault] == ["451"] * 2


def test_lmtp_answers_commands_once(doors) -> None:
    """Only the end of a mail has several answers."""
    with lmtp(doors) as line:
        envelope(line, JUDGE, "judge+a@mach.example")
        assert line.ask(b"DATA now").startswith("501")
        assert line.ask(b"RSET").startswith("250")
        assert line.ask(b"DATA").startswith("503")
        assert line.ask(b"NOOP").startswith("250 ")


def test_lmtp_is_not_smtp(doors) -> None:
    """Each greets in its own way."""
    with lmtp(doors) as line:
        assert line.ask(b"EHLO x")[0] == "5"
    with smtp(doors) as line:
        assert line.ask(b"LHLO x")[0] == "5"


def test_the_library_speaks_lmtp_with_us(doors) -> None:
    """`smtplib` gets through, as Postfix does."""
    with smtplib.LMTP(*doors.lmtp) as client:
        refused = client.sendmail("lucia@example.com", [JUDGE, "other@mach.example"], MAIL)

    assert list(refused) == ["other@mach.example"]
    assert len(doors.mat.kept) == 1


# --- doors -----------------------------------------------------------------------------------


def test_the_greeting_names_the_judge_alone(doors) -> None:
    """Not the program behind it, nor its version."""
    with dial(doors.smtp) as connection:
        assert connection.recv(100) == b"220 mach.example machjudge\r\n"


def test_a_unix_socket_is_a_door(doors, tmp_path) -> None:
    """Open to everybody whom its folder lets in; a stale one is replaced; gone when closed."""
    path = tmp_path / "judge.sock"
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(path))
    stale.close()
    listener = Running(doors.mat, SIZE_LIMIT)
    listener.open([UnixEndpoint(path, lmtp=True)])
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(path))
    mode = path.stat().st_mode & 0o777
    with talking(connection, b"LHLO x") as line:
        envelope(line)
        assert data(line).startswith("250")
    listener.end()

    assert mode == 0o666
    assert not path.exists()


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_an_ipv6_address_is_a_door(doors) -> None:
    """Without brackets, as the settings give it."""
    try:
        port = free_port(socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no ::1")
    listener = Running(doors.mat, SIZE_LIMIT)
    listener.open([TcpEndpoint("::1", port, lmtp=False)])
    with talking(dial(("::1", port))) as line:
        envelope(line)
        assert data(line).startswith("250")
    listener.end()


def test_a_port_that_is_taken_is_told_plainly(doors) -> None:
    """Which door it is; and no other door stays open."""
    free = ("127.0.0.1", free_port())
    listener = Running(Mat(), SIZE_LIMIT)
    with pytest.raises(CannotListen, match=str(doors.smtp[1])):
        listener.open([TcpEndpoint(*free, lmtp=False), TcpEndpoint(*doors.smtp, lmtp=False)])
    with pytest.raises(ConnectionRefusedError):
        dial(free)
    listener.end()


def test_too_many_connections_are_asked_to_come_again(doors, monkeypatch) -> None:
    """421; those that are open go on."""
    monkeypatch.setattr("machjudge.mail.server.MAX_VISITS", 1)
    with smtp(doors) as line:
        with dial(doors.smtp) as connection:
            assert connection.recv(100).startswith(b"421")
            assert connection.recv(100) == b""
        envelope(line)
        assert data(line).startswith("250")


def test_one_peer_cannot_take_all_the_room(doors, monkeypatch) -> None:
    """421 for its sessions beyond the limit; the others of it go on."""
    monkeypatch.setattr("machjudge.mail.server.MAX_OF_PEER", 1)
    monkeypatch.setattr("machjudge.mail.server._peer", lambda _: "192.0.2.7")
    with smtp(doors) as line:
        with dial(doors.smtp) as connection:
            assert connection.recv(100).startswith(b"421")
        envelope(line)
        assert data(line).startswith("250")


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        (("192.0.2.7", 25), "192.0.2.7"),
        (("fe80::1%eth0", 25, 0, 0), "fe80::1"),
        (("127.0.0.1", 25), ""),
        (("::1", 25, 0, 0), ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_machine_itself_may_have_all_the_room(name, peer) -> None:
    """The mail server in front of the judge has one address, and all the mails."""
    transport = asyncio.BaseTransport({"peername": name})

    assert server._peer(transport) == peer


def test_a_session_ends_in_time(doors, monkeypatch) -> None:
    """Idle or not: 421, then the connection ends."""
    monkeypatch.setattr("machjudge.mail.server.LONGEST_VISIT", 0.01)
    with dial(doors.smtp) as connection:
        heard = b""
        while more := connection.recv(100):
            heard += more

    assert b"421" in heard


def test_a_mail_that_never_ends_is_cut_off(doors, monkeypatch) -> None:
    """Nothing of it is kept, and its place is free for others."""
    monkeypatch.setattr("machjudge.mail.server.LONGEST_END", 0.01)
    with smtp(doors) as line:
        envelope(line)
        assert line.ask(b"DATA").startswith("354")
        doors.listener.time_out()
        with suppress(ConnectionResetError):
            assert line.hear() == ""

    assert doors.mat.kept == []


def test_too_many_recipients_come_with_another_mail(doors, monkeypatch) -> None:
    """452 for those beyond the limit; the others get theirs."""
    monkeypatch.setattr("machjudge.mail.server.MAX_RECIPIENTS", 2)
    with smtp(doors) as line:
        envelope(line, "judge+1@mach.example", "judge+2@mach.example")
        assert line.ask(b"RCPT TO:<judge+3@mach.example>").startswith("452")
        assert data(line).startswith("250")


# --- closing ---------------------------------------------------------------------------------


def test_closing_asks_idle_peers_to_come_again(doors) -> None:
    """421, then the connection ends; nobody new gets in."""
    with smtp(doors) as line:
        envelope(line)
        doors.listener.close()

        assert line.hear().startswith("421")
        assert line.hear() == ""
    with pytest.raises(ConnectionRefusedError):
        dial(doors.smtp)


def test_closing_lets_a_mail_under_way_come_to_its_end(doors) -> None:
    """It is kept and gets its 250 before the connection ends."""
    with smtp(doors) as line, ThreadPoolExecutor() as pool:
        envelope(line)
        line.ask(b"DATA")
        line.connection.sendall(MAIL[:30])
        closing = pool.submit(doors.listener.close)
        threading.Event().wait(0.3)
        line.connection.sendall(MAIL[30:] + b".\r\n")

        assert line.hear().startswith("250")
        assert line.hear().startswith("421")
        closing.result()

    assert [each.raw for each in doors.mat.kept] == [MAIL]


def test_closing_does_not_wait_for_ever(doors) -> None:
    """Anyone who does not finish his mail is cut off; his mail is not kept."""
    with smtp(doors) as line:
        envelope(line)
        line.ask(b"DATA")
        line.say(b"and then")
        doors.listener.close(patience=0.2)

        with suppress(ConnectionError):
            assert line.hear() == ""

    assert doors.mat.kept == []


def test_anyone_who_hangs_up_early_has_his_mail_kept(doors) -> None:
    """He had sent all of it; that he did not wait for the 250 costs him nothing."""
    doors.mat.gate.clear()
    with smtp(doors) as line:
        envelope(line)
        line.ask(b"DATA")
        line.connection.sendall(MAIL + b".\r\n")
        wait_until(lambda: doors.mat.knocked == 1, "the mail")
    doors.mat.gate.set()
    doors.listener.close()

    assert [each.raw for each in doors.mat.kept] == [MAIL]


def test_half_a_mail_is_no_mail(doors) -> None:
    """A connection that breaks before the end leaves nothing."""
    with smtp(doors) as line:
        envelope(line)
        line.ask(b"DATA")
        line.say(b"A Pad H")
    with smtp(doors) as line:
        line.ask(b"NOOP")

    assert doors.mat.kept == []
