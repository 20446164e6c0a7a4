"""The worker process of `serve`: ``python -m machjudge.app.worker_process``.

Its standard input is a pipe from `serve`: first the settings, then a byte for each call. When the
pipe ends, so does the process.
"""

import pickle
import sys

from structlog import get_logger

from machjudge.adjudicator.names import MachjudgeError
from machjudge.app.machine import Clock, now
from machjudge.app.working import keep_memory_small, log_to_stderr, work_on
from machjudge.settings import Settings

log = get_logger(__name__)


def main(clock: Clock = now) -> int:
    """Work until the pipe ends or a signal comes; return 0, or 2 for an unusable database."""
    pipe = sys.stdin.buffer
    try:
        settings: Settings = pickle.load(pipe)  # noqa: S301 - `serve` alone writes into it
    except EOFError:  # it ended before it could say anything
        return 0
    log_to_stderr(settings.log_level)
    keep_memory_small(at_once=False)
    try:
        work_on(settings, clock=clock, calls=pipe)
    except MachjudgeError as fault:
        log.error("worker cannot work", why=str(fault))  # noqa: TRY400 - its place says nothing
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
