"""Rebellions (area REB), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.events import RebellionEnded, RebelsSupported
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.reasons import RebellionEnd
from machjudge.adjudicator.money.bribes import settle_expenses
from tests.adjudicator.scene import (
    Scene,
    besiege,
    borrow,
    build,
    buy,
    convert,
    hold,
    incite,
    move,
    pacify,
    scene,
    support,
)


def stage(units: str = "", **more: object) -> Scene:
    """A position in which everybody can pay everything, and reaches everything."""
    treasury = dict.fromkeys("AFILNPTV", 100)
    fields: dict[str, object] = {"treasury": treasury, "options": {"adjacency": "none"}, **more}
    return scene(units=units, **fields)


def endings(position: Scene, **sheets: list[Order]) -> list[RebellionEnd]:
    """How rebellions ended."""
    return [event.because for event in position.play(sheets).told(RebellionEnded)]


def test_reb_01_rebels_rise_against_the_controller_of_the_province() -> None:
    """Whoever holds the city; and they remember him."""
    position = stage("L A bol", also={"L": "bol"}, cities={"bol": "P"})
    outcome = position.take(settle_expenses, {"V": [incite(1, "bol", 15)]})

    assert dict(outcome.state.province_rebellions) == {"bol": "L"}
    assert dict(outcome.state.city_rebellions) == {"bol": "L"}


def test_reb_02_rebels_rise_only_where_another_power_rules() -> None:
    """Not in a province of nobody; the money is lost."""
    outcome = stage().play({"V": [incite(1, "tur", 15)]})

    assert outcome.rebels() == ([], [])
    assert outcome.treasury("V") == 85
    assert outcome.fates() == {"V1": "not fitting"}


def test_reb_03_markers_stand_in_province_and_open_city() -> None:
    """A fortified city has one, an unfortified none, a fortress where fortresses are in use."""
    orders = {"V": [incite(1, "mil"), incite(2, "com"), incite(3, "hun"), incite(4, "ver")]}
    forts = stage(options={"adjacency": "none", "forts": True}, also={"I": "ver"})
    plain = stage(also={"I": "ver"})

    assert plain.play(orders).rebels() == (["com", "hun", "mil", "ver"], ["mil"])
    assert plain.play(orders).told(RebellionEnded) == []
    assert forts.play(orders).rebels() == (["com", "hun", "mil", "ver"], ["mil", "ver"])


def test_reb_04_a_garrisoned_city_stays_loyal() -> None:
    """That does not change when the garrison goes."""
    outcome = stage("I G mil").play({"V": [incite(1, "mil")], "I": [convert("G mil", "A")]})

    assert outcome.rebels() == (["mil"], [])


def test_reb_05_control_is_unaffected() -> None:
    """The province is still Milan's."""
    outcome = stage().play({"V": [incite(1, "mil")]})

    assert (outcome.province("mil"), outcome.city("mil")) == ("I", "I")


def test_reb_06_two_orders_make_one_rebellion() -> None:
    """Both are paid, and one pacification is enough."""
    outcome = stage().play({"V": [incite(1, "mil")], "L": [incite(1, "mil")]})
    again = Scene(outcome.world, outcome.state).play({"I": [pacify(1, "mil")]})

    assert outcome.fates() == {"L1": "done", "V1": "done"}
    assert again.rebels() == ([], [])


def test_reb_07_moving_into_a_rebelling_province_is_free() -> None:
    """Its controller enters it like any other."""
    outcome = stage("I A pav", rebellion="mil").play({"I": [move("A pav", "mil")]})

    assert outcome.units() == ["I A mil"]
    assert outcome.rebels() == (["mil"], [])


def test_reb_08_the_target_cannot_convert_into_the_rebelling_city() -> None:
    """The gates are locked."""
    outcome = stage("I A mil", city_rebellion="mil").play({"I": [convert("A mil", "G")]})

    assert outcome.units() == ["I A mil"]


def test_reb_09_a_garrison_may_convert_into_a_rebelling_province() -> None:
    """Unless it is besieged; for the target nothing is put down by it."""
    outcome = stage("I G mil", rebellion="mil").play({"I": [convert("G mil", "A")]})

    assert outcome.units() == ["I A mil"]
    assert outcome.rebels() == (["mil"], [])


