"""Letters reach a real relay, are put off, or are given up."""

import socket
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes

import pytest
from aiosmtpd.smtp import AuthResult

from machjudge.adjudicator.names import PowerId
from machjudge.judge.faults import Stale
from machjudge.judge.mails import Attachment, OutboxId, Outgoing, QueuedMessage
from machjudge.judge.pictures import PICTURE_REQUEST, drawing_by, wish_for, without_picture_requests
from machjudge.judge.records import Bounce, Judge
from machjudge.judge.secret import fixed
from machjudge.mail.compose import ComposedMail
from machjudge.mail.mailbox import AccessTokens
from machjudge.mail.relay import (
    Answer,
    KeptRelays,
    Relay,
    Round,
    Security,
    Sender,
    Signing,
    Way,
    _Line,
    unsigned,
)
from machjudge.map_files.folders import Atlas
from tests.drawing.campaign import campaign, scene
from tests.mail.servers import Postmaster, certificates, knows_lucia, relaying
from tests.mail.test_compose import LAID_OUT, mail
from tests.mail.test_mailbox import Seconds, TokenServer, giving, tokens_of
from tests.map_files.small import MAPS
from tests.patience import SECONDS
from tests.ports import free_port

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECRET = fixed(bytes(range(32)))
WAITS = (timedelta(minutes=1), timedelta(minutes=5))


@dataclass
class Waiting:
    """A letter in the bag, and how it stands with it."""

    letter: QueuedMessage
    due: datetime = NOON
    state: str = "waiting"
    why: str | None = None
    bounce: Bounce | None = None


@dataclass
class Bag:
    """A queue of letters in memory."""

    rows: dict[int, Waiting] = field(default_factory=dict)
    paused_until: datetime = NOON
    pauses: int = 0

    def put(self, to: str, body: str = "Hello\n") -> None:
        """Add a letter."""
        number = len(self.rows) + 1
        self.rows[number] = Waiting(
            QueuedMessage(OutboxId(number), NOON, 0, Outgoing(to, f"QueuedMessage {number}", body))
        )

    def claim(self, now: datetime, until: datetime) -> QueuedMessage | None:
        """Give the oldest one that is due."""
        if now < self.paused_until:
            return None
        for row in self.rows.values():
            if row.state == "waiting" and row.due <= now:
                old = row.letter
                row.state = "claimed"
                row.letter = replace(old, tries=old.tries + 1, after_refusal=self.pauses > 0)
                return row.letter
        return None

    def pause(
        self, letter: OutboxId, now: datetime, why: str, *, lasting: bool, counts: bool
    ) -> datetime:
        """Offer nothing for ten minutes."""
        self.pauses += 1
        self.paused_until = now + timedelta(minutes=10)
        self.later(letter, self.paused_until, why, counts=counts)
        return self.paused_until

    def resume(self) -> None:
        """Note that the relay takes letters again."""
        self.pauses = 0

    def refused(self, now: datetime, why: str) -> None:
        """What the keeper is told, other tests look at."""

    def expire(self, letter: OutboxId, now: datetime) -> None:
        """Note that it says what is over."""
        self.rows[letter].state = "expired"

    def sent(self, letter: OutboxId, now: datetime) -> None:
        """Note that it has gone."""
        self.rows[letter].state = "sent"

    def sent_one(self, letter: OutboxId, now: datetime, until: datetime) -> QueuedMessage | None:
        """Note the same, and give the next one."""
        self.sent(letter, now)
        return self.claim(now, until)

    def later(self, letter: OutboxId, due: datetime, why: str, *, counts: bool) -> None:
        """Note when to try again."""
        row = self.rows[letter]
        tries = row.letter.tries - (0 if counts else 1)
        old = row.letter
        self.rows[letter] = Waiting(replace(old, tries=tries), due, "waiting", why)

    def give_up(
        self, letter: OutboxId, now: datetime, why: str, bounce: Bounce | None = None
    ) -> None:
        """Note that it never goes."""
        row = self.rows[letter]
        row.state, row.why, row.bounce = "given up", why, bounce


