"""The post office of the stage: takes the judge's letters by SMTP, and keeps them as files."""

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Delivered:
    """A letter as its reader finds it in their mailbox."""

    to: str
    subject: str
    text: str
    answers: str
    """The Message-ID of the mail that it answers; empty for what the judge wrote by itself."""


class PostOffice:
    """An SMTP server on loopback that delivers everything into one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._delivered: list[Delivered] = []
        self._news = threading.Condition()
        self._controller = Controller(self, hostname=HOST, port=self.port)

    def open(self) -> None:
        """Begin to take letters."""
        self.folder.mkdir(parents=True)
        self._controller.start()

    def close(self) -> None:
        """Take no more."""
        self._controller.stop()

    async def handle_DATA(  # noqa: N802  (the name is aiosmtpd's)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Take one letter in: a file for everyone to look at, and a note for who waits for it."""
        content = envelope.content
        raw = content if isinstance(content, bytes) else (content or "").encode()
        for reader in envelope.rcpt_tos:
            self._deliver(reader, raw)
        return "250 delivered"

    def _deliver(self, reader: str, raw: bytes) -> None:
        letter = message_from_bytes(raw, policy=policy.default)
        with self._news:
            name = f"{len(self._delivered) + 1:03}-to-{reader.partition('@')[0]}.eml"
            (self.folder / name).write_bytes(raw)
            self._delivered.append(_as_delivered(reader, letter))
            self._news.notify_all()

    def wait_for(self, wanted: Callable[[Delivered], bool], seconds: float) -> Delivered | None:
        """The first letter of that kind; None if it does not come in time."""
        until = time.monotonic() + seconds
        with self._news:
            while True:
                found = next((letter for letter in self._delivered if wanted(letter)), None)
                if found is not None or not self._news.wait(max(0.0, until - time.monotonic())):
                    return found

    def count(self) -> int:
        """How many letters have come so far."""
        with self._news:
            return len(self._delivered)


def _as_delivered(reader: str, letter: EmailMessage) -> Delivered:
    part = letter.get_body(("plain",))
    text = part.get_content() if part is not None else ""
    return Delivered(reader, letter["Subject"] or "", text, letter["In-Reply-To"] or "")


def free_port() -> int:
    """A port of the loopback that nobody uses just now."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
    return port
