"""A running game as it is read, its orders on file, and its people's attendance."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.legality import spaces_ordered, without_order
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.orders import Build, BulkOrder, Order, Orders, Pay, Remove, Waive
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.formats.game_file import SealedSet, nonce_of, sealed_digest, sealing_key
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.records import (
    Absence,
    Attendance,
    Bounces,
    Case,
    Choice,
    Clock,
    FiledOrder,
    Game,
    GameId,
    Item,
    Kept,
    LastingSiege,
    MailId,
    Note,
    NoteKind,
    Notice,
    OrderSet,
    Person,
    PersonId,
    Plan,
    PlanPart,
    Preference,
    Role,
    Seat,
    Status,
    StoredPhase,
)
from machjudge.judge.timetable import Readiness, Run, decide, missing_for, timing_of
from machjudge.language.conditions import (
    Both,
    Condition,
    Either,
    Not,
    Owned,
    Sign,
    Treasury,
    UnitThere,
)
from machjudge.language.lexicon import BY_AGREEMENT, Lexicon, lexicon_of, write
from machjudge.language.orders import may_be_bulk_order, parse_bulk_order, read_order
from machjudge.language.words import ParseError
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.notation import order_text
from machjudge.messages.receipt import cities_that_count
from machjudge.messages.render import Reader, flag_help, flag_line, wait_line
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText, joined, phrase

_MAX_REMEMBERED = 10_000
"""Orders on file are read several times for one answer, and for each phase."""


class UnreadableOrder(MachjudgeError):
    """An order on file cannot be parsed any more."""


def read_order_lines(world: World, stage: Stage, lines: Iterable[FiledOrder]) -> tuple[Order, ...]:
    """Return the orders of lines on file.  Raises UnreadableOrder."""
    return read_order_texts(world, stage, [line.canonical for line in lines])


def read_order_texts(world: World, stage: Stage, texts: Iterable[str]) -> tuple[Order, ...]:
    """Return the orders of canonical texts.  Raises UnreadableOrder."""
    lexicon = lexicon_of(world.scenario)
    orders = []
    for text in texts:
        order = _read(lexicon, stage, text)
        if order is None:
            msg = f"the order on file {text!r} cannot be read on {world.scenario.id}"
            raise UnreadableOrder(msg)
        orders.append(order)
    return tuple(orders)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _read(lexicon: Lexicon, stage: Stage, canonical: str) -> Order | None:
    text, _, agreement = canonical.partition(BY_AGREEMENT)
    said = read_order(text, lexicon, stage).said
    if len(said) != 1 or isinstance(said[0], ParseError):
        return None
    order = said[0]
    if agreement and isinstance(order, Pay):
        return replace(order, agreement=int(agreement))
    return order


def write_order(world: World, order: Order) -> str:
    """Return an order in canonical notation."""
    return write(order, lexicon_of(world.scenario))


@dataclass(frozen=True, slots=True)
class Missing:
    """Missing orders of one power: units without an order, or a number of them."""

    units: tuple[Unit, ...] = ()
    builds: int = 0
    """Builds neither ordered nor waived, in games without money."""
    removals: int = 0
    """Removals not ordered, in games without money."""

    def __bool__(self) -> bool:
        return bool(self.units or self.builds or self.removals)


def missing(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> Missing:
    """Return what is to be ordered besides *orders*; nothing for an eliminated power."""
    if power in state.eliminated:
        return Missing()
    match state.moment.stage:
        case Stage.CAMPAIGN:
            units = [unit for unit in state.units() if unit.owner == power]
            return Missing(without_order(world, state, power, units, orders))
        case Stage.RETREATS:
            waiting = [d.unit for d in state.dislodged if d.unit.owner == power]
            return Missing(without_order(world, state, power, waiting, orders))
        case Stage.ADJUSTMENT if world.rules.game.money:
            return Missing(without_order(world, state, power, state.units_of(power), orders))
        case Stage.ADJUSTMENT:
            return _by_cities(world, state, power, orders)


def is_late(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> bool:
    """Return True if anything is missing; called for all powers after each mail."""
    if power in state.eliminated or state.moment.stage is not Stage.CAMPAIGN:
        return bool(missing(world, state, power, orders))
    named = spaces_ordered(world, state, power, orders) if orders else ()
    for in_city, units in ((False, state.field), (True, state.garrisons)):
        for unit in units.values():
            if unit.owner == power and (in_city, unit.place) not in named:
                return True
    return False


def has_to_order(world: World, state: State, power: PowerId) -> bool:
    """Return True if the phase needs orders of the power."""
    return is_late(world, state, power, ())


def may_order(world: World, state: State, power: PowerId) -> bool:
    """Return True if the power can order anything in this phase, if only expenses."""
    if power in state.eliminated:
        return False
    has_money = world.rules.game.money and state.moment.stage is not Stage.RETREATS
    return has_money or has_to_order(world, state, power)


def _by_cities(world: World, state: State, power: PowerId, orders: Sequence[Order]) -> Missing:
    due = cities_that_count(Words(world), state, power) - len(state.units_of(power))
    # One waive leaves all builds unused that are not ordered.
    waived = any(isinstance(order, Waive) for order in orders)
    builds = due if waived else sum(isinstance(order, Build) for order in orders)
    removals = sum(isinstance(order, Remove) for order in orders)
    return Missing(builds=max(due - builds, 0), removals=max(-due - removals, 0))


def holds(condition: Condition, state: View) -> bool:
    """Return True if a condition holds in a position, as far as the asker can see."""
    match condition:
        case UnitThere():
            return any(_is_meant(condition, unit) for unit in _units_at(condition, state))
        case Owned(place, by, in_city):
            return (state.cities if in_city else state.provinces).get(place) == by
        case Treasury(power, sign, ducats):
            return _compares(state.treasuries.get(power, 0), sign, ducats)
        case Not(of):
            return not holds(of, state)
        case Both(parts):
            return all(holds(part, state) for part in parts)
        case Either(parts):
            return any(holds(part, state) for part in parts)


def condition_flaw(condition: Condition, game: Game, power: PowerId) -> Message | None:
    """Return why this power may not use the condition in this game; None if it may."""
    asked = {fact.power for fact in _treasuries(condition)}
    if asked and not game.rules.game.money:
        return Message("game.condition.no_money")
    is_hidden = game.settings.hidden_money and asked - {power}
    return Message("game.condition.hidden") if is_hidden else None


def _units_at(wanted: UnitThere, state: View) -> Iterator[Unit]:
    """The units in a place; dislodged ones stand nowhere."""
    for units in (state.field, state.garrisons):
        unit = units.get(wanted.place)
        if unit is not None:
            yield unit


def _is_meant(wanted: UnitThere, unit: Unit) -> bool:
    return wanted.kind in (None, unit.kind) and wanted.owner in (None, unit.owner)


def _compares(has: int, sign: Sign, ducats: int) -> bool:
    match sign:
        case Sign.LEAST:
            return has >= ducats
        case Sign.MORE:
            return has > ducats
        case Sign.MAX:
            return has <= ducats
        case Sign.LESS:
            return has < ducats
        case Sign.EXACTLY:
            return has == ducats


def _treasuries(condition: Condition) -> Iterator[Treasury]:
    match condition:
        case Treasury():
            yield condition
        case Not(of):
            yield from _treasuries(of)
        case Both(parts) | Either(parts):
            for part in parts:
                yield from _treasuries(part)
        case UnitThere() | Owned():
            return


class NotRunning(MachjudgeError):
    """The game is not running."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A running game with everything that its next phase starts from."""

    game: Game
    world: World
    phase: StoredPhase
    """The stored phase with the current position."""
    order_sets: Mapping[PowerId, OrderSet]
    people: Mapping[PersonId, Person]
    last_number: int
    postal: tuple[Note, ...] = ()
    plans: Mapping[PowerId, Plan] = field(default_factory=dict)

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
        """Return the orders of a power on file."""
        order_set = self.order_sets.get(power)
        if order_set is None:
            return ()
        return read_order_lines(self.world, self.state.moment.stage, order_set.lines)

    def provided(self, power: PowerId) -> tuple[Order, ...]:
        """Return the orders of a power on file, with the upkeep that an agreement provides."""
        orders, now = self.orders_of(power), self.state.moment
        if not self.game.agreements or now.stage is not Stage.ADJUSTMENT:
            return orders
        agreed = (
            text
            for each in self.game.agreements
            if each.is_of((power,)) and each.phase == now.code and each.stands(now)
            for text in each.side(power)
            if text.startswith("maintain")
        )
        return (*orders, *read_order_texts(self.world, now.stage, agreed))

    def next_order_set(
        self,
        power: PowerId,
        lines: tuple[FiledOrder, ...],
        received: datetime,
        mail: MailId | None,
        *,
        flawed: bool = False,
    ) -> OrderSet:
        """Return the order set that replaces the one on file, received with its newest mail."""
        old = self.order_sets.get(power)
        number = old.number + 1 if old is not None else 1
        newest = max(received, old.received) if old is not None else received
        after = self.phase.number
        return OrderSet(self.game.id, after, power, number, lines, flawed, newest, mail)

    def next_phase(
        self,
        state: State,
        events: Sequence[Event],
        orders: Mapping[PowerId, tuple[FiledOrder, ...]],
        version: str,
        now: datetime,
    ) -> StoredPhase:
        """Return the stored phase of these events and this position, by that adjudicator."""
        return StoredPhase(
            game=self.game.id,
            number=self.last_number + 1,
            parent=self.phase.number,
            moment=self.state.moment.code,
            before=self.phase.after,
            after=state,
            orders=orders,
            rules=self.game.rules,
            events=tuple(events),
            adjudicator=version,
            processed=now,
        )

    def orders(self) -> Orders:
        """All orders on file."""
        return {power: self.orders_of(power) for power in self.order_sets}

    def out_of_reach(self, now: datetime) -> Mapping[int, Bounces]:
        """The bounces of players and masters who cannot be reached, by seat."""
        came_back = {
            each.address: each
            for person in self.people.values()
            for each in person.bounces
            if each.counts(self.clock.began, now)
        }
        if not came_back:
            return {}
        waited_for = (s for s in self.game.seats if s.person and s.role is not Role.OBSERVER)
        return {s.number: came_back[s.address] for s in waited_for if s.address in came_back}

    def readiness(self, now: datetime | None = None) -> Readiness:
        """Return how complete the orders are; with *now* also who cannot be reached."""
        world, state, bots, clock = self.world, self.state, self.bots(), self.clock
        powers = [power for power in world.in_play if power not in bots]
        orders_of = self.provided if self.game.agreements else self.orders_of
        late = frozenset(
            [power for power in powers if is_late(world, state, power, orders_of(power))]
        )
        written = [max(order_set.received, clock.began) for order_set in self.order_sets.values()]
        flagged = self.flagged()
        led = late.intersection(
            [power for seat in self.game.seats if seat.person is not None for power in seat.powers]
        )
        silent = late.difference(self.order_sets)
        timing = timing_of(self.game.settings, self.state.moment.stage)
        return Readiness(
            late,
            wait=bool(flagged or self.waiting() or self.nobody_wrote()),
            since=max(written, default=None),
            led=led,
            flagged=flagged,
            vacant=late.difference(led).intersection(clock.vacant),
            silent=silent if clock.deadline > (now or clock.began) else self._silent(silent),
            delay=timedelta(minutes=timing.delay_minutes),
            played=is_played(self.game) and not self._is_lost(),
            out_of_reach=frozenset(self.out_of_reach(now) if now is not None else ()),
            opens=self.named_openings() if clock.cautioned else None,
            spared=self.opened_before() if clock.opened else frozenset(),
            excusable=self._excusable(led) if self.game.settings.excused_hours else frozenset(),
        )

    def _silent(self, powers: frozenset[PowerId]) -> frozenset[PowerId]:
        """The powers without orders whose players have ordered for no other either."""
        wrote = [seat for seat in self.game.seats if len(seat.powers) > 1]
        return powers.difference(*(s.powers for s in wrote if not self.is_silent(s)))

    def is_silent(self, seat: Seat) -> bool:
        """Return True if no order of a seat's powers is on file."""
        return not any(power in self.order_sets for power in seat.powers)

    def named_openings(self) -> Mapping[PowerId, datetime]:
        """When the seats of powers open, as their present players were told."""
        named = {(each.seat, each.person): each.opens for each in self.clock.cautioned}
        return {
            power: named[seat.number, seat.person]
            for seat in self.game.seats
            if seat.person is not None and (seat.number, seat.person) in named
            for power in seat.powers
        }

    def opened_before(self) -> frozenset[PowerId]:
        """The powers whose seats were opened in this phase; none after a new deadline."""
        opened = {number for number, _ in self.clock.turned_out} if self.clock.opened else set()
        return frozenset(
            p for seat in self.game.seats if seat.number in opened for p in seat.powers
        )

    def _excusable(self, missing: frozenset[PowerId]) -> frozenset[PowerId]:
        """The powers whose seats have not been excused in this game, or this year."""
        year = f"{self.state.moment.year}" if self.game.settings.excused_yearly else ""
        used = {number for number, code in self.game.seating.excused if year in code}
        seats = [seat for seat in self.game.seats if seat.number not in used]
        return missing.intersection([power for seat in seats for power in seat.powers])

    def is_overdue(self, now: datetime) -> bool:
        """Return True if the deadline is over and the clock runs."""
        return self.clock.paused is None and now >= self.clock.deadline

    def flagged(self) -> frozenset[PowerId]:
        """The powers with the error flag, a leader, and a part in the phase."""
        flawed = (power for power, order_set in self.order_sets.items() if order_set.flawed)
        return frozenset(
            power
            for power in flawed
            if self._is_led(power) and may_order(self.world, self.state, power)
        )

    def bots(self) -> frozenset[PowerId]:
        """The powers for which a bot orders: those without a player, where the game says so."""
        if self.game.settings.vacant is None:
            return frozenset()
        asked = self.asked_for() if self.game.seating.asked else frozenset()
        powers = (power for power in self.world.in_play if power not in asked)
        return frozenset(power for power in powers if not self._is_led(power))

    def asked_for(self) -> frozenset[PowerId]:
        """The powers of open seats for which a substitute has been asked, and may answer."""
        seats = {each.seat for each in self.game.seating.asked if each.is_open}
        return frozenset(p for seat in self.game.seats if seat.number in seats for p in seat.powers)

    def _is_lost(self) -> bool:
        """Return whether the player of a practice game is out: bots alone do not play on."""
        led = (power for power in self.world.in_play if self._is_led(power))
        return self.game.settings.practice and self.state.eliminated.issuperset(led)

    def waiting(self) -> frozenset[PowerId]:
        """The powers whose players wait for the deadline (``set wait``)."""
        seats = (seat for seat in self.game.seats if seat.waits and self._may_wait(seat))
        return frozenset(power for seat in seats for power in seat.powers)

    def nobody_wrote(self) -> bool:
        """True if all orders of the phase are standing ones: then it keeps its time.

        Otherwise a game of nothing but standing orders would run away from its players.
        """
        bots = self.bots()
        powers = [power for power in self.world.in_play if power not in bots]
        others = [power for power in powers if not self._is_standing(power)]
        return not self._is_due(others) and self._is_due(powers)

    @property
    def is_idle(self) -> bool:
        """True in an adjustment for which nobody has anything to order: it is played at once."""
        is_adjustment = self.state.moment.stage is Stage.ADJUSTMENT
        by_hand = self.game.settings.manual
        return is_adjustment and not by_hand and not self._is_due(self.world.in_play)

    def _is_due(self, powers: Iterable[PowerId]) -> bool:
        return any(has_to_order(self.world, self.state, power) for power in powers)

    def _is_standing(self, power: PowerId) -> bool:
        """The orders were kept for every phase of the kind, and there are no others."""
        order_set, plan = self.order_sets.get(power), self.plans.get(power)
        if order_set is None or plan is None or plan.part(self.state.moment).items:
            return False
        return order_set.mail == plan.mail and order_set.received <= self.clock.began

    def seen_by(self, sight: Sight, language: str = "") -> "SeenGame":
        """Return the game as a reader who writes in a language sees it."""
        view = sight.view(self.world, self.phase.after)
        return SeenGame(
            game=self.game,
            world=self.world,
            phase=replace(self.phase, after=view),
            order_sets=self.order_sets,
            people=self.people,
            last_number=self.last_number,
            postal=self.postal,
            plans=self.plans,
            view=view,
            words=sight.words(self.world, view),
            language=language,
        )

    def _may_wait(self, seat: Seat) -> bool:
        """The game lets everybody wait, or those who have orders to give."""
        return not self.game.settings.strict_wait or self._is_due(seat.powers)

    def leads(self, power: PowerId) -> PowerId:
        """Return the power with a power's units: itself, or the first of its player's (SET-24)."""
        return self.world.leads(power, self.phase.after.sides)

    def _is_led(self, power: PowerId) -> bool:
        seat = seat_of(self.game, power)
        return seat is not None and seat.person is not None


