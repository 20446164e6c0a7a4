"""Processes of the judge that begin at once: forks of one that has imported everything."""

import atexit
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.patience import wait_until

ROOT = Path(__file__).parents[2]


@dataclass(slots=True)
class Fork:
    """A forked process, with what tests ask of a `subprocess.Popen`."""

    connection: socket.socket
    pid: int
    returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._asked(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, as soon as it has ended.  Raises TimeoutExpired."""
        code = self._asked(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(("machjudge",), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it on the spot."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Have it end in order."""
        self.send_signal(signal.SIGTERM)

    def _asked(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            self.connection.settimeout(seconds)
            try:
                told = self.connection.recv(64)
            except (BlockingIOError, TimeoutError):
                return None
            self.returncode = int(told) if told else -signal.SIGKILL
            self.connection.close()
        return self.returncode


def fork(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    output: int | None = None,
    errors: int | None = None,
) -> Fork:
    """Run ``machjudge`` with these arguments; what it prints goes into these files."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(_parent()))
    said = pickle.dumps((tuple(arguments), dict(environment), str(Path.cwd())))
    with Path(os.devnull).open() as nothing:
        files = [nothing.fileno(), 1 if output is None else output, 2 if errors is None else errors]
        socket.send_fds(connection, [said], files)
        pid = b""
        while not pid.endswith(b"\n"):
            pid += connection.recv(1)
    return Fork(connection, int(pid))


@cache
def _parent() -> Path:
    """The socket of this process's parent of forks, which is started at the first call."""
    folder = Path(tempfile.mkdtemp(prefix="forks"))
    path = folder / "s"
    parent = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.preloaded.parent", str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
    )

    def end() -> None:
        if parent.stdin is not None:
            parent.stdin.close()
        parent.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    wait_until(lambda: _answers(path) or parent.poll() is not None, "the parent of forks")
    return path


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0
