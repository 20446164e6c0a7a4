"""Whether somebody who watches gets the press of others."""

from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.model.records import Role
from machjudge.service.session.command import (
    TALKING,
    WATCHING,
    CommandEntry,
)
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session


def set_broadcasts(session: Session, _: Line, said: Setting) -> None:
    """Get broadcasts, or not; the mails of the judge come in any case."""
    seat = session.seat
    if seat is not None:
        session.set_seat(replace(seat, wishes=replace(seat.wishes, broadcasts=said.on)))
        session.done(f"Broadcasts of others {'come' if said.on else 'do not come'} to you.")


SET_BROADCAST = CommandEntry(
    "set broadcast",
    TALKING,
    WATCHING,
    Act.PLAY,
    set_broadcasts,
    setting="broadcast press",
    also=("set nobroadcast", "set normal broadcast"),
)


def set_all_press(session: Session, line: Line, said: Setting) -> None:
    """Get silent copies of press to some, or not."""
    seat, game = session.seat, session.game
    if seat is None or game is None:
        return
    reason = _may_not_read_along(session)
    if said.on and reason:
        session.refuse(line, reason)
        return
    session.set_seat(replace(seat, wishes=replace(seat.wishes, all_press=said.on)))
    copies = "come to you from now on" if said.on else "do not come to you"
    session.done(f"Copies of press to some {copies}; nobody is told.")


SET_ALL_PRESS = CommandEntry(
    "set all press",
    TALKING,
    WATCHING,
    Act.PLAY,
    set_all_press,
    setting="all press",
    also=("set normal press", "set noall press"),
)


def _may_not_read_along(session: Session) -> str:
    seat, game = session.seat, session.game
    if seat is None or game is None:
        return "sign on first"
    if sight_of(game, [seat]).reads_along(watched=game.conduct.press.watched):
        return ""
    if seat.role is Role.OBSERVER and not game.conduct.press.watched:
        return "observers do not read along in this game"
    return "players cannot read press of others"
