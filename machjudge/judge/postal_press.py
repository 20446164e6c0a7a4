"""Notes: diaries, and postal press, which is published, signed, with the next results."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from machjudge.judge.commands import SEATED, command, setting
from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import FromObservers
from machjudge.judge.game_view import zone_of
from machjudge.judge.mail_context import MailContext, Redacted, redacted
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
from machjudge.messages.render import MessageRenderer, Text
from machjudge.messages.wording import Words
from machjudge.translatable import Message


def postal_lines(words: Words, notes: Sequence[Note]) -> tuple[Message, ...]:
    """Return the postal press in a mail with results."""
    said = tuple((signed_by(words, note.author), note.text) for note in notes)
    return (Message("press.postal.published", notes=said),) if notes else ()


def published(game: Game, notes: Sequence[Note], after: int, now: datetime) -> list[PressItem]:
    """Return the messages of published notes."""
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


def all_notes(context: MailContext, kind: NoteKind) -> tuple[Note, ...]:
    """Return the notes of that kind at the game, with this mail's changes."""
    if context.game is None:
        return ()
    stored = [*context.uow.notes.all_of(context.game.id, kind), *context.changes.notes]
    return tuple(
        note for note in stored if note.kind is kind and note not in context.changes.removed_notes
    )


def own_notes(context: MailContext, kind: NoteKind) -> tuple[Note, ...]:
    """Return those of the signed-on person."""
    if context.game is None or context.seat is None or context.became:
        return ()
    sight = sight_of(context.game, [context.seat])
    every = all_notes(context, kind)
    return tuple(note for note in every if sight.sees_note_of(note.person, note.seat))


def keep(context: MailContext, kind: NoteKind, text: str) -> Note | None:
    """Store a text as a note; None if the seat has no holder."""
    game, seat = context.game, context.seat
    if game is None or seat is None or seat.person is None:
        return None
    view = context.view()
    stored = context.uow.notes.all_of(game.id, kind)
    taken = [
        n for n in (*stored, *context.changes.notes) if (n.kind, n.person) == (kind, seat.person)
    ]
    note = Note(
        game=game.id,
        kind=kind,
        person=seat.person,
        number=next_number(tuple(taken)),
        seat=seat.number,
        author=author_of(context, game, seat),
        at=context.now,
        phase=view.state.moment.code if view is not None else "",
        text=text,
    )
    context.changes.notes.append(note)
    return note


def look_up(
    context: MailContext, line: Line, kind: NoteKind, act: NoteAction, number: int | None
) -> Note | None:
    """List them, or read or remove one; return the removed note."""
    own = own_notes(context, kind)
    found = next((note for note in own if note.number == number), None)
    title = Message(f"press.{kind.value}.title")
    if act is NoteAction.LIST:
        shown = list_lines(own) or (Message("press.nothing"),)
        context.answer.texts.append(Text(title, shown))
    elif found is None:
        context.refuse(line, Message("press.no_entry", number=number))
    elif act is NoteAction.READ:
        numbered = Message("press.note_title", title=title, number=found.number)
        zone = zone_of(context.services, context.person)
        whole = Message("press.note", note=found, zone=zone)
        context.answer.texts.append(Text(numbered, (whole,)))
    elif act is NoteAction.DELETE:
        context.changes.removed_notes.append(found)
        return found
    return None


def list_lines(notes: Sequence[Note]) -> tuple[Message, ...]:
    """Return one line for each note: its number, phase and beginning."""
    return tuple(Message("press.listed", note=note) for note in notes)


_MAX = {NoteKind.DIARY: 200, NoteKind.POSTAL: 10}
_LONGEST = 4_000
_LONGEST_FILE = 500_000
FILE = "diaries.txt"


def record(context: MailContext, line: Line, text: Sequence[str]) -> None:
    """Write a diary entry."""
    clean = redacted(context, text)
    note = _kept(context, line, NoteKind.DIARY, clean, None)
    if note is not None:
        context.done(Message("press.diary.kept", number=note.number))
        context.answer.done += [f"  {row}".rstrip() for row in note.text.split("\n")]
        tell_redacted(context, clean)


