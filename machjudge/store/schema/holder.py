"""Who holds a claim: a process by a name that tells whether it still lives.

A claim ends by itself after a while.  Where its holder is known to be gone, because this very
machine has no such process any more, nobody need wait for that.
"""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")
_SIGN = "|"
# Among what follows the name of the program: proc_pid_stat(5), fields 3 and 22.
_STATE_FIELD = 0
_START_FIELD = 19
_DEAD = {"Z", "X"}


@dataclass(frozen=True, slots=True)
class Holder:
    """A process: where it runs, its number there, and when it began (empty where not known)."""

    host: str
    pid: int
    began: str

    def __str__(self) -> str:
        return _SIGN.join((self.host, str(self.pid), self.began))


def myself() -> Holder:
    """This process."""
    return Holder(_host(), os.getpid(), _began(os.getpid()) or "")


def is_gone(name: str) -> bool:
    """Whether the process of that name (``str`` of a holder) surely lives no more."""
    host, _, rest = name.partition(_SIGN)
    pid, _, began = rest.partition(_SIGN)
    if host != _host() or not pid.isdecimal():
        return False
    return not _lives(int(pid)) or (began != "" and _began(int(pid)) != began)


def _host() -> str:
    """The machine since it was started, and the part of it whose process numbers are ours."""
    parts = [socket.gethostname(), "", ""]
    with suppress(OSError):
        parts[1] = _BOOT.read_text(encoding="ascii").strip()
        parts[2] = str(_PROCESSES.readlink())
    return " ".join(parts)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's process: it lives
        return True
    return True


def _began(pid: int) -> str | None:
    """When the process began, in ticks since the machine was started; None if not known.

    None too for one that is dead and only waits for its parent to notice.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[_STATE_FIELD] in _DEAD else fields[_START_FIELD]
