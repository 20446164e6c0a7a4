"""Builds and upkeep (area ADJ, with SPC-06, SPC-10, MAP-07, MAP-21), each rule by itself."""

import pytest

from machjudge.adjudicator.events import (
    AdjustmentFailed,
    BuildsWaived,
    Maintained,
    OrderReplaced,
    UnitNumbered,
    UnitRemoved,
)
from machjudge.adjudicator.orders import Order, Waive
from machjudge.adjudicator.reasons import Flaw, Removal
from tests.adjudicator.scene import Outcome, Scene, build, maintain, places, remove, scene

BASIC = {"money": False}


def winter(units: str = "", *, ducats: int = 30, **fields: object) -> Scene:
    """An adjustment in which everybody has the same treasury."""
    treasury = dict.fromkeys("AFILNPTV", ducats)
    return scene("F1455B", units=units, **{"treasury": treasury, **fields})


def basic(units: str = "", **fields: object) -> Scene:
    """An adjustment of a game without money."""
    return scene("F1455B", units=units, **{"options": BASIC, **fields})


def flaws(outcome: Outcome) -> list[Flaw]:
    """Why lines could not be carried out."""
    return [event.because.flaw for event in outcome.told(AdjustmentFailed)]


def flaw(position: Scene, power: str, order: Order) -> Flaw | None:
    """Why an order is refused when it is read."""
    objection = position.objection(power, order)
    return objection.flaw if objection is not None else None


@pytest.mark.parametrize(
    ("unit", "price"), [("A mil", 3), ("A mil cm", 6), ("A mil em", 6), ("A mil ep", 9)]
)
def test_adj_01_each_unit_costs_its_upkeep(unit: str, price: int) -> None:
    """Three, six or nine ducats a year (SPC-01 to SPC-04)."""
    outcome = winter(f"I {unit}").play({"I": [maintain("A mil")]})

    assert outcome.units() == [f"I {unit}"]
    assert outcome.treasury("I") == 30 - price
    assert [event.ducats for event in outcome.told(Maintained)] == [price]


def test_adj_01_units_without_an_order_go() -> None:
    """Only what its owner maintains survives (ADJ-E8)."""
    outcome = winter("A A tyr, A A aus, I A mil").play({"A": [maintain("A tyr")]})

    assert outcome.units() == ["A A tyr"]
    assert outcome.treasury("A") == 27
    assert {event.because for event in outcome.told(UnitRemoved)} == {Removal.NOT_MAINTAINED}


def test_adj_03_new_units_need_a_home_province_with_a_city() -> None:
    """Own or conquered, but not any province."""
    homes = dict.fromkeys(places("pav cre com for pia par mil"), "V") | {"pad": "V", "ven": "V"}
    conquered = winter(also={"V": "mil"}, homes=homes)
    position = winter(also={"V": "mil tur"})

    assert flaw(position, "V", build("A mil")) is Flaw.NOT_HOME
    assert flaw(position, "V", build("A tur")) is Flaw.NOT_HOME
    assert flaw(position, "V", build("A ist")) is Flaw.NO_CITY
    assert flaw(position, "V", build("A pad")) is None
    assert conquered.play({"V": [build("A mil")]}).units() == ["V A mil"]


@pytest.mark.parametrize("lost", ["provinces", "cities"])
def test_adj_03_province_and_city_must_both_be_controlled(lost: str) -> None:
    """One of them does not suffice (CTL-10)."""
    position = winter(**{lost: {"pad": "I"}})

    assert flaw(position, "V", build("A pad")) is Flaw.NO_CITY_CONTROL


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (build("A tun"), None),
        (build("F tun"), None),
        (build("G tun"), None),
        (build("G alb"), Flaw.NO_CITY),
        (build("F alb"), Flaw.NO_PORT),
        (build("A alb"), None),
    ],
)
def test_adj_04_what_fits_where(order: Order, expected: Flaw | None) -> None:
    """Fleets in ports only, garrisons in fortified cities only."""
    assert flaw(winter(), "T", order) is expected


def test_adj_04_no_fleets_inland() -> None:
    """Not where there is no coast at all."""
    assert flaw(winter(), "I", build("F mil")) is Flaw.WRONG_TERRAIN


def test_adj_04_a_two_coast_province_needs_its_coast() -> None:
    """On the standard board a fleet in St Petersburg says where (MOV-30)."""
    position = scene("F1901B", scenario="standard", chosen="diplomacy")

    assert flaw(position, "R", build("F stp")) is Flaw.COAST_NEEDED
    assert position.play({"R": [build("F stp/nc")]}).units("R") == ["R F stp/nc"]