@dataclass(frozen=True, slots=True)
class SeenGame(GameView):
    """A running game as one reader sees it, to parse, check and show orders."""

    view: View = field(kw_only=True)
    words: Words = field(kw_only=True)
    """The reader's words: the names of places, and units and orders in their notation."""
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
    """Return the absences of a game's players and masters; observers delay nothing."""
    waited_for = (s for s in game.seats if s.person is not None and s.role is not Role.OBSERVER)
    return tuple(absence for seat in waited_for for absence in seat.absences)


def load(services: Services, uow: UnitOfWork, game: Game) -> GameView:
    """Return the view of a running game.  Raises NotRunning."""
    if game.position is None:
        raise NotRunning(game.name)
    return GameView(
        game=game,
        world=services.world(game),
        phase=uow.phases.get(game.id, game.position),
        order_sets=uow.order_sets.on_file(game.id, game.position),
        people=people_of(uow, game),
        last_number=uow.phases.last_number(game.id),
        postal=tuple(uow.notes.all_of(game.id, NoteKind.POSTAL)),
        plans=uow.plans.on_file(game.id),
    )


def people_of(uow: UnitOfWork, game: Game) -> Mapping[PersonId, Person]:
    """Return the people at the seats of a game, its master, and those who just lost a seat."""
    return uow.persons.of(game.people)


