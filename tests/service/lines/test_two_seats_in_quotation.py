"""Somebody who leads two powers from one address answers results that have the lines of both."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.ports.mails import Outgoing
from tests.service.house import House
from tests.service.letters_in import answer, reply, results_to
from tests.service.year import OPENING, play

LUCIA = "lucia@player.example"


@pytest.fixture
def house() -> House:
    """1454 before its first adjustment; Lucia leads Milan from one seat and Venice from another."""
    house = House()
    game = house.start(options=["nodice"])
    milan = next(seat for seat in game.seats if seat.powers == ("I",))
    seats = tuple(
        replace(seat, address=LUCIA, person=milan.person) if seat.powers == ("V",) else seat
        for seat in game.seats
    )
    house.store.tables.games[game.id] = replace(game, seats=seats)
    return house


@pytest.fixture
def letter(house) -> Outgoing:
    """The results with the lines to send back of both."""
    return results_to(play(house, OPENING), LUCIA)


def test_a_changed_line_of_the_other_power_is_named_with_the_line_that_belongs_above_it(
    house, letter
) -> None:
    """The reply code opens one seat; nothing of the other power is taken from a quotation."""
    rows = letter.body.splitlines()
    rows[rows.index("A Padua H")] = "A Padua - Ferrara"
    quoted = ["On Fri, Nov 20, 2026 at 1:00 PM MACH judge wrote:", *(f"> {row}" for row in rows)]
    body = answer(reply(house, letter, *quoted), LUCIA)

    assert "without >. For Venice, a line FOR Venice belongs above it." in " ".join(body.split())
    assert PowerId("V") not in house.situation().sheets


def test_what_the_answer_says_to_do_is_enough(house, letter) -> None:
    """The line above, and the order as it was changed."""
    body = answer(reply(house, letter, "FOR Venice", "A Padua - Ferrara"), LUCIA)

    assert "NOT TAKEN" not in body
    assert "  A Padua - Ferrara" in body
