"""Lines of a mail that were not read: their numbers, and enough of them to know them again."""

import re
from collections.abc import Iterable, Sequence

from machjudge.reading import Line, redact_known, redact_words
from machjudge.sentence import Sentence
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.session import Session

MOST_SHOWN = 12
"""Of how many lines the answer shows the beginning."""
LONGEST_SHOWN = 48
_LINK = re.compile(r"://|www\.|\S@\S", re.IGNORECASE)
_LINES_ABOVE = 4
"""Above a line there may be a signon whose password it is."""


def tell_unread(session: Session, lines: Sequence[Line]) -> None:
    """Name the lines in the answer."""
    shown = [_beginning(session, line) for line in lines[:MOST_SHOWN]]
    if len(lines) > MOST_SHOWN:
        shown.append(more_lines(lines))
    session.answer.ignored += shown


def more_lines(lines: Sequence[Line]) -> Sentence:
    """How many lines there are beside those that are shown, and where the last of them stands."""
    return Sentence("session.more_lines", n=len(lines) - MOST_SHOWN, last=lines[-1].number)


def tell_comments(session: Session, comments: Iterable[tuple[int, str]]) -> None:
    """Say what of lines was not read, each with the number of its line."""
    for number, text in comments:
        told = Sentence("session.line", number=number, text=session.safe(text))
        session.answer.ignored.append(told)


def shortened(text: str, most: int = LONGEST_SHOWN) -> str:
    """The text, or its beginning."""
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def _beginning(session: Session, line: Line) -> Sentence:
    """The number of a line and its beginning.

    Without a sign-in, only orders and commands are repeated: anybody can write any address into
    From, and the judge must not carry other words there.
    """
    text = _redacted(session, line)
    words = vocabulary()
    is_known = session.seat is not None or words.is_unit_order(text) or words.begins_command(text)
    first, *_ = text.split() or [""]
    most = LONGEST_SHOWN if is_known and not _LINK.search(text) else len(first)
    return Sentence("session.line", number=line.number, text=shortened(text, most))


def _redacted(session: Session, line: Line) -> str:
    """A line without a password, also where that stands in a line of its own below the signon."""
    lines = session.mail.lines
    at = next((n for n, each in enumerate(lines) if each.number == line.number), None)
    if at is None:
        return session.safe(line.text)
    above = [each.text for each in lines[max(0, at - _LINES_ABOVE) : at]]
    return redact_known(redact_words([*above, line.text])[-1], session.secrets)
