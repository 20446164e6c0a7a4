"""A judge on a mailbox of Dovecot, sending through its submission: games are played by mail.

Meanwhile the judge, the mailbox's server and the submission server are killed in turn.
"""

import imaplib
import os
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

from machjudge.cli.demo import DemoGame, Player, advanced_campaign, introductory_game
from machjudge.mail.mailbox import MailboxFault, MailboxPlace, OpenFolder, PasswordLogin
from machjudge.mail.relay import Security
from tests.app.processes import Process
from tests.journeys.conftest import FIRST_YEAR
from tests.journeys.judge import CALLED_EVERY, JUDGE, OPENED, Judge, QueuedMessage
from tests.journeys.story import Play
from tests.mail import imap as of_tests
from tests.mail.imap import ImapServer
from tests.mail.servers import relaying
from tests.neighbours.servers import Dovecot
from tests.patience import SECONDS, wait_until

_CERTIFICATE = Path(of_tests.__file__).with_name("relay.pem")
PASSWORD = "s3kret+of:the@provider"
_BETWEEN_KILLS_SECONDS = 10.0


def address(scheme: str, port: int, folder: str = "") -> str:
    """The address of a server of the provider, with user and password."""
    return f"{scheme}://{quote(JUDGE, safe='')}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}{folder}"


def append(port: int, raw: bytes, received: datetime) -> None:
    """Put a mail into the mailbox, as the provider does; again until it says that it is there."""
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    at = imaplib.Time2Internaldate(received)
    end = time.monotonic() + SECONDS
    while True:
        try:
            with imaplib.IMAP4_SSL(
                "127.0.0.1", port, ssl_context=ssl.create_default_context(), timeout=30
            ) as client:
                client.login(JUDGE, PASSWORD)
                assert client.append("INBOX", None, at, raw)[0] == "OK"
                return
        except (OSError, imaplib.IMAP4.error):
            assert time.monotonic() < end, "the mailbox is out of reach"
            time.sleep(0.2)


@dataclass
class MailboxJudge(Judge):
    """A judge on a mailbox, in one process; anyone who writes to it writes into the mailbox."""

    provider: Dovecot | None = None
    written: int = 0

    def serve(self) -> Process:
        """A `serve --all`."""
        return self.start("serve-all")

    def send(
        self,
        *mails: bytes,
        sender: str = "somebody@example.com",
        to: str = JUDGE,
    ) -> None:
        """Put mails into the mailbox, with what a provider notes of them."""
        assert self.provider is not None
        for each in mails:
            self.written += 1
            trace = f"Return-Path: <{sender}>\r\nDelivered-To: {to}\r\n".encode()
            append(self.provider.port, trace + each, self.clock())

    def is_at_rest(self) -> bool:
        """True if every mail is taken and handled, and every letter sent."""
        try:
            with opened(self) as client:
                left = client.select("INBOX")[1]
        except (OSError, imaplib.IMAP4.error):
            return False
        return left == [b"0"] and super().is_at_rest()

    def let_pass(self, until: datetime) -> None:
        """Let time pass while the mailbox is looked at now and then: no outage lasts for hours."""
        while (now := self.clock()) < until:
            at = min(until, now + CALLED_EVERY)
            with self.application.store.writing() as uow:
                # Nobody takes the step for an outage, however often the judge has looked.
                uow.heartbeat.beat(now, 4 * CALLED_EVERY)
                uow.commit()
            self.clock.set(at)
            wait_until(lambda at=at: self._is_heard(at), "a look at the mailbox")

    def _is_heard(self, at: datetime) -> bool:
        self.tick()
        return self.application.store.heard_until(self.clock()) > at - timedelta(minutes=1)


class PlayOn(Play):
    """A script whose judge is killed by somebody else."""

    def _restart(self, how: str) -> None:
        """Leave that to the caller who kills."""