def living(view: GameView) -> tuple[PowerId, ...]:
    """Return the powers that are not eliminated, in the scenario's order."""
    out = view.state.eliminated
    return tuple(power for power in view.world.in_play if power not in out)


def seat_of(game: Game, power: PowerId) -> Seat | None:
    """Return the seat of a power's leader."""
    return next((seat for seat in game.seats if power in seat.powers), None)


def vacant_powers(game: Game) -> tuple[PowerId, ...]:
    """Return the powers of open seats."""
    return tuple(p for seat in players(game) if seat.person is None for p in seat.powers)


def in_order_of_worth(view: GameView, power: PowerId) -> Sequence[Unit]:
    """Return units by the player's list, then strong ones, armies, fleets, garrisons."""
    seat = seat_of(view.game, power)
    wishes = seat.priority if seat is not None else ()
    units = view.state.units_of(power)
    return sorted(units, key=lambda unit: (_rank_of(unit, wishes), *_worth_of(unit)))


def _rank_of(unit: Unit, wishes: Sequence[str]) -> int:
    kind = unit.kind.letter
    names = (f"{kind} {unit.place}", unit.place, kind)
    return next((n for n, wish in enumerate(wishes) if wish in names), len(wishes))


def _worth_of(unit: Unit) -> tuple[int, str, str]:
    return (-unit.quality.strength, unit.kind.letter, unit.place)


