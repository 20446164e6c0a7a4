"""Whoever wants it is forgotten: by a token at the address on file, once they play nowhere."""

import re
from collections.abc import Sequence

import pytest

from machjudge.judge.mails import Outgoing
from machjudge.judge.records import Person, Status
from tests.judge.house import House
from tests.judge.letters_in import message_to, reply, write

ANNA, LUCIA = "anna@player.example", "lucia@player.example"
STRANGER = "somebody@else.example"


@pytest.fixture
def house() -> House:
    """A game that has begun, at a judge that confirms addresses."""
    house = House(confirm=True)
    house.start(options=["nodice", "nomoney"])
    return house


def token_in(letters: Sequence[Outgoing], to: str = ANNA) -> str:
    """The token in a message."""
    line = re.compile(r"^  CONFIRM (\S+)$", re.MULTILINE)
    found = [line.search(each.body) for each in letters if each.to == to]
    (token,) = [each[1] for each in found if each is not None]
    return token


def asked(house: House) -> str:
    """The token that Anna gets when she asks to be forgotten."""
    return token_in(write(house, ANNA, "FORGET ME"))


def anna(house: House) -> Person:
    """What is known of the third person who came here."""
    return [*house.store.tables.persons.values()][2]


def text_of(letter: Outgoing) -> str:
    """Its text in one line."""
    return " ".join(letter.body.split())


def test_a_token_goes_to_the_address_on_file_and_nowhere_else(house) -> None:
    """The answer is the same, whether the address is known or not."""
    known, unknown = write(house, ANNA, "FORGET ME"), write(house, STRANGER, "FORGET ME")

    assert {each.to for each in known} == {ANNA}
    assert token_in(known)
    told = "If your address is known here, a token goes to your addresses on file"
    assert told in " ".join(text_of(each) for each in known)
    assert told in text_of(message_to(unknown, STRANGER))
    assert not any("CONFIRM" in each.body for each in unknown)


def test_anyone_who_has_a_seat_leaves_it_first(house) -> None:
    """The games are named, and nothing is removed."""
    token = asked(house)

    (told,) = write(house, ANNA, f"CONFIRM {token}")

    assert "First leave Borgia: RESIGN gives a seat up" in text_of(told)
    assert anna(house).addresses == (ANNA,)


def test_name_and_addresses_go_and_the_game_plays_on(house) -> None:
    """After a resignation; the same token works then, from any address."""
    token = asked(house)
    message = write(house, ANNA, "SIGNON Lborgia pwL")[0]
    reply(house, message, "RESIGN")
    (seat,) = [seat for seat in house.game().seats if "L" in seat.powers]
    assert (seat.person, seat.address) == (None, ANNA)

    sent = write(house, STRANGER, f"CONFIRM {token}")

    assert "You are forgotten" in text_of(message_to(sent, STRANGER))
    assert (anna(house).name, anna(house).addresses) == ("(forgotten)", ())
    (seat,) = [seat for seat in house.game().seats if "L" in seat.powers]
    assert (seat.person, seat.former, seat.address, seat.password) == (None, None, "", "")
    results = write(house, LUCIA, "SIGNON Mborgia masterkey", "PROCESS", "YES")
    assert not any(each.to in ("", ANNA) for each in results)


def test_a_game_that_is_over_stays_without_the_name(house) -> None:
    """Its listing and its log are shown to the others as before."""
    token = asked(house)
    house.change(status=Status.FINISHED)

    write(house, ANNA, f"CONFIRM {token}")

    assert all(seat.person != anna(house).id for seat in house.game().seats)
    shown = write(house, LUCIA, "SIGNON Mborgia masterkey", "LIST", "WHO", "HISTORY")
    assert shown[0].to == LUCIA
    assert "Anna" not in shown[0].body


def test_anyone_who_is_forgotten_may_come_again(house) -> None:
    """As somebody new, by the same name and from the same address."""
    token = asked(house)
    house.change(status=Status.FINISHED)
    write(house, ANNA, f"CONFIRM {token}")

    (told,) = write(house, ANNA, "REGISTER", "Name: Anna", "END")

    assert told.to == ANNA
    assert len(house.store.tables.persons) == len({*house.store.tables.persons})


def test_a_token_is_worth_something_once_and_for_a_day(house) -> None:
    """And only what it is for."""
    token = asked(house)
    house.later(days=2)

    (told,) = write(house, ANNA, f"CONFIRM {token}")

    assert "That token is not valid" in text_of(told)


def test_the_answer_hides_the_token(house) -> None:
    """Like every other."""
    token = asked(house)

    assert not any(token in each.body for each in write(house, ANNA, f"CONFIRM {token}"))
