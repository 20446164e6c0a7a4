"""A mail that is being handled: its contents, its changes, and its answer."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache, partial
from typing import Any

from machjudge.adjudicator.events import ChitGiven, Event
from machjudge.adjudicator.evolve import evolve, evolve_all
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.assassins import hand_over
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.orders import GiveChit
from machjudge.adjudicator.reasons import Objection
from machjudge.judge.changes import Changes
from machjudge.judge.credentials import Proven, TokenScope, presented
from machjudge.judge.faults import SenderNotKnownYet
from machjudge.judge.game_view import GameView, load, people_of
from machjudge.judge.mails import Outgoing, Part
from machjudge.judge.people import Names, clean_name, new_person, with_claim, with_seat
from machjudge.judge.ports import Services, UnitOfWork, claim_of, where_to_answer
from machjudge.judge.records import (
    AddressStanding,
    Game,
    GameId,
    Holding,
    MailId,
    Notice,
    OrderSet,
    Person,
    PersonId,
    Plan,
    Role,
    Seat,
    Status,
    StoredPhase,
    Target,
    holdings,
)
from machjudge.language import command_parser
from machjudge.language.command_parser import parse_command
from machjudge.language.commands import Command, NotACommand
from machjudge.language.lexicon import Lexicon, lexicon_of
from machjudge.language.orders import LinePart, advised, read_line
from machjudge.language.words import ParseError
from machjudge.mail_parser.lines import Line, Mail, ReadingLimits, Vocabulary, words_of
from machjudge.mail_parser.reader import read
from machjudge.mail_parser.secrets import (
    Behind,
    PasswordPlace,
    hidden_in,
    means_password,
    redact,
    redact_known,
    redact_line,
    redact_secrets,
    redact_sentence,
    redact_words,
    redacted_column,
)
from machjudge.messages.catalogue import OTHER_NAMES, TEXTS, BadCatalogue
from machjudge.messages.render import Answer, MessageRenderer
from machjudge.messages.wording import LineError
from machjudge.translatable import Message, MessageOrText

NOT_KEPT = b"\n[not kept: this mail cannot be shown without the passwords that may be in it]\n"


@cache
def vocabulary() -> Vocabulary:
    """Return the words of commands and orders; collected at the first call."""
    return Vocabulary(
        command_parser.commands(),
        command_parser.verbs(),
        command_parser.whole_orders(),
        command_parser.deeds(),
        frozenset((*TEXTS, *OTHER_NAMES)),
    )


class Unreadable(MachjudgeError):
    """Parsing a mail raised an error, and would again. *kind* is the error's name."""

    def __init__(self, kind: str) -> None:
        msg = f"cannot be read: {kind}"
        super().__init__(msg)
        self.kind = kind


@contextmanager
def faults_of_reading() -> Iterator[None]:
    """Turn any error of parsing into Unreadable, without the text of the mail."""
    try:
        yield
    except Exception as fault:
        raise Unreadable(type(fault).__name__) from fault


_HEADINGS = ("results.section.form", "todo.send", "todo.buttons", "todo.how", "title.orders")
"""Texts of messages with lines to send back, which players do not write."""


@cache
def _with_headings(renderer: MessageRenderer) -> Vocabulary:
    """The words, with these headings in every language."""
    papers = [renderer.of(language) for language in renderer.languages]
    try:
        said = [each.say(Message(key)) for each in papers for key in _HEADINGS]
    except BadCatalogue:
        return vocabulary()
    return replace(vocabulary(), headings=frozenset(" ".join(words_of(text)) for text in said))


def read_mail(
    raw: bytes,
    own: Collection[str] = (),
    limits: ReadingLimits | None = None,
    *,
    renderer: MessageRenderer | None = None,
    messages: Sequence[str] = (),
    envelope: str = "",
) -> Mail:
    """Parse a mail as received; see :func:`machjudge.mail_parser.read`.

    *paper* is the judge's, *messages* are texts that the mail may quote.  Raises Unreadable.
    """
    with faults_of_reading():
        words = vocabulary() if renderer is None else _with_headings(renderer)
        return read(raw, words, own, limits, messages, envelope)


