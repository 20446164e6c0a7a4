"""A judge of its own on loopback, with a database, a post office and people who write to it."""

import os
import shutil
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.cli.stage.postoffice import HOST, Delivered, PostOffice, free_port
from machjudge.settings import PREFIX

ADDRESS = "judge@mach.example"
_PATIENCE = 30.0
"""Seconds to wait for an answer before something must be wrong."""
_MARK = ".machjudge-demo"


class StageFright(MachjudgeError):
    """The play could not go on: the judge did not come up, or did not answer."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who writes to the judge."""

    name: str
    address: str
    password: str


@dataclass(frozen=True, slots=True)
class Theatre:
    """The judge, reached by SMTP only."""

    folder: Path
    port: int
    post: PostOffice

    def write(self, player: Player, subject: str, lines: Sequence[str]) -> str:
        """Send a mail from a player to the judge; its Message-ID comes back."""
        mail = EmailMessage()
        mail["From"] = f"{player.name} <{player.address}>"
        mail["To"] = ADDRESS
        mail["Subject"] = subject
        mail["Message-ID"] = make_msgid(domain="players.example")
        mail.set_content("\n".join(lines) + "\n")
        with smtplib.SMTP(HOST, self.port) as smtp:
            smtp.send_message(mail)
        return str(mail["Message-ID"])

    def answer_to(self, message_id: str) -> Delivered:
        """The judge's answer to a mail.  Raises StageFright."""
        return self._expect(f"an answer to {message_id}", lambda got: got.answers == message_id)

    def letter_to(self, player: Player, subject_holds: str, text_holds: str = "") -> Delivered:
        """A letter to a player with this in its subject and its text.  Raises StageFright."""

        def is_it(got: Delivered) -> bool:
            about = subject_holds in got.subject and text_holds in got.text
            return about and got.to == player.address

        return self._expect(f"{text_holds or subject_holds!r} for {player.name}", is_it)

    def _expect(self, what: str, is_it: Callable[[Delivered], bool]) -> Delivered:
        found = self.post.wait_for(is_it, _PATIENCE)
        if found is None:
            says = f"{what} did not come; {self.folder / 'judge.log'} may say why"
            raise StageFright(says)
        return found


@contextmanager
def open_theatre(folder: Path) -> Iterator[Theatre]:
    """A judge that lives in *folder* while the context lasts; the folder stays.

    Raises StageFright if the folder holds something else, or the judge does not come up.
    """
    _clear(folder)
    post = PostOffice(folder / "mailbox")
    theatre = Theatre(folder, free_port(), post)
    environ = _set_up(theatre)
    post.open()
    try:
        with _judge(theatre, environ):
            yield theatre
    finally:
        post.close()


def _clear(folder: Path) -> None:
    if folder.exists():
        if any(folder.iterdir()) and not (folder / _MARK).exists():
            says = f"{folder} exists and was not made by this command; choose another folder"
            raise StageFright(says)
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()


def _set_up(theatre: Theatre) -> Mapping[str, str]:
    """Write the settings of the stage; what the caller has set does not come in."""
    settings = theatre.folder / "machjudge.toml"
    settings.write_text(
        "# The judge of the demo.  Try: machjudge --config machjudge.toml config\n"
        'database = "sqlite:///judge.db"\n'
        f'listen = ["smtp://{HOST}:{theatre.port}"]\n'
        f'relay = "smtp://{HOST}:{theatre.post.port}"\n'
        f'address = "{ADDRESS}"\n'
        "# Nobody else can write to this judge, so no address has to be confirmed.\n"
        'confirm = "off"\n',
        "utf-8",
    )
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


@contextmanager
def _judge(theatre: Theatre, environ: Mapping[str, str]) -> Iterator[None]:
    program = [sys.executable, "-m", "machjudge", "--config"]
    config = str(theatre.folder / "machjudge.toml")
    # S603: what is run is this very program.
    subprocess.run(  # noqa: S603
        [*program, config, "migrate"], env=environ, check=True, capture_output=True
    )
    with (theatre.folder / "judge.log").open("wb") as log:
        serving = subprocess.Popen(  # noqa: S603
            [*program, config, "serve"], env=environ, stdout=log, stderr=log
        )
        try:
            _wait_until_open(theatre.port, serving)
            yield
        finally:
            serving.terminate()
            serving.wait(timeout=_PATIENCE)


def _wait_until_open(port: int, serving: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and serving.poll() is None:
        with socket.socket() as door:
            if door.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.05)
    says = "the judge did not open its door"
    raise StageFright(says)
