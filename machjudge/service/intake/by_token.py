"""A reply token opens its seat: a mail that answers a message of the judge needs no signon."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import Create, Join, Observe, SignOff, SignOn
from machjudge.language.commands.signon import spellings
from machjudge.reading import REDACTED, Mail, codes_in, lines_of_codes
from machjudge.sentence import Sentence
from machjudge.service.credentials.mailed_tokens import hash_of
from machjudge.service.credentials.reply_tokens import (
    LABEL,
    ActToken,
    AddressToken,
    PressToken,
    SeatToken,
    Speaks,
    presented,
)
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.identity.tokens import signon_for
from machjudge.service.identity.unlock import is_called
from machjudge.service.lines.kinds import is_greeting
from machjudge.service.model.records import Game, GameId, Role, Seat
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail
from machjudge.service.seats import entering
from machjudge.service.session.session import Session

Opening = SignOn | Join | Observe | Create

_CODE_LINE = re.compile(rf"\W*(?:{LABEL})?\W*(?:r\.)?{re.escape(REDACTED)}\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenedSeat:
    """A seat at a game."""

    game: Game
    seat: Seat


def without_code_lines(mail: Mail) -> Mail:
    """The mail without lines that are nothing but a reply code: they say nothing else.

    Nor are those that are nothing but a piece of one.
    """
    blotted = lines_of_codes([line.text for line in mail.lines])
    lines = tuple(
        line
        for line, left in zip(mail.lines, blotted, strict=True)
        if left == line.text or not _CODE_LINE.fullmatch(left)
    )
    return mail if len(lines) == len(mail.lines) else mail.with_lines(lines)


def codes_of(kept: KeptMail, mail: Mail) -> list[str]:
    """What may be reply tokens in a mail: in the address it was sent to, then in the mail."""
    return list(dict.fromkeys([*codes_in(kept.recipients), *mail.codes]))


def game_answered(
    secret: JudgeSecret, uow: UnitOfWork, kept: KeptMail, mail: Mail
) -> GameId | None:
    """The game whose seat the reply tokens of a mail speak for."""
    found = presented(secret, uow.reply_tokens, codes_of(kept, mail))
    return _game_of(uow, tuple(speaks for _, speaks in found))


def _game_of(uow: UnitOfWork, speaks: tuple[Speaks, ...]) -> GameId | None:
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


def open_by_token(session: Session) -> None:
    """Speak from the seat that the mail's token opens, unless the mail opens another one itself."""
    place = _opened(session)
    command = _first_opening(session)
    if place is None:
        return
    if command is not None and not _means(session, command, place):
        # It still proves who writes: another seat is theirs at once.
        session.proven, session.has_code = place.seat.person, True
        return
    session.enter(place.game, place.seat)
    session.opened_by_token = True
    if isinstance(command, SignOn):
        letter = entering.letter_of(session, entering.as_meant(session, command))
        session.speak_from(place.seat.number, PowerId(letter))


def press_answered(session: Session) -> PressToken | None:
    """The token of the press that a mail answers, unless it signs on like any other mail."""
    if not session.opened_by_token or _first_opening(session) is not None:
        return None
    surest = next((each for each in session.speaks if isinstance(each, SeatToken)), None)
    return surest if isinstance(surest, PressToken) else None


def is_open(session: Session, command: object) -> bool:
    """Whether a command opens the very seat that a token has opened already."""
    if not session.opened_by_token or session.became or not isinstance(command, Opening):
        return False
    game, seat = session.game, session.seat
    return (
        game is not None and seat is not None and _means(session, command, OpenedSeat(game, seat))
    )


def tell_why_not(session: Session) -> None:
    """Say why the token of a mail opened no seat, where nothing else has opened one."""
    known = signon_for(session)
    if session.game is None and known is not None and _opened(session) is None:
        seat, game = known
        session.answer.verdict.append(Sentence("intake.old_code", seat=seat, game=game.name))


def _opened(session: Session) -> OpenedSeat | None:
    """The seat that the surest good token opens."""
    return place_opened(session.speaks, session.find_game)


def place_opened(
    speaks: Iterable[Speaks], find_game: Callable[[str], Game | None]
) -> OpenedSeat | None:
    """The seat that the first good token among some opens; None if none of them opens one."""
    tokens = (each for each in speaks if isinstance(each, SeatToken))
    places = (_place_of(each, find_game(each.game)) for each in tokens)
    return next((place for place in places if place is not None), None)


def _place_of(token: SeatToken, game: Game | None) -> OpenedSeat | None:
    """The seat of a token, as long as the token is of its generation and somebody holds it."""
    for seat in game.seats if game is not None else ():
        is_it = (seat.number, seat.generation) == (token.seat, token.generation)
        if game is not None and is_it and seat.person is not None:
            return OpenedSeat(game, seat)
    return None


def _first_opening(session: Session) -> Opening | None:
    """The first command of a mail that opens a seat."""
    for line in session.mail.instructions:
        command = None if is_greeting(line) else session.said.command(line)
        if isinstance(command, SignOff):
            return None
        if isinstance(command, Opening):
            return command
    return None


def _means(session: Session, command: Opening, place: OpenedSeat) -> bool:
    """Whether a command opens that seat, and not with a token of its own, which does more."""
    match command:
        case SignOn():
            said = entering.as_meant(session, command)
            is_it = said.game.lower() == place.game.id
            is_it = is_it and is_called(place.seat, entering.letter_of(session, said))
        case Join(game=name):
            is_it = (name.lower(), Role.PLAYER) == (place.game.id, place.seat.role)
        case Observe(game=name):
            is_it = (name.lower(), Role.OBSERVER) == (place.game.id, place.seat.role)
        case Create():
            return False
    return is_it and not _is_token(session, command.password)


def _is_token(session: Session, text: str) -> bool:
    return any(session.uow.keys.token(hash_of(each)) is not None for each in spellings(text))
