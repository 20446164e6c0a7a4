"""Dice as JSON: given by purpose, or following from a secret."""

from typing import Any

import pytest

from machjudge.adjudicator.dice import DiceMissing, SecretDice, Throw
from machjudge.adjudicator.moments import read_moment
from machjudge.formats.position import read_dice
from machjudge.formats.values import Unfit
from tests.cases import cases

MOMENT = read_moment("F1454R")
assert MOMENT is not None


def test_given_dice_are_found_by_their_purpose() -> None:
    """Also where the list has the throw under another name than the secret."""
    dice = read_dice({"famine row": [3, 4], "assassination A E2": [6]}, MOMENT)

    assert dice.roll(Throw("famine row", 2)) == (3, 4)
    assert dice.roll(Throw("assassination A L", given_as="assassination A E2")) == (6,)
    with pytest.raises(DiceMissing, match="'famine column' are needed"):
        dice.roll(Throw("famine column", 2))


def test_another_number_of_dice_than_is_thrown_is_refused_as_that() -> None:
    """Too many, or too few."""
    dice = read_dice({"income milan": [3, 3], "income venice": [3]}, MOMENT)

    with pytest.raises(DiceMissing, match="'income milan' is thrown with one die, not with 2"):
        dice.roll(Throw("income milan"))
    with pytest.raises(DiceMissing, match="'income venice' is thrown with 2 dice, not with 1"):
        dice.roll(Throw("income venice", 2))


def test_a_secret_throws_for_the_phase_that_is_played() -> None:
    """The phase of the position is part of every throw."""
    throw = Throw("income milan")

    dice = read_dice({"secret": "0a" * 32}, MOMENT)

    assert dice.roll(throw) == SecretDice(bytes([10] * 32), "F1454R").roll(throw)


@cases
def test_what_are_no_dice_is_refused(value: Any, where: str, says: str) -> None:
    """The path leads to the die."""
    with pytest.raises(Unfit) as unfit:
        read_dice(value, MOMENT)

    assert unfit.value.where == where
    assert says in unfit.value.says
