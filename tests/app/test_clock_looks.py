"""A process that stays looks at the clock again and again, but not before each mail."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from machjudge.app import working
from machjudge.app.working import Rounds

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class Judge:
    """As much of an application as a look at the clock needs."""

    now: datetime = NOON
    services: None = None
    looks: list[datetime] = field(default_factory=list)

    def clock(self) -> datetime:
        """Tell the time."""
        return self.now


@pytest.mark.parametrize(
    ("later", "looks"),
    [
        (timedelta(seconds=0), 1),
        (timedelta(seconds=9), 1),
        (timedelta(seconds=10), 2),
        (timedelta(days=1), 2),
        (timedelta(seconds=-1), 2),
    ],
)
def test_the_clock_is_looked_at_again_after_some_seconds(monkeypatch, later, looks) -> None:
    """At once where it has leapt, in whichever direction."""
    judge, rounds = Judge(), Rounds()
    monkeypatch.setattr(working, "check_clock", lambda _, clock: judge.looks.append(clock()))
    rounds.watch(judge)
    judge.now += later
    rounds.watch(judge)

    assert len(judge.looks) == looks
