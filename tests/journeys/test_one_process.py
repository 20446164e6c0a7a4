"""`serve --all`: mails, messages and deadlines in one process, by SMTP or on a mailbox."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.app.processes import Installation, mail
from tests.journeys.conftest import SMALL
from tests.journeys.judge import Judge
from tests.journeys.pens import plain
from tests.mail.imap import PASSWORD, USER, ImapServer, imap
from tests.mail.servers import Postmaster, relaying
from tests.patience import wait_until
from tests.results_told import tells_results

PHASES = "SELECT count(*) FROM phases WHERE number > 0"
ORDERS = {step["from"]: step["text"].strip().split("\n") for step in SMALL.act("S1385M").steps}


@pytest.fixture
def server() -> Iterator[ImapServer]:
    """A mail server with an empty mailbox."""
    with imap(ImapServer()) as running:
        yield running


@pytest.fixture
def on_mailbox(tmp_path, server) -> Iterator[tuple[Installation, Postmaster]]:
    """A judge on that mailbox, of which nothing runs yet, and its relay."""
    post = Postmaster()
    installation = Installation(tmp_path, more=inbox_of(server))
    with relaying(post, installation.relay_port):
        yield installation, post
        installation.end()


def inbox_of(server: ImapServer) -> dict[str, str]:
    """The settings of a judge on a mailbox and nothing else."""
    login = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}"
    return {
        "MACHJUDGE_LISTEN": "",
        "MACHJUDGE_INBOX": f"imap://{login}@127.0.0.1:{server.port}",
    }


def answered(post: Postmaster) -> Counter[str]:
    """How often each mail was answered."""
    return Counter(
        line.partition(b":")[2].strip().decode()
        for _, _, content in tuple(post.taken)
        for line in content.splitlines()
        if line.lower().startswith(b"in-reply-to:")
    )


def test_a_phase_is_played_without_cron(judge: Judge) -> None:
    """One process takes mails in, answers, and plays the phase when its deadline is over."""
    serve = judge.start("serve-all")
    wait_until(judge.is_open, "the door")
    for seat in "IVNL":
        writer = SMALL.people[seat]
        lines = [SMALL.signon(seat, seat), *ORDERS[seat], *(["SET WAIT"] if seat == "I" else [])]
        written = plain(writer, [*lines, "SIGNOFF"])
        judge.send(*written.copies, sender=writer.address)
        judge.answer_to(written.id)
    before = judge.rows(PHASES)
    clock = judge.game("borgia").clock
    assert clock is not None
    after = clock.deadline + timedelta(minutes=1)
    with judge.application.store.writing() as uow:
        uow.heartbeat.beat(after - timedelta(minutes=2))
        uow.commit()
    judge.clock.set(after)
    told = judge.wait_for(
        len(SMALL.people), lambda each: tells_results(each.text, "S1385M"), "the results"
    )

    assert (before, judge.rows(PHASES)) == ([(0,)], [(1,)])
    assert sorted(each.to for each in told) == sorted(p.address for p in SMALL.people.values())
    assert children_of(serve.pid) == []


def children_of(pid: int) -> list[str]:
    """The processes that a process has begun."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()


def test_mails_are_taken_as_they_come_and_after_an_outage(on_mailbox, server) -> None:
    """The server tells of them; when it has been away, the judge comes again by itself."""
    judge, post = on_mailbox
    judge.start("serve", "--all")
    for number in range(3):
        server.deliver(mail("anna", "help", number))
        wait_until(lambda number=number: len(post.taken) > number, "an answer")
        if number == 0:
            server.cut()
        if number == 1:
            server.stop()
            server.start()

    assert set(answered(post).values()) == {1}
    assert server.mails() == []


def test_several_processes_on_one_mailbox_do_nothing_twice(on_mailbox, server) -> None:
    """Two of them, ticks beside them, and the one that has the mailbox is killed.

    What it was handing to the relay just then may be sent again, and nothing else.
    """
    judge, post = on_mailbox
    processes = [judge.start("serve", "--all") for _ in range(2)]
    for number in range(12):
        server.deliver(mail(f"writer{number % 3}", "help", number))
        if number % 4 == 1:
            judge.run("tick")
        if number == 6:
            wait_until(lambda: len(post.taken) > 3, "answers")
            (holder,) = judge.rows("SELECT holder FROM mailboxes")[0]
            for each in processes:
                if f"|{each.pid}|" in str(holder):
                    os.kill(each.pid, signal.SIGKILL)
    wait_until(lambda: len(answered(post)) == 12, "twelve answers")
    wait_until(lambda: not server.mails(), "an empty mailbox")

    assert [times for times in answered(post).values() if times > 1] in ([], [2])
    assert judge.rows("SELECT count(*) FROM inbox") == [(12,)]
    assert len(server.mails("Judge/Done")) == 12


def test_a_judge_with_cron_alone_takes_its_mails(on_mailbox, server) -> None:
    """Each tick looks at the mailbox, handles what is there, and sends the answers."""
    judge, post = on_mailbox
    server.deliver(mail("anna", "help"))
    judge.run("tick")
    server.deliver(mail("anna", "help", 2))
    judge.run("tick")

    assert len(answered(post)) == 2
    assert server.mails() == []


def test_serve_and_its_worker_take_mails_from_a_mailbox(on_mailbox, server) -> None:
    """The process that takes mails in watches the mailbox, and calls the worker."""
    judge, post = on_mailbox
    judge.start("serve")
    server.deliver(mail("anna", "help"))
    wait_until(lambda: post.taken, "an answer")

    assert set(answered(post).values()) == {1}
