"""Values of options as people write them."""

import pytest

from machjudge.adjudicator.options import (
    JUDGE,
    OPTIONS,
    UnknownRule,
    Value,
    find_option,
    said_value,
    value_text,
    with_option,
)


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
