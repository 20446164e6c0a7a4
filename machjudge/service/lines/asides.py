"""What of a mail was left out on purpose: named in the answer, and searched for orders.

A greeting, a closing line and what stands below it, a signature and quoted text are no errors. An
order that stands there by mistake is named, with what to do, near the top of the answer.
"""

import re
from collections.abc import Sequence

from machjudge.reading import Line, Owner, Where
from machjudge.sentence import Sentence
from machjudge.service.lines.overlooked import Search
from machjudge.service.session.session import Session
from machjudge.service.session.unread_lines import MOST_SHOWN, more_lines, shortened

_POSTSCRIPT = re.compile(r"(?:p\.? ?p?\.?s\.?|n\.?b\.?)\s*[:.-]?\s+", re.IGNORECASE)


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
            if where is not Where.SIGNATURE:
                # In quoted text, only a change of what the judge wrote is surely meant.
                sure = (each for each in meant if each.is_changed or where is not Where.QUOTE)
                session.missed += [_POSTSCRIPT.sub("", each.text) for each in sure]


def _meant(search: Search, where: Where, asides: Sequence[Line]) -> list[Line]:
    """The rows that look like orders or commands, each text once."""
    if where is Where.GREETING:
        return []
    found = (
        each for each in asides if each.owner is not Owner.JUDGE and _is_meant(search, where, each)
    )
    once = {each.text.lower(): each for each in found if not search.is_on_file(each.text)}
    return list(once.values())


def _is_meant(search: Search, where: Where, aside: Line) -> bool:
    """Whether a row is an order or a command; a signon counts only where its writer wrote it."""
    text = _POSTSCRIPT.sub("", aside.text)
    return (where is Where.CLOSING and search.is_signon(text)) or search.finds(text)


# --- what is said of it -----------------------------------------------------------------------


def _tell(search: Search, where: Where, shown: Sequence[Line], meant: Sequence[Line]) -> None:
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


def _shown(session: Session, aside: Line) -> str:
    """As much of a row as is needed to find it again."""
    text = session.safe(aside.text)
    mark = "> " if aside.where is Where.QUOTE else ""
    return mark + shortened(text)
