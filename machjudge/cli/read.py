"""``machjudge read``: what the judge makes of a raw mail. A keeper's first tool."""

import json
from collections.abc import Iterator
from typing import BinaryIO

import click

from machjudge.cli.console import Readable, renderer, say
from machjudge.judge.mail_context import read_mail
from machjudge.mail_parser.lines import Mail, Owner
from machjudge.mail_parser.reader import texts_of


@click.command("read")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@click.option(
    "--answering",
    type=Readable(),
    metavar="MESSAGE",
    help="The message of the judge that the mail answers, as it was sent.",
)
@click.argument("file", type=Readable())
def read(file: BinaryIO, *, as_json: bool, answering: BinaryIO | None) -> None:
    """Show what the judge reads in a raw mail.

    That is its kind, the lines that are read, what is wrong with it, and whose words each row is.
    FILE is a mail as it came over the wire; - is standard input. Passwords in it are shown.
    """
    messages = [] if answering is None else texts_of(answering.read())
    mail = read_mail(file.read(), renderer=renderer(), messages=messages)
    if as_json:
        click.echo(json.dumps(as_object(mail)))
    else:
        click.echo("\n".join(as_text(mail)))


def as_object(mail: Mail) -> dict[str, object]:
    """Kind ("orders", "ignore" or "hold"), lines that are read, defects, and every row."""
    return {
        "kind": mail.kind.value,
        "lines": [line.text for line in mail.said],
        "defects": [say(defect.words) for defect in mail.defects],
        "rows": [
            {
                "number": row.number,
                "text": row.text,
                "owner": row.owner.value,
                "kind": row.kind.value if row.kind is not None else None,
                "changed": row.is_changed,
            }
            for row in mail.rows
        ],
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
    said = {(row.number, row.text) for row in mail.said}
    for row in mail.rows:
        whose = row.owner.value if row.owner is not Owner.WRITER else ""
        kind = row.kind.value if row.kind is not None else ""
        is_read = (row.number, row.text) in said
        note = "" if is_read else f"   ({', '.join(filter(None, (whose, kind)))}: not read)"
        yield f"{row.number:5}  {row.text}{note}"
