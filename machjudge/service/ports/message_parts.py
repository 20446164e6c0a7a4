"""What one mail brings its readers: one message for each of them, in the order of the mail.

Whoever announces something adds a part; at the end the parts for one address become one message.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from machjudge.letters.page.head import Head, Reader
from machjudge.letters.page.page import Page, Stationery
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.reply_tokens import PressToken
from machjudge.service.model.records import GameId
from machjudge.service.ports.mails import Attachment, Outgoing, in_language

_MOST_SUBJECTS = 4
"""How many subjects stand in the subject of one message."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How something stands, such as the times of a game, of which a mail may change much."""

    what: str
    lines: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What one address is told about one thing."""

    game: GameId
    to: str
    reader: Reader
    head: Head
    """The game as it stands after that."""
    subject: Wording
    lines: tuple[Wording, ...]
    standing: Standing | None = None
    """How things stand after it; of several in one message only the last is told."""
    is_press: bool = False
    """Whether people wrote it; such a message does not say what comes next."""
    is_alone: bool = False
    """Whether it is a message of its own, so that nothing beside it tells who wrote it."""
    reply: PressToken | None = None
    """For what an answer to press speaks."""


def paged(to: str, page: Page, game: GameId | None = None) -> Outgoing:
    """A page as a letter that answers no mail, with its layout and the pictures that it shows."""
    language = page.layout.partition(" ")[0]
    pictures = tuple(
        Attachment(f"{each.cid}.png", in_language(each.media_type, language), each.png, each.cid)
        for each in page.pictures
    )
    return Outgoing(
        to, page.subject, page.body, game, page.phase, attachments=pictures, layout=page.layout
    )


def in_messages(paper: Stationery, letters: Sequence[Outgoing | Part]) -> list[Outgoing]:
    """The letters, with all parts for one address in one message.

    What goes to the same address as a letter of its own, such as results, parts before and after;
    press is in the first of them.  The same letter twice is sent once.
    """
    return [
        each if isinstance(each, Outgoing) else _message(paper, each) for each in _gathered(letters)
    ]


def _gathered(letters: Sequence[Outgoing | Part]) -> list[Outgoing | list[Part]]:
    found: list[Outgoing | list[Part]] = []
    begun: dict[str, list[Part]] = {}
    letters_of: set[str] = set()
    for each in letters:
        if isinstance(each, Outgoing):
            if each in found:
                continue
            letters_of.add(each.to)
            found.append(each)
        elif each.is_alone:
            found.append([each])
        elif each.to in begun and _goes_with(each, begun[each.to], letters_of):
            begun[each.to].append(each)
        else:
            letters_of.discard(each.to)
            begun[each.to] = [each]
            found.append(begun[each.to])
    return found


def _goes_with(part: Part, begun: Sequence[Part], letters_of: Collection[str]) -> bool:
    """Whether a part goes with the message that has begun: an answer to press has one reader."""
    tokens = {each.reply for each in (part, *begun) if each.reply is not None}
    return len(tokens) <= 1 and (part.is_press or part.to not in letters_of)


def _message(paper: Stationery, parts: Sequence[Part]) -> Outgoing:
    last = parts[-1]
    facts = {
        "head": last.head,
        "reader": last.reader,
        "subject": _subject(parts),
        "lines": [*_lines(parts)],
    }
    is_press = all(part.is_press for part in parts)
    page = paper.page("press_message" if is_press else "announcement", facts)
    reply = next((part.reply for part in parts if part.reply is not None), None)
    return replace(paged(last.to, page, last.game), may_wait=True, reply=reply)


def _subject(parts: Sequence[Part]) -> Sentence:
    """Each subject once, in their order; of many only the first."""
    subjects = list(dict.fromkeys(part.subject for part in parts))
    more = max(0, len(subjects) - _MOST_SUBJECTS)
    return Sentence("message.subjects", subjects=tuple(subjects[:_MOST_SUBJECTS]), more=more)


def _lines(parts: Sequence[Part]) -> Iterator[Wording]:
    """The parts, with an empty line between two things."""
    for number, (_, group) in enumerate(groupby(_once_each(parts), key=_thing)):
        yield from ("",) if number else ()
        told = list(group)
        yield from _as_one([*dict.fromkeys(part.lines for part in told if part.lines)])
        for part in told:
            yield from ("", *part.standing.lines) if part.standing is not None else ()


def _once_each(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, with how something stands at the last one that tells of it."""
    for number, part in enumerate(parts):
        later = [each.standing.what for each in parts[number + 1 :] if each.standing is not None]
        is_old = part.standing is not None and part.standing.what in later
        yield replace(part, standing=None) if is_old else part


def _thing(part: Part) -> tuple[Wording, ...]:
    """Parts that are about the same thing; each press is one of its own."""
    return (part.subject, *part.lines) if part.is_press else (part.subject,)


def _as_one(texts: Sequence[tuple[Wording, ...]]) -> Iterator[Wording]:
    """Texts about one thing: what all of them begin or end with stands once."""
    if not texts:
        return
    begin = 1 if len({text[:1] for text in texts}) == 1 and _are_longer(texts, 1) else 0
    end = 1 if len({text[-1:] for text in texts}) == 1 and _are_longer(texts, begin + 1) else 0
    if len(texts) == 1:
        begin = end = 0
    yield from texts[0][:begin]
    for text in texts:
        yield from text[begin : len(text) - end]
    yield from texts[0][len(texts[0]) - end :] if end else ()


def _are_longer(texts: Sequence[tuple[Wording, ...]], length: int) -> bool:
    return all(len(text) > length for text in texts)
