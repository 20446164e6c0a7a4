"""What of a mail was left out on purpose: named in the answer, and searched for orders.

A greeting, a closing line and what stands below it, a signature and quoted text are no errors. An
order that stands there by mistake is named, with what to do, near the top of the answer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.receipt.todo import asked, example, todo
from machjudge.reading import Aside, Where
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.view import SeenGame
from machjudge.service.lines.overlooked import Search
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session
from machjudge.service.session.unread_lines import MOST_SHOWN, more_lines, shortened

_SINCE = timedelta(days=60)
_MOST_LETTERS = 30
_OURS = 0.5
"""Which part of the quoted rows must be ours, so that what is not was changed in them."""
_QUOTED_ROWS = 3
"""So many rows of a letter show that it is quoted."""
_POSTSCRIPT = re.compile(r"(?:p\.? ?p?\.?s\.?|n\.?b\.?)\s*[:.-]?\s+", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:'\w+)*|[-=:/+]+>?")


def tell_asides(session: Session) -> None:
    """Name what was left out, and what of it looks like an order or a command.

    A greeting costs nobody anything who has signed on to nothing.
    """
    search = Search(session)
    for where in Where:
        here = [aside for aside in session.mail.asides if aside.where is where]
        meant = _meant(search, where, here)
        is_greeting = where is Where.GREETING and session.seat is not None
        shown = here if is_greeting or where is Where.CLOSING else meant
        if shown:
            _tell(search, where, shown, meant)
            if where is not Where.SIGNATURE and (
                where is not Where.QUOTE or _is_ours(session, here)
            ):
                # In quoted text, only a change of what the judge wrote is surely meant.
                session.missed += [_POSTSCRIPT.sub("", each.text) for each in meant]


def _meant(search: Search, where: Where, asides: Sequence[Aside]) -> list[Aside]:
    """The rows that look like orders or commands, each text once."""
    if where is Where.GREETING:
        return []
    found = (each for each in asides if _is_meant(search, where, each))
    once = {each.text.lower(): each for each in found if not search.is_on_file(each.text)}
    meant = list(once.values())
    return _without_ours(search.session, meant, asides) if where is Where.QUOTE else meant


def _is_meant(search: Search, where: Where, aside: Aside) -> bool:
    """Whether a row is an order or a command; a signon counts only where its writer wrote it."""
    text = _POSTSCRIPT.sub("", aside.text)
    return (where is Where.CLOSING and search.is_signon(text)) or search.finds(text)


# --- quoted text ------------------------------------------------------------------------------


def _without_ours(session: Session, meant: list[Aside], quoted: Sequence[Aside]) -> list[Aside]:
    """The rows that the judge did not write: the sender typed or changed them."""
    if not meant:
        return []
    form = _form(session)
    strange = [each for each in meant if not holds(form, each.text)]
    if not strange:
        return []
    letters = (each.words for each in letters_to_writer(session))
    ours = _quoted_of_ours([each.text for each in quoted], letters)
    return [each for each in strange if each.text not in ours]


def _quoted_of_ours(rows: Sequence[str], letters: Iterable[str]) -> frozenset[str]:
    """The rows that stand in letters which are quoted: of each, several rows are here.

    A message that only repeats what the sender once typed into a quotation is not one of them.
    """
    held = [frozenset(row for row in rows if holds(text, row)) for text in letters]
    ours: frozenset[str] = frozenset()
    while held:
        best = max(held, key=lambda found: len(found - ours))
        if len(best - ours) < _QUOTED_ROWS:
            break
        ours |= best
    return ours


def _is_ours(session: Session, quoted: Sequence[Aside]) -> bool:
    """Whether most of the quoted rows are of one letter of the judge."""
    rows = [each.text for each in quoted]
    letters = letters_to_writer(session)
    most = max((sum(holds(each.words, row) for row in rows) for each in letters), default=0)
    return most >= len(rows) * _OURS


@dataclass(frozen=True, slots=True)
class SentWords:
    """A message to the sender of the mail."""

    made: datetime
    words: str
    """As `plain_words` has them."""


def letters_to_writer(session: Session) -> list[SentWords]:
    """The messages that were lately sent to the sender of this mail."""
    owner = session.seat.address if session.seat is not None else ""
    addresses = {session.address, session.answer_to, owner} - {""}
    typed = _repeated(session)
    return [
        SentWords(made, plain_words(typed.sub("", body)))
        for address in sorted(addresses)
        for made, body in session.uow.outbox.bodies(address, session.now - _SINCE, _MOST_LETTERS)
    ]


def _repeated(session: Session) -> re.Pattern[str]:
    """Where an answer repeats what its reader typed."""
    begins = session.say(Sentence("session.line", number=0, text=""))
    pattern = re.escape(begins).replace("0", r"\d+")
    return re.compile(rf"^ *{pattern}.*$", re.MULTILINE)


def _form(session: Session) -> str:
    """The words of the lines that the judge asks for in this phase."""
    situation = session.situation()
    if situation is None or session.power is None:
        return ""
    seen = as_led(situation, session.power)
    powers = {power for seat in own_seats(session) for power in seat.powers} | {session.power}
    lines = [
        line
        for power in sorted(powers)
        for line in (*todo(seen.words, seen.state, power), *_asked(seen, power))
    ]
    return plain_words("\n".join(map(session.say, lines)))


def _asked(seen: SeenGame, power: PowerId) -> Iterator[Wording]:
    asks = asked(seen.words, seen.state, power)
    return chain(asks.due, asks.form, example(seen.words, seen.state, power))


def plain_words(text: str) -> str:
    """The words and signs of a text in one line: how it was broken makes no difference."""
    found = _WORD.findall(text.lower())
    return f" {' '.join('-' if word == '->' else word for word in found)} "


def holds(words: str, text: str) -> bool:
    """Whether the words of a row stand in a text, one behind the other."""
    return plain_words(text) in words


# --- what is said of it -----------------------------------------------------------------------


def _tell(search: Search, where: Where, shown: Sequence[Aside], meant: Sequence[Aside]) -> None:
    session = search.session
    for aside in shown[:MOST_SHOWN]:
        text = _shown(session, aside)
        session.answer.ignored.append(Sentence("session.line", number=aside.number, text=text))
    if len(shown) > MOST_SHOWN:
        session.answer.ignored.append(more_lines(shown))
    if where is not Where.GREETING:
        session.answer.ignored.append(Sentence(f"lines.aside.{where.name.lower()}"))
    if not meant:
        return
    session.answer.overlooked += [aside.number for aside in meant]
    numbers = tuple(str(aside.number) for aside in meant[:MOST_SHOWN])
    powers = dict.fromkeys(each for aside in meant for each in search.others_in(aside.text))
    told = Sentence(
        "lines.overlooked",
        numbers=numbers,
        n=len(meant),
        where=where.name.lower(),
        others=tuple(powers),
    )
    session.answer.ignored.append(told)


def _shown(session: Session, aside: Aside) -> str:
    """As much of a row as is needed to find it again."""
    text = session.safe(aside.text)
    mark = "> " if aside.where is Where.QUOTE else ""
    return mark + shortened(text)
