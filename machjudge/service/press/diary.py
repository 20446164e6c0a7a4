"""The private diary that everybody at a game may keep.

It stays its writer's, and nobody else reads it, not even the master; unless they open it themselves
with ``set open diary``: then it goes out with the last mail of the game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from machjudge.language.commands.commands import Diary, Setting
from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.notes import Note, NoteKind
from machjudge.service.model.records import Game
from machjudge.service.ports.mails import Attachment
from machjudge.service.press.notebook import keep, look_up, own_notes
from machjudge.service.press.press_message import signed_by
from machjudge.service.press.press_room import body_of, give_back, tell_redacted, text_flaw
from machjudge.service.session.command import SEATED, TALKING, CommandEntry
from machjudge.service.session.redacting import redacted
from machjudge.service.session.session import Session

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


def look(session: Session, line: Line, said: Diary) -> None:
    """List one's entries, read one, or take one out."""
    gone = look_up(session, line, NoteKind.DIARY, said.act, said.number)
    if gone is not None:
        session.done(Sentence("press.diary.deleted", number=gone.number))


DIARY = CommandEntry(
    "diary",
    TALKING,
    SEATED,
    Act.PLAY,
    look,
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
