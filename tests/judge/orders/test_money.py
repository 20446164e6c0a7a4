"""Ducats by mail: what the receipt counts, warns of and refuses, and what changes of mind do."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import with_option
from machjudge.adjudicator.units import Quality
from machjudge.judge.mails import Outgoing
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import write
from tests.judge.riches import drilled, indebted, position, springtime
from tests.judge.year import address_of, order
from tests.results_told import tells_results

FLORENCE = ("A flo h", "A are h", "F psa h")
"""Florence touches Bologna, Arezzo touches Perugia: both the Papacy's, with an army in each."""
L = PowerId("L")


def receipt(house: House, *lines: str, power: str = "L") -> Outgoing:
    """The answer to the orders of a power."""
    (letter,) = [each for each in order(house, power, *lines) if each.subject.startswith("Re:")]
    return letter


def part(letter: Outgoing, title: str) -> list[str]:
    """The lines of a section with single spaces; none where there is no such section."""
    _, found, rest = letter.body.partition(f"\n{title}\n")
    lines = rest.split("\n\n")[0].splitlines() if found else []
    return [" ".join(line.split()) for line in lines]


def results(house: House) -> list[Outgoing]:
    """The results of the phase, played with what is on file."""
    line = f"PROCESS {house.view().state.moment.code}"
    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey", line)
    return [letter for letter in sent if tells_results(letter.body)]


def of(house: House, letters: list[Outgoing], power: str) -> Outgoing:
    """The letter to a power's player."""
    (letter,) = [letter for letter in letters if letter.to == address_of(house, power)]
    return letter


# --- counting --------------------------------------------------------------------------------


def test_money_is_counted_in_the_order_of_execution() -> None:
    """Bank, gifts, loans, collection, expenses by their numbers; each with what it leaves."""
    house = springtime(ducats=10)
    indebted(house, "L", (4, 1, 0))
    lines = [
        "expense 2: counter-bribe A flo",
        "borrow 20 ducats for 2 years",
        "expense 1: 12 ducats disband A bol",
        "pay 2 ducats to bank",
    ]

    letter = receipt(house, *FLORENCE, *lines)

    assert part(letter, "MONEY") == [
        "Treasury: 10d",
        "to the bank 1+1d; leaves 8d",
        "borrowed 20d, 30d due Spring 1456; leaves 28d",
        "the bank collects 3+0d; leaves 25d",
        "E1 12d disband A Bologna (Papacy); leaves 13d",
        "price 12d; a unit is near enough",
        "E2 3d counter-bribe A Florence (Florence); leaves 10d",
        "raises the price of a bribe by 3d; a unit is near enough",
        "Left: 10d",
        "You owe the bank then:",
        "20+10d due Spring 1456",
        "Assassination chits: one on each power.",
    ]
    assert " ".join(part(letter, "WARNINGS")).count("[") == 1
    assert "A debt is due now" in part(letter, "WARNINGS")[0]
    assert "[Errors]" not in letter.subject


def test_a_price_is_spelled_out_with_its_doublings() -> None:
    """A garrison of militia in a major city: twelve ducats, twice, and twice again."""
    house = springtime(ducats=60)
    drilled(house, "ven", Quality.MILITIA)

    money = " ".join(part(receipt(house, "expense 1: disband G ven", power="A"), "MONEY"))

    assert "E1 48d disband G Venice (militia) (Venice); leaves 12d" in money
    assert "price 48d (12 x4 militia, major city); NO UNIT IS NEAR ENOUGH" in money


def test_the_odds_of_an_assassin_are_told() -> None:
    """On how many numbers of the die the leader dies."""
    money = part(receipt(springtime(), *FLORENCE, "e1: 24 d assassinate papacy"), "MONEY")

    assert money[1:3] == ["E1 24d assassinate Papacy; leaves 16d", "dies on 1-2 of 6"]


def test_reach_is_told_only_where_it_counts() -> None:
    """A game without adjacency has no word of it."""
    letter = receipt(springtime("noadjacency"), *FLORENCE, "e1: 18 d buy A mil")

    assert "price 18d" in part(letter, "MONEY")


def test_the_money_of_others_is_not_counted() -> None:
    """A gift that is on file elsewhere stays secret until the phase is played (BNK-11)."""
    house = springtime()
    order(house, "I", "give 10 ducats to florence")

    letter = receipt(house, *FLORENCE)

    assert part(letter, "MONEY")[0] == "Treasury: 40d"
    assert "Milan" not in letter.body


def test_a_gift_is_told_when_the_phase_is_played() -> None:
    """To everybody, with its sum."""
    house = springtime()
    order(house, "I", "give 10 ducats to florence")

    sent = results(house)

    assert len(sent) == 8
    assert all("Milan pays 10 ducats to Florence." in letter.body for letter in sent)
    assert house.view().state.treasuries[L] == 50


