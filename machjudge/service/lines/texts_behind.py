"""Commands behind which a text stands: press, postal press, an entry of a diary."""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.language.commands.commands import (
    END_PRESS,
    Diary,
    PostalPress,
    Press,
    SignOff,
    SignOn,
)
from machjudge.reading import Line, Where
from machjudge.sentence import Sentence
from machjudge.service.credentials.reply_tokens import PressToken
from machjudge.service.lines.overlooked import Search
from machjudge.service.press import diary, postal, press_room
from machjudge.service.session.incoming import SaidLines
from machjudge.service.session.redacting import redacted
from machjudge.service.session.session import Session

_MOST_NAMED = 8
_ENDS = frozenset(("signoff", "endpress"))


def write(
    session: Session, line: Line, said: Press | PostalPress | Diary, text: Sequence[str]
) -> None:
    """Do with a text what its command says; what cannot be done returns it to its writer."""
    session.has_written = True
    match said:
        case Press():
            press_room.press(session, line, said, text)
        case PostalPress():
            postal.hold(session, line, text)
        case Diary():
            diary.record(session, line, text)


@dataclass(frozen=True, slots=True)
class TextBehind:
    """The text behind a command."""

    text: tuple[str, ...]
    """As it was written, with its empty lines."""
    lines: tuple[Line, ...]
    """Its lines without the empty ones."""
    has_end: bool
    """Whether its writer has said where it ends."""


def passage_behind(said: SaidLines, left: list[Line], number: int) -> TextBehind:
    """Take the text that stands behind the line of that number, and its end, out of the lines.

    The reader of the mail has marked its lines: none of them is ever a command, whatever it looks
    like.
    """
    text: list[str] = []
    lines: list[Line] = []
    while left and left[0].is_press:
        line = left.pop(0)
        text += [""] * (line.number - number - 1)
        text.append(line.raw)
        lines.append(line)
        number = line.number
    has_end = bool(left) and said.command(left[0]) == END_PRESS
    if has_end:
        left.pop(0)
    return TextBehind(tuple(text), tuple(lines), has_end)


def swallowed(session: Session, passage: TextBehind) -> tuple[Line, ...]:
    """The lines of a text without an end that look like orders or commands of their writer."""
    if passage.has_end:
        return ()
    search = Search(session)
    texts = ((line, line.text.strip()) for line in passage.lines)
    return tuple(line for line, text in texts if search.is_signon(text) or search.finds(text))


def hold_back(session: Session, line: Line, passage: TextBehind, meant: Sequence[Line]) -> None:
    """Send nothing and carry out nothing; the writer gets the text, and is told what to write."""
    numbers = tuple(str(each.number) for each in meant[:_MOST_NAMED])
    session.refuse(line, Sentence("lines.no_endpress", numbers=numbers, n=len(meant)))
    session.answer.overlooked += [each.number for each in meant]
    session.missed += [each.text.strip() for each in meant]
    press_room.give_back(session, redacted(session, passage.text))


def answer_press(session: Session, token: PressToken) -> bool:
    """Send the words of an answer to press on; whether the mail is nothing but such an answer.

    One that begins a text of its own and ends it says itself what is for whom.
    """
    own = (None, Where.GREETING, Where.CLOSING)
    said = [row for row in session.mail.rows if row.where in own]
    lines = [each for each in said if each.is_press or each.text.lower() not in _ENDS]
    first = next(iter(lines), None)
    command = session.said.command(first) if first is not None else None
    if isinstance(command, Press | PostalPress | Diary):
        has_end = any(session.said.command(each) == END_PRESS for each in said)
        if has_end or not isinstance(command, Press):
            return False
        lines = lines[1:]
    session.answers_press = session.has_written = True
    if first is None or session.mail.suspected is not None:
        session.answer.verdict.append(Sentence("press.no_answer", is_empty=first is None))
        return True
    search = Search(session)
    meant = (each.text for each in lines if search.finds(each.text.strip()))
    session.orders_in_press = tuple(meant)
    if isinstance(command, Press):
        press_room.press(session, first, command, _spaced(lines))
    else:
        press_room.answer(session, first, token, _spaced(lines))
    return True


def _spaced(lines: Sequence[Line]) -> list[str]:
    """The lines as they were written, with an empty one where some stood between them."""
    text: list[str] = []
    before = lines[0].number if lines else 0
    for line in lines:
        text += [""] if line.number > before + 1 else []
        text += line.raw.split("\n")
        before = line.number + line.raw.count("\n")
    return text


def end_of_text(said: SaidLines, left: Sequence[Line]) -> int:
    """How many lines stand above the end of a text that no command of ours begins; 0 if none."""
    for number, line in enumerate(left):
        command = said.command(line)
        if command == END_PRESS:
            return number
        if line.is_press or isinstance(command, Press | PostalPress | Diary | SignOff | SignOn):
            return 0
    return 0
