"""What is played on the stage: acts with the orders of every power, and where its units end up."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class StageAct:
    """One phase: what each power orders, and what must stand where after it."""

    phase: str
    note: str
    verb: str
    """What the players do in it, such as ``orders``; the first mail of each verb is shown."""
    orders: Mapping[str, tuple[str, ...]]
    after: Mapping[str, frozenset[str]]
    """The units of each power, such as ``F cro/sc``; empty: not told after this act."""
    control: Mapping[str, str]
    """Places whose province this power controls."""


@dataclass(frozen=True, slots=True)
class Script:
    """A game that was played before."""

    game: str
    """Its name at the judge."""
    scenario: str
    options: str
    """Empty: the usual ones, which are those of the advanced game."""
    teller: str
    """Who says where the units stand in the end."""
    title: str
    prologue: str
    acts: tuple[StageAct, ...]


def introductory_game() -> Script:
    """The introductory game of the 1978 rulebook: six campaigns of Expansion of States."""
    return _script("introductory.toml")


def advanced_campaign() -> Script:
    """The first Spring of the same scenario with ducats: a purchase, loans and an assassin."""
    return _script("advanced.toml")


def _script(name: str) -> Script:
    told = tomllib.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))
    return Script(
        game=told["game"],
        scenario=told["scenario"],
        options=told["options"],
        teller=told["teller"],
        title=told["title"],
        prologue=told.get("prologue", ""),
        acts=tuple(_act(act) for act in told["acts"]),
    )


def _act(told: Mapping[str, Any]) -> StageAct:
    return StageAct(
        phase=told["phase"],
        note=told.get("note", ""),
        verb=told.get("verb", "orders"),
        orders={power: tuple(lines) for power, lines in told["orders"].items()},
        after={
            power: frozenset(units.split(", ")) for power, units in told.get("after", {}).items()
        },
        control=told.get("control", {}),
    )