def test_reb_11_rebels_help_everybody_but_their_target() -> None:
    """One more for whoever enters: Venice dislodges Milan's army, which alone it could not."""
    orders = {"V": [move("A bre", "cre")]}
    with_rebels = stage("I A cre, V A bre", rebellion="cre").play(orders)
    without = stage("I A cre, V A bre").play(orders)
    in_the_city = stage("I A cre, V A bre", city_rebellion="cre").play(orders)

    assert with_rebels.units() == ["V A cre"]
    assert in_the_city.units() == ["V A cre"]
    assert without.units() == ["I A cre", "V A bre"]
    assert [event.place for event in with_rebels.told(RebelsSupported)] == ["cre"]


def test_reb_11_the_target_gets_no_help() -> None:
    """Milan comes home no stronger than a foreign army there is."""
    orders = {"I": [move("A pia", "cre")]}
    outcome = stage("I A pia, V A cre", rebellion={"cre": "I"}, also={"V": "cre"}).play(orders)

    assert outcome.units() == ["I A pia", "V A cre"]


def test_reb_12_two_markers_help_no_more_than_one() -> None:
    """Against a supported holder one point is not enough."""
    position = stage("I A cre, I A pia, V A bre", rebellion="cre", city_rebellion="cre")
    outcome = position.play({"V": [move("A bre", "cre")], "I": [support("A pia", "A cre")]})

    assert "I A cre" in outcome.units()


def test_reb_13_several_powers_get_no_help() -> None:
    """Both bounce (REB-E2)."""
    position = stage("I A cre, V A bre, P A man", rebellion="cre", city_rebellion="cre")
    outcome = position.play({"V": [move("A bre", "cre")], "P": [move("A man", "cre")]})

    assert outcome.units() == ["I A cre", "P A man", "V A bre"]


def test_reb_15_rebels_help_a_converting_garrison() -> None:
    """Unless it is the target's (REB-E1)."""
    orders = {"V": [convert("G bol", "A")]}
    outcome = stage("V G bol, P A bol", rebellion="bol").play(orders)

    assert outcome.units("V") == ["V A bol"]
    assert [waiting.unit.place for waiting in outcome.state.dislodged] == ["bol"]


def test_reb_16_rebels_hold_nobody() -> None:
    """A foreign garrison's power in the city is no shield for the army that comes later."""
    position = stage("V A cre, P A man, P A par", rebellion={"cre": "I"}, also={"I": "cre"})
    orders: dict[str, list[Order]] = {
        "P": [move("A man", "cre"), support("A par", "A man", "cre")],
        "V": [hold("A cre")],
    }

    assert "P A cre" in position.play(orders).units()


def test_reb_17_help_counts_before_the_rebels_go() -> None:
    """The rebels support the way in, and are gone afterwards."""
    outcome = stage("I A cre, V A bre", rebellion="cre").play({"V": [move("A bre", "cre")]})

    assert outcome.units("V") == ["V A cre"]
    assert outcome.rebels() == ([], [])


def test_reb_25_the_target_puts_down_the_province_by_holding() -> None:
    """The city goes on."""
    position = stage("T A bos, I A mil", rebellion="bos mil", city_rebellion="mil")
    outcome = position.play({"T": [hold("A bos")], "I": [hold("A mil")]})

    assert outcome.rebels() == ([], ["mil"])
    assert {event.because for event in outcome.told(RebellionEnded)} == {RebellionEnd.PUT_DOWN}


@pytest.mark.parametrize(
    "orders",
    [
        [],
        [support("A bos", "A her")],
        [move("A bos", "her")],
        [besiege("A bos")],
        [move("A bos", "cri")],
    ],
)
def test_reb_26_only_a_written_hold_counts(orders: list[Order]) -> None:
    """No order, support, a bounced move and orders that became hold do not (REB-E4)."""
    outcome = stage("T A bos, T A her", rebellion="bos").play({"T": [*orders, hold("A her")]})

    assert outcome.rebels() == (["bos"], [])


