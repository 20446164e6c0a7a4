"""Put lines together again that a mail program broke near its 78th column.

A line goes on in the next if it ends with a dash or an arrow; if it ends with a comma or a word
that needs another, and is long or the next is nothing by itself; if the next begins with an arrow;
or if the next line's first word would not have fitted. A line with a signon stays alone, and a
short one never swallows an order.
"""

import re
from collections.abc import Sequence

from machjudge.reading.text.rows import Row

_LONG = 60
_FULL = 66
_WIDTH = 72
_MOST_PIECES = 10
_OPEN_END = re.compile(r"(?:^|[^-])->?$")
_WANTS_MORE = re.compile(
    r"(?:(?:^|(?<!:) )(?:a|f)"
    r"|(?:^| )(?:to|converts?|m|moves?|army|fleet|garrison|ducats|the|of|for|and|with|pacify"
    r"|cause|assassinate|buy|counter-bribe|famine|expense))$",
    re.IGNORECASE,
)
"""A conversion in the letters of 1978, ``G1: A``, is complete."""
_EXPENSE_WITHOUT_DEED = re.compile(
    r"(?:e|exp|expense) ?\d+ ?:? ?[\d+ ]*(?:d|ducats?)?$", re.IGNORECASE
)
_DISBAND = re.compile(r"disbands?\b", re.IGNORECASE)
_WANTS_UNIT = re.compile(
    r"(?<!\bvia)(?<!\bby) (?:s|supports?|t|transports?|convoys?)$", re.IGNORECASE
)
"""``A con - sev via convoy`` is complete."""
_COMMENT = re.compile(r"#|//")
_CONTINUES = re.compile(r"->? ")


def rejoin(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows in groups, each of which is one line."""
    groups: list[list[Row]] = []
    for row in rows:
        if groups and len(groups[-1]) < _MOST_PIECES and _goes_on(groups[-1][-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _goes_on(row: Row, after: Row) -> bool:
    """Whether *row* was broken and goes on in *after*."""
    adjacent = after.number == row.number + 1 and row.text and after.text
    if not adjacent or row.is_signon or row.begins_press:
        return False
    if after.is_command:
        return bool(_EXPENSE_WITHOUT_DEED.match(row.text) and _DISBAND.match(after.text))
    return _ends_open(row, after) or _begins_open(row, after) or _did_not_fit(row, after)


def _ends_open(row: Row, after: Row) -> bool:
    is_long = len(row.text) >= _LONG
    if _OPEN_END.search(row.text):
        return is_long or not after.is_unit_order
    if row.text.endswith(","):
        return (is_long and row.is_said) or ((is_long or row.is_said) and not after.is_said)
    if _WANTS_UNIT.search(row.text):
        return is_long or not after.is_said
    if row.words.is_command(row.bare) and not is_long:
        # "PHASE EVERY M", "BECOME F": the letter is no unit.
        return False
    return bool(_WANTS_MORE.search(row.text)) and not after.is_said


def _begins_open(row: Row, after: Row) -> bool:
    if not _CONTINUES.match(after.text) or _CONTINUES.match(row.text) or after.is_unit_order:
        return False
    return after.text.startswith("->") or len(row.text) >= _LONG


def _did_not_fit(row: Row, after: Row) -> bool:
    first_word = len(after.text.split(" ", 1)[0])
    full = len(row.text) >= _FULL and len(row.text) + 1 + first_word > _WIDTH
    is_more = not (after.is_said or _COMMENT.match(after.text)) and after.bare == after.text
    return full and is_more
