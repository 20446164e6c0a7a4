"""``machjudge keeper``: mails set aside, messages given up, games, people, and bans.

A mail is named by its number, a message by its number with an L before it.  Nothing that is
printed here shows a password.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TextIO

import click

from machjudge.app import Application
from machjudge.cli import CommandFault, with_settings
from machjudge.cli.games import GameType, existing_application, no_such_game
from machjudge.db.mail_queues import KeeperQueues, Queues
from machjudge.judge.mail_context import kept_text
from machjudge.judge.mails import KeptMail, OutboxId, Outgoing, QueuedMessage
from machjudge.judge.outgoing import plain_page
from machjudge.judge.ports import Services
from machjudge.judge.records import GameId, MailId, Role
from machjudge.judge.worker import FROM_MACHINE
from machjudge.judge.worker import WHY as NOT_ONE_SENDER
from machjudge.judge.worker import WHY_POSTMASTER as FOR_POSTMASTER
from machjudge.messages.layout import one_line
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
    is_outgoing: bool

    def __str__(self) -> str:
        return f"{_LETTER if self.is_outgoing else ''}{self.number}"


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
        name = QueueNumber(int(digits), is_outgoing=digits != value)
        if name.number > _LAST_NUMBER:  # and no database is asked for it
            raise _unknown(name)
        return name


class BannedType(click.ParamType[str]):
    """Reads an address, or a domain with an @ before it."""

    name = "address"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The entry in lower case; a usage error if it is neither."""
        entry = value.strip().lower()
        if not _ADDRESS_OR_DOMAIN.fullmatch(entry):
            self.fail(
                f"{value!r} is neither an address nor a domain such as @x.example", param, ctx
            )
        return entry


_ADDRESS_OR_DOMAIN = re.compile(r"[^\s@,*]*@[^\s@,*.]+(?:\.[^\s@,*.]+)+")


@click.group()
def keeper() -> None:
    """Look after mails, messages, games and people of the judge."""


@keeper.command("list")
@with_settings
def list_(settings: Settings) -> None:
    """List mails set aside, messages given up, and how much waits."""
    with _queues_of(settings) as services:
        click.echo("\n".join(_overview(services)))


@keeper.command()
@click.argument("name", metavar="ID", type=QueueNumberType())
@with_settings
def show(settings: Settings, name: QueueNumber) -> None:
    """Show a mail set aside or a message given up.

    ID is the number of a mail, such as 12, or of a message, such as L12. Passwords in a mail are
    redacted.
    """
    with _queues_of(settings) as services:
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
    with _queues_of(settings) as services:
        if every:
            faults = [each.id for each in services.mails_aside() if each.why not in _DECIDED]
            names = [QueueNumber(each, is_outgoing=False) for each in faults]
        for name in names:
            if name.is_outgoing:
                _expect(services.retry_message(OutboxId(name.number)), name)
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
    with _queues_of(settings) as services:
        if name.is_outgoing:
            _expect(services.drop_message(OutboxId(name.number)), name)
        else:
            mail = _mail(services, name)
            _expect(services.drop_mail(mail.id, kept_text(mail.raw)), name)
    click.echo(f"{name} has been dropped.")


@keeper.command()
@with_settings
def games(settings: Settings) -> None:
    """List the games that form or go on.

    With their masters and deadlines.
    """
    with existing_application(settings) as application:
        click.echo("\n".join(_games(application.services)))


@keeper.command()
@click.argument("word", required=False, default="")
@with_settings
def people(settings: Settings, word: str) -> None:
    """List the people whose addresses are confirmed.

    With WORD only those whose name or address has it.
    """
    with _queues_of(settings) as services:
        click.echo("\n".join(_people(services, word)))


@keeper.command()
@click.argument("subject")
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--to", "game", metavar="GAME", type=GameType(), help="Those at this game alone.")
@with_settings
def announce(settings: Settings, subject: str, file: TextIO, game: GameId | None) -> None:
    """Send a message to everybody, or to those at one game.

    It has SUBJECT, and the text of FILE, which may be - for standard input. Each person gets it
    once, at the first of their addresses.
    """
    text = file.read().strip()
    if not text:
        message = f"there is no text in {file.name}, so that nothing was sent"
        raise CommandFault(message)
    with existing_application(settings) as application:
        count = _announce(application, subject, text, game)
    click.echo(f"The message goes to {count} {'person' if count == 1 else 'people'}.")


@keeper.command()
@click.argument("entry", metavar="ADDRESS", type=BannedType())
@with_settings
def ban(settings: Settings, entry: str) -> None:
    """Take no mails from ADDRESS, or from a whole domain: @spam.example.

    It counts within a minute. Who writes from there reads once a day that nothing was read; seats
    and orders stay as they are, and messages still go there.
    """
    with _queues_of(settings) as services:
        is_new = services.ban(entry)
    click.echo(f"{entry} is banned{'' if is_new else ' already'}.")