def test_reb_26_a_dislodged_holder_puts_down_nothing() -> None:
    """The rebels are freed instead."""
    position = stage("T A bos, A A cro, A A sla", rebellion="bos")
    orders: dict[str, list[Order]] = {
        "T": [hold("A bos")],
        "A": [move("A cro", "bos"), support("A sla", "A cro", "bos")],
    }

    assert endings(position, **orders) == [RebellionEnd.LIBERATED]


def test_reb_26_a_half_way_besieger_may_choose_to_hold() -> None:
    """His written hold puts down the province, and keeps the siege (SIE-07)."""
    position = stage(
        "I A mil", rebellion="mil", city_rebellion="mil", sieges="mil", also={"I": "mil"}
    )
    outcome = position.play({"I": [hold("A mil")]})

    assert outcome.rebels() == ([], ["mil"])
    assert outcome.state.sieges == {"mil"}


def test_reb_27_a_garrison_puts_down_nothing() -> None:
    """Its hold does not count (REB-E3)."""
    outcome = stage("P G anc", rebellion="anc").play({"P": [hold("G anc")]})

    assert outcome.rebels() == (["anc"], [])


def test_reb_28_a_siege_of_rebels_ends_both_markers() -> None:
    """When it is complete."""
    position = stage("I A mil", rebellion="mil", city_rebellion="mil")
    first = position.play({"I": [besiege("A mil")]})
    second = Scene(first.world, first.state).play({"I": [besiege("A mil")]})

    assert first.rebels() == (["mil"], ["mil"])
    assert second.rebels() == ([], [])
    assert second.state.sieges == frozenset()


def test_reb_28_a_siege_of_a_garrison_leaves_the_rebels() -> None:
    """The text speaks of a rebelling city only."""
    position = stage("I A mil, V G mil", rebellion="mil", sieges="mil")
    outcome = position.play({"I": [besiege("A mil")]})

    assert outcome.units() == ["I A mil"]
    assert outcome.rebels() == (["mil"], [])


def test_reb_29_another_power_that_enters_frees_both() -> None:
    """Province and city fall to it at once."""
    position = stage("V A bre", rebellion="cre", city_rebellion="cre")
    outcome = position.play({"V": [move("A bre", "cre")]})

    assert outcome.rebels() == ([], [])
    assert (outcome.province("cre"), outcome.city("cre")) == ("V", "V")
    assert outcome.told(RebellionEnded)[0].because is RebellionEnd.LIBERATED


@pytest.mark.parametrize("unit", ["A mil", "G mil"])
def test_reb_30_buying_a_unit_of_the_target_frees_both(unit: str) -> None:
    """At once, before anything moves."""
    position = stage(f"I {unit}", rebellion="mil", city_rebellion=[] if unit[0] == "G" else "mil")
    outcome = position.take(settle_expenses, {"V": [buy(1, unit, 60)]})

    assert outcome.rebels() == ([], [])
    assert outcome.told(RebellionEnded)[0].because is RebellionEnd.BOUGHT


def test_reb_30_buying_another_powers_unit_frees_nobody() -> None:
    """Rebels against Milan do not care who owns a Venetian garrison."""
    position = stage("V G mil", rebellion="mil")
    outcome = position.take(settle_expenses, {"P": [buy(1, "G mil", 60)]})

    assert outcome.rebels() == (["mil"], [])


def test_reb_31_a_retreat_frees_both() -> None:
    """A unit of a third power that retreats into the province."""
    position = scene(
        "S1455R",
        dislodged=[{"unit": "V A bre", "retreats": ["cre"]}],
        rebellion="cre",
        city_rebellion="cre",
    )
    outcome = position.play({"V": [move("A bre", "cre")]})

    assert outcome.rebels() == ([], [])
    assert (outcome.province("cre"), outcome.city("cre")) == ("V", "V")


def test_reb_31_the_targets_own_retreat_frees_nobody() -> None:
    """It may enter the province, and the rebels stay (MOV-43)."""
    position = scene(
        "S1455R",
        dislodged=[{"unit": "I A pia", "retreats": ["cre"]}],
        rebellion="cre",
        city_rebellion="cre",
    )
    outcome = position.play({"I": [move("A pia", "cre")]})

    assert outcome.units() == ["I A cre"]
    assert outcome.rebels() == (["cre"], ["cre"])


