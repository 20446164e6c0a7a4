"""Dates and times in words (FEATURES D3 in our own rules)."""

from datetime import UTC, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.language import Fault, Problem, read_instant, zone_named
from tests.letters.said import say

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""A Friday; 13:00 in Rome."""
ROME = ZoneInfo("Europe/Rome")


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("mon 20:00", "2026-11-23T19:00"),
        ("monday", "2026-11-23T22:30"),
        ("fri 10:00", "2026-11-27T09:00"),
        ("at 20:00 on thurs", "2026-11-26T19:00"),
        ("24 Nov 2026 20:00", "2026-11-24T19:00"),
        ("Nov 24", "2026-11-24T22:30"),
        ("Tue Nov 24 2026 20:00 UTC", "2026-11-24T20:00"),
        ("24th of november, 20:00:30", "2026-11-24T19:00:30"),
        ("24. nov. 8pm", "2026-11-24T19:00"),
        ("jan 2 12:30am", "2027-01-01T23:30"),
        ("Dec 24 20:00 Europe/London", "2026-12-24T20:00"),
        ("dec 24 20:00 europe/london", "2026-12-24T20:00"),
        ("2026-11-24T20:00", "2026-11-24T19:00"),
        ("2026-11-24T20:00Z", "2026-11-24T20:00"),
        ("2026-11-24T20:00:00+02:00", "2026-11-24T18:00"),
        ("2026-11-24 20:00 -0100", "2026-11-24T21:00"),
        ("2026-11-24", "2026-11-24T22:30"),
        ("2020-01-01 12:00 UTC", "2020-01-01T12:00"),
        ("20:00 utc+1", "2026-11-20T19:00"),
        ("+48h", "2026-11-22T12:00"),
        ("+3d", "2026-11-23T12:00"),
        ("+1w2d3h4m", "2026-11-29T15:04"),
        ("20:00", "2026-11-20T19:00"),
        ("13:00", "2026-11-21T12:00"),
        ("tomorrow 8:30pm", "2026-11-21T19:30"),
        ("today 20:00", "2026-11-20T19:00"),
        ("sat tomorrow 20:00", "2026-11-21T19:00"),
        ("2026-10-25 02:30", "2026-10-25T00:30"),
        ("２０:００", "2026-11-20T19:00"),
    ],
)
def test_instant_is_read(text: str, instant: str) -> None:
    """In the writer's zone, unless he names another; the answer is in UTC."""
    assert read_instant(text, NOW, ROME) == datetime.fromisoformat(instant).replace(tzinfo=UTC)


def test_words_may_come_one_by_one() -> None:
    """As a command has them."""
    assert read_instant(("mon", "20:00"), NOW, UTC) == NOW.replace(day=23, hour=20)


def test_days_ahead_keep_the_time_of_day() -> None:
    """The clocks go back in Rome on 25 October 2026; 48 hours are 48 hours all the same."""
    now = datetime(2026, 10, 24, 10, 0, tzinfo=UTC)

    assert read_instant("+2d", now, ROME) == now + timedelta(hours=49)
    assert read_instant("+48h", now, ROME) == now + timedelta(hours=48)


def test_usual_time_is_the_game_s() -> None:
    """Where no time is said."""
    assert read_instant("mon", NOW, UTC, time(18, 0)) == NOW.replace(day=23, hour=18)


