"""Who is speaking: persons by their addresses, seats by their letter and password.

A wrong password, a game that does not exist and a seat that nobody has get the same answer, and
take the same time.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from machjudge.language.signon import name_in, spellings
from machjudge.letters.page import one_line
from machjudge.service.desk import Desk
from machjudge.service.records import Game, Person, PersonId, Role, Seat

MASTER, OBSERVER, FORMING = "M", "O", "?"
"""The letters of a signon that stand for no power."""

LONGEST_NAME = 40
LONGEST_PASSWORD = 64
_PASSWORD = re.compile(r"[!-~]{3,64}")

NOT_OPENED = "that game, power and password do not go together"
"""The answer to every signon that fails, whatever is wrong with it."""


def clean_name(text: str) -> str:
    """A name as others see it: one line, no control characters, not too long."""
    return one_line(text)[:LONGEST_NAME].strip()


def plain_password(typed: str) -> str:
    """A new password as it is kept: without the stops and quotes that people type around it.

    Whoever types them again still gets in, as a signon is tried both ways.
    """
    return name_in(typed)


def password_flaw(password: str) -> str | None:
    """Why it cannot be a password, or nothing."""
    if _PASSWORD.fullmatch(password):
        return None
    return f"a password has 3 to {LONGEST_PASSWORD} letters, digits or signs, without spaces"


def new_person(desk: Desk, address: str, name: str, now: datetime) -> Person:
    """Somebody who is here for the first time."""
    return Person(
        id=PersonId(desk.chance.token()),
        name=clean_name(name),
        addresses=(address.lower(),),
        zone=desk.judge.zone,
        registered=now,
    )


def open_seat(
    desk: Desk, game: Game | None, letter: str, password: str, person: Person | None
) -> Seat | None:
    """The seat that letter and password open; nothing if they do not.

    Of several observers the speaker's own seat comes first.  While a game forms, its players are
    known by their addresses only.  An abandoned seat is opened by nobody's old password.
    The password is tried as it was typed, and without a stop behind it or quotes around it.
    """
    seats = list(_candidates(game, letter, person)) if game is not None else []
    for seat in seats:
        if is_right(desk, seat.password, password):
            return seat
    if not seats:
        # As long as with a seat, so that the time tells nothing.
        is_right(desk, None, password)
    return None


def is_right(desk: Desk, hashed: str | None, password: str) -> bool:
    """Whether a password is that of a hash, as it was typed or without stops and quotes."""
    return any(desk.passwords.is_right(hashed, each) for each in spellings(password))


def _candidates(game: Game, letter: str, person: Person | None) -> Iterator[Seat]:
    speaker = person.id if person is not None else None
    for seat in sorted(game.seats, key=lambda seat: (seat.person != speaker, seat.number)):
        if seat.person is not None and _answers_to(seat, letter, speaker):
            yield seat


def _answers_to(seat: Seat, letter: str, speaker: PersonId | None) -> bool:
    match seat.role:
        case Role.PLAYER if letter == FORMING:
            return seat.person == speaker
        case Role.PLAYER:
            return letter in seat.powers
        case Role.MASTER:
            return letter == MASTER
        case Role.OBSERVER:
            return letter == OBSERVER


def with_seat(game: Game, seat: Seat) -> Game:
    """The game with a seat added, or put in the place of the one with its number."""
    others = {old.number: old for old in game.seats} | {seat.number: seat}
    return replace(game, seats=tuple(others[number] for number in sorted(others)))


def next_number(game: Game) -> int:
    """The number for a new seat."""
    return max((seat.number for seat in game.seats), default=0) + 1
