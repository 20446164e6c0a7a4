"""``ping``: what of a mail arrived, and what became of the letters to its writer."""

from collections.abc import Iterator
from datetime import timedelta, tzinfo

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.page import one_line
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.times import span, when
from machjudge.letters.wording.words import counted, listed
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import zone_of
from machjudge.service.ports.deliveries import Fate, Posted
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session

_MOST = 10
"""Of how many letters the answer tells the fate."""

_SINCE = timedelta(days=30)
_LONGEST_SUBJECT = 60


def ping(session: Session, _: Line, __: PlainCommand) -> None:
    """Tell what arrived, and the letters lately sent to where this answer goes, nowhere else."""
    lines = (*_arrived(session), *_checks(session), *_unheard(session), "", *_letters(session))
    session.answer.texts.append(Text("PING", lines))


PING = CommandEntry(
    "ping",
    ASKING,
    ANYBODY,
    Act.READ,
    ping,
    is_dry=True,
)


def _arrived(session: Session) -> Iterator[str]:
    mail, zone = session.mail, zone_of(session.services, session.person)
    yield f"From: {mail.sender or 'nobody'}"
    if mail.reply_to:
        is_used = session.answer_to == mail.reply_to.lower()
        yield f"Reply-To: {mail.reply_to}"
        yield from () if is_used else ("  not used: it is no address of yours here",)
    yield "Received:"
    yield f"  {when(session.received, zone)}"
    if session.now - session.received >= timedelta(minutes=1):
        yield f"  read {span(session.now - session.received)} later"
    yield f"{counted(len(mail.lines), 'line')} read, {counted(len(mail.defects), 'defect')}."
    if mail.attachments:
        yield f"Not read: {one_line(listed(mail.attachments))}"


def _checks(session: Session) -> Iterator[str]:
    """What is known of the writer: an address is no proof, a password is."""
    person = session.person
    known = f"registered as {person.name}" if person is not None else "not registered"
    yield f"This address is {known}."
    opened = session.game is not None and session.seat is not None
    yield f"A signon opened a seat: {'yes' if opened else 'no'}."


def _unheard(session: Session) -> Iterator[str]:
    """Earlier mails from the same address that were taken for automatic ones."""
    found = session.uow.inbox.unheard(session.address, session.now - _SINCE, _MOST)
    if not found:
        return
    zone = zone_of(session.services, session.person)
    yield "Earlier mails from here that were taken for automatic mail:"
    for each in found:
        yield f"  {when(each.received, zone)}"
        told = "no signon in it opened a seat" if each.held else "it was not read"
        yield f"    {each.why or 'nobody could be answered'}; {told}"


def _letters(session: Session) -> Iterator[str]:
    address = session.answer_to
    posted = session.uow.outbox.lately(address, session.now - _SINCE, _MOST)
    if not posted:
        yield "No message went to this address in the last 30 days."
        return
    yield "The latest messages to this address:"
    zone = zone_of(session.services, session.person)
    for each in posted:
        yield f"  {each.subject[:_LONGEST_SUBJECT]}"
        yield f"    {_fate(each, zone)}"


def _fate(letter: Posted, zone: tzinfo) -> str:
    match letter.fate:
        case Fate.WAITING:
            tried = f", tried {counted(letter.tries, 'time')}" if letter.tries else ""
            return f"waits since {when(letter.made, zone)}{tried}"
        case Fate.SENT:
            return f"handed on {when(letter.ended or letter.made, zone)}"
        case Fate.FAILED:
            return "could not be sent; ask the judge keeper"
