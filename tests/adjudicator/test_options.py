"""Every value of every option of the rules changes an outcome, shown by a case."""

from collections.abc import Iterator

from machjudge.adjudicator.options import OPTIONS, nearest, preset, with_option, written
from tests.adjudicator.cases import all_cases

_OPENING = "tests/judge/model/test_opening.py"

SHOWN_ELSEWHERE = {
    ("autonomous_af", "True"): _OPENING,
    ("assassin_chits", "drawn"): _OPENING,
    ("initial_adjustment", "fixed_money"): _OPENING,
    ("initial_adjustment", "none"): _OPENING,
    ("side_units", "one"): _OPENING,
    ("adjustment_season", "spring"): "tests/messages/test_moments.py",
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
