"""The rules of the format, a preset and what is set otherwise, ↔ ``Rules``."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.model.fixed import AT_THE_DESK, NO_OPTIONS
from machjudge.adjudicator.model.options import (
    OPTIONS,
    Option,
    UnknownRule,
    Value,
    may_be_none,
    with_option,
    written,
)
from machjudge.adjudicator.model.presets import preset, without_features
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.rules.option import Table
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.codec.document.shape import Json, Unfit, as_object, as_text, entry, refuse, shown

_FIELDS = ("preset", "set")
_DEFAULT = "judge"


def read_rules(value: Json, scenario: Scenario) -> Rules:
    """The rules for a game of *scenario*.

    Each overrules those before it: the preset (``judge`` if none is named), what the board and the
    scenario decide, and what is ``set``.  Raises Unfit for a preset, option or value that is not
    known; the same rules are read once only.
    """
    return _read_once(json.dumps(value), scenario)


@lru_cache(maxsize=256)
def _read_once(text: str, scenario: Scenario) -> Rules:
    fields = as_object(json.loads(text), _FIELDS)
    rules = entry(fields, "preset", _read_preset) or preset(_DEFAULT)
    for decided in (scenario.board.rules, scenario.rules or {}, {"forts": scenario.forts}):
        for name, value in decided.items():
            rules = with_option(rules, name, value)
    changes = entry(fields, "set", as_object) or {}
    for name, change in changes.items():
        rules = _changed(rules, name, change)
    rules = _with_own_victory(rules, changes, scenario.players)
    return without_features(rules, scenario.bare)


def _read_preset(value: Json) -> Rules:
    try:
        return preset(as_text(value))
    except UnknownRule as unknown:
        raise Unfit(str(unknown)) from unknown


def _changed(rules: Rules, name: str, value: Json) -> Rules:
    where = f"set.{shown(name)}"
    if name in NO_OPTIONS:
        only, rule = NO_OPTIONS[name]
        # Compared as JSON: there true is not 1, as it is in Python.
        if json.dumps(value) != json.dumps(only):
            refuse(f"{name} can only be {json.dumps(only)} always: it is a rule ({rule})", where)
        return rules
    if name in AT_THE_DESK:
        word = json.dumps(value) if isinstance(value, bool) else value
        if word not in AT_THE_DESK[name]:
            refuse(f"{name} is one of {', '.join(AT_THE_DESK[name])}", where)
        return rules
    if value is None and name in OPTIONS:
        value = _nothing(OPTIONS[name])
    if not isinstance(value, bool | int | str | list | dict):
        refuse("it is neither true or false, nor a whole number, nor a word", where)
    try:
        return with_option(rules, name, cast("Value", value))
    except UnknownRule as unknown:
        raise Unfit(str(unknown), where) from unknown


def _with_own_victory(rules: Rules, changes: Mapping[str, Json], players: int) -> Rules:
    """The victory condition that named numbers make: one of their own (VIC-06, SET-22).

    Numbers that would not count are refused: next to another ``victory_level``, or homes next to
    a ``home_formula`` that gives them.
    """
    if "victory_cities" in changes or "victory_homes" in changes:
        if "victory_cities" not in changes:
            needed = cities_needed(rules.victory, players)
            rules = with_option(rules, "victory_cities", needed)
        rules = _agreed(rules, changes, "victory_level", "custom")
    if "victory_homes" in changes:
        rules = _agreed(rules, changes, "home_formula", "none")
    return rules


def _agreed(rules: Rules, changes: Mapping[str, Json], name: str, only: str) -> Rules:
    if name in changes and changes[name] != only:
        refuse(f"a number of cities or homes counts only with {name} {only}", f"set.{name}")
    return with_option(rules, name, only)


def _nothing(option: Option) -> Json:
    """What null means: the word none, an empty map or list; null where it is none of these."""
    if "none" in map(written, option.choices):
        return "none"
    if not may_be_none(option):
        return None
    return {} if isinstance(option.default, Table) else []
