"""Types of names, and the base class of our exceptions."""

from typing import NewType

PlaceId = NewType("PlaceId", str)
"""The abbreviation of a province or sea on its board, such as ``pad``."""

PowerId = NewType("PowerId", str)
"""The letter of a power, such as ``V`` for Venice."""

Coast = NewType("Coast", str)
"""``nc``, ``sc``, ``ec`` or ``wc``; empty for a place without several coasts."""

AUTONOMOUS = PowerId("&")
"""The owner of autonomous garrisons, which always hold (MOV-25)."""

NO_COAST = Coast("")


class MachjudgeError(Exception):
    """A fault of the program or installation; a player's mistake is no exception."""
