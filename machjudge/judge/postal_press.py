"""Postal press: held by the judge, published with the next results, signed, to everybody."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import FromObservers
from machjudge.judge.game_view import zone_of
from machjudge.judge.mail_context import SEATED, TALKING, CommandEntry, Session, redacted
from machjudge.judge.mails import Attachment
from machjudge.judge.outgoing import sight_of
from machjudge.judge.press import (
    author_of,
    body_of,
    give_back,
    signed_by,
    tell_redacted,
    text_flaw,
    why_not_now,
)
from machjudge.judge.records import Game, Note, NoteKind, PressItem, Role, Seat, next_number
from machjudge.language.commands import Diary, NoteAction, PostalPress, Setting
from machjudge.mail_parser.lines import Line
from machjudge.messages.render import Stationery, Text
from machjudge.messages.wording import Words
from machjudge.sentence import Sentence


def postal_lines(words: Words, notes: Sequence[Note]) -> tuple[Sentence, ...]:
    """The postal press in a mail with results."""
    said = tuple((signed_by(words, note.author), note.text) for note in notes)
    return (Sentence("press.postal.published", notes=said),) if notes else ()


def published(game: Game, notes: Sequence[Note], after: int, now: datetime) -> list[PressItem]:
    """The messages that the notes become when they go out."""
    return [
        PressItem(
            game=game.id,
            at=now,
            after=after,
            sender=note.seat,
            readers=(),
            text=note.text,
            author=note.author,
            people=(note.person,),
            postal=True,
        )
        for note in notes
    ]


def all_notes(session: Session, kind: NoteKind) -> tuple[Note, ...]:
    """The notes of that kind at the game, with what this mail has done to them."""
    if session.game is None:
        return ()
    stored = [*session.uow.notes.all_of(session.game.id, kind), *session.changes.notes]
    return tuple(note for note in stored if note.kind is kind and note not in session.changes.torn)


def own_notes(session: Session, kind: NoteKind) -> tuple[Note, ...]:
    """Those that whoever has signed on may read: their own."""
    if session.game is None or session.seat is None or session.became:
        return ()
    sight = sight_of(session.game, [session.seat])
    every = all_notes(session, kind)
    return tuple(note for note in every if sight.sees_note_of(note.person, note.seat))


def keep(session: Session, kind: NoteKind, text: str) -> Note | None:
    """Keep a text as a note; None if nobody sits who could own it."""
    game, seat = session.game, session.seat
    if game is None or seat is None or seat.person is None:
        return None
    situation = session.situation()
    stored = session.uow.notes.all_of(game.id, kind)
    taken = [
        n for n in (*stored, *session.changes.notes) if (n.kind, n.person) == (kind, seat.person)
    ]
    note = Note(
        game=game.id,
        kind=kind,
        person=seat.person,
        number=next_number(tuple(taken)),
        seat=seat.number,
        author=author_of(session, game, seat),
        at=session.now,
        phase=situation.state.moment.code if situation is not None else "",
        text=text,
    )
    session.changes.notes.append(note)
    return note


def look_up(
    session: Session, line: Line, kind: NoteKind, act: NoteAction, number: int | None
) -> Note | None:
    """List them, or read one, or throw one away; the note that was thrown away."""
    own = own_notes(session, kind)
    found = next((note for note in own if note.number == number), None)
    title = Sentence(f"press.{kind.value}.title")
    if act is NoteAction.LIST:
        shown = list_lines(own) or (Sentence("press.nothing"),)
        session.answer.texts.append(Text(title, shown))
    elif found is None:
        session.refuse(line, Sentence("press.no_entry", number=number))
    elif act is NoteAction.READ:
        numbered = Sentence("press.note_title", title=title, number=found.number)
        zone = zone_of(session.services, session.person)
        whole = Sentence("press.note", note=found, zone=zone)
        session.answer.texts.append(Text(numbered, (whole,)))
    elif act is NoteAction.DELETE:
        session.changes.torn.append(found)
        return found
    return None


def list_lines(notes: Sequence[Note]) -> tuple[Sentence, ...]:
    """One line for each note: its number, its phase, how it begins."""
    return tuple(Sentence("press.listed", note=note) for note in notes)


_MOST = 200
"""Entries of one person at one game."""
_LONGEST = 4_000
"""Signs of an entry."""
_LONGEST_FILE = 500_000
FILE = "diaries.txt"


def record(session: Session, line: Line, text: Sequence[str]) -> None:
    """Write an entry."""
    clean = redacted(session, text)
    body = body_of(clean)
    flaw = text_flaw(clean) or _too_much(session, body)
    note = keep(session, NoteKind.DIARY, body) if flaw is None else None
    if note is None:
        session.refuse(line, flaw or Sentence("press.nobody_sits"))
        give_back(session, clean)
        return
    session.done(Sentence("press.diary.kept", number=note.number))
    session.answer.done += [f"  {row}".rstrip() for row in note.text.split("\n")]
    tell_redacted(session, clean)


def _too_much(session: Session, body: str) -> Sentence | None:
    if len(body) > _LONGEST:
        return Sentence("press.diary.too_long", most=_LONGEST)
    if len(own_notes(session, NoteKind.DIARY)) >= _MOST:
        return Sentence("press.diary.full", most=_MOST)
    return None


def look_at_diary(session: Session, line: Line, said: Diary) -> None:
    """List one's entries, read one, or take one out."""
    gone = look_up(session, line, NoteKind.DIARY, said.act, said.number)
    if gone is not None:
        session.done(Sentence("press.diary.deleted", number=gone.number))


