"""A process that has the judge imported, and forks: what it forks begins at once.

    python parent.py SOCKET

Importing the program costs a process more than most tests do.  For each connection to SOCKET that
hands over three files and says what to run, a child is forked, with these as its standard input,
output and errors.  The parent answers with its number, and with its status when it has ended.  A
connection that is closed kills its child; the end of the parent's own input ends all.
"""

import gc
import os
import pickle
import selectors
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from tests.preloaded import grammars  # noqa: F401 - what is imported here is there at once
from tests.preloaded.running import run

MAX_BYTES = 1 << 20
"""How long what is said at the beginning of a connection may be."""
FILES = 3
CHILD = str(Path(__file__).parent / "child.py")


@dataclass
class Parent:
    """The children that run, each with its connection."""

    listener: socket.socket
    child: tuple[str, ...]
    """A command that stands for a fork."""
    looks: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    children: dict[int, socket.socket] = field(default_factory=dict)

    def serve(self) -> None:
        """Fork until the standard input ends."""
        wakeup, ring = os.pipe()
        os.set_blocking(ring, False)
        signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _nothing)
        self._look_at(wakeup, lambda: self._bury(wakeup))
        self._look_at(sys.stdin.fileno(), self._end)
        self._look_at(self.listener.fileno(), self._fork)
        while True:
            for key, _ in self.looks.select():
                if key.fd in self.looks.get_map():
                    key.data()

    def _look_at(self, number: int, then: Callable[[], None]) -> None:
        self.looks.register(number, selectors.EVENT_READ, then)

    def _end(self) -> None:
        for child in self.children:
            os.kill(child, signal.SIGKILL)
        os._exit(0)

    def _fork(self) -> None:
        connection, _ = self.listener.accept()
        said, files, _, _ = socket.recv_fds(connection, MAX_BYTES, FILES)
        if len(files) < FILES:  # anyone who called is gone
            connection.close()
            return
        child = os.fork()
        if not child:
            self._become(connection, files, said)
        for number in files:
            os.close(number)
        self.children[child] = connection
        connection.sendall(b"%d\n" % child)
        self._look_at(connection.fileno(), lambda: self._hung_up(child))

    def _hung_up(self, child: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        self.looks.unregister(self.children[child].fileno())

    def _bury(self, wakeup: int) -> None:
        os.read(wakeup, 4096)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._tell(*ended)

    def _tell(self, child: int, status: int) -> None:
        connection = self.children.pop(child)
        if connection.fileno() in self.looks.get_map():
            self.looks.unregister(connection.fileno())
        with suppress(OSError):
            connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
        connection.close()

    def _become(self, connection: socket.socket, files: list[int], said: bytes) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.looks.close()
        for each in (self.listener, connection, *self.children.values()):
            each.close()
        for number, given in enumerate(files):
            os.dup2(given, number)
            os.close(given)
        arguments, environment, folder = pickle.loads(said)  # noqa: S301 - our own tests wrote it
        run(self.child, arguments, environment, folder)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """A signal that only wakes."""


def main(path: str) -> None:
    """Listen there, and fork."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        gc.freeze()
        Parent(listener, (sys.executable, "-S", "-E", CHILD, path)).serve()


if __name__ == "__main__":
    main(sys.argv[1])
