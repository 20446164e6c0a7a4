"""Postal press: held by the judge, published with the next results, signed, to everybody."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import PostalPress
from machjudge.reading import Line
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
        session.refuse(line, flaw or "nobody sits there")
        give_back(session, clean)
        return
    if session.current is not None:
        session.current = replace(session.current, postal=(*session.current.postal, note))
    session.answer.done += [
        f"Postal press {note.number} is kept; it comes with the next results.",
        f"POSTAL DELETE {note.number} withdraws it.",
    ]
    tell_redacted(session, clean)


def _why_not(session: Session, game: Game, seat: Seat) -> str | None:
    rules = game.conduct.press
    if not rules.postal:
        return "there is no postal press in this game"
    if session.situation() is None:
        return f"there are no results that it could come with: {session.why_not_played()}"
    if seat.role is Role.MASTER:
        return None
    if seat.role is Role.OBSERVER and rules.observers is FromObservers.NONE:
        return "observers write no press in this game; PRESS TO M reaches the master"
    return next(why_not_now(session, game, seat, to_all=True), None)


def _too_much(session: Session, body: str) -> str | None:
    if len(body) > _LONGEST:
        return f"postal press has {_LONGEST} signs at most"
    if len(own_notes(session, NoteKind.POSTAL)) >= _MOST:
        return f"{_MOST} of yours wait already; POSTAL DELETE 1 withdraws one"
    return None


def look(session: Session, line: Line, said: PostalPress) -> None:
    """List one's own that waits, read one, or withdraw one."""
    gone = look_up(session, line, NoteKind.POSTAL, said.act, said.number)
    if gone is not None:
        if session.current is not None:
            left = tuple(note for note in session.current.postal if note != gone)
            session.current = replace(session.current, postal=left)
        session.done(f"Postal press {gone.number} is withdrawn.")


POSTAL_PRESS = CommandEntry(
    "postal press",
    TALKING,
    SEATED,
    Act.PLAY,
    look,
    PostalPress,
    also=("postal list", "postal read", "postal delete", "postal withdraw"),
)


def waiting_lines(session: Session) -> tuple[str, ...]:
    """What the receipt says of one's own that waits."""
    return tuple(list_lines(session, own_notes(session, NoteKind.POSTAL)))
