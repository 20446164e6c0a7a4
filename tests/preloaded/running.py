"""What a forked process does: it becomes the program that a fresh process would be."""

import functools
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

from machjudge import app
from machjudge.app import serve, worker_process
from machjudge.cli import main
from tests.journeys import clockwork

WORKER = "worker-of-serve"
"""The command of the process that `serve` starts."""


def run(
    child: Sequence[str], arguments: Sequence[str], environment: Mapping[str, str], folder: str
) -> None:
    """Run ``machjudge`` with these arguments; never returns.

    ``clock FILE serve`` is that command by the clock in a file.  *child* is a command that stands
    for a fork: what `serve` starts becomes one too.
    """
    code: object = 1
    try:
        _surround(environment, folder)
        code = _called(tuple(child), list(arguments))
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        _end(code)


def _called(child: tuple[str, ...], arguments: list[str]) -> object:
    sys.argv = ["machjudge", *arguments]
    match arguments:
        case ["clock", file, command]:
            clockwork.main(command, file, (*child, "clock", file, WORKER))
            return 0
        case [command] if command == WORKER:
            return worker_process.main()
    app.serve = functools.partial(serve, worker=(*child, WORKER))
    main(args=arguments, prog_name="machjudge")
    return 0


def _surround(environment: Mapping[str, str], folder: str) -> None:
    os.environ.clear()
    os.environ.update(environment)
    if Path.cwd() != Path(folder):
        os.chdir(folder)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115


def _end(code: object) -> None:
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else 0)
