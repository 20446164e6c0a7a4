"""`machjudge serve`, `worker` or `tick` by a clock that a test sets: the program of a process.

    python clockwork.py serve CLOCK

Settings come from the variables, as for the real program.  CLOCK is a file with an instant in ISO
8601: that is when the file was written, and time goes on from there as usual.
"""

import os
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from time import time

from machjudge.app import build, log_to_stderr, serve, serve_all, tick, work_on, worker_process
from machjudge.settings import load


class Clock:
    """What time it is for everybody who reads the same file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def set(self, instant: datetime) -> None:
        """Put the clock on another instant, for all who read it at once."""
        new = self.file.with_suffix(".new")
        new.write_text(instant.isoformat(), "ascii")
        new.rename(self.file)

    def __call__(self) -> datetime:
        """This instant, in UTC."""
        with self.file.open(encoding="ascii") as written:
            began = os.fstat(written.fileno()).st_mtime
            return datetime.fromisoformat(written.read()) + timedelta(seconds=time() - began)


def main(command: str, file: str, worker: Sequence[str] = ()) -> None:
    """Run one command of the judge by the clock in a file.

    *worker* is the command by which `serve` starts its worker, if not this program.
    """
    settings = load(os.environ)
    clock = Clock(Path(file))
    log_to_stderr(settings.log_level)
    match command:
        case "serve":
            itself = (sys.executable, __file__, "worker-of-serve", file)
            serve(settings, clock=clock, worker=worker or itself)
        case "serve-all":
            serve_all(settings, clock=clock)
        case "worker-of-serve":
            sys.exit(worker_process.main(clock))
        case "worker":
            work_on(settings, clock=clock)
        case "tick":
            application = build(settings, clock=clock)
            try:
                tick(application)
            finally:
                application.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
