"""The phases that were recorded elsewhere: the same outcome here, but for the deviations."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from machjudge.adjudicator.events import Advanced, ExpensePaid
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.orders import Advance
from machjudge.adjudicator.year.forecast import RemarkKind, forecast
from machjudge.formats.adjudicate import AnsweredLine, Refusal, answer, document_of
from machjudge.formats.position import position_of, read_position
from machjudge.formats.values import events_of, read_events
from tests.adjudicator.report import Report
from tests.replays.judge import ATLAS, SPOKEN, answer_to, board_of
from tests.replays.records import FILES, FOLDER, Differences, Record, differences, question, records

DEVIATIONS = tomllib.loads((FOLDER / "deviations.toml").read_text(encoding="utf-8"))["deviation"]
DEVIATING = {record for deviation in DEVIATIONS for record in deviation["records"]}
EXPLAINED = Path(__file__).parents[2] / "docs" / "deviations.md"


@dataclass(frozen=True)
class Replay:
    """The records of a file, each with our answer."""

    name: str
    answers: Sequence[tuple[Record, AnsweredLine | Refusal]]

    def played(self) -> Iterator[tuple[str, AnsweredLine]]:
        """Those whose phase was played, by the name of the record."""
        return (
            (record["id"], told) for record, told in self.answers if isinstance(told, AnsweredLine)
        )

    def differing(self) -> dict[str, Differences]:
        """Comparable record -> what of our answer differs."""
        return {
            record["id"]: differences(record, document_of(told), board_of(record))
            for record, told in self.answers
            if record["comparable"]
        }


@pytest.fixture(scope="module", params=FILES)
def replay(request: pytest.FixtureRequest) -> Replay:
    """A file of recorded phases, played once for all tests."""
    answers = [
        (record, answer(question(record), ATLAS, SPOKEN)) for record in records(request.param)
    ]
    return Replay(request.param, answers)


def test_recorded_phases_end_as_recorded(replay: Replay) -> None:
    """Every field of the position that a record expects is ours, but in what deviates."""
    found = replay.differing()
    differing = {record: fields for record, fields in found.items() if fields}

    assert differing.keys() == found.keys() & DEVIATING, "\n".join(
        f"{record} {field}: expected {expected}, came {actual}"
        for record, fields in differing.items()
        for field, (expected, actual) in fields.items()
    )


def test_deviations_are_few_and_worked_by_hand() -> None:
    """At most one comparable record in three hundred differs, each explained in the docs."""
    comparable = sum(record["comparable"] for name in FILES for record in records(name))
    explained = EXPLAINED.read_text(encoding="utf-8")

    assert comparable > 300 * len(DEVIATING)
    for deviation in DEVIATIONS:
        assert f"## {deviation['title']}\n" in explained
        assert f"Rule: {deviation['rule']}," in explained
        assert all(f"`{record}`" in explained for record in deviation["records"])


def test_records_without_a_known_outcome_are_answered(replay: Replay) -> None:
    """The others are answered, unless their dice do not suffice or their position cannot be.

    There the outcome is another than the recorded one, so other dice may be needed.
    """
    errors = {
        record["id"]: told
        for record, told in replay.answers
        if not record["comparable"] and isinstance(told, Refusal) and told.where != "dice"
    }

    # Two garrisons in one city: the peer let it happen the phase before.
    assert {"adjust-00472b"} >= set(errors), errors


def test_reasons_in_recorded_phases_are_borne_out(replay: Replay) -> None:
    """Every reason can be worked out again from the other events."""
    faults = [
        (record, fault)
        for record, told in replay.played()
        for fault in Report(told.task.world, told.played.events).faults()
    ]

    assert faults == []


def test_events_in_json_give_the_position_after(replay: Replay) -> None:
    """Read back from JSON and applied to the position before, they give the one after."""
    for record, told in list(replay.played())[::10]:
        written = json.loads(json.dumps(events_of(told.played.events)))

        after = evolve_all(told.task.state, read_events(written))

        assert told.played.state == after, record


def test_the_position_after_is_a_position_before(replay: Replay) -> None:
    """What is written as a position reads as the same position."""
    for record, told in list(replay.played())[::10]:
        written = json.loads(json.dumps(position_of(told.played.state, told.task.world)))

        again = read_position(written, told.task.world)

        assert written == position_of(again, told.task.world), record


def test_dice_copied_from_the_events_throw_the_same_phase() -> None:
    """What `dice_thrown` says, put together by purpose, is read as the dice of a question."""
    thrown_again = 0
    for record in list(records("assassination"))[::10]:
        told = answer_to(record)
        if "error" in told:
            continue
        dice: dict[str, list[int]] = {}
        for event in told["events"]:
            if event["kind"] == "dice_thrown":
                dice.setdefault(event["purpose"], []).extend(event["dice"])
        thrown_again += any(name.startswith("assassination ") for name in dice)

        assert answer_to({**record, "dice": dice}) == told, record["id"]

    assert thrown_again


def test_a_move_that_is_said_to_bounce_bounces(replay: Replay) -> None:
    """What a receipt foretells is so, whatever the others ordered but a bribe (MOV-15, MAP-20)."""
    wrong: list[tuple[str, object]] = []
    for record, told in replay.played():
        task, played = told.task, told.played
        is_campaign = task.state.moment.stage is Stage.CAMPAIGN
        if not is_campaign or any(isinstance(each, ExpensePaid) for each in played.events):
            continue
        moved = {(each.unit.place, each.to) for each in played.events if isinstance(each, Advanced)}
        wrong += [
            (record, order)
            for power, sheet in played.standing.items()
            for remark in forecast(task.world, task.state, power, sheet).remarks
            if remark.kind is RemarkKind.BOUNCES and isinstance(order := remark.order, Advance)
            if (order.unit.place, order.to) in moved
        ]

    assert wrong == []
