"""``machjudge read``: what the judge makes of a raw mail. A keeper's first tool."""

import json
from collections.abc import Iterator
from typing import BinaryIO

import click

from machjudge.cli.files import Readable
from machjudge.cli.said import say
from machjudge.reading import Mail, Where
from machjudge.service.session.incoming import read_mail


@click.command("read")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@click.argument("file", type=Readable())
def read(file: BinaryIO, *, as_json: bool) -> None:
    """Show what the judge reads in a raw mail.

    That is its kind, the lines that reach the grammar, and what is wrong with it. FILE is a mail
    as it came over the wire; - is standard input. Passwords in it are shown.
    """
    mail = read_mail(file.read())
    if as_json:
        click.echo(json.dumps(as_object(mail)))
    else:
        click.echo("\n".join(as_text(mail)))


def as_object(mail: Mail) -> dict[str, object]:
    """Kind ("orders", "ignore" or "hold"), lines and defects, each a list of texts."""
    return {
        "kind": mail.kind.value,
        "lines": [line.text for line in mail.lines],
        "defects": [say(defect.words) for defect in mail.defects],
    }


def as_text(mail: Mail) -> Iterator[str]:
    """The same for people, with the number of each line in the body, sender and subject."""
    yield f"from:    {mail.sender or '-'}"
    if mail.reply_to:
        yield f"answer:  {mail.reply_to}"
    yield f"subject: {mail.subject or '-'}"
    why = f" ({mail.why_ignored.value})" if mail.why_ignored else ""
    yield f"kind:    {mail.kind.value}{why}"
    yield from (f"defect:  {say(defect.words)}" for defect in mail.defects)
    if mail.file is not None:
        yield f"file:    {mail.file.name}, as lines {mail.file.first} to {mail.file.last}"
    for aside in mail.asides:
        if aside.where is not Where.QUOTE:
            yield f"aside:   line {aside.number}: {aside.text} ({say(aside.where.words)})"
    yield from (f"{line.number:5}  {line.text}" for line in mail.lines)
