"""A judge for tests: the real maps and templates, everything else in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, wraps
from pathlib import Path

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_view import GameView, load
from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person, with_seat
from machjudge.judge.ports import Services
from machjudge.judge.records import (
    AddressStanding,
    FiledOrder,
    Game,
    GameId,
    Judge,
    JudgeLimits,
    MailId,
    OrderSet,
    Role,
    Seat,
)
from machjudge.judge.rule_settings import BadOption, rules_for
from machjudge.judge.setup import WantedGame, new_game, start, take_seat
from machjudge.map_files.folders import Atlas
from machjudge.messages.catalogue import Library
from machjudge.messages.render import MessageRenderer
from tests.databases import chosen
from tests.judge.fakes import SECRET, FakeChance, FakePasswords, FakeSenders, FakeStore, Tables
from tests.judge.stored import StoredStore

ROOT = Path(__file__).resolve().parents[2]
UNLIMITED = JudgeLimits(0, 0, 0, 0, 0, 0)
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PEOPLE = ("Lucia", "Marco", "Anna", "Paolo", "Rosa", "Nino", "Enzo", "Carla", "Dino")


@cache
def atlas() -> Atlas:
    """The maps of the project, loaded once."""
    return Atlas([ROOT / "maps"])


@cache
def message_renderer() -> MessageRenderer:
    """The templates of the project."""
    return MessageRenderer([ROOT / "templates"])


def new_store() -> FakeStore | StoredStore:
    """A store with nothing in it: in memory, or where pytest's ``--database`` says."""
    databases = chosen()
    return FakeStore() if databases is None else StoredStore(databases)