@pytest.mark.parametrize(
    ("text", "found", "reason"),
    [
        ("", "", "there is no date and no time"),
        ("Europe/Rome", "Europe/Rome", "there is no date and no time"),
        ("soon", "soon", '"soon" is no part of a date'),
        ("mon 20:00 CEST", "CEST", '"CEST" is no part of a date'),
        ("25:00", "25:00", "there is no time 25:00"),
        ("13pm", "13pm", "there is no time 13pm"),
        ("mon tue", "tue", "the weekday is said twice"),
        ("20:00 21:00", "21:00", "the time is said twice"),
        ("20:00Z UTC", "UTC", "the zone is said twice"),
        ("20:00+99:00", "20:00+99:00", "there is no zone +99:00"),
        ("+99:00 20:00", "+99:00", '"+99:00" is no part of a date'),
        ("2026-11-24Tsoon", "2026-11-24Tsoon", '"soon" is no time of day'),
        ("2026-11-24T25:00", "2026-11-24T25:00", "there is no time 25:00"),
        ("wed Nov 24", "wed Nov 24", "2026-11-24 is a Tuesday"),
        ("mon tomorrow", "mon tomorrow", "2026-11-21 is a Saturday"),
        ("tomorrow nov 24", "tomorrow nov 24", "the day is said twice"),
        ("24 20:00", "24 20:00", "a date needs day and month"),
        ("nov", "nov", "a date needs day and month"),
        ("feb 30", "feb 30", "there is no such day"),
        ("2026-13-01", "2026-13-01", "there is no such day"),
        ("jun 1", "jun 1", "that is more than 120 days ahead: add the year"),
        ("+3d 20:00", "+3d 20:00", "a time from now stands alone"),
        (
            "2026-03-29 02:30",
            "2026-03-29 02:30",
            "there is no such time that day, for the clocks go forward",
        ),
        ("0001-01-01 00:00 +14:00", "0001-01-01 00:00 +14:00", "that is too far away"),
        ("a", "a", '"a" is no part of a date'),
    ],
)
def test_impossible_date_says_why(text: str, found: str, reason: str) -> None:
    """One sentence, and the word that makes it impossible."""
    problem = read_instant(text, NOW, ROME)

    assert isinstance(problem, Problem)
    assert (problem.fault, problem.found, say(problem.reason)) == (Fault.INSTANT, found, reason)
    assert problem.line[problem.column :].startswith(found)


def test_next_time_today_may_be_one_that_the_clocks_leave_out() -> None:
    """At one in the morning of 29 March 2026 there is no 02:30 in Rome that day, but tomorrow."""
    now = datetime(2026, 3, 29, 0, 0, tzinfo=UTC)

    assert read_instant("02:30", now, ROME) == datetime(2026, 3, 30, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("UTC", UTC),
        ("gmt", UTC),
        (" z ", UTC),
        ("+01:00", timezone(timedelta(hours=1))),
        ("-0330", timezone(-timedelta(hours=3, minutes=30))),
        ("utc+2", timezone(timedelta(hours=2))),
        ("Europe/Rome", ROME),
        ("EUROPE/ROME", ROME),
        ("+15:00", None),
        ("+01:75", None),
        ("Rome", None),
        ("../../etc/passwd", None),
    ],
)
def test_zone_is_found_by_its_name(name: str, zone: object) -> None:
    """Offsets and names of the tz database; nothing else."""
    assert zone_named(name) == zone


@given(st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_is_a_date_or_a_problem(text: str, now: datetime) -> None:
    """No exception, at any time."""
    assert isinstance(read_instant(text, now, ROME), datetime | Problem)


@given(
    st.lists(
        st.sampled_from(
            [
                *("mon", "tue", "jan", "feb", "1", "29", "31", "2026", "9999", "0001", "20:00"),
                *("8pm", "+3d", "+9999w", "today", "tomorrow", "UTC", "-14:00", "Europe/Rome"),
                *("2026-11-24", "2026-11-24T10:00Z", "at"),
            ]
        ),
        max_size=6,
    ),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_words_of_dates_are_a_date_or_a_problem(words: list[str], now: datetime) -> None:
    """However they are combined, at any time."""
    assert isinstance(read_instant(words, now, ROME), datetime | Problem)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("monday", "2026-11-15T23:00"),
        ("friday", "2026-11-12T23:00"),
        ("18 Nov", "2026-11-17T23:00"),
        ("24 Dec", "2025-12-23T23:00"),
        ("20 Nov", "2026-11-19T23:00"),
        ("yesterday 12:00", "2026-11-19T11:00"),
        ("14:00", "2026-11-19T13:00"),
        ("-48h", "2026-11-18T12:00"),
        ("20 Nov 2020 UTC", "2020-11-20T00:00"),
    ],
)
def test_a_date_may_lie_in_the_past(text: str, instant: str) -> None:
    """Where the past is asked for: the last such day, and never the next."""
    read = read_instant(text, NOW, ROME, time(0, 0), past=True)

    assert read == datetime.fromisoformat(instant).replace(tzinfo=UTC)
