"""Rebellions (area REB), each rule in a position of its own."""

from machjudge.adjudicator.events import RebellionEnded
from tests.adjudicator.scene import Scene, borrow, incite, pacify, scene


def stage(units: str = "", **more: object) -> Scene:
    """A position in which everybody can pay everything, and reaches everything."""
    treasury = dict.fromkeys("AFILNPTV", 100)
    fields: dict[str, object] = {"treasury": treasury, "options": {"adjacency": "none"}, **more}
    return scene(units=units, **fields)


def test_reb_03_markers_stand_in_province_and_open_city() -> None:
    """A fortified city has one, an unfortified none, a fortress where fortresses are in use."""
    orders = {"V": [incite(1, "mil"), incite(2, "com"), incite(3, "hun"), incite(4, "ver")]}
    forts = stage(options={"adjacency": "none", "forts": True}, also={"I": "ver"})
    plain = stage(also={"I": "ver"})

    assert plain.play(orders).rebels() == (["com", "hun", "mil", "ver"], ["mil"])
    assert plain.play(orders).told(RebellionEnded) == []
    assert forts.play(orders).rebels() == (["com", "hun", "mil", "ver"], ["mil", "ver"])


def test_reb_32_pacifying_removes_both() -> None:
    """For 12 ducats, by anybody."""
    position = stage(rebellion="mil", city_rebellion="mil")
    outcome = position.play({"V": [borrow(5, 1), pacify(1, "mil", 12)]})

    assert outcome.rebels() == ([], [])
    assert outcome.told(RebellionEnded)[0].by == "V"


def test_map_26_no_rebels_in_an_occupied_venice() -> None:
    """The expense is wasted."""
    outcome = stage("V G ven").play({"T": [incite(1, "ven", 15)]})

    assert outcome.fates() == {"T1": "no effect"}
    assert outcome.treasury("T") == 85
    assert outcome.rebels() == ([], [])
