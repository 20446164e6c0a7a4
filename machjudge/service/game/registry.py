"""Who is speaking: persons by their addresses, seats by their letter and password.

A wrong password, a game that does not exist and a seat that nobody has get the same answer, and
take the same time.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime

from machjudge.language.commands.signon import name_in, spellings
from machjudge.letters.layout.lines import one_line
from machjudge.sentence import Sentence
from machjudge.service.model.records import AddressStanding, Game, Person, PersonId, Role, Seat
from machjudge.service.ports.services import Services

MASTER, OBSERVER, FORMING = "M", "O", "?"
"""The letters of a signon that stand for no power."""

LONGEST_NAME = 40
LONGEST_PASSWORD = 64
_PASSWORD = re.compile(r"[!-~]{3,64}")

MOST_SEATS_TRIED = 5
"""How many seats of observers a password is compared with."""

NOT_OPENED = Sentence("game.not_opened")
"""The answer to every signon that fails, whatever is wrong with it."""


def clean_name(text: str) -> str:
    """A name as others see it: one line, no control characters, not too long."""
    return one_line(text)[:LONGEST_NAME].strip()


def plain_password(typed: str) -> str:
    """A new password as it is kept: without the stops and quotes that people type around it.

    Whoever types them again still gets in, as a signon is tried both ways.
    """
    return name_in(typed)


def password_flaw(password: str) -> Sentence | None:
    """Why it cannot be a password, or nothing."""
    if _PASSWORD.fullmatch(password):
        return None
    return Sentence("game.password", most=LONGEST_PASSWORD)


def new_person(services: Services, address: str, name: str, now: datetime) -> Person:
    """Somebody who is here for the first time; their address is only claimed, where that counts."""
    return Person(
        id=PersonId(services.chance.token()),
        name=clean_name(name),
        addresses=(address.lower(),),
        zone=services.judge.zone,
        registered=now,
        standing=AddressStanding.CLAIMED if services.judge.confirm else AddressStanding.CONFIRMED,
    )


def open_seat(
    services: Services, game: Game | None, letter: str, password: str, own: Seat | None
) -> Seat | None:
    """The seat that letter and password open; None if they do not.

    *own* is the seat at which the sender's address is on file; it comes first.  While a game
    forms, its players are known by their addresses only.  An abandoned seat is opened by nobody's
    old password.  The password is tried as it was typed, and without a stop behind it or quotes
    around it.  Of many observers only the first few are tried, as each takes time.
    """
    seats = list(_candidates(game, letter, own)) if game is not None else []
    for seat in seats[:MOST_SEATS_TRIED]:
        if is_right(services, seat.password, password):
            return seat
    if not seats:
        # As long as with a seat, so that the time tells nothing.
        is_right(services, None, password)
    return None


def remembered_seat(
    services: Services, game: Game | None, letter: str, password: str, own: Seat | None
) -> Seat | None:
    """The seat that they open for sure, without a hash; None if that is not known."""
    seat = next(iter(_candidates(game, letter, own)), None) if game is not None else None
    if seat is None:
        return None
    known = (services.passwords.remembers(seat.password, each) for each in spellings(password))
    return seat if any(known) else None


def is_right(services: Services, hashed: str | None, password: str) -> bool:
    """Whether a password is that of a hash, as it was typed or without stops and quotes."""
    return any(services.passwords.is_right(hashed, each) for each in spellings(password))


def _candidates(game: Game, letter: str, own: Seat | None) -> Iterator[Seat]:
    number = own.number if own is not None else None
    for seat in sorted(game.seats, key=lambda seat: (seat.number != number, seat.number)):
        if seat.person is not None and _answers_to(seat, letter, number):
            yield seat


def _answers_to(seat: Seat, letter: str, own: int | None) -> bool:
    match seat.role:
        case Role.PLAYER if letter == FORMING:
            return seat.number == own
        case Role.PLAYER:
            return letter in seat.powers
        case Role.MASTER:
            return letter == MASTER
        case Role.OBSERVER:
            return letter == OBSERVER


def with_seat(game: Game, seat: Seat) -> Game:
    """The game with a seat added, or put in the place of the one with its number.

    A seat that waits for an answer stays with those that do.
    """
    if any(claim.number == seat.number for claim in game.claims):
        return with_claim(game, seat)
    others = {old.number: old for old in game.seats} | {seat.number: seat}
    return replace(game, seats=tuple(others[number] for number in sorted(others)))


def with_claim(game: Game, claim: Seat) -> Game:
    """The game with a seat that waits for an answer added, or put in the place of its number."""
    others = {old.number: old for old in game.claims} | {claim.number: claim}
    return replace(game, claims=tuple(others[number] for number in sorted(others)))


def without_claims(game: Game, numbers: Collection[int]) -> Game:
    """The game without some of the seats that wait for an answer."""
    return replace(game, claims=tuple(each for each in game.claims if each.number not in numbers))


def next_number(game: Game) -> int:
    """The number for a new seat."""
    return max((seat.number for seat in (*game.seats, *game.claims)), default=0) + 1