@keeper.command()
@click.argument("entry", metavar="ADDRESS", type=BannedType())
@with_settings
def unban(settings: Settings, entry: str) -> None:
    """Take mails from ADDRESS, or from a domain, again."""
    with _queues_of(settings) as services:
        if not services.unban(entry):
            message = f"{entry} is not banned; machjudge keeper list shows who is"
            raise CommandFault(message)
    click.echo(f"{entry} is not banned any more.")


def _games(services: Services) -> Iterator[str]:
    with services.store.reading() as uow:
        found = sorted(uow.games.unfinished(), key=lambda game: game.created)
        masters = uow.persons.of({game.master for game in found})
        codes = uow.phases.now(found)
    yield f"Games: {len(found)}"
    for game in found:
        players = [seat for seat in game.seats if seat.role is Role.PLAYER]
        taken = sum(seat.person is not None for seat in players)
        master = masters.get(game.master)
        who = f"{master.name} <{master.addresses[0]}>" if master and master.addresses else "?"
        clock = game.clock
        due = "" if clock is None else f"due {_time(clock.deadline)}"
        state = "paused" if clock is not None and clock.paused is not None else game.status.value
        where = codes.get(game.id, "")
        seats = f"{taken} of {len(players)} seats taken" if clock else f"{taken} joined"
        said = (game.name, state, where, seats, due)
        yield _printable(f"  {'  '.join(filter(None, said))}  master: {who}")


def _people(services: KeeperQueues, word: str) -> Iterator[str]:
    wanted = word.casefold()
    found = [
        each
        for each in services.people()
        if any(wanted in text.casefold() for text in (each.name, *each.addresses))
    ]
    yield f"People: {len(found)}"
    for each in found:
        yield _printable(f"  {each.name}  {', '.join(each.addresses)}  {_time(each.registered)}")


def _announce(application: Application, subject: str, text: str, game: GameId | None) -> int:
    services = application.services
    with services.store.reading() as uow:
        found = uow.games.get(game) if game is not None else None
        if game is not None and found is None:
            raise no_such_game(game)
        seated = {seat.address for seat in found.seats if seat.person} if found else set()
    everybody = {person.addresses[0] for person in application.keepers.people()}
    readers = sorted(seated if found is not None else everybody)
    page = plain_page(services, one_line(subject), text.splitlines())
    with services.store.writing() as uow:
        for address in readers:
            uow.outbox.put(Outgoing(address, page.subject, page.body))
        uow.commit()
    return len(readers)


@contextmanager
def _queues_of(settings: Settings) -> Iterator[KeeperQueues]:
    with existing_application(settings) as application:
        yield application.keepers


def _overview(services: KeeperQueues) -> Iterator[str]:
    mails, messages, queues = (
        services.mails_aside(),
        services.messages_given_up(),
        services.queues(),
    )
    yield f"Mails set aside: {len(mails)}"
    for mail in mails:
        sender = _printable(mail.sender) or "<>"
        yield f"  {mail.id:6}  {_time(mail.received)}  {sender}  {_short(mail.why)}"
    yield f"Messages given up: {len(messages)}"
    for message in messages:
        to = _printable(message.outgoing.to)
        yield f"  {_LETTER}{message.id:<5}  {_time(message.made)}  {to}  {_short(message.why)}"
    yield from _waiting(queues)
    bans = services.bans()
    if bans:
        yield f"Banned: {len(bans)}"
    for entry, since in bans:
        yield f"  {_printable(entry)}  since {_time(since)}"
    refusal = services.refusal()
    if refusal is not None:
        until, why = refusal
        yield f"The relay refuses messages; it is asked again at {_time(until)}: {_short(why)}"


def _waiting(queues: Queues) -> Iterator[str]:
    for what, count, oldest in (
        ("Mails", queues.mails, queues.oldest_mail),
        ("Messages", queues.messages, queues.oldest_message),
    ):
        since = f", the oldest since {_time(oldest)}" if oldest else ""
        yield f"{what} waiting: {count}{since}"


def _shown(services: KeeperQueues, name: QueueNumber) -> Iterator[str]:
    if name.is_outgoing:
        yield from _about_message(_message(services, name))
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


def _about_message(message: QueuedMessage) -> Iterator[str]:
    outgoing = message.outgoing
    yield f"message:  {_LETTER}{message.id}"
    yield f"made:     {_time(message.made)}"
    yield f"to:       {_printable(outgoing.to)}"
    yield f"subject:  {_printable(outgoing.subject)}"
    yield f"tries:    {message.tries}"
    yield f"why:      {_printable(message.why)}"
    yield from (f"attached: {_printable(each.name)}" for each in outgoing.attachments)
    yield ""
    yield from _text(outgoing.body)


def _mail(services: KeeperQueues, name: QueueNumber) -> KeptMail:
    mail = services.mail_aside(MailId(name.number))
    if mail is None:
        raise _unknown(name)
    return mail


def _message(services: KeeperQueues, name: QueueNumber) -> QueuedMessage:
    message = services.message_given_up(OutboxId(name.number))
    if message is None:
        raise _unknown(name)
    return message


def _expect(found: bool, name: QueueNumber) -> None:
    if not found:
        raise _unknown(name)


def _unknown(name: QueueNumber) -> CommandFault:
    what = "message given up" if name.is_outgoing else "mail set aside"
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
