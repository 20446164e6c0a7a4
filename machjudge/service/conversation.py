"""The lines of a mail, one after the other: commands to their handlers, orders to the sheet."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.events import ChitGiven
from machjudge.language.commands import (
    Act,
    Become,
    Clear,
    Command,
    Create,
    Diary,
    Join,
    NotACommand,
    Observe,
    PostalPress,
    Press,
    Register,
    Restore,
    Set,
    SignOff,
    SignOn,
)
from machjudge.language.dialogue import parse_command
from machjudge.language.said import Problem
from machjudge.letters.page import one_line
from machjudge.letters.trouble import Trouble
from machjudge.letters.words import Words, listed
from machjudge.reading import Flaw, Line, Mail, means_password
from machjudge.service import entering, missives, pressroom, registry
from machjudge.service.asides import tell_asides
from machjudge.service.becoming import own_seats
from machjudge.service.blotting import blotted
from machjudge.service.dispatch import (
    FOR_THE_LIVING,
    FOR_THE_PLAYER_HIMSELF,
    entries_for,
    entry_of_setting,
    give_help,
    nearest,
    role_words,
)
from machjudge.service.drafting import Draft
from machjudge.service.dryness import NOT_IN_DRY_MAILS, is_dry, is_harmless
from machjudge.service.elsewhere import COMMANDS, SETTINGS
from machjudge.service.entry import Entry, Who
from machjudge.service.farewell import without_farewell
from machjudge.service.interlude import interlude
from machjudge.service.overlooked import Search
from machjudge.service.provisions import keep_ahead, put_standing_on_file
from machjudge.service.records import GameId, Role
from machjudge.service.registering import register
from machjudge.service.seating import set_house_rules
from machjudge.service.signon import ScenarioOf, begins_text, meant, named_game, rest_of_line
from machjudge.service.straying import stray_line
from machjudge.service.submit import Given, submit
from machjudge.service.talk import Talk, is_player, not_approved, too_old
from machjudge.service.tokens import confirm_changes
from machjudge.service.unread import tell_unread

_OPENING = frozenset({"signon", "sign", "hello", "login", "observe", "watch", "create"})
_ENDS_OF_COMMENT = frozenset({"end", "end comment", "endcomment", "set comment end", "signoff"})
"""Lines with which a long comment ends."""

ONE_GAME = "a mail opens one game only; send what is for another seat in a mail of its own"

_WHY_UNREAD = {True: "Orders need a SIGNON line above them.", False: "Only players give orders."}
"""By whether the lines stand above a signon."""


def _no_game(_: str) -> None:
    """Nothing is known of any game."""


def game_concerned(mail: Mail, scenario_of: ScenarioOf = _no_game) -> GameId | None:
    """For which game a mail is: the one that its first opening command names.

    *scenario_of* is asked only where a signon can be read in several ways.
    """
    greeted = None
    for line in mail.lines:
        match NotACommand() if line.is_press else parse_command(line.text):
            case SignOn() as said if _is_greeting(line):
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


def converse(talk: Talk) -> None:
    """Carry out what a mail says; changes and answer are in *talk* afterwards."""
    _Conversation(talk).hold()


class _Conversation:
    """The lines of one mail with what is left of them."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.left = list(talk.mail.lines)
        self.unread: list[Line] = []
        self.greetings: list[Line] = []
        self.draft = Draft(talk)
        self.heard = 0
        """How many lines were commands."""

    def hold(self) -> None:
        """Go through the lines, then put the orders on file."""
        self.talk.is_dry = is_dry(self.talk.mail.lines)
        while self.left and not self.talk.is_closed:
            self._hear(self.left.pop(0))
        self._file_orders()
        confirm_changes(self.talk)
        entering.start_if_full(self.talk)
        tell_unread(self.talk, self.draft.unread)
        self._tell_unread()
        tell_asides(self.talk)
        self._tell_defects()
        self._wait_for_missed()

    # --- lines --------------------------------------------------------------------------------

    def _hear(self, line: Line) -> None:
        if line.is_press:
            self._stray(line)
            return
        command = parse_command(line.text)
        if self.draft.takes(line):
            self.draft.branch(line)
        elif isinstance(command, NotACommand):
            self._no_command(line)
        else:
            self.draft.break_off()
            self._hear_command(line, command)

    def _hear_command(self, line: Line, command: Command | Problem) -> None:
        match command:
            case Problem() | SignOn() if _is_greeting(line):
                self._greeting(line, command)
            case Problem():
                self.heard += 1
                self._problem(line, command)
            case Register():
                self.heard += 1
                register(self.talk, line, self._fields())
            case Press() | PostalPress(act=Act.RECORD) | Diary(act=Act.RECORD):
                self.heard += 1
                self._write(line, command)
            case _ if self.talk.is_dry and not is_harmless(command):
                self.heard += 1
                self.talk.refuse_all(line, NOT_IN_DRY_MAILS)
            case _:
                self.heard += 1
                self._carry_out(line, command)

    def _no_command(self, line: Line) -> None:
        if is_player(self.talk.seat):
            self.draft.take(line)
        else:
            self.unread.append(line)

    def _greeting(self, line: Line, command: SignOn | Problem) -> None:
        """`hello` greets as often as it signs on: what opens no seat costs nothing behind it."""
        if (
            isinstance(command, SignOn)
            and self.talk.game is None
            and entering.opens_seat(self.talk, command)
        ):
            self.heard += 1
        else:
            self.greetings.append(line)

    def _problem(self, line: Line, problem: Problem) -> None:
        """A line that begins like a command; what stands in a password's place is not repeated."""
        words = line.text.split()
        if words[0].lower() == "phase":
            # Orders for a phase that could not be read are for no other one.
            self.talk.is_nowhere = self.talk.is_phase_unread = True
        if words[0].lower() in _OPENING or _sets_password(words):
            self.talk.secrets.update(words[2:])
            shown = f"{' '.join(words[:2])} …" if words[2:] else line.text
            self.talk.refuse(replace(line, text=shown), problem.reason)
            return
        expected = f"; expected: {listed(problem.expected, 'or')}" if problem.expected else ""
        self.talk.refuse(
            line,
            problem.reason + expected,
            column=problem.column,
            length=len(problem.found) or 1,
            instead=problem.nearest or self._with_text(line),
        )

    def _with_text(self, line: Line) -> str | None:
        """How a command behind which a text stands is written."""
        return nearest(line.text) if self.left and self.left[0].is_press else None

    def _carry_out(self, line: Line, command: Command) -> None:
        entries = entries_for(command)
        if isinstance(command, Set):
            self._set(line, command)
        elif not entries:
            self._unknown(line)
        elif entries[0].opens and self.talk.game is not None:
            self._open_again(line, command)
        elif isinstance(command, SignOn | Join):
            self._open(line, command, entries[0])
        elif isinstance(command, Become):
            self._become(line, command, entries[0])
        elif self._may(line, entries[0]) and entries[0].handler is not None:
            if isinstance(command, Clear | Restore):
                # What stands above is on file first, so that it is dropped or replaced as well.
                self._file_orders()
            entries[0].handler(self.talk, line, command)

    def _open(self, line: Line, typed: SignOn | Join, entry: Entry) -> None:
        """Open a seat; what stands behind the password is a line of its own."""
        said = entering.as_meant(self.talk, typed) if isinstance(typed, SignOn) else typed
        rest = rest_of_line(said)
        if begins_text(rest):
            self.talk.secrets.add(said.password)
            self.talk.refuse_all(line, entering.TEXT_ON_LINE, note=entering.NOTHING_TAKEN)
        elif entry.handler is not None:
            entry.handler(self.talk, line, said)
            if rest and not self.talk.is_closed:
                self.left.insert(0, replace(line, text=rest, raw=rest))

    def _open_again(self, line: Line, command: Command) -> None:
        """A second signon: the same once more changes nothing, another one is for another mail."""
        if not (isinstance(command, SignOn) and entering.is_open(self.talk, command)):
            self.talk.refuse_all(line, ONE_GAME)
        elif rest := entering.as_meant(self.talk, command).rest:
            self.left.insert(0, replace(line, text=rest, raw=rest))

    def _become(self, line: Line, command: Become, entry: Entry) -> None:
        """What is meant for another power must not become an order of one's own."""
        self._file_orders()
        if not self._may(line, entry):
            self.talk.is_closed = True
        elif entry.handler is not None:
            entry.handler(self.talk, line, command)

    def _set(self, line: Line, command: Set) -> None:
        for one in command.settings:
            entry = entry_of_setting(one)
            if entry is None:
                self.talk.refuse(line, SETTINGS.get(one.key, f"there is no setting {one.key!r}"))
            elif one.key == "comment" and one.on and one.value[0].lower() == "begin":
                self._house_rules(line, entry)
            elif self._may(line, entry) and entry.handler is not None:
                entry.handler(self.talk, line, one)

    def _house_rules(self, line: Line, entry: Entry) -> None:
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
            self.talk.refuse(line, "this comment has no END; send it again with END below it")
            tell_unread(self.talk, lines)
            return
        set_house_rules(self.talk, line, tuple(each.raw.strip() for each in lines))

    def _may(self, line: Line, entry: Entry) -> bool:
        """Whether the sender may use a command; if not, he is told who may."""
        seat = self.talk.seat
        who = role_words(self.talk.game, seat)
        if self.talk.became and entry.name in FOR_THE_PLAYER_HIMSELF:
            self.talk.refuse(line, "only the player may do that")
            return False
        if entry.name in FOR_THE_LIVING and _is_out(self.talk):
            self.talk.refuse(line, "your power is eliminated; the game does not wait for you")
            return False
        if who in entry.who or Who.ANYBODY in entry.who:
            return True
        if seat is None:
            reason = "sign on first, with SIGNON Lgame password"
        else:
            allowed = listed((each.value for each in Who if each in entry.who), "or")
            reason = f"that is for {allowed} only"
        self.talk.refuse(line, reason)
        return False

    def _unknown(self, line: Line) -> None:
        first = line.text.split()[0]
        shown = replace(line, text=first if first == line.text else f"{first} …")
        if first.lower() in COMMANDS:
            self.talk.refuse(shown, COMMANDS[first.lower()])
            return
        self.talk.refuse(shown, f"there is no command {first!r}", instead=nearest(line.text))

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
        passage = missives.passage_behind(self.left, line.number)
        entry = next(iter(entries_for(command)))
        if not self._may(line, entry):
            pressroom.give_back(self.talk, blotted(self.talk, passage.text))
        elif meant := missives.swallowed(self.talk, passage):
            missives.hold_back(self.talk, line, passage, meant)
        else:
            missives.write(self.talk, line, command, passage.text)

    def _stray(self, line: Line) -> None:
        """A text whose command was not understood: its writer gets it back."""
        self.left.insert(0, line)
        passage = missives.passage_behind(self.left, line.number - 1)
        pressroom.give_back(self.talk, blotted(self.talk, passage.text))

    # --- the end ------------------------------------------------------------------------------

    def _file_orders(self) -> None:
        """Put on file what was ordered so far, for this phase and for later ones."""
        self.draft.break_off()
        self._file_for_now()
        flaw = not_approved(self.talk)
        if flaw and self.draft.ahead:
            self.talk.answer.notices.append(f"  Not kept: {flaw}.")
            self.draft.ahead.clear()
        keep_ahead(self.talk, self.draft.ahead)
        put_standing_on_file(self.talk)
        self.draft.ahead.clear()

    def _file_for_now(self) -> None:
        talk, seat, situation = self.talk, self.talk.seat, self.talk.situation()
        power, lines = talk.power, tuple(talk.order_lines)
        is_flawed, self.draft.is_flawed = self.draft.is_flawed, False
        if not (lines or is_flawed) or seat is None:
            return
        talk.order_lines.clear()
        refusal = talk.why_not_played() if situation is None else too_old(talk)
        if situation is None or refusal or power is None:
            if lines:
                talk.refuse(lines[0], refusal)
            tell_unread(talk, lines[1:])
            return
        lines = without_farewell(talk, situation, lines)
        own = frozenset(each for seat in own_seats(talk) for each in seat.powers)
        given = Given(power, lines, talk.received, talk.mail_id, own - {power}, is_flawed)
        strays = stray_line(talk, situation, given)
        if strays is not None:
            talk.refuse(strays.line, strays.reason, note=strays.note)
            tell_unread(talk, [line for line in lines if line is not strays.line])
            return
        talk.has_ordered = True
        taken = submit(situation, given)
        for trouble in taken.troubles:
            talk.take_trouble(replace(trouble, instead=_instead_of(trouble)))
        talk.answer.ignored += [talk.safe(text) for text in taken.ignored]
        talk.answer.notices += [f"  {text}" for text in taken.notices]
        if taken.sheet is not None:
            talk.file(taken.sheet)
        self._pass_chits(taken.chits)

    def _pass_chits(self, chits: Sequence[ChitGiven]) -> None:
        """Hand chits over at once; nobody but the giver is told (ASN-02)."""
        situation = self.talk.situation()
        if situation is None or not chits:
            return
        self.talk.pass_on(interlude(self.talk.desk, situation, chits, self.talk.now))
        words = Words(situation.world)
        for chit in chits:
            victim, receiver = words.power(chit.victim), words.power(chit.receiver)
            self.talk.done(f"Your chit on {victim} is {receiver}'s now. This cannot be taken back.")

    def _tell_unread(self) -> None:
        """Lines that were nothing: alone a trouble, beside something else a remark."""
        rest = self.greetings
        failed = [line for line in rest if isinstance(parse_command(line.text), SignOn)]
        if failed and not self.heard:
            self.heard += 1
            rest.remove(failed[0])
            self.talk.refuse_all(failed[0], registry.NOT_OPENED)
        told = [n for n, line in enumerate(self.unread) if self._deserves_word(n, line)]
        for number in told:
            self._no_such_command(self.unread[number])
        others = [line for number, line in enumerate(self.unread) if number not in told]
        rest = sorted([*rest, *others], key=lambda line: line.number)
        tell_unread(self.talk, rest if self._is_signed_off() else [*rest, *self.left])
        if others and not self.talk.is_closed:
            above = self.talk.seat is None or is_player(self.talk.seat)
            self.talk.answer.ignored.append(_WHY_UNREAD[above])

    def _deserves_word(self, number: int, line: Line) -> bool:
        return nearest(line.text) is not None or (number == 0 and not self.heard)

    def _no_such_command(self, line: Line) -> None:
        if self.talk.seat is not None:
            role = self.talk.seat.role
            if role is not Role.PLAYER and nearest(line.text) is None:
                self.talk.refuse(line, "only players give orders")
                return
        if (nearest(line.text) or "").partition(" ")[0].lower() in _OPENING:
            self.talk.secrets.update(line.text.split()[1:])
        self._unknown(line)

    def _is_signed_off(self) -> bool:
        return self.talk.is_closed and not self.talk.answer.troubles

    def _wait_for_missed(self) -> None:
        """Where an order was surely meant and not read, the phase waits for a clean mail."""
        search = Search(self.talk)
        if is_player(self.talk.seat) and any(map(search.is_sure, self.talk.missed)):
            self.talk.flag()

    def _tell_defects(self) -> None:
        file = self.talk.mail.file
        if file is not None:
            self.talk.answer.notices.append(
                "  Your mail itself holds no orders, so the attached file "
                f"{one_line(file.name)} was read; its lines count from {file.first} to {file.last}."
            )
        for defect in self.talk.mail.defects:
            is_notice = defect.flaw is Flaw.LOOKS_AUTOMATIC
            told = self.talk.answer.notices if is_notice else self.talk.answer.ignored
            told.append(f"  {_sentence(str(defect))}" if is_notice else str(defect))
        is_empty = any(defect.flaw is Flaw.EMPTY for defect in self.talk.mail.defects)
        if is_empty or (not self.heard and not self.talk.answer.texts):
            give_help(self.talk)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _is_out(talk: Talk) -> bool:
    """Whether a player speaks all of whose powers are eliminated."""
    situation, seat = talk.situation(), talk.seat
    if situation is None or seat is None or not seat.powers:
        return False
    return set(seat.powers) <= situation.state.eliminated


def _is_greeting(line: Line) -> bool:
    """Whether a line begins with the word that people also greet with."""
    return line.text.split()[0].lower().rstrip("!,.") == "hello"


def _sets_password(words: Sequence[str]) -> bool:
    """Whether somebody seems to have meant ``set password``."""
    return words[0].lower() == "set" and len(words) > 1 and means_password(words[1])


def _instead_of(trouble: Trouble) -> str | None:
    """The nearest order, else the nearest command; none where the line begins as an order does."""
    first, *_ = trouble.line.split() or [""]
    begins_well = trouble.column is not None and trouble.column > len(first)
    return trouble.instead if trouble.instead or begins_well else nearest(trouble.line)
