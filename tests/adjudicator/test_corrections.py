"""What a master's corrections do to a position."""

from typing import Any

import pytest

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.moments import Campaign, Season
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Kind, Unit
from tests.adjudicator.scene import Outcome, scene

FALL = Campaign(1456, Season.FALL)
V, P, F = PowerId("V"), PowerId("P"), PowerId("F")
PAD, FLO, VEN = PlaceId("pad"), PlaceId("flo"), PlaceId("ven")

BEFORE: dict[str, Any] = {
    "units": "V A pad, P G pad, P A bol",
    "dislodged": [{"unit": "V A trv", "retreats": ["vic"], "convert": False}],
    "famine": ["vic"],
    "sieges": ["pad"],
    "rebellion": {"vic": "V"},
    "city_rebellion": {"per": "P"},
    "treasury": {"V": 12, "P": 4},
    "loans": [{"power": "V", "principal": 9, "interest": 2, "due": "F1456"}],
    "defaulted": ["P"],
    "chits": {"V": "PPF"},
}


def corrected(event: event_types.Event, **changed: Any) -> Outcome:
    """The position after one correction."""
    before = scene("U1455R", **{**BEFORE, **changed})
    return Outcome(before.world, (event,), evolve_all(before.state, (event,)))


def test_a_treasury_holds_what_it_is_corrected_to() -> None:
    """Others keep theirs."""
    after = corrected(event_types.TreasuryCorrected(V, 30, "slip"))

    assert (after.treasury("V"), after.treasury("P")) == (30, 4)


def test_a_unit_is_put_and_taken_in_the_field_and_in_the_city() -> None:
    """The other unit of the place stays."""
    new = corrected(event_types.UnitCorrected(VEN, False, Unit(V, Kind.FLEET, VEN), "slip"))
    no_army = corrected(event_types.UnitCorrected(PAD, False, None, "slip"))
    no_garrison = corrected(event_types.UnitCorrected(PAD, True, None, "slip"))

    assert new.units() == ["P A bol", "P G pad", "V A pad", "V F ven"]
    assert no_army.units() == ["P A bol", "P G pad"]
    assert no_garrison.units() == ["P A bol", "V A pad"]


def test_a_province_and_its_city_change_hands_each_by_itself() -> None:
    """Or become nobody's."""
    province = corrected(event_types.OwnerCorrected(PAD, False, P, "slip"))
    city = corrected(event_types.OwnerCorrected(PAD, True, None, "slip"))

    assert (province.province("pad"), province.city("pad")) == ("P", "V")
    assert (city.province("pad"), city.city("pad")) == ("V", None)


@pytest.mark.parametrize(
    ("marker", "field", "place"),
    [
        (event_types.Marker.FAMINE, "famine", "vic"),
        (event_types.Marker.SIEGE, "sieges", "pad"),
        (event_types.Marker.REBELLION, "province_rebellions", "vic"),
        (event_types.Marker.CITY_REBELLION, "city_rebellions", "per"),
    ],
)
def test_a_marker_is_laid_down_and_taken_away(
    marker: event_types.Marker, field: str, place: str
) -> None:
    """It lies in its place after the one, and in no place after the other."""
    laid = event_types.MarkerCorrected(FLO, marker, True, F, "slip")
    taken = event_types.MarkerCorrected(PlaceId(place), marker, False, None, "slip")

    assert set(getattr(corrected(laid).state, field)) == {place, "flo"}
    assert not getattr(corrected(taken).state, field)


def test_rebels_that_are_laid_down_are_against_whom_the_master_says() -> None:
    """The power that controls the place."""
    rebels = event_types.MarkerCorrected(FLO, event_types.Marker.REBELLION, True, P, "slip")

    assert corrected(rebels).state.province_rebellions[FLO] == "P"


def test_a_home_country_changes_hands_place_by_place() -> None:
    """All its places that are named, and no others."""
    home = (PlaceId("pav"), PlaceId("cre"))
    after = corrected(event_types.HomeCorrected(PowerId("I"), home, V, "slip")).state.homes

    assert [after[PlaceId(place)] for place in ("pav", "cre", "mil")] == ["V", "V", "I"]


def test_a_loan_is_corrected_by_when_it_is_due() -> None:
    """To other ducats, or to none at all; one due at another time stands beside it."""
    spring = Campaign(1457, Season.SPRING)
    more = corrected(event_types.LoanCorrected(V, FALL, 20, 4, "slip"))
    none = corrected(event_types.LoanCorrected(V, FALL, 0, 0, "slip"))
    beside = corrected(event_types.LoanCorrected(V, spring, 5, 1, "slip"))

    assert more.debts("V") == ["20+4 due F1456"]
    assert none.debts("V") == []
    assert beside.debts("V") == ["5+1 due S1457", "9+2 due F1456"]


def test_a_power_loses_its_credit_with_its_loans_and_gets_credit_again() -> None:
    """As after a default (BNK-10)."""
    lost = corrected(event_types.CreditCorrected(V, True, "slip"))
    again = corrected(event_types.CreditCorrected(P, False, "slip"))

    assert (sorted(lost.state.defaulted), lost.debts("V")) == (["P", "V"], [])
    assert (sorted(again.state.defaulted), again.debts("V")) == ([], ["9+2 due F1456"])


def test_chits_on_one_victim_are_counted_anew() -> None:
    """Those on others stay."""
    after = corrected(event_types.ChitsCorrected(V, P, 1, "slip"))

    assert after.state.chits[V] == ("F", "P")


def test_a_power_put_out_of_the_game_leaves_nothing_behind() -> None:
    """Neither units, land, homes, money nor debts; rebels against it are against nobody."""
    after = corrected(event_types.EliminationCorrected(V, True, "slip"))

    assert after.units() == ["P A bol", "P G pad"]
    assert (after.state.dislodged, after.state.loans) == ((), ())
    for owners in (after.state.provinces, after.state.cities, after.state.homes):
        assert "V" not in owners.values()
    assert not {V} & {*after.state.treasuries, *after.state.chits}
    assert sorted(after.state.eliminated) == ["V"]
    assert after.state.province_rebellions == {"vic": None}


@pytest.mark.parametrize(("money", "ducats"), [(True, 0), (False, None)])
def test_a_power_that_is_in_the_game_again_has_an_empty_treasury(
    money: bool, ducats: int | None
) -> None:
    """Or none at all where there is no money."""
    out = scene("U1455M", options={"money": money, "dice": money}, eliminated=["V"])
    event = event_types.EliminationCorrected(V, False, "slip")
    after = evolve_all(out.state, (event,))

    assert after.eliminated == set()
    assert after.treasuries.get(V) == ducats
