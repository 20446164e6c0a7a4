"""The lines of a mail, one after the other: commands to their handlers, orders to the sheet."""

import re
from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import (
    Audience,
    Become,
    Clear,
    Command,
    Create,
    Diary,
    Join,
    NotACommand,
    NoteAction,
    Observe,
    PostalPress,
    Press,
    Register,
    Restore,
    Set,
    SignOff,
    SignOn,
)
from machjudge.language.commands.setting_names import takes_nothing
from machjudge.language.orders.remarks import begins_sentence, is_sentence
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.said import Fault, Problem
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.words import listed
from machjudge.reading import Line, Mail, means_password
from machjudge.service.credentials.authority import Act
from machjudge.service.identity import irreversible, senders
from machjudge.service.identity.provisional import why_not_yet
from machjudge.service.identity.registering import register
from machjudge.service.identity.signon import (
    ScenarioOf,
    begins_text,
    meant,
    named_game,
    rest_of_line,
)
from machjudge.service.identity.tokens import confirm_changes
from machjudge.service.info.foreign_commands import SETTINGS, begins_press, explained
from machjudge.service.intake.by_token import is_open, open_by_token, tell_why_not
from machjudge.service.limits.rations import TOO_MANY, TooManyPasswords
from machjudge.service.lines import texts_behind
from machjudge.service.lines.bounds import MOST_ERRORS, TOO_MANY_ERRORS, Heard, stop, tell_cut
from machjudge.service.lines.command_table import (
    entries_for,
    entry_of_setting,
    nearest,
    role_words,
)
from machjudge.service.lines.dry_run import NOT_IN_DRY_MAILS, is_dry, is_harmless
from machjudge.service.lines.filing import file_orders
from machjudge.service.lines.leftovers import OPENING, Leftovers, is_greeting, refuse_unknown
from machjudge.service.lines.overlooked import Search
from machjudge.service.model.records import GameId
from machjudge.service.orders.drafting import Draft
from machjudge.service.press import press_room
from machjudge.service.seats import entering
from machjudge.service.seats.confirming import hear_answer
from machjudge.service.seats.seating import set_house_rules
from machjudge.service.session.audience import meant_by
from machjudge.service.session.command import Caller, CommandEntry
from machjudge.service.session.incoming import line_read
from machjudge.service.session.redacting import redacted
from machjudge.service.session.session import Session, is_player
from machjudge.service.session.unread_lines import tell_unread

_ENDS_OF_COMMENT = frozenset({"end", "end comment", "endcomment", "set comment end", "signoff"})
"""Lines with which a long comment ends."""

_NO_NAME = re.compile("[^A-Za-z0-9?]+")
"""What can stand between the name of a game and a password joined to it."""

_MOST_SIGNONS = 10
_SHORTEST_PASSWORD = 3

ONE_GAME = "a mail opens one game only; send what is for another seat in a mail of its own"


def _no_game(_: str) -> None:
    """Nothing is known of any game."""


def game_concerned(mail: Mail, scenario_of: ScenarioOf = _no_game) -> GameId | None:
    """For which game a mail is: the one that its first opening command names.

    *scenario_of* is asked only where a signon can be read in several ways.
    """
    greeted = None
    for line in mail.lines:
        match NotACommand() if line.is_press else line_read(line.text):
            case SignOn() as said if is_greeting(line):
                greeted = greeted or GameId(said.game.lower())
            case SignOn() as said:
                return GameId(meant(said, scenario_of).game.lower())
            case Join() as said:
                game = named_game(said, lambda name: scenario_of(name) is not None).game
                return GameId(game.lower()) if game else None
            case Observe(game=name) | Create(game=name):
                return GameId(name.lower())
            case SignOff():
                break
            case _:
                continue
    return greeted


def converse(session: Session) -> None:
    """Carry out what a mail says; changes and answer are in *session* afterwards."""
    _Conversation(session).hold()


