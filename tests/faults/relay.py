"""The relay of a judge that is killed, in a process of its own: what it has taken is in a file.

It does what its mood says, which a test writes into another file.
"""

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.policy import default
from enum import StrEnum
from imaplib import IMAP4, Time2Internaldate
from pathlib import Path
from urllib.parse import quote

from aiosmtpd.smtp import SMTP

from tests.mail.imap import PASSWORD, USER, ImapServer
from tests.mail.servers import pipelining
from tests.patience import SECONDS, wait_until
from tests.ports import is_open


class Mood(StrEnum):
    """What the relay does with a mail."""

    WELL = "takes it"
    AWAY = "hangs up on whoever calls"
    HANGS = "says nothing more"
    LATER = "451"
    NEVER = "554"
    DROPS = "takes it, and hangs up before it says so"


@dataclass(frozen=True, slots=True)
class TakenMail:
    """A mail that the relay has taken."""

    id: str
    to: str
    subject: str
    answers: str
    """The Message-ID of the mail that it answers."""
    reply_to: str
    content: str

    @property
    def letter(self) -> str:
        """What stands for the number of the letter in its Message-ID (see `hidden_number`)."""
        return self.id.split(".")[1].partition("@")[0]


def taken_mail(content: bytes, to: str) -> TakenMail:
    """What is noted of a mail."""
    mail = message_from_bytes(content, policy=default)
    names = ("Message-ID", "Subject", "In-Reply-To", "Reply-To")
    known, subject, answers, reply_to = (str(mail[name] or "").strip() for name in names)
    return TakenMail(known, to, subject, answers, reply_to, content.decode("latin-1"))


class OwnRelay:
    """The relay, as the test sees it."""

    def __init__(self, folder: Path, port: int) -> None:
        self._file = folder / "taken"
        self._mood = folder / "mood"
        self._port = port
        self._read: list[TakenMail] = []
        self._at = 0
        self.mood = Mood.WELL
        self.pid = 0
        """The number of its process, once it is started."""
        self._file.touch()

    @property
    def mood(self) -> Mood:
        """What the relay does with mails now."""
        return Mood(self._mood.read_text("ascii"))

    @mood.setter
    def mood(self, mood: Mood) -> None:
        new = self._mood.with_suffix(".new")
        new.write_text(mood, "ascii")
        new.rename(self._mood)

    def start(self) -> None:
        """Fork the process, whose door is open when this returns."""
        self._parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            for descriptor in (1, 2):  # nobody waits for a word of this process
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
            asyncio.run(self._run())
            os._exit(0)
        opened = self._file.with_name("open")
        wait_until(opened.exists, "the relay")

    def end(self) -> None:
        """End the process."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def taken(self) -> list[TakenMail]:
        """All mails taken so far, in their order; one that came twice stands there twice."""
        with self._file.open("rb") as file:
            file.seek(self._at)
            for line in file:
                if line.endswith(b"\n"):
                    self._at += len(line)
                    to, content = json.loads(line)
                    self._read.append(taken_mail(content.encode("latin-1"), to))
        return self._read

    def mark(self) -> int:
        """What was taken until now, to come back to."""
        self.taken()
        return len(self._read)

    def back_to(self, mark: int) -> None:
        """Forget what was taken after a mark."""
        lines = self._file.read_bytes().splitlines(keepends=True)[:mark]
        self._file.write_bytes(b"".join(lines))
        self._at = self._file.stat().st_size
        del self._read[mark:]

    async def _run(self) -> None:
        server = await asyncio.get_running_loop().create_server(
            lambda: _Session(self), "127.0.0.1", self._port
        )
        self._file.with_name("open").touch()
        async with server:
            while os.getppid() == self._parent:
                await asyncio.sleep(1)

    def keep(self, content: bytes, to: str) -> None:
        """Note a mail as taken; it is read by the test, as this process shares its cores."""
        with self._file.open("ab") as file:
            file.write(json.dumps([to, content.decode("latin-1")]).encode("ascii") + b"\n")


class _Session(SMTP):
    def __init__(self, relay: OwnRelay) -> None:
        super().__init__(_Handler(relay), hostname="relay.example")
        self._relay = relay

    async def _handle_client(self) -> None:
        if self._relay.mood is Mood.AWAY:
            self.transport.abort()
        else:
            await super()._handle_client()


class _Handler:
    def __init__(self, relay: OwnRelay) -> None:
        self._relay = relay

    async def handle_EHLO(self, server, session, envelope, hostname, responses):  # noqa: N802
        """Offer what most relays offer."""
        session.host_name = hostname
        return pipelining(responses)

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        mood = self._relay.mood
        match mood:
            case Mood.HANGS:
                await asyncio.sleep(SECONDS)
            case Mood.LATER | Mood.NEVER:
                return f"{mood} as the test wants it"
        self._relay.keep(envelope.original_content, envelope.rcpt_tos[0])
        if mood is Mood.DROPS:
            server.transport.abort()
        return "250 OK"


class OwnMailbox:
    """The mailbox of a judge, on a server in a process of its own."""

    def __init__(self, capabilities: tuple[str, ...]) -> None:
        self._server = ImapServer(capabilities=capabilities)
        self._pid = 0

    @property
    def address(self) -> str:
        """How the judge names it in its settings."""
        login = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}"
        return f"imap://{login}@127.0.0.1:{self._server.port}"

    def start(self) -> None:
        """Fork the process, whose port is open when this returns."""
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            self._server.start()
            while os.getppid() == parent:
                time.sleep(1)
            os._exit(0)
        wait_until(lambda: is_open(self._server.port), "the mailbox")

    def end(self) -> None:
        """End the process."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    def put(self, raw: bytes, received: datetime) -> None:
        """Put a mail into it."""
        with self._opened() as client:
            assert client.append("INBOX", None, Time2Internaldate(received), raw)[0] == "OK"

    def left(self) -> int:
        """How many mails nobody has put away."""
        with self._opened() as client:
            return int(client.select("INBOX")[1][0])

    @contextmanager
    def _opened(self) -> Iterator[IMAP4]:
        with IMAP4("127.0.0.1", self._server.port) as client:
            client.login(USER, PASSWORD)
            yield client


def by_id(taken: list[TakenMail]) -> dict[str, list[TakenMail]]:
    """The copies of each mail, by its Message-ID."""
    found: dict[str, list[TakenMail]] = {}
    for each in taken:
        found.setdefault(each.id, []).append(each)
    return found


def answers_of(taken: list[TakenMail]) -> Iterator[tuple[str, TakenMail]]:
    """Each answer once, with the Message-ID of the mail that it answers."""
    for copies in by_id(taken).values():
        if copies[0].answers:
            yield copies[0].answers, copies[0]
