"""What is played on the stage: acts with the orders of every power, and where its units end up."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Act:
    """One phase: what each power orders, and what must stand where after it."""

    phase: str
    note: str
    orders: Mapping[str, tuple[str, ...]]
    after: Mapping[str, frozenset[str]]
    """The units of each power, such as ``F cro/sc``; empty: not told after this act."""
    control: Mapping[str, str]
    """Places whose province this power controls."""


@dataclass(frozen=True, slots=True)
class Script:
    """A game that was played before."""

    scenario: str
    options: str
    acts: tuple[Act, ...]


def introductory_game() -> Script:
    """The introductory game of the 1978 rulebook: six campaigns of Expansion of States."""
    text = resources.files(__package__).joinpath("introductory.toml").read_text("utf-8")
    told = tomllib.loads(text)
    return Script(told["scenario"], told["options"], tuple(_act(act) for act in told["acts"]))


def _act(told: Mapping[str, Any]) -> Act:
    return Act(
        phase=told["phase"],
        note=told.get("note", ""),
        orders={power: tuple(lines) for power, lines in told["orders"].items()},
        after={
            power: frozenset(units.split(", ")) for power, units in told.get("after", {}).items()
        },
        control=told.get("control", {}),
    )
