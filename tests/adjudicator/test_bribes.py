"""Expenses and bribes (area EXP), each rule in a position of its own."""

import pytest

from machjudge.adjudicator.events import ExpenseSettled, FamineEnded
from machjudge.adjudicator.money.expenses import settle_expenses
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Ally, Expense, Order
from machjudge.adjudicator.prices import price_of
from machjudge.adjudicator.reasons import Flaw
from machjudge.adjudicator.rules import Table
from tests.adjudicator.scene import (
    Scene,
    bribe_away,
    buy,
    counter,
    incite,
    move,
    murder,
    pacify,
    places,
    relieve,
    scene,
    set_free,
)

FREE = {"adjacency": "none"}


def rich(units: str, **more: object) -> Scene:
    """A position in which everybody can pay everything, and reaches everything."""
    treasury = dict.fromkeys("AFILNPTV", 100)
    return scene(units=units, **{"treasury": treasury, "options": FREE, **more})


def price(position: Scene, expense: Expense) -> int:
    """The price of an expense in a position."""
    return price_of(position.world, position.state, expense).ducats


@pytest.mark.parametrize("number", [0, 5])
def test_exp_01_there_are_four_expenses(number: int) -> None:
    """Expenses 0 and 5 are refused."""
    objection = rich("I A mil").objection("V", buy(number, "A mil", 18))

    assert objection is not None
    assert objection.flaw is Flaw.BAD_NUMBER


def test_exp_02_a_short_treasury_spends_what_is_left() -> None:
    """What is left works only if it reaches the price."""
    position = rich("I A mil, L A flo", treasury={"V": 27, "P": 30})
    enough = position.play({"P": [bribe_away(1, "A mil", 18), bribe_away(2, "A flo", 15)]})
    short = position.play({"V": [bribe_away(1, "A mil", 18), bribe_away(2, "A flo", 15)]})

    assert enough.fates() == {"P1": "done", "P2": "done"}
    assert short.fates() == {"V1": "done", "V2": "too small"}
    assert short.treasury("V") == 0


def test_exp_05_famine_relief_ends_a_famine() -> None:
    """For 3 ducats; for less nothing happens."""
    position = rich("I A mil", famine="mil pad", phase="S1455M")
    outcome = position.take(settle_expenses, {"V": [relieve(1, "mil"), relieve(2, "pad", 2)]})

    assert outcome.state.famine == {"pad"}
    assert outcome.fates() == {"V1": "done", "V2": "too small"}
    assert outcome.told(FamineEnded) == [FamineEnded(PlaceId("mil"), relieved=True)]


def test_exp_05_relief_and_pacification_of_nothing_are_wasted() -> None:
    """Where there is neither famine nor a rebellion."""
    outcome = rich("I A mil").play({"V": [relieve(1, "mil", 3), pacify(2, "mil", 12)]})

    assert outcome.fates() == {"V1": "no effect", "V2": "no effect"}
    assert outcome.treasury("V") == 85


def test_exp_07_a_counter_bribe_lowers_the_force() -> None:
    """Of bribes on the named unit, an autonomous one too, by multiples of three."""
    position = rich("I A mil, & G gen, L A flo")
    orders = {
        "V": [buy(1, "A mil", 18), buy(2, "G gen", 21), buy(3, "A flo", 21)],
        "N": [counter(1, "A mil", 5), counter(2, "G gen", 6), counter(3, "A flo", 2)],
    }
    outcome = position.play(orders)

    assert outcome.fates()["V1"] == "counter-bribed"
    assert outcome.fates()["V2"] == "counter-bribed"
    assert outcome.fates()["V3"] == "done"
    assert [e.force for e in outcome.told(ExpenseSettled) if e.power == "V"] == [15, 15, 21]


