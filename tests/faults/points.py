"""Points at which a process may be killed: before, inside and after each commit, answer and send.

A process counts the points that it reaches, and kills itself at the one that it was told: nothing
of it runs any more, as with a SIGKILL from outside, because that is what it sends itself.
"""

import os
import signal
import smtplib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

from imapclient import IMAPClient
from sqlalchemy.engine.default import DefaultDialect

from machjudge.mail import server
from machjudge.mail.relay import _Line
from tests.faults.layer import Act, Layer, Sync

_WRITE, _SYNC = "inside a commit, write", "inside a commit, sync"
_ASKED = "inside a commit, asked for"
"""PostgreSQL has been told to commit, and nobody hears what it says."""
_COMMITS = ("before commit", _WRITE, _SYNC, _ASKED, "after commit")
OF_KINDS = {"sqlite": (_ASKED,), "postgresql": (_WRITE, _SYNC)}
"""The points that no process comes to with a database of that kind."""
_SENDS = ("before send", "before answer of the relay", "after answer of the relay", "after send")
OF_SERVE = (*_COMMITS, "before 250", "after 250")
"""The points that a process comes to which takes mails in."""
OF_WORKERS = (*_COMMITS, *_SENDS)
"""Those of a process that handles mails and sends messages."""


@dataclass(frozen=True, slots=True)
class Point:
    """When a process dies: as it comes to points of a name for the n-th time."""

    number: int
    name: str = ""
    """Without a name, all points are counted."""


class Points:
    """The points of this process; where it dies is written into a file."""

    def __init__(self, deadly: Point | None, died: Path) -> None:
        self._deadly = deadly
        self._died = died
        self._reached = 0

    def reach(self, name: str) -> None:
        """Count a point, and die if it is the one."""
        if self._is_deadly(name):
            self._die(name)

    def _is_deadly(self, name: str) -> bool:
        """Count a point; whether it is the one to die at."""
        deadly = self._deadly
        if deadly is None or deadly.name not in ("", name):
            return False
        self._reached += 1
        return self._reached == deadly.number

    def _die(self, name: str) -> None:
        self._died.write_text(name, "ascii")
        os.kill(os.getpid(), signal.SIGKILL)

    def install(self) -> None:
        """Have every commit, answer, send and link of this process reach its points."""
        self._inside_commit()
        self._around(DefaultDialect, "do_commit", "commit")
        self._around(_Line, "offer", "send")
        self._around(smtplib.SMTP, "getreply", "answer of the relay")
        self._around(os, "link", "link of the secret")
        for name in ("select_folder", "fetch", "move", "copy", "delete_messages", "uid_expunge"):
            self._around(IMAPClient, name, f"{name} at the mailbox")
        self._around_250()
        self._layer = Layer(self._inside)

    def _inside_commit(self) -> None:
        usual = DefaultDialect.do_commit

        def commit(dialect, dbapi):
            if dialect.name == "postgresql" and self._is_deadly(_ASKED):
                dbapi.driver_connection.pgconn.send_query(b"COMMIT")
                self._die(_ASKED)
            usual(dialect, dbapi)

        DefaultDialect.do_commit = commit

    def _inside(self, act: Act) -> None:
        """A write or a sync of SQLite: each lies inside a commit."""
        self.reach(_SYNC if isinstance(act, Sync) else _WRITE)

    def _around(self, owner: object, name: str, what: str) -> None:
        usual: Callable[..., object] = getattr(owner, name)

        @wraps(usual)
        def between(*args, **kwargs):
            self.reach(f"before {what}")
            came = usual(*args, **kwargs)
            self.reach(f"after {what}")
            return came

        setattr(owner, name, between)

    def _around_250(self) -> None:
        usual = server.SmtpSession.push

        async def push(visit, status):
            is_kept = status == server.OK
            if is_kept:
                self.reach("before 250")
            await usual(visit, status)
            if is_kept:
                self.reach("after 250")

        server.SmtpSession.push = push