@dataclass
class Office:
    """A sender with its bag, its clock and the relay's postmaster."""

    port: int = field(default_factory=free_port)
    bag: Bag = field(default_factory=Bag)
    postmaster: Postmaster = field(default_factory=Postmaster)
    now: datetime = NOON
    security: Security = Security.PLAIN
    login: tuple[str | None, str | None] = (None, None)
    tokens: AccessTokens | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    trust: object = None
    connect: Callable[[], AbstractContextManager[Relay]] | None = None
    unanswered: set[OutboxId] = field(default_factory=set)
    signed: Signing = unsigned
    drawn: Callable[[Outgoing], Outgoing] = without_picture_requests

    def send(self) -> Round:
        """Send what is due."""
        user, password = self.login
        way = Way("127.0.0.1", self.port, self.security, user, lambda: password or "", self.tokens)
        return Sender(
            bag=self.bag,
            connect=self.connect or (lambda: Relay(way, "mach.example", self.trust)),
            judge=Judge("MACH", "judge@mach.example", None, "0.1.0"),
            secret=SECRET,
            waits=WAITS,
            clock=lambda: self.now,
            unanswered=self.unanswered,
            signed=self.signed,
            drawn=self.drawn,
        ).send_due()

    def states(self) -> list[str]:
        """How it stands with all letters."""
        return [row.state for row in self.bag.rows.values()]

    def relay(self, **options):
        """The relay, as long as it runs."""
        return relaying(self.postmaster, self.port, **options)


@pytest.fixture
def office(request) -> Office:
    """An office with three letters to send."""
    office = Office(postmaster=Postmaster(pipelines=getattr(request, "param", True)))
    for name in ("a", "b", "c"):
        office.bag.put(f"{name}@x.example")
    return office


either_way = pytest.mark.parametrize("office", [True, False], ids=["at once", "one by one"],
                                     indirect=True)  # fmt: skip
"""Whether the relay offers to hear several commands at once, or not."""


def recipients(office) -> list[str]:
    """To whom mails have gone, in their order."""
    return [each for _, to, _ in office.postmaster.taken for each in to]


@either_way
def test_letters_go_in_order_on_one_connection(office) -> None:
    """Each with an envelope of its own."""
    with office.relay():
        done = office.send()

    assert done == Round(sent=3)
    assert recipients(office) == ["a@x.example", "b@x.example", "c@x.example"]
    assert office.postmaster.taken[1][0].startswith("judge+bounce.")
    assert office.postmaster.greetings == ["mach.example"]
    assert message_from_bytes(office.postmaster.taken[2][2])["Subject"] == "QueuedMessage 3"


@either_way
def test_dots_survive(office) -> None:
    """A line that is a dot does not end the mail."""
    office.bag.put("d@x.example", ".\n..\n.end\n")
    with office.relay():
        office.send()

    assert office.postmaster.taken[3][2].endswith(b"\r\n\r\n.\r\n..\r\n.end\r\n")


def test_nothing_to_send_needs_no_relay() -> None:
    """Nobody is bothered."""
    assert Office().send() == Round()


def test_letters_wait_while_the_relay_is_down(office) -> None:
    """That costs them no try, however long it takes; then they go."""
    for _ in range(10):
        done = office.send()
        office.now += timedelta(hours=1)
    down = office.states()
    with office.relay():
        up = office.send()

    assert "127.0.0.1" in done.out_of_reach
    assert down == ["waiting"] * 3
    assert up == Round(sent=3)
    assert [row.letter.tries for row in office.bag.rows.values()] == [1, 1, 1]


@either_way
def test_one_recipient_refused_for_good(office) -> None:
    """His letter is given up with the relay's words; the others go."""
    office.postmaster.refused_recipients["b@x.example"] = "550 5.1.1 No such user"
    with office.relay():
        assert office.send() == Round(sent=2, given_up=1)

    assert office.states() == ["sent", "given up", "sent"]
    assert office.bag.rows[2].why == "550 5.1.1 No such user"


