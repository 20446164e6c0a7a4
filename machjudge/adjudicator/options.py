"""Options by name, their values in files and settings, and named sets of rules."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, cast

from machjudge.adjudicator.names import MachjudgeError
from machjudge.adjudicator.rules import FACTS, Facts, HomesCounted, Rules, Table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Value = bool | int | str | Sequence[int] | Sequence[str] | Mapping[str, int]
"""An option's value in presets, settings and files."""


class UnknownRule(MachjudgeError):
    """An unknown preset, option or value; the text names the alternatives."""


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """An option: its group and field, default and facts."""

    group: str
    field: str
    default: object
    facts: Facts

    @property
    def choices(self) -> tuple[object, ...]:
        """Return its values; empty for numbers, lists and maps."""
        if isinstance(self.default, bool):
            return (True, False)
        return tuple(type(self.default)) if isinstance(self.default, Enum) else ()

    def of(self, rules: Rules) -> object:
        """Return its value in some rules."""
        value: object = getattr(getattr(rules, self.group), self.field)
        return value


def options_in(group: str, values: "DataclassInstance") -> Iterator[tuple[str, Option]]:
    """Return the options among a group's fields by name, with *values* as defaults."""
    for field in dataclasses.fields(values):
        facts = field.metadata.get(FACTS)
        if facts is not None:
            yield facts.name, Option(group, field.name, getattr(values, field.name), facts)


def _options() -> Iterator[tuple[str, Option]]:
    usual = Rules()
    for group in dataclasses.fields(usual):
        yield from options_in(group.name, getattr(usual, group.name))


OPTIONS: Mapping[str, Option] = dict(_options())
"""All options by name, in field order."""


def find_option(name: str) -> Option:
    """The option of a name.  Raises UnknownRule, with the nearest name."""
    if name not in OPTIONS:
        msg = f"there is no option {name!r}{_hint(name, OPTIONS)}"
        raise UnknownRule(msg)
    return OPTIONS[name]


def written(value: object) -> Value:
    """Return a value as settings write it."""
    if isinstance(value, Enum):
        return cast("str", value.value)
    return dict(value) if isinstance(value, Table) else cast("Value", value)


def may_be_none(option: Option) -> bool:
    """Return whether an option is a list or map that may be empty."""
    return bool(option.facts.limits.among)


def with_option(rules: Rules, name: str, value: Value) -> Rules:
    """Return the rules with one option set; a map changes the named entries.

    A map that may be empty is replaced.  Raises UnknownRule for an unknown name or value.
    """
    option = find_option(name)
    found = typed(option, option.of(rules), value)
    group = replace(getattr(rules, option.group), **{option.field: found})
    return replace(rules, **{option.group: group})


def departures(rules: Rules, usual: Rules) -> tuple[str, ...]:
    """Return the names of options that differ from *usual*."""
    return tuple(name for name, option in OPTIONS.items() if option.of(rules) != option.of(usual))


def check_limits(rules: Rules) -> None:
    """Check the numbers, lists and maps of a document's rules.  Raises UnknownRule."""
    for name, option in OPTIONS.items():
        value = option.of(rules)
        if not option.choices and typed(option, option.default, written(value)) != value:
            msg = f"{name} is not complete; it is {possible(option)}"
            raise UnknownRule(msg)


# --- values as files and settings write them -------------------------------------------------


def typed(option: Option, old: object, value: Value) -> object:
    """Return a value in the rules' type.  Raises UnknownRule."""
    if type(value) is int and value < 0:
        msg = f"{option.facts.name} cannot be {value}; it is not negative"
        raise UnknownRule(msg)
    found = _read(option, old, value)
    if found is None:
        near = _hint(value, map(str, map(written, option.choices)))
        msg = f"{option.facts.name} cannot be {_shown(value)}; it is {possible(option)}{near}"
        raise UnknownRule(msg)
    return found


def _read(option: Option, old: object, value: Value) -> object | None:
    if isinstance(old, Enum):
        return next((member for member in type(old) if member.value == value), None)
    if isinstance(old, Table):
        if not isinstance(value, Mapping) or not value.keys() <= set(keys_of(option)):
            return None
        fits = all(type(n) is int and _is_number(option, n) for n in value.values())
        kept = {} if may_be_none(option) else old
        return Table({**kept, **value}) if fits else None
    if isinstance(old, tuple):
        return _listed(option, old, value)
    if type(value) is not type(old):
        return None
    return None if isinstance(value, int) and not _is_number(option, value) else value


def keys_of(option: Option) -> tuple[str, ...]:
    """Return the possible keys of a map, or words of a list."""
    usual = option.default if isinstance(option.default, Table) else ()
    return option.facts.limits.among or tuple(usual)


def _listed(option: Option, old: tuple[object, ...], value: Value) -> tuple[object, ...] | None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return None
    among = option.facts.limits.among
    if among:
        chosen = tuple(word for word in among if word in value)
        return chosen if len(chosen) == len(value) else None
    fits = all(type(n) is int and _is_number(option, n) for n in value)
    return tuple(value) if fits and len(value) == len(old) else None