class LineParser:
    """Parses each line of a mail when first asked for; dropped after it, as it holds passwords."""

    def __init__(self) -> None:
        self._commands: dict[str, Command | NotACommand | ParseError] = {}
        self._orders: dict[tuple[str, Lexicon, Stage], tuple[LinePart, ...]] = {}
        self.near: dict[str, Any] = {}
        """The nearest commands of beginnings that are none (see `nearest_entry`)."""
        self._advised: dict[tuple[str, Lexicon, Stage], tuple[LinePart, ...]] = {}

    def command(self, line: Line) -> Command | NotACommand | ParseError:
        """Return a line as a command; never for the text of a press.  Raises Unreadable."""
        if line.is_press:
            return NotACommand()
        # A line is asked about often, and parsed once.
        return self._commands.get(line.text) or self.command_in(line.text)

    def command_in(self, text: str) -> Command | NotACommand | ParseError:
        """Return a text as a command; see `parse_command`.  Raises Unreadable."""
        if text not in self._commands:
            try:
                self._commands[text] = parse_command(text)
            except Exception as fault:
                raise Unreadable(type(fault).__name__) from fault
        return self._commands[text]

    def orders(self, text: str, lexicon: Lexicon, stage: Stage) -> tuple[LinePart, ...]:
        """Return a text as orders for a kind of phase, without advice."""
        key = text, lexicon, stage
        if key not in self._orders:
            self._orders[key] = read_line(text, lexicon, stage)
        return self._orders[key]

    def advised(self, text: str, lexicon: Lexicon, stage: Stage) -> tuple[LinePart, ...]:
        """Return the same with the nearest readable line for each refused order."""
        key = text, lexicon, stage
        if key not in self._advised:
            self._advised[key] = advised(self.orders(text, lexicon, stage), lexicon, stage)
        return self._advised[key]


def kept_text(raw: bytes, secrets: Collection[str] = ()) -> bytes:
    """Return what is kept of a handled mail, without passwords; never raises."""
    try:
        return redact(raw, secrets)
    except Exception:
        return NOT_KEPT


# What changes a position while a phase waits for its orders: chits given away (ASN-02). It is
# stored as a phase without orders and without an end, so that replays and rollbacks see it; the
# orders on file move on with the position.
@dataclass(frozen=True, slots=True)
class Interlude:
    """A change of the position during a phase, and the changed game."""

    stored: StoredPhase
    holdings: tuple[Holding, ...]
    order_sets: tuple[OrderSet, ...]
    """The orders on file, filed again for the phase that goes on."""
    view: GameView


def chits_given(
    view: GameView, giver: PowerId, orders: Sequence[GiveChit]
) -> tuple[ChitGiven | Objection, ...]:
    """Return the event or the refusal of each gift; a given chit cannot be given again."""
    state = view.state
    found: list[ChitGiven | Objection] = []
    for order in orders:
        given = hand_over(view.world, state, giver, order.to, order.of)
        if isinstance(given, ChitGiven):
            state = evolve(state, given)
        found.append(given)
    return tuple(found)


def interlude(
    services: Services, view: GameView, events: Sequence[Event], now: datetime
) -> Interlude:
    """Change the position at once; *events* must be those of an interlude."""
    changed = evolve_all(view.state, events)
    stored = view.next_phase(changed, events, {}, services.judge.version, now)
    order_sets = {
        power: replace(order_set, after=stored.number)
        for power, order_set in view.order_sets.items()
    }
    game = replace(view.game, position=stored.number)
    after = replace(view, game=game, phase=stored, order_sets=order_sets, last_number=stored.number)
    rows = holdings(view.world, stored.after)
    return Interlude(stored, rows, tuple(order_sets.values()), after)


