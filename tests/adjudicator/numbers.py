"""The numbers of the rule catalogue, and the few rules that no outcome of a phase can show."""

from collections.abc import Mapping


def _run(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


AREAS: Mapping[str, tuple[int, ...]] = {
    "MOV": (*_run(1, 34), *_run(40, 48)),
    "SPC": _run(1, 11),
    "CNV": _run(1, 19),
    "SIE": _run(1, 17),
    "CTL": _run(1, 17),
    "HOM": _run(1, 8),
    "ELI": _run(1, 5),
    "VIC": (*_run(1, 8), 10),
    "MAP": (*_run(1, 8), *_run(10, 37)),
    "FAM": _run(1, 11),
    "PLG": _run(1, 6),
    "STM": _run(1, 3),
    "INC": _run(1, 20),
    "ADJ": _run(1, 16),
    "BNK": _run(1, 23),
    "EXP": _run(1, 37),
    "REB": (*_run(1, 17), 20, *_run(25, 37)),
    "ASN": _run(1, 15),
    "SEQ": _run(1, 6),
    "SYN": _run(1, 12),
    "SET": _run(1, 23),
    "RAT": _run(1, 7),
    "FOG": _run(1, 8),
}
"""Each area of the catalogue with the numbers of its rules."""

RULES = frozenset(f"{area}-{number:02}" for area, numbers in AREAS.items() for number in numbers)
"""Every rule by the name under which cases know it."""

CASES_FOR = frozenset(AREAS) - {"SET", "RAT", "FOG"}
"""The areas whose rules each need a case; the flags of SET are shown where they matter.

Ratings are no affair of a phase: tests/judge/model/ratings.toml has their cases.  Nor is the fog
of war: tests/adjudicator/test_fog.py and tests/judge/phases/test_fog.py name its rules.
"""

WITHOUT_OUTCOME: Mapping[str, str] = {
    "MAP-31": "describes the lines of another program's map file, which is not read here",
    "MAP-32": "the same: how that file writes neighbours",
    "MAP-33": "the same: what follows them there",
    "ADJ-02": "says when a player's orders count as unfinished, which is the desk's affair",
    "BNK-11": "says what powers may do to each other and when they learn of it: nothing to play",
    "BNK-12": "says which report shows the dates of loans",
    "REB-34": "says how a report marks rebels",
}
"""Rules that no outcome of a phase can show, and why: definitions, and what letters say."""