@pytest.mark.parametrize(
    ("rule", "expense", "ducats"),
    [
        ("EXP-08", bribe_away(1, "G trt"), 6),
        ("EXP-09", buy(1, "G trt"), 9),
        ("EXP-10", set_free(1, "G psa"), 9),
        ("EXP-11", bribe_away(1, "G psa"), 12),
        ("EXP-12", bribe_away(1, "A pav"), 12),
        ("EXP-12", bribe_away(1, "F ion"), 12),
        ("EXP-13", buy(1, "A pav"), 18),
        ("EXP-13", buy(1, "F ion"), 18),
        ("EXP-13", buy(1, "G psa"), 18),
        ("EXP-17", bribe_away(1, "G gen"), 12),
        ("EXP-17", buy(1, "G gen"), 18),
        ("EXP-17", set_free(1, "G ven"), 18),
        ("EXP-17", bribe_away(1, "G ven"), 24),
        ("EXP-17", buy(1, "G ven"), 36),
        ("EXP-17", bribe_away(1, "G rme"), 48),
        ("EXP-17", buy(1, "A rme"), 36),
        ("EXP-17", buy(1, "A tur"), 36),
        ("EXP-17", buy(1, "A sav"), 18),
        ("EXP-17", bribe_away(1, "A mil"), 12),
    ],
)
def test_exp_08_to_17_the_price_list(rule: str, expense: Expense, ducats: int) -> None:
    """Each bribe works at its price and fails three ducats below."""
    units = (
        "& G trt, & G gen, L G psa, I A pav, T F ion, V G ven, P G rme cm, P A rme cm, "
        "F A tur ep, F A sav em, I A mil"
    )
    position = rich(units)
    assert expense.purpose is not None
    short = Expense(1, expense.purpose, ducats - 3, expense.unit)

    assert price(position, expense) == ducats, rule
    assert position.play({"N": [expense]}).fates() == {"N1": "done"}
    assert position.play({"N": [short]}).fates() == {"N1": "too small"}


def test_exp_10_a_freed_garrison_is_autonomous() -> None:
    """It stays where it is and belongs to nobody."""
    outcome = rich("L G psa").play({"N": [set_free(1, "G psa", 9)]})

    assert outcome.units() == ["& G psa"]


def test_exp_13_a_bought_unit_keeps_its_type() -> None:
    """Army, fleet and garrison change hands only."""
    outcome = rich("L G psa, L F ets, & G gen").play(
        {"N": [buy(1, "G psa", 18), buy(2, "F ets", 18), buy(3, "G gen", 18)]}
    )

    assert outcome.units() == ["N F ets", "N G gen", "N G psa"]


def test_exp_14_home_provinces_cost_more_to_stir() -> None:
    """15 ducats in a home of the power in control, a conquered home too; 9 elsewhere."""
    homes = dict.fromkeys(places("pav cre com for pia par mil"), "V")
    position = rich("", also={"V": "mil flo"}, homes={**homes, "flo": "L", "pad": "V"})

    assert price(position, incite(1, "pad")) == 15
    assert price(position, incite(1, "mil")) == 15
    assert price(position, incite(1, "flo")) == 9


def test_exp_15_an_assassin_costs_twelve_ducats_or_more() -> None:
    """The least is named where the order names nothing."""
    outcome = rich("V A pad").play({"V": [murder(1, "I")]}, {"assassination V E1": [6]})

    assert outcome.treasury("V") == 88


def test_exp_18_only_the_least_price_is_doubled() -> None:
    """Extra ducats and counter-bribes count plainly: 27 against 3 buys, against 6 does not."""
    position = rich("V G ven")
    beaten = position.play({"N": [bribe_away(1, "G ven", 27)], "V": [counter(1, "G ven", 6)]})
    works = position.play({"N": [bribe_away(1, "G ven", 27)], "V": [counter(1, "G ven", 3)]})

    assert beaten.fates()["N1"] == "counter-bribed"
    assert works.fates()["N1"] == "done"


def test_exp_21_equal_largest_bribes_all_fail() -> None:
    """Whatever their kinds, and whatever a third one is."""
    outcome = rich("I A pav").play(
        {"V": [buy(1, "A pav", 18)], "L": [bribe_away(1, "A pav", 18)], "N": [buy(1, "A pav", 15)]}
    )

    assert outcome.fates() == {"V1": "tied", "L1": "tied", "N1": "outbid"}
    assert outcome.units() == ["I A pav"]


def test_exp_21_a_bribe_of_a_wrong_kind_takes_part() -> None:
    """It ties with a fitting one (EXP-E24 with a purchase of the same sum)."""
    orders = {"F": [set_free(1, "G anc", 9)], "P": [buy(1, "G anc", 9)]}
    outcome = rich("& G anc").play(orders)

    assert outcome.units() == ["& G anc"]
    assert outcome.fates() == {"F1": "tied", "P1": "tied"}