@dataclass
class House:
    """A desk with its store, and a clock that tests move on."""

    store: FakeStore | StoredStore = field(default_factory=new_store)
    now: datetime = NOON
    limits: JudgeLimits = UNLIMITED
    """How much people may do; most stories are about something else."""
    confirm: bool = False
    """True if new addresses have to be confirmed; most stories are about something else."""

    def __post_init__(self) -> None:
        self.services = Services(
            judge=Judge(
                "MACH",
                "judge@mach.example",
                "keeper@mach.example",
                "1.0",
                limits=self.limits,
                confirm=self.confirm,
            ),
            store=self.store,
            passwords=FakePasswords(),
            chance=FakeChance(),
            atlas=atlas(),
            renderer=message_renderer(),
            library=Library(ROOT / "docs"),
            secret=SECRET,
            senders=FakeSenders(),
        )
        self._first_services = self.services

    def copied(self) -> "House":
        """A judge of its own, at which all that is kept is as it is at this one."""
        copy = House(now=self.now, limits=self.limits, confirm=self.confirm)
        copy._take_over(self)
        return copy

    def _take_over(self, other: "House") -> None:
        self.store.tables = other.store.tables.copied()
        mine, theirs = self.services, other.services
        mine.chance.given = theirs.chance.given
        mine.passwords.compared = [*theirs.passwords.compared]
        mine.passwords.remembered = {*theirs.passwords.remembered}

    def later(self, **time: float) -> datetime:
        """Move the clock on."""
        self.now += timedelta(**time)
        self.store.tables.now = self.now
        return self.now

    def game(self, name: str = "borgia") -> Game:
        """The game as it is stored."""
        return self.store.tables.games[GameId(name)]

    def view(self, name: str = "borgia") -> GameView:
        """The game with position and orders."""
        with self.store.reading() as uow:
            return load(self.services, uow, self.game(name))

    def change(self, **changes: object) -> None:
        """Change the game, behind the back of its record."""
        game = self.game()
        self.store.tables.games[game.id] = replace(game, **changes)  # type: ignore[arg-type]

    def change_settings(self, **changes: object) -> None:
        """Change how the game is run."""
        self.change(settings=replace(self.game().settings, **changes))  # type: ignore[arg-type]

    def mails_out(self) -> list[Outgoing]:
        """What was sent since the last call."""
        sent, self.store.tables.outbox = self.store.tables.outbox, []
        return sent

    def start(
        self, scenario: str = "1454", options: Sequence[str] = (), *, keep_mails: bool = False
    ) -> Game:
        """A game named Borgia that has just started; powers in the order of the scenario.

        In memory it is made once, and copied for all who want the same.
        """
        if chosen() is None and self._is_new():
            asked = (scenario, tuple(options), self.now, self.limits, self.confirm)
            self._take_over(_just_started(*asked))
        else:
            self._start(scenario, options)
        if not keep_mails:
            self.mails_out()
        return self.game()

    def _is_new(self) -> bool:
        """True if nothing is kept, and no test has changed anything."""
        is_usual = self.services is self._first_services and self.store.before_commit is None
        return is_usual and self.store.tables == Tables()

    def _start(self, scenario: str, options: Sequence[str]) -> None:
        found = atlas().scenario(scenario)
        assert found is not None
        rules = rules_for(found, options)
        assert not isinstance(rules, BadOption)
        self._form(found.in_play, WantedGame("Borgia", found, rules))

    def _form(self, powers: Sequence[PowerId], wanted: WantedGame) -> None:
        people = [
            replace(
                new_person(self.services, f"{name.lower()}@player.example", name, self.now),
                zone="Europe/Rome",
                standing=AddressStanding.CONFIRMED,
            )
            for name in PEOPLE[: len(powers)]
        ]
        hashed = self.services.passwords.hash
        game = new_game(self.services, wanted, people[0], hashed("masterkey"), self.now)
        for person, power in zip(people, powers, strict=True):
            seat = take_seat(game, Role.PLAYER, person, hashed(f"pw{power}"))
            game = with_seat(game, replace(seat, preferences=power))
        changes, _ = start(self.services, game, {person.id: person for person in people}, self.now)
        changes.persons = {person.id: person for person in people}
        with self.store.writing() as uow:
            changes.write(uow)
            uow.commit()

    def on_file(self, power: str = "L") -> list[str]:
        """The canonical orders of a power."""
        order_set = self.view().order_sets.get(PowerId(power))
        return [line.canonical for line in order_set.lines] if order_set is not None else []

    def file(self, power: str, *orders: str, flawed: bool = False) -> OrderSet:
        """Put canonical orders on file for a power, as if by mail."""
        view = self.view()
        old = view.order_sets.get(PowerId(power))
        lines = tuple(FiledOrder(text, text, self.now, MailId(1)) for text in orders)
        number = old.number + 1 if old else 1
        after = view.phase.number
        order_set = OrderSet(
            view.game.id, after, PowerId(power), number, lines, flawed, self.now, None
        )
        with self.store.writing() as uow:
            uow.order_sets.add(order_set)
            uow.commit()
        return order_set


@cache
def _just_started(
    scenario: str, options: Sequence[str], now: datetime, limits: JudgeLimits, confirm: bool
) -> House:
    house = House(now=now, limits=limits, confirm=confirm)
    house._start(scenario, options)
    return house


def built_once(build: Callable[..., House]) -> Callable[..., House]:
    """Have a judge in memory built once for the same arguments; each call gets a copy of it."""
    built = cache(build)

    @wraps(build)
    def copy_of(*arguments: object, **named: object) -> House:
        if chosen() is not None:
            return build(*arguments, **named)
        return built(*arguments, **named).copied()

    return copy_of


def started(*options: str) -> House:
    """A game of 1454 that has just started; Lucia, who leads Milan, is its master."""
    house = House()
    house.start(options=options)
    return house


def seat_of(house: House, power: str) -> Seat:
    """The seat of a power."""
    return next(seat for seat in house.game().seats if power in seat.powers)


def on_file(house: House, power: str = "L") -> list[str]:
    """The canonical orders of a power."""
    order_set = house.view().order_sets.get(PowerId(power))
    return [line.canonical for line in order_set.lines] if order_set is not None else []
