"""One mail being handled: who speaks, what has been changed so far, what the answer will say.

Nothing is written while a mail is handled; the worker writes the changes when it is over, or
throws them away and begins again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.reply import Answer
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line, Mail, hidden_in, redact_line, redact_sentence, redacted_column
from machjudge.service.credentials.authority import Proven
from machjudge.service.credentials.reply_tokens import Speaks, presented
from machjudge.service.game.names import Names
from machjudge.service.game.registry import clean_name, new_person, with_claim, with_seat
from machjudge.service.game.view import GameView, load, people_of
from machjudge.service.limits.guessing import Tries
from machjudge.service.model.plans import Plan, Target
from machjudge.service.model.records import (
    Game,
    GameId,
    MailId,
    Notice,
    Person,
    PersonId,
    Role,
    Seat,
    Sheet,
    Standing,
    Status,
)
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.claim import claim_of, where_to_answer
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.message_parts import Part
from machjudge.service.ports.services import Services
from machjudge.service.session.between_phases import Interlude

_HOUR = timedelta(hours=1)
"""How exactly is kept when a master was heard, so that not each of his mails changes the game."""

NOT_CONFIRMED = "your address is not confirmed; reply to this message with the line"
"""Why a seat that waits for an answer does nothing yet."""
NOT_READ = "The rest of the mail was not read"


@dataclass(frozen=True, slots=True)
class Unsigned:
    """An anonymous text that is sent when the mail is over, if others hear of nothing else."""

    line: Line
    """The line of its command."""
    send: Callable[[], None]
    give_back: Callable[[], None]
    """Return the text to its writer."""


@dataclass(slots=True)
class Session:
    """The state of one conversation."""

    services: Services
    uow: UnitOfWork
    """For reading only."""
    mail: Mail
    mail_id: MailId
    received: datetime
    now: datetime
    answer: Answer = field(default_factory=Answer)
    changes: Changes = field(default_factory=Changes)
    letters: list[Outgoing | Part] = field(default_factory=list)
    """What goes out besides the answer."""
    seat_number: int | None = None
    """The seat in whose name the lines are."""
    has_code: bool = False
    """Whether the mail answers a message of the judge, so that its reply code speaks."""
    proven: PersonId | None = None
    """Whom a proof without a seat shows to be the writer, or who was made by this mail."""
    speaking_for: PowerId | None = None
    """The power that ``become`` or ``for`` named; none: the first one of the seat."""
    became: bool = False
    """Whether a master writes in the name of a player."""
    is_closed: bool = False
    """Whether nothing more of the mail is read."""
    is_cut: bool = False
    """Whether the mail is too long, so that its end was not read."""
    has_quit: bool = False
    """Whether a word ended the mail that may mean something else."""
    order_lines: list[Line] = field(default_factory=list)
    """The lines of orders for the phase that is being played."""
    has_ordered: bool = False
    """Whether orders for the phase that is being played were among its lines."""
    has_written: bool = False
    """Whether press, postal press or an entry of a diary was among its lines."""
    target: Target | None = None
    """The later phase, or the kind of phase, that orders are for from here on."""
    is_nowhere: bool = False
    """Whether a phase was named for which there can be no orders."""
    is_phase_unread: bool = False
    """Whether that is so because the line which names it could not be read."""
    names_phase: bool = False
    """Whether the mail names the phase that is being played."""
    missed: list[str] = field(default_factory=list)
    """Lines that their writer may have meant as orders, and that were not read."""
    is_dry: bool = False
    """Whether nothing of this mail shall be stored."""
    unsigned: list[Unsigned] = field(default_factory=list)
    """Anonymous texts that wait for the end of the mail."""
    mails_token: bool = False
    """Whether a token goes out that this mail has asked for."""
    is_locked: bool = False
    """Whether a password was not tried that came from an address on file of the seat."""
    waits: Person | None = None
    """Whose claimed address has to be confirmed by the answer to this mail's acknowledgement."""
    to_confirm: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    """Changes of which the old address of a seat is told: its number, what, and more about it."""
    current: GameView | None = None
    """The situation of the game as it was read, or as this mail has made it."""
    secrets: set[str] = field(default_factory=set)
    """The passwords of this mail; no answer and no log repeats one."""
    speaks: tuple[Speaks, ...] = ()
    """What the reply tokens of this mail speak for, the surest first."""
    opened_seat: int | None = None
    """The number of the seat that the mail has opened, whoever it speaks for since."""
    opened_by_token: bool = False
    """Whether a reply token has opened the seat."""
    answers_act: bool = False
    """Whether the mail answers the question about an act that waits."""
    check_sender: Callable[[], bool] = lambda: False
    """Whether the mail proves the address that it claims."""
    tries: Tries = field(init=False)
    """The passwords that this mail tries, as they are counted."""

    def __post_init__(self) -> None:
        """Count the tries of this mail."""
        self.tries = Tries(self.services.store, self.mail_id, self.now)

    # --- who speaks ---------------------------------------------------------------------------

    def hear_tokens(self, codes: Iterable[str]) -> None:
        """Take the reply tokens among *codes*; no answer and no log repeats one."""
        found = list(presented(self.services.secret, self.uow.reply_tokens, codes))
        self.secrets.update(code for code, _ in found)
        self.speaks = tuple(speaks for _, speaks in found)

    @property
    def is_verified(self) -> bool:
        """Whether the mail proves the address that it claims; asked for only where it matters."""
        return self.check_sender()

    @property
    def address(self) -> str:
        """The address that the mail claims to come from, in lower case; it is no proof."""
        claim = claim_of(self.mail)
        return claim.address if claim is not None else ""

    @property
    def answer_to(self) -> str:
        """Where the answer goes: the address in From, or another of the same person."""
        return where_to_answer(self.mail, self.uow.persons)

    @property
    def claimant(self) -> Person | None:
        """Whose confirmed address stands in From.  That proves nothing: see `person`."""
        changed = self.changes.persons.values()
        own = (p for p in changed if p.is_confirmed and self.address in p.addresses)
        return next(own, None) or self.uow.persons.by_address(self.address)

    @property
    def person(self) -> Person | None:
        """Whoever has proved to be the writer; None if the mail only claims an address.

        Provisional where the mail has opened, or made, a seat that waits for an answer.
        """
        opened = self._seat_of(self.opened_seat)
        found = opened.person if opened is not None else self.proven
        if found is not None:
            return self.changes.persons.get(found) or self.uow.persons.get(found)
        return self.claimant if self.proof is Proven.SENDER else None

    def known_by(self, person: Person) -> Person:
        """Somebody is known from here on by what this mail says of them, for what that is worth."""
        self.changes.persons[person.id] = person
        if self.opened_seat is None:
            self.proven = person.id
        return person

    def names(self) -> Names:
        """The names that others have, as far as whoever writes is concerned."""
        own = [each.id for each in (self.person, self.claimant) if each is not None]
        judge = self.services.judge
        return Names(self.services.atlas, judge.code, self.uow.persons.names(besides=own))

    def somebody_new(self, name: str) -> Person:
        """Somebody of that name under the claimed address; confirmed where the mail proves it."""
        person = new_person(self.services, self.address, name, self.now)
        is_sure = not person.is_confirmed and self.is_verified
        return replace(person, standing=Standing.CONFIRMED) if is_sure else person

    def person_or_new(self) -> Person | None:
        """Whoever writes; somebody new by the name in the mail, if it has one.

        A name that is not free costs nobody the seat: another one is found, and told.
        """
        person = self.person
        wanted = clean_name(self.mail.display_name)
        if person is None and wanted:
            name = self.names().nearest(wanted, self.address)
            person = self.known_by(self.somebody_new(name))
            if person.is_confirmed:
                self.done(f"You are registered as {person.name}.")
            if person.name != wanted:
                self.done(f"The name {wanted} is not free here.")
                self.done("REGISTER, with a line Name: below it, changes yours.")
        return person

    def people(self, game: Game) -> dict[PersonId, Person]:
        """The people at a game, with those that this mail has registered."""
        return {**people_of(self.uow, game), **self.changes.persons}

    # --- the game -----------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game that the mail is about, with the changes so far."""
        return self.changes.game

    @property
    def seat(self) -> Seat | None:
        """The seat from which the sender speaks."""
        return self._seat_of(self.seat_number)

    def _seat_of(self, number: int | None) -> Seat | None:
        if self.game is None or number is None:
            return None
        every = (*self.game.seats, *self.game.claims)
        return next((seat for seat in every if seat.number == number), None)

    @property
    def proof(self) -> Proven:
        """The surest proof of the mail so far."""
        if self.is_claim:
            return Proven.UNCONFIRMED
        if self.has_code or self.opened_by_token:
            return Proven.TOKEN
        is_verified = not self.services.judge.confirm or self.is_verified
        if self.opened_seat is None:
            return Proven.SENDER if is_verified else Proven.NOTHING
        return Proven.BOTH if is_verified else Proven.PASSWORD

    @property
    def is_claim(self) -> bool:
        """Whether the open seat waits for somebody to answer from its address."""
        claims = self.game.claims if self.game is not None else ()
        return any(claim.number == self.opened_seat for claim in claims)

    def find_game(self, name: str) -> Game | None:
        """A game by its name, as it is stored."""
        return self.uow.games.get(GameId(name.lower()))

    def enter(self, game: Game, seat: Seat) -> None:
        """Speak from a seat of a stored game; the mail is about this game from now on."""
        self.changes.read = self.changes.game = game
        self.set_game(with_seat(game, seat))
        if seat.person == game.master and self.received - (game.heard or game.created) >= _HOUR:
            self.set_game(replace(with_seat(game, seat), heard=self.received))
        self.seat_number = self.opened_seat = seat.number
        self.current = load(self.services, self.uow, game) if game.position is not None else None

    def claim(self, game: Game, seat: Seat) -> None:
        """Speak from a seat that waits for an answer: it shows nothing of the game."""
        self.changes.read = game
        self.set_game(with_claim(game, seat))
        self.seat_number = self.opened_seat = seat.number

    def speak_from(self, number: int, power: PowerId) -> None:
        """Go on in the name of a power, from the seat with that number."""
        self.seat_number, self.speaking_for = number, power
        self.target, self.is_nowhere = None, False

    @property
    def power(self) -> PowerId | None:
        """The power whose orders the lines are; none for whoever leads none."""
        powers = self.seat.powers if self.seat is not None else ()
        return self.speaking_for if self.speaking_for in powers else next(iter(powers), None)

    def found(self, game: Game, seat: Seat) -> None:
        """Speak from a seat of a game that this mail creates."""
        self.changes.game = game
        self.seat_number = self.opened_seat = seat.number

    def set_game(self, game: Game) -> None:
        """Change the game."""
        self.changes.game = game

    def set_seat(self, seat: Seat) -> None:
        """Change a seat of the game, or add one."""
        if self.game is not None:
            self.set_game(with_seat(self.game, seat))

    def add(self, changes: Changes, situation: GameView) -> None:
        """Take over what a use case has changed: the game, its phases and the letters about it."""
        self.changes.game = changes.game
        self.changes.phases += changes.phases
        self.changes.press += changes.press
        self.changes.torn += changes.torn
        self.changes.sheets += changes.sheets
        self.changes.notices += changes.notices
        self.letters += changes.letters
        self.current = situation

    def file(self, sheet: Sheet) -> None:
        """Put an order set on file."""
        self.changes.sheets.append(sheet)
        if self.current is not None:
            sheets = {**self.current.sheets, sheet.power: sheet}
            self.current = replace(self.current, sheets=sheets)

    def flag(self) -> None:
        """Let the phase wait for a clean mail, as after a line that was wrong."""
        situation, power = self.situation(), self.power
        sheet = situation.sheets.get(power) if situation is not None and power is not None else None
        if sheet is None or sheet.flawed:
            return
        flagged = replace(sheet, flawed=True)
        if sheet in self.changes.sheets:
            self.changes.sheets.remove(sheet)
        else:
            received = max(sheet.received, self.received)
            number = sheet.number + 1
            flagged = replace(flagged, number=number, received=received, mail=self.mail_id)
        self.file(flagged)

    def keep(self, plan: Plan) -> None:
        """Put on file what a power orders ahead, in place of what this mail has put there."""
        others = [each for each in self.changes.plans if each.power != plan.power]
        self.changes.plans = [*others, plan]
        if self.current is not None:
            plans = {**self.current.plans, plan.power: plan}
            self.current = replace(self.current, plans=plans)

    def pass_on(self, interlude: Interlude) -> None:
        """Take over an interlude: the position changes at once, the orders on file stay."""
        self.changes.game = interlude.situation.game
        self.changes.phases.append((interlude.stored, interlude.holdings))
        self.changes.sheets += interlude.sheets
        self.current = interlude.situation

    def situation(self) -> GameView | None:
        """The position and the orders of a running game, with the changes so far."""
        if self.game is None or self.current is None or self.game.status is not Status.RUNNING:
            return None
        return replace(self.current, game=self.game)

    def why_not_played(self) -> str:
        """Why there is no situation."""
        is_over = self.game is not None and self.game.status is Status.FINISHED
        return "the game is over" if is_over else "the game has not begun"

    # --- the answer ---------------------------------------------------------------------------

    def done(self, line: str) -> None:
        """Say what was done."""
        self.answer.done.append(redact_sentence(line, self.secrets))

    def refuse(self, line: Line, reason: str, **hints: object) -> None:
        """Say what was not taken, and why."""
        self.take_trouble(replace(Trouble(line.number, line.text, reason), **hints))  # type: ignore[arg-type]

    def take_trouble(self, trouble: Trouble) -> None:
        """Say what was not taken, without a password of the mail."""
        secrets = self.secrets | hidden_in(trouble.line, self.secrets)
        near, column, part = trouble.instead, trouble.column, trouble.part
        moved = partial(redacted_column, trouble.line, secrets=self.secrets)
        self.answer.troubles.append(
            replace(
                trouble,
                line=self.safe(trouble.line),
                reason=redact_sentence(trouble.reason, secrets),
                column=None if column is None else moved(column),
                part=None if part is None else (moved(part[0]), moved(part[1])),
                instead=None if near is None else redact_sentence(near, secrets),
            )
        )

    def refuse_all(
        self, line: Line, reason: str, instead: str | None = None, note: str = NOT_READ
    ) -> None:
        """Refuse a line on which everything after it depends, and read no further."""
        self.refuse(line, reason, instead=instead, note=note)
        self.is_closed = True

    def safe(self, text: str) -> str:
        """Text of the mail without a password."""
        return redact_line(text, self.secrets)

    def note(self, kind: str, text: str) -> None:
        """Add to the log of the game."""
        if self.game is not None:
            person = self.person
            by = person.id if person is not None and person.is_confirmed else None
            self.changes.notices.append(Notice(self.game.id, self.now, by, kind, text))

    def send(self, letter: Outgoing | Part) -> None:
        """Send a letter, or a part of one, besides the answer."""
        self.letters.append(letter)


def not_approved(session: Session) -> str:
    """Why orders from a seat do not count that waits for an answer, or for the master's approval.

    Empty if they do.
    """
    if session.is_claim:
        return NOT_CONFIRMED
    if session.seat is None or session.seat.approved or session.became:
        return ""
    return "the master has not approved you yet; send the orders again after that"


def too_old(session: Session) -> str:
    """Orders for the phase before must not slip into this one, unless they name it.

    Nor may those of whoever is not approved.
    """
    if flaw := not_approved(session):
        return flaw
    game = session.game
    began = game.clock.began if game is not None and game.clock is not None else session.received
    if session.names_phase or session.received >= began:
        return ""
    return "the mail was received before this phase began; send the orders again if you mean them"


def is_player(seat: Seat | None) -> bool:
    """Whether a seat is a player's."""
    return seat is not None and seat.role is Role.PLAYER