@either_way
def test_one_recipient_refused_for_now(office) -> None:
    """His letter is tried again after the first wait, then the second, then given up."""
    office.postmaster.refused_recipients["b@x.example"] = "451 4.2.1 Greylisted"
    with office.relay():
        assert office.send() == Round(sent=2, put_off=1)
        assert office.bag.rows[2].due == NOON + timedelta(minutes=1)
        assert office.send() == Round()
        office.now = NOON + timedelta(minutes=1)
        assert office.send() == Round(put_off=1)
        assert office.bag.rows[2].due == NOON + timedelta(minutes=6)
        office.now = NOON + timedelta(minutes=6)
        assert office.send() == Round(given_up=1)

    assert office.bag.rows[2].why == "given up after 3 tries: 451 4.2.1 Greylisted"


@pytest.mark.parametrize(
    ("answer", "bounce"),
    [
        ("550 5.1.1 No such user", Bounce.HARD),
        ("550 No such user", Bounce.HARD),
        ("552 5.2.2 Mailbox full", Bounce.SOFT),
        ("450 4.2.2 Mailbox full", Bounce.SOFT),
        ("451 Greylisted", None),
        ("554 5.7.1 Relay access denied", None),
        ("550 5.7.1 Rejected by our policy", None),
    ],
)
def test_only_a_refused_recipient_counts_against_its_address(office, answer, bounce) -> None:
    """When the letter is given up; not what ends a connection, nor a refusal by a policy."""
    office.postmaster.refused_recipients["b@x.example"] = answer
    with office.relay():
        for _ in range(3):
            office.send()
            office.now += timedelta(minutes=5)

    assert office.bag.pauses == 0
    assert (office.bag.rows[2].state, office.bag.rows[2].bounce) == ("given up", bounce)


def test_a_refused_text_counts_against_no_address(office) -> None:
    """It may be the text that is not liked, or its sender."""
    office.postmaster.refused_data = ["550 5.1.1 No"]
    with office.relay():
        office.send()

    assert (office.bag.rows[1].state, office.bag.rows[1].bounce) == ("given up", None)


def test_a_letter_put_off_goes_when_the_relay_changes_its_mind(office) -> None:
    """Greylisting is the usual case."""
    office.postmaster.refused_recipients["b@x.example"] = "451 Greylisted"
    with office.relay():
        office.send()
        office.postmaster.refused_recipients.clear()
        office.now += timedelta(minutes=1)
        assert office.send() == Round(sent=1)

    assert recipients(office) == ["a@x.example", "c@x.example", "b@x.example"]


@either_way
@pytest.mark.parametrize(
    ("answer", "state"), [("552 Too large", "given up"), ("451 Not now", "waiting")]
)
def test_a_mail_refused_after_its_text(office, answer, state) -> None:
    """A 5xx is for good, a 4xx is not; the others go."""
    office.postmaster.refused_data = [answer]
    with office.relay():
        office.send()

    assert office.states() == [state, "sent", "sent"]


@either_way
def test_a_relay_that_hangs_up_between_mails(office) -> None:
    """Some take only so many mails on a connection: the next one goes on a new one."""
    office.postmaster.hang_up_after = 1
    with office.relay():
        assert office.send() == Round(sent=3)

    assert len(office.postmaster.greetings) == 3
    assert recipients(office) == ["a@x.example", "b@x.example", "c@x.example"]


@either_way
def test_a_relay_that_ends_the_connection_in_order(office) -> None:
    """As above: a 421 to the next mail says nothing about that mail."""
    office.postmaster.ends_after = 1
    with office.relay():
        assert office.send() == Round(sent=3)

    assert len(office.postmaster.greetings) == 3
    assert recipients(office) == ["a@x.example", "b@x.example", "c@x.example"]


_HELLO = (b"\r\n", b"250-relay.example\r\n250 PIPELINING\r\n")
_TAKES = ((b"data\r\n", b"250 Ok\r\n250 Ok\r\n354 Go\r\n"), (b"\r\n.\r\n", b"250 Taken\r\n"))
_ENDS = (b"quit\r\n", b"221 Bye\r\n")


