"""Keys of DKIM signers: asked of name servers, remembered for a while, never waited for long."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing

import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from machjudge.mail import authentication
from machjudge.mail.authentication import DnsSenderChecks, KeyFinder, NoAnswerInTime
from tests.mail.test_authentic import HERE, JUDGE, LUCIA, RECEIVED, signed

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
    checks = DnsSenderChecks(JUDGE, dns=KeyFinder(server.resolver))

    assert checks.is_verified(signed(), LUCIA, RECEIVED)
    assert checks.is_verified(signed(), LUCIA, RECEIVED)
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
    now = authentication.time.time()
    monkeypatch.setattr("dns.resolver.time.time", lambda: now + authentication.LONGEST + 1)

    assert find(NAME) == KEY
    assert len(server.asked) == 2


def test_a_silent_server_is_not_waited_for(server) -> None:
    """Within the time given it is said that nobody has answered; the mail may wait for it."""
    server.is_silent = True
    find = KeyFinder(server.resolver)

    with pytest.raises(NoAnswerInTime):
        find(NAME, timeout=0.05)
    with pytest.raises(NoAnswerInTime):
        DnsSenderChecks(JUDGE, dns=lambda name, timeout: find(name, 0.05)).is_verified(
            signed(), LUCIA, RECEIVED
        )


class Silence:
    """Name servers of which those of some domains never answer: a question takes all its time.

    All others take a tenth of a second.
    """

    def __init__(self, silent: Callable[[str], bool]) -> None:
        self.silent = silent
        self.now = 0.0
        self.lifetimes: list[float] = []

    def resolve(self, name: str, _kind: str, lifetime: float, *, search: bool) -> list[object]:
        """Wait, and give up or answer."""
        assert not search
        self.lifetimes.append(lifetime)
        if self.silent(name) or lifetime < 0.1:
            self.now += lifetime
            raise dns.resolver.LifetimeTimeout(timeout=lifetime, errors=[])
        self.now += 0.1
        return []

    def asked(self, find: KeyFinder, name: str) -> bool:
        """Ask for the key of a domain; whether somebody has answered."""
        try:
            find(f"s._domainkey.{name}.".encode())
        except NoAnswerInTime:
            return False
        return True


def test_silent_servers_of_one_domain_cost_a_few_seconds() -> None:
    """However many names there are below it; after a minute it is tried again."""
    silence = Silence(lambda _: True)
    find = KeyFinder(lambda: silence, clock=lambda: silence.now)

    for number in range(20):
        silence.asked(find, f"a{number}.evil.example")
    silence.now += authentication.A_WHILE
    silence.asked(find, "a20.evil.example")

    assert silence.lifetimes == [2.0] * 2 + [0.0] * 18 + [2.0]


def test_silent_servers_of_one_domain_hold_up_no_other() -> None:
    """Five hostile mails a minute, or fifty, and every honest one has its answer."""
    silence = Silence(lambda name: "evil" in name)
    find = KeyFinder(lambda: silence, clock=lambda: silence.now)
    honest = []

    for number in range(90):
        silence.now += 1
        if number % 12 == 0:
            for each in range(10):
                assert not silence.asked(find, f"a{each}.evil.example")
        honest.append(silence.asked(find, f"p{number}.example"))

    assert all(honest)


def test_silent_servers_of_many_domains_shorten_the_wait_for_all() -> None:
    """After ten seconds of a minute; anyone who answers soon is still heard."""
    silence = Silence(lambda name: "evil" in name)
    find = KeyFinder(lambda: silence, clock=lambda: silence.now)

    for number in range(20):
        assert not silence.asked(find, f"evil{number}.example")

    assert silence.lifetimes == [2.0] * 5 + [authentication.BRIEF] * 15
    assert silence.asked(find, "honest.example")


@pytest.mark.parametrize(
    ("other", "is_heard"), [("b.co.uk", True), ("b.com.br", True), ("x.a.co.uk", False)]
)
def test_a_domain_below_a_countrys_is_one_of_its_own(other: str, is_heard: bool) -> None:
    """Silence at a.co.uk says nothing of b.co.uk."""
    silence = Silence(lambda name: name.endswith("a.co.uk."))
    find = KeyFinder(lambda: silence, clock=lambda: silence.now)
    for _ in range(3):
        silence.asked(find, "a.co.uk")

    assert silence.asked(find, other) is is_heard


def test_a_key_that_is_remembered_counts_while_nobody_is_waited_for(server) -> None:
    """Who is known is not shut out by strangers' name servers."""
    find = KeyFinder(server.resolver)
    find(NAME)
    find._waited.update(
        {b"player.example": authentication.MAX_WAITED, b"x.example": authentication.MAX_FOR_ALL}
    )

    assert find(NAME) == KEY
    with pytest.raises(NoAnswerInTime):
        find(b"t._domainkey.player.example.")


def test_a_machine_without_name_servers_finds_no_key() -> None:
    """The mail is no error of the judge."""

    def none() -> dns.resolver.Resolver:
        raise dns.resolver.NoResolverConfiguration

    assert KeyFinder(none)(NAME) is None


def test_noise_is_no_name() -> None:
    """Strangers choose what is asked for."""
    find = KeyFinder(lambda: dns.resolver.Resolver(configure=False))

    assert [find(name) for name in (b"\xff.example", b"a" * 300, b"a..b")] == [None] * 3