def test_exp_22_counter_bribes_add_up() -> None:
    """3 and 6 are 9: 24 ducats do not buy an army (EXP-E16), 27 do."""
    guards = {"I": [counter(1, "A pav", 3)], "L": [counter(1, "A pav", 6)]}
    position = rich("I A pav")

    assert position.play({"V": [buy(1, "A pav", 24)], **guards}).fates()["V1"] == "counter-bribed"
    assert position.play({"V": [buy(1, "A pav", 27)], **guards}).fates()["V1"] == "done"


def test_exp_24_the_buyer_orders_what_he_buys() -> None:
    """His order counts, the seller's does not; where the purchase fails, the other way round."""
    position = rich("I A pav")
    orders: dict[str, list[Order]] = {"I": [move("A pav", "mil")], "V": [move("A pav", "com")]}
    bought = position.play({**orders, "V": [buy(1, "A pav", 18), *orders["V"]]})
    kept = position.play({**orders, "V": [buy(1, "A pav", 15), *orders["V"]]})

    assert bought.units() == ["V A com"]
    assert kept.units() == ["I A mil"]


@pytest.mark.parametrize(
    "order",
    [buy(1, "A spo", 18), bribe_away(1, "spo", 12), incite(1, "rme", 15), murder(1, "P", 12)],
)
def test_exp_26_nothing_against_oneself(order: Expense) -> None:
    """Refused when it is read, and free of charge (EXP-E22)."""
    position = rich("P A spo", options={})
    objection = position.objection("P", order)

    assert objection is not None
    assert objection.flaw is Flaw.YOURSELF
    assert position.play({"P": [order]}).treasury("P") == 100


def test_exp_26_where_self_bribes_are_allowed_one_cannot_buy_oneself() -> None:
    """With the later rules one's own bribe competes; it may tie with another (EXP-E17)."""
    position = rich("T F tun", options={"self_bribe": True, **FREE})
    outcome = position.play({"N": [buy(1, "F tun", 18)], "T": [bribe_away(1, "F tun", 18)]})

    assert outcome.fates() == {"N1": "tied", "T1": "tied"}
    assert position.objection("T", buy(1, "F tun", 18)) is not None


def test_exp_26_a_counter_bribe_on_ones_own_unit_is_normal() -> None:
    """It is one's own neighbour, too (EXP-27)."""
    position = rich("P A spo", options={})

    assert position.objection("P", counter(1, "A spo", 3)) is None
    assert position.play({"P": [counter(1, "A spo", 3)]}).fates() == {"P1": "done"}
    assert position.play({"P": [counter(1, "A spo", 3)]}).units() == ["P A spo"]


@pytest.mark.parametrize(
    ("order", "needs"),
    [
        (relieve(1, "pav", 3), True),
        (pacify(1, "pav", 12), True),
        (counter(1, "A pav", 3), True),
        (buy(1, "A pav", 18), True),
        (incite(1, "pav", 15), True),
        (murder(1, "I", 12), False),
    ],
)
def test_exp_27_all_but_assassins_need_a_unit_nearby(order: Expense, needs: bool) -> None:
    """With the flag on, expenses far from one's units are wasted, and paid."""
    chits = {"T": "I"}
    near = rich("I A pav, T A mil", famine="pav", rebellion="pav", options={}, chits=chits)
    far = rich("I A pav, T A tun", famine="pav", rebellion="pav", options={}, chits=chits)
    dice = {"assassination T E1": [1]} | {
        f"rebellion {place}": [6] for place in places("pav cre com for pia par mil")
    }
    quiet = far.play({"T": [order]}, dice)

    assert near.play({"T": [order]}, dice).fates()["T1"] in {"done", "no effect"}
    assert quiet.fates()["T1"] == ("out of reach" if needs else "done")
    assert quiet.treasury("T") < 100