def _kept(
    context: MailContext, line: Line, kind: NoteKind, clean: Redacted, flaw: Message | None
) -> Note | None:
    """Store a text, or return it; *flaw* is why that kind of note is impossible."""
    body, most = body_of(clean), _MAX[kind]
    flaw = flaw or text_flaw(clean)
    if flaw is None and len(body) > _LONGEST:
        flaw = Message(f"press.{kind.value}.too_long", most=_LONGEST)
    if flaw is None and len(own_notes(context, kind)) >= most:
        is_diary = kind is NoteKind.DIARY
        flaw = Message("press.diary.full" if is_diary else "press.postal.too_many", most=most)
    note = keep(context, kind, body) if flaw is None else None
    if note is None:
        context.refuse(line, flaw or Message("press.nobody_sits"))
        give_back(context, clean)
    return note


@command(
    "diary",
    act=Act.PLAY,
    who=SEATED,
    kind=Diary,
    also=("diary record", "diary list", "diary read", "diary delete"),
    is_personal=True,
)
def look_at_diary(context: MailContext, line: Line, said: Diary) -> None:
    """List one's entries, read one, or remove one."""
    gone = look_up(context, line, NoteKind.DIARY, said.act, said.number)
    if gone is not None:
        context.done(Message("press.diary.deleted", number=gone.number))


@setting(
    "open diary",
    act=Act.SEAT,
    who=SEATED,
    also=("set publish diary", "set public diary"),
    is_personal=True,
)
def set_open(context: MailContext, _: Line, said: Setting) -> None:
    """Publish one's diary with the last mail of the game, or not."""
    seat = context.sitting()[1]
    context.set_seat(replace(seat, wishes=replace(seat.wishes, open_diary=said.on)))
    context.done(Message("press.diary.when_over", is_open=said.on))


def opened(
    renderer: MessageRenderer, words: Words, entries: Iterable[Note], game: Game
) -> tuple[Attachment, ...]:
    """Return the opened diaries of a game as a file."""
    open_ = {(s.number, s.person) for s in game.seats if s.wishes.open_diary}
    notes = [n for n in entries if (n.seat, n.person) in open_]
    diaries = tuple(
        (signed_by(words, author), tuple(note for note in notes if note.author == author))
        for author in dict.fromkeys(note.author for note in notes)
    )
    text = renderer.say(Message("press.diary.opened", diaries=diaries))
    return (Attachment(FILE, "text/plain", text[:_LONGEST_FILE].encode()),) if notes else ()


def queue_postal(context: MailContext, line: Line, text: Sequence[str]) -> None:
    """Keep a text until the results go out."""
    game, seat = context.game, context.seat
    if game is None or seat is None:
        return
    clean = redacted(context, text)
    note = _kept(context, line, NoteKind.POSTAL, clean, _why_not(context, game, seat))
    if note is None:
        return
    if context.current is not None:
        context.current = replace(context.current, postal=(*context.current.postal, note))
    context.done(Message("press.postal.kept", number=note.number))
    tell_redacted(context, clean)


def _why_not(context: MailContext, game: Game, seat: Seat) -> Message | None:
    rules = game.settings.press
    if not rules.postal:
        return Message("press.postal.none")
    if context.view() is None:
        return Message("press.postal.no_results", why=context.why_not_played())
    if seat.role is Role.MASTER:
        return None
    if seat.role is Role.OBSERVER and rules.observers is FromObservers.NONE:
        return Message("press.none_from_observers")
    return next(why_not_now(context, game, seat, to_all=True), None)


@command(
    "postal press",
    act=Act.PLAY,
    who=SEATED,
    kind=PostalPress,
    also=("postal list", "postal read", "postal delete", "postal withdraw"),
)
def look_at_postal(context: MailContext, line: Line, said: PostalPress) -> None:
    """List one's waiting notes, read one, or withdraw one."""
    gone = look_up(context, line, NoteKind.POSTAL, said.act, said.number)
    if gone is not None:
        if context.current is not None:
            left = tuple(note for note in context.current.postal if note != gone)
            context.current = replace(context.current, postal=left)
        context.done(Message("press.postal.withdrawn", number=gone.number))


def waiting_lines(context: MailContext) -> tuple[Message, ...]:
    """Return the receipt's lines about one's waiting notes."""
    return list_lines(own_notes(context, NoteKind.POSTAL))
