"""Assassinations and what follows from them (area ASN), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.events import (
    DiceThrown,
    ExpenseSettled,
    PowerAssassinated,
    RebellionRolled,
    RebellionStarted,
    SiegeEnded,
    UnitRemoved,
)
from machjudge.adjudicator.model.orders import Order
from machjudge.adjudicator.model.reasons import Flaw, Removal, SiegeEnd
from tests.adjudicator.scene import (
    Scene,
    besiege,
    bribe_away,
    buy,
    counter,
    hold,
    move,
    murder,
    places,
    scene,
    support,
)

PROVINCES = "pad ver ven dal bre ber vic trv fri ist are flo psa pst rag fer sie luc mil bol gen"
QUIET = {f"rebellion {place}": [6] for place in places(PROVINCES)}
"""Dice by which nothing rebels."""
CHITS = {"A": "FILNPTV", "N": "LLV", "V": "LN", "P": "L", "L": "NPV"}


def plot(units: str = "", **more: object) -> Scene:
    """A position with chits and money for everybody, in which everything is within reach."""
    fields: dict[str, object] = {
        "treasury": dict.fromkeys("AFILNPTV", 100),
        "options": {"adjacency": "none"},
        "chits": CHITS,
        **more,
    }
    return scene(units=units, **fields)


def kill(assassin: str, number: int, die: int) -> dict[str, list[int]]:
    """The die of one attempt, and others by which nothing rebels."""
    return {**QUIET, f"assassination {assassin} E{number}": [die]}


def test_asn_01_an_attempt_uses_up_the_chit_of_its_victim() -> None:
    """One of two, where a power holds two."""
    outcome = plot().play({"N": [murder(1, "L", 12)]}, kill("N", 1, 6))

    assert outcome.state.chits["N"] == ("L", "V")


def test_asn_01_without_a_chit_the_money_is_lost() -> None:
    """No die is thrown."""
    outcome = plot().play({"P": [murder(1, "V", 36)]})

    assert outcome.fates() == {"P1": "no chit"}
    assert outcome.treasury("P") == 64
    assert outcome.told(DiceThrown) == []


def test_asn_01_a_second_attempt_needs_a_second_chit() -> None:
    """Venice has one chit for Florence, Naples two."""
    orders: dict[str, list[Order]] = {
        power: [murder(1, "L", 12), murder(2, "L", 12)] for power in "NV"
    }
    dice = {"assassination N E1": [5], "assassination N E2": [6], "assassination V E1": [6]}
    outcome = plot().play(orders, dice)

    assert outcome.fates() == {"N1": "failed", "N2": "failed", "V1": "failed", "V2": "no chit"}


@pytest.mark.parametrize(
    ("ducats", "highest"), [(12, 1), (24, 2), (36, 3), (23, 1), (35, 2), (47, 3), (99, 3)]
)
def test_asn_03_twelve_ducats_for_each_number(ducats: int, highest: int) -> None:
    """One, two or three of six; other sums are rounded down (ASN-E1)."""
    order: dict[str, list[Order]] = {"V": [murder(1, "L", ducats)]}
    works = plot().play(order, kill("V", 1, highest))
    fails = plot().play(order, kill("V", 1, highest + 1))

    assert works.fates() == {"V1": "done"}
    assert len(works.told(ExpenseSettled)) == 1
    assert fails.fates() == {"V1": "failed"}


def test_asn_03_less_than_twelve_ducats_are_no_attempt() -> None:
    """The money is lost, the chit stays, no die is thrown (ASN-E4)."""
    outcome = plot().play({"V": [murder(2, "N", 9)]})

    assert outcome.fates() == {"V2": "no attempt"}
    assert outcome.treasury("V") == 91
    assert outcome.state.chits["V"] == ("L", "N")


def test_asn_03_attempts_on_one_victim_roll_separately() -> None:
    """One success is enough; the throws are numbered by the attempts, not by the expenses."""
    orders: dict[str, list[Order]] = {"N": [murder(4, "L", 12), murder(2, "L", 12)]}
    dice = {**QUIET, "assassination N E2": [6], "assassination N E4": [1]}
    outcome = plot().play(orders, dice)
    thrown = [event for event in outcome.told(DiceThrown) if "N" in event.purpose]

    assert [(event.purpose, event.n, event.dice) for event in thrown] == [
        ("assassination N L", 1, (6,)),
        ("assassination N L", 2, (1,)),
    ]
    assert outcome.told(PowerAssassinated) == [PowerAssassinated("L", ("N",))]


def test_asn_04_the_victims_units_hold() -> None:
    """Others may still support them."""
    position = plot("L A flo, P A bol, P A pst, V A sie, V A are")
    orders: dict[str, list[Order]] = {
        "V": [murder(1, "L", 12), move("A are", "flo"), support("A sie", "A are", "flo")],
        "L": [move("A flo", "psa")],
        "P": [support("A bol", "A flo")],
    }
    outcome = position.play(orders, kill("V", 1, 1))

    assert "L A flo" in outcome.units()
    assert "V A are" in outcome.units()


def test_asn_04_such_a_hold_puts_down_no_rebellion() -> None:
    """Even if a hold was written."""
    position = plot("L A flo, V A pad", rebellion="flo")
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12)], "L": [hold("A flo")]}
    outcome = position.play(orders, kill("V", 1, 1))
    spared = position.play(orders, kill("V", 1, 6))

    assert "flo" in outcome.rebels()[0]
    assert "flo" not in spared.rebels()[0]


def test_asn_05_sieges_by_the_victim_are_broken() -> None:
    """The garrison is free in the same campaign (CNV-17)."""
    position = plot("L A sie, & G sie, V A pad", sieges="sie")
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12)], "L": [besiege("A sie")]}
    outcome = position.play(orders, kill("V", 1, 1))

    assert [event.because for event in outcome.told(SiegeEnded)] == [SiegeEnd.BROKEN]
    assert "& G sie" in outcome.units()
    assert outcome.state.sieges == frozenset()


def test_asn_06_the_victims_expenses_still_happen() -> None:
    """If another player killed him."""
    position = plot("L A flo, I A bol, V A pad")
    orders: dict[str, list[Order]] = {
        "V": [murder(1, "L", 12)],
        "L": [bribe_away(1, "A bol", 12)],
    }
    outcome = position.play(orders, kill("V", 1, 1))

    assert outcome.fates() == {"L1": "done", "V1": "done"}
    assert "I A bol" not in outcome.units()


def test_asn_07_garrisons_besieged_before_are_lost_at_once() -> None:
    """Whatever the besieger orders; he is free, and the city is his (CTL-16)."""
    position = plot("L G sie, V A sie", sieges="sie", also={"L": "sie"})
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), move("A sie", "are")]}
    outcome = position.play(orders, kill("V", 1, 1))

    assert [event.because for event in outcome.told(UnitRemoved)] == [Removal.ASSASSINATION]
    assert outcome.units() == ["V A are"]
    assert outcome.city("sie") == "V"
    assert outcome.state.sieges == frozenset()


def test_asn_07_a_siege_of_this_campaign_does_nothing() -> None:
    """The garrison stays, and its siege begins."""
    position = plot("L G sie, V A sie", also={"L": "sie"})
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), besiege("A sie")]}
    outcome = position.play(orders, kill("V", 1, 1))

    assert outcome.units() == ["L G sie", "V A sie"]
    assert outcome.state.sieges == {"sie"}


def test_asn_07_the_garrison_stays_if_the_besieger_dies_too() -> None:
    """By a player or by the bank; the siege is broken."""
    position = plot("L G sie, V A sie", sieges="sie", also={"L": "sie"})
    by_players = position.play(
        {"A": [murder(1, "L", 12), murder(2, "V", 12)]},
        {**QUIET, "assassination A E1": [1], "assassination A E2": [1]},
    )
    ruined = plot(
        "L G sie, V A sie",
        sieges="sie",
        also={"L": "sie"},
        loans=[{"power": "V", "principal": 10, "interest": 2, "due": "S1455"}],
        treasury={"A": 12},
    )
    by_bank = ruined.play({"A": [murder(1, "L", 12)]}, kill("A", 1, 1))

    assert "L G sie" in by_players.units()
    assert "L G sie" in by_bank.units()
    assert by_bank.state.sieges == frozenset()


def test_asn_08_a_failed_attempt_leaves_the_siege_half_done() -> None:
    """The besieger's other order becomes hold (SIE-07)."""
    position = plot("L G sie, V A sie", sieges="sie", also={"L": "sie"})
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), move("A sie", "are")]}
    outcome = position.play(orders, kill("V", 1, 2))

    assert outcome.units() == ["L G sie", "V A sie"]
    assert outcome.state.sieges == {"sie"}