@pytest.mark.parametrize(
    ("order", "letter"),
    [
        (relieve(1, "pav", 3), "a"),
        (pacify(1, "pav", 12), "b"),
        (counter(1, "A pav", 3), "c"),
        (bribe_away(1, "G mil", 12), "d"),
        (buy(1, "G mil", 18), "e"),
        (set_free(1, "G pav", 9), "f"),
        (bribe_away(1, "G pav", 12), "g"),
        (bribe_away(1, "A pav", 12), "h"),
        (buy(1, "A pav", 18), "i"),
        (incite(1, "tur", 9), "j"),
        (incite(1, "com", 15), "k"),
    ],
)
def test_exp_27_only_the_letters_of_the_option_need_a_unit_nearby(
    order: Expense, letter: str
) -> None:
    """Option ``adjacency_kinds``: without its letter, an expense reaches everything."""
    units = "I A pav, I G pav, & G mil, T A tun"
    others = tuple(each for each in "abcdefghijk" if each != letter)
    more = {"famine": "pav", "rebellion": "pav", "also": {"I": "tur"}}
    bound = rich(units, options={"adjacency_kinds": (letter,)}, **more)
    free = rich(units, options={"adjacency_kinds": others}, **more)

    assert bound.take(settle_expenses, {"T": [order]}).fates()["T1"] == "out of reach"
    assert free.take(settle_expenses, {"T": [order]}).fates()["T1"] != "out of reach"


@pytest.mark.parametrize(
    ("order", "letter"),
    [
        (relieve(1, "mil", 9), "a"),
        (pacify(1, "mil", 9), "b"),
        (bribe_away(1, "G mil", 18), "d"),
        (buy(1, "A pav", 9), "i"),
    ],
)
def test_exp_37_the_price_list_is_an_option(order: Expense, letter: str) -> None:
    """Option ``expense_prices``: each letter has its price, and the others keep theirs."""
    units = "I A pav, & G mil"
    dear = rich(units, options={"expense_prices": Table({letter: 30}), **FREE})
    cheap = rich(units, options={"expense_prices": Table({letter: 6}), **FREE})
    usual = rich(units)

    assert price(dear, order) == 5 * price(cheap, order)
    assert {price(dear, murder(1, "V", 12)), price(usual, murder(1, "V", 12))} == {12}


def test_exp_29_garrisons_reach_the_next_provinces_and_cities() -> None:
    """A garrison in Pisa reaches the one in Florence (EXP-E21), and the army around itself."""
    position = rich("L G psa, I G flo, I A psa", options={})
    outcome = position.play({"L": [bribe_away(1, "G flo", 24), bribe_away(2, "A psa", 12)]})

    assert outcome.fates() == {"L1": "done", "L2": "done"}


def test_exp_31_an_invalid_target_wastes_the_money() -> None:
    """An army is not bought where a fleet stands."""
    outcome = rich("I F gen").play({"V": [buy(1, "A gen", 18), counter(2, "A gen", 3)]})

    assert outcome.fates() == {"V1": "no such unit", "V2": "no such unit"}
    assert outcome.treasury("V") == 79


def test_exp_32_kind_and_owner_must_fit() -> None:
    """An autonomous garrison cannot be made autonomous, nor can an army."""
    position = rich("& G gen, I A pav")
    outcome = position.play({"V": [set_free(1, "G gen", 30), set_free(2, "A pav", 30)]})

    assert outcome.fates() == {"V1": "not fitting", "V2": "not fitting"}


def test_exp_32_without_a_type_the_field_unit_is_meant() -> None:
    """Else the garrison; who frees a garrison means the garrison."""
    position = rich("I A pav, L G pav, L G psa")
    orders = [bribe_away(1, "pav", 12), bribe_away(2, "psa", 12)]

    assert position.play({"N": orders}).units() == ["L G pav"]
    assert position.play({"N": [set_free(1, "pav", 9)]}).units() == [
        "& G pav",
        "I A pav",
        "L G psa",
    ]


def test_exp_34_rebels_of_this_campaign_outlast_a_pacification() -> None:
    """Pacifying removes the markers that stood before."""
    position = rich("", rebellion="mil", city_rebellion="mil")
    incited = {"V": [incite(1, "mil", 15)]}
    outcome = position.take(settle_expenses, {"I": [pacify(1, "mil", 12)], **incited})
    too_cheap = position.take(settle_expenses, {"I": [pacify(1, "mil", 11)], **incited})

    assert outcome.fates() == {"I1": "done", "V1": "done"}
    assert outcome.rebels() == (["mil"], ["mil"])
    assert too_cheap.fates() == {"I1": "too small", "V1": "no effect"}


def test_exp_34_a_garrison_bribed_away_still_keeps_its_city() -> None:
    """The rebellion looks at the position before the step (EXP-E23)."""
    position = rich("I G sav", also={"I": "sav"})
    outcome = position.take(
        settle_expenses, {"N": [bribe_away(1, "G sav", 12)], "V": [incite(1, "sav", 9)]}
    )

    assert outcome.units() == []
    assert outcome.rebels() == (["sav"], [])


