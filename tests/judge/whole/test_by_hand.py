"""docs/by_hand.md: rules for a table are kept apart from those that the judge plays."""

import re

import pytest

from machjudge.adjudicator.options import JUDGE
from machjudge.judge.command_table import TABLE
from machjudge.judge.game_settings import SERVICE_OPTION_FIELDS, GameSettings, service_value
from machjudge.judge.rule_settings import EVERY_OPTION
from tests.judge.house import ROOT

PAGE = (ROOT / "docs" / "by_hand.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([a-z_]+_[a-z_]+|fog|adjacency)(?: \w+)?`", PAGE)))

USUAL = {
    "adjacency": "units",
    "assassin_chits": "one_each",
    "assassin_numbers": "chance",
    "bribe_permission": "False",
    "endgame_die": "False",
    "fog": "off",
    "quit_rule": "none",
    "retreat_choice": "player",
    "retreat_conflict": "destroy",
    "retreat_timing": "phase",
    "side_units": "apart",
    "special_public": "True",
    "treasury_visibility": "public",
    "unit_caps": "Table({})",
}
"""What a game plays where nobody asks for more."""


def value(name: str) -> str:
    """An option in the judge's usual rules, and at its usual desk."""
    now = (
        service_value(GameSettings(), name)
        if name in SERVICE_OPTION_FIELDS
        else EVERY_OPTION[name].of(JUDGE)
    )
    return str(getattr(now, "value", now))


@pytest.mark.parametrize("name", NAMED)
def test_what_stands_for_a_rule_of_the_table_is_an_option(name: str) -> None:
    """Each that the page names can be set."""
    assert name in EVERY_OPTION


def test_no_rule_for_a_table_is_played_unless_somebody_asks() -> None:
    """The options that come near one are off in a game without wishes."""
    assert {name: value(name) for name in NAMED} == USUAL


def test_the_words_of_the_page_are_commands() -> None:
    """Each in capitals is one that the judge knows."""
    known = {entry.name for entry in TABLE} | {"pay", "permit"}
    words = re.findall(r"`([A-Z]+(?: [A-Z]+)*)`", PAGE)

    assert words
    for each in words:
        assert any(each.lower().startswith(name) for name in known), each
