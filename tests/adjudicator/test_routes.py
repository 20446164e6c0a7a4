"""Sea routes: which marches of an army may be ordered, and what is wrong with the others."""

import pytest

from machjudge.adjudicator.legality.routes import fleets_hold_together, legs, passage_exists
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import Coast, PlaceId
from machjudge.adjudicator.model.orders import Advance
from machjudge.adjudicator.model.reasons import Flaw, Objection
from tests.adjudicator.scene import named, scene

CLASSIC = scene(units="V A anc, V A bol, V A rme, V A ist, V A ber, V A tiv")
IMPLICIT = scene(
    scenario="standard", chosen="diplomacy", units="E A lon, E A par, E A stp, E A mos, E A ank"
)


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
        # Whoever goes far says over which seas (MOV-09).
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
        ("lon - pic", None),
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
    """Where routes are not listed, one must be possible from shore to shore."""
    assert IMPLICIT.objection("E", march(route)) == expected


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