@pytest.mark.parametrize(
    ("expense", "ducats"),
    [
        (relieve(1, "mil"), 3),
        (pacify(1, "mil"), 12),
        (counter(1, "A mil"), 3),
        (incite(1, "mil"), 15),
        (murder(1, "I"), 12),
        (bribe_away(1, "A mil"), 12),
        (buy(1, "tun"), 18),
    ],
)
def test_exp_37_without_an_amount_the_price_is_paid(expense: Expense, ducats: int) -> None:
    """The least that could work leaves the treasury."""
    outcome = rich("I A mil, V A pad").play({"V": [expense]}, {"assassination V E1": [6]})

    assert outcome.treasury("V") == 100 - ducats


@pytest.mark.parametrize(
    ("order", "flaw"),
    [
        (buy(1, "A mil", 0), Flaw.BAD_AMOUNT),
        (buy(1, "A mil", -3), Flaw.BAD_AMOUNT),
        (relieve(1, "ion", 3), Flaw.BAD_TARGET),
        (incite(1, "ion", 9), Flaw.BAD_TARGET),
        (murder(1, "E", 12), Flaw.UNKNOWN_POWER),
        (Expense(1, buy(1, "A mil").purpose, 18, place=PlaceId("mil")), Flaw.BAD_TARGET),
    ],
)
def test_exp_orders_that_cannot_be_are_refused(order: Expense, flaw: Flaw) -> None:
    """Each with its own reason."""
    objection = rich("I A mil").objection("V", order)

    assert objection is not None
    assert objection.flaw is flaw


# --- what follows from bribes ----------------------------------------------------------------


def test_sie_10_a_bribed_garrison_ends_the_siege() -> None:
    """The besieger is free in the same campaign."""
    position = rich("V A fer, & G fer", sieges="fer")
    outcome = position.play({"V": [bribe_away(1, "G fer", 6), move("A fer", "bol")]})

    assert outcome.units() == ["V A bol"]
    assert outcome.state.sieges == frozenset()


def test_spc_10_of_two_special_purchases_the_first_that_works_counts() -> None:
    """By the number of the expense; a first that fails takes no place."""
    position = rich("V A fer em, I A pav em, L A flo em")
    orders = [buy(2, "A fer", 15), buy(3, "A pav", 18), buy(4, "A flo", 18)]
    outcome = position.play({"P": orders})

    assert outcome.fates() == {"P2": "too small", "P3": "done", "P4": "special limit"}


@pytest.mark.parametrize(
    ("partner", "flaw"),
    [("P", Flaw.YOURSELF), ("E", Flaw.UNKNOWN_POWER), ("T", Flaw.ELIMINATED), ("V", None)],
)
def test_map_11_an_ally_is_another_living_power(partner: str, flaw: Flaw | None) -> None:
    """Straits are opened for nobody else."""
    objection = rich("P A spo", eliminated="T").objection("P", Ally(PowerId(partner)))

    assert (objection.flaw if objection is not None else None) is flaw


def test_exp_26_where_self_bribes_are_allowed_they_work() -> None:
    """One's own unit is disbanded, one's own province rebels; the judge's rules allow neither."""
    orders = {"T": [bribe_away(1, "F tun", 24), incite(2, "alb", 15), buy(3, "A dur", 18)]}
    allowed = rich("T F tun, T A dur", options={"self_bribe": True, **FREE})
    outcome = allowed.take(settle_expenses, orders)
    strict = rich("T F tun, T A dur").take(settle_expenses, orders)

    assert outcome.fates() == {"T1": "done", "T2": "done", "T3": "not fitting"}
    assert outcome.units() == ["T A dur"]
    assert outcome.rebels() == (["alb"], [])
    assert strict.fates() == dict.fromkeys(["T1", "T2", "T3"], "not fitting")


def test_spc_10_where_the_rules_allow_two_special_units_a_third_is_too_many() -> None:
    """The limit is an option."""
    position = rich("V A fer em, I A pav em, L A flo em", options={"special_limit": 2, **FREE})
    outcome = position.play({"P": [buy(1, "A fer"), buy(2, "A pav"), buy(3, "A flo")]})

    assert outcome.fates() == {"P1": "done", "P2": "done", "P3": "special limit"}