@pytest.mark.parametrize(
    ("place", "limit", "home", "with_unit"),
    [
        ("flo", 1, True, True),
        ("are", 2, True, False),
        ("sie", 3, False, True),
        ("luc", 5, False, False),
    ],
)
def test_asn_09_each_province_is_tested(
    place: str, limit: int, home: bool, with_unit: bool
) -> None:
    """Home with a unit on 1, without on 2; conquered with a unit on 3, without on 5 (ASN-E2)."""
    position = plot("L A flo, L G sie, L A sie, V A pad", also={"L": "sie luc"})
    order: dict[str, list[Order]] = {"V": [murder(1, "L", 12)]}
    rises = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [limit]})
    stays = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [limit + 1]})
    rolls = {event.place: event for event in rises.told(RebellionRolled)}

    assert place in rises.rebels()[0]
    assert place not in stays.rebels()[0]
    assert (rolls[place].limit, rolls[place].home, rolls[place].with_unit) == (
        limit,
        home,
        with_unit,
    )
    assert sorted(rolls) == ["are", "flo", "luc", "psa", "pst", "sie"]


@pytest.mark.parametrize(
    ("place", "revolts"),
    [
        ("flo", (4, 1, 1, 1)),
        ("are", (1, 4, 1, 1)),
        ("sie", (1, 1, 4, 1)),
        ("luc", (1, 1, 1, 4)),
    ],
)
def test_asn_09_the_table_of_rebellions_is_an_option(place: str, revolts: tuple[int, ...]) -> None:
    """Option ``assassin_rebel_table``: home with and without a unit, conquered likewise."""
    units = "L A flo, L G sie, L A sie, V A pad"
    options = {"adjacency": "none", "assassin_rebel_table": revolts}
    position = plot(units, also={"L": "sie luc"}, options=options)
    order: dict[str, list[Order]] = {"V": [murder(1, "L", 12)]}
    rises = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [4]})
    stays = position.play(order, {**kill("V", 1, 1), f"rebellion {place}": [5]})

    assert place in rises.rebels()[0]
    assert place not in stays.rebels()[0]


