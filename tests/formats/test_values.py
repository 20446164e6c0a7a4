"""Events, reasons and orders as JSON: nothing is lost, and nothing else is read."""

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.events import AdvanceFailed, Event, OrderRefused
from machjudge.adjudicator.names import NO_COAST, PlaceId, PowerId
from machjudge.adjudicator.orders import Build, Named
from machjudge.adjudicator.reasons import Bounced, Flaw, Objection, Reason
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.formats.values import Unfit, events_of, form_of, kind_of, read_events
from tests.cases import cases
from tests.formats.values import register

register()

VENICE = Unit(PowerId("V"), Kind.ARMY, PlaceId("pad"), quality=Quality.PROFESSIONAL)
MILAN = Unit(PowerId("I"), Kind.FLEET, PlaceId("ven"))


@pytest.mark.parametrize("of", get_args(Event), ids=kind_of)
def test_every_event_comes_back_as_it_went(of: type) -> None:
    """Whatever the fields of an event are, JSON keeps them."""

    @settings(max_examples=15)
    @given(st.from_type(of))
    def comes_back(event: Event) -> None:
        written = json.loads(json.dumps(events_of([event])))

        assert (event,) == read_events(written)

    comes_back()


@pytest.mark.parametrize("of", get_args(Reason), ids=kind_of)
def test_every_reason_comes_back_as_it_went(of: type) -> None:
    """Whatever the fields of a reason are, JSON keeps them."""
    form = form_of(of)

    @settings(max_examples=15)
    @given(st.from_type(of))
    def comes_back(reason: Reason) -> None:
        assert reason == form.read(json.loads(json.dumps(form.write(reason))))

    comes_back()


def test_an_event_is_written_in_the_words_of_the_format() -> None:
    """Kind in small letters, units and places as in positions, the reason with its own kind."""
    event = AdvanceFailed(VENICE, PlaceId("ven"), Bounced(MILAN, 2, 3))

    assert events_of([event]) == [
        {
            "kind": "advance_failed",
            "unit": "V A pad ep",
            "to": "ven",
            "because": {"kind": "bounced", "against": "I F ven", "strength": 2, "rival": 3},
            "coast": "",
            "via": [],
        }
    ]


def test_fields_called_kind_give_way_to_the_kind() -> None:
    """A build has a type, as its kind says that it is a build."""
    build = Build(Kind.FLEET, PlaceId("ven"), NO_COAST, Quality.MILITIA)
    refused = OrderRefused(PowerId("V"), 0, build, Objection(Flaw.FAMINE, "ADJ-04"))

    [written] = events_of([refused])

    assert isinstance(written, dict)
    assert written["order"] == {
        "kind": "build",
        "type": "F",
        "place": "ven",
        "coast": "",
        "quality": "cm",
    }


@cases
def test_what_is_no_event_is_refused_with_its_place(value: object, where: str, says: str) -> None:
    """The path leads to the fault, and the text says what would have been right."""
    with pytest.raises(Unfit) as unfit:
        read_events(value)  # type: ignore[arg-type]

    assert unfit.value.where == where
    assert says in unfit.value.says


def test_a_unit_named_in_part_keeps_what_was_said() -> None:
    """Owner and type are told apart although Austria and armies share a letter."""
    form = form_of(Named)
    pad = PlaceId("pad")
    names = [
        Named(None, pad),
        Named(Kind.ARMY, pad),
        Named(None, pad, owner=PowerId("A")),
        Named(Kind.ARMY, pad, owner=PowerId("A")),
    ]

    written = [form.write(named) for named in names]

    assert written == ["pad", "A pad", "A - pad", "A A pad"]
    assert names == [form.read(text) for text in written]


def test_a_value_without_a_form_is_our_own_fault() -> None:
    """A type that the format does not know raises, rather than writing something."""
    with pytest.raises(TypeError, match="has no form in JSON"):
        form_of(dict[str, int])
