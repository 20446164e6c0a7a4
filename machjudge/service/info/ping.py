"""``ping``: what of a mail arrived, and what became of the messages to its writer."""

from datetime import timedelta

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.reply import Text
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import zone_of
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session

_MOST = 10
"""Of how many messages, and of how many mails not heard, the answer tells the fate."""

_SINCE = timedelta(days=30)


def ping(session: Session, _: Line, __: PlainCommand) -> None:
    """Tell what arrived, and the messages lately sent to where this answer goes, nowhere else."""
    mail, since = session.mail, session.now - _SINCE
    facts = {
        "mail": mail,
        "is_reply_to_used": session.answer_to == (mail.reply_to or "").lower(),
        "received": session.received,
        "now": session.now,
        "is_late": session.now - session.received >= timedelta(minutes=1),
        "zone": zone_of(session.services, session.person),
        "person": session.person,
        "opened": session.game is not None and session.seat is not None,
        "unheard": session.uow.inbox.unheard(session.address, since, _MOST),
        "posted": session.uow.outbox.lately(session.answer_to, since, _MOST),
    }
    session.answer.texts.append(Text("PING", session.paper.lines("ping", facts)))


PING = CommandEntry(
    "ping",
    ASKING,
    ANYBODY,
    Act.READ,
    ping,
    is_dry=True,
)