def is_own(address: str, judge: str) -> bool:
    """Return True for the judge's address, with or without ``+anything`` before the @."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = judge.lower().rpartition("@")
    return (local.partition("+")[0], domain) == (own_local.partition("+")[0], own_domain)


NOT_READ = Message("session.rest_not_read")


class Work:
    """The cost of larger tasks of one mail, in simple commands (some milliseconds or kilobytes)."""

    MAX = 150
    PICTURE = 30
    REPLAY = 40
    HISTORY = 10
    WHAT_IF = 20
    PLACES = 3
    """The places of a board in words."""
    SIGNS = 4_000
    """Characters of a text per unit."""


NOT_CONFIRMED = Message("session.not_confirmed")
"""Why an unconfirmed seat does nothing yet."""
WHEN_CONFIRMED = Message("session.when_confirmed")
"""What stands above that which an unconfirmed seat is to have."""


@dataclass(frozen=True, slots=True)
class Unsigned:
    """An anonymous text, sent at the end of the mail if it causes no other messages."""

    line: Line
    send: Callable[[], None]
    give_back: Callable[[], None]


@dataclass(slots=True)
class MailWriter:
    """The identity and proofs of a mail's writer."""

    tries: int = 0
    token_scopes: tuple[TokenScope, ...] = ()
    """The scopes of the mail's reply tokens, the surest first."""
    codes: Mapping[str, TokenScope] = field(default_factory=dict)
    """The same by token."""
    check_sender: Callable[[], bool] = lambda: False
    """Tests whether the mail proves its From; may raise SenderNotKnownYet."""
    has_code: bool = False
    """The mail answers a message of the judge, so that its reply code counts."""
    opened_by_token: bool = False
    answers_act: bool = False
    """The mail answers the question about a waiting act."""
    proven: PersonId | None = None
    """The person proved without a seat, or made by this mail."""
    confirmed_address: str = ""
    """A proven address that is new here; else empty."""
    unconfirmed: Person | None = None
    """The person whose claimed address the answer to this mail's answer confirms."""
    is_locked: bool = False
    """A password from an address on file was not tried, for too many wrong ones."""
    mails_token: bool = False
    """A token goes out at this mail's request."""

    @property
    def is_verified(self) -> bool:
        """True if the mail proves its From; checked only if needed."""
        try:
            return self.check_sender()
        except SenderNotKnownYet:
            return False


@dataclass(slots=True)
class Progress:
    """How far the lines of a mail have been read, and their subjects."""

    is_closed: bool = False
    """Nothing more of the mail is read."""
    is_cut: bool = False
    """The mail was too long, so that its end was not read."""
    is_dry: bool = False
    work: int = 0
    """The cost so far, in simple commands (see `Work`)."""
    wanted_language: str = ""
    sat_down: bool = False
    has_quit: bool = False
    """The mail was ended by a word that may mean something else."""
    has_resigned: bool = False
    """A seat was given up, which ends the mail."""
    has_written: bool = False
    """Press, postal press or a diary entry was among the lines."""
    answers_press: bool = False
    """The mail answers press: its words are forwarded, and order nothing."""
    orders_in_press: tuple[str, ...] = ()
    """Lines of such words that look like orders or commands."""
    missed: list[str] = field(default_factory=list)
    """Unread lines that may have been meant as orders."""
    slips_looked_for: int = 0
    """Lines for which a similar order was looked for."""


@dataclass(slots=True)
class Ordering:
    """The order lines of a mail, and their phase."""

    lines: list[Line] = field(default_factory=list)
    has_ordered: bool = False
    """There were such lines; *lines* is emptied when they are filed."""
    target: Target | None = None
    """The later phase, or kind of phase, of the orders that follow."""
    targets_no_phase: bool = False
    """The named phase can have no orders."""
    is_phase_unread: bool = False
    """The same, because the line with its name could not be read."""
    names_phase: bool = False
    """The mail names the current phase."""


@dataclass(slots=True)
class AtEnd:
    """Tasks for the end of a mail."""

    unsigned: list[Unsigned] = field(default_factory=list)
    once_known: Callable[[], None] | None = None
    """Tasks that need a writer, whom a later line may register."""
    to_confirm: list[tuple[int, str, tuple[MessageOrText, ...]]] = field(default_factory=list)
    """Changes to report to the old address of a seat: seat number, kind, details."""


_HOUR = timedelta(hours=1)
"""The precision of the instant when a master was heard, to save changes of the game."""


class NotPlayed(MachjudgeError):
    """A line needs a running game; it is refused with `why_not_played`."""


