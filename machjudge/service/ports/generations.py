"""How long the reply tokens of a seat live: as long as its owner and its password stay the same.

Each seat counts its generations; a token opens the seat of its own generation only.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from machjudge.service.credentials.reply_tokens import PressToken, SeatToken, Speaks
from machjudge.service.model.records import Game, PersonId, Role, Seat
from machjudge.service.ports.mails import Outgoing


def raised(old: Game | None, new: Game, stay: Collection[int] = ()) -> Game:
    """The game *new* with the tokens ended of each seat whose owner or password has changed.

    A player whose seat was opened in their absence, and who may come back, still counts as its
    owner.

    :param old: the game as it was read; None for a new one.
    :param stay: the numbers of seats whose tokens go on.
    """
    before = {seat.number: seat for seat in old.seats} if old is not None else {}
    seats = tuple(
        replace(seat, generation=was.generation + 1)
        if (was := before.get(seat.number)) is not None
        and seat.number not in stay
        and _is_changed(was, seat)
        else seat
        for seat in new.seats
    )
    return new if seats == new.seats else replace(new, seats=seats)


def _is_changed(was: Seat, seat: Seat) -> bool:
    is_same = (_owner(was), was.password) == (_owner(seat), seat.password)
    return not is_same and seat.generation == was.generation


def _owner(seat: Seat) -> PersonId | None:
    return seat.person or seat.former


def with_token(letter: Outgoing, game: Game | None) -> Outgoing:
    """The letter with the token of the seat to whose address it goes, in today's generation.

    Where several seats have the address, a player's comes first.  Letters to other addresses, and
    those that carry a token of another kind, stay as they are.
    """
    if game is None or letter.game != game.id or not letter.takes_token:
        return letter
    match letter.reply:
        case SeatToken(seat=number):
            seat = next((each for each in game.seats if each.number == number), None)
        case None:
            seat = _seat_at(game.seats, letter.to)
        case _:
            return letter
    if seat is None:
        return replace(letter, reply=None)
    watches = seat.role is Role.OBSERVER and seat.address == letter.to
    return replace(
        letter,
        reply=_in_generation(letter.reply, token_of(game, seat, letter.phase)),
        observer=seat.number if watches else None,
    )


def _in_generation(wanted: Speaks | None, token: SeatToken | None) -> Speaks | None:
    """The token of the seat; one for press keeps what it says of its writer."""
    if isinstance(wanted, PressToken) and token is not None:
        return replace(wanted, generation=token.generation, phase=token.phase)
    return token


def token_of(game: Game, seat: Seat, phase: str) -> SeatToken | None:
    """What an answer to a message for the seat speaks for; None where nobody holds the seat."""
    if _owner(seat) is None:
        return None
    return SeatToken(game.id, seat.number, seat.generation, phase)


def _seat_at(seats: Iterable[Seat], address: str) -> Seat | None:
    there = [seat for seat in seats if seat.address == address and _owner(seat) is not None]
    return min(there, key=lambda seat: (seat.role is not Role.PLAYER, seat.number), default=None)