@contextmanager
def scripted(port: int, *connections: Sequence[tuple[bytes, bytes]]) -> Iterator[list[bytes]]:
    """A relay that waits for what ends so, answers so, and so on; then it hangs up.

    It gives what it has heard behind each greeting.
    """
    heard: list[bytes] = []

    def follow(listening: socket.socket) -> None:
        for script in connections:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(SECONDS)
                connection.sendall(b"220 relay.example\r\n")
                for end, answer in (_HELLO, *script):
                    said = b""
                    while not said.endswith(end):
                        more = connection.recv(2**16)
                        assert more, (said, end)
                        said += more
                    heard.append(said)
                    connection.sendall(answer)

    with socket.create_server(("127.0.0.1", port)) as listening, ThreadPoolExecutor(1) as pool:
        done = pool.submit(follow, listening)
        yield heard
        done.result(SECONDS)


def test_what_goes_before_the_text_goes_at_once(office) -> None:
    """The relay waits for all of it before it answers anything."""
    with scripted(office.port, (*_TAKES, *_TAKES, *_TAKES, _ENDS)) as heard:
        assert office.send() == Round(sent=3)

    assert [each.split()[0] for each in heard[1::2]] == [b"mail", b"mail", b"mail", b"quit"]
    assert heard[3].endswith(b"\r\nrcpt TO:<b@x.example>\r\ndata\r\n")


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (b"250 Ok\r\n550 5.1.1 No such user\r\n", "550 5.1.1 No such user"),
        (b"552 5.3.4 Too large\r\n503 No sender\r\n", "552 5.3.4 Too large"),
    ],
)
def test_a_text_that_is_asked_for_after_a_refusal_is_empty(office, answers, why) -> None:
    """A relay may say 354 before it has looked at its own refusals (RFC 2920, 3.1)."""
    refuses = ((b"data\r\n", answers + b"354 Go\r\n"), (b".\r\n", b"554 No recipients\r\n"))
    again = (b"rset\r\n", b"250 Ok\r\n")
    with scripted(office.port, (*_TAKES, *refuses, again, *_TAKES, _ENDS)) as heard:
        assert office.send() == Round(sent=2, given_up=1)

    assert office.states() == ["sent", "given up", "sent"]
    assert office.bag.rows[2].why == why
    assert heard[4] == b".\r\n"


def test_a_relay_that_hangs_up_between_answers_to_commands_that_went_at_once(office) -> None:
    """After others it says nothing of the mail, which goes on a new connection; the first waits."""
    half = (b"data\r\n", b"250 Ok\r\n")
    with scripted(office.port, (half,), (*_TAKES, half), (*_TAKES, _ENDS)):
        assert office.send() == Round(sent=2, put_off=1)

    assert office.states() == ["waiting", "sent", "sent"]
    assert "SMTPServerDisconnected" in office.bag.rows[1].why
    assert [row.letter.tries for row in office.bag.rows.values()] == [1, 1, 1]


def test_a_refusal_counts_though_the_relay_hangs_up_after_it(office) -> None:
    """What it would have said to the rest is of no concern."""
    refuses = (b"data\r\n", b"250 Ok\r\n550 5.1.1 No such user\r\n")
    with scripted(office.port, (refuses,), (*_TAKES, *_TAKES, _ENDS)):
        assert office.send() == Round(sent=2, given_up=1)

    assert office.states() == ["given up", "sent", "sent"]


def test_a_421_among_answers_to_commands_that_went_at_once(office) -> None:
    """It ends the connection in order, and the mail goes on a new one."""
    ends = (b"data\r\n", b"250 Ok\r\n421 4.3.2 Shutting down\r\n")
    with scripted(office.port, (*_TAKES, ends), (*_TAKES, *_TAKES, _ENDS)):
        assert office.send() == Round(sent=3)

    assert [row.letter.tries for row in office.bag.rows.values()] == [1, 1, 1]