def test_adj_07_no_builds_among_rebels() -> None:
    """But a garrison in a loyal city of a rebelling province (ADJ-E7)."""
    position = winter(rebellion="pad trv", city_rebellion="trv")

    assert flaw(position, "V", build("A pad")) is Flaw.REBELLION
    assert flaw(position, "V", build("G pad")) is None
    assert flaw(position, "V", build("G trv")) is Flaw.REBELLION


def test_adj_08_no_builds_in_famine() -> None:
    """Neither army nor garrison."""
    position = winter(famine="pad")

    assert flaw(position, "V", build("A pad")) is Flaw.FAMINE
    assert flaw(position, "V", build("G pad")) is Flaw.FAMINE


def test_adj_11_a_removal_of_another_type_takes_back_nothing() -> None:
    """There is no such unit."""
    outcome = winter().play({"V": [build("A dal"), remove("G dal")]})

    assert outcome.units() == ["V A dal"]
    assert outcome.told(OrderReplaced) == []


def test_adj_12_lines_are_paid_in_the_order_written() -> None:
    """Each from what those before it left; a cheaper one may still fit."""
    position = winter("V A pad ep, V A ver, V A fer", ducats=10)
    orders = [maintain("A ver"), maintain("A pad"), maintain("A fer"), build("A dal")]
    outcome = position.play({"V": orders})

    assert outcome.units() == ["V A dal", "V A fer", "V A ver"]
    assert flaws(outcome) == [Flaw.NO_MONEY]
    assert outcome.treasury("V") == 1


def test_adj_12_removals_cost_nothing() -> None:
    """An empty treasury may disband."""
    outcome = winter("V A pad", ducats=0).play({"V": [remove("A pad")]})

    assert flaws(outcome) == []
    assert [event.because for event in outcome.told(UnitRemoved)] == [Removal.ORDERED]


# --- special units ---------------------------------------------------------------------------


def test_spc_06_a_second_special_unit_fails_and_costs() -> None:
    """The money is lost."""
    outcome = winter("V A pad em").play({"V": [maintain("A pad"), build("A dal", "cm")]})

    assert outcome.units() == ["V A pad em"]
    assert outcome.treasury("V") == 30 - 6 - 6
    assert flaws(outcome) == [Flaw.TOO_MANY_SPECIAL]


def test_spc_01_without_the_flag_there_are_no_special_units() -> None:
    """Their builds are refused."""
    position = winter(options={"special": False})

    assert flaw(position, "V", build("A pad", "cm")) is Flaw.FLAG_OFF


# --- places of their own kind ----------------------------------------------------------------


def test_map_07_a_fortress_is_a_site_for_field_units_only() -> None:
    """With forts: an army, or a fleet in a port, but no garrison; an option forbids it all."""
    forts = {"forts": True}
    position = winter(also={"N": "slr aqu"}, options=forts)
    strict = winter(also={"N": "slr"}, options={**forts, "fort_builds": "none"})

    assert flaw(position, "N", build("A aqu")) is None
    assert flaw(position, "N", build("F slr")) is None
    assert flaw(position, "N", build("F aqu")) is Flaw.NO_PORT
    assert flaw(position, "N", build("G slr")) is Flaw.NO_CITY
    assert flaw(strict, "N", build("A slr")) is Flaw.NO_CITY
    assert flaw(winter(also={"N": "slr"}), "N", build("A slr")) is Flaw.NO_CITY


def test_map_21_nothing_is_built_in_venice_where_a_unit_stood() -> None:
    """Not even where it is disbanded in the same adjustment."""
    position = winter("V G ven")

    assert flaw(position, "V", build("A ven")) is Flaw.VENICE
    assert flaw(winter(), "V", build("F ven")) is None
    assert position.play({"V": [remove("G ven"), build("F ven")]}).units() == []


def test_set_10_without_garrisons_none_are_built() -> None:
    """Cities are only cities."""
    assert flaw(winter(options={"garrisons": False}), "V", build("G pad")) is Flaw.NO_CITY


# --- without money ---------------------------------------------------------------------------


def test_adj_15_as_many_units_as_whole_cities() -> None:
    """A city counts if its province is controlled, too; a fortress does not count."""
    whole = basic("A A aus")
    split = basic("A A aus", provinces={"aus": "A", "tyr": "A"})
    forts = basic("V A pad", options={**BASIC, "forts": True})

    assert _unused(whole, "A") == 3 - 1
    assert _unused(split, "A") == 2 - 1
    assert _unused(forts, "V") == 4 - 1


def _unused(position: Scene, power: str) -> int:
    waived = position.play().told(BuildsWaived)
    return next(event.count for event in waived if event.power == power)


def test_adj_15_the_builds_written_first_are_carried_out() -> None:
    """The others fail, and the receipt says so."""
    position = basic("A A cri, A A fri")
    outcome = position.play({"A": [build("A tyr"), build("A hun"), build("A aus")]})

    assert outcome.units("A") == ["A A cri", "A A fri", "A A tyr"]
    assert flaws(outcome) == [Flaw.NOTHING_TO_BUILD, Flaw.NOTHING_TO_BUILD]


