"""docs/orders.md is true: its examples are read, and no word is missing."""

import re
from pathlib import Path

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import parse_order
from machjudge.language.lexicon import vocabulary
from machjudge.language.orders import _MISSPELT
from machjudge.language.words import SYNONYMS
from tests.language.boards import lexicon
from tests.messages.said import say

PAGE = (Path(__file__).parents[2] / "docs" / "orders.md").read_text(encoding="utf-8")
STAGES = {
    "campaign": Stage.CAMPAIGN,
    "retreats": Stage.RETREATS,
    "adjustment": Stage.ADJUSTMENT,
}
EXAMPLES = [
    (line, STAGES[kind])
    for kind, body in re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
    if kind in STAGES
    for line in body.strip().splitlines()
]


@pytest.mark.parametrize(("line", "stage"), EXAMPLES)
def test_example_of_the_page_is_read(line: str, stage: Stage) -> None:
    """What players are shown works as it stands."""
    parsed = parse_order(line, lexicon("1454"), stage)

    assert (parsed.refused, bool(parsed.said or parsed.ignored)) == ((), True)


def test_short_forms_of_the_tables_are_read() -> None:
    """The first column of each table is an order of one kind of phase."""
    shown = re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", PAGE, re.MULTILINE)
    orders = [order for cell in shown for order in re.findall(r"`([^`…]+)`", cell)]

    assert len(orders) > 30
    for order in orders:
        assert any(not parse_order(order, lexicon("1454"), s).refused for s in Stage), order


def test_every_order_word_is_on_the_page() -> None:
    """Misspellings that are accepted need not be taught."""
    missing = {word for word in vocabulary() if word not in PAGE.lower()}

    assert missing - _MISSPELT == {"citizens'"}


def test_shown_problem_is_the_real_one() -> None:
    """The page shows what a player will see."""
    (problem,) = parse_order("A Pergia - Urbino", lexicon("1454"), Stage.CAMPAIGN).refused

    mark = " " * problem.column + "^" * len(problem.found)
    shown = [problem.line, mark, f"{say(problem.reason)}.", f"Did you mean: {problem.nearest}"]
    assert "\n".join(shown).lower() in PAGE.lower()


def test_every_other_word_is_on_the_page() -> None:
    """What is read beside the words of the grammar, but for misspellings."""
    missing = {word for word in SYNONYMS if f"`{word}`" not in PAGE}

    assert missing == {"assasinate", "assasinates", "beseiging"}
