"""A game as it stands: with its position, its orders on file and its people."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from machjudge.adjudicator.model.names import MachjudgeError, PowerId
from machjudge.adjudicator.model.orders import Order, Orders
from machjudge.adjudicator.model.state import State, View
from machjudge.adjudicator.model.world import World
from machjudge.language.vocabulary.lexicon import Lexicon, lexicon_of
from machjudge.letters.page.head import Reader
from machjudge.letters.wording.catalogue import LANGUAGE
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.service.game.deadlines import Readiness
from machjudge.service.game.needs import has_to_order, is_late, may_order
from machjudge.service.game.stored_orders import read_order_lines
from machjudge.service.game.timetable import timing_of
from machjudge.service.model.notes import Note, NoteKind
from machjudge.service.model.plans import Plan
from machjudge.service.model.records import (
    Absence,
    Bounces,
    Clock,
    Game,
    Person,
    PersonId,
    Role,
    Seat,
    Sheet,
    Status,
    StoredPhase,
)
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services


class NotRunning(MachjudgeError):
    """A game that is not being played was taken for one that is."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A running game with everything that its next phase starts from."""

    game: Game
    world: World
    phase: StoredPhase
    """The stored phase whose outcome is the position now."""
    sheets: Mapping[PowerId, Sheet]
    people: Mapping[PersonId, Person]
    last_number: int
    """The highest number of a stored phase."""
    postal: tuple[Note, ...] = ()
    """The postal press that comes with the next results."""
    plans: Mapping[PowerId, Plan] = field(default_factory=dict)
    """What the powers have on file ahead."""

    @property
    def state(self) -> State:
        """The position."""
        return self.phase.after

    @property
    def lexicon(self) -> Lexicon:
        """The names of its scenario."""
        return lexicon_of(self.world.scenario)

    @property
    def clock(self) -> Clock:
        """The times of the phase.  Raises NotRunning."""
        if self.game.clock is None:
            raise NotRunning(self.game.name)
        return self.game.clock

    def orders_of(self, power: PowerId) -> tuple[Order, ...]:
        """The orders of a power on file."""
        sheet = self.sheets.get(power)
        lines = sheet.lines if sheet is not None else ()
        return read_order_lines(self.world, self.state.moment.stage, lines)

    def orders(self) -> Orders:
        """All orders on file."""
        return {power: self.orders_of(power) for power in self.sheets}

    def out_of_reach(self, now: datetime) -> Mapping[int, Bounces]:
        """What came back from the seats that cannot be reached, by their numbers.

        Those of players and masters; observers hold nobody up.
        """
        came_back = {
            each.address: each
            for person in self.people.values()
            for each in person.bounces
            if each.counts(self.clock.began, now)
        }
        waited_for = (s for s in self.game.seats if s.person and s.role is not Role.OBSERVER)
        return {s.number: came_back[s.address] for s in waited_for if s.address in came_back}

    def readiness(self, now: datetime | None = None) -> Readiness:
        """Who has not ordered everything, and whether somebody waits for the deadline.

        With *now* also which seats cannot be reached then.
        """
        late = frozenset(
            power
            for power in self.world.scenario.in_play
            if is_late(self.world, self.state, power, self.orders_of(power))
        )
        written = [max(sheet.received, self.clock.began) for sheet in self.sheets.values()]
        flagged = self.flagged()
        timing = timing_of(self.game.conduct, self.state.moment.stage)
        return Readiness(
            late,
            wait=bool(flagged or self.waiting() or self.nobody_wrote()),
            since=max(written, default=None),
            led=frozenset(power for power in late if self._is_led(power)),
            flagged=flagged,
            vacant=frozenset(p for p in self.clock.vacant if p in late and not self._is_led(p)),
            silent=frozenset(power for power in late if power not in self.sheets),
            delay=timedelta(minutes=timing.delay_minutes),
            played=is_played(self.game),
            out_of_reach=frozenset(self.out_of_reach(now) if now is not None else ()),
        )

    def is_overdue(self, now: datetime) -> bool:
        """Whether the deadline is over and the clock runs: nobody can wait for it any more."""
        return self.clock.paused is None and now >= self.clock.deadline

    def flagged(self) -> frozenset[PowerId]:
        """The powers with the error flag: lines of their last orders were not taken.

        Only such as somebody leads, and for which the phase has a meaning.
        """
        flawed = (power for power, sheet in self.sheets.items() if sheet.flawed)
        return frozenset(
            power
            for power in flawed
            if self._is_led(power) and may_order(self.world, self.state, power)
        )

    def waiting(self) -> frozenset[PowerId]:
        """The powers whose players wait for the deadline (``set wait``)."""
        seats = (seat for seat in self.game.seats if seat.waits and self._may_wait(seat))
        return frozenset(power for seat in seats for power in seat.powers)

    def nobody_wrote(self) -> bool:
        """Whether all orders of the phase are standing ones: then it keeps its time.

        Else a game all of whose players have standing orders would run away from them.
        """
        powers = self.world.in_play
        others = [power for power in powers if not self._is_standing(power)]
        return not self._is_due(others) and self._is_due(powers)

    def _is_due(self, powers: Iterable[PowerId]) -> bool:
        """Whether the phase asks anything of one of some powers."""
        return any(has_to_order(self.world, self.state, power) for power in powers)

    def _is_standing(self, power: PowerId) -> bool:
        """Whether the orders of a power were kept for every phase of the kind, and no others."""
        sheet, plan = self.sheets.get(power), self.plans.get(power)
        if sheet is None or plan is None or plan.part(self.state.moment).items:
            return False
        return sheet.mail == plan.mail and sheet.received <= self.clock.began

    def seen_by(self, sight: Sight, language: str = "") -> "SeenGame":
        """The game as a reader sees it, who writes in a language."""
        view = sight.view(self.world, self.phase.after)
        return SeenGame(
            game=self.game,
            world=self.world,
            phase=replace(self.phase, after=view),
            sheets=self.sheets,
            people=self.people,
            last_number=self.last_number,
            postal=self.postal,
            plans=self.plans,
            view=view,
            words=sight.words(self.world, view),
            language=language,
        )

    def _may_wait(self, seat: Seat) -> bool:
        """Whether the game lets somebody wait: everybody, or those who have orders to give."""
        return not self.game.conduct.strict_wait or self._is_due(seat.powers)

    def leads(self, power: PowerId) -> PowerId:
        """The power that has a power's units: itself, or the first of its player's (SET-24)."""
        return self.world.leads(power, self.phase.after.sides)

    def _is_led(self, power: PowerId) -> bool:
        seat = seat_of(self.game, power)
        return seat is not None and seat.person is not None


