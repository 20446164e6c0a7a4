"""How a command ends that could not do what it was asked: one sentence, and an exit code.

| code | |
|---|---|
| 0 | done |
| 1 | done, and something that was looked at is wrong: a game, a file, a line |
| 2 | not done: the arguments, the settings, a file or the database cannot be used |
| 3 | not done: a fault of machjudge itself |
| 130 | interrupted by Ctrl-C |
"""

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import click
from click.exceptions import Exit, NoArgsIsHelpError

from machjudge.adjudicator.names import MachjudgeError

WRONG = 1
"""Something that was looked at is wrong."""
INTERRUPTED = 130
"""128 + SIGINT, as shells count."""


class CommandFault(click.ClickException):
    """Why a command did nothing: a sentence, or several where several things are wrong."""

    exit_code = 2

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences

    def show(self, file: IO[Any] | None = None) -> None:
        """Print a line for each sentence, on stderr unless *file* is given."""
        for sentence in self.sentences:
            text = " ".join(sentence.split())
            line = "".join(char if char.isprintable() else "?" for char in text)
            click.echo(f"machjudge: {line}", file=file, err=file is None)


class OwnFault(CommandFault):
    """An exception that nobody has foreseen."""

    exit_code = 3


@contextmanager
def faults_told() -> Iterator[None]:
    """Turn what ends a command into a `CommandFault`, or into the exit code that it asks for."""
    try:
        with _written_to_the_end():
            yield
    except (CommandFault, Exit, NoArgsIsHelpError):
        raise
    except (KeyboardInterrupt, click.Abort):
        # A question ends with Abort, at Ctrl-C and where nobody answers.
        raise Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # As in `machjudge … | head -1`: the reader has enough.
        raise Exit(0) from None
    except Exception as error:
        fault = _fault_of(error)
        if isinstance(fault, OwnFault) and sys.flags.dev_mode:
            raise
        raise fault from error


def say(lines: Iterable[str]) -> None:
    """Print lines; if the reader has enough of them, the command goes on to its exit code."""
    try:
        for line in lines:
            click.echo(line)
    except BrokenPipeError:
        _drop_output()


def open_streams() -> None:
    """Make the standard streams usable that the caller has closed."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        # Not for writing: an answer that cannot be given is an error.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if hasattr(sys.stdout, "reconfigure"):
        # A terminal that is not UTF-8 gets what it cannot show as \xe9.
        sys.stdout.reconfigure(errors="backslashreplace")


@contextmanager
def _written_to_the_end() -> Iterator[None]:
    """Write out what was printed while errors can still be told."""
    try:
        yield
        sys.stdout.flush()
    except Exit:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _drop_output()
        raise
    except OSError:
        _drop_output()
        raise


def _drop_output() -> None:
    """Send what is printed from now on, and what waits to be printed, nowhere."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _fault_of(error: Exception) -> CommandFault:
    match error:
        case click.UsageError():
            return CommandFault(_misused(error))
        case click.ClickException():
            return CommandFault(error.format_message())
        case MachjudgeError():
            return CommandFault(*map(str, getattr(error, "faults", (error,))))
        case OSError():
            what = error.filename or "the answer cannot be written"
            return CommandFault(f"{what}: {error.strerror or error}")
        case _:
            return OwnFault(f"a fault of machjudge itself, please report it: {_place_of(error)}")


def _misused(error: click.UsageError) -> str:
    says = error.format_message()
    stop = "" if says.endswith((".", "?")) else "."
    return f"{says}{stop} See {error.ctx.command_path} --help." if error.ctx else says


def _place_of(error: Exception) -> str:
    """The kind of an exception and the line that raised it; not what it says."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {os.path.basename(frame.filename)}:{frame.lineno}"  # noqa: PTH119