@dataclass(slots=True)
class MailContext:
    """A mail that is being handled, with its answer, game and writer.

    No line of the answer contains a password of the mail.
    """

    services: Services
    uow: UnitOfWork
    """For reading only."""
    mail: Mail
    mail_id: MailId
    received: datetime
    now: datetime
    parsed_lines: LineParser
    writer: MailWriter = field(default_factory=MailWriter)
    answer: Answer = field(default_factory=Answer)
    copy: Answer | None = None
    """The answer to the lines below BECOME, which the player of the seat reads too."""
    _above: Answer | None = None
    """The answer to those above, while the lines below are read."""
    changes: Changes = field(default_factory=Changes)
    messages: list[Outgoing | Part] = field(default_factory=list)
    secrets: set[str] = field(default_factory=set)
    """The passwords of this mail, hidden in answers and logs."""
    progress: Progress = field(default_factory=Progress)
    ordering: Ordering = field(default_factory=Ordering)
    at_end: AtEnd = field(default_factory=AtEnd)
    opened_seat: int | None = None
    """The number of the seat that the mail has opened, even after BECOME."""
    seat_number: int | None = None
    """The seat that the lines speak for."""
    speaking_for: PowerId | None = None
    """The power that ``become`` or ``for`` named; None: the first one of the seat."""
    became: bool = False
    current: GameView | None = None
    """The view of the game, with this mail's changes."""

    # --- the answer ---------------------------------------------------------------------------

    def log_words(self, wording: MessageOrText) -> str:
        """Return a sentence in the language of the game's log."""
        return redact_sentence(self.services.renderer.say(wording), self.secrets)

    def say(self, wording: MessageOrText) -> str:
        """Return a sentence in the reader's language, without passwords of the mail."""
        return redact_sentence(self.renderer.say(wording), self.secrets)

    def done(self, wording: MessageOrText) -> None:
        """Report what was done, or what a seat that waits for its holder is to have."""
        if self.is_claim and (first := self.say(WHEN_CONFIRMED)) not in self.answer.done:
            self.answer.done.append(first)
        self.answer.done += self.say(wording).split("\n")

    def undone_by(self, *lines: str) -> None:
        """Name the lines that take back what was just done; those of later deeds stand first."""
        self.answer.undo[:0] = lines

    def refuse(
        self,
        line: Line,
        reason: MessageOrText,
        instead: MessageOrText | None = None,
        note: MessageOrText = "",
        **marks: Any,  # noqa: ANN401  where in the line, as `Trouble` has it
    ) -> None:
        """Report a refusal and its reason; *instead* is a correct line."""
        error = LineError(line.number, line.text, reason, instead=instead, note=note, **marks)
        self.add_error(error)

    def add_error(self, trouble: LineError) -> None:
        """Report a refusal, without passwords of the mail."""
        secrets = self.secrets | hidden_in(trouble.line, self.secrets)
        near, column, part = trouble.instead, trouble.column, trouble.part
        say = self.renderer.say
        moved = partial(redacted_column, trouble.line, secrets=self.secrets)
        self.answer.troubles.append(
            replace(
                trouble,
                line=self.safe(trouble.line),
                reason=redact_sentence(say(trouble.reason), secrets),
                column=None if column is None else moved(column),
                part=None if part is None else (moved(part[0]), moved(part[1])),
                instead=None if near is None else redact_sentence(say(near), secrets),
                is_usage=isinstance(near, Message),
            )
        )

    def refuse_all(
        self,
        line: Line,
        reason: MessageOrText,
        instead: MessageOrText | None = None,
        note: MessageOrText = NOT_READ,
    ) -> None:
        """Refuse a line on which the following ones depend, and read no further."""
        self.refuse(line, reason, instead=instead, note=note)
        self.progress.is_closed = True

    def safe(self, text: str) -> str:
        """Return text of the mail without passwords."""
        return redact_line(text, self.secrets)

    def begin_copy(self) -> None:
        """Keep the answer so far for the master alone."""
        self._above, self.answer = self.answer, Answer()

    def end_copy(self) -> None:
        """Keep for the master alone what is still to be said, if they have become a power."""
        if self._above is not None:
            self.copy, self.answer, self._above = self.answer, self._above, None

    def send(self, message: Outgoing | Part) -> None:
        """Send a message, or a part of one, besides the answer."""
        self.messages.append(message)

    # --- the seat ------------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game of the mail, with the changes so far."""
        return self.changes.game

    @property
    def own_game(self) -> Game:
        """The same for a command that needs a seat at a game."""
        if self.changes.game is None:
            msg = "no game is open"
            raise LookupError(msg)
        return self.changes.game

    @property
    def own_seat(self) -> Seat:
        """The seat of a command that needs one."""
        seat = self.seat
        if seat is None:
            msg = "no seat is open"
            raise LookupError(msg)
        return seat

    @property
    def seat(self) -> Seat | None:
        """The seat that the sender speaks from."""
        game, number = self.changes.game, self.seat_number
        if game is None or number is None:
            return None
        for several in (game.seats, game.claims):  # a function costs: it is asked for at each line
            for seat in several:
                if seat.number == number:
                    return seat
        return None

    @property
    def _opened(self) -> Seat | None:
        game = self.changes.game
        seats = [] if game is None or self.opened_seat is None else [*game.seats, *game.claims]
        found = [seat for seat in seats if seat.number == self.opened_seat]
        return found[0] if found else None

    @property
    def is_claim(self) -> bool:
        """True if the open seat is unconfirmed."""
        game = self.changes.game
        if game is None or not game.claims:
            return False
        return any(claim.number == self.opened_seat for claim in game.claims)

    def find_game(self, name: str) -> Game | None:
        """Return a game by name, as it is stored."""
        return self.uow.games.get(GameId(name.lower()))

    def enter(self, game: Game, seat: Seat) -> None:
        """Speak from a seat of a stored game, which becomes the mail's game."""
        self.changes.read = self.changes.game = game
        self.set_game(with_seat(game, seat))
        if seat.person == game.master and self.received - (game.heard or game.created) >= _HOUR:
            self.set_game(replace(with_seat(game, seat), heard=self.received))
        self.seat_number = self.opened_seat = seat.number
        self.current = load(self.services, self.uow, game) if game.position is not None else None

    def claim(self, game: Game, seat: Seat) -> None:
        """Speak from an unconfirmed seat, which shows nothing of the game."""
        self.changes.read = game
        self.set_game(with_claim(game, seat))
        self.seat_number = self.opened_seat = seat.number

    def speak_from(self, number: int, power: PowerId) -> None:
        """Speak for a power from now on, from the seat with that number."""
        self.seat_number, self.speaking_for = number, power
        self.ordering.target, self.ordering.targets_no_phase = None, False

    @property
    def power(self) -> PowerId | None:
        """The power that the orders are for; None if no power is led."""
        seat = self.seat
        powers = seat.powers if seat is not None else ()
        return self.speaking_for if self.speaking_for in powers else next(iter(powers), None)

    def found(self, game: Game, seat: Seat) -> None:
        """Speak from a seat of a game that this mail creates."""
        self.changes.game = game
        self.seat_number = self.opened_seat = seat.number

    # --- changes -------------------------------------------------------------------------------

    def set_game(self, game: Game) -> None:
        """Replace the game."""
        self.changes.game = game

    def set_seat(self, seat: Seat) -> None:
        """Change a seat of the game, or add one."""
        if self.game is not None:
            self.set_game(with_seat(self.game, seat))

    def add(self, changes: Changes, view: GameView) -> None:
        """Add the changes of a use case: the game, its phases and messages."""
        self.changes.game = changes.game
        self.changes.phases += changes.phases
        self.changes.press += changes.press
        self.changes.removed_notes += changes.removed_notes
        self.changes.order_sets += changes.order_sets
        self.changes.notices += changes.notices
        self.messages += changes.messages
        self.current = view

    def file(self, order_set: OrderSet) -> None:
        """Put an order set on file; what a master writes as somebody else says so."""
        if self.became:
            own = (replace(line, by_master=True) for line in order_set.lines)
            lines = zip(order_set.lines, own, strict=True)
            order_set = replace(
                order_set,
                lines=tuple(new if old.mail == self.mail_id else old for old, new in lines),
            )
        self.changes.order_sets.append(order_set)
        if self.current is not None:
            order_sets = {**self.current.order_sets, order_set.power: order_set}
            self.current = replace(self.current, order_sets=order_sets)

    def flag(self) -> None:
        """Let the phase wait for a clean mail, as after a wrong line."""
        view, power = self.view(), self.power
        if view is None or power is None:
            return
        order_set = view.order_sets.get(power)
        if order_set is None or order_set.flawed:
            return
        if order_set in self.changes.order_sets:
            self.changes.order_sets.remove(order_set)
            self.file(replace(order_set, flawed=True))
        else:
            lines = order_set.lines
            self.file(view.next_order_set(power, lines, self.received, self.mail_id, flawed=True))

    def keep(self, plan: Plan) -> None:
        """Put a power's plan on file, in place of this mail's earlier one."""
        others = [each for each in self.changes.plans if each.power != plan.power]
        self.changes.plans = [*others, plan]
        if self.current is not None:
            plans = {**self.current.plans, plan.power: plan}
            self.current = replace(self.current, plans=plans)

    def pass_on(self, interlude: Interlude) -> None:
        """Add an interlude: the position changes at once, the orders on file stay."""
        self.changes.game = interlude.view.game
        self.changes.phases.append((interlude.stored, interlude.holdings))
        self.changes.order_sets += interlude.order_sets
        self.current = interlude.view

    def view(self) -> GameView | None:
        """The position and orders of a running game, with the changes so far."""
        game, view = self.changes.game, self.current
        if game is None or view is None or game.status is not Status.RUNNING:
            return None
        people, changed = view.people, self.changes.persons
        if changed and any(
            people.get(who, person) is not person for who, person in changed.items()
        ):
            newer = {who: person for who, person in changed.items() if who in people}
            view = self.current = replace(view, people={**people, **newer})
        if view.game is not game:
            view = self.current = replace(view, game=game)
        return view

    def playing(self) -> GameView:
        """Return the view of a game that must be running.  Raises NotPlayed."""
        view = self.view()
        if view is None:
            raise NotPlayed
        return view

    def leading(self) -> tuple[GameView, PowerId]:
        """Return the same, and the power that the orders are for.  Raises NotPlayed."""
        view, power = self.playing(), self.power
        if power is None:
            raise NotPlayed
        return view, power

    def sitting(self) -> tuple[Game, Seat]:
        """Return the game and the sender's seat.  Raises NotPlayed."""
        game, seat = self.game, self.seat
        if game is None or seat is None:
            raise NotPlayed
        return game, seat

    def why_not_played(self) -> Message:
        """Return why there is no view."""
        is_over = self.game is not None and self.game.status is Status.FINISHED
        return Message("game.is_over" if is_over else "game.has_not_begun")

    # --- who speaks ---------------------------------------------------------------------------

    def load_reply_tokens(self, codes: Iterable[str]) -> None:
        """Load the reply tokens among *codes*, which answers and logs hide."""
        found = list(presented(self.services.secret, self.uow.reply_tokens, codes))
        self.secrets.update(code for code, _ in found)
        self.writer.token_scopes = tuple(scope for _, scope in found)
        self.writer.codes = dict(found)

    @property
    def address(self) -> str:
        """The address in From, in lower case; it is no proof."""
        claim = claim_of(self.mail)
        return claim.address if claim is not None else ""

    @property
    def answer_to(self) -> str:
        """The address in From, or another one on file for the same person."""
        to = where_to_answer(self.mail, self.uow.persons)
        if to and not self.mail.by_list:
            return to
        opened, person = self._opened, self.person
        seat = (opened.address,) if opened is not None and opened.person is not None else ()
        on_file = (*seat, *(person.addresses if person is not None else ()))
        return to if to in on_file or not on_file else on_file[0]

    @property
    def claimant(self) -> Person | None:
        """The owner of the confirmed address in From, which proves nothing: see `person`."""
        changed = self.changes.persons.values()
        own = (p for p in changed if p.is_confirmed and self.address in p.addresses)
        return next(own, None) or self.uow.persons.by_address(self.address)

    @property
    def person(self) -> Person | None:
        """The proven writer, provisional at an unconfirmed seat; None without a proof."""
        opened = self._opened
        found = opened.person if opened is not None else self.writer.proven
        if found is not None:
            return self.changes.persons.get(found) or self.uow.persons.get(found)
        return self.claimant if self.proof is Proven.SENDER else None

    @property
    def writers_seat(self) -> Seat | None:
        """The seat that the mail has opened by a proof; None if it is unconfirmed."""
        seat = None if self.is_claim else self._opened
        return seat if seat is not None and seat.person is not None else None

    @property
    def renderer(self) -> MessageRenderer:
        """The templates in the language of the seat's holder, else of the writer.

        A language set by the mail counts from its first line on, unless the writer is known only by
        From.
        """
        seat = self.seat
        sitting = seat.person if seat is not None else None
        known = None
        if sitting is not None:
            known = self.changes.persons.get(sitting) or self.uow.persons.get(sitting)
        reader = known or self.claimant
        language = reader.language if reader is not None else ""
        if self.progress.wanted_language and (not language or self.person is not None):
            language = self.progress.wanted_language
        return self.services.renderer.of(language) if language else self.services.renderer

    def lexicon(self, game: Game) -> Lexicon:
        """Return the names of a game's scenario in the language of the answer."""
        view = self.current
        is_own = view is not None and view.game.scenario == game.scenario
        scenario = view.world.scenario if view and is_own else self.services.scenario(game)
        return lexicon_of(scenario, self.renderer.language)

    def known_by(self, person: Person) -> Person:
        """Save a person; unless a seat is open, they are the proven writer from now on."""
        self.changes.persons[person.id] = person
        if self.opened_seat is None:
            self.writer.proven = person.id
        return person

    def names(self) -> Names:
        """Return the names of all other people."""
        own = [each.id for each in (self.person, self.claimant) if each is not None]
        judge = self.services.judge
        return Names(self.services.atlas, judge.code, self.uow.persons.names(besides=own))

    def somebody_new(self, name: str) -> Person:
        """Return a new person with the claimed address; confirmed if the mail proves it."""
        address = self.writer.confirmed_address or self.address
        person = new_person(self.services, address, name, self.now)
        is_sure = bool(self.writer.confirmed_address) or (
            not person.is_confirmed and self.writer.is_verified
        )
        return replace(person, standing=AddressStanding.CONFIRMED) if is_sure else person

    def person_or_new(self) -> Person | None:
        """Return the writer, or a new person by the name in the mail or a similar one."""
        person = self.person
        wanted = clean_name(self.mail.display_name)
        if person is None and wanted:
            name = self.names().nearest(wanted, self.address)
            person = self.known_by(self.somebody_new(name))
            if person.is_confirmed:
                self.done(Message("session.registered", name=person.name))
            if person.name != wanted:
                self.done(Message("session.name_not_free", wanted=wanted))
        return person

    def people(self, game: Game) -> dict[PersonId, Person]:
        """Return the people at a game, with those that this mail has registered."""
        return {**people_of(self.uow, game), **self.changes.persons}

    @property
    def proof(self) -> Proven:
        """The surest proof of the mail so far."""
        if self.is_claim:
            return Proven.UNCONFIRMED
        if self.writer.has_code or self.writer.opened_by_token:
            return Proven.TOKEN
        is_trusted = not self.services.judge.confirm and self.mail.is_in_from
        is_verified = is_trusted or self.writer.is_verified
        if self.opened_seat is None:
            return Proven.SENDER if is_verified else Proven.NOTHING
        return Proven.BOTH if is_verified and self._is_from_its_owner else Proven.PASSWORD

    @property
    def _is_from_its_owner(self) -> bool:
        """True if From is an address of the seat's holder before this mail."""
        opened = self._opened
        found = opened.person if opened is not None and opened.person else self.writer.proven
        person = self.uow.persons.get(found) if found is not None else None
        return person is not None and self.address in person.addresses

    def note(self, kind: str, text: MessageOrText) -> None:
        """Add to the log of the game."""
        if self.game is not None:
            person = self.person
            by = person.id if person is not None and person.is_confirmed else None
            translations = {
                language: redact_sentence(said, self.secrets)
                for language, said in self.services.renderer.translations(text).items()
            }
            words = self.log_words(text)
            self.changes.notices.append(
                Notice(self.game.id, self.now, by, kind, words, translations)
            )


