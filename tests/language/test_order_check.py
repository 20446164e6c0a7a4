"""Five hundred lines of players, as another judge read them."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Parsed, ParseError, parse_order
from tests.language.boards import lexicon

FILE = Path(__file__).parent / "order_check.jsonl.gz"
"""A line each: position, power, line, whether the other judge rejects it, and how he reads it."""

DIFFERENT = {
    "A slu s G tur c a": "he drops what the garrison does; a support of its conversion is one",
    "A spo s G per c a": "he drops what the garrison does; a support of its conversion is one",
    "A sla s F uas - cro": "he fills in a coast; which coast is meant is no matter of reading",
}
"""Lines that we read otherwise, and why."""


def _lines() -> list[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


LINES = _lines()


def _read(line: str) -> Parsed:
    return parse_order(line, lexicon("1454"), Stage.CAMPAIGN)


@pytest.mark.parametrize(
    "record", [line for line in LINES if line["understood"]], ids=lambda record: record["id"]
)
def test_accepted_line_is_read_as_understood(record: dict[str, Any]) -> None:
    """Our reading of the line is our reading of what he understood, or the difference is listed."""
    ours, his = _read(record["line"]), _read(record["understood"])

    assert not ours.refused
    assert (ours.said != his.said) == (record["line"] in DIFFERENT)


def test_every_accepted_money_order_is_read() -> None:
    """He does not show how he reads them."""
    money = [line["line"] for line in LINES if not line["rejected"] and not line["understood"]]

    assert len(money) == 113
    assert [line for line in money if _read(line).refused or not _read(line).said] == []


def test_rejected_lines_are_readable_but_for_invented_words() -> None:
    """He rejects for the position, which reading does not know: we read more than he accepts."""
    rejected = [line["line"] for line in LINES if line["rejected"]]
    problems = [one for line in rejected for one in _read(line).refused]

    assert all(isinstance(problem, ParseError) for problem in problems)
    assert Counter(problem.found for problem in problems) == {"frobnicate": 24, "xyzzy": 16}
    assert len(rejected) == 197