def _is_number(option: Option, number: int) -> bool:
    return 0 <= number <= option.facts.limits.most


def possible(option: Option) -> str:
    """Return an option's values in words: ``true or false``, ``one of always, never``."""
    most, among = option.facts.limits.most, option.facts.limits.among
    if isinstance(option.default, bool):
        return "true or false"
    if isinstance(option.default, Enum):
        return f"one of {', '.join(member.value for member in type(option.default))}"
    if isinstance(option.default, Table):
        pairs = f"numbers from 0 to {most} for some of {', '.join(keys_of(option))}"
        return f"{pairs}; or none" if may_be_none(option) else pairs
    if isinstance(option.default, tuple):
        numbers = f"{len(option.default)} whole numbers from 0 to {most}"
        return f"a list of some of {', '.join(among)}" if among else f"a list of {numbers}"
    return f"a whole number from 0 to {most}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 60


def _hint(said: object, known: Iterable[str]) -> str:
    near = get_close_matches(said.casefold(), list(known), n=1) if isinstance(said, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def value_text(value: object) -> str:
    """Return a value in words: ``true``, ``hold_keeps``, ``1 2 3 5``, ``a=3``."""
    plain = written(value)
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, Mapping):
        return " ".join(f"{key}={number}" for key, number in plain.items()) or "none"
    if isinstance(plain, str | int):
        return str(plain)
    return " ".join(map(str, plain)) or "none"


def said_value(option: Option, words: Sequence[str]) -> Value:
    """Return the value that people write as *words*, unchecked, for `with_option`."""
    text = "_".join(words).casefold()
    if isinstance(option.default, bool):
        return _SWITCHES.get(text, " ".join(words))
    if isinstance(option.default, Enum):
        return text.replace("-", "_")
    parts = [part for part in re.split(r"[\s,;=:]+", " ".join(words).casefold()) if part]
    if isinstance(option.default, Table):
        parts = parts[parts == ["none"] :] if may_be_none(option) else parts
        known = {key.casefold(): key for key in keys_of(option)}
        keys = [known.get(part, part) for part in parts[::2]]
        pairs = dict(zip(keys, map(_number, parts[1::2]), strict=False))
        return cast("Value", pairs) if len(parts) % 2 == 0 else text
    if isinstance(option.default, tuple):
        numbers = cast("Value", [_number(part) for part in parts])
        return parts[parts == ["none"] :] if option.facts.limits.among else numbers
    return _number(text)


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else text


_MAX_DIGITS = 6

_SWITCHES = {
    **dict.fromkeys(("true", "on", "yes"), True),
    **dict.fromkeys(("false", "off", "no"), False),
}


NO_OPTIONS: Mapping[str, tuple[bool, str]] = {
    "garrison_trade_places": (False, "MOV-20"),
    "disband_resists": (False, "MOV-31"),
    "islands_convert": (False, "CNV-01"),
    "default_cancels_debt": (True, "BNK-10"),
}
"""Published options with one value everywhere: name, value, rule number."""

SERVICE_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "late_orders": ("wait", "hold", "civil_disorder"),
    "treasury_visibility": ("public", "private"),
    "victory_auto": ("true", "false"),
    "special_public": ("true", "false"),
    "fog": ("off", "karttunen"),
    "quit_rule": ("none", "autonomous"),
    "ratings": ("off", "battleline", "hof"),
}
"""Options of how a game is run, with their values, which change no result."""


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
"""Each named set of rules with its base."""


def lineage(name: str) -> Iterator[str]:
    """Return the preset, its base, and so on up to the judge's rules."""
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
    """Return the named set of rules with the fewest departures, of several the first."""
    return min(PRESETS, key=lambda name: len(departures(rules, PRESETS[name])))


_FEATURES = ("money", "dice", "special", "garrisons", "summer")
"""Flags that are off in the style of standard Diplomacy (SET-23)."""


def without_features(rules: Rules, bare: str) -> Rules:
    """Return the rules, or those of preset *bare* if all features of 1995 are off.

    Other departures from that edition stay (SET-23). Without *bare* the rules stay.
    """
    edition = PRESETS["mach2"]
    has_features = any(OPTIONS[name].of(rules) for name in _FEATURES)
    if not bare or has_features or nearest(rules) != "mach2":
        return rules
    left = PRESETS[bare]
    for name in departures(rules, edition):
        left = with_option(left, name, written(OPTIONS[name].of(rules)))
    return left


def counting_homes(rules: Rules) -> Rules:
    """Return the rules with home countries counted, for a number of them to win (SET-22)."""
    if rules.victory.homes_counted is not HomesCounted.NONE:
        return rules
    return with_option(rules, "victory_homes_counted", written(HomesCounted.OWNED))


def preset(name: str) -> Rules:
    """Return the rules of a preset.  Raises UnknownRule."""
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; known are {', '.join(PRESETS)}"
        raise UnknownRule(msg)
    return PRESETS[name]