def open_powers(services: Services, uow: UnitOfWork, game: Game) -> tuple[PowerId, ...]:
    """Return the powers that can be taken over: those of open seats that are still in the game."""
    vacant = vacant_powers(game)
    if not vacant or game.status is not Status.RUNNING:
        return vacant
    out = load(services, uow, game).state.eliminated
    return tuple(power for power in vacant if power not in out)


def is_played(game: Game) -> bool:
    """Return True if any power has a player."""
    return any(seat.person is not None for seat in players(game))


def players(game: Game) -> tuple[Seat, ...]:
    """Return the seats of players, taken or abandoned, by number."""
    return tuple([seat for seat in game.seats if seat.role is Role.PLAYER])


def reader_of(services: Services, person: Person | None, now: datetime) -> Reader:
    """Return a person as a reader: their time zone, language and wishes."""
    zone = zone_of(services, person)
    if person is None:
        return Reader(zone, now)
    wishes = (person.html, person.html and person.pictures, person.json)
    return Reader(zone, now, person.language or LANGUAGE, *wishes)


def log_entry(
    services: Services, game: GameId, at: datetime, by: PersonId | None, kind: str, text: Message
) -> Notice:
    """Return an entry in the log of a game, in every language; *by* is None for the judge."""
    renderer = services.renderer
    return Notice(game, at, by, kind, renderer.say(text), renderer.translations(text))


