"""With which lines a reader of press answers its writer, and everybody who got it."""

from dataclasses import dataclass

from machjudge.language.commands.audience import Reader
from machjudge.language.commands.audience import ReaderRole as Side
from machjudge.letters.page.press import EVERYBODY, Aim
from machjudge.service.identity.tokens import letter_of
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.press.permission import WantedPress, is_ruled_out
from machjudge.service.session.audience import Meant, letters_of

_TO_ALL = Meant(EVERYBODY, all_but=True)


@dataclass(frozen=True, slots=True)
class Reply:
    """The lines; empty where the game allows no such answer, or it is not known to whom."""

    signon: str
    """The reader's letter joined to the game."""
    to_writer: str = ""
    to_all: str = ""
    """Who got the press, by what it says; empty where that is its writer alone."""


def reply_to(game: Game, reader: Seat, writer: Seat | None, got: Meant | None) -> Reply:
    """How *reader* answers press.

    :param writer: its writer, as far as the reader may know.
    :param got: to whom it says that it went; None if it does not say.
    """
    signon = f"{letter_of(reader)}{game.name}"
    to_writer = _to_writer(game, reader, writer) if writer is not None else ""
    to_all = _to_all(game, reader, writer, got) if got is not None else ""
    return Reply(signon, to_writer, to_all if to_all != to_writer else "")


def _to_writer(game: Game, reader: Seat, writer: Seat) -> str:
    """To the writer alone; to all where the game has no press to some."""
    named = _names(writer)
    if named and _may(game, reader, Meant(Aim(""), named)):
        return f"PRESS TO {_letters(named)}"
    return "BROADCAST" if _may(game, reader, _TO_ALL) else ""


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