class _Conversation:
    """The lines of one mail with what is left of them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.left = list(session.mail.lines)
        self.unread = Leftovers(session)
        self.draft = Draft(session)
        self.heard = 0
        """How many lines were commands."""
        self.room = Heard()

    def hold(self) -> None:
        """Go through the lines, then put the orders on file."""
        self.session.is_dry = is_dry(self.session.mail.lines)
        self._hear_tokens()
        while self.left and not self.session.is_closed:
            if self.session.answer.errors >= MOST_ERRORS:
                stop(self.session, self.left[0].number, TOO_MANY_ERRORS)
            else:
                self._try(self.left.pop(0))
        self._file_orders()
        confirm_changes(self.session)
        entering.start_if_full(self.session)
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
        answered = irreversible.hear_answer(self.session)
        if answered is None:
            open_by_token(self.session)
            senders.turned_away(self.session, None)
        else:
            self.left = list(answered.lines)
        self.heard += answered is not None or self.session.opened_by_token

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
        command = line_read(line.text)
        if self.draft.takes(line):
            self.draft.branch(line)
        elif isinstance(command, NotACommand):
            self._no_command(line)
        else:
            self.draft.break_off()
            self._hear_command(line, command)

    def _hear_command(self, line: Line, command: Command | Problem) -> None:
        match command:
            case Problem() | SignOn() if is_greeting(line):
                self._greeting(line, command)
            case Problem():
                self.heard += 1
                self._problem(line, command)
            case Register():
                self.heard += 1
                register(self.session, line, self._fields())
            case Press() | PostalPress(act=NoteAction.RECORD) | Diary(act=NoteAction.RECORD):
                self.heard += 1
                self._write(line, command)
            case _ if self.session.is_dry and not is_harmless(command):
                self.heard += 1
                self.session.refuse_all(line, NOT_IN_DRY_MAILS)
            case _ if self.room.takes(self.session, line, command):
                self.heard += 1
                self._carry_out(line, command)
            case _:
                self.left.insert(0, line)

    def _no_command(self, line: Line) -> None:
        if line.text.strip(" .!").lower() == "end":
            # The end of a registration or a text that has ended already.
            self.unread.greetings.append(line)
        elif begins_press(line.text) and self.session.seat is not None:
            self._foreign_press(line)
        elif is_player(self.session.seat) and explained(line.text) is not None:
            refuse_unknown(self.session, line)
        elif self._is_sentence(line):
            self.unread.greetings.append(line)
        elif is_player(self.session.seat):
            self.draft.take(line)
        else:
            self.unread.lines.append(line)
            self._hide_signon(line)

    def _is_sentence(self, line: Line) -> bool:
        """Whether a player says something to somebody that can be no order."""
        game = self.session.game
        if game is None or not (is_player(self.session.seat) and begins_sentence(line.text)):
            return False
        return is_sentence(line.text, lexicon_of(self.session.services.scenario(game)))

    def _foreign_press(self, line: Line) -> None:
        """A message begun as at another judge: with an end below it, its lines are no orders."""
        refuse_unknown(self.session, line)
        ends = texts_behind.end_of_text(self.left)
        text, self.left = self.left[:ends], self.left[ends:]
        marked = [replace(each, is_press=True) for each in text]
        passage = texts_behind.passage_behind(marked, line.number)
        press_room.give_back(self.session, redacted(self.session, passage.text))
        del self.left[: bool(text)]

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
            self.unread.greetings.append(line)

    def _problem(self, line: Line, problem: Problem) -> None:
        """A line that begins like a command; what stands in a password's place is not repeated."""
        words = line.text.split()
        if words[0].lower() == "phase":
            # Orders for a phase that could not be read are for no other one.
            self.session.is_nowhere = self.session.is_phase_unread = True
        if words[0].lower() in OPENING or _sets_password(words):
            self._password_problem(line, problem, words)
            return
        expected = f"; expected: {listed(problem.expected, 'or')}" if problem.expected else ""
        self.session.refuse(
            line,
            problem.reason + expected,
            column=problem.column,
            length=len(problem.found) or 1,
            instead=problem.nearest or self._as_written(line, problem),
        )

    def _password_problem(self, line: Line, problem: Problem, words: Sequence[str]) -> None:
        """Show what stands before the password, as it is; the secrets are words in it at times."""
        second, *joined = _NO_NAME.split(words[1]) if words[1:] else [""]
        more = len(words) > 2 or bool(joined)  # noqa: PLR2004  behind the name
        if words[0].lower() in OPENING and not more and not self._names_game(second):
            # The only word behind SIGNON may be the password.
            second, joined, more = "", [second], bool(second)
        self.session.secrets.update(filter(None, (*words[2:], *joined)))
        shown = f"{words[0]} {second}".strip() + (" …" if more else "")
        trouble = Trouble(line.number, shown, problem.reason)
        self.session.answer.troubles.append(trouble)

    def _names_game(self, word: str) -> bool:
        """Whether a word is the name of a game, with or without a letter before it."""
        return any(name and self.session.find_game(name) for name in (word, word[1:]))

    def _hide_signon(self, line: Line) -> None:
        """`Lborgia tulip9`: a signon without its first word shows nobody the password."""
        first, *others = line.text.split()
        is_short = len(others) in (1, 2) and len(self.unread.lines) <= _MOST_SIGNONS
        if is_short and self.session.seat is None and self._names_game(first):
            self.session.secrets.update(each for each in others if len(each) >= _SHORTEST_PASSWORD)

    def _as_written(self, line: Line, problem: Problem) -> str | None:
        """How a setting that lacks its value is written, or a command with a text behind it."""
        lacks = problem.fault is Fault.INCOMPLETE and line.text[:3].lower() == "set"
        has_text = bool(self.left) and self.left[0].is_press
        if not (lacks or has_text):
            return None
        return self._with_to(line) or nearest(line.text)

    def _with_to(self, line: Line) -> str | None:
        """``press V`` with the word that is missing, where the others name readers."""
        first, *names = line.text.split()
        game = self.session.game
        if game is None or first.lower() != "press" or not names:
            return None
        to = meant_by(self.session.services.scenario(game), Audience(tuple(names)))
        return None if isinstance(to, str) else f"PRESS TO {' '.join(names)}"

    def _carry_out(self, line: Line, command: Command) -> None:
        """Carry out a command; whoever may not speak for the seat that it opens leaves it again."""
        entries, done = entries_for(command), len(self.session.answer.done)
        opens = bool(entries) and entries[0].opens_seat and self.session.game is None
        self._hand_over(line, command, entries)
        if opens:
            senders.turned_away(self.session, line, done)

    def _hand_over(self, line: Line, command: Command, entries: Sequence[CommandEntry]) -> None:
        if isinstance(command, Set):
            self._set(line, command)
        elif not entries:
            refuse_unknown(self.session, line)
        elif entries[0].opens_seat and self.session.game is not None:
            self._open_again(line, command)
        elif isinstance(command, SignOn | Join):
            self._open(line, command, entries[0])
        elif isinstance(command, Become):
            self._become(line, command, entries[0])
        elif self._may(line, entries[0]) and entries[0].handler is not None:
            if isinstance(command, Clear | Restore):
                # What stands above is on file first, so that it is dropped or replaced as well.
                self._file_orders()
            self._do(line, command, entries[0])

    def _do(self, line: Line, command: Command, entry: CommandEntry) -> None:
        """Carry out a command; one that cannot be taken back may have to wait."""
        handler = entry.handler
        if handler is None:
            return
        if entry.act is not Act.FINAL or irreversible.is_proven(self.session):
            handler(self.session, line, command)
            return
        refused = irreversible.refusals_of(
            self.session, lambda session: handler(session, line, command)
        )
        self.session.answer.troubles += refused
        if not refused:
            irreversible.put_off(self.session, line, line.text)

    def _open(self, line: Line, typed: SignOn | Join, entry: CommandEntry) -> None:
        """Open a seat; what stands behind the password is a line of its own."""
        said = entering.as_meant(self.session, typed) if isinstance(typed, SignOn) else typed
        rest = rest_of_line(said)
        if begins_text(rest):
            self.session.secrets.add(said.password)
            self.session.refuse_all(line, entering.TEXT_ON_LINE, note=entering.NOTHING_TAKEN)
        elif entry.handler is not None:
            entry.handler(self.session, line, said)
            if rest and not self.session.is_closed:
                self.left.insert(0, replace(line, text=rest, raw=rest))

    def _open_again(self, line: Line, command: Command) -> None:
        """A second signon: the same once more changes nothing, another one is for another mail."""
        is_same = isinstance(command, SignOn) and entering.is_open(self.session, command)
        if not (is_same or is_open(self.session, command)):
            self.session.refuse_all(line, ONE_GAME)
            return
        said = entering.as_meant(self.session, command) if isinstance(command, SignOn) else command
        rest = rest_of_line(said) if isinstance(said, SignOn | Join) else ""
        if rest:
            self.left.insert(0, replace(line, text=rest, raw=rest))

    def _become(self, line: Line, command: Become, entry: CommandEntry) -> None:
        """What is meant for another power must not become an order of one's own."""
        self._file_orders()
        if not self._may(line, entry):
            self.session.is_closed = True
        elif entry.handler is not None:
            entry.handler(self.session, line, command)

    def _set(self, line: Line, command: Set) -> None:
        for one in command.settings:
            entry = entry_of_setting(one)
            if entry is None:
                self.session.refuse(line, SETTINGS.get(one.key, f"there is no setting {one.key!r}"))
            elif one.key == "comment" and one.on and one.value[0].lower() == "begin":
                self._house_rules(line, entry)
            elif one.value and takes_nothing(one.key):
                self.session.refuse(
                    line, f"nothing can stand behind {one.key}", instead=entry.usage
                )
            elif self._may(line, entry) and entry.handler is not None:
                entry.handler(self.session, line, one)

    def _house_rules(self, line: Line, entry: CommandEntry) -> None:
        """A long comment: the lines up to ``end``."""
        lines: list[Line] = []
        has_end = False
        while self.left and not has_end:
            each = self.left.pop(0)
            has_end = each.text.strip().lower() in _ENDS_OF_COMMENT
            lines += [] if has_end else [each]
        if not self._may(line, entry):
            return
        if not has_end:
            self.session.refuse(line, "this comment has no END; send it again with END below it")
            tell_unread(self.session, lines)
            return
        set_house_rules(self.session, line, tuple(each.raw.strip() for each in lines))

    def _may(self, line: Line, entry: CommandEntry) -> bool:
        """Whether the sender may use a command; if not, they are told why not."""
        flaw = self._why_not(entry)
        if flaw:
            self.session.refuse(line, flaw)
        return not flaw

    def _why_not(self, entry: CommandEntry) -> str:
        """Why the sender may not use a command now; empty if they may."""
        game, seat = self.session.game, self.session.seat
        if self.session.became and entry.is_personal:
            return "only the player may do that"
        if entry.for_the_living and _is_out(self.session):
            return "your power is eliminated; the game does not wait for you"
        if not entry.who & {role_words(game, seat), Caller.ANYBODY}:
            allowed = listed((each.value for each in Caller if each in entry.who), "or")
            named = f"that is for {allowed} only"
            return named if seat else "sign on first, with SIGNON Lgame password"
        flaw = why_not_yet(self.session, entry)
        return flaw or (entry.refused_in.get(game.status, "") if game else "")

    # --- several lines ------------------------------------------------------------------------

    def _fields(self) -> list[Line]:
        """The lines of a registration: up to ``end``, or to the first that is no field."""
        fields: list[Line] = []
        while self.left and not self.left[0].is_press:
            if self.left[0].text.strip().lower() == "end":
                self.left.pop(0)
                break
            if ":" not in self.left[0].text:
                break
            fields.append(self.left.pop(0))
        return fields

    def _write(self, line: Line, command: Press | PostalPress | Diary) -> None:
        """A command with a text; its lines are no commands, whoever may or may not send it."""
        passage = texts_behind.passage_behind(self.left, line.number)
        entry = next(iter(entries_for(command)))
        if not self._may(line, entry):
            press_room.give_back(self.session, redacted(self.session, passage.text))
        elif meant := texts_behind.swallowed(self.session, passage):
            texts_behind.hold_back(self.session, line, passage, meant)
        else:
            texts_behind.write(self.session, line, command, passage.text)

    def _stray(self, line: Line) -> None:
        """A text whose command was not understood: its writer gets it back."""
        self.left.insert(0, line)
        passage = texts_behind.passage_behind(self.left, line.number - 1)
        press_room.give_back(self.session, redacted(self.session, passage.text))

    # --- the end ------------------------------------------------------------------------------

    def _file_orders(self) -> None:
        file_orders(self.session, self.draft)

    def _wait_for_missed(self) -> None:
        """Where an order was surely meant and not read, the phase waits for a clean mail."""
        search = Search(self.session)
        if is_player(self.session.seat) and any(map(search.is_sure, self.session.missed)):
            self.session.flag()


def _is_out(session: Session) -> bool:
    """Whether a player speaks all of whose powers are eliminated."""
    situation, seat = session.situation(), session.seat
    if situation is None or seat is None or not seat.powers:
        return False
    return set(seat.powers) <= situation.state.eliminated


def _sets_password(words: Sequence[str]) -> bool:
    """Whether somebody seems to have meant ``set password``."""
    return words[0].lower() == "set" and len(words) > 1 and means_password(words[1])
