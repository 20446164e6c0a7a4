"""The page of features: every test and case that it names is there."""

import re
from pathlib import Path

import pytest

from tests.adjudicator.cases import all_cases

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "features.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (F\d{3}) \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
NAMED = sorted({name for _, _, shown in ROWS for name in re.findall(r"`(.+?)`", shown)})
CASES = frozenset(case.name for case in all_cases())


def is_there(name: str) -> bool:
    """True if there is a test or a case of this name."""
    file, mark, test = name.partition("::")
    if not mark:
        return name in CASES
    module = TESTS / file
    return module.is_file() and f"def {test}(" in module.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMED)
def test_what_shows_a_feature_is_there(name: str) -> None:
    """Nothing was renamed or dropped without the page."""
    assert is_there(name)


def test_a_name_that_leads_nowhere_is_found() -> None:
    """Neither a test nor a case, in a file that is there or not."""
    assert not is_there("checks/test_features.py::test_of_nothing")
    assert not is_there("checks/test_nothing.py::test_what_shows_a_feature_is_there")
    assert not is_there("battles: Nobody ever wins")


def test_every_feature_stands_there_once_with_a_test_or_as_missing() -> None:
    """All 177 of them; what is missing names no test, and what is there names one."""
    assert len({number for number, _, _ in ROWS}) == len(ROWS) == 177
    for number, _, shown in ROWS:
        assert shown.startswith("**missing**: ") != ("`" in shown), number
