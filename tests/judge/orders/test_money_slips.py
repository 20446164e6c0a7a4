"""Slips with ducats: what the receipt says of each, and what it costs when the phase is played."""

import pytest

from machjudge.adjudicator.events import DiceThrown
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.units import Kind, Quality
from tests.cases import cases
from tests.judge.house import House
from tests.judge.orders.test_money import FLORENCE, L, of, part, receipt, results
from tests.judge.riches import drilled, indebted, position, springtime
from tests.judge.year import order

# --- accepted all the same: wasted, reduced, void --------------------------------------------


@cases
def test_a_slip_that_is_accepted_costs_what_the_rules_say(line: str, told: str, left: int) -> None:
    """The results say what became of it, and the treasury what it cost (EXP-01, EXP-02)."""
    house = springtime()
    order(house, "L", *FLORENCE, line)

    letter = results(house)[0]

    spent = " ".join(part(letter, "EXPENSES"))
    assert told in spent, letter.body
    assert house.view().state.treasuries[L] == left


@cases
def test_a_slip_at_the_bank_costs_what_the_rules_say(
    lines: list[str], told: list[str], left: int
) -> None:
    """Reduced to what there is, to what is owed, or to nothing (BNK-01, BNK-18, BNK-19)."""
    house = springtime()
    order(house, "L", *FLORENCE, *lines)

    money = part(results(house)[0], "MONEY")

    assert house.view().state.treasuries[L] == left
    assert money == told


# --- what is not taken costs nothing ---------------------------------------------------------


@cases
def test_what_is_not_taken_costs_nothing_and_stands_once(line: str) -> None:
    """The line with its one sentence in the receipt; nothing of it in the results."""
    house = springtime()

    letter = receipt(house, *FLORENCE, line)
    sent = results(house)

    said = part(letter, "NOT TAKEN")
    assert said[0] == f"line 5: {line}"
    assert sum(each.endswith(".") for each in said) == 1, said
    assert not any("EXPENSES" in each.body or "MONEY" in each.body for each in sent)
    assert house.view().state.treasuries[L] == 40


# --- situations in which the money does not do what it should --------------------------------


def special_units(house: House) -> None:
    """Two special units of the Papacy next to Florence, who is rich."""
    drilled(house, "bol", Quality.MILITIA, Kind.ARMY)
    drilled(house, "per", Quality.MERCENARY, Kind.ARMY)
    position(house, treasuries=dict.fromkeys(house.view().state.treasuries, 99))


