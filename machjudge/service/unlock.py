"""The lock of a seat: what opens it, and how often one may try.

Wrong passwords are counted for the seat and for the sender; whoever writes from an address on
file of the seat is counted for that address alone, so that strangers cannot lock them out.  A token
works whatever has been tried, and whatever opens a seat ends the wait of its owner.
"""

from dataclasses import replace
from datetime import datetime

import structlog

from machjudge.language.signon import spellings
from machjudge.letters.times import when
from machjudge.service import registry
from machjudge.service.keys import Purpose, Token, Tries, hash_of, one_more
from machjudge.service.records import Game, Role, Seat
from machjudge.service.situation import zone_of
from machjudge.service.talk import Talk

log = structlog.get_logger(__name__)


def unlock(talk: Talk, game: Game | None, letter: str, password: str) -> Seat | None:
    """The seat that a password or a token opens; a wrong one is counted, and logged without it."""
    seat = by_token(talk, game, letter, password)
    if seat is not None:
        return seat
    keys = _keys(talk, game, letter)
    if _blocked_until(talk, keys) is not None:
        return None
    seat = registry.open_seat(talk.desk, game, letter, password, talk.person)
    if seat is None:
        _count(talk, game, keys)
    elif game is not None:
        _forget(talk, game, seat)
    return seat


def why_not(talk: Talk, game: Game | None, letter: str) -> str:
    """Why a signon opens nothing: that it is wrong, or until when nothing is tried any more."""
    until = _blocked_until(talk, _keys(talk, game, letter))
    if until is None:
        return registry.NOT_OPENED
    again = when(until, zone_of(talk.desk, talk.person))
    return (
        f"too many passwords were wrong; the next one is tried from {again}, "
        "or send SEND TOKEN with the name of your game"
    )


# --- tries -----------------------------------------------------------------------------------


def _keys(talk: Talk, game: Game | None, letter: str) -> tuple[str, ...]:
    """For whom tries are counted: the sender, and the seat unless he writes from its address."""
    sender = f"from {talk.address}"
    if game is None or _is_on_file(talk, game, letter):
        return (sender,)
    return (sender, f"seat {game.id}/{letter}")


def _is_on_file(talk: Talk, game: Game, letter: str) -> bool:
    person = talk.person
    return any(
        seat.address == talk.address or (person is not None and seat.person == person.id)
        for seat in game.seats
        if seat.person is not None and is_called(seat, letter)
    )


def is_called(seat: Seat, letter: str) -> bool:
    """Whether a signon with that letter means the seat."""
    match seat.role:
        case Role.PLAYER:
            return letter in seat.powers or letter == registry.FORMING
        case Role.MASTER:
            return letter == registry.MASTER
        case Role.OBSERVER:
            return letter == registry.OBSERVER


def _tries(talk: Talk, key: str) -> Tries | None:
    """As this mail leaves them."""
    return talk.changes.tries[key] if key in talk.changes.tries else talk.uow.keys.tries(key)


def _blocked_until(talk: Talk, keys: tuple[str, ...]) -> datetime | None:
    found = (tries.blocked_until(talk.now) for key in keys if (tries := _tries(talk, key)))
    return max((until for until in found if until is not None), default=None)


def _count(talk: Talk, game: Game | None, keys: tuple[str, ...]) -> None:
    for key in keys:
        talk.changes.tries[key] = one_more(_tries(talk, key), key, talk.now)
    most = max(tries.count for key in keys if (tries := talk.changes.tries[key]) is not None)
    log.warning(
        "signon.refused", mail=talk.mail_id, game=game.id if game is not None else None, tries=most
    )


def _forget(talk: Talk, game: Game, seat: Seat) -> None:
    """Whoever is right is trusted again: at the seat, and at all addresses of its owner.

    An address of somebody else, from which it was opened, has its own wrong passwords still.
    """
    owner = talk.uow.persons.get(seat.person) if seat.person is not None else None
    addresses = (seat.address, *(owner.addresses if owner is not None else ()))
    keys = [*(f"from {each}" for each in addresses), *_keys_of(game, seat)]
    for key in keys:
        if _tries(talk, key) is not None:
            talk.changes.tries[key] = None


def _keys_of(game: Game, seat: Seat) -> list[str]:
    """For the letters of a seat."""
    letters = {
        Role.PLAYER: (*seat.powers, registry.FORMING),
        Role.MASTER: (registry.MASTER,),
        Role.OBSERVER: (registry.OBSERVER,),
    }
    return [f"seat {game.id}/{letter}" for letter in letters[seat.role]]


# --- tokens ----------------------------------------------------------------------------------


def by_token(talk: Talk, game: Game | None, letter: str, text: str) -> Seat | None:
    """The seat that a token opens, from any address and however often one was wrong."""
    found = (talk.uow.keys.token(hash_of(each)) for each in spellings(text))
    token = next((each for each in found if each is not None), None)
    if game is None or token is None or not _is_good(talk, token) or token.game != game.id:
        return None
    for seat in game.seats:
        if (seat.number, seat.person) == (token.seat, token.person) and is_called(seat, letter):
            return _opened(talk, seat, token, game)
    return None


def _is_good(talk: Talk, token: Token) -> bool:
    is_used = token.hashed in talk.changes.used
    return token.purpose is not Purpose.LINK and not is_used and talk.received < token.until


def _opened(talk: Talk, seat: Seat, token: Token, game: Game) -> Seat:
    talk.changes.used.add(token.hashed)
    _forget(talk, game, seat)
    talk.done("Your token has opened the seat; it cannot be used again.")
    talk.done("Without a new password in the same mail,")
    talk.done(f"SEND TOKEN {game.name} gets you another one.")
    if token.purpose is not Purpose.UNDO or seat.address == token.address:
        return seat
    talk.done(f"Mails of this game go to {token.address} again.")
    return replace(seat, address=token.address)
