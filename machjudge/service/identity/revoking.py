"""Ending the reply tokens of a seat."""

from dataclasses import replace

from machjudge.language.commands.commands import PlainCommand
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.session.command import COMING, SEATED, CommandEntry
from machjudge.service.session.session import Session


def revoke_tokens(session: Session, _: Line, __: PlainCommand) -> None:
    """End all reply tokens of the seat; the answer to this mail carries a new one."""
    if session.seat is None:
        return
    session.set_seat(replace(session.seat, generation=session.seat.generation + 1))
    session.note("revoked", Sentence("identity.revoked.log", number=session.seat.number))
    session.done(Sentence("identity.revoked.done"))


REVOKE_TOKENS = CommandEntry(
    "revoke tokens",
    COMING,
    SEATED,
    Act.ENTER,
    revoke_tokens,
)