def zone_of(services: Services, person: Person | None) -> ZoneInfo:
    """Return a person's time zone."""
    return ZoneInfo(person.zone if person is not None else services.judge.zone)


def zone_words(zone: str) -> str:
    """Return a time zone's name for its owner: its hours from UTC if it has no other."""
    sign, hours = zone[7:8], zone[8:]
    is_offset = zone.startswith("Etc/GMT") and sign in ("+", "-")
    return f"UTC{'-' if sign == '+' else '+'}{hours}" if is_offset else zone


def completeness_of(
    view: GameView, seat: Seat, refused: int, now: datetime, *, is_dry: bool = False
) -> list[MessageOrText]:
    """Return the state of a seat's orders; *refused* counts the lines just refused."""
    lines: list[MessageOrText] = [
        line for power in seat.powers for line in progress(view, power, refused)
    ]
    flagged = [power for power in seat.powers if power in view.flagged()]
    names = [Words(view.world).power(power) for power in flagged]
    if is_dry:
        flags = {flag_line(name) for name in names}
        lines = [line for line in lines if line not in flags]
        lines += [Message("game.orders.would_flag", power=name) for name in names]
    elif flagged:
        lines.append(flag_help(holds=now < view.clock.deadline))
    if seat.waits and not view.is_overdue(now):
        lines.append(Message("game.orders.you_wait"))
    return lines


def numbers(view: GameView, seat: Seat) -> list[Message]:
    """Return the numbers of a power's order sets that can be restored."""
    words = Words(view.world)
    found: list[Message] = []
    for power in seat.powers:
        order_set = view.order_sets.get(power)
        if order_set is not None:
            number, name = order_set.number, words.power(power)
            found.append(Message("game.orders.number", number=number, power=name))
            found.append(sealed_line(view, power))
    return found


