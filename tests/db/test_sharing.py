"""Shared dice come back from a database as they were put in."""

from dataclasses import replace
from datetime import timedelta

import pytest

from machjudge.judge.records import RandomWord, SharedDice
from tests.db.examples import GAME, LUCIA, NOW, OTTO

WORDS = (RandomWord(3, "tulip"), RandomWord(2, "Càrdinal \u2603"))


@pytest.mark.parametrize(
    "shared",
    [
        None,
        SharedDice(),
        SharedDice(until=NOW + timedelta(days=3)),
        SharedDice(WORDS, NOW, published=True),
    ],
)
def test_shared_dice_come_back_whole(house, shared: SharedDice | None) -> None:
    """With the words in their order, and the key that follows from them."""
    game = replace(GAME, shared=shared)
    with house.store().writing() as uow:
        uow.games.add(game)
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.commit()

    with house.store().reading() as uow:
        found = uow.games.get(GAME.id)

    assert found is not None
    assert found.shared == shared
    assert found.key == game.key
