"""Lines that begin like a command and are none: what is wrong, without a password in it."""

import re
from collections.abc import Sequence

from machjudge.language.commands.commands import Audience
from machjudge.language.vocabulary.said import Fault, Problem
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line, means_password
from machjudge.sentence import Sentence, Wording
from machjudge.service.lines.command_table import nearest
from machjudge.service.lines.leftovers import OPENING
from machjudge.service.session.audience import meant_by
from machjudge.service.session.session import Session

_NO_NAME = re.compile("[^A-Za-z0-9?]+")
"""What can stand between the name of a game and a password joined to it."""

_ABOUT_ORDERS = frozenset(("clear", "restore"))
"""With what commands about the orders on file begin."""

_MOST_SIGNONS = 10
_SHORTEST_PASSWORD = 3


def refuse_problem(
    session: Session, line: Line, problem: Problem, *, has_text: bool = False
) -> None:
    """Refuse a line that begins like a command; a word in a password's place is not repeated.

    *has_text* says whether the text of a message stands below it.
    """
    words = line.text.split()
    if words[0].lower() == "phase":
        # Orders for a phase that could not be read are for no other one.
        session.is_nowhere = session.is_phase_unread = True
    if words[0].lower() in OPENING or _sets_password(words):
        _password_problem(session, line, problem, words)
        return
    session.refuse(
        line,
        Sentence("lines.expected", reason=problem.reason, expected=tuple(problem.expected)),
        column=problem.column,
        length=len(problem.found) or 1,
        instead=problem.nearest or _as_written(session, line, problem, has_text),
    )


def is_about_orders(line: Line, problem: Problem) -> bool:
    """Whether a refused command would have changed the orders, or kept the phase open."""
    meant = (problem.nearest or "").lower().split()
    return line.first_word.lower() in _ABOUT_ORDERS or meant[-1:] == ["wait"]


def _password_problem(session: Session, line: Line, problem: Problem, words: Sequence[str]) -> None:
    """Show what stands before the password, as it is; the secrets are words in it at times."""
    second, *joined = _NO_NAME.split(words[1]) if words[1:] else [""]
    more = len(words) > 2 or bool(joined)  # noqa: PLR2004  behind the name
    if words[0].lower() in OPENING and not more and not _names_game(session, second):
        # The only word behind SIGNON may be the password.
        second, joined, more = "", [second], bool(second)
    session.secrets.update(filter(None, (*words[2:], *joined)))
    shown = f"{words[0]} {second}".strip() + (" …" if more else "")
    trouble = Trouble(line.number, shown, problem.reason)
    session.answer.troubles.append(trouble)


def _names_game(session: Session, word: str) -> bool:
    """Whether a word is the name of a game, with or without a letter before it."""
    return any(name and session.find_game(name) for name in (word, word[1:]))


def hide_signon(session: Session, line: Line, number: int) -> None:
    """`Lborgia tulip9`: a signon without its first word shows nobody the password.

    *number* is how many lines of the mail were no commands so far; each costs a look-up.
    """
    first, *others = line.text.split()
    is_short = len(others) in (1, 2) and number <= _MOST_SIGNONS
    if is_short and session.seat is None and _names_game(session, first):
        session.secrets.update(each for each in others if len(each) >= _SHORTEST_PASSWORD)


def _as_written(session: Session, line: Line, problem: Problem, has_text: bool) -> Wording | None:
    """How a setting that lacks its value is written, or a command with a text behind it."""
    lacks = problem.fault is Fault.INCOMPLETE and line.text[:3].lower() == "set"
    if not (lacks or has_text):
        return None
    return _with_to(session, line) or nearest(line.text)


def _with_to(session: Session, line: Line) -> str | None:
    """``press V`` with the word that is missing, where the others name readers."""
    first, *names = line.text.split()
    game = session.game
    if game is None or first.lower() != "press" or not names:
        return None
    to = meant_by(session.services.scenario(game), Audience(tuple(names)))
    return None if isinstance(to, Sentence) else f"PRESS TO {' '.join(names)}"


def _sets_password(words: Sequence[str]) -> bool:
    """Whether somebody seems to have meant ``set password``."""
    return words[0].lower() == "set" and len(words) > 1 and means_password(words[1])
