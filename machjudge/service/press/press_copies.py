"""Whether somebody who watches gets the press of others."""

from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
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
        session.done(Sentence("press.copies.broadcasts", on=said.on))


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
    watched = game.conduct.press.watched
    if said.on and not sight_of(game, [seat]).reads_along(watched=watched):
        is_observer = seat.role is Role.OBSERVER and not watched
        session.refuse(line, Sentence("press.copies.none", is_observer=is_observer))
        return
    session.set_seat(replace(seat, wishes=replace(seat.wishes, all_press=said.on)))
    session.done(Sentence("press.copies.of_some", on=said.on))


SET_ALL_PRESS = CommandEntry(
    "set all press",
    TALKING,
    WATCHING,
    Act.PLAY,
    set_all_press,
    setting="all press",
    also=("set normal press", "set noall press"),
)