@dataclass
class Killing:
    """Kills of the processes of a judge and of both servers, in turn, while something else goes."""

    judge: MailboxJudge
    servers: dict[str, Dovecot]
    done: Counter[str] = field(default_factory=Counter)
    end: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Kill and begin again until the end."""
        for what in cycle(["judge", *self.servers]):
            if self.end.wait(_BETWEEN_KILLS_SECONDS):
                return
            if what == "judge":
                self.judge.kill()
                self.judge.processes.clear()
                self.judge.serve()
            else:
                self.servers[what].kill()
                self.end.wait(1.0)
                self.servers[what].start()
            self.done[what] += 1


@contextmanager
def killing(judge: MailboxJudge, servers: dict[str, Dovecot]) -> Iterator[Counter[str]]:
    """Kill in turn while the context lasts; how often each was killed."""
    killer = Killing(judge, servers)
    thread = threading.Thread(target=killer.run)
    thread.start()
    try:
        yield killer.done
    finally:
        killer.end.set()
        thread.join()


@contextmanager
def provided(folder: Path) -> Iterator[tuple[MailboxJudge, dict[str, Dovecot]]]:
    """A provider with a mailbox and submission, and a judge there that is not begun."""
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    os.environ["SSL_CERT_FILE"] = str(_CERTIFICATE)
    judge = MailboxJudge(folder)
    # Dovecot has no mail that was received in the future.
    judge.clock.set(OPENED - timedelta(weeks=52))
    servers = {
        "mailbox": Dovecot(folder / "imap", "imap", _CERTIFICATE, PASSWORD),
        "submission": Dovecot(
            folder / "submission", "submission", _CERTIFICATE, PASSWORD, judge.relay_port
        ),
    }
    judge.provider = servers["mailbox"]
    judge.more = {
        "MACHJUDGE_LISTEN": "",
        "MACHJUDGE_INBOX": address("imaps", servers["mailbox"].port, "/INBOX"),
        "MACHJUDGE_RELAY": address("smtp+starttls", servers["submission"].port),
        "MACHJUDGE_RETRY": "1 1 1 1 1 1 1 1 1 1",
    }
    with relaying(judge.post, judge.relay_port):
        for each in servers.values():
            each.start()
        try:
            yield judge, servers
        finally:
            judge.end()
            for each in servers.values():
                each.kill()


@dataclass(frozen=True)
class _Stage:
    """The demo's players, before a judge on a mailbox."""

    judge: MailboxJudge

    def write(self, player: Player, subject: str, lines: tuple[str, ...]) -> str:
        self.judge.written += 1
        known = f"<demo.{self.judge.written}@players.example>"
        head = (
            f"From: {player.name} <{player.address}>\r\nTo: {JUDGE}\r\nSubject: {subject}\r\n"
            f"Message-ID: {known}\r\n\r\n"
        )
        self.judge.send((head + "\r\n".join(lines) + "\r\n").encode(), sender=player.address)
        return known

    def answer_to(self, message_id: str) -> QueuedMessage:
        return self.judge.answer_to(message_id)

    def message_to(self, player: Player, subject_holds: str, text_holds: str = "") -> QueuedMessage:
        def is_it(letter: QueuedMessage) -> bool:
            about = subject_holds in letter.subject and text_holds in letter.text
            return about and letter.to == player.address

        return self.judge.wait_for(1, is_it, f"{text_holds or subject_holds!r}")[0]


def play_games(folder: Path) -> str:
    """The demo's games, and on another judge a year of eight players; what was done."""
    demo = tuple(script.game for script in (introductory_game(), advanced_campaign()))
    return "; ".join(
        (
            _played(folder / "demo", demo, _play_demo),
            _played(folder / "year", (FIRST_YEAR.game,), _play_year),
        )
    )


def _played(folder: Path, games: Sequence[str], play: Callable[[MailboxJudge], None]) -> str:
    """Games played while judge and servers are killed; what was done."""
    with provided(folder) as (judge, servers):
        judge.serve()
        with killing(judge, servers) as kills:
            play(judge)
        wait_until(judge.is_at_rest, "rest")
        _nothing_lost(judge)
        for game in games:
            assert " 0 of them wrong" in judge.run("replay", game)
        ((mails,),) = judge.rows("SELECT count(*) FROM inbox")
        ((phases,),) = judge.rows("SELECT count(*) FROM phases WHERE number > 0")
    killed = ", ".join(f"{name} {times} times" for name, times in sorted(kills.items()))
    return f"{phases} phases played with {mails} mails; killed: {killed}"


def _play_year(judge: MailboxJudge) -> None:
    """A year of eight players; each mail is answered once."""
    for act in PlayOn(judge, FIRST_YEAR).acts():
        assert all(len(each) == 1 for mails in act.answers.values() for each in mails), act


def _play_demo(judge: MailboxJudge) -> None:
    """The introductory game and an advanced campaign; each phase ends as in the book."""
    stage = _Stage(judge)
    for script in (introductory_game(), advanced_campaign()):
        demo_game = DemoGame(stage, script, lambda *_: None, judge.position)
        if script.game == introductory_game().game:
            demo_game.register()
        demo_game.open()
        for act in script.acts:
            compared = demo_game.play(act)
            assert not compared.differences, compared


