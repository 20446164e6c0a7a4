"""The lines of a mail that were nothing: refused with a hint, or named as not read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from machjudge.language.commands.commands import Audience, Join, SignOff, SignOn
from machjudge.language.vocabulary.said import Fault, Problem
from machjudge.letters.layout.lines import one_line
from machjudge.letters.page.reply import Text
from machjudge.letters.receipt.todo import asked
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Defect, Line, MailFlaw, Owner, Where, means_password
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.reply_tokens import ActToken
from machjudge.service.game import registry
from machjudge.service.identity.tokens import signon_for
from machjudge.service.info.foreign_commands import QUESTION, explained
from machjudge.service.info.welcome import give_welcome
from machjudge.service.lines.command_table import TABLE, nearest, nearest_entry
from machjudge.service.lines.form_answers import offers_lines
from machjudge.service.lines.kinds import is_greeting, is_order_like
from machjudge.service.lines.overlooked import Search
from machjudge.service.model.records import Role
from machjudge.service.session.audience import meant_by
from machjudge.service.session.command import CommandEntry
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session, is_player
from machjudge.service.session.unread_lines import MOST_SHOWN, more_lines, shortened, tell_unread

OPENING = frozenset(
    name.split()[0]
    for entry in TABLE
    for name in (entry.name, *entry.also)
    if entry.opens_seat and entry.secret_at
)
"""First words of lines in which a password stands."""

_MOST_EXPLAINED = 50
"""For so many lines that are no command the nearest one is looked for, which takes long."""


_MOST_WORDS = 6
"""A longer line is prose, however much its first word looks like that of a command."""


@dataclass(slots=True)
class Leftovers:
    """What is left of a mail when everything else is done."""

    session: Session
    lines: list[Line] = field(default_factory=list)
    """Lines that are no commands, of somebody who gives no orders."""
    prose: list[Line] = field(default_factory=list)
    """What is said to somebody, and what greets."""

    def tell(self, left: Sequence[Line], heard: int) -> None:
        """Lines that were nothing: alone a trouble, beside something else a remark.

        *left* are the lines below the end of the mail, *heard* is how many were commands.
        """
        if self._is_first_contact(heard):
            self._tell_defects(heard)
        elif self._has_orders_alone(heard):
            self._ask_for_signon()
            tell_asides(self.session)
            self._tell_defects(heard=1)
        else:
            self._tell_lines(left, heard)

    def _tell_lines(self, left: Sequence[Line], heard: int) -> None:
        rest = self.prose
        failed = [line for line in rest if isinstance(self.session.said.command(line), SignOn)]
        if failed and not heard:
            heard += 1
            rest.remove(failed[0])
            self.session.refuse_all(failed[0], registry.NOT_OPENED)
        looked_at = [(line, explained(line.text)) for line in self.lines[:_MOST_EXPLAINED]]
        told = set()
        for number, (line, reason) in enumerate(looked_at):
            near = None if reason is not None else nearest_entry(line.text, self.session.said.near)
            if reason is not None or near is not None or (number == 0 and not heard):
                told.add(number)
                self._no_such_command(line, reason, near)
        heard += sum(reason not in (None, QUESTION) for _, reason in looked_at)
        others = [line for number, line in enumerate(self.lines) if number not in told]
        greeted = [] if self.session.seat is None else rest
        tell_unread(self.session, sorted([*greeted, *others], key=lambda line: line.number))
        self._tell_left(left)
        if others and not self.session.is_closed:
            above = self.session.seat is None or is_player(self.session.seat)
            self.session.answer.ignored.append(Sentence("lines.unread_orders", above=above))
        tell_asides(self.session)
        self._tell_untouched()
        self._tell_defects(heard)

    def _tell_untouched(self) -> None:
        """That a player's answer that orders nothing, or only quotes a message, does nothing."""
        mail, answer = self.session.mail, self.session.answer
        quotes = any(aside.where is Where.QUOTE for aside in mail.asides)
        is_reply = self.session.opened_by_token and not self.session.answers_press
        did = (mail.lines, answer.done, answer.overlooked, answer.troubles, answer.verdict)
        does_something = any(did) or (is_reply and not quotes and mail.has_own_words)
        if (quotes or is_reply) and not does_something and is_player(self.session.seat):
            offers = offers_lines(self.session)
            own = (Where.GREETING, Where.CLOSING)
            says = mail.has_own_words or any(aside.where in own for aside in mail.asides)
            told = Sentence("lines.untouched", says=says, quotes=quotes, offers=offers)
            answer.verdict.append(told)

    def _is_first_contact(self, heard: int) -> bool:
        """Whether somebody without a seat says nothing that looks like an order or a command."""
        return self._opens_nothing(heard) and not any(map(self._looks_meant, self.lines))

    def _has_orders_alone(self, heard: int) -> bool:
        """Whether somebody has sent orders, and nothing that opens a seat."""
        others = [line for line in self.lines if not _is_order(line)]
        has_orders = len(others) < len(self.lines) and not any(map(self._looks_meant, others))
        return has_orders and self._opens_nothing(heard)

    def _looks_meant(self, line: Line) -> bool:
        """Whether a line may be meant as an order, or as a command of this judge or another."""
        if _is_order(line) or explained(line.text) not in (None, QUESTION):
            return True
        near = self.session.said.near
        return not _is_prose(line.text) and nearest_entry(line.text, near) is not None

    def _opens_nothing(self, heard: int) -> bool:
        """Whether nobody has signed on, and nobody has tried to."""
        said = map(self.session.said.command, self.prose)
        return (
            self.session.seat is None and not heard and not any(isinstance(c, SignOn) for c in said)
        )

    def _ask_for_signon(self) -> None:
        """Refuse the first order, with the lines to send; nothing but orders is repeated."""
        orders = [line for line in self.lines if _is_order(line)]
        shown = tuple(shortened(self.session.safe(line.text)) for line in orders[:MOST_SHOWN])
        self.session.refuse(orders[0], Sentence("lines.no_signon"))
        seat, _ = signon_for(self.session) or ("", None)
        signed = Sentence("lines.signed", orders=shown, more=len(orders) - len(shown), seat=seat)
        self.session.answer.texts.append(Text(Sentence("lines.send_this"), (signed,)))

    def _tell_left(self, left: Sequence[Line]) -> None:
        """Below a signoff nobody looks for anything, unless another signon stands there."""
        left = [line for line in left if not isinstance(self.session.said.command(line), SignOff)]
        if (
            self.session.is_closed
            and not self.session.answer.troubles
            and not self.session.has_quit
            and not self.session.has_resigned
        ):
            at = next((n for n, line in enumerate(left) if self._opens(line)), len(left))
            tell_unread(self.session, left[at:])
            self.session.answer.ignored += [Sentence("lines.below")] if left[at:] else []
        else:
            tell_unread(self.session, left)
            if left and self.session.has_resigned:
                self.session.answer.ignored.append(Sentence("lines.below_resign"))

    def _opens(self, line: Line) -> bool:
        command = None if is_greeting(line) else self.session.said.command(line)
        return isinstance(command, SignOn | Join)

    def _no_such_command(
        self, line: Line, reason: Wording | None, near: CommandEntry | None
    ) -> None:
        seat = self.session.seat
        is_player = seat is None or seat.role is Role.PLAYER
        if not is_player and near is None and reason is None:
            self.session.refuse(line, Sentence("lines.only_players"))
            return
        if near is not None and near.name.split()[0] in OPENING:
            self.session.secrets.update(line.text.split()[1:])
        _refuse(self.session, line, reason, near)

    def _tell_defects(self, heard: int) -> None:
        file = self.session.mail.file
        if file is not None:
            name = one_line(file.name)
            told = Sentence("lines.file_read", name=name, first=file.first, last=file.last)
            self.session.answer.notices.append(told)
        # An empty answer confirms something, or opens a seat: nothing is missing in it.
        is_answer = bool(heard) and not self.session.mail.lines
        for defect in self._defects():
            if is_answer and defect.flaw is MailFlaw.EMPTY:
                continue
            is_notice = defect.flaw is MailFlaw.LOOKS_AUTOMATIC
            if is_notice:
                notice = Sentence("lines.full_notice", text=defect.words)
                self.session.answer.notices.append(notice)
            else:
                self.session.answer.ignored.append(defect.words)
        is_empty = any(defect.flaw is MailFlaw.EMPTY for defect in self._defects())
        if (is_empty and not is_answer) or (not heard and not self.session.answer.texts):
            give_welcome(self.session)

    def _defects(self) -> list[Defect]:
        """What is wrong with the mail; an answer to a message needs no text and no signon."""
        answers = self.session.opened_by_token or any(
            isinstance(each, ActToken) for each in self.session.speaks
        )
        none_needed = _NEEDED if answers else frozenset()
        return [each for each in self.session.mail.defects if each.flaw not in none_needed]


