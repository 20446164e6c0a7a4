"""The types of names that all rooms use, and the root of our own faults.  No rules here."""

from typing import NewType

PlaceId = NewType("PlaceId", str)
"""The abbreviation of a province or sea on its board, such as ``pad``."""

PowerId = NewType("PowerId", str)
"""The letter of a power, such as ``V`` for Venice."""

Coast = NewType("Coast", str)
"""``nc``, ``sc``, ``ec`` or ``wc`` where a place has several coasts, otherwise empty."""

AUTONOMOUS = PowerId("&")
"""The owner of autonomous garrisons: nobody's units, which always hold (MOV-25)."""

NO_COAST = Coast("")


class MachjudgeError(Exception):
    """A fault of ours or of an installation; a player's mistake is never an exception."""