def test_a_mail_that_may_have_been_taken_goes_again_as_the_same_one(office) -> None:
    """Of several on a connection, only the one whose 250 did not come."""
    lost = (_TAKES[0], (b"\r\n.\r\n", b""))
    with scripted(office.port, (*_TAKES, *lost), (*_TAKES, *_TAKES, _ENDS)) as heard:
        assert office.send() == Round(sent=3)

    texts = [each for each in heard if each.endswith(b"\r\n.\r\n")]
    assert [text.count(b"QueuedMessage") for text in texts] == [1] * 4
    assert texts[1] == texts[2]
    assert len(set(texts)) == 3


@either_way
def test_a_relay_that_takes_nobody_now_is_not_asked_without_end(office) -> None:
    """A 421 to the first mail of a connection is said to all: they wait, and no other is tried."""
    office.postmaster.ends_after = 0
    with office.relay():
        assert office.send().out_of_reach == "421 4.7.0 Enough for one connection"
        assert office.send() == Round()

    assert office.states() == ["waiting"] * 3
    assert len(office.postmaster.greetings) == 1


@either_way
def test_a_connection_is_kept_from_round_to_round(office) -> None:
    """Until somebody hangs up; one that the relay has ended meanwhile costs no try."""
    kept = KeptRelays(lambda: Relay(Way("127.0.0.1", office.port), "mach.example"))
    office.connect = kept.one
    with office.relay():
        assert office.send() == Round(sent=3)
        office.bag.put("d@x.example")
        assert office.send() == Round(sent=1)
        assert len(office.postmaster.greetings) == 1
        kept.hang_up()
        office.bag.put("e@x.example")
        assert office.send() == Round(sent=1)
        assert len(office.postmaster.greetings) == 2
    office.bag.put("f@x.example")
    assert "127.0.0.1" in office.send().out_of_reach
    with office.relay():
        assert office.send() == Round(sent=1)
        kept.hang_up()

    assert [row.letter.tries for row in office.bag.rows.values()] == [1] * 6


def test_a_repeat_is_the_same_mail(office) -> None:
    """Who sent it and died before he could say so: the next one sends the same bytes."""
    with office.relay():
        office.send()
        office.bag.rows[1].state = "waiting"
        office.now += timedelta(minutes=10)
        office.send()

    first, repeat = (office.postmaster.taken[n][2] for n in (0, 3))
    assert first == repeat


def test_a_letter_that_cannot_be_written_is_given_up(office) -> None:
    """It does not keep the others waiting."""
    office.bag.rows.clear()
    office.bag.put("no address")
    office.bag.put("d@x.example")
    with office.relay():
        assert office.send() == Round(sent=1, given_up=1)

    assert "cannot be written" in office.bag.rows[1].why


def test_stopping_between_two_letters(office) -> None:
    """Who is asked to stop finishes the letter at hand and claims no other."""
    asked = iter([False, True])
    sender = Sender(
        bag=office.bag,
        connect=lambda: Relay(Way("127.0.0.1", office.port), "mach.example"),
        judge=Judge("MACH", "judge@mach.example", None, "0.1.0"),
        secret=SECRET,
        waits=WAITS,
        clock=lambda: office.now,
    )
    with office.relay():
        assert sender.send_due(lambda: next(asked)) == Round(sent=1)

    assert office.states() == ["sent", "waiting", "waiting"]


def test_a_letter_that_somebody_else_has_marked_keeps_nobody_waiting(office, monkeypatch) -> None:
    """Its claim had ended while the relay took its time; the others go on."""
    mark = Bag.sent

    def slow(self, letter, now) -> None:
        if letter == 1:
            raise Stale
        mark(self, letter, now)

    monkeypatch.setattr(Bag, "sent", slow)
    with office.relay():
        assert office.send() == Round(sent=3)

    assert office.states()[1:] == ["sent", "sent"]