FAIL = "E{} will fail: {}."
GONE = "{} ducats are gone all the same [EXP-01]."
SHORT = "E{}: the money does not reach, {} will be left for it."
SITUATIONS = {
    "a loan due now eats what should be spent": (
        10,
        [(20, 4, 0)],
        ["borrow 5 d for 1 year", "e1: 18 d buy A bol", "e2: 3 d counter-bribe A flo"],
        [
            "The loans due now cannot be paid, 9 ducats are missing: the bank would",
            "take your treasury and your leader's life, and never lend again [BNK-10].",
            FAIL.format(1, "void, the bank took all"),
            FAIL.format(2, "void, the bank took all"),
        ],
    ),
    "a loan due now leaves too little": (
        20,
        [(15, 3, 0)],
        ["borrow 10 d for 2 years", "e1: 18 d buy A bol"],
        [
            "A debt is due now: the bank takes 18 ducats of your treasury before your",
            "expenses [BNK-06].",
            *(SHORT.format(1, "12 ducats"), FAIL.format(1, "less than the price"), GONE.format(12)),
        ],
    ),
    "a gift leaves too little": (
        40,
        [],
        ["e1: 18 d buy A bol", "pay 30 d to milan"],
        [SHORT.format(1, "10 ducats"), FAIL.format(1, "less than the price"), GONE.format(10)],
    ),
    "two gifts are more than there is": (
        4,
        [],
        ["pay 3 d to milan", "pay 3 d to venice"],
        ["pay 3 ducats to Venice: the money does not reach, 1 ducat will be left for it."],
    ),
    "a debtor gives": (
        40,
        [(10, 2, 2)],
        ["pay 7 d to bank", "pay 3 d to milan"],
        ["pay 3 ducats to Milan: nothing goes to powers while you owe the bank 5 ducats [BNK-07]."],
    ),
    "whoever pays all may give": (40, [(10, 2, 2)], ["pay 12 d to bank", "pay 3 d to milan"], []),
    "borrowed ducats come too late for gifts": (
        1,
        [],
        ["borrow 20 d for 1 year", "pay 5 d to milan"],
        ["pay 5 ducats to Milan: the money does not reach, 1 ducat will be left for it."],
    ),
    "the second of two equal loans is not granted": (
        0,
        [],
        ["borrow 15 d for 1 year", "borrow 15 d for 2 years"],
        [
            "borrow 15 ducats for 2 years: not granted, the bank lends you 10",
            "ducats at most now [BNK-01].",
        ],
    ),
    "one's own counter-bribe spoils one's purchase": (
        40,
        [],
        ["e1: 18 d buy A bol", "e2: 3 d counter-bribe A bol"],
        [FAIL.format(1, "counter-bribed"), GONE.format(18)],
    ),
    "one bribes a unit twice": (
        40,
        [],
        ["e1: 18 d buy A bol", "e2: 18 d disband A bol"],
        [
            *(FAIL.format(1, "an equal bribe was there"), GONE.format(18)),
            *(FAIL.format(2, "an equal bribe was there"), GONE.format(18)),
        ],
    ),
    "the larger of two own bribes counts": (
        40,
        [],
        ["e1: 18 d buy A bol", "e2: 12 d disband A bol"],
        [FAIL.format(2, "a larger bribe was there"), GONE.format(12)],
    ),
    "one rebellion is ordered twice": (
        40,
        [],
        ["e1: 15 d cause rebellion bol", "e2: 15 d cause rebellion bol"],
        ["E2 adds nothing: an earlier expense does the same there."],
    ),
    "one chit serves once": (
        40,
        [],
        ["e1: 12 d assassinate milan", "e2: 12 d assassinate milan"],
        [FAIL.format(2, "no chit for that leader"), GONE.format(12)],
    ),
    "three expenses, money for one and a half": (
        25,
        [],
        ["e3: 3 d counter-bribe A flo", "e1: 18 d buy A bol", "e2: 12 d disband A per"],
        [
            SHORT.format(2, "7 ducats"),
            FAIL.format(2, "less than the price"),
            GONE.format(7),
            SHORT.format(3, "nothing"),
            FAIL.format(3, "less than the price"),
        ],
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_warnings_say_in_the_order_of_execution_what_will_not_work(name: str) -> None:
    """Bank, gifts, loans, collection, expenses by their numbers; nothing is refused."""
    ducats, debts, lines, warnings = SITUATIONS[name]
    house = springtime(ducats=ducats)
    indebted(house, "L", *debts)

    letter = receipt(house, *FLORENCE, *lines)

    assert " ".join(part(letter, "WARNINGS")) == " ".join(warnings)
    assert "NOT TAKEN" not in letter.body
    assert "[Errors]" not in letter.subject


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_receipt_counts_what_the_phase_then_does(name: str) -> None:
    """Where nobody else does anything, what the receipt says is left is left."""
    ducats, debts, lines, _ = SITUATIONS[name]
    house = springtime(ducats=ducats)
    indebted(house, "L", *debts)

    money = part(receipt(house, *FLORENCE, *lines), "MONEY")
    results(house)

    (left,) = [line.removeprefix("Left: ") for line in money if line.startswith("Left: ")]
    assert f"{house.view().state.treasuries[L]}d" == left


def test_a_second_special_unit_is_warned_of_with_its_doubled_price() -> None:
    """SPC-06: the money is lost; militia is bribed for double (EXP-17)."""
    house = springtime()
    special_units(house)

    letter = receipt(house, *FLORENCE, "e1: 36 d buy A bol", "e2: 18 d buy A per")

    assert "price 36d (18 x2 militia); a unit is near enough" in part(letter, "MONEY")
    assert part(letter, "WARNINGS")[0].startswith("E2 will fail: no more special units allowed.")


def test_reach_that_a_move_of_the_same_mail_gives_up_still_counts() -> None:
    """Bribes come before movement, from where the units stand (EXP-30): no warning."""
    letter = receipt(springtime(), "A flo - pis", "A are h", "F psa h", "e1: 18 d buy A bol")

    assert "WARNINGS" not in letter.body


def test_reach_that_was_lost_with_the_last_unit_is_warned_of() -> None:
    """What an expense of last campaign could reach, this one cannot."""
    house = springtime()
    state = house.view().state
    field = {p: u for p, u in state.field.items() if u.owner != PowerId("L") or p == "psa"}
    position(house, field=field)

    letter = receipt(house, "F psa h", "e1: 18 d buy A bol")

    assert part(letter, "WARNINGS")[0].startswith("E1 will fail: no own unit is next to it.")
    assert "price 18d; NO UNIT IS NEAR ENOUGH" in part(letter, "MONEY")


def test_the_dead_and_the_missing_chit_are_paid_for() -> None:
    """ASN-01, ASN-15: the assassin's money is lost; a chit is used on the dead."""
    house = springtime()
    position(house, chits={L: (PowerId("T"),)}, eliminated=frozenset({PowerId("T")}))
    order(house, "L", *FLORENCE, "e1: 12 d assassinate turkey", "e2: 12 d assassinate milan")

    spent = " ".join(part(of(house, results(house), "L"), "EXPENSES"))

    assert "E1 assassinate Turkey 12 ducats: that power is eliminated." in spent
    assert "E2 assassinate Milan 12 ducats: no chit for that leader." in spent
    assert house.view().state.treasuries[L] == 16
    assert house.view().state.chits.get(L, ()) == ()


def test_an_order_for_a_unit_follows_its_purchase_through_several_mails() -> None:
    """Warned of without a purchase, kept apart with one, replaced, and warned of again."""
    house = springtime()

    letters = [
        receipt(house, line)
        for line in ("A bol - mod", "e1: 18 d buy A bol", "A bol - fer", "e1: none")
    ]

    warned = "A Bologna - {}: that unit belongs to the Papacy, and you are not buying it [EXP-24]."
    assert [" ".join(part(letter, "WARNINGS")) for letter in letters] == [
        warned.format("Modena"),
        "",
        "",
        warned.format("Ferrara"),
    ]
    assert [part(letter, "ORDERS ON FILE")[-2:] for letter in letters] == [
        ["For units of others:", "A Bologna - Modena"],
        ["For units that you are buying:", "A Bologna - Modena"],
        ["For units that you are buying:", "A Bologna - Ferrara"],
        ["For units of others:", "A Bologna - Ferrara"],
    ]


@pytest.mark.parametrize("year_over", [False, True])
def test_a_game_without_dice_throws_none(year_over: bool) -> None:
    """SET-04, INC-14: no famine, no assassin, and the die of an odd year is a 4."""
    house = springtime("nodice")
    seasons = 3 if year_over else 1
    for _ in range(seasons):
        letters = results(house)

    thrown = [e for p in house.store.tables.phases for e in p.events if isinstance(e, DiceThrown)]
    assert thrown == []
    assert not any("DISASTERS" in letter.body for letter in letters)
    fixed = part(letters[0], "VARIABLE INCOME")
    assert ("Venice: dice 3 and 3 (fixed) bring 6 ducats" in fixed) == year_over
