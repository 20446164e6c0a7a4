"""Ports of provinces with several coasts: where fleets leave the city and come back to it."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.board import Scenario, Spot
from machjudge.adjudicator.names import Coast, PlaceId
from machjudge.adjudicator.options import JUDGE, with_option
from machjudge.adjudicator.world import world_of
from tests.adjudicator.playing import ATLAS

STP = PlaceId("stp")


def with_anchors(*anchors: str) -> Scenario:
    """The scenario ``dipmach`` with the anchors of Saint Petersburg on these coasts."""
    scenario = ATLAS.scenario("dipmach")
    assert scenario is not None
    board = scenario.board
    place = board.places[STP]
    assert place.city is not None
    city = replace(place.city, anchors=tuple(map(Coast, anchors)))
    places = {**board.places, STP: replace(place, city=city)}
    return replace(scenario, board=replace(board, places=places))


@pytest.mark.parametrize(
    ("value", "anchors", "coasts"),
    [
        ("all", ("sc",), ("nc", "sc")),
        ("anchored", ("sc",), ("sc",)),
        ("anchored", ("sc", "nc"), ("nc", "sc")),
        ("anchored", (), ("nc", "sc")),
        ("single_anchored", ("sc", "nc"), ("sc",)),
        ("single_anchored", (), ("nc", "sc")),
    ],
)
def test_mov_30_the_rules_say_which_coasts_of_a_port_count(
    value: str, anchors: tuple[str, ...], coasts: tuple[str, ...]
) -> None:
    """All, those with an anchor, or the first of these; all of a port without anchors."""
    world = world_of(with_anchors(*anchors), with_option(JUDGE, "multi_coast_port", value))

    assert world.harbours(STP) == tuple(Spot(STP, Coast(coast)) for coast in coasts)
