"""The game that a mail is about, the seat it speaks from, and what it has changed so far."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from machjudge.adjudicator.model.names import PowerId
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.registry import with_claim, with_seat
from machjudge.service.game.view import GameView, load
from machjudge.service.model.plans import Plan, Target
from machjudge.service.model.records import Game, GameId, Seat, Sheet, Status
from machjudge.service.ports.changes import Changes
from machjudge.service.session.answered_mail import AnsweredMail
from machjudge.service.session.between_phases import Interlude

_HOUR = timedelta(hours=1)
"""How exactly is kept when a master was heard, so that not each of their mails changes the game."""


@dataclass(slots=True)
class GameInHand(AnsweredMail):
    """A mail with its game; None until the mail has opened one."""

    seat_number: int | None = None
    """The seat in whose name the lines are."""
    speaking_for: PowerId | None = None
    """The power that ``become`` or ``for`` named; None: the first one of the seat."""
    order_lines: list[Line] = field(default_factory=list)
    """The lines of orders for the phase that is being played."""
    has_ordered: bool = False
    """Whether orders for the phase that is being played were among its lines."""
    target: Target | None = None
    """The later phase, or the kind of phase, that orders are for from here on."""
    is_nowhere: bool = False
    """Whether a phase was named for which there can be no orders."""
    is_phase_unread: bool = False
    """Whether that is so because the line which names it could not be read."""
    names_phase: bool = False
    """Whether the mail names the phase that is being played."""
    current: GameView | None = None
    """The situation of the game as it was read, or as this mail has made it."""
    opened_seat: int | None = None
    """The number of the seat that the mail has opened, whoever it speaks for since."""

    # --- the seat ------------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game that the mail is about, with the changes so far."""
        return self.changes.game

    @property
    def seat(self) -> Seat | None:
        """The seat from which the sender speaks."""
        return self._seat_of(self.seat_number)

    def _seat_of(self, number: int | None) -> Seat | None:
        game = self.changes.game  # asked for many times a mail
        if game is None or number is None:
            return None
        for several in (game.seats, game.claims):
            for seat in several:
                if seat.number == number:
                    return seat
        return None

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
        """The power whose orders the lines are; None if no power is led."""
        powers = self.seat.powers if self.seat is not None else ()
        return self.speaking_for if self.speaking_for in powers else next(iter(powers), None)

    def found(self, game: Game, seat: Seat) -> None:
        """Speak from a seat of a game that this mail creates."""
        self.changes.game = game
        self.seat_number = self.opened_seat = seat.number

    # --- changes -------------------------------------------------------------------------------

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
        people = self.current.people
        changed = {who: p for who, p in self.changes.persons.items() if people.get(who, p) is not p}
        if self.current.game is not self.game or changed:
            self.current = replace(self.current, game=self.game, people={**people, **changed})
        return self.current

    def why_not_played(self) -> Sentence:
        """Why there is no situation."""
        is_over = self.game is not None and self.game.status is Status.FINISHED
        return Sentence("game.is_over" if is_over else "game.has_not_begun")
