"""Sea routes: which marches of an army may be ordered, and what is wrong with the others."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.board import Scenario, Spot
from machjudge.adjudicator.legality import (
    fleets_hold_together,
    legs,
    objection_to,
    passage_exists,
    touches,
)
from machjudge.adjudicator.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, with_option
from machjudge.adjudicator.orders import Advance, Transport
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.state import View
from machjudge.adjudicator.world import world_of
from tests.adjudicator.playing import ATLAS
from tests.adjudicator.scene import named, scene

CLASSIC = scene(units="V A anc, V A bol, V A rme, V A ist, V A ber, V A tiv")
IMPLICIT = scene(
    scenario="standard",
    chosen="diplomacy",
    units="E A lon, E A par, E A stp, E A mos, E A ank, R F nth",
)
SEAS = sorted(IMPLICIT.world.carrying)


def march(route: str, *, by_sea: bool = False) -> Advance:
    """``A anc - uas - dal``."""
    start, *via, to = (PlaceId(place) for place in route.split(" - "))
    return Advance(named(f"A {start}"), to, via=tuple(via), by_sea=by_sea)


@pytest.mark.parametrize(
    "route",
    [
        "anc - urb",
        "anc - uas - dal",
        "anc - uas - las - dur",
        "bol - uas - ist",
        "ist - cro - dal",
    ],
)
def test_marches_that_may_be_ordered(route: str) -> None:
    """By land to a neighbour; over a chain of seas, or of coasts where fleets touch, to a shore."""
    assert CLASSIC.objection("V", march(route)) is None


@pytest.mark.parametrize(
    ("route", "flaw", "rule", "place"),
    [
        # An army stays on land (MOV-06).
        ("anc - uas", Flaw.WRONG_TERRAIN, "MOV-06", "uas"),
        # Anyone who goes far says over which seas (MOV-09).
        ("anc - dal", Flaw.NOT_ADJACENT, "MOV-09", "dal"),
        # From a shore to a shore (MOV-08).
        ("rme - tys - nap", Flaw.WRONG_TERRAIN, "MOV-08", "rme"),
        ("anc - uas - per", Flaw.WRONG_TERRAIN, "MOV-08", "per"),
        # Over seas and, where the rules allow it, coasts, but not over land (MOV-07).
        ("anc - uas - per - dal", Flaw.NOT_A_CONVOY, "MOV-07", "per"),
        # Each fleet lies off the next, the first and the last off their shores (MOV-10).
        ("bol - las - dal", Flaw.NO_ROUTE, "MOV-10", None),
        ("anc - uas - nap", Flaw.NO_ROUTE, "MOV-10", None),
        ("anc - uas - ion - nap", Flaw.NO_ROUTE, "MOV-10", None),
        ("anc - uas - las - uas - dal", Flaw.NO_ROUTE, "MOV-10", None),
    ],
)
def test_marches_that_may_not_be_ordered(
    route: str, flaw: Flaw, rule: str, place: str | None
) -> None:
    """The objection names the rule, and the place where the march fails."""
    expected = Objection(flaw, rule, None if place is None else PlaceId(place))

    assert CLASSIC.objection("V", march(route)) == expected


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        ("lon - nor", None),
        ("lon - pic", Objection(Flaw.NO_FLEETS, "MOV-09", PlaceId("pic"))),
        ("lon - nth - nor", None),
        ("lon - eng - nor", Objection(Flaw.NO_FLEETS, "MOV-09", PlaceId("nor"))),
        ("stp - nor", None),
        ("ank - con", None),
        # Paris and Moscow lie inland (MOV-09).
        ("par - lon", Objection(Flaw.NOT_ADJACENT, "MOV-09", PlaceId("lon"))),
        ("lon - par", Objection(Flaw.NOT_ADJACENT, "MOV-09", PlaceId("par"))),
        ("mos - par", Objection(Flaw.NOT_ADJACENT, "MOV-09", PlaceId("par"))),
        # No sea leads from the Channel to the Black Sea.
        ("lon - ank", Objection(Flaw.NO_ROUTE, "MOV-09", PlaceId("ank"))),
        ("ank - lon", Objection(Flaw.NO_ROUTE, "MOV-09", PlaceId("lon"))),
        ("lon - eng", Objection(Flaw.WRONG_TERRAIN, "MOV-06", PlaceId("eng"))),
    ],
)
def test_routes_that_nobody_lists(route: str, expected: Objection | None) -> None:
    """Where routes are not listed, fleets must stand from shore to shore, ordered or not."""
    assert IMPLICIT.objection("E", march(route)) == expected


def test_fog_may_hide_the_fleets_that_carry() -> None:
    """An army may be ordered over sea, and a fleet to carry one, that its writer cannot see."""
    world, state = IMPLICIT.world, View.of(IMPLICIT.state, in_fog=True)
    carry = Transport(named("F nth"), named("A yor"), PlaceId("nor"))

    assert objection_to(world, IMPLICIT.state, PowerId("R"), carry) is not None
    assert objection_to(world, state, PowerId("R"), carry) is None
    assert objection_to(world, state, PowerId("E"), march("lon - pic")) is None


def spots(text: str) -> list[Spot]:
    """``uas las cro/sc``."""
    parts = (word.partition("/") for word in text.split())
    return [Spot(PlaceId(place), Coast(coast)) for place, _, coast in parts]


@pytest.mark.parametrize(
    ("fleets", "expected"),
    [
        ("uas", True),
        ("uas las", True),
        ("las uas", True),
        ("lag", False),
        ("uas lag", False),
        ("lag uas", False),
        ("uas ion", False),
        ("uas dal las", True),
    ],
)
def test_fleets_of_a_route_touch_each_other(fleets: str, expected: bool) -> None:
    """From Ancona to Dalmatia: the first off Ancona, the last off Dalmatia, each off the next."""
    start, to = PlaceId("anc"), PlaceId("dal")

    assert fleets_hold_together(CLASSIC.world, start, spots(fleets), to) is expected


@pytest.mark.parametrize(
    ("fleets", "to", "expected"),
    [
        ("uas", "dal", True),
        ("", "dal", False),
        ("ion", "dal", False),
        ("uas", "dur", False),
        ("las uas", "dur", True),
        ("uas ion", "dur", False),
        ("gon uas las", "dur", True),
        ("uas las ion", "nap", False),
        ("uas las ion gon", "nap", True),
    ],
)
def test_a_chain_of_fleets_leads_from_shore_to_shore(fleets: str, to: str, expected: bool) -> None:
    """From Ancona, over fleets in any order."""
    world = CLASSIC.world

    assert passage_exists(world, PlaceId("anc"), PlaceId(to), spots(fleets)) is expected


def proper_ways(start: PlaceId, to: PlaceId, fleets: Sequence[Spot]) -> Iterator[Sequence[Spot]]:
    """Every order of some of the fleets in which only neighbours of the chain touch, slowly."""
    world = IMPLICIT.world
    for length in range(1, len(fleets) + 1):
        for way in permutations(fleets, length):
            ends = [touches(world, way[0], start), touches(world, way[-1], to)]
            within = [touches(world, spot, start) for spot in way[1:]]
            within += [touches(world, spot, to) for spot in way[:-1]]
            steps = all(b in world.fleet[a] for a, b in pairwise(way))
            jumps = any(b in world.fleet[a] for i, a in enumerate(way) for b in way[i + 2 :])
            if all(ends) and steps and not jumps and not any(within):
                yield way


@given(
    ends=st.permutations(["lon", "edi", "lvp", "bel", "bre", "spa", "mar", "nor", "nap", "tun"]),
    fleets=st.lists(st.sampled_from(SEAS), min_size=1, max_size=5, unique=True),
)
def test_mov_09_a_fleet_may_carry_where_it_lies_on_a_proper_way(
    ends: Sequence[str], fleets: Sequence[Spot]
) -> None:
    """No step of a proper way leads beside an earlier place than the last (DATC 6.G.19)."""
    start, to = map(PlaceId, ends[:2])
    units = ", ".join(f"E F {spot.place}" for spot in fleets)
    position = scene(scenario="standard", chosen="diplomacy", units=f"E A {start}, {units}")
    needed = {spot for way in proper_ways(start, to, fleets) for spot in way}

    carry = {spot: Transport(named(f"F {spot.place}"), named(f"A {start}"), to) for spot in fleets}
    assert needed == {s for s, order in carry.items() if position.objection("E", order) is None}


def test_a_route_crosses_the_borders_between_its_stations() -> None:
    """From the start over each fleet to the end."""
    crossed = legs(PlaceId("anc"), (PlaceId("uas"), PlaceId("las")), PlaceId("dur"))

    assert crossed == (
        frozenset({"anc", "uas"}),
        frozenset({"uas", "las"}),
        frozenset({"las", "dur"}),
    )


def test_only_what_has_no_border_is_impassable() -> None:
    """Switzerland on the board of Diplomacy; an island, a sea and a coast are not."""
    board = IMPLICIT.world.scenario.board

    assert [place for place in board.places if board.is_impassable(place)] == ["swi"]


# Ports of provinces with several coasts: where fleets leave the city and come back to it.


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
