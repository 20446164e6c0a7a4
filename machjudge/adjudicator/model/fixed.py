"""Options of the published list of variations that all rules here play in one way so far.

Settings may name one of them, with exactly this value; a value that an edition plays otherwise
moves its option into ``rules`` and ``presets``.
"""

from collections.abc import Mapping

FixedValue = bool | int | str | tuple[int, ...] | tuple[str, ...] | None
"""What such an option can be: none where nothing is limited, a tuple for a table or a set."""

FIXED: Mapping[str, FixedValue] = {
    "fog": "off",
}
"""The option's name and the only value that it can have."""

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
    "quit_rule": ("none", "autonomous"),
    "ratings": ("off", "battleline", "hof"),
}
"""Options of how a game is run, with their values: no outcome of a phase depends on them."""
