"""Postal press: held by the judge, published with the next results, signed, to everybody."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import PostalPress
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.notes import NoteKind
from machjudge.service.model.press_rules import FromObservers
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.press.notebook import keep, list_lines, look_up, own_notes
from machjudge.service.press.permission import why_not_now
from machjudge.service.press.press_room import body_of, give_back, tell_redacted, text_flaw
from machjudge.service.session.command import SEATED, TALKING, CommandEntry
from machjudge.service.session.redacting import redacted
from machjudge.service.session.session import Session

_MOST = 10
"""How many one person may have waiting."""
_LONGEST = 4_000
"""Signs of one."""


def hold(session: Session, line: Line, text: Sequence[str]) -> None:
    """Keep a text until the results go out."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    clean = redacted(session, text)
    body = body_of(clean)
    flaw = _why_not(session, game, seat) or text_flaw(clean) or _too_much(session, body)
    note = keep(session, NoteKind.POSTAL, body) if flaw is None else None
    if note is None:
        session.refuse(line, flaw or Sentence("press.nobody_sits"))
        give_back(session, clean)
        return
    if session.current is not None:
        session.current = replace(session.current, postal=(*session.current.postal, note))
    session.done(Sentence("press.postal.kept", number=note.number))
    tell_redacted(session, clean)


def _why_not(session: Session, game: Game, seat: Seat) -> Sentence | None:
    rules = game.conduct.press
    if not rules.postal:
        return Sentence("press.postal.none")
    if session.situation() is None:
        return Sentence("press.postal.no_results", why=session.why_not_played())
    if seat.role is Role.MASTER:
        return None
    if seat.role is Role.OBSERVER and rules.observers is FromObservers.NONE:
        return Sentence("press.none_from_observers")
    return next(why_not_now(session, game, seat, to_all=True), None)


def _too_much(session: Session, body: str) -> Sentence | None:
    if len(body) > _LONGEST:
        return Sentence("press.postal.too_long", most=_LONGEST)
    if len(own_notes(session, NoteKind.POSTAL)) >= _MOST:
        return Sentence("press.postal.too_many", most=_MOST)
    return None


def look(session: Session, line: Line, said: PostalPress) -> None:
    """List one's own that waits, read one, or withdraw one."""
    gone = look_up(session, line, NoteKind.POSTAL, said.act, said.number)
    if gone is not None:
        if session.current is not None:
            left = tuple(note for note in session.current.postal if note != gone)
            session.current = replace(session.current, postal=left)
        session.done(Sentence("press.postal.withdrawn", number=gone.number))


POSTAL_PRESS = CommandEntry(
    "postal press",
    TALKING,
    SEATED,
    Act.PLAY,
    look,
    PostalPress,
    also=("postal list", "postal read", "postal delete", "postal withdraw"),
)


def waiting_lines(session: Session) -> tuple[Sentence, ...]:
    """What the receipt says of one's own that waits."""
    return list_lines(own_notes(session, NoteKind.POSTAL))
