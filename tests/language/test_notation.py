"""How orders are written in public: logs of judges, zines, sites and lists of test cases.

``notation.tsv`` has a board, a kind of phase and a line.  What can mean one thing only is read,
and stands behind it in the judge's own words; what cannot is refused, and the fault stands there.
"""

import csv
from pathlib import Path

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Fault, parse_order, write
from tests.language.boards import lexicon

STAGES = {
    "campaign": Stage.CAMPAIGN,
    "retreats": Stage.RETREATS,
    "adjustment": Stage.ADJUSTMENT,
}
FAULTS = {fault.value for fault in Fault} | {"ambiguous"}
with (Path(__file__).parent / "notation.tsv").open(encoding="utf-8") as file:
    ROWS = [tuple(row.values()) for row in csv.DictReader(file, delimiter="\t")]


@pytest.mark.parametrize(("board", "phase", "line", "said"), ROWS)
def test_what_can_mean_one_thing_is_read_and_nothing_else(
    board: str, phase: str, line: str, said: str
) -> None:
    """Each order of a line, or the fault for which nothing of it is taken."""
    names = lexicon(board)
    parsed = parse_order(line, names, STAGES[phase])

    if said in FAULTS:
        assert [getattr(one, "fault", None) for one in parsed.said] == [
            None if said == "ambiguous" else Fault(said)
        ]
    else:
        assert not parsed.refused
        assert "; ".join(write(order, names) for order in parsed.understood) == said


def test_the_table_has_lines_that_are_read_and_lines_that_are_not() -> None:
    """A table of one kind only would show half of the rule."""
    refused = [row for row in ROWS if row[3] in FAULTS]

    assert len(refused) >= 10
    assert len(ROWS) - len(refused) >= 40
