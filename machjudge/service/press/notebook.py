"""Notes that the judge keeps for one person at a game: put down, listed, read, thrown away."""

from collections.abc import Sequence

from machjudge.language.commands.commands import NoteAction
from machjudge.letters.page.reply import Text
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.view import zone_of
from machjudge.service.model.notes import Note, NoteKind, next_number
from machjudge.service.press.press_message import author_of
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session


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