def test_asn_09_a_unit_bribed_away_leaves_its_province_without_one() -> None:
    """On 4 a conquered province without a unit rebels, its city too (ASN-E5)."""
    position = plot("F F fer, V A pad", also={"F": "fer"})
    orders: dict[str, list[Order]] = {
        "N": [bribe_away(4, "F fer", 12)],
        "A": [murder(1, "F", 24)],
    }
    dice = {**QUIET, **{f"rebellion {home}": [6] for home in places("swi avi mar pro")}}
    outcome = position.play(orders, {**dice, "assassination A E1": [2], "rebellion fer": [4]})

    assert outcome.rebels() == (["fer"], ["fer"])


def test_asn_09_a_unit_bought_away_takes_its_province_out() -> None:
    """Control is that after the expenses: Siena is not tested."""
    position = plot("L A sie, V A pad", also={"L": "sie"})
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), buy(2, "A sie", 18)]}
    outcome = position.play(orders, {**kill("V", 1, 1), "rebellion sie": [1]})

    assert "sie" not in [event.place for event in outcome.told(RebellionRolled)]
    assert outcome.rebels() == ([], [])


def test_asn_09_venice_with_a_unit_is_left_alone() -> None:
    """No rebellion may be placed there (MAP-26)."""
    orders: dict[str, list[Order]] = {"A": [murder(1, "V", 36)]}
    dice = {**QUIET, "assassination A E1": [3], "rebellion ven": [1]}
    held = plot("V G ven").play(orders, dice)
    empty = plot().play(orders, dice)

    assert held.rebels() == ([], [])
    assert "ven" not in [event.place for event in held.told(RebellionRolled)]
    assert empty.rebels() == ([], ["ven"])


def test_asn_10_a_garrison_counts_as_a_unit_and_a_conquered_home_as_home() -> None:
    """Only units of the victim count."""
    homes = {**dict.fromkeys(places("are flo psa pst"), "L"), "bol": "L", "sie": "N"}
    position = plot("L G bol, V A sie", also={"L": "bol"}, homes=homes)
    outcome = position.play({"V": [murder(1, "L", 12)]}, kill("V", 1, 1))
    rolls = {event.place: event.limit for event in outcome.told(RebellionRolled)}

    assert rolls["bol"] == 1


def test_asn_11_the_victim_plays_on() -> None:
    """He is not eliminated, and keeps his land and his money."""
    outcome = plot("L A flo").play({"V": [murder(1, "L", 12)]}, kill("V", 1, 1))

    assert outcome.state.eliminated == frozenset()
    assert outcome.treasury("L") == 100
    assert outcome.province("flo") == "L"


@pytest.mark.parametrize("options", [{"assassinations": False}, {"dice": False}])
def test_asn_12_without_the_flag_nobody_hires_assassins(options: dict[str, bool]) -> None:
    """The expense is refused; the same in a game without dice (SET-04)."""
    objection = plot(options=options).objection("V", murder(1, "L", 12))

    assert objection is not None
    assert objection.flaw is Flaw.FLAG_OFF


