"""Keys of DKIM signers: asked of name servers, remembered for a while, never waited for long."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from machjudge.mail import keys
from machjudge.mail.authentic import DnsSenderChecks
from machjudge.mail.keys import KeyFinder, NoAnswerInTime
from tests.mail.test_authentic import HERE, LUCIA, signed

KEY = b"v=DKIM1; k=rsa; p=" + (HERE / "dkim.txt").read_bytes().strip()
NAME = b"s._domainkey.player.example."


class NameServer:
    """A name server on this machine: knows one key, and counts what it is asked."""

    def __init__(self, ttl: int = 300) -> None:
        self.asked: list[str] = []
        self.ttl = ttl
        self.is_silent = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def resolver(self) -> dns.resolver.Resolver:
        """A resolver that asks it and nobody else."""
        made = dns.resolver.Resolver(configure=False)
        made.nameservers = ["127.0.0.1"]
        made.port = self.socket.getsockname()[1]
        return made

    def _serve(self) -> None:
        while True:
            raw, sender = self.socket.recvfrom(4096)
            if not raw:
                return
            question = dns.message.from_wire(raw)
            self.asked.append(question.question[0].name.to_text())
            if not self.is_silent:
                self.socket.sendto(self._answer(question).to_wire(), sender)

    def _answer(self, question: dns.message.Message) -> dns.message.Message:
        answer = dns.message.make_response(question)
        name = question.question[0].name
        if name.to_text() == NAME.decode():
            parts = [KEY[:200].decode(), KEY[200:].decode()]
            text = " ".join(f'"{part}"' for part in parts)
            answer.answer.append(dns.rrset.from_text(name, self.ttl, "IN", "TXT", text))
        elif name.to_text().startswith("none."):
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif not name.to_text().startswith("empty."):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer

    def close(self) -> None:
        """End it."""
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as wakeup:
            wakeup.sendto(b"", self.socket.getsockname())
        self.thread.join()
        self.socket.close()


@pytest.fixture
def server() -> Iterator[NameServer]:
    """A name server."""
    server = NameServer()
    yield server
    server.close()


def test_a_signature_is_checked_with_a_key_of_a_name_server(server) -> None:
    """A long key comes in several strings; the second mail asks nobody."""
    checks = DnsSenderChecks(dns=KeyFinder(server.resolver))

    assert checks.is_verified(signed("player.example"), LUCIA)
    assert checks.is_verified(signed("player.example"), LUCIA)
    assert server.asked == [NAME.decode()]


@pytest.mark.parametrize("name", [b"nobody.example.", b"empty.example.", b"none.example."])
def test_there_is_no_key(server, name) -> None:
    """No such name, nothing at the name, or a server that cannot say."""
    find = KeyFinder(server.resolver)

    assert find(name) is None


def test_that_there_is_no_key_is_remembered(server) -> None:
    """Mails with a wrong signature do not ask again and again."""
    find = KeyFinder(server.resolver)
    for _ in range(3):
        find(b"nobody.example.")
        find(b"empty.example.")

    assert server.asked == ["nobody.example.", "empty.example."]


def test_an_answer_is_remembered_for_an_hour_at_most(server, monkeypatch) -> None:
    """Whatever its owner says: a key that was taken back must not count for long."""
    server.ttl = 1_000_000
    find = KeyFinder(server.resolver)
    find(NAME)
    now = keys.time.time()
    monkeypatch.setattr("dns.resolver.time.time", lambda: now + keys.LONGEST + 1)

    assert find(NAME) == KEY
    assert len(server.asked) == 2


def test_a_silent_server_is_not_waited_for(server) -> None:
    """Within the time given it is said that nobody has answered; the mail may wait for it."""
    server.is_silent = True
    find = KeyFinder(server.resolver)

    with pytest.raises(NoAnswerInTime):
        find(NAME, timeout=0.05)
    with pytest.raises(NoAnswerInTime):
        DnsSenderChecks(dns=lambda name, timeout: find(name, 0.05)).is_verified(
            signed("player.example"), LUCIA
        )


class Silence:
    """A resolver that never gets an answer: each question takes the whole time given."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lifetimes: list[float] = []

    def resolve(self, _name: str, _kind: str, lifetime: float, *, search: bool) -> None:
        """Wait, and give up."""
        assert not search
        self.lifetimes.append(lifetime)
        self.now += lifetime
        raise dns.resolver.LifetimeTimeout(timeout=lifetime, errors=[])


def test_many_silent_servers_do_not_stop_the_worker() -> None:
    """Ten seconds of a minute are waited in vain; then nobody is waited for until it is over."""
    silence = Silence()
    find = KeyFinder(lambda: silence, clock=lambda: silence.now)

    def ask(number: int) -> None:
        with pytest.raises(NoAnswerInTime):
            find(b"s._domainkey.a%d.example." % number)

    for number in range(20):
        ask(number)
    waited = silence.now
    silence.now += keys.A_WHILE
    ask(20)

    assert waited == keys.MOST_WAITED
    assert silence.lifetimes == [2.0] * 5 + [0.0] * 15 + [2.0]


def test_a_key_that_is_remembered_counts_while_nobody_is_waited_for(server) -> None:
    """Who is known is not shut out by strangers' name servers."""
    find = KeyFinder(server.resolver)
    find(NAME)
    find._waited = keys.MOST_WAITED

    assert find(NAME) == KEY
    with pytest.raises(NoAnswerInTime):
        find(b"nobody.example.")


def test_a_machine_without_name_servers_finds_no_key() -> None:
    """The mail is no error of the judge."""

    def none() -> dns.resolver.Resolver:
        raise dns.resolver.NoResolverConfiguration

    assert KeyFinder(none)(NAME) is None


def test_noise_is_no_name() -> None:
    """Strangers choose what is asked for."""
    find = KeyFinder(lambda: dns.resolver.Resolver(configure=False))

    assert [find(name) for name in (b"\xff.example", b"a" * 300, b"a..b")] == [None] * 3
