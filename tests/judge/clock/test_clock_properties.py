"""What holds of every deadline and every decision, whatever the templates say."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import GameSettings, PhaseTiming, Policy
from machjudge.judge.records import Absence, Clock
from machjudge.judge.tick_times import (
    BEAT,
    FORGIVEN,
    LONGEST_SILENCE,
    MANY_TIMES,
    SLOW,
    Leap,
    Looks,
    leap_between,
)
from machjudge.judge.timetable import (
    AskMaster,
    Late,
    OpenSeats,
    Readiness,
    Remind,
    Run,
    Wait,
    after_leap,
    decide,
    delay_clock,
    is_days,
    next_clock,
    on_allowed_day,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
FLORENCE, VENICE = PowerId("L"), PowerId("V")

instants = st.integers(0, 2 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
days = st.tuples(*(st.sampled_from(["-", day, day.lower()]) for day in "SMTWTFS")).map("".join)
timings = st.builds(
    PhaseTiming,
    clock=st.none() | st.integers(0, 1439),
    least_hours=st.integers(0, 48),
    grace_hours=st.integers(0, 300),
    days=days.filter(lambda text: text != "-------"),
)
zones = st.sampled_from(["UTC", "Europe/Rome", "America/New_York", "Asia/Kolkata"])
conducts = st.builds(
    GameSettings,
    campaign_hours=st.integers(1, 500),
    moves=timings,
    zone=zones,
    strict_grace=st.booleans(),
    policy=st.sampled_from(Policy),
    manual=st.booleans(),
    warn_hours=st.lists(st.integers(1, 200), max_size=4, unique=True).map(tuple),
)
absences = st.builds(
    lambda start, hours: Absence(start, start + hours * HOUR), instants, st.integers(1, 500)
)
readinesses = st.builds(
    lambda missing, led, silent, vacant, wait: Readiness(
        missing,
        wait,
        None,
        led=missing & led,
        silent=missing & silent,
        vacant=missing & vacant - led,
    ),
    *[st.frozensets(st.sampled_from([FLORENCE, VENICE]))] * 4,
    st.booleans(),
)
offsets = st.integers(-400, 2000)


@given(timings, zones, instants)
def test_deadline_is_on_an_allowed_day_at_the_clock(timing, zone, instant) -> None:
    """The letter of its weekday is no dash; small ones only from noon on."""
    here = on_allowed_day(timing, ZoneInfo(zone), instant).astimezone(ZoneInfo(zone))
    letter = timing.days[here.isoweekday() % 7]

    assert letter != "-"
    assert letter.isupper() or here.hour >= 12
    if timing.clock is not None:
        first = 720 if letter.islower() else 0
        wanted = max(timing.clock, first)
        # In a night in which the clocks go forward, a time may not be there.
        assert here.hour * 60 + here.minute in (wanted, wanted + 60)


@given(timings, zones, instants, instants)
def test_later_wishes_never_give_earlier_deadlines(timing, zone, one, other) -> None:
    """Monotone."""
    first, second = sorted([one, other])
    where = ZoneInfo(zone)

    assert on_allowed_day(timing, where, first) <= on_allowed_day(timing, where, second)


@given(conducts, instants, instants, st.lists(absences, max_size=4))
def test_deadline_is_never_before_the_old_one_nor_too_soon(settings, now, old, away) -> None:
    """Players who are told of a deadline can rely on that no later phase is due earlier."""
    clock = next_clock(settings, Stage.CAMPAIGN, now, old, away)

    assert clock.deadline >= old
    assert clock.deadline >= now + settings.campaign_hours * HOUR
    assert clock.grace is not None
    assert clock.grace >= clock.deadline + settings.moves.grace_hours * HOUR
    assert clock.start in (None, now + settings.moves.least_hours * HOUR)


@given(conducts, instants, st.lists(absences, max_size=4))
def test_no_deadline_falls_into_an_absence(settings, now, away) -> None:
    """Anyone who is away is not late."""
    deadline = next_clock(settings, Stage.CAMPAIGN, now, None, away).deadline

    assert not any(each.start <= deadline < each.end for each in away)


@given(conducts, instants, st.lists(absences, max_size=3), absences)
def test_further_absence_never_brings_a_deadline_forward(settings, now, away, more) -> None:
    """Monotone in the absences, too."""
    before = next_clock(settings, Stage.CAMPAIGN, now, None, away).deadline

    assert next_clock(settings, Stage.CAMPAIGN, now, None, [*away, more]).deadline >= before


@given(conducts, readinesses, offsets)
def test_nothing_happens_while_paused(settings, ready, hours) -> None:
    """No phase, no warning, no notice."""
    clock = Clock(NOW - 72 * HOUR, NOW, grace=NOW + 168 * HOUR, paused=NOW - HOUR)

    assert decide(clock, settings, ready, NOW + hours * HOUR) == Wait()


@given(conducts, readinesses, offsets)
def test_nothing_is_played_before_the_start(settings, ready, hours) -> None:
    """However complete the orders are."""
    at = NOW + hours * HOUR
    clock = Clock(NOW - 72 * HOUR, NOW, start=at + HOUR, grace=NOW)

    assert not isinstance(decide(clock, settings, ready, at), Run)


@given(conducts, readinesses, offsets)
def test_missing_orders_are_waited_for_until_the_grace_is_over(settings, ready, hours) -> None:
    """Never a phase without them before; under the policy to wait, never at all."""
    at = NOW + hours * HOUR
    clock = Clock(NOW - 72 * HOUR, NOW, late_told=NOW, grace=NOW + 168 * HOUR)
    decision = decide(clock, settings, ready, at)

    if isinstance(decision, Run) and ready.missing - ready.vacant:
        assert settings.policy is not Policy.WAIT
        assert at >= NOW + 168 * HOUR
    if isinstance(decision, Run) and settings.policy is Policy.WAIT:
        assert not ready.missing


@given(conducts, readinesses, offsets, st.integers(1, 100))
def test_what_is_played_now_is_played_later_too(settings, ready, hours, more) -> None:
    """A phase that is due stays due until it is played."""
    clock = Clock(NOW - 72 * HOUR, NOW, late_told=NOW, grace=NOW + 168 * HOUR)
    at = NOW + hours * HOUR
    is_due = isinstance(decide(clock, settings, ready, at), Run)

    assert not is_due or isinstance(decide(clock, settings, ready, at + more * HOUR), Run)


@given(conducts, readinesses, offsets)
def test_manual_games_are_never_played_by_the_clock(settings, ready, hours) -> None:
    """The master is asked instead."""
    clock = Clock(NOW - 72 * HOUR, NOW, late_told=NOW, grace=NOW + 168 * HOUR)
    at, by_hand = NOW + hours * HOUR, replace(settings, manual=True)
    decision = decide(clock, by_hand, ready, at)

    assert not isinstance(decision, Run)
    if isinstance(decision, AskMaster):
        assert isinstance(decide(clock, replace(settings, manual=False), ready, at), Run)


@given(conducts, readinesses, offsets)
def test_only_led_seats_are_opened_after_a_notice(settings, ready, hours) -> None:
    """Nobody loses his seat who is not missing, or before he was told that he is late."""
    clock = Clock(NOW - 72 * HOUR, NOW, grace=NOW + 168 * HOUR)
    at = NOW + hours * HOUR

    assert not isinstance(decide(clock, settings, ready, at), OpenSeats)
    decision = decide(replace(clock, late_told=NOW), settings, ready, at)
    if isinstance(decision, OpenSeats):
        assert decision.powers <= ready.missing
        assert ready.led is not None
        assert decision.powers <= ready.led
        assert at >= NOW + 144 * HOUR


def test_warnings_go_out_once_each() -> None:
    """24, 8 and 1 hour before; a judge that was down sends one for all that are due."""
    settings = GameSettings(warn_hours=(24, 8, 1), briefing_hours=0)
    clock = Clock(NOW - 72 * HOUR, NOW)
    missing = Readiness(frozenset({FLORENCE}), wait=False)

    assert decide(clock, settings, missing, NOW - 25 * HOUR) == Wait()
    assert decide(clock, settings, missing, NOW - 24 * HOUR) == Remind(missing.missing, (24,))
    warned = replace(clock, warned=(24,))
    assert decide(warned, settings, missing, NOW - 20 * HOUR) == Wait()
    assert decide(warned, settings, missing, NOW - HOUR / 2) == Remind(missing.missing, (8, 1))


def test_warning_longer_than_the_phase_does_not_go_out() -> None:
    """It would come together with the results."""
    settings = GameSettings(warn_hours=(48,))
    missing = Readiness(frozenset({FLORENCE}), wait=False)

    assert decide(Clock(NOW, NOW + 24 * HOUR), settings, missing, NOW + HOUR) == Wait()


def test_empty_seat_holds_up_only_games_that_wait() -> None:
    """Under the other policies the phase is played without a power that nobody leads."""
    alone = frozenset({FLORENCE})
    empty = Readiness(alone, wait=False, led=frozenset(), vacant=alone)
    clock = Clock(NOW - 72 * HOUR, NOW)

    waits = GameSettings(briefing_hours=0)
    assert decide(clock, waits, empty, NOW - HOUR * 20) == Wait()
    hold = GameSettings(policy=Policy.HOLD)
    assert decide(clock, hold, empty, NOW - HOUR * 20) == Run(empty.missing)


def test_partly_ordered_powers_keep_their_seats_where_the_phase_is_played_anyway() -> None:
    """Only who sent nothing at all is replaced there."""
    both = frozenset({FLORENCE, VENICE})
    opens = dict.fromkeys(both, NOW + 6 * HOUR)
    ready = Readiness(both, wait=False, led=both, silent=frozenset({VENICE}), opens=opens)
    clock = Clock(NOW - 72 * HOUR, NOW, late_told=NOW, grace=NOW + 72 * HOUR)

    decision = decide(clock, GameSettings(policy=Policy.HOLD), ready, NOW + 48 * HOUR)
    assert decision == OpenSeats(frozenset({VENICE}))
    assert decide(clock, GameSettings(), ready, NOW + 72 * HOUR) == OpenSeats(both)


def test_nobody_is_told_that_the_game_waits_when_it_waits_no_more() -> None:
    """A judge that was down over the grace plays; one whose game waits tells of the lateness."""
    missing = Readiness(frozenset({FLORENCE}), wait=False)
    grace = NOW + 24 * HOUR
    clock = Clock(NOW - 72 * HOUR, NOW, grace=grace)

    played = decide(clock, GameSettings(policy=Policy.HOLD), missing, NOW + 100 * HOUR)
    assert played == Run(missing.missing, due=grace)
    assert decide(clock, GameSettings(), missing, NOW + 100 * HOUR) == Late(missing.missing)


def test_seat_that_opened_in_the_phase_is_waited_for_until_the_end_of_the_grace() -> None:
    """Everybody was told of that end; anyone who takes the seat has the time."""
    alone = frozenset({FLORENCE})
    opened = Readiness(alone, wait=False, led=frozenset(), vacant=frozenset())
    clock = Clock(NOW - 72 * HOUR, NOW, late_told=NOW + HOUR, grace=NOW + 72 * HOUR, opened=True)
    hold = GameSettings(policy=Policy.HOLD)

    assert not isinstance(decide(clock, hold, opened, NOW + 71 * HOUR), Run)
    assert decide(clock, hold, opened, NOW + 72 * HOUR) == Run(alone, due=NOW + 72 * HOUR)


@pytest.mark.parametrize("text", ["-------", "MTWTFSS", "SMTWTF", "smtwtfx", "S M T W"])
def test_days_that_mean_nothing_are_refused(text) -> None:
    """Seven letters from Sunday, at least one of them no dash."""
    assert not is_days(text)


@given(days.filter(lambda text: text != "-------"))
def test_days_are_read(text) -> None:
    """Dashes, capitals and small letters."""
    assert is_days(text)


@given(st.integers(-200, 200), st.none() | st.integers(0, 40))
def test_leaps_are_told_from_everyday(hours, usual) -> None:
    """More than six hours, and four times as long as usual; or ten minutes back."""
    often = None if usual is None else usual * HOUR
    leap = leap_between(NOW, NOW + hours * HOUR, often)
    longest = max(LONGEST_SILENCE, MANY_TIMES * (SLOW if often is None else often))

    assert (leap is None) == (timedelta(0) <= hours * HOUR <= longest)


outages = st.tuples(st.integers(0, 200 * 60), st.integers(1, 300))
"""Minutes in which the judge was down, and minutes in which it then worked."""


@given(st.lists(outages, min_size=1, max_size=12), st.integers(24, 400))
def test_nobody_loses_time_by_any_sequence_of_outages(sequence, hours) -> None:
    """While the judge looks each minute, a phase is played when most of its time was there to use.

    Of all silences together six hours at most are not made up for, and a tenth of the time in which
    the judge works.
    """
    now, promised, worked = NOW, hours * HOUR, timedelta(0)
    clock = Clock(began=now, deadline=now + promised, grace=now + promised, start=now)
    looks = Looks(now, BEAT)
    for down, up in sequence:
        for silence in (down * BEAT, *[BEAT] * up):
            now += silence
            if (leap := looks.leap(now)) is not None:
                clock = after_leap(clock, leap, GameSettings(), Stage.CAMPAIGN)
            worked += silence if silence <= MANY_TIMES * BEAT else timedelta(0)
            looks = looks.after(now)
            assert looks.usual is not None
            assert looks.usual <= MANY_TIMES * BEAT
            if clock.deadline <= now:
                assert worked + worked / FORGIVEN + LONGEST_SILENCE >= promised
                return


steps = st.lists(st.integers(-300 * 60, 300 * 60).filter(bool), min_size=1, max_size=8)


@given(steps, st.integers(24, 400))
def test_nobody_loses_time_by_any_sequence_of_leaps(sequence, hours) -> None:
    """The clock of the machine goes wrong, in either direction, while time goes on as it does."""
    now, real, promised = NOW, timedelta(0), hours * HOUR
    clock = Clock(began=now, deadline=now + promised, grace=now + promised, start=now)
    looks = Looks(now, BEAT)
    for step in sequence:
        for silence in (step * BEAT, *[BEAT] * 5):
            now += silence
            real += BEAT
            if (leap := looks.leap(now)) is not None:
                clock = after_leap(clock, leap, GameSettings(), Stage.CAMPAIGN)
            looks = looks.after(now)
            if clock.deadline <= now:
                assert real + LONGEST_SILENCE >= promised
                return


@given(conducts, st.integers(7, 20_000), st.integers(-100, 100), st.integers(0, 3600))
def test_leap_there_and_back_changes_no_deadline(settings, hours, due, seconds) -> None:
    """What was put off returns when the clock is set right."""
    clock = Clock(NOW - 72 * HOUR, NOW + due * HOUR, grace=NOW + (due + 72) * HOUR)
    then = NOW + hours * HOUR + timedelta(seconds=seconds)
    there = after_leap(clock, Leap(NOW, then), settings, Stage.CAMPAIGN)
    back = after_leap(there, Leap(then, NOW + HOUR / 60), settings, Stage.CAMPAIGN)

    assert there.deadline >= clock.deadline
    if due > 0:
        assert there.deadline - clock.deadline >= then - NOW
        assert there.deadline == on_allowed_day(
            settings.moves, ZoneInfo(settings.zone), there.deadline
        )
    assert (back.deadline, back.grace, back.jump) == (clock.deadline, clock.grace, None)


@given(conducts, st.integers(0, 100_000), st.integers(-100, 100), st.lists(absences, max_size=3))
def test_times_that_are_put_off_land_where_deadlines_are(settings, seconds, due, away) -> None:
    """At the clock, on an allowed day, outside absences, in full minutes, and never earlier."""
    clock = Clock(NOW - 72 * HOUR, NOW + due * HOUR, grace=NOW + (due + 72) * HOUR)
    by = timedelta(seconds=seconds)
    later = delay_clock(clock, by, NOW, settings, Stage.CAMPAIGN, away)

    assert later.grace is not None
    assert later.grace.second == later.deadline.second == 0
    if due > 0:
        zone = ZoneInfo(settings.zone)
        assert later.deadline >= clock.deadline + by
        assert later.deadline == on_allowed_day(settings.moves, zone, later.deadline)
        assert not any(each.start <= later.deadline < each.end for each in away)
        assert later.grace - later.deadline >= 72 * HOUR
    else:
        assert later.deadline == clock.deadline


def test_phase_that_began_in_the_future_begins_now() -> None:
    """With all of its time."""
    ahead = NOW + 1000 * HOUR
    clock = Clock(ahead - HOUR, ahead + 71 * HOUR, grace=ahead + 100 * HOUR)

    right = after_leap(clock, Leap(ahead, NOW), GameSettings(), Stage.CAMPAIGN)
    assert (right.began, right.deadline) == (NOW, NOW + 72 * HOUR)
