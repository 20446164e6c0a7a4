"""Instants as letters write them."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from babel import Locale

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.options import JUDGE, with_option
from machjudge.adjudicator.world import world_of
from machjudge.messages.wording import Words, counted, dated, header_time, span, when
from tests.cases import cases
from tests.judge.house import message_renderer
from tests.messages.said import say
from tests.replays.judge import ATLAS

EVENING = datetime(2026, 11, 24, 20, 0, tzinfo=UTC)
ROME = ZoneInfo("Europe/Rome")


def test_header_time_has_the_form_that_tools_read() -> None:
    """Day, month, date, year, time and offset, in UTC, in this order."""
    assert header_time(EVENING.astimezone(ROME)) == "Tue Nov 24 2026 20:00:00 +0000"


def test_header_time_writes_two_digits_for_the_day() -> None:
    """The day of the month always has two digits."""
    assert header_time(datetime(2026, 12, 1, tzinfo=UTC)) == "Tue Dec 01 2026 00:00:00 +0000"


@cases
def test_a_day_is_said_in_the_language_of_its_reader(language: str, words: str) -> None:
    """With the usual short names of its days and months."""
    september = datetime(2026, 9, 9, 19, 0, tzinfo=UTC)

    assert message_renderer().of(language).say(when(september, ROME)) == words


@pytest.mark.parametrize("month", range(1, 13))
def test_english_days_and_months_are_those_of_the_header(month: int) -> None:
    """The library's English words are the three letters that tools read."""
    day = datetime(2026, month, month + 9, tzinfo=UTC)
    weekday, short, *_ = header_time(day).split()

    assert dated(day.date(), "EEE d MMM y", "en") == f"{weekday} {month + 9} {short} 2026"


@pytest.mark.parametrize("language", ["xx", "no language"])
def test_a_day_in_a_language_that_nobody_knows_is_english(language: str) -> None:
    """A keeper may have made a folder for it; messages go out all the same."""
    assert dated(date(2026, 12, 8), "EEE d MMM y", language) == "Tue 8 Dec 2026"


@pytest.mark.parametrize("language", message_renderer().languages)
def test_one_thing_is_told_where_the_language_tells_one(language: str) -> None:
    """The plural rules of Unicode, for whole numbers as a message may have them."""
    rule = Locale(language).plural_form

    for number in (*range(1000), 10_000, 1_000_000):
        said = counted(number, "one", "more")
        assert said.endswith("one") is (rule(number) == "one"), number


def test_readers_time_comes_with_utc() -> None:
    """The reader's own zone first, UTC behind it."""
    assert say(when(EVENING, ROME)) == "Tue 24 Nov 2026, 21:00 CET (20:00 UTC)"


def test_utc_is_said_once() -> None:
    """A reader in UTC gets no second time."""
    assert say(when(EVENING, UTC)) == "Tue 24 Nov 2026, 20:00 UTC"


def test_another_day_in_utc_is_named() -> None:
    """Where the date differs, the day of the week says so."""
    late = datetime(2026, 11, 24, 23, 30, tzinfo=UTC)

    assert say(when(late, ROME)) == "Wed 25 Nov 2026, 00:30 CET (Tue 23:30 UTC)"


def test_zone_without_a_name_shows_its_offset() -> None:
    """A zone that is known by its offset only is written as an offset."""
    offset = timezone(timedelta(hours=3, minutes=30))

    assert say(when(EVENING, offset)) == "Tue 24 Nov 2026, 23:30 +0330 (20:00 UTC)"


@cases
def test_spans_are_told_in_their_largest_sensible_unit(time: dict[str, int], words: str) -> None:
    """Days from two days on, hours from ninety minutes on, then minutes; never negative."""
    assert say(span(timedelta(**time))) == words


# Phases as messages call them.


FALL = Campaign(1454, Season.FALL)


def called(stage: Stage, season: str) -> str:
    """What messages call a phase of Fall 1454, where the adjustment is said to be in *season*."""
    scenario = ATLAS.scenario("1454")
    assert scenario is not None
    rules = with_option(JUDGE, "adjustment_season", season)
    return say(Words(world_of(scenario, rules)).moment(Moment(FALL, stage)))


@pytest.mark.parametrize(
    ("season", "name"), [("fall", "Fall 1454, adjustment"), ("spring", "Spring 1455, adjustment")]
)
def test_the_adjustment_has_the_season_of_the_edition(season: str, name: str) -> None:
    """The book of 1978 has it at the beginning of Spring (MOV-02)."""
    assert called(Stage.ADJUSTMENT, season) == name


@pytest.mark.parametrize("season", ["fall", "spring"])
def test_campaigns_have_their_own_season_in_every_edition(season: str) -> None:
    """And so have their retreats."""
    assert called(Stage.CAMPAIGN, season) == "Fall 1454, campaign"
    assert called(Stage.RETREATS, season) == "Fall 1454, retreats"
