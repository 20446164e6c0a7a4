"""What a judge promises whatever happens to its processes: real ones, killed and started again."""

import signal
import smtplib
from collections import Counter

import pytest

from tests.app.processes import letters, mail
from tests.mail.servers import Postmaster, relaying
from tests.patience import SECONDS, wait_until


def answered(postmaster: Postmaster) -> list[str]:
    """Which mails the letters that have gone out answer, in their order."""
    return [str(each["In-Reply-To"]) for each in letters(postmaster)]


def test_a_mail_is_answered(judge, relay) -> None:
    """In by SMTP, handled, out through the relay; without a database made beforehand."""
    judge.serve()
    judge.send(mail("lucia", "help"))
    wait_until(lambda: len(relay.taken) == 1, "the answer")

    (answer,) = letters(relay)
    assert answer["To"] == "lucia@example.com"
    assert "REGISTER" in answer.get_body(["plain"]).get_content()


@pytest.mark.postgresql
def test_a_judge_runs_on_postgresql(judge, relay, server) -> None:
    """With a second worker, as on SQLite: every mail answered once."""
    with server.database() as judge.database:
        judge.serve()
        judge.start("worker")
        judge.send(*(mail(f"player{n % 3}", "help", n) for n in range(9)))
        wait_until(lambda: len(relay.taken) == 9, "all answers")
        judge.end()

        assert "Mails waiting: 0" in judge.run("keeper", "list")
    assert len(set(answered(relay))) == 9


def test_no_acknowledged_mail_is_lost_when_serve_is_killed(judge, relay) -> None:
    """Killed between the 250 and the handling, it goes on where it was: each mail once, in order.

    A letter that had gone out without being marked goes again as the same mail.
    """
    sent = [f"<{author}.{n}@example.com>" for n in range(6) for author in ("lucia", "otto")]
    with judge.in_hand("lucia@example.com"):
        process = judge.serve()
        judge.send(*(mail(author, "help", n) for n in range(6) for author in ("lucia", "otto")))
        process.kill()
        process.wait()
        kept = judge.rows("SELECT message_id FROM inbox ORDER BY id")
        unfinished = judge.rows("SELECT id FROM inbox WHERE state = 'waiting'")

    judge.serve()
    wait_until(lambda: set(answered(relay)) == set(sent), "all answers")
    judge.end()

    assert [row[0] for row in kept if row[0] != "<older@example.com>"] == sent
    assert len(unfinished) > 6
    by_id = {str(each["Message-ID"]): str(each["In-Reply-To"]) for each in letters(relay)}
    assert Counter(by_id.values()) == Counter(sent)
    assert judge.rows("SELECT count(*) FROM inbox WHERE state = 'finished'") == [(13,)]


def test_serve_ends_in_order(judge, relay) -> None:
    """SIGTERM: exit code 0, soon; what was taken in is there for the next one."""
    process = judge.serve()
    judge.send(*(mail("lucia", "help", n) for n in range(20)))
    process.send_signal(signal.SIGTERM)
    code = process.wait(SECONDS)
    kept = judge.rows("SELECT count(*) FROM inbox")
    judge.serve()
    wait_until(lambda: len(set(answered(relay))) == 20, "all answers")

    assert (code, kept) == (0, [(20,)])
    assert len(answered(relay)) == 20


def test_several_workers_keep_the_order_of_each_sender(judge, relay) -> None:
    """`serve` and two further workers answer every mail once; none overtakes its elder."""
    judge.serve()
    judge.start("worker")
    judge.start("worker")
    authors = ["lucia", "otto", "pia", "nino"]
    judge.send(*(mail(author, "help", n) for n in range(8) for author in authors))
    wait_until(lambda: len(relay.taken) == 32, "all answers")
    judge.end()

    answers = judge.rows("SELECT answers FROM outbox ORDER BY id")
    for author in authors:
        own = [row[0] for row in answers if str(row[0]).startswith(f"<{author}.")]
        assert own == [f"<{author}.{n}@example.com>" for n in range(8)]
    assert len(answers) == len(set(answers)) == 32
    assert len(set(answered(relay))) == 32


def test_a_mail_delivered_twice_is_answered_once(judge, relay) -> None:
    """At once, or after it was handled."""
    judge.serve()
    again = b"Received: by another way\r\n" + mail("lucia", "help")
    judge.send(mail("lucia", "help"), again)
    wait_until(lambda: len(relay.taken) == 1, "the answer")
    judge.send(again)
    judge.send(mail("lucia", "help", 2))
    wait_until(lambda: len(relay.taken) == 2, "the next answer")

    assert answered(relay) == ["<lucia.0@example.com>", "<lucia.2@example.com>"]


