"""Sentences on the keeper's terminal, in English."""

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import BinaryIO

import click

from machjudge.cli import CommandFault
from machjudge.messages.render import MessageRenderer
from machjudge.settings import templates_folder
from machjudge.translatable import MessageOrText


@cache
def renderer() -> MessageRenderer:
    """Return the renderer of the bundled templates."""
    return MessageRenderer([templates_folder()])


def say(wording: MessageOrText) -> str:
    """The words of a sentence; text stays as it is.  Raises BadCatalogue, MachjudgeError."""
    return wording if isinstance(wording, str) else renderer().say(wording)


def text(name: str, facts: Mapping[str, object]) -> tuple[str, ...]:
    """The lines of the text that a template makes.  Raises BadTemplate."""
    return renderer().lines(name, facts)


output_option = click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to FILE, which must not be there yet, instead of the standard output.",
)
"""Where a command writes what it would print."""


class Readable(click.ParamType[BinaryIO]):
    """A file that is open for reading, as bytes; ``-`` is the standard input."""

    name = "file"

    def convert(
        self, value: str | BinaryIO, param: click.Parameter | None, ctx: click.Context | None
    ) -> BinaryIO:
        """The file; a Fault if it cannot be opened."""
        if not isinstance(value, str):
            return value
        if value == "-":
            return sys.stdin.buffer
        try:
            opened = Path(value).open("rb")  # noqa: SIM115  it is closed with the command
        except OSError as error:
            message = f"{value} cannot be read: {error.strerror}"
            raise CommandFault(message) from error
        if ctx is not None:
            ctx.call_on_close(opened.close)
        return opened


def write_new(file: Path, content: str | bytes, *, force: bool = False) -> None:
    """Write a file that is not there yet; with *force*, also in place of one that is.

    Nothing stays of a file that could not be written whole, and one that was there is kept.
    Raises CommandFault.
    """
    text = content if isinstance(content, bytes) else content.encode()
    try:
        if file.exists() and not file.is_file():
            _write(file, text)  # such as /dev/stdout
        elif force:
            _replace(file.resolve(), text)
        else:
            _create(file, text)
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror}"
        raise CommandFault(message) from error


def _create(file: Path, content: bytes) -> None:
    with file.open("xb") as opened:
        try:
            opened.write(content)
            opened.flush()
        except OSError:
            file.unlink(missing_ok=True)
            raise


def _replace(file: Path, content: bytes) -> None:
    half = file.with_name(f"{file.name}.{os.getpid()}")
    _create(half, content)
    half.replace(file)


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as opened:
        opened.write(content)
