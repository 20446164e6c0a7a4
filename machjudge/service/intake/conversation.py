"""The lines of a mail, one after the other: commands to their handlers, orders to the sheet."""

from dataclasses import replace

from machjudge.language.commands.commands import (
    Become,
    Command,
    Diary,
    NotACommand,
    NoteAction,
    PlainCommand,
    PostalPress,
    Press,
    SignOn,
)
from machjudge.language.vocabulary.said import Problem
from machjudge.language.vocabulary.wishes import wish_of
from machjudge.reading import Line, LineKind
from machjudge.service.identity import irreversible, senders
from machjudge.service.identity.tokens import confirm_changes
from machjudge.service.info.foreign_commands import begins_press
from machjudge.service.info.plain_questions import answer_questions
from machjudge.service.intake.by_token import open_by_token, press_answered, tell_why_not
from machjudge.service.intake.command_lines import CommandLines
from machjudge.service.limits.rations import TOO_MANY, TooManyPasswords
from machjudge.service.lines import texts_behind
from machjudge.service.lines.bounds import (
    DRY,
    MOST_ERRORS,
    NOT_IN_DRY_MAILS,
    TOO_MANY_ERRORS,
    Heard,
    commands_of,
    is_harmless,
    stop,
    tell_cut,
)
from machjudge.service.lines.form_answers import take_form
from machjudge.service.lines.kinds import (
    is_greeting,
    kind_of,
    questions_within,
    says_nothing,
)
from machjudge.service.lines.leftovers import (
    Leftovers,
    hide_signon,
    is_about_orders,
    refuse_problem,
    refuse_unknown,
)
from machjudge.service.lines.overlooked import Search
from machjudge.service.orders.drafting import OrderDraft
from machjudge.service.phases.impersonation import parted_by_power
from machjudge.service.press import press_room
from machjudge.service.seats import entering, joining
from machjudge.service.seats.confirming import hear_answer
from machjudge.service.session.redacting import redacted
from machjudge.service.session.session import Session, is_player
from machjudge.service.session.unread_lines import tell_unread
from machjudge.service.setup.wished_mails import language_set_by


def converse(session: Session) -> None:
    """Carry out what a mail says; changes and answer are in *session* afterwards."""
    _Conversation(session).hold()