@either_way
def test_an_address_beyond_ascii_where_the_relay_knows_it(office) -> None:
    """SMTPUTF8."""
    office.bag.put("lucía@x.example")
    with office.relay(enable_SMTPUTF8=True):
        assert office.send() == Round(sent=4)

    assert recipients(office)[3] == "lucía@x.example"


def test_an_address_beyond_ascii_where_the_relay_does_not_know_it(office) -> None:
    """The letter cannot go; the others do."""
    office.bag.put("lucía@x.example")
    with office.relay(enable_SMTPUTF8=False):
        assert office.send() == Round(sent=3, given_up=1)


def test_a_way_protected_by_starttls_with_a_password(office) -> None:
    """The relay's certificate is believed only if it is known."""
    server, office.trust = certificates()
    office.security, office.login = Security.STARTTLS, ("lucia", "a secret")
    with office.relay(
        tls_context=server, require_starttls=True, authenticator=knows_lucia, auth_required=True
    ):
        assert office.send() == Round(sent=3)


def test_a_way_protected_from_the_start(office) -> None:
    """Implicit TLS (RFC 8314)."""
    server, office.trust = certificates()
    office.security = Security.TLS
    with office.relay(ssl_context=server):
        assert office.send() == Round(sent=3)


def test_a_relay_with_an_unknown_certificate_gets_nothing(office) -> None:
    """Neither password nor mail; the letters wait until the keeper has mended it."""
    server, _ = certificates()
    office.security = Security.STARTTLS
    with office.relay(tls_context=server):
        done = office.send()

    assert "certificate" in done.out_of_reach
    assert office.states() == ["waiting"] * 3


def test_a_wrong_password_is_no_fault_of_the_letters(office) -> None:
    """They wait until the keeper has mended it; the password is not repeated."""
    server, office.trust = certificates()
    office.security, office.login = Security.STARTTLS, ("lucia", "guessed")
    with office.relay(tls_context=server, authenticator=knows_lucia, auth_required=True):
        done = office.send()

    assert "535" in done.out_of_reach
    assert "guessed" not in done.out_of_reach
    assert office.states() == ["waiting"] * 3


class ByToken(Postmaster):
    """A relay that takes access tokens alone, and tells as RFC 7628 does why one is refused."""

    def __init__(self) -> None:
        super().__init__()
        self.valid = ""
        self.shown: list[bytes] = []
        self.ends: list[bytes] = []

    async def _auth(self, server, args: list[str], shown: bytes, end: bytes) -> AuthResult:
        self.shown.append(b64decode(args[1]))
        if self.shown[-1] == shown:
            return AuthResult(success=True, auth_data="lucia")
        told = await server.challenge_auth(b'{"status":"401"}')
        self.ends.append(told)
        return AuthResult(success=False, handled=False)


class OfProviders(ByToken):
    """By XOAUTH2."""

    async def auth_XOAUTH2(self, server, args: list[str]) -> AuthResult:  # noqa: N802
        """Compare the token."""
        shown = f"user=lucia\1auth=Bearer {self.valid}\1\1"
        return await self._auth(server, args, shown.encode(), b"")


class OfStandard(ByToken):
    """By OAUTHBEARER."""

    async def auth_OAUTHBEARER(self, server, args: list[str]) -> AuthResult:  # noqa: N802
        """Compare the token."""
        host = f"host=127.0.0.1\1port={server.transport.get_extra_info('sockname')[1]}"
        shown = f"n,a=lucia,\1{host}\1auth=Bearer {self.valid}\1\1"
        return await self._auth(server, args, shown.encode(), b"\1")


@pytest.fixture(params=[OfProviders, OfStandard])
def by_token(office, request, tmp_path) -> Iterator[TokenServer]:
    """The provider that gives tokens for the office's relay, which takes nothing else."""
    provider = TokenServer()
    office.postmaster = request.param()
    office.security, office.login = Security.STARTTLS, ("lucia", None)
    server, office.trust = certificates()
    office.options = {
        "tls_context": server,
        "require_starttls": True,
        "auth_required": True,
        "auth_exclude_mechanism": ["LOGIN", "PLAIN"],
    }
    with giving(provider) as url:
        office.tokens = tokens_of(url, tmp_path, Seconds())
        yield provider


