"""The commands of a mail, carried out by their handlers, with the lines that belong to them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from machjudge.language.commands.commands import (
    Become,
    Clear,
    Command,
    Diary,
    Join,
    NotACommand,
    PlainCommand,
    PostalPress,
    Press,
    Restore,
    Set,
    SignOn,
)
from machjudge.language.commands.setting_names import takes_nothing
from machjudge.language.vocabulary.said import Problem
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act, Verdict, verdict
from machjudge.service.identity import irreversible, senders
from machjudge.service.identity.irreversible import is_from_address_on_file
from machjudge.service.identity.provisional import why_not_yet
from machjudge.service.identity.registering import REGISTER, register
from machjudge.service.identity.signon import (
    begins_text,
    rest_of_line,
)
from machjudge.service.info.foreign_commands import SETTINGS
from machjudge.service.intake.by_token import is_open
from machjudge.service.lines import texts_behind
from machjudge.service.lines.command_table import (
    entries_for,
    entry_of_setting,
)
from machjudge.service.lines.filing import file_orders
from machjudge.service.lines.leftovers import refuse_unknown
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.orders.drafting import OrderDraft
from machjudge.service.press import press_room
from machjudge.service.seats import entering
from machjudge.service.seats.seating import set_house_rules
from machjudge.service.session.command import ASKING, Caller, CommandEntry
from machjudge.service.session.redacting import redacted
from machjudge.service.session.session import Session, is_player
from machjudge.service.session.unread_lines import tell_unread

_ENDS_OF_COMMENT = frozenset({"end", "endcomment", "setcommentend", "signoff"})
"""Lines with which a long comment ends, without their spaces."""


class CommandLines:
    """Carries out commands; *left* are the lines below, and a command may take some of them."""

    def __init__(self, session: Session, left: list[Line], draft: OrderDraft) -> None:
        self.session = session
        self.left = left
        self.draft = draft
        self._asked: list[tuple[int, Callable[[], None]]] = []
        """Questions that wait for the orders, each with its place among the texts."""
        self._answered: dict[tuple[object, ...], Game | None] = {}
        """Questions of the mail, by who asks what, and the game as it was then."""

    def is_repeated(self, command: Command) -> bool:
        """Whether a question was asked in this mail already, and nothing has changed since."""
        entry = next(iter(entries_for(command)), None)
        if entry is None or entry.group is not ASKING or entry.act is not Act.READ:
            return False
        session = self.session
        words = command.text.lower() if isinstance(command, PlainCommand) else command
        asked = (entry.name, words, session.seat_number, session.speaking_for)
        is_known = asked in self._answered and self._answered[asked] is session.game
        self._answered[asked] = session.game
        return is_known

    def carry_out(self, line: Line, command: Command) -> None:
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
        elif may(self.session, line, entries[0]) and entries[0].handler is not None:
            if isinstance(command, Clear | Restore):
                # What stands above is on file first, so that it is dropped or replaced as well.
                file_orders(self.session, self.draft)
            self._do(line, command, entries[0])

    def file_orders(self) -> None:
        """Put on file what was ordered so far, and answer what was asked about it."""
        file_orders(self.session, self.draft)
        texts = self.session.answer.texts
        for at, answer in reversed(self._asked):
            end = len(texts)
            answer()
            texts[at:] = [*texts[end:], *texts[at:end]]
        self._asked.clear()

    def _do(self, line: Line, command: Command, entry: CommandEntry) -> None:
        """Carry out a command; a question, or one that cannot be taken back, may have to wait."""
        handler = entry.handler
        if handler is None:
            return
        if entry.tells_orders and is_player(self.session.seat):
            at = len(self.session.answer.texts)
            self._asked.append((at, partial(handler, self.session, line, command)))
            return
        if entry.act is not Act.FINAL or irreversible.is_proven(self.session):
            handler(self.session, line, command)
            return
        refused = irreversible.refusals_of(
            self.session, lambda session: handler(session, line, command)
        )
        self.session.answer.troubles += refused
        if not refused:
            text = self.in_full(line)
            irreversible.put_off(self.session, line, text)
            if entry.about_phase:
                self.session.moves_once_agreed = text

    def in_full(self, line: Line) -> str:
        """A command as its line means the same whenever it is read."""
        command = self.session.said.command(line)
        entries = () if isinstance(command, Problem | NotACommand) else entries_for(command)
        in_full = next((entry.unchanging for entry in entries), None)
        return in_full(self.session, command) if in_full is not None else line.text

    def _open(self, line: Line, typed: SignOn | Join, entry: CommandEntry) -> None:
        """Open a seat; what stands behind the password is a line of its own."""
        said = entering.as_meant(self.session, typed) if isinstance(typed, SignOn) else typed
        rest = rest_of_line(self.session.said, said)
        if begins_text(self.session.said, rest):
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
            self.session.refuse_all(line, Sentence("intake.one_game"))
            return
        said = entering.as_meant(self.session, command) if isinstance(command, SignOn) else command
        rest = rest_of_line(self.session.said, said) if isinstance(said, SignOn | Join) else ""
        if rest:
            self.left.insert(0, replace(line, text=rest, raw=rest))

    def _become(self, line: Line, command: Become, entry: CommandEntry) -> None:
        """What is meant for another power must not become an order of one's own."""
        self.file_orders()
        if not may(self.session, line, entry):
            self.session.is_closed = True
        elif entry.handler is not None:
            entry.handler(self.session, line, command)

    def _set(self, line: Line, command: Set) -> None:
        for one in command.settings:
            entry = entry_of_setting(one)
            if entry is None:
                unknown = Sentence("intake.no_setting", key=one.key)
                self.session.refuse(line, SETTINGS.get(one.key, unknown))
            elif one.key == "comment" and one.on and one.value[0].lower() == "begin":
                self._house_rules(line, entry)
            elif one.value and takes_nothing(one.key):
                reason = Sentence("intake.nothing_behind", key=one.key)
                self.session.refuse(line, reason, instead=entry.usage)
            elif may(self.session, line, entry) and entry.handler is not None:
                entry.handler(self.session, line, one)

    def _house_rules(self, line: Line, entry: CommandEntry) -> None:
        """A long comment: the lines up to ``end``."""
        lines: list[Line] = []
        has_end = False
        while self.left and not has_end:
            each = self.left.pop(0)
            has_end = "".join(each.text.split()).lower() in _ENDS_OF_COMMENT
            lines += [] if has_end else [each]
        if not may(self.session, line, entry):
            return
        if not has_end:
            self.session.refuse(line, Sentence("intake.comment_without_end"))
            tell_unread(self.session, lines)
            return
        set_house_rules(self.session, line, tuple(each.raw.strip() for each in lines))

    def register(self, line: Line) -> None:
        """Register with the lines up to ``end``, or up to the first that is no field."""
        fields: list[Line] = []
        while self.left and not self.left[0].is_press:
            if self.left[0].text.strip().lower() == "end":
                self.left.pop(0)
                break
            if ":" not in self.left[0].text:
                break
            fields.append(self.left.pop(0))
        if may(self.session, line, REGISTER):
            register(self.session, line, fields)

    def write(self, line: Line, command: Press | PostalPress | Diary) -> None:
        """A command with a text; its lines are no commands, whoever may or may not send it."""
        passage = texts_behind.passage_behind(self.session.said, self.left, line.number)
        entry = next(iter(entries_for(command)))
        if not may(self.session, line, entry):
            press_room.give_back(self.session, redacted(self.session, passage.text))
        elif meant := texts_behind.swallowed(self.session, passage):
            texts_behind.hold_back(self.session, line, passage, meant)
        else:
            texts_behind.write(self.session, line, command, passage.text)