def sealed_line(view: GameView, power: PowerId) -> Message:
    """Return what proves that an order set is on file as it is: its SHA-256, and the nonce."""
    game, code = view.game, view.state.moment.code
    sealed, key = sealed_set(view, power), sealing_key(game.secret, game.id, code)
    return Message(
        "game.orders.sealed",
        game=game.id,
        code=code,
        power=power,
        number=sealed.number,
        digest=sealed_digest(key, game.id, code, power, sealed),
        nonce=nonce_of(key, power, sealed.number),
    )


def sealed_set(view: GameView, power: PowerId) -> SealedSet:
    """Return the orders of a power on file, each with the seat that gave it."""
    order_set = view.order_sets.get(power)
    if order_set is None:
        return SealedSet(0, ())
    lines = ((line.canonical, "M" if line.by_master else power) for line in order_set.lines)
    return SealedSet(order_set.number, tuple(lines))


def progress(view: GameView, power: PowerId, refused: int = 0) -> list[MessageOrText]:
    """Return the state of one power's orders; each line names it, or is about it alone.

    *refused* counts the lines just refused; None for other readers.
    """
    name = Words(view.world).power(power)
    if power in view.state.eliminated:
        return [Message("game.orders.eliminated", power=name)]
    if power in view.bots():
        return [Message("game.orders.bot", power=name)]
    is_flagged = power in view.flagged()
    return [
        _headline(view, power, refused, is_flagged=is_flagged),
        *([flag_line(name)] if is_flagged else []),
    ]


def _headline(view: GameView, power: PowerId, refused: int, *, is_flagged: bool) -> Message:
    name = Words(view.world).power(power)
    if not has_to_order(view.world, view.state, power):
        campaign = view.state.moment.stage is Stage.CAMPAIGN
        pays = campaign and view.world.rules.game.money
        return Message("game.orders.none_needed", power=name, pays=pays)
    lack = missing(view.world, view.state, power, view.provided(power))
    if lack:
        count = len(lack.units) or lack.builds or lack.removals
        return Message("game.orders.missing", n=count, power=name)
    if is_flagged:
        return Message("game.orders.flagged", refused=refused, power=name)
    return Message("game.orders.complete", power=name)


def delay_lines(
    view: GameView, words: Words, now: datetime, zone: tzinfo, sight: Sight
) -> list[MessageOrText]:
    """Return what delays the phase; with names only to masters and of one's own powers.

    Before the deadline others read how many they are; after it who is late, unless the game is
    quiet.
    """
    if view.clock.paused is not None:
        return [Message("game.delay.paused", since=view.clock.paused, zone=zone)]
    readiness = view.readiness()
    late = missing_for(view.game.settings, readiness)
    is_over = now >= view.clock.deadline
    others = frozenset() if is_over else (readiness.flagged | view.waiting()) - late
    shown = (late | others) if sight.sees_progress() else (late | others) & sight.powers
    lines = _delay_headlines(view, words, late, len(others), sight, is_over=is_over)
    for power in (p for p in view.world.scenario.in_play if p in shown):
        lines += _reasons(view, words, power, sight, is_over=is_over)
    return lines or _other_delays(view, now, zone)


def _reasons(
    view: GameView, words: Words, power: PowerId, sight: Sight, *, is_over: bool
) -> Iterator[MessageOrText]:
    """Why the phase waits for a power; after the deadline only missing orders."""
    name = words.power(power)
    lack = missing(view.world, view.state, power, view.provided(power))
    if lack.units and not sight.sees_orders_of(power):
        yield Message("game.delay.orders", power=name, n=len(lack.units))
    elif lack.units:
        yield Message("game.delay.units", power=name, units=tuple(map(words.unit, lack.units)))
    if lack.builds:
        yield Message("game.delay.builds", power=name, n=lack.builds)
    if lack.removals:
        yield Message("game.delay.removals", power=name, n=lack.removals)
    if power in view.flagged():
        yield Message("game.delay.reason", reason=flag_line(name))
    if power in view.waiting() and not is_over:
        yield Message("game.delay.reason", reason=wait_line(name))


def _delay_headlines(
    view: GameView,
    words: Words,
    late: frozenset[PowerId],
    others: int,
    sight: Sight,
    *,
    is_over: bool,
) -> list[MessageOrText]:
    if late and is_over:
        own = sight.powers & late
        is_told = not view.game.settings.quiet or sight.manages or bool(own)
        names = joined(", ", (words.power(power) for power in sorted(late))) if is_told else ""
        return [Message("game.delay.late", names=names, n=len(late))]
    lines: list[MessageOrText] = [Message("game.delay.incomplete", n=len(late))] if late else []
    if others:
        lines.append(Message("game.delay.others", n=others, late=len(late)))
    return lines


