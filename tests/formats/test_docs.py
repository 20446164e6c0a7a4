"""What docs/adjudicate.md says of the format is true, and nothing is missing from it."""

import dataclasses
import json
import re
from enum import Enum
from pathlib import Path
from typing import get_args

import pytest

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.options import PRESETS
from machjudge.adjudicator.orders import Order, Purpose
from machjudge.adjudicator.reasons import (
    Flaw,
    Forced,
    Reason,
    RebellionEnd,
    Removal,
    SiegeEnd,
)
from machjudge.formats.position import FIELDS
from machjudge.formats.values import _RENAMED, kind_of
from tests.formats.questions import told

PAGE = (Path(__file__).parents[2] / "docs" / "adjudicate.md").read_text(encoding="utf-8")
RULES_CODE = Path(__file__).parents[2] / "machjudge" / "adjudicator"
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def test_every_purpose_of_dice_stands_there() -> None:
    """By its first words, as the code throws for it; chits are dealt before the first phase."""
    text = "".join(file.read_text("utf-8") for file in RULES_CODE.rglob("*.py"))
    thrown = set(re.findall(r'(?:[Tt]hrow\(|draw\(\w+, )f?"([a-z ]+?) ?[{"]', text))

    assert {"income", "end", "retreats to", "bribe", "rebellion"} <= thrown
    assert [each for each in sorted(thrown - {"chits"}) if f"| `{each}" not in PAGE] == []


@pytest.mark.parametrize("of", get_args(Event | Reason | Order), ids=kind_of)
def test_every_kind_stands_there_with_its_fields(of: type) -> None:
    """Events, reasons and orders are rows of tables."""
    fields = (_RENAMED.get((of, field.name), field.name) for field in dataclasses.fields(of))
    listed = ", ".join(f"`{field}`" for field in fields) or "–"

    assert f"| `{kind_of(of)}` | {listed} | " in PAGE


@pytest.mark.parametrize("choices", [Flaw, Forced, Removal, RebellionEnd, SiegeEnd, Purpose])
def test_every_choice_stands_there(choices: type[Enum]) -> None:
    """In the order in which the program has them."""
    assert ", ".join(f"`{choice.name.lower()}`" for choice in choices) in PAGE


def test_every_preset_stands_there() -> None:
    """By its name; what each of them plays stands in the table of options."""
    assert f"is one of {', '.join(f'`{name}`' for name in PRESETS)}." in PAGE
    assert "[options.md](options.md)" in PAGE


def test_every_field_of_a_position_stands_there() -> None:
    """In its table."""
    for field in FIELDS:
        assert re.search(rf"^\| .*`{field}`.* \| ", PAGE, re.MULTILINE), field


def test_the_example_is_answered_as_shown() -> None:
    """The question gives the answer, of which a part is shown."""
    question, shown = json.loads(EXAMPLES[1]), json.loads(EXAMPLES[2])

    answer = told(question)

    assert shown["id"] == answer["id"]
    assert shown["results"] == answer["results"][:1]
    assert shown["position"]["units"] == answer["position"]["units"]
    assert shown["position"]["phase"] == answer["position"]["phase"]
    assert any(shown["events"][0].items() <= event.items() for event in answer["events"])


def test_the_example_of_an_error_is_real() -> None:
    """The same position gives the same error."""
    shown = json.loads(EXAMPLES[0])
    question = json.loads(EXAMPLES[1]) | {"id": shown["id"]}
    question["position"]["units"].append("V A xyz")

    assert shown == told(question)
