"""Calendar time in a game of the tests: cron calls, people write, days go by."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from machjudge.adjudicator.moments import Stage
from machjudge.judge.mails import Outgoing
from machjudge.judge.ports import Services
from machjudge.judge.records import FiledOrder
from machjudge.judge.reminders import check_clock
from machjudge.judge.tick import look_at_games
from machjudge.judge.tick_times import Leap
from machjudge.messages.wording import Words
from tests.judge.house import House
from tests.judge.letters_in import write

STEP = timedelta(hours=3)
MASTER = "lucia@player.example"
POWERS = "IVLPNTAF"


def watch_clock(services: Services, now: datetime) -> Leap | None:
    """What a look at the judge's clock at that instant finds and puts right."""
    return check_clock(services, lambda: now)


@dataclass
class Record:
    """What happened, for the tests to look at."""

    house: House
    letters: list[tuple[datetime, Outgoing]] = field(default_factory=list)
    seen: dict[str, object] = field(default_factory=dict)
    passwords: dict[str, str] = field(default_factory=lambda: {p: f"pw{p}" for p in POWERS})
    master_address: str = MASTER
    step: timedelta = STEP
    """How often cron calls."""

    def keep(self, sent: list[Outgoing]) -> list[Outgoing]:
        """Keep letters with the time at which they were sent."""
        self.letters += [(self.house.now, letter) for letter in sent]
        return sent

    def cron(self, *, looks: bool = True) -> list[Outgoing]:
        """One call of cron."""
        if looks:
            watch_clock(self.house.services, self.house.now)
        ticked = look_at_games(self.house.services, self.house.now)
        assert ticked.failed == ()
        return self.keep(self.house.mails_out())

    def until(self, instant: datetime) -> list[Outgoing]:
        """Let time pass to an instant, cron calling; what was sent meanwhile."""
        sent: list[Outgoing] = []
        while self.house.now < instant:
            self.house.now = min(self.house.now + self.step, instant)
            sent += self.cron()
        return sent

    def later(self, **time: float) -> list[Outgoing]:
        """Let time pass."""
        return self.until(self.house.now + timedelta(**time))

    def master(self, *lines: str) -> list[Outgoing]:
        """The master writes."""
        return self.keep(write(self.house, self.master_address, "SIGNON Mborgia masterkey", *lines))

    def say(self, power: str, *lines: str) -> list[Outgoing]:
        """A power writes, with its password of the day."""
        seat = next(seat for seat in self.house.game().seats if power in seat.powers)
        signon = f"SIGNON {power}borgia {self.passwords[power]}"
        return self.keep(write(self.house, seat.address, signon, *lines))

    def all_in(self, without: str = "") -> None:
        """All powers but some order their units to stay as they are."""
        view = self.house.view()
        words = Words(view.world)
        stage = view.state.moment.stage
        for power in (power for power in POWERS if power not in without):
            units = [words.unit(unit) for unit in view.state.units_of(power)]
            keep = stage is Stage.ADJUSTMENT
            lines = [f"maintain {unit}" if keep else f"{unit} H" for unit in units]
            if lines:
                self.say(power, *lines)

    @property
    def phase(self) -> str:
        """The code of the phase that is being played."""
        return self.house.view().state.moment.code

    @property
    def deadline(self) -> datetime:
        """The deadline of the phase."""
        return self.house.view().clock.deadline

    def on_file(self, moment: str, power: str) -> tuple[FiledOrder, ...]:
        """What was played for a power in a phase."""
        played = (p for p in self.house.store.tables.phases if p.parent is not None)
        stored = next(phase for phase in played if phase.moment == moment)
        return stored.orders.get(power, ())
