"""What is on file ahead comes back as it was put in, with its history."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.db.phases import read_parts, write_parts
from machjudge.db.rows import BrokenDocument
from machjudge.judge.faults import Stale
from machjudge.judge.records import (
    Case,
    Choice,
    GameId,
    Kept,
    LastingSiege,
    Plan,
    PlanPart,
    Preference,
)
from tests.db.examples import NOW, VENICE

HOLD = Kept("a pad h  # stay", "A pad h")
INNER = Choice((Case("A mil", (HOLD,)), Case("", ())))
PARTS = (
    PlanPart("S1456M", (HOLD, Choice((Case("not A mil", (INNER, HOLD)),))), waits=True),
    PlanPart("S1456R", (Preference("A pad retreat ven, d", ("A pad - ven", "A pad d")),)),
    PlanPart("every M", (LastingSiege("a pad b", "A pad b", over="U1456M"),)),
    PlanPart("every B", (Kept("Maintain All", "maintain all"),), flawed=True),
)
PLAN = Plan(GameId("borgia"), VENICE, 1, PARTS, NOW, None)


def test_the_newest_plan_of_each_power_is_on_file(filled) -> None:
    """Older ones stay in the history."""
    changed = replace(PLAN, number=2, parts=PARTS[1:])
    other = replace(PLAN, power=PowerId("L"), parts=())
    with filled.store().writing() as uow:
        for plan in (PLAN, changed, other):
            uow.plans.add(plan)
        uow.commit()

    with filled.store().reading() as uow:
        assert uow.plans.on_file(GameId("borgia")) == {"L": other, VENICE: changed}
        assert uow.plans.history(GameId("borgia"), VENICE) == [PLAN, changed]
        assert uow.plans.on_file(GameId("sforza")) == {}


def test_a_number_is_taken_once(filled) -> None:
    """Anyone who is slower is told."""
    with filled.store().writing() as uow:
        uow.plans.add(PLAN)
        uow.commit()

    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.plans.add(replace(PLAN, parts=()))


@pytest.mark.parametrize(
    "wrong",
    [
        {"for": "soon"},
        {"for": "every X"},
        {"items": [{"written": "A pad h"}]},
        {"items": [{"cases": [{"if": 3, "items": []}]}]},
        {"items": [{"written": "A pad retreat ven", "retreats": "A pad - ven", "waits": True}]},
        {"items": [{"written": "A pad b", "siege": "A pad b"}]},
        {"waits": "no"},
    ],
)
def test_a_broken_document_is_named(wrong) -> None:
    """With what it is and where it is wrong."""
    (first, *_) = write_parts(PARTS)

    with pytest.raises(BrokenDocument, match="plan 1 of V"):
        read_parts([{**first, **wrong}], "plan 1 of V")


def test_parts_follow_each_other_as_their_phases_do() -> None:
    """Spring, Summer, Fall with their retreats and adjustments, then kinds of phase."""
    names = ["S1456R", "every M", "F1455B", "U1456M", "S1456M", "every B", "F1455M"]
    plan = PLAN.without(lambda _: True)
    for name in names:
        plan = plan.with_part(PlanPart(name, (HOLD,)))

    assert [part.name for part in plan.parts] == [
        "F1455M",
        "F1455B",
        "S1456M",
        "S1456R",
        "U1456M",
        "every M",
        "every B",
    ]
    assert plan.part(Stage.RETREATS).is_empty
    assert len(plan.with_part(PlanPart("every B")).parts) == 6