def not_approved(context: MailContext) -> Message | None:
    """Return why orders of an unconfirmed or unapproved seat do not count, or None."""
    if context.is_claim:
        return NOT_CONFIRMED
    if context.seat is None or context.seat.approved or context.became:
        return None
    return Message("session.not_approved")


def too_old(context: MailContext) -> Message | None:
    """Refuse orders of unapproved players, or for the previous phase unless the mail names this."""
    if flaw := not_approved(context):
        return flaw
    game = context.game
    began = game.clock.began if game is not None and game.clock is not None else context.received
    if context.ordering.names_phase or context.received >= began:
        return None
    return Message("session.too_old")


def is_player(seat: Seat | None) -> bool:
    """Return True for a player's seat."""
    return seat is not None and seat.role is Role.PLAYER


_AROUND = ".,:;!()[]<>\"'*_|/\\="
_ODD = re.compile(r"\d")
_SIGNON = re.compile(r"[\s>*|•-]*(?:sign-?on|login)\b", re.IGNORECASE)
_SETTING = re.compile(r"set\s+(?P<key>\w+)\s*[:=]?\s*$", re.IGNORECASE)
_KEYS = frozenset(("password", "passwort", "passwd", "pass", "pw"))


@dataclass(frozen=True, slots=True)
class Redacted:
    """A message without passwords."""

    lines: tuple[str, ...]
    count: int


