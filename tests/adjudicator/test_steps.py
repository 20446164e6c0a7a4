"""The steps of a year follow from the rules: what is not played is not taken."""

from collections.abc import Iterator
from typing import get_args

import pytest

from machjudge.adjudicator.events import Change, Event
from machjudge.adjudicator.moments import Season, Stage
from machjudge.adjudicator.options import JUDGE, preset, with_option
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.year.steps import steps


def named(rules: Rules, season: Season, stage: Stage) -> list[str]:
    """The steps of a phase by their names."""
    return [step.__name__ for step in steps(rules)[season, stage]]


def all_named(rules: Rules) -> Iterator[str]:
    """The names of all steps of a year."""
    return (step.__name__ for taken in steps(rules).values() for step in taken)


def test_seq_02_a_campaign_with_money_goes_from_the_bank_to_the_rebels() -> None:
    """In this order, with control counted three times."""
    assert named(JUDGE, Season.SPRING, Stage.CAMPAIGN) == [
        "pass_chits",
        "settle_loans",
        "settle_expenses",
        "count_control",
        "settle_assassinations",
        "punish_defaulters",
        "resolve_movement",
        "count_control",
        "quell_province_rebellions",
        "count_control",
    ]


def test_seq_03_income_comes_last_and_after_fall_only() -> None:
    """And famine strikes then, but before powers are eliminated."""
    fall = named(JUDGE, Season.FALL, Stage.RETREATS)

    assert fall[-1] == "collect_income"
    assert fall.index("strike_famine") < fall.index("eliminate_powers")
    assert "collect_income" not in named(JUDGE, Season.SPRING, Stage.RETREATS)
    assert "lift_famine" in named(JUDGE, Season.SPRING, Stage.RETREATS)


@pytest.mark.parametrize(
    ("option", "value", "step"),
    [
        ("money", False, "settle_loans"),
        ("money", False, "settle_expenses"),
        ("money", False, "settle_assassinations"),
        ("money", False, "punish_defaulters"),
        ("money", False, "collect_income"),
        ("famine", False, "strike_famine"),
        ("plague", False, "strike_plague"),
        ("storm", "off", "strike_storms"),
        ("dice", False, "strike_famine"),
        ("dice", False, "strike_plague"),
        ("dice", False, "strike_storms"),
        ("summer", False, "strike_plague"),
        ("liberation", "turn_end", "quell_province_rebellions"),
        ("liberation", "turn_end", "quell_city_rebellions"),
    ],
)
def test_what_is_switched_off_is_no_step(option: str, value: bool | str, step: str) -> None:
    """And with everything on it is one."""
    everything = with_option(with_option(JUDGE, "plague", value=True), "storm", "table")

    assert step in all_named(everything)
    assert step not in all_named(with_option(everything, option, value))


def test_set_20_diplomacy_counts_control_and_the_eliminated_after_fall_only() -> None:
    """Control that changes after Fall is counted once a year."""
    rules = preset("diplomacy")

    assert list(all_named(rules)).count("count_control") == 1
    assert "count_control" in named(rules, Season.FALL, Stage.RETREATS)
    assert "eliminate_powers" not in named(rules, Season.SPRING, Stage.RETREATS)


# Every kind of event changes the position or says that it tells only.


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_kind_has_a_change_or_tells_only(kind: type) -> None:
    """Its docstring says so, and never both."""
    assert ("Tells only" in (kind.__doc__ or "")) is (not issubclass(kind, Change))


@pytest.mark.parametrize("kind", Change.__subclasses__(), ids=lambda kind: kind.__name__)
def test_a_kind_with_a_change_says_which(kind: type) -> None:
    """None is left with what all have in common, which changes nothing."""
    assert "apply" in vars(kind)