_NEEDED = frozenset({MailFlaw.EMPTY, MailFlaw.SIGNON_ONLY_QUOTED})
"""What is wrong with a mail only where it has to open a seat itself."""


def _is_order(line: Line) -> bool:
    return is_order_like(line.text, None)


def _is_prose(text: str) -> bool:
    return text.endswith("?") or len(text.split()) > _MOST_WORDS


def refuse_unknown(session: Session, line: Line) -> None:
    """Refuse what is no command here, with what there is instead; only its first word is shown."""
    reason = explained(line.text)
    _refuse(session, line, reason, None if reason is not None else nearest_entry(line.text))


def _refuse(
    session: Session, line: Line, reason: Wording | None, near: CommandEntry | None
) -> None:
    first = line.first_word
    shown = replace(line, text=first if first == line.text else f"{first} …")
    if session.seat is None and vocabulary().is_unit_order(line.text):
        reason = Sentence("lines.no_signon")
    if reason is not None:
        session.refuse(shown, reason)
    else:
        unknown = Sentence("lines.no_command", word=first)
        session.refuse(shown, unknown, instead=None if near is None else near.usage)


# --- what was left out on purpose ---------------------------------------------------------------

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
    # Of a message that is not known, the lines of the form are the judge's own all the same.
    ours = _of_form(search.session) if where is Where.QUOTE else frozenset()
    once = {each.text.lower(): each for each in found if not search.is_on_file(each.text)}
    return [each for text, each in once.items() if " ".join(text.split()) not in ours]


def _of_form(session: Session) -> frozenset[str]:
    """The lines that the judge offers in this phase, in small letters."""
    view, power = session.situation(), session.power
    if view is None or power is None:
        return frozenset()
    seen = as_led(view, power)
    lines = map(session.say, asked(seen.words, seen.state, power).form)
    return frozenset(" ".join(line.lower().split()) for line in lines)


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


# --- lines that begin like a command and are none -----------------------------------------------

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
