"""Somebody who leads two powers from one address answers results that have the lines of both."""

from dataclasses import replace

import pytest

from machjudge.judge.mails import Outgoing
from tests.judge.house import House, on_file
from tests.judge.letters_in import answer, reply, results_to
from tests.judge.year import OPENING, play

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


def quoted(letter: Outgoing, *pairs: tuple[str, str]) -> list[str]:
    """The message in a quotation, with some of its lines changed."""
    rows = letter.body.splitlines()
    for old, new in pairs:
        rows[rows.index(old)] = new
    return ["On Fri, Nov 20, 2026 at 1:00 PM MACH judge wrote:", *(f"> {row}" for row in rows)]


def test_a_changed_line_of_the_other_power_counts(house, letter) -> None:
    """The message has the lines of both, and its code is that of somebody who leads both."""
    reply(house, letter, *quoted(letter, ("A Padua H", "A Padua - Ferrara")))

    assert "A pad - fer" in on_file(house, "V")
    assert on_file(house, "I") == []


def test_changed_lines_of_both_powers_count(house, letter) -> None:
    """Each for the power whose unit it orders."""
    pairs = [("A Padua H", "A Padua - Ferrara"), ("A Milan H", "A Milan - Pavia")]
    reply(house, letter, *quoted(letter, *pairs))

    assert "A pad - fer" in on_file(house, "V")
    assert "A mil - pav" in on_file(house, "I")


def test_what_is_typed_above_is_for_the_power_that_speaks(house, letter) -> None:
    """A changed line for the other power does not take it along."""
    changed = quoted(letter, ("A Padua H", "A Padua - Ferrara"))
    reply(house, letter, "A Milan - Pavia", "", *changed)

    assert "A pad - fer" in on_file(house, "V")
    assert "A mil - pav" in on_file(house, "I")


def test_what_the_answer_says_to_do_is_enough(house, letter) -> None:
    """The line above, and the order as it was changed."""
    body = answer(reply(house, letter, "FOR Venice", "A Padua - Ferrara"), LUCIA)

    assert "NOT TAKEN" not in body
    assert "  A Padua - Ferrara" in body
