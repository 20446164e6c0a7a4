"""A judge as its keeper runs it: real processes, a real SQLite file, a relay that keeps mails."""

import os
import signal
import smtplib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import psycopg

from machjudge.app import Application, build, renewed
from machjudge.judge.mails import Arrival, KeptMail, MailEnd, MailOutcome
from machjudge.settings import load
from tests.databases import url_in
from tests.mail.servers import Postmaster
from tests.patience import SECONDS, wait_until
from tests.ports import free_port
from tests.preloaded.forks import Fork, fork
from tests.surroundings import OURS

Process = subprocess.Popen[bytes] | Fork


def mail(author: str, text: str, number: int = 0) -> bytes:
    """A mail as somebody writes it; its number makes it another one."""
    return (
        f"From: {author} <{author}@example.com>\r\nTo: judge@mach.example\r\n"
        f"Subject: mail {number}\r\nMessage-ID: <{author}.{number}@example.com>\r\n\r\n{text}\r\n"
    ).encode()


@dataclass
class Installation:
    """One judge: its settings, its database and the processes that work on it."""

    folder: Path
    port: int = field(default_factory=free_port)
    relay_port: int = field(default_factory=free_port)
    more: dict[str, str] = field(default_factory=dict)
    forks: bool = True
    """True if its processes are forks, which begin at once, or begin as a keeper's do."""
    program: tuple[str, ...] = (sys.executable, "-m", "machjudge")
    """What runs it where its processes are no forks."""
    processes: list[Process] = field(default_factory=list)
    copied: Path | None = None
    """The folder of a judge at rest whose database this one begins with."""
    database: str = field(init=False)

    def __post_init__(self) -> None:
        """Make its database, where that is not a file."""
        self.database = url_in(self.folder, self.copied)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of every process."""
        others = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
        return {
            **others,
            "MACHJUDGE_CONFIG": os.devnull,
            "MACHJUDGE_DATABASE": self.database,
            "MACHJUDGE_SECRET_FILE": str(self.folder / "judge.secret"),
            "MACHJUDGE_LISTEN": f"smtp://127.0.0.1:{self.port}",
            "MACHJUDGE_RELAY": f"smtp://127.0.0.1:{self.relay_port}",
            "MACHJUDGE_ADDRESS": "judge@mach.example",
            "MACHJUDGE_KEEPER": "keeper@mach.example",
            "MACHJUDGE_ANSWERS_PER_DAY": "0",
            "MACHJUDGE_CONFIRM": "off",
            **self.more,
        }

    def run(self, *arguments: str, expected: int = 0) -> str:
        """A command that ends by itself; what it printed."""
        with TemporaryFile() as told:
            process = self._begun(arguments, told, told)
            code = process.wait(SECONDS)
            told.seek(0)
            text = told.read().decode()
        assert code == expected, text
        return text

    def start(self, *arguments: str) -> Process:
        """A process that stays; its log goes to a file."""
        with (self.folder / "log").open("ab") as log:
            process = self._begun(arguments, None, log)
        self.processes.append(process)
        return process

    def _begun(
        self, arguments: Sequence[str], output: IO[bytes] | None, errors: IO[bytes]
    ) -> Process:
        if self.forks:
            out = None if output is None else output.fileno()
            return fork(arguments, self.environment, output=out, errors=errors.fileno())
        command = [*self.program, *arguments]
        return subprocess.Popen(  # noqa: S603 - our own program
            command, env=self.environment, stdout=output, stderr=errors
        )

    def serve(self) -> Process:
        """A `serve` whose door is open."""
        process = self.start("serve")
        wait_until(self.is_open, "the door")
        return process

    def is_open(self) -> bool:
        """True if its door is open."""
        try:
            smtplib.SMTP("127.0.0.1", self.port).close()
        except OSError:
            return False
        return True

    def send(
        self,
        *mails: bytes,
        sender: str = "somebody@example.com",
        to: str = "judge@mach.example",
    ) -> None:
        """Hand mails over on one connection; all have got their 250."""
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            for each in mails:
                client.sendmail(sender, [to], each.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    @contextmanager
    def in_hand(self, sender: str) -> Iterator[None]:
        """An older mail of *sender* is in the hands of this process: later ones wait meanwhile.

        So what a killed `serve` leaves does not depend on how fast it was.  To be begun before
        `serve`, which would take the mail otherwise.
        """
        application = self.rooms()
        try:
            with renewed(application.leases):
                kept = self._taken(application, sender)
                yield
            with application.store.writing() as work:
                work.inbox.finish(kept, MailEnd(MailOutcome.SILENT), b"", application.clock())
                work.commit()
        finally:
            application.close()

    def rooms(self) -> Application:
        """The judge's rooms in this process; to be closed."""
        return build(load(self.environment))

    def _taken(self, application: Application, sender: str) -> KeptMail:
        """A mail that this process has kept and claimed."""
        raw = mail(sender.partition("@")[0], "older", 999)
        older = Arrival(
            raw, sender, ("judge@mach.example",), sender, "<older@example.com>", "older"
        )
        application.arrivals.keep([older])
        with application.store.writing() as work:
            kept = work.inbox.claim(application.clock())
            work.commit()
        assert kept is not None
        assert kept.raw == raw
        return kept

    def rows(self, question: str) -> list[tuple[object, ...]]:
        """What the database answers, asked past the program."""
        with closing(self._connected()) as connection:
            return connection.execute(question).fetchall()

    def change(self, statement: str) -> None:
        """Change the database, past the program."""
        with closing(self._connected()) as connection:
            connection.execute(statement)
            connection.commit()

    def _connected(self) -> "sqlite3.Connection | psycopg.Connection[Any]":
        if self.database.startswith("sqlite"):
            return sqlite3.connect(self.folder / "judge.db", timeout=SECONDS)
        return psycopg.connect(self.database)

    def log(self) -> str:
        """All that the processes have logged."""
        return (self.folder / "log").read_text()

    def end(self) -> None:
        """End what still runs, in order."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait(SECONDS)


def letters(postmaster: Postmaster) -> Iterator[EmailMessage]:
    """The mails that the relay has taken, in their order."""
    for _, _, content in tuple(postmaster.taken):
        yield message_from_bytes(content, policy=default)