@dataclass(frozen=True, slots=True)
class SeenGame(GameView):
    """A running game as one reader sees it: orders are read, judged and told of by this."""

    view: View = field(kw_only=True)
    words: Words = field(kw_only=True)
    """How the reader is told of it: the names of places, and units and orders in their notation."""
    language: str = ""

    @property
    def lexicon(self) -> Lexicon:
        """The names of its scenario, with those of the reader's language."""
        return lexicon_of(self.world.scenario, self.language)

    @property
    def state(self) -> View:
        """The position as the reader sees it."""
        return self.view


def absences_of(game: Game) -> tuple[Absence, ...]:
    """When players or masters of a game are away; observers hold nobody up."""
    waited_for = (s for s in game.seats if s.person is not None and s.role is not Role.OBSERVER)
    return tuple(absence for seat in waited_for for absence in seat.absences)


def load(services: Services, uow: UnitOfWork, game: Game) -> GameView:
    """The situation of a running game.  Raises NotRunning."""
    if game.position is None:
        raise NotRunning(game.name)
    return GameView(
        game=game,
        world=services.world(game),
        phase=uow.phases.get(game.id, game.position),
        sheets=uow.sheets.on_file(game.id, game.position),
        people=people_of(uow, game),
        last_number=uow.phases.last_number(game.id),
        postal=tuple(uow.notes.all_of(game.id, NoteKind.POSTAL)),
        plans=uow.plans.on_file(game.id),
    )


def people_of(uow: UnitOfWork, game: Game) -> Mapping[PersonId, Person]:
    """The people at the seats of a game, its master, and those who just lost a seat."""
    return uow.persons.of(game.people)


def living(situation: GameView) -> tuple[PowerId, ...]:
    """The powers in play that are not eliminated, in the scenario's order."""
    out = situation.state.eliminated
    return tuple(power for power in situation.world.scenario.in_play if power not in out)


def seat_of(game: Game, power: PowerId) -> Seat | None:
    """The seat of whoever leads a power."""
    return next((seat for seat in game.seats if power in seat.powers), None)


def vacant_powers(game: Game) -> tuple[PowerId, ...]:
    """The powers of open seats."""
    return tuple(p for seat in players(game) if seat.person is None for p in seat.powers)


def open_powers(services: Services, uow: UnitOfWork, game: Game) -> tuple[PowerId, ...]:
    """The powers that somebody may take over: those of open seats that are still in the game."""
    vacant = vacant_powers(game)
    if not vacant or game.status is not Status.RUNNING:
        return vacant
    out = load(services, uow, game).state.eliminated
    return tuple(power for power in vacant if power not in out)


def is_played(game: Game) -> bool:
    """Whether anybody sits at a power."""
    return any(seat.person is not None for seat in players(game))


def players(game: Game) -> tuple[Seat, ...]:
    """The seats of players, taken or abandoned, by number."""
    return tuple(seat for seat in game.seats if seat.role is Role.PLAYER)


def reader_of(services: Services, person: Person | None, now: datetime, name: str = "") -> Reader:
    """Somebody as a reader: their name (else *name*), time zone and language."""
    language = person.language if person is not None else ""
    called = person.name if person is not None else name
    zone = zone_of(services, person)
    if person is None:
        return Reader(called, zone, now, language or LANGUAGE)
    wishes = (person.html, person.html and person.pictures, person.json)
    return Reader(called, zone, now, language or LANGUAGE, *wishes)


def zone_of(services: Services, person: Person | None) -> ZoneInfo:
    """The time zone in which somebody reads."""
    return ZoneInfo(person.zone if person is not None else services.judge.zone)


def zone_words(zone: str) -> str:
    """How a time zone is called to its owner: by its hours from UTC where it has no other name."""
    sign, hours = zone[7:8], zone[8:]
    is_offset = zone.startswith("Etc/GMT") and sign in ("+", "-")
    return f"UTC{'-' if sign == '+' else '+'}{hours}" if is_offset else zone