def _nothing_lost(judge: MailboxJudge) -> None:
    """Every mail is kept once and answered once, and lies in the folder for what is done."""
    twice = "SELECT message_id FROM inbox GROUP BY message_id HAVING count(*) > 1"
    assert judge.rows(twice) == []
    states = "SELECT DISTINCT state FROM inbox UNION ALL SELECT DISTINCT state FROM outbox"
    assert set(judge.rows(states)) == {("finished",), ("sent",)}
    answers = Counter(letter.answers for letter in judge.letters() if letter.answers and letter.to)
    kept = [str(row[0]) for row in judge.rows("SELECT message_id FROM inbox")]
    assert [each for each in kept if answers[each] != 1] == []
    with opened(judge) as client:
        assert client.select("INBOX")[1] == [b"0"]
        _, (count,) = client.select("Judge.Done")  # as this server separates them
        assert int(count) >= len(kept)


@contextmanager
def opened(judge: MailboxJudge) -> Iterator[imaplib.IMAP4_SSL]:
    """A connection to the mailbox."""
    assert judge.provider is not None
    context = ssl.create_default_context()
    with imaplib.IMAP4_SSL("127.0.0.1", judge.provider.port, ssl_context=context) as client:
        client.login(JUDGE, PASSWORD)
        yield client


def _dialogue(place: MailboxPlace, put: Callable[[bytes], None]) -> list[object]:
    """What a server answers to all that the judge asks of it."""
    told: list[object] = []
    first = OpenFolder(place)
    told.append((first.has_idle, first.facts()))
    for number in range(4):
        put(f"From: anna@example.com\nSubject: {number}\n\nhelp\n".encode())
    present, deleted = first.numbers()
    told.append((sorted(present), deleted, len(first.sizes(sorted(present)))))
    one, two, three, four = sorted(present)
    sizes = first.sizes([one, 999])
    told.append([(number, size, at) for number, (size, at) in sizes.items()])
    told.append(first.mails([two, one]))
    told.append(first.mails([two, one], 20))
    first.file([one, 999], "Judge/Done")
    first.file([two], "Judge/Done")
    first.file([three], "")
    told.append(first.numbers())
    first.begin_listening()
    put(b"From: anna@example.com\n\nonce more\n")
    told.append(any(first.listen(1.0) for _ in range(30)))
    first.end_listening()
    told.append([len(each) for each in first.numbers()])
    first.leave()
    again = OpenFolder(place)
    told.append((again.validity == first.validity, again.facts().mails, again.mails([four])))
    again.leave()
    done = OpenFolder(replace(place, folder="Judge/Done"))
    present, _ = done.numbers()
    told.append((len(present), sorted(done.sizes(sorted(present)).values())))
    done.leave()
    try:
        OpenFolder(replace(place, login=PasswordLogin(lambda: "wrong")))
    except MailboxFault as fault:
        told.append("the password is refused" in str(fault))
    return told


def alike(folder: Path) -> str:
    """The server of the tests and Dovecot answer the same; what was asked."""
    at = datetime(2026, 11, 20, 18, 20, 5, tzinfo=UTC)
    trust = ssl.create_default_context(cafile=_CERTIFICATE)
    os.environ["SSL_CERT_FILE"] = str(_CERTIFICATE)
    dovecot = Dovecot(folder, "imap", _CERTIFICATE, PASSWORD)
    dovecot.start()
    try:
        login = PasswordLogin(lambda: PASSWORD)
        place = MailboxPlace("127.0.0.1", dovecot.port, Security.TLS, JUDGE, login, trust=trust)
        real = _dialogue(place, lambda raw: append(dovecot.port, raw, at))
    finally:
        dovecot.kill()
    with of_tests.imap(ImapServer(separator=".")) as server:
        place = MailboxPlace(
            "127.0.0.1",
            server.port,
            Security.PLAIN,
            of_tests.USER,
            PasswordLogin(lambda: of_tests.PASSWORD),
        )
        ours = _dialogue(place, lambda raw: server.deliver(raw, at))
    assert real == ours, (real, ours)
    return f"{len(real)} answers, the same of Dovecot and of the server of the tests"


def on_dovecot(folder: Path) -> str:
    """Try all of it; what was done."""
    folder.mkdir()
    folder.chmod(0o755)
    return f"{alike(folder / 'alike')}; {play_games(folder / 'games')}"