DIARY = CommandEntry(
    "diary",
    TALKING,
    SEATED,
    Act.PLAY,
    look_at_diary,
    Diary,
    also=("diary record", "diary list", "diary read", "diary delete"),
    is_personal=True,
)


def set_open(session: Session, _: Line, said: Setting) -> None:
    """Let one's diary go out with the last mail of the game, or not."""
    seat = session.seat
    if seat is not None:
        session.set_seat(replace(seat, wishes=replace(seat.wishes, open_diary=said.on)))
        session.done(Sentence("press.diary.when_over", is_open=said.on))


SET_OPEN_DIARY = CommandEntry(
    "set open diary",
    TALKING,
    SEATED,
    Act.WISH,
    set_open,
    setting="open diary",
    also=("set publish diary", "set public diary"),
    is_personal=True,
)


def opened(
    paper: Stationery, words: Words, entries: Iterable[Note], game: Game
) -> tuple[Attachment, ...]:
    """Of all entries at a game those that their writers have opened, as a file."""
    open_ = {(s.number, s.person) for s in game.seats if s.wishes.open_diary}
    notes = [n for n in entries if (n.seat, n.person) in open_]
    diaries = tuple(
        (signed_by(words, author), tuple(note for note in notes if note.author == author))
        for author in dict.fromkeys(note.author for note in notes)
    )
    text = paper.say(Sentence("press.diary.opened", diaries=diaries))
    return (Attachment(FILE, "text/plain", text[:_LONGEST_FILE].encode()),) if notes else ()


_MOST_POSTAL = 10
"""How many one person may have waiting."""


def hold(session: Session, line: Line, text: Sequence[str]) -> None:
    """Keep a text until the results go out."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    clean = redacted(session, text)
    body = body_of(clean)
    flaw = _why_not(session, game, seat) or text_flaw(clean) or _too_much_postal(session, body)
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


def _too_much_postal(session: Session, body: str) -> Sentence | None:
    if len(body) > _LONGEST:
        return Sentence("press.postal.too_long", most=_LONGEST)
    if len(own_notes(session, NoteKind.POSTAL)) >= _MOST_POSTAL:
        return Sentence("press.postal.too_many", most=_MOST_POSTAL)
    return None


def look_at_postal(session: Session, line: Line, said: PostalPress) -> None:
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
    look_at_postal,
    PostalPress,
    also=("postal list", "postal read", "postal delete", "postal withdraw"),
)


def waiting_lines(session: Session) -> tuple[Sentence, ...]:
    """What the receipt says of one's own that waits."""
    return list_lines(own_notes(session, NoteKind.POSTAL))
