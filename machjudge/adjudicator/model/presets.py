"""The named sets of rules, and the flat names under which settings know each variation."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.adjudicator.model.rules import Rules

Value = bool | int | str
"""An option's value as presets and settings write it."""


@dataclass(frozen=True, slots=True)
class Option:
    """Where an option lives, and what it is about in one line."""

    group: str
    field: str
    about: str


OPTIONS: Mapping[str, Option] = {
    "money": Option("game", "money", "ducats in use"),
    "dice": Option("game", "dice", "random events and incomes"),
    "garrisons": Option("game", "garrisons", "garrison units"),
    "forts": Option("game", "forts", "fortresses in use"),
    "summer": Option("game", "summer", "a Summer campaign"),
    "special": Option("game", "special", "special units"),
    "neutral_impassable": Option("game", "neutral_impassable", "neutral countries closed"),
    "initial_adjustment": Option("game", "opening", "an adjustment before the first campaign"),
    "coastal_convoys": Option("movement", "coastal_convoys", "fleets on coasts convoy"),
    "convoy_route": Option("movement", "convoy_route", "an army's order lists its sea route"),
    "coast_support": Option("movement", "coast_support", "support into a two-coast province"),
    "disband_order": Option("movement", "disband_order", "disband as a campaign's order"),
    "retreat_to_garrison": Option("retreat", "to_city", "retreat into the own city"),
    "convoyed_attacker_origin": Option(
        "retreat", "convoyed_origin", "retreat to where a convoyed attacker came from"
    ),
    "piombino_dislodged_retreat": Option("retreat", "piombino", "a fleet driven from Piombino"),
    "lagoon_retreat_to_venice": Option("retreat", "lagoon", "retreat from the Lagoon to Venice"),
    "siege_other_order": Option("siege", "other_order", "another order in a siege's second half"),
    "strait_enter_blocks": Option("strait", "entry", "a fleet that enters closes the strait"),
    "strait_leaver_blocks": Option("strait", "leaver_blocks", "a fleet that leaves still closes"),
    "strait_convert_in_blocks": Option(
        "strait", "convert_in_blocks", "a fleet turning garrison still closes"
    ),
    "strait_convert_out_blocks": Option(
        "strait", "convert_out_blocks", "a garrison turning fleet closes"
    ),
    "control_timing": Option("control", "timing", "when control changes"),
    "elimination_timing": Option("control", "elimination", "when elimination is checked"),
    "elimination": Option("control", "elimination_test", "what eliminates a power"),
    "home_loss": Option("control", "home_loss", "loss of a conquered home country"),
    "victory_level": Option("victory", "level", "the victory condition"),
    "victory_cities": Option("victory", "cities", "cities needed (custom)"),
    "victory_homes": Option("victory", "homes", "home countries needed (custom)"),
    "home_formula": Option("victory", "formula", "homes that follow from the cities needed"),
    "nodice_rolls": Option("income", "fixed_rolls", "the fixed die of games without dice"),
    "besieged_income": Option("income", "besieged_pays", "a besieged city pays"),
    "fort_income": Option("income", "fort_income", "ducats of a fortress"),
    "var_city_needs_province": Option(
        "income", "city_roll_needs_province", "a city's roll needs its province too"
    ),
    "var_keep": Option("income", "home_roll", "how long a home country's roll is kept"),
    "fort_builds": Option("adjustment", "fort_builds", "builds in a fortress's province"),
    "fleet_builds": Option("adjustment", "fleet_builds", "where fleets are built"),
    "auto_disband": Option("adjustment", "unpaid", "which unit goes when one cannot be kept"),
    "special_limit": Option("adjustment", "special_limit", "special units in play per power"),
    "famine": Option("disaster", "famine", "famine"),
    "plague": Option("disaster", "plague", "plague"),
    "storm": Option("disaster", "storm", "storms"),
    "disaster_rolls": Option("disaster", "severity", "rolls 4 to 7 of a disaster"),
    "loans": Option("money", "loans", "the bank lends"),
    "adjacency": Option("money", "adjacency", "expenses need a unit next to their target"),
    "assassinations": Option("money", "assassinations", "assassins for hire"),
    "self_bribe": Option("money", "self_bribe", "bribes against oneself"),
}

