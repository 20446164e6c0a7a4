"""The rules for players say plainly what is played; the rulings say why."""

import re
from pathlib import Path

import pytest

from machjudge.adjudicator.options import OPTIONS, SERVICE_OPTIONS
from machjudge.messages.catalogue import Library

DOCS = Path(__file__).parents[2] / "docs"
RULES = (DOCS / "rules.md").read_text(encoding="utf-8")
RULINGS = (DOCS / "rulings.md").read_text(encoding="utf-8")
_RULE = re.compile(r"^- \*\*([A-Z]{3}-\d\d)\*\* (.+)$", re.MULTILINE)


def numbers(text: str) -> list[str]:
    """The numbers that the lines of a text begin with."""
    return [number for number, _ in _RULE.findall(text)]


def test_every_rule_has_one_number_and_stands_in_its_section() -> None:
    """In the order of the numbers."""
    assert len(numbers(RULES)) == len(set(numbers(RULES)))
    for section in Library(DOCS).sections():
        found = [line[2:8] for line in section.lines if line.startswith("- ") and line[5] == "-"]
        assert found == sorted(found)
        assert {number[:3] for number in found} == {section.area}


@pytest.mark.parametrize(("number", "text"), _RULE.findall(RULES), ids=numbers(RULES))
def test_a_rule_names_no_source_and_no_reading(number: str, text: str) -> None:
    """These are in the rulings."""
    found = re.search(r"RULING|\[DIP|v2\.4|v3\.1|1978|1991|Karttunen|article|Reading", text)

    assert found is None, number


def test_a_rule_names_only_options_that_there_are() -> None:
    """And the values that go with them."""
    named = re.findall(r"Option: ((?:`\w+`(?:, )?)+)", RULES)
    names = {name for each in named for name in re.findall(r"\w+", each)}

    assert len(named) > 30
    assert names <= OPTIONS.keys() | SERVICE_OPTIONS.keys()


def test_every_ruling_is_about_a_rule() -> None:
    """Under its number, once."""
    assert set(numbers(RULINGS)) <= set(numbers(RULES))
    assert len(numbers(RULINGS)) == len(set(numbers(RULINGS)))


def test_a_rule_that_a_message_names_is_there() -> None:
    """Every number in the text of the rules leads to a rule."""
    named = set(re.findall(r"\b[A-Z]{3}-\d\d\b", RULES))

    assert named <= set(numbers(RULES))
