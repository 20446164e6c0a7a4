"""Opening a seat, and the end of a mail."""

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import SignOff, SignOn
from machjudge.language.commands.signon import spellings
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.identity.provisional import open_claim
from machjudge.service.identity.signon import (
    Hint,
    hint_for_seat,
    meant,
    scenario_named,
    seat_letter,
)
from machjudge.service.identity.unlock import is_called, unlock, why_not
from machjudge.service.seats.takeover import take_over
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.session import Session

ONE_LINE_EACH = Sentence("seats.one_line_each")
NOTHING_TAKEN = Sentence("seats.nothing_taken")
TEXT_ON_LINE = Sentence("seats.text_on_line")
_NO_SECRETS = frozenset({"password", "passwort", "pass", "pw"})


def sign_on(session: Session, line: Line, typed: SignOn) -> None:
    """Speak from a seat; an abandoned one is taken over by whoever signs on to it."""
    said = as_meant(session, typed)
    game = session.find_game(said.game)
    letter = letter_of(session, said)
    if game is not None and open_claim(session, game, letter, said.password):
        return
    # A mail that only checks orders takes no seat, and shows nobody the orders of one.
    if (
        game is not None
        and not session.is_dry
        and take_over(session, line, game, PowerId(letter), said.password)
    ):
        return
    if opens_seat(session, said):
        return
    _refuse_signon(session, line, said, why_not(session, said.game, letter))


SIGN_ON = CommandEntry(
    "signon",
    COMING,
    ANYBODY,
    Act.ENTER,
    sign_on,
    SignOn,
    also=("sign on", "hello", "login"),
    is_dry=True,
    opens_seat=True,
    secret_at=2,
)


def opens_seat(session: Session, typed: SignOn) -> bool:
    """Speak from the seat that a signon opens; say whether it opens one.  Refuses nothing."""
    said = as_meant(session, typed)
    game = session.find_game(said.game)
    letter = letter_of(session, said)
    seat = unlock(session, said.game, letter, said.password)
    if game is None or seat is None:
        return False
    session.enter(game, seat)
    session.speak_from(seat.number, PowerId(letter))
    return True


def is_open(session: Session, typed: SignOn) -> bool:
    """Whether a signon means the seat that the mail has opened already."""
    said = as_meant(session, typed)
    game, seat = session.game, session.seat
    if game is None or seat is None or session.became or said.game.lower() != game.id:
        return False
    return is_called(seat, letter_of(session, said))


def as_meant(session: Session, typed: SignOn) -> SignOn:
    """The reading of a signon that fits the games that there are; its password is a secret."""
    said = meant(typed, lambda name: scenario_named(session.services, session.uow, name))
    hide_password(session, said.password)
    return said


def hide_password(session: Session, password: str) -> None:
    """Keep a password out of the answer; the word for it is none."""
    session.secrets.update(each for each in spellings(password) if each.lower() not in _NO_SECRETS)


def letter_of(session: Session, said: SignOn) -> str:
    """The letter of the seat that a signon names; empty if there is no such seat."""
    game = session.find_game(said.game)
    if len(said.seat) == 1 or game is None:
        return said.seat.upper() if len(said.seat) == 1 else ""
    return seat_letter(session.services.scenario(game), said.seat)


def _refuse_signon(session: Session, line: Line, said: SignOn, reason: Sentence) -> None:
    """Refuse a signon that opens nothing, with what it may have meant."""
    hint = hint_for_seat(session, said)
    if said.rest:
        session.refuse_all(
            line,
            Sentence("session.both", first=reason, second=ONE_LINE_EACH),
            hint.instead,
            NOTHING_TAKEN,
        )
    else:
        session.refuse_all(line, with_hint(reason, hint), hint.instead)


def with_hint(reason: Wording, hint: Hint) -> Wording:
    """A reason, and what to write instead where that is known."""
    return Sentence("session.both", first=reason, second=hint.reason) if hint.reason else reason


def sign_off(session: Session, _: Line, said: SignOff) -> None:
    """Read no further; where the word may have been meant for the game, say what was done."""
    session.is_closed, session.has_quit = True, said.has_quit
    if said.has_quit:
        session.answer.notices.append(Sentence("seats.quit"))


SIGN_OFF = CommandEntry(
    "signoff",
    COMING,
    ANYBODY,
    Act.READ,
    sign_off,
    SignOff,
    also=("sign off", "log off", "quit", "--"),
    is_dry=True,
)