def test_a_relay_is_shown_a_token_in_place_of_a_password(office, by_token) -> None:
    """One that was cached and is refused is replaced at once."""
    office.postmaster.valid = "access-1"
    with office.relay(**office.options):
        first = office.send()
    office.bag.put("d@x.example")
    office.postmaster.valid = "access-2"
    with office.relay(**office.options):
        second = office.send()

    assert (first, second) == (Round(sent=3), Round(sent=1))
    assert by_token.given == ["access-1", "access-2"]


def test_a_token_that_a_relay_refuses_is_no_fault_of_the_messages(office, by_token) -> None:
    """It is asked for once, not repeated, and the relay's question why is answered."""
    office.postmaster.valid = "another"
    with office.relay(**office.options):
        done = office.send()

    assert "535" in done.out_of_reach
    assert "access-1" not in done.out_of_reach
    assert (by_token.given, len(office.postmaster.ends)) == (["access-1"], 1)
    assert office.states() == ["waiting"] * 3


def test_messages_wait_where_nobody_gives_a_token(office, by_token) -> None:
    """The keeper reads the provider's word for it."""
    by_token.refresh = "revoked"
    with office.relay(**office.options):
        done = office.send()

    assert "no token from 127.0.0.1: invalid_grant" in done.out_of_reach
    assert office.states() == ["waiting"] * 3


def test_a_relay_that_does_not_know_starttls_gets_nothing(office) -> None:
    """The way is protected, or not taken."""
    office.security = Security.STARTTLS
    with office.relay():
        done = office.send()

    assert done.out_of_reach is not None
    assert office.postmaster.taken == []


@contextmanager
def hurried() -> Iterator[None]:
    """Wait a moment only for the answer to a mail: a greeting takes long on a busy machine."""
    usual = _Line.text

    def soon_tired(line: _Line, content: bytes):
        line.sock.settimeout(0.2)
        return usual(line, content)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_Line, "text", soon_tired)
        yield


def test_a_relay_that_stalls_over_a_mail(office) -> None:
    """Nobody knows whether it took the mail: it is put off, and goes again as the same one."""
    office.postmaster.stalls = SECONDS
    for other in (2, 3):
        del office.bag.rows[other]
    with hurried(), office.relay():
        assert office.send().put_off == 1

    assert "timed out" in office.bag.rows[1].why
    assert office.bag.rows[1].letter.tries == 1


def test_a_relay_that_stalls_over_all_mails_is_out_of_reach(office) -> None:
    """The second silence is the relay's: no further mail is tried, and none loses tries by it."""
    office.postmaster.stalls = SECONDS
    with hurried(), office.relay():
        assert "timed out" in office.send().out_of_reach
        assert office.states() == ["waiting"] * 3
        assert "timed out" in office.send().out_of_reach

    assert [row.letter.tries for row in office.bag.rows.values()] == [1, 0, 0]
    assert [row.due for row in office.bag.rows.values()] == [NOON + timedelta(minutes=1)] * 3

    office.postmaster.stalls = 0
    office.now += timedelta(minutes=1)
    with office.relay():
        assert office.send() == Round(sent=3)
    assert office.unanswered == set()


def test_one_mail_over_which_the_relay_stalls_is_given_up_in_the_end(office) -> None:
    """As long as no other one gets no answer, the relay is not to blame."""
    office.postmaster.stalls = SECONDS
    for other in (2, 3):
        del office.bag.rows[other]
    with hurried(), office.relay():
        for done in (Round(put_off=1), Round(put_off=1), Round(given_up=1)):
            assert office.send() == done
            office.now += timedelta(hours=1)


