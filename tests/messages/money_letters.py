"""Letters about ducats, each as the mail that one reader gets."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from machjudge.adjudicator.names import PlaceId, PowerId
from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.riches import indebted, position, springtime
from tests.judge.year import address_of, order, play
from tests.messages.clock_letters import text_of

ANNA = "anna@player.example"
SPENDING: Mapping[str, list[str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)["spending"]
"""A Spring in which everybody spends; Naples cannot pay the bank."""


@built_once
def _rich_spring() -> House:
    house = springtime(ducats=30)
    state = house.view().state
    position(house, treasuries={**state.treasuries, PowerId("L"): 70, PowerId("N"): 8})
    indebted(house, "N", (15, 3, 0))
    book = house.view().state.loans
    indebted(house, "T", (8, 2, 1))
    position(house, loans=(*book, *house.view().state.loans))
    return house


def receipt_money() -> str:
    house = _rich_spring()
    lines = [*SPENDING["L"], "A mod h", "e4: 10 d famine relief sie", "give 3 d to naples"]
    return text_of(order(house, "L", *lines), ANNA)


def receipt_bad_money() -> str:
    house = _rich_spring()
    lines = [
        "A flo h",
        "borrow -5 for 1 year",
        "pay lots to milan",
        "e5: 12 d buy A bol",
        "e1: 12 d buy A flo",
        "give 5 d to Sicily",
        "e2: assassinate florence",
        "e3: 12 d disband G mod",
        "e3: 7 d disband G mod",
    ]
    return text_of(order(house, "L", *lines), ANNA)


def receipt_loan_due() -> str:
    house = _rich_spring()
    lines = ["A bar h", "give 5 d to milan", "borrow 12 d for 1 year", "e1: 3 d relief bar"]
    return text_of(order(house, "N", *lines), address_of(house, "N"))


def chit_given() -> str:
    return text_of(order(springtime(), "L", "A flo h", "give turkey to naples"), ANNA)


def results_expenses() -> str:
    return text_of(play(_rich_spring(), SPENDING), ANNA, "Results")


def results_plague() -> str:
    """Famine takes its units at the end of Spring, plague strikes after it."""
    house = springtime("plague")
    position(house, famine=frozenset(PlaceId(place) for place in ("bol", "bar", "swi")))
    quiet = {p: tuple(x for x in lines if " h" in x) for p, lines in SPENDING.items()}
    moves = {
        **quiet,
        "I": ("A mil h", "A pav h", "A cre h"),
        "L": ("A flo h", "A are h", "F psa h"),
    }
    moves["V"] = ("A pad h", "A ver h", "F dal h", "G ven h")
    moves["P"] = ("A bol h", "A per h", "A rme h", "F anc h", "e1: relief bol")
    return text_of(play(house, moves), address_of(house, "P"), "Results")


def started_without_dice() -> str:
    house = House()
    house.start(options=["nodice"], keep_mails=True)
    return text_of(house.mails_out(), ANNA)


def listing_with_debts() -> str:
    house = _rich_spring()
    sent = write(house, ANNA, "SIGNON Lborgia pwL", "LIST")
    return text_of(sent, ANNA)


MONEY_LETTERS: dict[str, Callable[[], str]] = {
    "receipt_money": receipt_money,
    "receipt_bad_money": receipt_bad_money,
    "receipt_loan_due": receipt_loan_due,
    "chit_given": chit_given,
    "results_expenses": results_expenses,
    "results_plague": results_plague,
    "started_without_dice": started_without_dice,
    "listing_with_debts": listing_with_debts,
}