def _other_delays(view: GameView, now: datetime, zone: tzinfo) -> list[MessageOrText]:
    clock, settings = view.clock, view.game.settings
    readiness = view.readiness()
    if not is_played(view.game):
        return [Message("game.delay.nobody_plays")]
    if settings.manual:
        return [Message("game.delay.manual")]
    if isinstance(decide(clock, settings, readiness, now), Run):
        return [Message("game.delay.all_in", unled=len(readiness.missing))]
    if clock.start is not None and now < clock.start:
        return [Message("game.delay.not_before", start=clock.start, zone=zone)]
    if readiness.wait:
        return [Message("game.delay.standing")]
    due = (readiness.since or clock.began) + readiness.delay
    return [Message("game.delay.played_at", due=due, zone=zone)]


def pending_lines(view: SeenGame, power: PowerId) -> tuple[MessageOrText, ...]:
    """Return all that a power has on file ahead, with the number of the set; or nothing."""
    plan = view.plans.get(power)
    if plan is None:
        return ()
    return plan_lines(view, plan)


def plan_lines(view: SeenGame, plan: Plan) -> tuple[MessageOrText, ...]:
    """Return the parts of a plan that are still to come."""
    now = view.state.moment
    parts = [without_ended(part, now) for part in plan.pending(now)]
    lines = [line for part in parts if not part.is_empty for line in part_lines(view, part)]
    return (*lines, Message("game.plan.number", number=plan.number)) if lines else ()


def part_lines(view: SeenGame, part: PlanPart) -> Iterator[MessageOrText]:
    """Return a part under its name."""
    target = part.target
    stage, code = (target.stage, target.code) if isinstance(target, Moment) else (target, "")
    yield Message("game.plan.part", code=code, stage=stage.name.lower(), waits=part.waits)
    for item in part.items:
        yield from _item(view, stage, item, "    ")
    helps = list(_helps(part, of_kind=not code))
    yield from helps
    if helps:
        clear = f"CLEAR {code or f'EVERY {stage.value}'}"
        yield Message("game.plan.withdraw", clear=clear)


def _helps(part: PlanPart, *, of_kind: bool) -> Iterator[Message]:
    """What will happen with what waits in a part."""
    kinds = {type(item) for item in part.items}
    if Preference in kinds:
        yield Message("game.plan.preferences")
        if any(isinstance(item, Preference) and item.waits for item in part.items):
            yield Message("game.plan.still_waits")
    if LastingSiege in kinds:
        yield Message("game.plan.sieges")
    if of_kind and part.target is Stage.ADJUSTMENT:
        yield Message("game.plan.upkeep")
        kept = (item for item in part.items if isinstance(item, Kept))
        if not any(may_be_bulk_order(item.canonical) for item in kept):
            yield Message("game.plan.not_of_all")


def without_ended(part: PlanPart, now: Moment) -> PlanPart:
    """Return a part without the sieges that are over."""
    items = (i for i in part.items if not (isinstance(i, LastingSiege) and i.is_over(now)))
    return replace(part, items=tuple(items))


def _item(view: SeenGame, stage: Stage, item: Item, indent: str) -> Iterator[MessageOrText]:
    match item:
        case Preference(orders=orders):
            texts = tuple(_order(view, stage, each) for each in orders)
            yield Message("game.plan.preference", indent=indent, orders=texts)
        case LastingSiege(canonical=canonical):
            order = _order(view, stage, canonical)
            yield Message("game.plan.siege", indent=indent, order=order)
        case Kept(canonical=canonical):
            yield phrase("{}{}", indent, _order(view, stage, canonical))
        case Choice(cases):
            for number, case in enumerate(cases):
                yield f"{indent}{_opening(case, is_first=number == 0)}"
                for one in case.items:
                    yield from _item(view, stage, one, f"{indent}  ")
            yield f"{indent}endif"


def _opening(case: Case, *, is_first: bool) -> str:
    if not case.condition:
        return "else"
    return f"{'' if is_first else 'else '}if {case.condition}"


def _order(view: SeenGame, stage: Stage, canonical: str) -> str:
    lexicon = lexicon_of(view.world.scenario)
    if isinstance(parse_bulk_order(canonical, lexicon, stage), BulkOrder):
        return canonical
    (order,) = read_order_texts(view.world, stage, [canonical])
    return order_text(view.words, order)


_ALL = 100


def attended(game: Game, person: PersonId) -> Attendance:
    """Return how a person has kept the deadlines of a game so far."""
    found = (each for each in game.attendance if each.person == person)
    return next(found, Attendance(person))


def with_late(view: GameView, late: frozenset[PowerId]) -> Game:
    """Record the deadline: the missing as late, all others as in time."""
    return _noted(view, late)


