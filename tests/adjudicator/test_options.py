"""Every value of every option of the rules changes an outcome, shown by a case."""

from collections.abc import Iterator

import pytest

from machjudge.adjudicator.options import (
    JUDGE,
    OPTIONS,
    UnknownRule,
    Value,
    find_option,
    nearest,
    preset,
    said_value,
    value_text,
    with_option,
    written,
)
from tests.adjudicator.cases import all_cases

_OPENING = "tests/judge/model/test_opening.py"

SHOWN_ELSEWHERE = {
    ("autonomous_af", "True"): _OPENING,
    ("assassin_chits", "drawn"): _OPENING,
    ("initial_adjustment", "fixed_money"): _OPENING,
    ("initial_adjustment", "none"): _OPENING,
    ("side_units", "one"): _OPENING,
    ("adjustment_season", "spring"): "tests/messages/test_times.py",
}
"""Values that no outcome of one phase can show, and where they are shown."""


def values() -> Iterator[tuple[str, str]]:
    """Each option with each of its values besides the usual one."""
    usual = preset("judge")
    for name, option in OPTIONS.items():
        for value in option.choices or ("another",):
            if value != option.of(usual):
                yield name, str(written(value))


def shown() -> set[tuple[str, str]]:
    """The options and values that a case is about."""
    return {
        (name, str(value) if OPTIONS[name].choices else "another")
        for case in all_cases()
        for name, value in case.option.items()
    }


def test_every_value_of_an_option_has_a_case() -> None:
    """Its outcome differs from the one with the usual value; the cases are played both ways."""
    assert sorted(set(values()) - shown() - SHOWN_ELSEWHERE.keys()) == []


def test_what_is_shown_elsewhere_is_an_option() -> None:
    """With a value of its own, and has no case."""
    assert SHOWN_ELSEWHERE.keys() <= set(values())
    assert not shown() & SHOWN_ELSEWHERE.keys()


def test_the_nearest_set_of_rules_is_the_one_with_the_fewest_departures() -> None:
    """Of several the first."""
    rules = preset("judge2009")

    assert nearest(rules) == "judge2009"
    assert nearest(with_option(rules, "plague", value=True)) == "judge2009"
    assert nearest(preset("judge")) == "judge"


# Values of options as people write them.


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("plague", "on", True),
        ("plague", "No", False),
        ("plague", "now and then", "now and then"),
        ("siege_other_order", "HOLD-aborts", "hold_aborts"),
        ("siege_other_order", "free move", "free_move"),
        ("victory_cities", "18", 18),
        ("victory_cities", "many", "many"),
        ("victory_cities", "1000000000", "1000000000"),
        ("expense_prices", "A=4, b:15", {"a": 4, "b": 15}),
        ("expense_prices", "a=4 b", "a=4_b"),
        ("unit_caps", "none", {}),
        ("unit_caps", "a 10 G 3", {"A": 10, "G": 3}),
        ("adjacency_kinds", "c, d", ["c", "d"]),
        ("adjacency_kinds", "none", []),
        ("assassin_rebel_table", "1 2 3 4", [1, 2, 3, 4]),
    ],
)
def test_a_value_is_read_as_people_write_it(name: str, said: str, value: Value) -> None:
    """Whatever the case, with commas, colons or equals signs; what is no value stays a text."""
    assert said_value(find_option(name), said.split()) == value


@pytest.mark.parametrize("name", OPTIONS)
def test_a_value_that_is_written_is_read_again(name: str) -> None:
    """Each of its choices, and its value in every named set of rules."""
    option = OPTIONS[name]
    for value in (option.default, *option.choices, *option.facts.presets.values()):
        said = said_value(option, value_text(value).split())
        assert option.of(with_option(JUDGE, name, said)) == value


def test_an_option_that_is_not_there_is_answered_with_the_nearest() -> None:
    """By its name."""
    with pytest.raises(UnknownRule, match="no option 'plage'; did you mean 'plague'"):
        find_option("plage")
