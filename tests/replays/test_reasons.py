"""Every reason that is given in the recorded phases can be worked out again from the events.

The events are all that is looked at: who supported whom, who moved where, who was driven out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    RebelsSupported,
    SupportFailed,
    SupportGiven,
    Transported,
    TransportFailed,
    UnitDislodged,
)
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.reasons import (
    Bounced,
    CutBy,
    NoConvoy,
    StraitClosed,
    SupporterDislodged,
    WasDislodged,
    Withstood,
)
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.codec.adjudication.answer import AnsweredLine, answer
from tests.replays.judge import ATLAS, SPOKEN
from tests.replays.records import FILES, question, records

BY_FILE = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "datc" else pytest.mark.slow) for name in FILES]
)
Tried = Advanced | AdvanceFailed | Converted | ConversionFailed


@dataclass(frozen=True)
class Story:
    """The events of one campaign."""

    id: str
    events: tuple[Event, ...]

    def of(self, *kinds: type) -> Iterator:
        """The events of some kinds."""
        return (event for event in self.events if isinstance(event, kinds))

    def attempt_of(self, unit: Unit) -> Tried | None:
        """Where a unit tried to go, if it did."""
        tried = self.of(Advanced, AdvanceFailed, Converted, ConversionFailed)
        return next((event for event in tried if event.unit == unit), None)

    def push(self, unit: Unit, to: PlaceId, without: PowerId | None = None) -> int:
        """The strength of a unit's way to a place, without one power's help."""
        helpers = (
            given.unit
            for given in self.of(SupportGiven)
            if given.supported == unit and given.to == to and given.unit.owner != without
        )
        rebels = sum(told.unit == unit and told.place == to for told in self.of(RebelsSupported))
        return unit.quality.strength + sum(u.quality.strength for u in helpers) + rebels

    def pushes(self, unit: Unit, to: PlaceId) -> set[int]:
        """The strength of a unit's way, with and without the help of whoever stands there."""
        afield = (
            event.unit.owner
            for event in self.events
            if isinstance(getattr(event, "unit", None), Unit)
            and event.unit.place == to
            and not event.unit.is_garrison
        )
        return {self.push(unit, to), *(self.push(unit, to, owner) for owner in afield)}

    def stand(self, unit: Unit) -> int:
        """The strength of a unit that stays; one that tried to go stands alone.

        A way through a closed strait counts as not ordered (MAP-35).
        """
        attempt = self.attempt_of(unit)
        closed = isinstance(getattr(attempt, "because", None), StraitClosed)
        if attempt is not None and not closed:
            return unit.quality.strength
        helpers = (
            given.unit
            for given in self.of(SupportGiven)
            if given.supported == unit and given.to is None
        )
        return unit.quality.strength + sum(u.quality.strength for u in helpers)


def goal(event: Tried) -> PlaceId | None:
    """The place outside the cities that an attempt leads to."""
    match event:
        case Advanced() | AdvanceFailed():
            return event.to
        case Converted() | ConversionFailed():
            return event.unit.place if event.into is not Kind.GARRISON else None


@cache
def stories(name: str) -> tuple[Story, ...]:
    """The campaigns of a file."""
    answers = ((record["id"], answer(question(record), ATLAS, SPOKEN)) for record in records(name))
    return tuple(
        Story(record, told.played.events)
        for record, told in answers
        if isinstance(told, AnsweredLine) and told.task.state.moment.stage is Stage.CAMPAIGN
    )


@BY_FILE
def test_failed_moves_name_a_rival_that_was_as_strong(name: str) -> None:
    """Both strengths are those of the units with the supports that were given."""
    for story in stories(name):
        for failed in story.of(AdvanceFailed, ConversionFailed):
            if isinstance(failed.because, Bounced | Withstood):
                _check_odds(story, failed)


def _check_odds(story: Story, failed: AdvanceFailed | ConversionFailed) -> None:
    because, to = failed.because, goal(failed)
    rival = because.against
    where = f"{story.id} {failed}"
    assert to is not None, where
    assert because.rival >= because.strength, where
    if isinstance(because, Bounced):
        attempt = story.attempt_of(rival)
        assert attempt is not None, where
        assert goal(attempt) == to, where
        assert because.strength in story.pushes(failed.unit, to), where
        assert because.rival == story.push(rival, to), where
    else:
        assert rival.place == to, where
        assert because.strength == story.push(failed.unit, to, without=rival.owner), where
        assert because.rival in (story.stand(rival), _counterpush(story, rival, failed)), where


def _counterpush(story: Story, rival: Unit, failed: AdvanceFailed | ConversionFailed) -> int | None:
    """The strength of a rival that tried to go the other way."""
    attempt = story.attempt_of(rival)
    back = attempt is not None and goal(attempt) == failed.unit.place
    return story.push(rival, failed.unit.place) if back else None


@BY_FILE
def test_cut_supports_name_who_cut_them(name: str) -> None:
    """A unit of another power that tried to enter the supporter's place."""
    for story in stories(name):
        for failed in story.of(SupportFailed):
            if isinstance(failed.because, CutBy):
                attacker = failed.because.attacker
                attempt = story.attempt_of(attacker)

                assert attempt is not None, f"{story.id} {failed}"
                assert goal(attempt) == failed.unit.place, f"{story.id} {failed}"
                assert attacker.owner != failed.unit.owner, f"{story.id} {failed}"


@BY_FILE
def test_what_was_driven_out_is_said_to_be(name: str) -> None:
    """Whoever names a dislodgement as the reason was dislodged by that very unit."""
    for story in stories(name):
        driven = {(event.unit, event.by) for event in story.of(UnitDislodged)}
        for failed in story.of(SupportFailed, AdvanceFailed, ConversionFailed, TransportFailed):
            if isinstance(failed.because, SupporterDislodged | WasDislodged):
                assert (failed.unit, failed.because.by) in driven, f"{story.id} {failed}"


@BY_FILE
def test_failed_convoys_name_the_fleet_that_failed(name: str) -> None:
    """It was dislodged, or it did something else, or there is none."""
    for story in stories(name):
        driven = {event.unit for event in story.of(UnitDislodged)}
        carried = {(event.unit, event.army) for event in story.of(Transported)}
        for failed in story.of(AdvanceFailed):
            if isinstance(failed.because, NoConvoy):
                fleet = failed.because.fleet
                assert not failed.via or failed.because.at in failed.via, f"{story.id} {failed}"
                assert failed.because.dislodged == (fleet in driven), f"{story.id} {failed}"
                assert (fleet, failed.unit) not in carried, f"{story.id} {failed}"


@BY_FILE
def test_dislodgements_name_the_stronger_unit(name: str) -> None:
    """It entered the place, stronger than the one that stood there."""
    for story in stories(name):
        for driven in story.of(UnitDislodged):
            attempt = story.attempt_of(driven.by)

            assert isinstance(attempt, Advanced | Converted), f"{story.id} {driven}"
            assert goal(attempt) == driven.unit.place, f"{story.id} {driven}"
            assert driven.strength > driven.rival, f"{story.id} {driven}"
            push = story.push(driven.by, driven.unit.place, without=driven.unit.owner)
            assert driven.strength == push, f"{story.id} {driven}"
