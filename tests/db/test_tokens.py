"""Tokens in the database."""

from dataclasses import replace
from datetime import timedelta

import pytest

from machjudge.judge.credentials import Token, TokenPurpose
from machjudge.judge.faults import Stale
from tests.db.examples import LUCIA, NOW

TOKEN = Token(
    "ab12", TokenPurpose.UNDO, LUCIA.id, NOW, NOW + timedelta(hours=24), address="l@x.example"
)


def test_tokens_are_kept_until_they_are_used(house) -> None:
    """Every field of them."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.tokens.add(TOKEN)
        uow.commit()

    with house.store().writing() as uow:
        assert uow.tokens.token("ab12") == TOKEN
        assert list(uow.tokens.made_since(TOKEN.person, NOW)) == [TOKEN]
        assert list(uow.tokens.made_since(TOKEN.person, NOW + timedelta(seconds=1))) == []
        uow.tokens.drop("ab12")
        assert uow.tokens.token("ab12") is None


def test_a_token_is_kept_once(house) -> None:
    """Two of the same hash would open for two."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.tokens.add(TOKEN)
        with pytest.raises(Stale):
            uow.tokens.add(TOKEN)


def test_tokens_that_ended_long_ago_go(house) -> None:
    """The table does not grow for ever."""
    later = replace(
        TOKEN, hashed="cd34", made=NOW + timedelta(days=30), until=NOW + timedelta(days=31)
    )
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.tokens.add(TOKEN)
        uow.tokens.add(later)
        assert uow.tokens.token("ab12") is None
        assert uow.tokens.token("cd34") == later