def test_adj_15_nothing_is_removed_that_need_not_be() -> None:
    """Neither where builds are due nor beyond the removals due."""
    due = basic("A A cri, A A fri, A A tyr, A A trt, A A swi")
    free = basic("A A cri").play({"A": [remove("A cri")]})
    outcome = due.play({"A": [remove("A tyr"), remove("A cri"), remove("A fri")]})

    assert free.units("A") == ["A A cri"]
    assert outcome.units("A") == ["A A fri", "A A swi", "A A trt"]
    assert flaws(outcome) == [Flaw.NOTHING_TO_REMOVE]


def test_adj_15_no_builds_while_removals_are_due() -> None:
    """Nor can a build be waived then."""
    position = basic("A A cri, A A fri, A A trt, A A swi")
    outcome = position.play({"A": [build("A tyr"), Waive(), remove("A cri")]})

    assert outcome.units("A") == ["A A fri", "A A swi", "A A trt"]
    assert flaws(outcome) == [Flaw.NOTHING_TO_BUILD, Flaw.NOTHING_TO_BUILD]


def test_adj_15_waiving_is_an_order_of_games_without_money() -> None:
    """With money there is nothing to waive."""
    assert flaw(basic(), "A", Waive()) is None
    assert flaw(winter(), "A", Waive()) is Flaw.FLAG_OFF


# --- diplomacy -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "cities", "left"),
    [
        ("R F nao, R F ska", "stp", ["R F ska"]),
        ("R A boh, R F nth, R F ska", "stp war", ["R A boh", "R F ska"]),
        ("R A tyr, R F bal", "war", ["R F bal"]),
        ("R A alb, R A sev, R F bal", "sev stp", ["R A sev", "R F bal"]),
        ("R A alb, R A sev, R F ska", "sev stp", ["R A sev", "R F ska"]),
        ("R A ruh, R A sil", "vie", ["R A sil"]),
        ("R A bur, R A ruh", "mun", ["R A ruh"]),
    ],
)
def test_datc_6_j_the_farthest_unit_goes(units: str, cities: str, left: list[str]) -> None:
    """Over land and sea, from any centre; fleets before armies, then by the place's name."""
    owned = dict.fromkeys(places(cities), "R")
    position = scene(
        "F1901B",
        scenario="standard",
        chosen="diplomacy",
        units=units,
        provinces=owned,
        cities=owned,
    )

    assert position.play().units() == left


def test_datc_6_j_2_the_rules_remove_what_orders_leave_due() -> None:
    """One unit is named twice, so that the farthest of the others goes."""
    owned = {"par": "F"}
    position = scene(
        "F1901B",
        scenario="standard",
        chosen="diplomacy",
        units="F A par, F A pic, F F lyo",
        provinces=owned,
        cities=owned,
    )

    assert position.play({"F": [remove("A par"), remove("A par")]}).units() == ["F A pic"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (build("F ank"), None),
        (build("F smy"), None),
        (build("A con"), None),
        (build("G con"), Flaw.NO_CITY),
        (build("A ven"), Flaw.NOT_HOME),
    ],
)
def test_datc_6_i_builds_in_home_centres(order: Order, expected: Flaw | None) -> None:
    """Fleets on any coast, whether the drawing has an anchor or not."""
    position = scene("F1901B", scenario="standard", chosen="diplomacy", also={"T": "ven"})

    assert flaw(position, "T", order) is expected


def test_adj_15_maintaining_changes_nothing_without_money() -> None:
    """It may take back a removal, and costs nothing."""
    outcome = basic("A A cri").play({"A": [maintain("A cri"), build("A tyr")]})

    assert outcome.units("A") == ["A A cri", "A A tyr"]
    assert flaws(outcome) == []


def test_adj_03_nothing_is_built_at_sea() -> None:
    """There is no city."""
    assert flaw(winter(), "V", build("F uas")) is Flaw.NO_CITY


def test_mov_03_no_powers_refused_line_moves_the_numbers_told_of_another() -> None:
    """New units are numbered power by power, whatever else stands on the sheet of one."""
    position = winter("N A aqu, V A crn", options={"notation": "serial"})
    builds = {"N": build("F nap"), "V": build("A dal")}
    sheets = {"N": [maintain("A aqu"), builds["N"]], "V": [maintain("A crn"), builds["V"]]}
    with_more = {**sheets, "N": [maintain("A aqu"), remove("A swi"), remove("A tur"), builds["N"]]}

    told = [position.play(each).told(UnitNumbered) for each in (sheets, with_more)]

    assert told[0] == told[1]
    assert [event.unit.owner for event in told[0]] == ["N", "N", "V", "V"]
