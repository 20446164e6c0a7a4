"""Supports for a place and a power: which of them may be ordered."""

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.reasons import Flaw
from tests.adjudicator.scene import Scene, scene, support


def the_scene() -> Scene:
    """A garrison in Padua and an army in Verona, where supports are for places."""
    return scene(units="V G pad, V A ver", options={"support_target": "place_power"})


def test_a_garrison_supports_into_its_own_province_only() -> None:
    """Whatever power the support is for (MOV-22)."""
    objection = the_scene().objection("V", support("G pad", "A ver", "fer"))

    assert objection is not None
    assert objection.flaw is Flaw.GARRISON_ONLY
    assert the_scene().objection("V", support("G pad", "A ver", "pad")) is None


def test_a_place_out_of_reach_is_not_supported() -> None:
    """The supporter must be able to go there itself (MOV-13)."""
    objection = the_scene().objection("V", support("A ver", "A rme"))

    assert objection is not None
    assert (objection.flaw, objection.place) == (Flaw.CANNOT_REACH, "rme")


def test_a_support_stands_as_place_and_power() -> None:
    """Whatever unit it was written for."""
    played = the_scene().play({"V": [support("G pad", "A ver", "pad")]}).played

    assert played is not None
    (order,) = played.standing[PowerId("V")]
    named = getattr(order, "supported")  # noqa: B009 - any order may stand there
    assert (named.place, named.owner) == (PlaceId("pad"), "V")