def with_phase_played(view: GameView, now: datetime) -> Game:
    """Record a played phase: its players were in time, unless already counted.

    Those still missing at *now* are late after the deadline; if the master plays it earlier they
    are not counted.
    """
    clock = view.game.clock
    if clock is None:
        return view.game
    missing = view.readiness().missing
    if now < clock.deadline:
        return _noted(view, frozenset(), missing)
    is_counted = clock.late_told is not None and clock.late_told >= clock.deadline
    return _missed(view, view.game if is_counted else _noted(view, missing), missing)


def _missed(view: GameView, game: Game, missing: frozenset[PowerId]) -> Game:
    """Count those whose phase is played without an order of theirs."""
    for seat in players(game):
        is_silent = missing.intersection(seat.powers) and view.is_silent(seat)
        if seat.person is not None and is_silent:
            old = attended(game, seat.person)
            game = _with(game, replace(old, missed=old.missed + 1))
    return game


def _noted(
    view: GameView, late: frozenset[PowerId], skipped: frozenset[PowerId] = frozenset()
) -> Game:
    """Count each person once, late if one of their powers is."""
    game = view.game
    for seat in players(game):
        asked = [p for p in seat.powers if has_to_order(view.world, view.state, p)]
        if seat.person is None or not asked or skipped.intersection(asked):
            continue
        old = attended(game, seat.person)
        was_late = bool(late.intersection(asked))
        after_reminder = not was_late and bool(set(view.clock.reminded).intersection(asked))
        game = _with(
            game,
            replace(
                old,
                on_time=old.on_time + (not was_late),
                late=old.late + was_late,
                reminded=old.reminded + after_reminder,
            ),
        )
    return game


def with_excused(game: Game, people: Iterable[PersonId | None]) -> Game:
    """Record that a deadline was moved for these."""
    for person in people:
        if person is not None:
            old = attended(game, person)
            game = _with(game, replace(old, excused=old.excused + 1))
    return game


def with_left(game: Game, people: Iterable[PersonId | None]) -> Game:
    """Record that these have left their seats in a running game."""
    for person in people:
        if person is not None and game.status is Status.RUNNING:
            old = attended(game, person)
            game = _with(game, replace(old, left=old.left + 1))
    return game


def _with(game: Game, changed: Attendance) -> Game:
    others = (each for each in game.attendance if each.person != changed.person)
    return replace(game, attendance=(*others, changed))


def times_late(game: Game, power: PowerId) -> int:
    """Return how often a power's leader was late in this game."""
    seat = seat_of(game, power)
    return attended(game, seat.person).late if seat is not None and seat.person is not None else 0


# --- in all games ----------------------------------------------------------------------------


def record_of(games: Iterable[Game], person: PersonId) -> tuple[Attendance, ...]:
    """Return a person's record of each game, except unfinished anonymous ones."""
    open_ = (
        g
        for g in games
        if not g.settings.practice and (not g.settings.anonymous or g.status is Status.FINISHED)
    )
    return tuple(each for game in open_ for each in game.attendance if each.person == person)


def percent_on_time(record: Iterable[Attendance]) -> int | None:
    """Return how many of 100 phases were ordered in time; None if there were none."""
    kept = list(record)
    on_time = sum(each.on_time for each in kept)
    phases = on_time + sum(each.late for each in kept)
    return on_time * _ALL // phases if phases else None


def percent_left(record: Iterable[Attendance]) -> int | None:
    """Return how many of 100 games were left; None if there were none."""
    kept = list(record)
    return sum(bool(each.left) for each in kept) * _ALL // len(kept) if kept else None


def record_line(record: Iterable[Attendance]) -> Message:
    """Return how reliable somebody with this record is."""
    kept = list(record)
    on_time = sum(each.on_time for each in kept)
    return Message(
        "info.player.record",
        percent=percent_on_time(kept),
        on_time=on_time,
        phases=on_time + sum(each.late for each in kept),
        games=len(kept),
        reminded=sum(each.reminded for each in kept),
        missed=sum(each.missed for each in kept),
        excused=sum(each.excused for each in kept),
        left=sum(each.left for each in kept),
    )


def record_flaw(settings: GameSettings, record: Iterable[Attendance]) -> Message | None:
    """Return why a person with this record may not join; without one, as the game says."""
    kept = list(record)
    on_time, left = percent_on_time(kept), percent_left(kept)
    if on_time is None and not settings.newcomers:
        return Message("game.no_record")
    if on_time is not None and on_time < settings.least_on_time:
        return Message("game.too_late", least=settings.least_on_time, yours=on_time)
    if left is not None and left > settings.most_left:
        return Message("game.left_too_many", most=settings.most_left, yours=left)
    return None
