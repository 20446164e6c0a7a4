"""What the mutants of the adjudicator are up against: few tests that each go through many phases.

The same cases and recorded phases are tested one by one elsewhere.  A mutant is tried with all
that reach it, so here it counts how little there is around each phase.
"""

from collections import defaultdict
from itertools import islice

import pytest

from machjudge.formats.adjudicate import AnsweredLine
from machjudge.formats.position import position_of
from tests.adjudicator.cases import Case, all_cases, reasons_seen, seen
from tests.adjudicator.chronicle import Chronicle
from tests.adjudicator.echoes import Echoes
from tests.adjudicator.playing import outcome_of
from tests.adjudicator.report import Report
from tests.mutation.prepared import Prepared, prepared
from tests.replays.judge import board_of
from tests.replays.records import Record, differences, records

pytestmark = pytest.mark.mutation

EVERY = {"datc": 2, "moves_basic": 40, "moves_retreats": 40, "scenarios": 30, "perf": 40}
"""Of which recorded phases every how many-th is tried."""

CASES: defaultdict[str, list[tuple[Case, Prepared]]] = defaultdict(list)
for _case in all_cases():
    CASES[_case.name.partition(":")[0]].append((_case, prepared(_case.question)))

RECORDS: dict[str, list[tuple[Record, Prepared]]] = {
    name: [
        (record, prepared(record))
        for record in islice(records(name), 0, None, every)
        if record["comparable"]
    ]
    for name, every in EVERY.items()
}


@pytest.mark.parametrize("file", sorted(CASES))
def test_cases_come_out(file: str) -> None:
    """Every case has the outcome of its rule, with reasons that are borne out."""
    for case, phase in CASES[file]:
        told = phase.answer()
        outcome = outcome_of(told)

        assert case.outcome == seen(outcome, case.outcome), case.name
        assert case.reasons == reasons_seen(outcome, case.reasons), case.name
        assert case.ties == outcome.ties, case.name
        assert faults(told) == [], case.name


@pytest.mark.parametrize("name", sorted(EVERY))
def test_recorded_phases_come_out(name: str) -> None:
    """A sample of the recorded phases ends as recorded, with reasons that are borne out."""
    for record, phase in RECORDS[name]:
        world, played = phase.task.world, phase.play()
        position = position_of(played.state, world)

        assert differences(record, {"position": position}, board_of(record)) == {}, record["id"]
        assert list(Report(world, played.events).faults()) == [], record["id"]


def faults(told: AnsweredLine) -> list[str]:
    """What its events say that is not so."""
    world, events = told.task.world, told.played.events
    return [
        *Report(world, events).faults(),
        *Chronicle(world, told.task.state, events).faults(),
        *Echoes(told.played.standing, events).faults(),
    ]
