"""A judge's life as one seed has it: games, players, mishaps and clocks that jump."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from string import ascii_lowercase

from machjudge.adjudicator.names import PowerId
from machjudge.app import tick, work
from machjudge.judge.game_view import GameView, load
from machjudge.judge.records import GameId, Status
from machjudge.judge.reminders import check_clock
from tests.faults.ledger import Ledger, Sent
from tests.faults.remains import remains_of, waits
from tests.faults.scene import POWERS, WITH_MAPS
from tests.simulation.judge import CALM, JUDGE, SimulatedJudge, Weather
from tests.simulation.people import Player, Written
from tests.simulation.watch import Promised, Watch

_OPTIONS = ("nomoney nodice", "nomoney", "noassassinations", "")
_OF_MASTER = ("set nmr hold", "set pictures off")
_TICK = timedelta(hours=2)
_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_MAX_RESTS = 60


@dataclass(frozen=True, slots=True)
class Plot:
    """What is simulated; the same plot is always the same story."""

    seed: int
    games: int = 1
    years: int = 1

    def __str__(self) -> str:
        return f"--seed {self.seed} --games {self.games} --years {self.years}"


@dataclass
class Story:
    """One judge from its first mail until all games have had their years."""

    plot: Plot
    folder: Path
    ledger: Ledger = field(default_factory=lambda: Ledger(readers=None))
    breaches: list[str] = field(default_factory=list)
    events: int = 0
    repeated: int = 0

    def __post_init__(self) -> None:
        """Draw everything from the seed."""
        self.chance = Random(f"simulation/{self.plot.seed}")  # noqa: S311 - no secret
        self.judge = SimulatedJudge(self.folder, self._own())
        self.at = self.judge.now
        self.skew = timedelta(0)
        self.is_set_right = False
        """True until the judge has looked at its clock."""
        self.down_until = self.at
        self.stop_after: set[str] = set()
        self.players: dict[str, Player] = {}
        self.watch = Watch(self.judge, self.players)
        self._serial = count()
        self._agenda: list[tuple[datetime, int, Callable[[], None]]] = []
        self._planned: dict[str, int] = {}

    def _own(self) -> Random:
        """A chance of its own for somebody."""
        return Random(self.chance.getrandbits(64))  # noqa: S311 - no secret

    # --- the course of time -------------------------------------------------------------------

    def play(self) -> list[str]:
        """Tell the story to its end, or until a promise is broken; every one that is."""
        self._begin()
        self.judge.weather = Weather()
        self._later(_TICK, self._tick)
        self._later(self._some_days(), self._jump)
        while self._agenda and not self.breaches and not self._is_over():
            self.at, _, deed = heapq.heappop(self._agenda)
            self.judge.now = self.at + self.skew
            deed()
            self.events += 1
            self.breaches += self.watch.breaches()
            self._plan()
        if not self.breaches:
            self._rest()
        self.judge.close()
        return self.breaches

    def _later(self, wait: timedelta, deed: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (self.at + wait, next(self._serial), deed))

    def _tick(self) -> None:
        if self.at >= self.down_until:
            self.judge.doing(tick)
        self._later(_TICK, self._tick)

    def _jump(self) -> None:
        """The server's clock is set wrong, set right again, or the judge is down for long."""
        if self.skew:
            self.skew = timedelta(0)
            self.is_set_right = True
            self.judge.happens("clock set right", 2)
        elif self.chance.random() < 0.5:
            self.skew = self.chance.choice((20 * _MINUTE, 9 * _HOUR, 70 * _HOUR))
            self.judge.happens("clock set wrong", 2)
        else:
            self.down_until = self.at + self.chance.choice((3, 30, 60)) * _HOUR
            self.judge.happens("down for long", 2)
        self._later(self._some_days(), self._jump)

    def _work(self) -> None:
        """What `serve` does with a mail; where its clock was set right it looks at that first."""
        if self.is_set_right:
            self.judge.doing(lambda rooms: check_clock(rooms.services, rooms.clock))
            self.is_set_right = False
        self.judge.doing(work)

    def _some_days(self) -> timedelta:
        return (10 + 200 * self.chance.random()) * _HOUR

    # --- the games ----------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The games."""
        letters = ascii_lowercase
        return [f"game{letters[n // 26]}{letters[n % 26]}" for n in range(self.plot.games)]

    def _begin(self) -> None:
        """Form the games; nothing goes wrong yet."""
        for game in self.names:
            options = self.chance.choice(_OPTIONS)
            self._says(f"master.{game}", f"create ?{game} giudice{game} 1385 {options}")
            self._says(f"master.{game}", f"signon M{game} giudice{game}", *_OF_MASTER)
            for number, power in enumerate(POWERS):
                name = f"p{ascii_lowercase[number]}"
                player = Player(name, game, PowerId(power), self._own())
                self.players[player.address] = player
                signon = f"signon ?{game} {player.password}"
                maps = () if power == WITH_MAPS else ("set pictures off",)
                self._says(f"{name}.{game}", signon, f"set preferences {power}", *maps)
            self.watch.phases[game] = -1
        self.judge.doing(lambda rooms: rooms.sender.send_due())
        self.breaches += self.watch.breaches()
        self.breaches += [f"{g} has not begun" for g in self.names if self._view(g) is None]
        self._plan()

    def _says(self, author: str, *lines: str) -> None:
        mail = EmailMessage(policy=SMTP)
        mail["From"] = f"{author.title()} <{author}@players.example>"
        mail["To"], mail["Subject"] = JUDGE, "hello"
        mail["Message-ID"] = f"<{next(self._serial)}.begins.{author}@players.example>"
        mail.set_content("\n".join(lines) + "\n")
        assert self.judge.receive(mail.as_bytes(), f"{author}@players.example", JUDGE)
        self._work()
        self.judge.wait(minutes=1)
        self.at = self.judge.now

    def _view(self, name: str) -> GameView | None:
        rooms = self.judge.rooms
        with rooms.store.reading() as found:
            game = found.games.get(GameId(name))
            if game is None or game.status is not Status.RUNNING:
                return None
            return load(rooms.services, found, game)

    def _is_over(self) -> bool:
        return len(self.stop_after) == len(self.names)

    # --- the players --------------------------------------------------------------------------

    def _plan(self) -> None:
        """Everybody thinks of when to write, in each phase once."""
        for game in self.names:
            if self._planned.get(game) == self.watch.phases[game] or game in self.stop_after:
                continue
            self._planned[game] = self.watch.phases[game]
            view = self._view(game)
            if view is None or view.state.moment.year >= self._first_year(view) + self.plot.years:
                self.stop_after.add(game)
                continue
            deadline = view.clock.deadline - self.skew
            for player in self._players_of(game):
                for moment in player.moments(self.at, deadline):
                    self._later(moment - self.at, self._writing(player))

    def _first_year(self, view: GameView) -> int:
        return view.world.scenario.year

    def _players_of(self, game: str) -> Iterator[Player]:
        return (player for player in self.players.values() if player.game == game)

    def _writing(self, player: Player) -> Callable[[], None]:
        def write() -> None:
            view = self._view(player.game)
            if view is None:
                return
            if not _is_led(view, player.power):
                player.reply_to = ""  # whose seat is open signs on
            lines = player.orders(view)
            orders = bool(lines) and not player.chance.random() < 0.1
            said = [*lines, *player.asides()] if orders else player.chatter()
            mail = player.mail(said)
            self._deliver(mail, view.phase.number if orders else None)

        return write

    def _deliver(self, mail: Written, after: int | None) -> None:
        """Hand a mail over; without a 250 it comes again, and now and then with one, too."""
        view = self._view(mail.by.game)
        was_kept = self.watch.is_kept(mail.id)
        taken = self.at >= self.down_until and self.judge.receive(
            mail.raw, mail.by.address, mail.to
        )
        is_new = not was_kept and self.watch.is_kept(mail.id)
        if is_new and view is not None and view.phase.number == after:
            known = Promised(mail.id, mail.by.game, after, view.clock.deadline)
            self.watch.promised.setdefault((mail.by.game, after), []).append(known)
        if taken:
            sent = Sent(mail.id, mail.by.address, mail.by.game, None)
            self.ledger.acknowledged[mail.id] = sent
            self.breaches += self.watch.acknowledged(mail.id)
        if not taken or mail.by.chance.random() < 0.08:
            self.repeated += 1
            wait = (1 + 90 * self.chance.random()) * _MINUTE
            self._later(wait, lambda: self._deliver(mail, after))
        if self.at >= self.down_until and self.chance.random() < 0.8:
            self._work()
            self.judge.doing(lambda rooms: rooms.sender.send_due())

    # --- the end ------------------------------------------------------------------------------

    def _rest(self) -> None:
        """Nothing goes wrong any more; when nothing waits, the books are compared."""
        self.judge.weather = CALM
        for _ in range(_MAX_RESTS):
            self.judge.wait(minutes=11)
            self.judge.doing(tick)
            self.breaches += self.watch.breaches()
            if not waits(self.judge.rooms):
                break
        else:
            self.breaches.append("the judge does not come to rest")
        self.ledger.repeats = self.repeated
        remains = remains_of(self.judge.rooms, self.names, self.judge.taken)
        self.breaches += self.ledger.breaches(remains)

    def mark(self) -> str:
        """What two tellings of the same story share: every byte that the relay has taken."""
        told = "\0".join(f"{each.to}\n{each.content}" for each in self.judge.taken)
        return sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def tally(self) -> dict[str, int]:
        """What was told."""
        return {
            "stories": 1,
            "events": self.events,
            "mails with a 250": len(self.ledger.acknowledged),
            "mails sent again": self.repeated,
            "messages taken by the relay": len(self.judge.taken),
            "phases": sum(self.watch.phases.values()),
            "promises broken": len(self.breaches),
            **{f"times: {name}": times for name, times in self.judge.mishaps.items()},
        }


def _is_led(view: GameView, power: PowerId) -> bool:
    """True if somebody sits at a power."""
    return any(seat.person is not None for seat in view.game.seats if power in seat.powers)