def redacted(context: MailContext, lines: Sequence[str]) -> Redacted:
    """Return the lines of a message without passwords.

    Of the possible passwords only these count: behind a signon for an existing game, in a line
    that is only a signon or ``set password``, and the writer's own password as a word.  A "hello"
    to Milan gives nothing away.
    """
    found = redact_words(lines, lambda place: _what_counts(context, lines, place))
    kept = redact_secrets(found, context.secrets)
    changed = sum(before != after for before, after in zip(lines, kept, strict=True))
    return Redacted(tuple(kept), changed)


def _what_counts(
    context: MailContext, lines: Sequence[str], place: PasswordPlace
) -> PasswordPlace | None:
    """The part of a find that gives something away to readers, or None."""
    line = lines[place.line]
    if place.line != place.opening[0] and len(line.split()) != 1:
        return None
    match place.behind:
        case Behind.SIGNON | Behind.HELLO | Behind.GAME:
            return place if _opens(context, lines, place) else None
        case Behind.SETTING:
            first = replace(place, end=place.start + len(place.first))
            return first if _sets(lines, place) else None
        case Behind.NAME | Behind.CONFIRM:
            return place if _ODD.search(place.first) else None


def _opens(context: MailContext, lines: Sequence[str], place: PasswordPlace) -> bool:
    greets = place.behind is Behind.HELLO
    with_seat = place.behind is not Behind.GAME
    if _names_game(context, place.game, with_seat=with_seat, is_greeting=greets):
        return True
    is_alone = bool(_SIGNON.match(lines[place.opening[0]]))
    said = lines[place.line][place.start :]
    return is_alone and len(said.split()) == 1


