"""The lines of a mail that were nothing: refused with a hint, or named as not read."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from machjudge.language.commands.commands import Join, SignOff, SignOn
from machjudge.letters.layout.lines import one_line
from machjudge.letters.page.reply import Text
from machjudge.reading import Defect, Line, MailFlaw, Where
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.reply_tokens import ActToken
from machjudge.service.game import registry
from machjudge.service.identity.tokens import signon_for
from machjudge.service.info.foreign_commands import QUESTION, explained
from machjudge.service.info.welcome import give_welcome
from machjudge.service.lines.asides import tell_asides
from machjudge.service.lines.command_table import TABLE, nearest_entry
from machjudge.service.lines.form_answers import offers_lines
from machjudge.service.lines.kinds import is_greeting, is_order_like
from machjudge.service.model.records import Role
from machjudge.service.session.command import CommandEntry
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.session import Session, is_player
from machjudge.service.session.unread_lines import MOST_SHOWN, shortened, tell_unread

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
