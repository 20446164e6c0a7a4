"""The rules of random games: every option of the rules with each of its values, in turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.options import (
    JUDGE,
    OPTIONS,
    PRESETS,
    Value,
    preset,
    with_option,
)
from machjudge.adjudicator.rules import Rules

EVERYTHING: Mapping[str, Value] = {
    "plague": True,
    "storm": "table",
    "forts": True,
    "disband_order": True,
}
"""What is off by default, switched on."""

_OTHERS: Mapping[str, Value] = {
    "fort_income": 1,
    "special_limit": 2,
    "unit_caps": {"A": 3, "F": 2},
    "victory_cities": 12,
    "victory_homes": 1,
    "adjacency_kinds": tuple("defghi"),
    "expense_prices": {"b": 9, "h": 6, "i": 12, "k": 9},
    "major_factor": 3,
    "special_major_factor": 3,
    "assassin_rebel_table": (0, 1, 4, 6),
}
"""Another value for what is neither switched nor chosen."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A way to play: a preset, and options that are played otherwise."""

    preset: str
    options: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        changes = ", ".join(f"{name}={value}" for name, value in self.options)
        return f"{self.preset}: {changes}" if changes else self.preset


@cache
def variations() -> tuple[Variation, ...]:
    """All of them: the presets, everything at once, and each option with each other value.

    The options are changed by turns in the usual game and in one with everything on.
    """
    everything = tuple(EVERYTHING.items())
    found = [Variation(name) for name in PRESETS]
    found += [Variation(name, everything) for name in PRESETS]
    for number, change in enumerate(_changes()):
        others = tuple(each for each in everything if each[0] != change[0])
        found.append(Variation("judge", (*(others if number % 2 else ()), change)))
    return tuple(found)


def with_everything(name: str = "judge") -> Variation:
    """A preset with all that is off by default switched on."""
    return Variation(name, tuple(EVERYTHING.items()))


def _changes() -> Iterator[tuple[str, Value]]:
    for name, option in OPTIONS.items():
        usual = getattr(getattr(JUDGE, option.group), option.field)
        if isinstance(usual, Enum):
            yield from ((name, other.value) for other in type(usual) if other is not usual)
        elif isinstance(usual, bool):
            yield name, not usual
        else:
            yield name, _OTHERS[name]


def rules_of(variation: Variation, scenario: Scenario) -> Rules:
    """The rules of a game of *scenario*: what the scenario decides gives way to the variation."""
    rules = preset(variation.preset)
    for name, value in {**(scenario.rules or {}), "forts": scenario.forts}.items():
        rules = with_option(rules, name, value)
    for name, value in variation.options:
        rules = with_option(rules, name, value)
    return rules
