"""Stands for a process that the parent forked: same files, same end.

    python child.py SOCKET ARGUMENT...

It imports nothing of the judge.  A signal goes on to the forked process, whose end is its own.
"""

import os
import pickle
import signal
import socket
import sys
from types import FrameType


def main(path: str, *arguments: str) -> int:
    """Have the parent run these arguments; the exit code."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        said = pickle.dumps((arguments, dict(os.environ), os.getcwd()))  # noqa: PTH109
        socket.send_fds(connection, [said], [0, 1, 2])
        with connection.makefile() as told:
            child = int(told.readline())

            def pass_on(number: int, _frame: FrameType | None) -> None:
                os.kill(child, number)

            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, pass_on)
            code = int(told.readline())
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