def test_reb_31_converting_out_of_a_garrison_frees() -> None:
    """A foreign garrison that enters the province around it."""
    outcome = stage("V G mil", rebellion="mil").play({"V": [convert("G mil", "A")]})

    assert outcome.rebels() == ([], [])


def test_reb_32_pacifying_removes_both() -> None:
    """For 12 ducats, by anybody."""
    position = stage(rebellion="mil", city_rebellion="mil")
    outcome = position.play({"V": [borrow(5, 1), pacify(1, "mil", 12)]})

    assert outcome.rebels() == ([], [])
    assert outcome.told(RebellionEnded)[0].by == "V"


def test_reb_33_a_city_freed_in_this_campaign_is_still_locked() -> None:
    """Its target's dislodged army cannot retreat into it (MOV-42)."""
    around = "V A ber, V A bre, V A man, V A mil, V A par, V A pia"
    position = stage(f"I A cre, {around}", rebellion="cre", city_rebellion="cre")
    orders: dict[str, list[Order]] = {
        "V": [move("A bre", "cre"), support("A man", "A bre", "cre")],
        "I": [hold("A cre")],
    }
    loyal = stage(f"I A cre, {around}").play(orders)
    freed = position.play(orders)

    assert [waiting.convert for waiting in loyal.state.dislodged] == [True]
    assert freed.state.dislodged == ()
    assert "I A cre" not in freed.units()


def test_reb_37_rebels_against_the_dead_help_everybody() -> None:
    """They stay on the map against nobody, and whoever enters frees them."""
    position = stage("V A bre, P A cre", rebellion={"cre": None}, eliminated="I", also={"P": "cre"})
    outcome = position.play({"V": [move("A bre", "cre")], "P": [hold("A cre")]})

    assert "V A cre" in outcome.units()
    assert outcome.rebels() == ([], [])


def test_reb_37_the_targets_elimination_leaves_the_rebels() -> None:
    """Milan's last city falls: the rebels of Como rise against nobody now."""
    position = stage("V A bre", rebellion="com", also={"V": "pav mil"})
    outcome = position.play({"V": [move("A bre", "cre")]})

    assert outcome.state.eliminated == {"I"}
    assert dict(outcome.state.province_rebellions) == {"com": None}


# --- Venice ----------------------------------------------------------------------------------


def test_map_26_no_rebels_in_an_occupied_venice() -> None:
    """The expense is wasted."""
    outcome = stage("V G ven").play({"T": [incite(1, "ven", 15)]})

    assert outcome.fates() == {"T1": "no effect"}
    assert outcome.treasury("T") == 85
    assert outcome.rebels() == ([], [])


def test_map_27_rebels_in_venice_are_one_marker_in_the_city() -> None:
    """Province and city are one space."""
    outcome = stage().play({"T": [incite(1, "ven", 15)]})

    assert outcome.rebels() == ([], ["ven"])


def test_map_28_another_power_frees_venice_by_entering() -> None:
    """And takes it; the target cannot enter."""
    position = stage("T F lag", city_rebellion="ven")
    home = stage("V F lag", city_rebellion="ven")
    outcome = position.play({"T": [move("F lag", "ven")]})

    assert outcome.rebels() == ([], [])
    assert outcome.city("ven") == "T"
    assert home.play({"V": [move("F lag", "ven")]}).units() == ["V F lag"]


# --- builds and rebels -----------------------------------------------------------------------


def test_reb_10_no_builds_among_rebels() -> None:
    """But a garrison in the loyal city of a rebelling province."""
    province = stage(phase="F1455B", rebellion="mil")
    city = stage(phase="F1455B", rebellion="pav", city_rebellion="pav")

    assert province.play({"I": [build("A mil")]}).units() == []
    assert province.play({"I": [build("G mil")]}).units() == ["I G mil"]
    assert city.play({"I": [build("G pav")]}).units() == []