def _sets(lines: Sequence[str], place: PasswordPlace) -> bool:
    """Return True if a password is set; "set passwords aside" sets none."""
    command = _SETTING.search(_before(lines, place))
    key = command["key"].lower() if command else ""
    line, column = place.opening
    begins = not lines[line][:column].strip(" >*|•-\t")
    is_last = place.start + len(place.first) >= len(lines[place.line].rstrip())
    return key in _KEYS or (begins and is_last and means_password(key))


def _before(lines: Sequence[str], place: PasswordPlace) -> str:
    line, column = place.opening
    return lines[line][column : place.start if line == place.line else None]


def _names_game(context: MailContext, said: str, *, with_seat: bool, is_greeting: bool) -> bool:
    """Return True for the name of a game, or in no greeting of this one with a slip."""
    name = said.strip(_AROUND)
    if name.startswith("?"):
        return True
    names = (name[1:], name.partition("@")[2]) if with_seat else (name,)
    named = any(context.find_game(each) is not None for each in names if each)
    return named or (with_seat and not is_greeting and _is_near(context, name[1:]))


def _is_near(context: MailContext, name: str) -> bool:
    own = [context.game.id] if context.game is not None else []
    return bool(get_close_matches(name.lower(), own, cutoff=0.8))


MAX_SHOWN = 12
"""Lines that the answer quotes the beginning of."""
LONGEST_SHOWN = 48
_LINK = re.compile(r"://|www\.|\S@\S", re.IGNORECASE)
_LINES_ABOVE = 4
"""Lines above in which the signon of a password may stand."""


