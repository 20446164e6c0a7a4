"""Postal press: held by the judge, published with the next results, signed, to everybody."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import PostalPress
from machjudge.reading import Line
from machjudge.service.model.notes import NoteKind
from machjudge.service.model.press_rules import FromObservers
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.press.notebook import keep, list_lines, look_up, own_notes
from machjudge.service.press.permission import why_not_now
from machjudge.service.press.press_room import body_of, give_back, tell_blotted, text_flaw
from machjudge.service.session.redacting import blotted
from machjudge.service.session.session import Talk

_MOST = 10
"""How many one person may have waiting."""
_LONGEST = 4_000
"""Signs of one."""


def hold(talk: Talk, line: Line, text: Sequence[str]) -> None:
    """Keep a text until the results go out."""
    game, seat = talk.game, talk.seat
    if game is None or seat is None:
        return
    clean = blotted(talk, text)
    body = body_of(clean)
    flaw = _why_not(talk, game, seat) or text_flaw(clean) or _too_much(talk, body)
    note = keep(talk, NoteKind.POSTAL, body) if flaw is None else None
    if note is None:
        talk.refuse(line, flaw or "nobody sits there")
        give_back(talk, clean)
        return
    if talk.current is not None:
        talk.current = replace(talk.current, postal=(*talk.current.postal, note))
    talk.answer.done += [
        f"Postal press {note.number} is kept; it comes with the next results.",
        f"POSTAL DELETE {note.number} withdraws it.",
    ]
    tell_blotted(talk, clean)


def _why_not(talk: Talk, game: Game, seat: Seat) -> str | None:
    rules = game.conduct.press
    if not rules.postal:
        return "there is no postal press in this game"
    if talk.situation() is None:
        return f"there are no results that it could come with: {talk.why_not_played()}"
    if seat.role is Role.MASTER:
        return None
    if seat.role is Role.OBSERVER and rules.observers is FromObservers.NONE:
        return "observers write no press in this game; PRESS TO M reaches the master"
    return next(why_not_now(talk, game, seat, to_all=True), None)


def _too_much(talk: Talk, body: str) -> str | None:
    if len(body) > _LONGEST:
        return f"postal press has {_LONGEST} signs at most"
    if len(own_notes(talk, NoteKind.POSTAL)) >= _MOST:
        return f"{_MOST} of yours wait already; POSTAL DELETE 1 withdraws one"
    return None


def look(talk: Talk, line: Line, said: PostalPress) -> None:
    """List one's own that waits, read one, or withdraw one."""
    gone = look_up(talk, line, NoteKind.POSTAL, said.act, said.number)
    if gone is not None:
        if talk.current is not None:
            left = tuple(note for note in talk.current.postal if note != gone)
            talk.current = replace(talk.current, postal=left)
        talk.done(f"Postal press {gone.number} is withdrawn.")


def waiting_lines(talk: Talk) -> tuple[str, ...]:
    """What the receipt says of one's own that waits."""
    return tuple(list_lines(talk, own_notes(talk, NoteKind.POSTAL)))