def test_asn_12_the_bank_kills_all_the_same() -> None:
    """The units of a defaulter hold, with the flag off too."""
    position = plot(
        "L A flo",
        options={"assassinations": False},
        treasury={},
        loans=[{"power": "L", "principal": 10, "interest": 2, "due": "S1455"}],
    )
    outcome = position.play({"L": [move("A flo", "bol")]}, QUIET)

    assert outcome.units() == ["L A flo"]
    assert len(outcome.told(RebellionRolled)) == 4


def test_set_04_without_dice_no_province_is_tested() -> None:
    """A default in a game without dice kills, and nobody throws."""
    position = plot(
        "L A flo",
        options={"dice": False},
        treasury={},
        loans=[{"power": "L", "principal": 10, "interest": 2, "due": "S1455"}],
    )
    outcome = position.play()

    assert len(outcome.told(PowerAssassinated)) == 1
    assert outcome.told(DiceThrown) == []


def test_asn_13_new_rebels_help_attackers_in_the_same_campaign() -> None:
    """One army dislodges another with them."""
    position = plot("L A flo, V A bol")
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), move("A bol", "flo")]}
    outcome = position.play(orders, {**kill("V", 1, 1), "rebellion flo": [1]})

    assert "V A flo" in outcome.units()


def test_asn_14_attempts_are_simultaneous() -> None:
    """Two leaders may kill each other."""
    orders: dict[str, list[Order]] = {"N": [murder(1, "V", 12)], "V": [murder(1, "N", 12)]}
    naples = {f"rebellion {home}": [6] for home in places("bar nap mes pal otr slr aqu cap")}
    dice = {**QUIET, **naples, "assassination N E1": [1], "assassination V E1": [1]}
    outcome = plot().play(orders, dice)

    assert sorted(event.victim for event in outcome.told(PowerAssassinated)) == ["N", "V"]


def test_asn_15_an_attempt_on_the_dead_is_wasted() -> None:
    """Money and chit."""
    outcome = plot(eliminated="L").play({"V": [murder(1, "L", 12)]})

    assert outcome.fates() == {"V1": "victim eliminated"}
    assert outcome.state.chits["V"] == ("N",)
    assert outcome.treasury("V") == 88


def test_exp_07_a_counter_bribe_does_not_stop_assassins() -> None:
    """They cannot be countered (EXP-16)."""
    orders: dict[str, list[Order]] = {
        "V": [murder(1, "L", 12)],
        "L": [counter(1, "A flo", 90)],
    }
    outcome = plot("L A flo").play(orders, kill("V", 1, 1))

    assert outcome.fates()["V1"] == "done"


def test_exp_02_the_money_left_decides_the_numbers() -> None:
    """24 asked, 20 there: one number."""
    outcome = plot(treasury={"V": 20}).play({"V": [murder(1, "L", 24)]}, kill("V", 1, 2))

    assert outcome.fates() == {"V1": "failed"}
    assert outcome.treasury("V") == 0


def test_asn_09_rebels_who_are_there_already_stay_as_they_are() -> None:
    """Another throw adds nothing."""
    position = plot("V A pad", rebellion="flo", city_rebellion="flo")
    outcome = position.play({"V": [murder(1, "L", 12)]}, {**kill("V", 1, 1), "rebellion flo": [1]})

    assert outcome.rebels() == (["flo"], ["flo"])
    assert outcome.told(RebellionStarted) == []


def test_ctl_16_with_control_after_fall_only_the_city_waits() -> None:
    """The garrison goes, and the city is counted when everything is (SET-20)."""
    position = plot(
        "L G sie, V A sie",
        sieges="sie",
        also={"L": "sie"},
        options={"adjacency": "none", "control_timing": "fall"},
    )
    orders: dict[str, list[Order]] = {"V": [murder(1, "L", 12), move("A sie", "are")]}
    outcome = position.play(orders, kill("V", 1, 1))

    assert outcome.units() == ["V A are"]
    assert outcome.city("sie") == "L"


def test_asn_07_the_sieges_of_others_go_on() -> None:
    """Neither another power's garrison nor besieged rebels have to do with the victim."""
    position = plot(
        "A A gen, & G gen, P A bol, V A pad",
        sieges="gen bol",
        also={"A": "gen"},
        city_rebellion="bol",
    )
    outcome = position.play({"V": [murder(1, "L", 12)]}, kill("V", 1, 1))

    assert "& G gen" in outcome.units()
    assert outcome.told(SiegeEnded) == []
    assert outcome.state.sieges == {"bol", "gen"}