# --- warnings --------------------------------------------------------------------------------


@cases
def test_what_will_probably_fail_is_accepted_with_a_warning(line: str, says: str) -> None:
    """It is on file, its sentence stands below, and the subject tells of no error."""
    house = springtime()

    letter = receipt(house, *FLORENCE, line)

    assert len(house.view().order_sets[L].lines) == 4
    assert says in " ".join(part(letter, "WARNINGS")), letter.body
    assert "1 warning: accepted, but look below." in letter.body
    assert "[Errors]" not in letter.subject
    assert "NOT TAKEN" not in letter.body


def test_money_that_will_not_reach_is_warned_of_in_order() -> None:
    """The second expense gets what the first one leaves, the third nothing."""
    bribes = ["e1: 24 d buy A bol", "e2: 24 d buy A per", "e3: 3 d counter-bribe A flo"]

    letter = receipt(springtime(), *FLORENCE, *bribes)

    assert part(letter, "WARNINGS") == [
        "E2: the money does not reach, 16 ducats will be left for it.",
        "E2 will fail: less than the price. 16 ducats are gone all the same [EXP-01].",
        "E3: the money does not reach, nothing will be left for it.",
        "E3 will fail: less than the price.",
    ]


def test_a_debtor_is_told_that_he_gives_nothing() -> None:
    """BNK-07, in the receipt already."""
    house = springtime()
    indebted(house, "L", (10, 2, 1))

    letter = receipt(house, *FLORENCE, "give 3 ducats to milan")

    warning = " ".join(part(letter, "WARNINGS"))
    assert warning.endswith("nothing goes to powers while you owe the bank 12 ducats [BNK-07].")


def test_a_loan_that_cannot_be_paid_is_warned_of() -> None:
    """Before the bank does what it does."""
    house = springtime(ducats=5)
    indebted(house, "L", (20, 4, 0))

    letter = receipt(house, *FLORENCE)

    warning = " ".join(part(letter, "WARNINGS"))
    assert warning.startswith("The loans due now cannot be paid, 19 ducats are missing:")


@cases
def test_wasted_ducats_are_noticed(line: str, says: str) -> None:
    """Neither an error nor a warning: the expense works."""
    letter = receipt(springtime(), *FLORENCE, line)

    assert part(letter, "NOTICES")[0].startswith(says)
    assert "warning" not in letter.body


# --- units that one buys ---------------------------------------------------------------------


def test_orders_for_a_unit_that_is_bought_stand_apart() -> None:
    """They are kept, and no warning is needed (SYN-12)."""
    letter = receipt(springtime(), *FLORENCE, "A bol - mod", "e1: buy A bol")

    assert part(letter, "ORDERS ON FILE") == [
        "A Florence H",
        "A Arezzo H",
        "F Pisa H",
        "expense 1: buy A Bologna",
        "For units that you are buying:",
        "A Bologna - Modena",
    ]
    assert "WARNINGS" not in letter.body


def test_order_for_a_bought_unit_counts_only_if_the_purchase_works() -> None:
    """Bought, the army marches for Florence; counter-bribed, it does not."""
    sold, kept = springtime(), springtime()
    for house in (sold, kept):
        order(house, "L", *FLORENCE, "A bol - mod", "e1: 18 d buy A bol")
    order(kept, "P", "e1: 3 d counter-bribe A bol")

    results(sold)
    sent = results(kept)

    assert sold.view().state.field[PlaceId("mod")].owner == "L"
    assert kept.view().state.field[PlaceId("bol")].owner == "P"
    said = part(of(kept, sent, "L"), "YOUR ORDERS THAT DID NOT COUNT")
    assert said == ["A Bologna - Modena: not carried out, no unit of yours is there [SYN-12]."]
    assert "DID NOT COUNT" not in of(kept, sent, "P").body


def test_results_tell_the_new_owner_with_the_order_that_he_gave() -> None:
    """The unit stands below its buyer, with his order; the seller's is void (EXP-24)."""
    house = springtime()
    order(house, "L", *FLORENCE, "A bol - mod", "e1: 18 d buy A bol")
    order(house, "P", "A bol - fer", "A per h", "A rme h", "F anc h")

    told = results(house)
    (own,) = [each for each in told if each.to == "anna@player.example"]
    others = part(next(each for each in told if each.to == "lucia@player.example"), "OTHER POWERS")

    below = others[others.index("Florence") : others.index("Papacy")]
    assert "A Bologna - Modena" in below
    assert "Done: A Bologna - Modena" in part(own, "YOUR ORDERS")
    assert "A Bologna - Ferrara" not in others


