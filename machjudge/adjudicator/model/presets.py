"""The named sets of rules: the editions of the game and how other judges play it.

Each is its parent's rules with the values that the fields of the rules name for it.
"""

from collections.abc import Iterator, Mapping

from machjudge.adjudicator.model.options import (
    OPTIONS,
    UnknownRule,
    departures,
    with_option,
    written,
)
from machjudge.adjudicator.model.rules import Rules

JUDGE = Rules()
"""The judge rules v2.4c with their default flags (SET-16)."""

PARENTS: Mapping[str, str] = {
    "judge": "",
    "judge_basic": "judge",
    "judge1991": "judge",
    "judge2009": "judge",
    "article": "judge2009",
    "mach2": "judge",
    "mach2_book": "mach2",
    "battleline": "judge",
    "battleline_basic": "battleline",
    "battleline_advanced": "battleline",
    "battleline_optional": "battleline_advanced",
    "karttunen": "battleline_optional",
    "dipmach": "judge",
    "diplomacy": "mach2",
}
"""Each named set of rules with the one that it changes."""


def lineage(name: str) -> Iterator[str]:
    """The preset, its parent, and so on up to the judge's rules."""
    while name:
        yield name
        name = PARENTS[name]


def _rules_of(name: str) -> Rules:
    rules = JUDGE
    for each in reversed(tuple(lineage(name))):
        for option in OPTIONS.values():
            if each in option.facts.presets:
                value = written(option.facts.presets[each])
                rules = with_option(rules, option.facts.name, value)
    return rules


PRESETS: Mapping[str, Rules] = {name: _rules_of(name) for name in PARENTS}
"""The named sets of rules."""


def nearest(rules: Rules) -> str:
    """The named set of rules from which these depart least; of several the first."""
    return min(PRESETS, key=lambda name: len(departures(rules, PRESETS[name])))


_FEATURES = ("money", "dice", "special", "garrisons", "summer")
"""The flags that are set off to play in the style of standard Diplomacy (SET-23)."""


def without_features(rules: Rules, bare: str) -> Rules:
    """The rules, those of preset *bare* where the edition of 1995 has lost all its features.

    What is set otherwise than in that edition stays as it is (SET-23).  *bare* is the scenario's;
    where it names none, the rules stay.
    """
    edition = PRESETS["mach2"]
    has_features = any(OPTIONS[name].of(rules) for name in _FEATURES)
    if not bare or has_features or nearest(rules) != "mach2":
        return rules
    left = PRESETS[bare]
    for name in departures(rules, edition):
        left = with_option(left, name, written(OPTIONS[name].of(rules)))
    return left


def preset(name: str) -> Rules:
    """The rules of a named preset.  Raises UnknownRule."""
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; known are {', '.join(PRESETS)}"
        raise UnknownRule(msg)
    return PRESETS[name]