def test_a_mail_without_an_answer_is_not_offered_twice_at_once(office) -> None:
    """Nor where the connection was open before: the relay may be about to take it."""
    relay = Relay(Way("127.0.0.1", office.port), "mach.example")
    office.connect = KeptRelays(lambda: relay).one
    with office.relay():
        assert office.send() == Round(sent=3)
        office.postmaster.stalls = SECONDS
        relay._line.sock.settimeout(0.2)
        office.bag.put("d@x.example")
        assert office.send() == Round(put_off=1)

    assert len(office.postmaster.greetings) == 1


def test_a_relay_that_says_nothing(office, monkeypatch) -> None:
    """Is out of reach after a while."""
    monkeypatch.setattr("machjudge.mail.relay.SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        office.port = silent.getsockname()[1]
        done = office.send()

    assert "timed out" in done.out_of_reach


def test_a_message_that_cannot_be_written_stops_no_other() -> None:
    """It is given up at once, for the keeper to see; those before and behind it go."""
    office = Office()
    for to in ("a@b.example", "poison@b.example", "c@d.example"):
        office.bag.put(to)

    def sign(mail: ComposedMail) -> ComposedMail:
        if mail.recipient.startswith("poison"):
            raise ZeroDivisionError
        return mail

    office.signed = sign
    with office.relay():
        office.send()

    assert office.states() == ["sent", "given up", "sent"]
    assert office.bag.rows[2].why == "ZeroDivisionError"


def test_a_message_whose_picture_cannot_be_drawn_goes_without_it() -> None:
    """Whatever drawing raises."""
    office = Office()
    office.bag.put("a@b.example", "Your results\n")
    office.drawn = lambda _: 1 / 0
    with office.relay():
        office.send()

    ((_, _, content),) = office.postmaster.taken
    assert b"Your results" in content


def test_a_message_whose_file_cannot_be_written_goes_without_it() -> None:
    """Its text is what matters."""
    office = Office()
    office.bag.put("a@b.example", "Your results\n")
    row = office.bag.rows[1]
    broken = Attachment("x.png", "no media type", b"1")
    outgoing = replace(row.letter.outgoing, attachments=(broken,), layout="")
    row.letter = replace(row.letter, outgoing=outgoing)
    with office.relay():
        office.send()

    assert office.states() == ["sent"]


def test_what_the_relay_stumbles_over_is_tried_again_and_stops_no_other() -> None:
    """With the pauses of a refusal, and an end."""
    office = Office()
    office.bag.put("poison@b.example")
    office.bag.put("c@d.example")

    class Stumbling(Relay):
        def hand_over(self, mail: ComposedMail) -> Answer:
            if mail.recipient.startswith("poison"):
                raise ValueError
            return super().hand_over(mail)

    way = Way("127.0.0.1", office.port, Security.PLAIN)
    office.connect = lambda: Stumbling(way, "mach.example")
    with office.relay():
        office.send()
        assert office.states() == ["waiting", "sent"]
        for _ in range(len(WAITS)):
            office.now += timedelta(hours=1)
            office.send()

    assert office.states() == ["given up", "sent"]


# A picture on its way: kept as a wish, drawn by the sender, in the mail by its name.


FLORENCE = wish_for(campaign().scenario, scene(), [PowerId("L")])


@pytest.mark.parametrize(("document", "parts"), [(FLORENCE, 2), (b"broken", 1)])
def test_a_message_shows_its_map_or_goes_with_the_words_alone(document: bytes, parts: int) -> None:
    """The HTML names the picture where there is one; its words are there in any case."""
    wish = Attachment("map.png", PICTURE_REQUEST, document, "map")
    drawn = drawing_by(Atlas([MAPS]))(replace(LAID_OUT, attachments=(wish,)))
    seen = mail(LAID_OUT, attachments=drawn.attachments)
    found = [part for part in seen.walk() if not part.is_multipart()]
    images = [part for part in found if part.get_content_maintype() == "image"]
    html = next(part for part in found if part.get_content_type() == "text/html").get_content()

    assert len(images) == parts - 1
    assert ("cid:map." in html) is bool(images)
    assert "A map of all." in html
    assert all(part.get_content().startswith(b"\x89PNG") for part in images)
    assert "machjudge.picture" not in seen.as_string()
