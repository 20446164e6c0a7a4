"""Names of the published list of variations that stand for no option of the adjudicator."""

from collections.abc import Mapping

NO_OPTIONS: Mapping[str, tuple[bool, str]] = {
    "garrison_trade_places": (False, "MOV-20"),
    "disband_resists": (False, "MOV-31"),
    "islands_convert": (False, "CNV-01"),
    "default_cancels_debt": (True, "BNK-10"),
}
"""Names of the published list that no edition and no house rule plays otherwise.

They are rules: the name, its only value, and the number of the catalogue under which it stands.
"""

AT_THE_DESK: Mapping[str, tuple[str, ...]] = {
    "late_orders": ("wait", "hold", "civil_disorder"),
    "treasury_visibility": ("public", "private"),
    "victory_auto": ("true", "false"),
    "special_public": ("true", "false"),
    "fog": ("off", "karttunen"),
    "quit_rule": ("none", "autonomous"),
    "ratings": ("off", "battleline", "hof"),
}
"""Options of how a game is run, with their values: no outcome of a phase depends on them."""
