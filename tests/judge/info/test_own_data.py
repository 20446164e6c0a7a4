"""Whoever proves who they are gets all that is known of them, at their address on file."""

import json

import pytest

from machjudge.judge.mails import Outgoing
from tests.judge.house import House, started
from tests.judge.letters_in import message_to, reply, write

ANNA = "anna@player.example"
COMMAND = "SEND MY DATA"


@pytest.fixture
def house() -> House:
    """A game that has begun, at a judge that confirms addresses."""
    house = House(confirm=True)
    house.start()
    return house


def file_in(letters: list[Outgoing]) -> dict[str, object]:
    """The file in the only message that has one."""
    ((file,),) = [each.attachments for each in letters if each.attachments]
    assert (file.name, file.media_type) == ("my-data.json", "application/json")
    return json.loads(file.content)


def test_an_answer_to_a_message_brings_the_file(house) -> None:
    """With name, addresses and seats; no password is in it, and no code."""
    message = write(house, ANNA, "SIGNON Lborgia pwL")[0]

    sent = reply(house, message, COMMAND)

    known = file_in(sent)
    assert known["person"] == {
        "name": "Anna",
        "addresses": [ANNA],
        "time zone": "Europe/Rome",
        "registered": house.now.isoformat(),
    }
    assert [seat["game"] for seat in known["seats"]] == ["Borgia"]
    assert {each.to for each in sent} == {ANNA}
    assert "pwL" not in json.dumps(known)


def test_it_goes_to_the_address_on_file_no_matter_who_asks(house) -> None:
    """A message that was passed on gives nobody the data of its reader."""
    message = write(house, ANNA, "SIGNON Lborgia pwL")[0]

    sent = reply(house, message, COMMAND, sender="mallory@else.example")

    assert [each.to for each in sent if each.attachments] == [ANNA]


@pytest.mark.parametrize("lines", [(COMMAND,), ("SIGNON Lborgia pwL", COMMAND)])
def test_neither_an_address_nor_a_password_is_enough(house, lines) -> None:
    """Anybody can write any From, and a password is that of a seat."""
    sent = write(house, ANNA, *lines)

    assert not any(each.attachments for each in sent)
    told = " ".join(message_to(sent, ANNA).body.split())
    assert "write SEND MY DATA in an answer to a message of the judge" in told


def test_where_addresses_are_believed_the_address_is_enough() -> None:
    """In a closed network (confirm = off)."""
    house = started()

    assert file_in(write(house, ANNA, COMMAND))["person"]["name"] == "Anna"


def test_a_stranger_is_known_by_nothing(house) -> None:
    """And gets no file."""
    sent = write(house, "nobody@else.example", COMMAND)

    assert not any(each.attachments for each in sent)
