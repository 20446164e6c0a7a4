"""Every kind of event changes the position or says that it tells only."""

from typing import get_args

import pytest

from machjudge.adjudicator import evolve
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.evolve import CHANGES


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_kind_has_a_change_or_tells_only(kind: type) -> None:
    """Its docstring says so, and never both."""
    assert ("Tells only" in (kind.__doc__ or "")) is (kind not in CHANGES)


def test_no_kind_is_changed_in_two_areas() -> None:
    """The tables of the areas share no kind."""
    areas = [area.CHANGES for area in (evolve, evolve, evolve, evolve, evolve)]

    assert sum(map(len, areas)) == len(CHANGES)
