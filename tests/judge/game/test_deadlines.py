"""Decisions about a phase: pure, with the clock as an argument."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import GameSettings, Policy
from machjudge.judge.records import Clock
from machjudge.judge.timetable import (
    BriefMasters,
    Late,
    Readiness,
    Remind,
    Run,
    TellOutOfReach,
    Wait,
    decide,
    first_clock,
    next_clock,
    next_decision,
)

BEGAN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DEADLINE = BEGAN + timedelta(hours=72)
CLOCK = Clock(BEGAN, DEADLINE)
CONDUCT = GameSettings(warn_hours=(12,), late_hours=24, briefing_hours=0)
FLORENCE = frozenset({PowerId("L")})
ALL_IN = Readiness(frozenset(), wait=False)
MISSING = Readiness(FLORENCE, wait=False)


def hours(number: float) -> datetime:
    """So many hours after the deadline."""
    return DEADLINE + timedelta(hours=number)


def test_complete_orders_are_played_at_once() -> None:
    """When all are in and nobody waits, the deadline does not matter."""
    assert decide(CLOCK, CONDUCT, ALL_IN, hours(-60)) == Run()


def test_anyone_who_waits_holds_the_phase_until_the_deadline() -> None:
    """With somebody waiting nothing is played before the deadline."""
    waiting = Readiness(frozenset(), wait=True)

    assert decide(CLOCK, CONDUCT, waiting, hours(-0.01)) == Wait()
    assert decide(CLOCK, CONDUCT, waiting, hours(0)) == Run()


def test_missing_orders_are_waited_for() -> None:
    """Long before the deadline nothing happens."""
    assert decide(CLOCK, CONDUCT, MISSING, hours(-13)) == Wait()


def test_reminder_goes_out_near_the_deadline() -> None:
    """Twelve hours before it, those whose orders are missing are reminded."""
    assert decide(CLOCK, CONDUCT, MISSING, hours(-12)) == Remind(FLORENCE, (12,))


def test_reminder_goes_out_once() -> None:
    """A second look brings no second reminder."""
    assert decide(replace(CLOCK, warned=(12,)), CONDUCT, MISSING, hours(-11)) == Wait()


def test_late_notice_goes_out_at_the_deadline() -> None:
    """At the deadline everybody is told for whom the game waits."""
    assert decide(CLOCK, CONDUCT, MISSING, hours(0)) == Late(FLORENCE)


def test_late_notice_is_repeated_after_a_day() -> None:
    """Not before a day has gone since the last one."""
    told = replace(CLOCK, late_told=hours(0))

    assert decide(told, CONDUCT, MISSING, hours(23.9)) == Wait()
    assert decide(told, CONDUCT, MISSING, hours(24)) == Late(FLORENCE)


def test_late_notice_goes_out_anew_for_a_deadline_that_was_put_off() -> None:
    """A notice about an earlier deadline does not count for the later one."""
    told = replace(CLOCK, late_told=hours(-5))

    assert decide(told, CONDUCT, MISSING, hours(0)) == Late(FLORENCE)


def test_game_waits_for_missing_orders_for_ever() -> None:
    """The policy is to wait: nothing is ever played without them."""
    told = replace(CLOCK, late_told=hours(24 * 365 - 1))

    assert decide(told, CONDUCT, MISSING, hours(24 * 365)) == Wait()


@given(st.integers(-100, 100), st.booleans())
def test_nothing_is_played_while_somebody_is_missing(hour: int, waits: bool) -> None:
    """At no time and however many wait."""
    decision = decide(CLOCK, CONDUCT, Readiness(FLORENCE, wait=waits), hours(hour))

    assert not isinstance(decision, Run)


OUT_OF_REACH = replace(MISSING, out_of_reach=frozenset({3}))


def test_masters_are_told_in_the_briefing_who_cannot_be_reached() -> None:
    """Not before it as well; of seats that come later at once."""
    briefed = replace(CLOCK, out_of_reach=(3,), briefed=True)
    with_briefing = replace(CONDUCT, briefing_hours=24)

    assert decide(CLOCK, with_briefing, OUT_OF_REACH, hours(-24.1)) == Wait()
    assert decide(CLOCK, with_briefing, OUT_OF_REACH, hours(-24)) == BriefMasters()
    assert decide(briefed, with_briefing, OUT_OF_REACH, hours(-23)) == Wait()
    another = replace(OUT_OF_REACH, out_of_reach=frozenset({3, 5}))
    assert decide(briefed, with_briefing, another, hours(-23)) == TellOutOfReach()


def test_masters_are_told_before_the_deadline_who_cannot_be_reached() -> None:
    """Without a briefing when half of the time is over; each seat once in a phase."""
    told = replace(CLOCK, out_of_reach=(3,))

    assert decide(CLOCK, CONDUCT, OUT_OF_REACH, hours(-36.1)) == Wait()
    assert decide(CLOCK, CONDUCT, OUT_OF_REACH, hours(-36)) == TellOutOfReach()
    assert decide(CLOCK, CONDUCT, OUT_OF_REACH, hours(-1)) == TellOutOfReach()
    assert decide(told, CONDUCT, OUT_OF_REACH, hours(-13)) == Wait()
    assert decide(told, CONDUCT, OUT_OF_REACH, hours(-12)) == Remind(FLORENCE, (12,))
    another = replace(OUT_OF_REACH, out_of_reach=frozenset({3, 5}))
    assert decide(told, CONDUCT, another, hours(-13)) == TellOutOfReach()


def test_masters_are_told_with_an_early_reminder_who_cannot_be_reached() -> None:
    """The first one that lies in the phase."""
    early = replace(CONDUCT, warn_hours=(96, 48, 12))

    assert decide(CLOCK, early, OUT_OF_REACH, hours(-48.1)) == Wait()
    assert decide(CLOCK, early, OUT_OF_REACH, hours(-48)) == TellOutOfReach()


def test_nobody_is_told_who_cannot_be_reached_where_it_does_not_matter() -> None:
    """When all orders are in, after the deadline, and while the clock stands."""
    ready = replace(ALL_IN, out_of_reach=frozenset({3}))

    assert decide(CLOCK, CONDUCT, ready, hours(-1)) == Run()
    assert decide(CLOCK, CONDUCT, OUT_OF_REACH, hours(0)) == Late(FLORENCE)
    paused = replace(CLOCK, paused=hours(-40))
    assert decide(paused, CONDUCT, OUT_OF_REACH, hours(-1)) == Wait()


SOME_HOURS = st.integers(-100, 100).map(hours)
CLOCKS = st.builds(
    Clock,
    began=st.integers(-100, -1).map(hours),
    deadline=st.just(DEADLINE),
    late_told=st.none() | SOME_HOURS,
    start=st.none() | SOME_HOURS,
    grace=st.none() | st.integers(0, 100).map(hours),
    warned=st.sets(st.sampled_from([12, 48])).map(tuple),
    opened=st.booleans(),
    paused=st.none() | SOME_HOURS,
    ends=st.none() | SOME_HOURS,
    out_of_reach=st.sampled_from([(), (3,)]),
)
CONDUCTS = st.builds(
    GameSettings,
    policy=st.sampled_from(Policy),
    manual=st.booleans(),
    warn_hours=st.just((12, 48)),
    late_hours=st.integers(1, 72),
)
READINESSES = st.builds(
    Readiness,
    st.sampled_from([frozenset(), FLORENCE]),
    wait=st.booleans(),
    since=st.none() | SOME_HOURS,
    led=st.none() | st.just(FLORENCE),
    silent=st.none() | st.just(FLORENCE),
    delay=st.integers(0, 9).map(lambda number: timedelta(hours=number)),
    played=st.booleans(),
    out_of_reach=st.sampled_from([frozenset(), frozenset({3}), frozenset({3, 4})]),
)


@given(CLOCKS, CONDUCTS, READINESSES, SOME_HOURS, st.integers(0, 400))
def test_a_game_that_waits_waits_until_its_next_decision(
    clock: Clock, settings: GameSettings, readiness: Readiness, now: datetime, later: int
) -> None:
    """Where nothing is to be done, nothing is before the next decision, however the times lie."""
    then = now + timedelta(minutes=30 * later)
    following = next_decision(clock, settings, readiness, now)
    assume(decide(clock, settings, readiness, now) == Wait())
    assume(following is None or then < following)

    assert decide(clock, settings, readiness, then) == Wait()


def test_first_deadline_is_a_week_away_at_a_full_hour() -> None:
    """168 hours, rounded up to the hour."""
    clock = first_clock(GameSettings(), BEGAN + timedelta(minutes=1))

    assert clock.deadline == BEGAN + timedelta(days=7, hours=1)


def test_each_kind_of_phase_has_its_own_time() -> None:
    """Three days for a campaign, one for retreats, two for an adjustment."""
    times = [next_clock(GameSettings(), stage, BEGAN).deadline - BEGAN for stage in Stage]

    assert times == [timedelta(hours=72), timedelta(hours=24), timedelta(hours=48)]
