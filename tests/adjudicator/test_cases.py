"""Every rule of the catalogue at work, case by case, and what the cases must be like."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.adjudicator.cases import BadCase, Case, all_cases, read_case, reasons_seen, seen
from tests.adjudicator.numbers import CASES_FOR, RULES, WITHOUT_OUTCOME
from tests.adjudicator.playing import played

CASES = tuple(all_cases())
MAX_WITHOUT_OUTCOME = 15


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_rule_decides_the_outcome(case: Case) -> None:
    """The outcome is the one of the rule, and not the one without it."""
    came = played(case.question)
    outcome = seen(came, case.outcome)

    assert case.outcome == outcome
    assert case.without != outcome
    assert case.reasons == reasons_seen(came, case.reasons)
    assert case.ties == came.ties


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.option], ids=lambda case: case.name
)
def test_the_value_of_the_option_decides_the_outcome(case: Case) -> None:
    """With the option as the preset has it, the same position has the other outcome."""
    assert case.without == seen(played(case.neutral), case.without)


def test_every_rule_has_a_case() -> None:
    """No rule of the catalogue is without a case, save the few that no outcome can show."""
    shown = {rule for case in CASES for rule in case.rules}
    needed = {rule for rule in RULES if rule[:3] in CASES_FOR}

    assert sorted(needed - shown - WITHOUT_OUTCOME.keys()) == []


def test_few_rules_have_no_outcome_and_none_of_them_has_a_case() -> None:
    """The list of rules without outcome is short, names rules, and no case contradicts it."""
    shown = {rule for case in CASES for rule in case.rules}

    assert len(WITHOUT_OUTCOME) <= MAX_WITHOUT_OUTCOME
    assert WITHOUT_OUTCOME.keys() <= RULES
    assert not WITHOUT_OUTCOME.keys() & shown


GOOD: Mapping[str, Any] = {
    "rule": "MOV-33",
    "title": "Two armies of equal strength bounce",
    "units": ["V A pad", "P A bol"],
    "orders": {"V": ["A pad - fer"], "P": ["A bol - fer"]},
    "outcome": {"units": ["V A pad", "P A bol"]},
    "without": {"units": ["V A fer", "P A bol"]},
}


@pytest.mark.parametrize(
    "change",
    [
        {"rule": "MOV-99"},
        {"rule": []},
        {"title": "Bounce"},
        {"unit": ["V A pad"]},
        {"scenario": "atlantis"},
        {"without": {"units": ["P A bol", "V A pad"]}},
        {"without": {"sieges": []}},
        {"without": {"unit": []}},
        {"outcome": {"provinces": {"pad": "V"}}, "without": {"provinces": {"fer": "V"}}},
    ],
    ids=str,
)
def test_a_case_that_shows_nothing_is_refused(change: Mapping[str, Any]) -> None:
    """Unknown rules and keys, and outcomes that do not differ, are mistakes in a case."""
    with pytest.raises(BadCase):
        read_case("here", {**GOOD, **change})


@pytest.mark.parametrize("missing", ["rule", "title", "outcome", "without"])
def test_a_case_says_everything_it_has_to(missing: str) -> None:
    """A case without a rule, a title or one of its two outcomes is a mistake."""
    with pytest.raises(BadCase):
        read_case("here", {key: value for key, value in GOOD.items() if key != missing})


def test_a_good_case_is_read() -> None:
    """The case that the mistakes above start from is none itself."""
    assert read_case("here", GOOD).rules == ("MOV-33",)
