"""Dates and times in words (FEATURES D3 in our own rules)."""

from datetime import UTC, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.language import Fault, ParseError, read_instant, zone_named
from tests.cases import cases
from tests.messages.said import say

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""A Friday; 13:00 in Rome."""
ROME = ZoneInfo("Europe/Rome")


@cases
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


@cases
def test_impossible_date_says_why(text: str, found: str, reason: str) -> None:
    """One sentence, and the word that makes it impossible."""
    problem = read_instant(text, NOW, ROME)

    assert isinstance(problem, ParseError)
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
    assert isinstance(read_instant(text, now, ROME), datetime | ParseError)


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
    assert isinstance(read_instant(words, now, ROME), datetime | ParseError)


@cases
def test_a_date_may_lie_in_the_past(text: str, instant: str) -> None:
    """Where the past is asked for: the last such day, and never the next."""
    read = read_instant(text, NOW, ROME, time(0, 0), past=True)

    assert read == datetime.fromisoformat(instant).replace(tzinfo=UTC)
