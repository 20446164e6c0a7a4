"""Whose address counts as out of reach, and what ends that."""

from dataclasses import replace

import pytest

from machjudge.judge.mails import LetterId, return_tag
from machjudge.judge.people import new_person
from machjudge.judge.records import AddressStanding
from machjudge.judge.secret import fixed
from tests.judge.house import House
from tests.judge.letters_in import deliver, letter_to, raw_mail, work, write
from tests.judge.returned import HARD, SOFT, SPAM, come_back, report

ANNA = "anna@player.example"
GINA = "gina@player.example"
LUCIA = "lucia@player.example"


def begun() -> House:
    """A game with a master who does not play; addresses have to be confirmed."""
    house = House(confirm=True)
    game = house.start()
    gina = new_person(house.services, GINA, "Gina", house.now)
    seat = replace(game.seats[0], person=gina.id, address=GINA)
    changed = replace(game, master=gina.id, seats=(seat, *game.seats[1:]))
    house.store.tables.games[game.id] = changed
    house.store.tables.persons[gina.id] = replace(gina, standing=AddressStanding.CONFIRMED)
    return house


def scores(house: House, address: str) -> list[int]:
    """The scores of the addresses of whoever owns one, in halves."""
    with house.store.reading() as uow:
        return [each.halves for each in uow.persons.by_address(address).bounces]


@pytest.mark.parametrize(("status", "halves"), [(HARD, [2]), (SOFT, [1]), (SPAM, [])])
def test_a_report_counts_against_the_address_of_its_message(status, halves) -> None:
    """Not against anybody else's, and one refused as spam against nobody's."""
    house = begun()
    come_back(house, ANNA, status)

    assert (scores(house, ANNA), scores(house, LUCIA)) == (halves, [])


def test_a_message_comes_back_once() -> None:
    """Who has a report cannot send it again the next day."""
    house = begun()
    come_back(house, ANNA, SOFT)
    house.later(days=1)
    come_back(house, ANNA, SOFT)

    assert scores(house, ANNA) == [1]


def test_a_forged_report_counts_against_nobody() -> None:
    """Its sender knows the address and the number of the message, and no seal."""
    house = begun()
    newest = LetterId(len(house.store.tables.posted))
    tag = return_tag(fixed(bytes(32)), newest)
    for sender, to in (("", tag), ("", f"bounce.{newest}"), (LUCIA, tag)):
        house.store.receive(report(HARD), sender, house.now, recipient=f"judge+{to}@mach.example")
    work(house)

    assert [scores(house, to) for to in (ANNA, LUCIA)] == [[], []]


def test_a_mail_that_proves_its_writer_ends_it() -> None:
    """Orders with the password do; a mail that only says from whom it is does not."""
    house = begun()
    come_back(house, ANNA, HARD)
    left = []
    for lines in (["PING"], ["SIGNON Lborgia wrong"], ["SIGNON Lborgia pwL", "DRY"]):
        write(house, ANNA, *lines)
        left.append(scores(house, ANNA))
    write(house, ANNA, "SIGNON Lborgia pwL")

    assert (left, scores(house, ANNA)) == ([[2]] * 3, [])


def test_a_verified_sender_is_there() -> None:
    """A mail whose server has signed for its sender proves who they are."""
    house = begun()
    come_back(house, ANNA, HARD)
    raw = raw_mail(ANNA, ["PING"])
    house.services.senders.verified.add(ANNA)
    deliver(house, raw, ANNA)

    assert scores(house, ANNA) == []


def test_a_master_in_the_name_of_a_player_does_not_end_it() -> None:
    """It is the master who writes."""
    house = begun()
    come_back(house, ANNA, HARD)
    answers = write(house, GINA, "SIGNON Mborgia masterkey", "BECOME L", "SET WAIT")

    assert "NOT TAKEN" not in letter_to(answers, GINA).body
    assert scores(house, ANNA) == [2]
