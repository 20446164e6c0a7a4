"""The recorded phases that the adjudicators race on."""

from dataclasses import dataclass

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.names import PowerId
from tests.replays.judge import ATLAS
from tests.replays.records import Record, records

Lines = dict[PowerId, tuple[str, ...]]


@dataclass(frozen=True)
class Phase:
    """One phase: what is asked, and the units that must stand on the map after it."""

    record: Record
    scenario: Scenario
    lines: Lines
    """The orders of each power, as text."""
    units_after: list[str]
    """Sorted, such as ``F A par``; without the dislodged."""

    @property
    def orders(self) -> int:
        """How many orders were written."""
        return sum(map(len, self.lines.values()))

    @property
    def units(self) -> list[str]:
        """The units before the phase, such as ``R F stp/sc``."""
        return self.record["position"]["units"]


def standard_phases() -> list[Phase]:
    """The 400 movement phases of standard Diplomacy, with 22 to 34 units each."""
    return [phase_of(record) for record in records("perf")]


def classic_phases() -> list[Phase]:
    """Campaigns of recorded games of Machiavelli with eight powers and about forty units."""
    asked = [record for record in records("games") if is_large(record)]
    return [phase_of(record) for record in asked]


def is_large(record: Record) -> bool:
    """True if it is a campaign of eight powers with 38 to 42 units that we answer alike."""
    units = record["position"]["units"]
    powers = {unit.split()[0] for unit in units} - {"&"}
    campaign = record["position"]["phase"].endswith("M")
    return record["comparable"] and campaign and len(powers) == 8 and 38 <= len(units) <= 42


def phase_of(record: Record) -> Phase:
    """The phase of a record."""
    scenario = ATLAS.scenario(record["scenario"])
    assert scenario is not None
    lines = {PowerId(power): tuple(written) for power, written in record["orders"].items()}
    return Phase(record, scenario, lines, sorted(record["expect"]["units"]))
