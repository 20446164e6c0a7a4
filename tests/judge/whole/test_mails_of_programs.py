"""Every mail of the corpus with plain orders gets them on file, whatever its program has done."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PowerId
from tests.judge.house import House, started
from tests.judge.letters_in import deliver
from tests.mail_parser.mails import Case, corpus

ORDERS = ("SIGNON Lborgia tulip9", "A Flo H", "A Are - Per", "F Psa C G")
PLAIN = (ORDERS, (*ORDERS, "SIGNOFF"))
NOT_PLAIN = ("closing_then_order", "several_from", "two_from_fields")
"""One holds an order that is not read; the others name two senders, and are not obeyed."""
CASES = [
    case
    for case in corpus()
    if case.kind != "ignore" and case.lines in PLAIN and case.name not in NOT_PLAIN
]
LUCIA = "lucia@player.example"


@pytest.fixture
def house() -> House:
    """1454 without money, in its first Spring; Lucia leads Florence with the password tulip9."""
    house = started("nomoney")
    game = house.game()
    password = house.services.passwords.hash("tulip9")
    seats = tuple(
        replace(seat, password=password, address=LUCIA) if "L" in seat.powers else seat
        for seat in game.seats
    )
    house.store.tables.games[game.id] = replace(game, seats=seats)
    return house


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_orders_are_on_file_without_an_error(house: House, case: Case) -> None:
    """The receipt says that all are in; nothing around them is an error or holds the phase up."""
    letters = deliver(house, case.raw, LUCIA)
    body = next(letter.body for letter in letters if letter.to == LUCIA)
    order_set = house.view().order_sets[PowerId("L")]

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "NOT TAKEN" not in body
    assert not order_set.flawed
