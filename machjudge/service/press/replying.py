"""How a reader of press answers its writer, and everybody who got it."""

from dataclasses import dataclass

from machjudge.language.commands.audience import Reader
from machjudge.language.commands.audience import ReaderRole as Side
from machjudge.letters.page.press import EVERYBODY, UNNAMED, Aim
from machjudge.service.identity.tokens import letter_of
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.press.permission import WantedPress, is_ruled_out
from machjudge.service.session.audience import Meant, letters_of

_TO_ALL = Meant(EVERYBODY, all_but=True)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the game allows; lines are empty where it does not, or it is not known to whom."""

    signon: str
    """The reader's letter joined to the game."""
    by_reply: bool
    """Whether the words of a plain answer go to the writer."""
    to_writer: str = ""
    """The line above words for the writer, in a mail that answers nothing."""
    to_all: str = ""
    """The line above words for all who got it, by what it says; empty where nobody else did."""


def reply_to(game: Game, reader: Seat, writer: Seat | None, got: Meant | None) -> Reply:
    """How *reader* answers press.

    :param writer: its writer, as far as the reader may know.
    :param got: to whom it says that it went; None if it does not say.
    """
    signon = f"{letter_of(reader)}{game.name}"
    named = _names(writer) if writer is not None else ()
    alone = Meant(Aim(""), named) if named else Meant(UNNAMED)
    by_reply = _may(game, reader, alone)
    to_all = _to_all(game, reader, writer, got) if got is not None else ""
    if not (by_reply or to_all) and _may(game, reader, _TO_ALL):
        to_all = "BROADCAST"
    return Reply(
        signon, by_reply, f"PRESS TO {_letters(named)}" * (by_reply and bool(named)), to_all
    )


def _to_all(game: Game, reader: Seat, writer: Seat | None, got: Meant) -> str:
    if not _may(game, reader, got):
        return ""
    if got.aim.to_all:
        return "BROADCAST"
    if got.all_but:
        return f"PRESS TO ALL BUT {_letters(got.named)}"
    writers = _names(writer) if writer is not None else ()
    others = [each for each in got.named if each not in (*writers, *_own(game, reader))]
    return f"PRESS TO {_letters((*writers, *others))}" if others and writers else ""


def _may(game: Game, reader: Seat, to: Meant) -> bool:
    return not is_ruled_out(game.conduct.press, WantedPress(reader, to))


def _names(seat: Seat) -> tuple[Reader, ...]:
    """How press names whoever sits there; nothing before powers are dealt."""
    match seat.role:
        case Role.PLAYER:
            return seat.powers
        case Role.MASTER:
            return (Side.MASTER,)
        case Role.OBSERVER:
            return (Side.OBSERVERS,)


def _own(game: Game, seat: Seat) -> tuple[Reader, ...]:
    """The names that mean the reader and nobody else."""
    others = (each for each in game.seats if each.person not in (None, seat.person))
    is_only_one = all(each.role is not seat.role for each in others)
    return _names(seat) if seat.role is Role.PLAYER or is_only_one else ()


def _letters(named: tuple[Reader, ...]) -> str:
    return "".join(letters_of(named))
