"""A reply token opens its seat: a mail that answers a message of the judge needs no signon."""

import re
from dataclasses import dataclass, replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import Create, Join, Observe, SignOff, SignOn
from machjudge.language.commands.dialogue import parse_command
from machjudge.language.commands.signon import spellings
from machjudge.reading import Mail
from machjudge.service.credentials.mailed_tokens import hash_of
from machjudge.service.credentials.reply_tokens import (
    LABEL,
    ActToken,
    AddressToken,
    SeatToken,
    Speaks,
)
from machjudge.service.identity.unlock import is_called
from machjudge.service.lines.leftovers import is_greeting
from machjudge.service.model.records import Game, GameId, Role, Seat
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.seats import entering
from machjudge.service.session.session import Talk

Opening = SignOn | Join | Observe | Create

_CODE_LINE = re.compile(rf"\W*(?:{LABEL})?\W*(?:r\.)?[a-z2-7]{{26}}\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Place:
    """A seat at a game."""

    game: Game
    seat: Seat


def without_code_lines(mail: Mail) -> Mail:
    """The mail without lines that are nothing but a reply code: they say nothing else."""
    lines = tuple(line for line in mail.lines if not _CODE_LINE.fullmatch(line.text))
    return mail if len(lines) == len(mail.lines) else replace(mail, lines=lines)


def game_of(uow: UnitOfWork, speaks: tuple[Speaks, ...]) -> GameId | None:
    """The game that tokens speak for: that of the first seat or waiting act."""
    for each in speaks:
        match each:
            case SeatToken(game=game):
                return game
            case ActToken(act):
                waiting = uow.acts.get(act)
                return waiting.game if waiting is not None else None
            case AddressToken():
                continue
    return None


def open_by_token(talk: Talk) -> None:
    """Speak from the seat that the mail's token opens, unless the mail opens another one itself."""
    place = _opened(talk)
    command = _first_opening(talk.mail)
    if place is None:
        return
    if command is not None and not _means(talk, command, place):
        # It still proves who writes: another seat is theirs at once.
        talk.proven, talk.has_code = place.seat.person, True
        return
    talk.enter(place.game, place.seat)
    talk.opened_by_token = True
    if isinstance(command, SignOn):
        letter = entering.letter_of(talk, entering.as_meant(talk, command))
        talk.speak_from(place.seat.number, PowerId(letter))


def is_open(talk: Talk, command: object) -> bool:
    """Whether a command opens the very seat that a token has opened already."""
    if not talk.opened_by_token or talk.became or not isinstance(command, Opening):
        return False
    game, seat = talk.game, talk.seat
    return game is not None and seat is not None and _means(talk, command, _Place(game, seat))


def tell_why_not(talk: Talk) -> None:
    """Say why the token of a mail opened no seat, where nothing else has opened one."""
    game_id = next((t.game for t in talk.speaks if isinstance(t, SeatToken)), None)
    if talk.game is not None or game_id is None or _opened(talk) is not None:
        return
    game = talk.find_game(game_id)
    if game is not None:
        talk.answer.verdict += [
            "The reply code in your mail opens no seat any more: the password or",
            "the player of the seat has changed since, or its codes were revoked.",
            f"SIGNON opens the seat; without a password, SEND TOKEN {game.name} helps.",
        ]


def _opened(talk: Talk) -> _Place | None:
    """The seat that the surest good token opens."""
    tokens = (each for each in talk.speaks if isinstance(each, SeatToken))
    return next((place for each in tokens if (place := _place_of(talk, each)) is not None), None)


def _place_of(talk: Talk, token: SeatToken) -> _Place | None:
    """The seat of a token, as long as the token is of its generation and somebody holds it."""
    game = talk.find_game(token.game)
    for seat in game.seats if game is not None else ():
        is_it = (seat.number, seat.generation) == (token.seat, token.generation)
        if game is not None and is_it and seat.person is not None:
            return _Place(game, seat)
    return None


def _first_opening(mail: Mail) -> Opening | None:
    """The first command of a mail that opens a seat."""
    for line in mail.lines:
        command = None if line.is_press or is_greeting(line) else parse_command(line.text)
        if isinstance(command, SignOff):
            return None
        if isinstance(command, Opening):
            return command
    return None


def _means(talk: Talk, command: Opening, place: _Place) -> bool:
    """Whether a command opens that seat, and not with a token of its own, which does more."""
    match command:
        case SignOn():
            said = entering.as_meant(talk, command)
            is_it = said.game.lower() == place.game.id
            is_it = is_it and is_called(place.seat, entering.letter_of(talk, said))
        case Join(game=name):
            is_it = (name.lower(), Role.PLAYER) == (place.game.id, place.seat.role)
        case Observe(game=name):
            is_it = (name.lower(), Role.OBSERVER) == (place.game.id, place.seat.role)
        case Create():
            return False
    return is_it and not _is_token(talk, command.password)


def _is_token(talk: Talk, text: str) -> bool:
    return any(talk.uow.keys.token(hash_of(each)) is not None for each in spellings(text))