def test_answers_wait_for_a_relay_that_is_down(judge) -> None:
    """When it is up again, `tick` sends them, each once."""
    postmaster = Postmaster()
    judge.serve()
    judge.send(mail("lucia", "help", 1), mail("lucia", "help", 2))
    waiting = "SELECT count(*) FROM outbox WHERE state = 'waiting' AND tries = 0"
    wait_until(lambda: judge.rows(waiting) == [(2,)], "two letters")
    with relaying(postmaster, judge.relay_port):
        judge.run("tick")
        wait_until(lambda: len(postmaster.taken) == 2, "the answers")
        judge.run("tick")

    assert answered(postmaster) == ["<lucia.1@example.com>", "<lucia.2@example.com>"]


def test_a_recipient_whom_the_relay_refuses_is_the_keepers_affair(judge, relay) -> None:
    """Others get their letters; `keeper` shows his, and has it tried again."""
    relay.refused_recipients["otto@example.com"] = "550 5.1.1 No such user"
    judge.serve()
    judge.send(mail("otto", "help"), mail("lucia", "help"))
    refused = "SELECT count(*) FROM outbox WHERE state = 'given up'"
    wait_until(lambda: judge.rows(refused) == [(1,)], "the refusal")
    listed = judge.run("keeper", "list")
    shown = judge.run("keeper", "show", "L1")
    relay.refused_recipients.clear()
    judge.run("keeper", "retry", "L1")
    wait_until(lambda: len(relay.taken) == 2, "both letters")

    assert "otto@example.com  550 5.1.1 No such user" in listed
    assert "REGISTER" in shown
    assert {str(each["To"]) for each in letters(relay)} == {"otto@example.com", "lucia@example.com"}
    assert judge.rows(refused) == [(0,)]


def test_ten_megabytes_are_refused_and_cost_nobody_anything(judge, relay) -> None:
    """552; the judge goes on."""
    judge.serve()
    with pytest.raises(smtplib.SMTPResponseException) as refused:
        judge.send(mail("lucia", "noise " * 100 + "\r\n") * 15_000)
    with smtplib.SMTP("127.0.0.1", judge.port) as client:
        client.docmd("HELO x")
        client.mail("somebody@example.com")
        client.rcpt("judge@mach.example")
        code, _ = client.data(mail("lucia", "\0" * 990 + "\r\n") * 10_000)
    judge.send(mail("lucia", "help"))
    wait_until(lambda: len(relay.taken) == 1, "the answer")

    assert (refused.value.smtp_code, code) == (552, 552)


def test_two_ticks_at_once_do_the_work_once(judge, relay) -> None:
    """Mails that a dead `serve` has left are answered once, however many come for them."""
    with judge.in_hand("lucia@example.com"):
        process = judge.serve()
        judge.send(*(mail("lucia", "help", n) for n in range(10)))
        process.kill()
        process.wait()
    ticks = [judge.start("tick") for _ in range(3)]
    codes = [tick.wait(SECONDS) for tick in ticks]
    wait_until(lambda: bool(judge.run("tick")) or len(set(answered(relay))) == 10, "the rest")

    by_id = {str(each["Message-ID"]): str(each["In-Reply-To"]) for each in letters(relay)}
    assert codes == [0, 0, 0]
    assert Counter(by_id.values()) == Counter(f"<lucia.{n}@example.com>" for n in range(10))


def test_nothing_secret_is_logged_or_kept(judge, relay) -> None:
    """No password stands in the log, the inbox or any letter once its mail was handled."""
    judge.more["MACHJUDGE_LOG_LEVEL"] = "debug"
    judge.serve()
    judge.send(mail("lucia", "create ?borgia gioconda77 1454"))
    judge.send(mail("lucia", "signon Mborgia gioconda77\r\nsignoff", 1))
    wait_until(lambda: len(relay.taken) == 2, "the answers")
    judge.end()

    # The whole files: also what SQLite has deleted, and the log of the processes.
    holding = [path for path in judge.folder.iterdir() if b"gioconda77" in path.read_bytes()]
    assert holding == []
    assert judge.rows("SELECT count(*) FROM inbox WHERE state = 'finished'") == [(2,)]
    assert not [each for _, _, each in relay.taken if b"gioconda77" in each]


def test_a_door_that_is_taken_is_told_in_one_line(judge) -> None:
    """As every fault of the installation: exit code 2, no traceback."""
    judge.serve()

    printed = judge.run("serve", expected=2)

    assert f"{judge.port}" in printed
    assert "Traceback" not in printed


def test_a_database_of_a_newer_version_is_left_alone(judge) -> None:
    """The commands say so in one line."""
    judge.run("migrate")
    judge.change("UPDATE alembic_version SET version_num = '9999'")

    for command in ("serve", "tick"):
        assert "newer version" in judge.run(command, expected=2)
    assert "9999" in judge.run("migrate", expected=2)