# --- changes of mind -------------------------------------------------------------------------


@cases
def test_a_later_text_replaces_the_earlier_one(first: str, second: str, left: list[str]) -> None:
    """For the same number, term, payee, ally or province (SYN-10)."""
    house = springtime()
    rules = house.game().rules
    for name in ("trade_provinces", "scorched_earth", "bribe_permission"):
        rules = with_option(rules, name, value=True)
    house.store.tables.games[house.game().id] = replace(house.game(), rules=rules)
    order(house, "L", first)

    order(house, "L", second)

    canonical = [line.canonical for line in house.view().order_sets[L].lines]
    assert canonical[: len(left)] == left
    assert all(line.startswith("borrow 0") for line in canonical[len(left) :])


def test_a_line_that_replaces_another_of_the_same_mail_is_noticed() -> None:
    """It may be a slip of the hand."""
    letter = receipt(springtime(), *FLORENCE, "e1: 18 d buy A bol", "e1: 18 d buy A per")

    assert part(letter, "NOTICES") == [
        "Line 6 replaces line 5: expense 1: 18 ducats buy A Bologna.",
    ]


# --- what is not taken -----------------------------------------------------------------------


@cases
def test_bad_input_gets_its_one_sentence(line: str, says: str) -> None:
    """The line is not on file, costs no other one, and the subject says so."""
    house = springtime()

    letter = receipt(house, *FLORENCE, line)

    assert len(house.view().order_sets[L].lines) == 3
    said = [each for each in part(letter, "NOT TAKEN") if each.startswith(says)]
    assert len(said) == 1, letter.body
    assert letter.subject.startswith("Re: [Errors]")


def test_the_dead_cannot_be_paid_and_their_death_is_no_news() -> None:
    """A gift is refused; an assassin is accepted, warned of, and wasted (ASN-15, BNK-21)."""
    house = springtime()
    position(house, eliminated=frozenset({PowerId("T")}))

    letter = receipt(house, *FLORENCE, "pay 3 d to turkey", "e1: 12 d assassinate turkey")

    assert "That power is eliminated [BNK-21]." in part(letter, "NOT TAKEN")
    assert part(letter, "WARNINGS")[0].startswith("E1 will fail: that power is eliminated.")


def test_the_bank_lends_nothing_after_a_default() -> None:
    """BNK-10: refused when the line is read."""
    house = springtime()
    position(house, defaulted=frozenset({L}))

    letter = receipt(house, *FLORENCE, "borrow 5 d for 1 year")

    assert "The bank lends you nothing more after a default [BNK-10]." in part(letter, "NOT TAKEN")


def test_an_assassin_without_a_chit_is_warned_of() -> None:
    """ASN-01: the order would fail, and the money is lost."""
    house = springtime()
    position(house, chits={L: (PowerId("V"),)})

    letter = receipt(house, *FLORENCE, "e1: 12 d assassinate milan")

    assert part(letter, "WARNINGS")[0].startswith("E1 will fail: no chit for that leader.")
    assert part(letter, "MONEY")[-1] == "Assassination chits: Venice"


@pytest.mark.parametrize("line", ["borrow 5 d for 1 year", "e1: 12 d assassinate milan"])
def test_a_game_without_dice_has_no_bank_and_no_assassins(line: str) -> None:
    """SET-04: nodice switches them off."""
    letter = receipt(springtime("nodice"), *FLORENCE, line)

    assert any("played without that" in said for said in part(letter, "NOT TAKEN"))


def test_a_game_without_dice_shows_its_incomes_as_fixed() -> None:
    """INC-14: each die is a 4 in odd years."""
    house = House()
    house.start(options=["nodice"], keep_mails=True)

    (letter,) = [each for each in house.mails_out() if each.to == "anna@player.example"]
    assert "Florence: dice 4 and 4 (fixed) bring 6 ducats" in part(letter, "VARIABLE INCOME")


def test_an_expense_on_a_unit_of_another_power_than_it_names_says_whose_it_is() -> None:
    """The receipt repeats the power that was written, and warns if it is not the unit's."""
    house = springtime()
    wrong = order(house, "L", "e1: 12 d disband Venetian A bol")[0].body
    right = order(house, "L", "e1: 12 d disband Papal A bol")[0].body
    warned = "E1: the unit there is A Bologna (Papacy), and it is meant whatever power you name."

    assert "expense 1: 12 ducats disband Venetian A Bologna" in wrong
    assert warned in " ".join(wrong.split())
    assert "expense 1: 12 ducats disband Papal A Bologna" in right
    assert "whatever power you name" not in right
