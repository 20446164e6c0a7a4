"""Giving up a seat."""

from dataclasses import replace

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, joined
from machjudge.service.credentials.authority import Act
from machjudge.service.game.attendance import with_left
from machjudge.service.game.view import is_played
from machjudge.service.identity.provisional import withdraw
from machjudge.service.model.conduct import Quitting
from machjudge.service.model.records import Game, Role, Seat, Status
from machjudge.service.phases.quitting import leave_to_garrisons
from machjudge.service.seats.takeover import OVER, abandoned, is_out, open_seat_lines
from machjudge.service.session.command import COMING, Caller, CommandEntry
from machjudge.service.session.outgoing import announce, masters_only
from machjudge.service.session.session import Session


def resign(session: Session, line: Line, _: PlainCommand) -> None:
    """Give up a seat; a player's is open to others from now on."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    if game.status is Status.FINISHED:
        session.refuse(line, OVER)
        return
    if seat.role is Role.MASTER and seat.person == game.master:
        session.refuse(line, Sentence("seats.leave.master"))
        return
    others = tuple(each for each in game.seats if each.number != seat.number)
    if session.is_claim:
        withdraw(session, game, seat)
        return
    if seat.powers:
        _abandon(session, game, seat)
    else:
        session.set_game(replace(game, seats=others))
        session.seat_number = None
    session.note("resigned", Sentence("seats.leave.log", number=seat.number))
    session.done(Sentence("seats.leave.done", game=game.name))
    session.is_closed = session.has_resigned = True


RESIGN = CommandEntry(
    "resign",
    COMING,
    frozenset({Caller.PLAYER, Caller.OBSERVER, Caller.CO_MASTER}),
    Act.FINAL,
    resign,
    also=("withdraw",),
    is_personal=True,
)


def _abandon(session: Session, game: Game, seat: Seat) -> None:
    names = joined(", ", map(Words(session.services.world(game)).power, seat.powers))
    quits = game.status is Status.RUNNING and game.conduct.quitting is Quitting.AUTONOMOUS
    gone = leave_to_garrisons(session, seat.powers) if quits else []
    now = session.game or game
    session.set_game(with_left(now, [seat.person]))
    session.set_seat(abandoned(seat))
    told = [Sentence("seats.leave.told", powers=names), *gone]
    is_wanted = not is_out(session, game, seat)
    told += open_seat_lines(game, [seat]) if is_wanted else []
    now = session.game or game
    if not is_played(now):
        told.append(Sentence("seats.leave.nobody_plays"))
    key = "wanted" if is_wanted else "left"
    subject = Sentence(f"seats.subject.{key}", letters="".join(seat.powers))
    announce(session, now, subject, told, masters_only(game))
