"""``machjudge keeper``: mails that were set aside and messages that could not be sent.

A mail is named by its number, a message by its number with an L before it.  Nothing that is
printed here shows a password.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import click

from machjudge.cli import CommandFault, with_settings
from machjudge.cli.existing import existing_application
from machjudge.db.mail_queues import KeeperQueues, Queues
from machjudge.judge.mail_context import kept_text
from machjudge.judge.mails import KeptMail, Letter, LetterId
from machjudge.judge.records import MailId
from machjudge.judge.worker import FROM_MACHINE
from machjudge.judge.worker import WHY as NOT_ONE_SENDER
from machjudge.judge.worker import WHY_POSTMASTER as FOR_POSTMASTER
from machjudge.settings import Settings

_LETTER = "L"
_LAST_NUMBER = 2**31 - 1
_LONGEST_WHY = 100
_DECIDED = {FOR_POSTMASTER, FROM_MACHINE, NOT_ONE_SENDER}
"""Why mails are set aside that no fault has kept from being handled."""


@dataclass(frozen=True, slots=True)
class QueueNumber:
    """What the keeper means: a mail set aside or a message given up, and its number."""

    number: int
    is_letter: bool

    def __str__(self) -> str:
        return f"{_LETTER if self.is_letter else ''}{self.number}"


class QueueNumberType(click.ParamType[QueueNumber]):
    """Reads ``12`` as a mail and ``L12`` as a message."""

    name = "id"

    def convert(
        self, value: str | QueueNumber, param: click.Parameter | None, ctx: click.Context | None
    ) -> QueueNumber:
        """The name in *value*; a usage error if it is none."""
        if isinstance(value, QueueNumber):
            return value
        digits = value.removeprefix(_LETTER).removeprefix(_LETTER.lower())
        if not digits.isascii() or not digits.isdecimal():
            self.fail(f"{value!r} is neither a mail (12) nor a message (L12)", param, ctx)
        name = QueueNumber(int(digits), is_letter=digits != value)
        if name.number > _LAST_NUMBER:  # and no database is asked for it
            raise _unknown(name)
        return name


@click.group()
def keeper() -> None:
    """Decide about mails set aside and messages given up."""


@keeper.command("list")
@with_settings
def list_(settings: Settings) -> None:
    """List mails set aside, messages given up, and how much waits."""
    with _keepers_desk(settings) as services:
        click.echo("\n".join(_overview(services)))


@keeper.command()
@click.argument("name", metavar="ID", type=QueueNumberType())
@with_settings
def show(settings: Settings, name: QueueNumber) -> None:
    """Show a mail set aside or a message given up.

    ID is the number of a mail, such as 12, or of a message, such as L12. Passwords in a mail are
    redacted.
    """
    with _keepers_desk(settings) as services:
        click.echo("\n".join(_shown(services, name)))


@keeper.command()
@click.argument("names", metavar="[ID]...", nargs=-1, type=QueueNumberType())
@click.option("--all", "every", is_flag=True, help="All mails that a fault has set aside.")
@with_settings
def retry(settings: Settings, names: Sequence[QueueNumber], every: bool) -> None:
    """Handle mails or send messages once more, after a fault is mended.

    ID is the number of a mail, such as 12, or of a message, such as L12. `serve` does it, or the
    next `tick`. Orders of a phase that is over are refused, and their writer is told so.
    """
    if every == bool(names):
        message = "name what to try again, or say --all"
        raise click.UsageError(message)
    with _keepers_desk(settings) as services:
        if every:
            faults = [each.id for each in services.mails_aside() if each.why not in _DECIDED]
            names = [QueueNumber(each, is_letter=False) for each in faults]
        for name in names:
            if name.is_letter:
                _expect(services.retry_letter(LetterId(name.number)), name)
            else:
                _expect(services.retry_mail(MailId(name.number)), name)
            click.echo(f"{name} will be tried again.")
    if not names:
        click.echo("No mail is set aside by a fault.")


@keeper.command()
@click.argument("name", metavar="ID", type=QueueNumberType())
@with_settings
def drop(settings: Settings, name: QueueNumber) -> None:
    """Never handle a mail, or never send a message.

    ID is the number of a mail, such as 12, or of a message, such as L12.
    """
    with _keepers_desk(settings) as services:
        if name.is_letter:
            _expect(services.drop_letter(LetterId(name.number)), name)
        else:
            mail = _mail(services, name)
            _expect(services.drop_mail(mail.id, kept_text(mail.raw)), name)
    click.echo(f"{name} has been dropped.")


@contextmanager
def _keepers_desk(settings: Settings) -> Iterator[KeeperQueues]:
    with existing_application(settings) as application:
        yield application.keepers


def _overview(services: KeeperQueues) -> Iterator[str]:
    mails, letters, queues = services.mails_aside(), services.letters_given_up(), services.queues()
    yield f"Mails set aside: {len(mails)}"
    for mail in mails:
        sender = _printable(mail.sender) or "<>"
        yield f"  {mail.id:6}  {_time(mail.received)}  {sender}  {_short(mail.why)}"
    yield f"Messages given up: {len(letters)}"
    for letter in letters:
        to = _printable(letter.outgoing.to)
        yield f"  {_LETTER}{letter.id:<5}  {_time(letter.made)}  {to}  {_short(letter.why)}"
    yield from _waiting(queues)
    refusal = services.refusal()
    if refusal is not None:
        until, why = refusal
        yield f"The relay refuses messages; it is asked again at {_time(until)}: {_short(why)}"


def _waiting(queues: Queues) -> Iterator[str]:
    for what, count, oldest in (
        ("Mails", queues.mails, queues.oldest_mail),
        ("Messages", queues.letters, queues.oldest_letter),
    ):
        since = f", the oldest since {_time(oldest)}" if oldest else ""
        yield f"{what} waiting: {count}{since}"


def _shown(services: KeeperQueues, name: QueueNumber) -> Iterator[str]:
    if name.is_letter:
        yield from _about_letter(_letter(services, name))
    else:
        yield from _about_mail(_mail(services, name))


def _about_mail(mail: KeptMail) -> Iterator[str]:
    yield f"mail:     {mail.id}"
    yield f"received: {_time(mail.received)}"
    yield f"from:     {_printable(mail.sender) or '<>'}"
    yield f"to:       {_printable(' '.join(mail.recipients))}"
    yield f"tries:    {mail.tries}"
    yield f"why:      {_printable(mail.why)}"
    yield ""
    yield from _text(kept_text(mail.raw).decode("utf-8", "replace"))


def _about_letter(letter: Letter) -> Iterator[str]:
    outgoing = letter.outgoing
    yield f"message:  {_LETTER}{letter.id}"
    yield f"made:     {_time(letter.made)}"
    yield f"to:       {_printable(outgoing.to)}"
    yield f"subject:  {_printable(outgoing.subject)}"
    yield f"tries:    {letter.tries}"
    yield f"why:      {_printable(letter.why)}"
    yield from (f"attached: {_printable(each.name)}" for each in outgoing.attachments)
    yield ""
    yield from _text(outgoing.body)


def _mail(services: KeeperQueues, name: QueueNumber) -> KeptMail:
    mail = services.mail_aside(MailId(name.number))
    if mail is None:
        raise _unknown(name)
    return mail


def _letter(services: KeeperQueues, name: QueueNumber) -> Letter:
    letter = services.letter_given_up(LetterId(name.number))
    if letter is None:
        raise _unknown(name)
    return letter


def _expect(found: bool, name: QueueNumber) -> None:
    if not found:
        raise _unknown(name)


def _unknown(name: QueueNumber) -> CommandFault:
    what = "message given up" if name.is_letter else "mail set aside"
    return CommandFault(f"there is no {what} with the number {name}")


def _text(text: str) -> Iterator[str]:
    """The lines of a text, without anything that a terminal would obey."""
    return (_printable(line) for line in text.splitlines())


def _printable(text: str) -> str:
    return "".join(
        sign if sign.isprintable() or sign == "\t" else "\N{REPLACEMENT CHARACTER}" for sign in text
    )


def _short(text: str) -> str:
    plain = _printable(text)
    return plain if len(plain) <= _LONGEST_WHY else plain[:_LONGEST_WHY] + "..."


def _time(instant: datetime) -> str:
    return instant.strftime("%Y-%m-%d %H:%M:%S UTC")