JUDGE = Rules()
"""The judge rules v2.4c with their default flags (SET-16)."""

_BASIC: Mapping[str, Value] = {
    "money": False,
    "dice": False,
    "famine": False,
    "loans": False,
    "assassinations": False,
    "special": False,
    "adjacency": "none",
    "disband_order": True,
    "victory_level": "basic",
    "initial_adjustment": "none",
}
_JUDGE_2009: Mapping[str, Value] = {
    "coast_support": "same_coast",
    "piombino_dislodged_retreat": "destroyed",
    "lagoon_retreat_to_venice": "garrison_last",
    "siege_other_order": "hold_aborts",
    "home_loss": "all_lost",
    "home_formula": "floor",
    "strait_enter_blocks": "if_no_fleet",
    "strait_leaver_blocks": True,
    "strait_convert_in_blocks": True,
    "var_keep": "foothold",
    "self_bribe": True,
}
_DIPLOMACY: Mapping[str, Value] = {
    "money": False,
    "dice": False,
    "garrisons": False,
    "summer": False,
    "special": False,
    "famine": False,
    "plague": False,
    "storm": "off",
    "loans": False,
    "assassinations": False,
    "adjacency": "none",
    "coastal_convoys": False,
    "disband_order": False,
    "forts": False,
    "convoy_route": "implicit",
    "retreat_to_garrison": "last_resort",
    "convoyed_attacker_origin": "open",
    "siege_other_order": "free_move",
    "control_timing": "fall",
    "elimination_timing": "fall",
    "elimination": "nothing_left",
    "strait_enter_blocks": "never",
    "strait_convert_out_blocks": False,
    "home_formula": "none",
    "victory_level": "custom",
    "victory_cities": 18,
    "victory_homes": 0,
    "auto_disband": "distance_2023",
    "fleet_builds": "coasts",
    "initial_adjustment": "none",
}

PRESETS: Mapping[str, Mapping[str, Value]] = {
    "judge": {},
    "judge_basic": _BASIC,
    "judge2009": _JUDGE_2009,
    "diplomacy": _DIPLOMACY,
}
"""The named sets of rules: what each of them changes in the judge rules v2.4c."""


class UnknownRule(MachjudgeError):
    """A preset, option or value that is not known; the text says which and what would be."""


def preset(name: str) -> Rules:
    """The rules of a named preset.  Raises UnknownRule."""
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; known are {', '.join(PRESETS)}"
        raise UnknownRule(msg)
    rules = JUDGE
    for option, value in PRESETS[name].items():
        rules = with_option(rules, option, value)
    return rules


def option_value(rules: Rules, name: str) -> Value:
    """An option's value as settings write it.  Raises UnknownRule."""
    option = _option(name)
    value = getattr(getattr(rules, option.group), option.field)
    plain: Value = value.value if isinstance(value, Enum) else value
    return plain


def with_option(rules: Rules, name: str, value: Value) -> Rules:
    """The rules with one option set.  Raises UnknownRule for a name or value that is not known."""
    option = _option(name)
    group = getattr(rules, option.group)
    old = getattr(group, option.field)
    changed = replace(group, **{option.field: _typed(name, old, value)})
    return replace(rules, **{option.group: changed})


def _option(name: str) -> Option:
    if name not in OPTIONS:
        msg = f"there is no option {name!r}"
        raise UnknownRule(msg)
    return OPTIONS[name]


def _typed(name: str, old: object, value: Value) -> object:
    if isinstance(old, Enum):
        known = {member.value: member for member in type(old)}
        if not isinstance(value, str) or value not in known:
            msg = f"{name} cannot be {value!r}; it is one of {', '.join(known)}"
            raise UnknownRule(msg)
        return known[value]
    if type(value) is not type(old):
        kind = "true or false" if isinstance(old, bool) else "a whole number"
        msg = f"{name} cannot be {value!r}; it is {kind}"
        raise UnknownRule(msg)
    if type(value) is int and value < 0:
        msg = f"{name} cannot be {value!r}; it is not negative"
        raise UnknownRule(msg)
    return value
