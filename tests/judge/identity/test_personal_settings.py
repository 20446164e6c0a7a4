"""Settings that hold for a person at all games need more than the password of one seat."""

import pytest

from machjudge.judge.records import Person
from tests.judge.house import House
from tests.judge.letters_in import Carrier, answer, message_to, reply, write

MARCO, NEMO = "marco@player.example", "nemo@evil.example"
SIGNON = "SIGNON VBorgia pwV"
SETTINGS = (
    ("SET NOTIFY DAILY 7",),
    ("SET LANGUAGE italian",),
    ("SET HTML OFF",),
    ("SET PICTURES OFF",),
    ("SET JSON ON",),
    ("SET CALENDAR OFF",),
    ("SET TIMEZONE Tokyo",),
    ("REGISTER", "Name: Doge", "END"),
)


@pytest.fixture
def house() -> House:
    """A game that is played, whose judge believes no From."""
    made = House(confirm=True)
    made.start()
    return made


def marco(house: House) -> Person:
    """Who leads Venice."""
    return next(p for p in house.store.tables.persons.values() if MARCO in p.addresses)


@pytest.mark.parametrize("lines", SETTINGS, ids=" ".join)
def test_the_password_of_one_seat_sets_nothing_of_its_person_from_elsewhere(
    house: House, lines: tuple[str, ...]
) -> None:
    """The answer says what is needed, and an order beside it counts."""
    before = marco(house)
    told = " ".join(answer(write(house, NEMO, SIGNON, *lines, "maintain A pad"), NEMO).split())

    assert marco(house) == before
    words = ("reply to one of my messages", "rispondi a uno dei miei messaggi")
    assert any(each in told for each in words)
    assert [line.canonical for line in house.view().order_sets["V"].lines] == ["maintain A pad"]


@pytest.mark.parametrize("lines", SETTINGS, ids=" ".join)
@pytest.mark.parametrize("proof", ["an address on file", "a reply code", "a verified sender"])
def test_a_code_the_sender_or_an_address_on_file_sets_them(
    house: House, lines: tuple[str, ...], proof: str
) -> None:
    """Each is enough; with a code it does not matter from where."""
    before = marco(house)
    if proof == "a reply code":
        asked = message_to(write(house, MARCO, SIGNON), MARCO)
        reply(house, asked, *lines, sender=NEMO, carrier=Carrier.ADDRESS)
    elif proof == "a verified sender":
        house.services.senders.verified = {MARCO}
        write(house, MARCO, *lines)
    else:
        write(house, MARCO, SIGNON, *lines)

    assert marco(house) != before


def test_the_address_of_a_seat_is_still_moved_by_its_password(house: House) -> None:
    """It is asked there, and the one before it is told."""
    sent = write(house, NEMO, SIGNON, f"SET ADDRESS {NEMO}")
    told = [" ".join(each.body.split()) for each in sent if each.to == NEMO]

    assert any("reply to it, and the mails of this game go there" in each for each in told)
