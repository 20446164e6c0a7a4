"""The judge's clock jumps, or the judge was down: who is told, and what stays as it was."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from machjudge.judge.reminders import check_clock
from machjudge.judge.tick_times import LONGEST_SILENCE
from tests.judge.calendar import watch_clock
from tests.judge.house import NOON, House, started
from tests.judge.letters_in import raw_mail, work, write

ANNA = "anna@player.example"
MASTER = "lucia@player.example"


def running() -> House:
    """A game that has just started, and a judge who has looked at his clock."""
    house = started()
    watch_clock(house.services, house.now)
    return house


def test_leap_is_told_to_everybody_and_the_keeper() -> None:
    """Eight players, and the keeper."""
    house = running()
    house.later(days=2)
    leap = watch_clock(house.services, house.now)

    assert leap is not None
    assert leap.by == timedelta(days=2)
    assert len(house.mails_out()) == 9
    assert house.view().clock.deadline == NOON + timedelta(days=9)


def test_second_look_does_not_move_anything_again() -> None:
    """However many processes look."""
    house = running()
    house.later(days=2)
    watch_clock(house.services, house.now)
    house.mails_out()

    assert watch_clock(house.services, house.now) is None
    assert house.mails_out() == []
    assert house.view().clock.deadline == NOON + timedelta(days=9)


def test_leap_whose_end_was_not_written_moves_a_game_once() -> None:
    """The judge may die between the games and the note that he looked."""
    house = running()
    house.later(days=2)
    watch_clock(house.services, house.now)
    house.store.tables.heartbeat = NOON
    watch_clock(house.services, house.now)

    assert house.view().clock.deadline == NOON + timedelta(days=9)


def test_silence_of_some_hours_is_no_leap() -> None:
    """Nobody is told of a server that was restarted."""
    house = running()
    house.later(hours=5)

    assert watch_clock(house.services, house.now) is None
    assert house.mails_out() == []


def test_paused_game_does_not_move() -> None:
    """Its clock stands anyway, and moves when it goes on."""
    house = running()
    write(house, MASTER, "SIGNON Mborgia masterkey", "PAUSE")
    house.later(days=2)
    watch_clock(house.services, house.now)

    assert house.view().clock.deadline == NOON + timedelta(days=7)
    write(house, MASTER, "SIGNON Mborgia masterkey", "RESUME")
    assert house.view().clock.deadline == NOON + timedelta(days=9)


def test_slow_cron_is_no_leap() -> None:
    """Twice a day, once a day, or on workdays: no deadline moves, and nobody is told."""
    for pattern in ((12,), (24,), (9, 15), (24, 24, 24, 24, 72)):
        house = running()
        for hours in pattern * 8:
            house.later(hours=hours, seconds=3)
            assert watch_clock(house.services, house.now) is None, pattern
        assert house.mails_out() == []


def test_cron_that_becomes_one_of_each_hour_moves_deadlines_a_few_times_at_most() -> None:
    """It is learned in a day."""
    house = running()
    for _ in range(30):
        house.later(minutes=1)
        watch_clock(house.services, house.now)
    leaps = []
    for _ in range(100):
        house.later(hours=1)
        leaps.append(watch_clock(house.services, house.now))

    assert sum(leap is not None for leap in leaps) <= 5
    assert leaps[40:] == [None] * 60


def test_no_leap_is_taken_for_what_is_usual() -> None:
    """However often it happens: by day cron calls each hour, at night nobody does."""
    house = running()
    leaps = []
    for hours in (*[1] * 9, 15) * 8:
        house.later(hours=hours)
        leaps.append(watch_clock(house.services, house.now))

    assert [leap is not None for leap in leaps] == [*[False] * 9, True] * 8


DOWN = {
    "twice four days": [(96, 5)] * 2,
    "seven times half a day": [(12, 10)] * 7,
    "longer and longer": [(5, 5), (20, 5), (80, 5)],
    "many short ones": [(5, 2)] * 30,
    "no time at all in between": [(50, 0)] * 3,
}


@pytest.mark.parametrize("outages", DOWN.values(), ids=DOWN)
def test_whatever_was_down_soon_after_another_time_nobody_loses_time(outages) -> None:
    """The deadline is put off each time, by hours that together make up for all but a few."""
    house = running()
    down = up = timedelta(0)
    for hours, minutes in outages:
        house.later(hours=hours)
        down += timedelta(hours=hours)
        watch_clock(house.services, house.now)
        for _ in range(minutes):
            house.later(minutes=1)
            up += timedelta(minutes=1)
            watch_clock(house.services, house.now)

    later = house.view().clock.deadline - (NOON + timedelta(days=7))
    assert later >= down - LONGEST_SILENCE - up / 10
    assert house.view().clock.deadline - house.now >= timedelta(days=6)


def test_judge_that_looks_each_minute_notices_hours_of_silence() -> None:
    """With `serve` running, however seldom cron calls."""
    house = running()
    for _ in range(30):
        house.later(minutes=1)
        watch_clock(house.services, house.now)
    house.later(hours=7)

    assert watch_clock(house.services, house.now) is not None


def test_long_silence_is_forgotten_in_half_an_hour_of_looks() -> None:
    """A second one counts as the first did."""
    house = running()
    house.later(days=3)
    watch_clock(house.services, house.now)
    for _ in range(45):
        house.later(minutes=1)
        watch_clock(house.services, house.now)
    house.later(hours=7)

    assert watch_clock(house.services, house.now) is not None


def test_process_that_was_only_slow_takes_nothing_for_a_leap() -> None:
    """Another one has looked while it stood still."""
    house = running()

    def slow() -> datetime:
        house.store.tables.heartbeat = house.later(days=2)
        return house.later(hours=1)

    assert check_clock(house.services, slow) is None
    assert house.mails_out() == []


def test_clock_is_read_after_the_last_look() -> None:
    """Otherwise a look of another process in between would be a step back."""
    house = running()
    house.later(minutes=30)
    early = house.now

    def clock() -> datetime:
        return max(early, house.store.tables.heartbeat or early)

    house.store.tables.heartbeat = house.later(hours=2)

    assert check_clock(house.services, clock) is None


def test_times_after_a_leap_are_where_the_game_has_its_deadlines() -> None:
    """At the clock of the template, here 20:00 in Rome, on its days; and they return."""
    house = running()
    write(house, MASTER, "SIGNON Mborgia masterkey", "SET ADJUSTMENTS CLOCK 20:00 DAYS -MTWTF-")
    house.later(days=2, hours=3, minutes=7, seconds=41)
    before = house.view().clock
    watch_clock(house.services, house.now)
    after = house.view().clock
    assert after.deadline == datetime(2026, 11, 30, 19, 0, tzinfo=UTC)
    assert after.grace == datetime(2026, 12, 3, 19, 0, tzinfo=UTC)

    house.now -= timedelta(days=2, hours=3)
    watch_clock(house.services, house.now)
    back = house.view().clock
    assert (back.deadline, back.grace) == (before.deadline, before.grace)


def test_a_process_that_was_overtaken_does_not_set_the_last_look_back() -> None:
    """Otherwise the time between its look and the next one would pass for a leap."""
    house = running()
    house.later(hours=1)
    earlier, later = house.now, house.now + timedelta(hours=5)

    def overtake() -> None:
        house.store.tables.heartbeat = later

    house.store.before_writing = overtake

    assert watch_clock(house.services, earlier) is None
    assert house.store.tables.heartbeat == later
    assert watch_clock(house.services, later + timedelta(hours=5)) is None


def test_mails_that_came_since_the_clock_was_set_right_count_for_the_phase() -> None:
    """It began in a time that has not come; who writes before the next look need not write again.

    A mail that was tried before, and that the phase may have been played without, is not taken for
    a new one.
    """
    house = started()
    right = house.now
    house.later(days=3)
    watch_clock(house.services, house.now)
    house.change(clock=replace(house.view().clock, began=house.now))

    house.now = right
    older = house.store.receive(
        raw_mail(ANNA, ["SIGNON Lborgia pwL", "maintain A are"]), ANNA, right
    )
    house.store.tables.inbox[older - 1].tries = 1
    house.later(minutes=1)
    house.store.receive(raw_mail(ANNA, ["SIGNON Lborgia pwL", "maintain F psa"]), ANNA, house.now)
    house.later(minutes=5)
    watch_clock(house.services, house.now)
    house.mails_out()
    work(house)

    refused, taken = (mail.body for mail in house.mails_out() if mail.to == ANNA)
    assert "before this phase began" in refused
    assert "maintain F Pisa" in taken
    assert house.on_file() == ["maintain F psa"]
