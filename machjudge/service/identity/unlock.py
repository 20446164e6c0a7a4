"""The lock of a seat: what opens it, and how often one may try.

Wrong passwords are counted for the sender, the seat and the game; whoever writes from an address
on file of the seat is counted apart, so that strangers cannot lock them out.  A token works
whatever has been tried, and whatever opens a seat ends the wait of its owner.
"""

from collections.abc import Collection
from dataclasses import replace

import structlog

from machjudge.language.commands.signon import spellings
from machjudge.sentence import Sentence
from machjudge.service.credentials.mailed_tokens import Token, TokenPurpose, hash_of
from machjudge.service.game import registry
from machjudge.service.game.view import people_of, zone_of
from machjudge.service.limits.guessing import (
    OWNER,
    blocked_until,
    key_of_owner,
    key_of_seat,
    keys_of_stranger,
)
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.session.session import Session

log = structlog.get_logger(__name__)


def unlock(session: Session, name: str, letter: str, password: str) -> Seat | None:
    """The seat that a password or a token opens at the game of that name.

    A wrong one is counted, and logged without it.
    """
    game = session.find_game(name)
    if game is not None:
        # All of them are asked for below, one after the other.
        people_of(session.uow, game)
    seat = _remembered(session, game, letter, password)
    seat = seat or by_token(session, game, letter, password)
    if seat is not None:
        return seat
    keys = _counted(session, name, letter)
    if keys is None:
        log.warning("signon.blocked", mail=session.mail_id, game=_id_of(game))
        return None
    own = _own_seat(session, game, letter) if game is not None else None
    seat = registry.open_seat(session.services, game, letter, password, own)
    if seat is None or game is None:
        log.warning("signon.refused", mail=session.mail_id, game=_id_of(game))
        return None
    session.tries.was_right(keys, _keys_of(game, seat))
    return seat


def _remembered(session: Session, game: Game | None, letter: str, password: str) -> Seat | None:
    """The seat of a password that was right lately: no guess, so none is counted.

    None while wrong ones are counted, which a right one has to end.
    """
    own = _own_seat(session, game, letter) if game is not None else None
    seat = registry.remembered_seat(session.services, game, letter, password, own)
    if seat is None or game is None:
        return None
    keys = {*_keys(session, game.id, letter), *_keys_of(game, seat)}
    return seat if session.tries.is_free(session.uow.counts, keys) else None


def _counted(session: Session, name: str, letter: str) -> tuple[str, ...] | None:
    """Count a try, and say under which keys; None if nothing may be tried.

    A mail that surely comes from the owner has a counter that no forged one fills.
    """
    keys = _keys(session, name, letter)
    if session.tries.begin(keys) is None:
        return keys
    session.is_locked = keys[0].startswith(OWNER)
    if not session.is_locked or not session.is_verified:
        return None
    own = (f"{keys[0]}/sure",)
    session.is_locked = session.tries.begin(own) is not None
    return None if session.is_locked else own


def may_try(session: Session, name: str, letter: str) -> bool:
    """Count a try of a password that is compared elsewhere; say whether it may be tried."""
    return session.tries.begin(_keys(session, name, letter)) is None


def why_not(session: Session, name: str, letter: str) -> Sentence:
    """Why a signon opens nothing: that it is wrong, or until when nothing is tried any more."""
    with session.services.store.reading() as uow:
        until = blocked_until(uow.counts, _keys(session, name, letter), session.now)
    if until is None:
        return registry.NOT_OPENED
    zone = zone_of(session.services, session.person)
    return Sentence("identity.too_many_passwords", until=until, zone=zone)


def _id_of(game: Game | None) -> str | None:
    return game.id if game is not None else None


# --- tries -----------------------------------------------------------------------------------


def _keys(session: Session, name: str, letter: str) -> tuple[str, ...]:
    """For whom tries are counted: the owner of the seat, or else sender, seat and game."""
    game = session.find_game(name)
    seat = _own_seat(session, game, letter) if game is not None else None
    if game is not None and seat is not None:
        return (key_of_owner(game.id, seat.number),)
    return keys_of_stranger(session.address, name, letter)


def _own_seat(session: Session, game: Game, letter: str) -> Seat | None:
    """The seat of that letter at which the address in From is on file."""
    called = (seat for seat in game.seats if seat.person is not None and is_called(seat, letter))
    return next((seat for seat in called if session.address in addresses_of(session, seat)), None)


def addresses_of(session: Session, seat: Seat) -> tuple[str, ...]:
    """The addresses on file of whoever sits at a seat."""
    person = session.uow.persons.get(seat.person) if seat.person is not None else None
    return (seat.address, *(person.addresses if person is not None else ()))


def is_called(seat: Seat, letter: str) -> bool:
    """Whether a signon with that letter means the seat."""
    match seat.role:
        case Role.PLAYER:
            return letter in seat.powers or letter == registry.FORMING
        case Role.MASTER:
            return letter == registry.MASTER
        case Role.OBSERVER:
            return letter == registry.OBSERVER


def _keys_of(game: Game, seat: Seat) -> Collection[str]:
    """What was counted at a seat alone; observers share their letter, so that theirs stays."""
    letters = {
        Role.PLAYER: (*seat.powers, registry.FORMING),
        Role.MASTER: (registry.MASTER,),
        Role.OBSERVER: (),
    }
    shared = {key_of_seat(game.id, letter) for letter in letters[seat.role]}
    return {key_of_owner(game.id, seat.number), *shared}


# --- tokens ----------------------------------------------------------------------------------


def by_token(session: Session, game: Game | None, letter: str, text: str) -> Seat | None:
    """The seat that a token opens, from any address and however often one was wrong."""
    found = (session.uow.keys.token(hash_of(each)) for each in spellings(text))
    token = next((each for each in found if each is not None), None)
    if game is None or token is None or not _is_good(session, token) or token.game != game.id:
        return None
    for seat in game.seats:
        if (seat.number, seat.person) == (token.seat, token.person) and is_called(seat, letter):
            return _opened(session, seat, token, game)
    return None


def _is_good(session: Session, token: Token) -> bool:
    is_used = token.hashed in session.changes.used
    return token.purpose is not TokenPurpose.LINK and not is_used and session.received < token.until


def _opened(session: Session, seat: Seat, token: Token, game: Game) -> Seat:
    session.changes.used.add(token.hashed)
    session.tries.was_right((), _keys_of(game, seat))
    session.done(Sentence("identity.token.opened", game=game.name))
    if token.purpose is not TokenPurpose.UNDO or seat.address == token.address:
        return seat
    session.done(Sentence("identity.token.address_back", address=token.address))
    return replace(seat, address=token.address)
