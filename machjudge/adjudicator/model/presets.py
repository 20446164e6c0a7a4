"""The named sets of rules, each as what it changes in the rules of the judge."""

from collections.abc import Mapping

from machjudge.adjudicator.model.options import UnknownRule, Value, with_option
from machjudge.adjudicator.model.rules import Rules

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


def preset(name: str) -> Rules:
    """The rules of a named preset.  Raises UnknownRule."""
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; known are {', '.join(PRESETS)}"
        raise UnknownRule(msg)
    rules = JUDGE
    for option, value in PRESETS[name].items():
        rules = with_option(rules, option, value)
    return rules