class _Conversation:
    """The lines of one mail with what is left of them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.left = list(session.mail.lines)
        self.unread = Leftovers(session)
        self.draft = OrderDraft(session)
        self.commands = CommandLines(session, self.left, self.draft)
        self.heard = 0
        """How many lines were commands."""
        self.room = Heard()
        self.questions: list[Line] = []
        """What is asked in plain words, answered once the orders are on file."""

    def hold(self) -> None:
        """Go through the lines, then put the orders on file."""
        commands = [*commands_of(self.session.said, self.session.mail.lines)]
        self.session.is_dry = DRY in commands
        self.session.wanted_language = language_set_by(self.session, commands)
        self._hear_tokens()
        self._answer_press()
        while self.left and not self.session.is_closed:
            if self.session.answer.errors >= MOST_ERRORS:
                stop(self.session, self.left[0].number, TOO_MANY_ERRORS)
            else:
                self._try(self.left.pop(0))
        if self.session.once_known is not None:
            self.session.once_known()
        self.commands.file_orders()
        answer_questions(self.session, self.questions)
        confirm_changes(self.session)
        joining.start_if_full(self.session)
        press_room.send_unsigned(self.session)
        tell_unread(self.session, self.draft.unread)
        self.unread.tell(self.left, self.heard)
        self._wait_for_missed()
        tell_why_not(self.session)
        tell_cut(self.session)

    def _hear_tokens(self) -> None:
        """Open the seat that a token opens; an answer about an act is read as that act."""
        if not self.session.is_dry:
            self.heard += hear_answer(self.session)
        answered = irreversible.hear_answer(self.session, self.commands.in_full)
        if answered is None:
            open_by_token(self.session)
            take_form(self.session)
            self.left[:] = self.session.mail.lines
            senders.turned_away(self.session, None)
        else:
            self.left[:] = answered.lines
        self.heard += answered is not None or self.session.opened_by_token

    def _answer_press(self) -> None:
        """An answer to press goes to its writer as it is: nothing in it is read as an order."""
        token = press_answered(self.session)
        if token is not None and texts_behind.answer_press(self.session, token):
            self.session.is_dry, self.session.wanted_language = False, ""
            self.session.mail = replace(self.session.mail, rows=())
            self.left.clear()
            self.heard += 1

    # --- lines --------------------------------------------------------------------------------

    def _try(self, line: Line) -> None:
        try:
            self._hear(line)
        except TooManyPasswords:
            self.session.refuse_all(line, TOO_MANY)

    def _hear(self, line: Line) -> None:
        if line.is_press:
            self._stray(line)
            return
        command = self.session.said.command(line)
        if self.draft.takes(line, self.left):
            self.draft.branch(line)
        elif (parts := self._parts(line, command)) is not None:
            self.left[:0] = parts
        else:
            self._hear_kind(line, command)

    def _hear_kind(self, line: Line, command: Command | NotACommand | Problem) -> None:
        """Take a row as what it is."""
        kind = kind_of(self.session, line, command)
        if kind is LineKind.COMMAND and isinstance(command, NotACommand):
            self._foreign(line)
        elif kind is LineKind.COMMAND and not isinstance(command, NotACommand):
            self.draft.break_off()
            self._hear_command(line, command)
        elif kind is LineKind.QUESTION and self.session.seat is not None:
            self.questions.append(line)
        elif kind is LineKind.ORDER and is_player(self.session.seat):
            self.draft.take(line)
        elif says_nothing(line.text) or (
            self.session.seat is not None and kind is not LineKind.ORDER
        ):
            self.unread.prose.append(line)
        else:
            self.unread.lines.append(line)
            hide_signon(self.session, line, len(self.unread.lines))

    def _parts(
        self, line: Line, command: Command | NotACommand | Problem
    ) -> tuple[Line, ...] | None:
        """The lines of which one row is made; None if it is but one.

        The power that a line names, and its orders for it; what it orders, and what it asks.
        """
        is_own = isinstance(command, Become) and command.own
        if not (is_own or isinstance(command, NotACommand)):
            return None
        asked = questions_within(self.session, line)
        if asked or line.text[1:2] == " ":  # as most orders begin
            return asked or None
        return parted_by_power(self.session, line)

    def _hear_command(self, line: Line, command: Command | Problem) -> None:
        match command:
            case Problem() | SignOn() if is_greeting(line):
                self._greeting(line, command)
            case Problem() if is_player(self.session.seat) and wish_of(line.text) is not None:
                # As with an order that cannot be read, the phase must not begin without it.
                self.draft.take(line)
            case Problem():
                self._wrong_command(line, command)
            case (
                PlainCommand(name="register")
                | Press()
                | PostalPress(act=NoteAction.RECORD)
                | Diary(act=NoteAction.RECORD)
            ) if not self.room.takes(self.session, line, command):
                self.left.insert(0, line)
            case PlainCommand(name="register"):
                self.heard += 1
                self.commands.register(line)
            case Press() | PostalPress(act=NoteAction.RECORD) | Diary(act=NoteAction.RECORD):
                self.heard += 1
                self.commands.write(line, command)
            case _ if self.session.is_dry and not is_harmless(command):
                self.heard += 1
                self.session.refuse_all(line, NOT_IN_DRY_MAILS)
            case _ if self.commands.is_repeated(command):
                self.heard += 1
            case _ if self.room.takes(self.session, line, command):
                self.heard += 1
                self.commands.carry_out(line, command)
            case _:
                self.left.insert(0, line)

    def _wrong_command(self, line: Line, problem: Problem) -> None:
        self.heard += 1
        has_text = bool(self.left) and self.left[0].is_press
        refuse_problem(self.session, line, problem, has_text=has_text)
        if is_player(self.session.seat) and is_about_orders(line, problem):
            self.draft.doubt()

    def _foreign(self, line: Line) -> None:
        """A command of another judge."""
        if begins_press(line.text) and self.session.seat is not None:
            self._foreign_press(line)
        elif is_player(self.session.seat):
            refuse_unknown(self.session, line)
        else:
            self.unread.lines.append(line)
            hide_signon(self.session, line, len(self.unread.lines))

    def _foreign_press(self, line: Line) -> None:
        """A message begun as at another judge: with an end below it, its lines are no orders."""
        refuse_unknown(self.session, line)
        ends = texts_behind.end_of_text(self.session.said, self.left)
        text = self.left[:ends]
        marked = [replace(each, is_press=True) for each in text]
        passage = texts_behind.passage_behind(self.session.said, marked, line.number)
        press_room.give_back(self.session, redacted(self.session, passage.text))
        del self.left[: ends + bool(text)]

    def _greeting(self, line: Line, command: SignOn | Problem) -> None:
        """`hello` greets as often as it signs on: what opens no seat costs nothing behind it."""
        if (
            isinstance(command, SignOn)
            and self.session.game is None
            and entering.opens_seat(self.session, command)
        ):
            self.heard += 1
            senders.turned_away(self.session, line, len(self.session.answer.done))
        else:
            self.unread.prose.append(line)

    def _stray(self, line: Line) -> None:
        """A text whose command was not understood: its writer gets it back."""
        self.left.insert(0, line)
        passage = texts_behind.passage_behind(self.session.said, self.left, line.number - 1)
        press_room.give_back(self.session, redacted(self.session, passage.text))

    # --- the end ------------------------------------------------------------------------------

    def _wait_for_missed(self) -> None:
        """Where an order was surely meant and not read, the phase waits for a clean mail."""
        search = Search(self.session)
        if is_player(self.session.seat) and any(map(search.is_sure, self.session.missed)):
            self.session.flag()