# --- who may use a command ----------------------------------------------------------------------


def may(session: Session, line: Line, entry: CommandEntry) -> bool:
    """Whether the sender may use a command; if not, they are told why not."""
    flaw = _why_not(session, entry)
    if flaw:
        session.refuse(line, flaw)
    return not flaw


def _why_not(session: Session, entry: CommandEntry) -> Wording | None:
    """Why the sender may not use a command now; None if they may."""
    game, seat = session.game, session.seat
    if session.became and entry.is_personal:
        return Sentence("lines.only_the_player")
    if entry.about_phase and session.moves_once_agreed:
        return Sentence("lines.waits_above", what=session.moves_once_agreed)
    if entry.for_the_living and _is_out(session):
        return Sentence("lines.eliminated")
    if not entry.who & {_role_of(game, seat), Caller.ANYBODY}:
        allowed = tuple(each.words for each in Caller if each in entry.who)
        return Sentence("help.only_for", who=allowed) if seat else Sentence("help.sign_on")
    if entry.act is Act.PERSON and not _may_set_person(session):
        return Sentence("lines.from_own_address")
    flaw = why_not_yet(session, entry)
    return flaw or (entry.refused_in.get(game.status) if game else None)


def _may_set_person(session: Session) -> bool:
    """Whether the mail may change what holds for its writer at all games."""
    person = session.person
    if person is not None:
        known = session.uow.persons.get(person.id) or person
        if session.address in known.addresses or is_from_address_on_file(session):
            return True
    return verdict(Act.PERSON, session.proof) is not Verdict.ON_FILE


def _is_out(session: Session) -> bool:
    """Whether a player speaks all of whose powers are eliminated."""
    situation, seat = session.situation(), session.seat
    if situation is None or seat is None or not seat.powers:
        return False
    return set(seat.powers) <= situation.state.eliminated


def _role_of(game: Game | None, seat: Seat | None) -> Caller:
    """As what somebody at a seat uses commands; a game has one master and any co-masters."""
    if game is None or seat is None:
        return Caller.ANYBODY
    match seat.role:
        case Role.PLAYER:
            return Caller.PLAYER
        case Role.OBSERVER:
            return Caller.OBSERVER
        case Role.MASTER:
            return Caller.MASTER if seat.person == game.master else Caller.CO_MASTER
