"""Questions put to the codec, and small worlds for them."""

import json
from typing import Any

from machjudge.adjudicator.world import World, world_of
from machjudge.formats.adjudicate import answer, document_of
from machjudge.formats.position import read_rules
from tests.replays.judge import ATLAS, SPOKEN

MONEYLESS = {"preset": "judge_basic"}
"""Rules without money and dice."""


def world(scenario: str = "1454", rules: dict[str, Any] = MONEYLESS) -> World:
    """The world of a scenario under some rules."""
    found = ATLAS.scenario(scenario)
    assert found is not None
    return world_of(found, read_rules(rules, found))


def asked(**fields: Any) -> dict[str, Any]:
    """A question for Spring 1454 with the fields that the test is about."""
    return {
        "id": "q",
        "board": "classic",
        "scenario": "1454",
        "rules": MONEYLESS,
        "position": {"phase": "S1454M", "units": []},
    } | fields


def told(question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question, through JSON on both sides."""
    document = document_of(answer(json.dumps(question).encode(), ATLAS, SPOKEN))
    return json.loads(json.dumps(document))


def error(question: dict[str, Any]) -> tuple[str, str]:
    """Where the answer says that the fault is, and what it says."""
    document = told(question)
    assert "error" in document, document
    return document["error"]["where"], document["error"]["says"]


def position(**fields: Any) -> dict[str, Any]:
    """A question with these fields of the position."""
    return asked(position={"phase": "S1454M", "units": []} | fields)