def tell_unread(context: MailContext, lines: Sequence[Line]) -> None:
    """List the unread lines in the answer, without those that are marked as comments."""
    lines = [line for line in lines if not line.text.lstrip().startswith(("#", "//"))]
    shown = [_beginning(context, line) for line in lines[:MAX_SHOWN]]
    if len(lines) > MAX_SHOWN:
        shown.append(more_lines(lines))
    context.answer.ignored += shown


def more_lines(lines: Sequence[Line]) -> Message:
    """Return how many lines are not shown, and the number of the last."""
    return Message("session.more_lines", n=len(lines) - MAX_SHOWN, last=lines[-1].number)


def tell_comments(context: MailContext, comments: Iterable[tuple[int, str]]) -> None:
    """List the comments that were not read, with their line numbers."""
    for number, text in comments:
        message = Message("session.line", number=number, text=context.safe(text))
        context.answer.ignored.append(message)


def shortened(text: str, most: int = LONGEST_SHOWN) -> str:
    """Return the text, or its beginning."""
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def _beginning(context: MailContext, line: Line) -> Message:
    """The number of a line and its beginning.

    Without a sign-in only orders and commands are repeated: From can be forged, and the judge must
    not carry other words there.
    """
    text = _redacted(context, line)
    words = vocabulary()
    is_known = context.seat is not None or words.is_unit_order(text) or words.begins_command(text)
    first, *_ = text.split() or [""]
    most = LONGEST_SHOWN if is_known and not _LINK.search(text) else len(first)
    return Message("session.line", number=line.number, text=shortened(text, most))


def _redacted(context: MailContext, line: Line) -> str:
    """A line without passwords, including one below the line of its signon."""
    lines = context.mail.lines
    at = next((n for n, each in enumerate(lines) if each.number == line.number), None)
    if at is None:
        return context.safe(line.text)
    above = [each.text for each in lines[max(0, at - _LINES_ABOVE) : at]]
    return redact_known(redact_words([*above, line.text])[-1], context.secrets)
