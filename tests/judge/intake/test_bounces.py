"""Whose address counts as out of reach, and what ends that."""

import re
from dataclasses import replace

import pytest

from machjudge.judge.mails import OutboxId, return_tag
from machjudge.judge.people import new_person
from machjudge.judge.records import AddressStanding
from machjudge.judge.secret import fixed
from tests.judge.house import House
from tests.judge.letters_in import deliver, message_to, raw_mail, work, write
from tests.judge.returned import (
    HARD,
    SOFT,
    SPAM,
    Returns,
    come_back,
    newest_to,
    report,
    report_with,
)

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
    """The scores of the addresses of the person who owns one, in halves."""
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
    newest = OutboxId(len(house.store.tables.posted))
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

    assert "NOT TAKEN" not in message_to(answers, GINA).body
    assert scores(house, ANNA) == [2]


# --- an envelope sender that is the judge's bare address ----------------------------------------


@pytest.mark.parametrize("envelope", ["", "mailer-daemon@mx.example"])
@pytest.mark.parametrize("returns", Returns)
def test_a_report_to_the_bare_address_is_known_by_what_it_returns(returns, envelope) -> None:
    """By a field of the judge, by the Message-ID, or by the reply code; each message once."""
    house = begun()
    raw = report_with(house, newest_to(house, ANNA), HARD, returns)
    sent = deliver(house, raw, envelope)

    assert (scores(house, ANNA), scores(house, LUCIA)) == ([2], [])
    assert [each.to for each in sent] == [GINA]
    house.later(days=1)
    assert deliver(house, raw.replace(b"<r", b"<again"), envelope) == []
    assert scores(house, ANNA) == [2]


@pytest.mark.parametrize("returns", Returns)
@pytest.mark.parametrize("change", ["delayed", "shown", "forged"])
def test_what_is_no_report_of_a_failure_counts_against_nobody(returns, change) -> None:
    """One of a delay, one that a person shows, one about a message that was never sent."""
    house = begun()
    letter = newest_to(house, ANNA)
    raw = report_with(house, letter, HARD, returns)
    if change == "delayed":
        raw = raw.replace(b"Action: failed", b"Action: delayed")
    elif change == "shown":
        raw = raw.replace(b"multipart/report", b"multipart/mixed")
    else:
        raw = re.sub(rb"[a-z2-7]{26}", b"a" * 26, raw)
        raw = re.sub(rb"(bounce\.[a-z2-7]{8}\.)[a-z2-7]{16}", rb"\1" + b"a" * 16, raw)
    deliver(house, raw, "")

    assert [scores(house, to) for to in (ANNA, LUCIA)] == [[], []]


@pytest.mark.parametrize("returns", [Returns.WHOLE, Returns.CODE])
def test_a_report_does_nothing_of_what_the_message_says(returns) -> None:
    """Though the reply code of a seat stands in it, and lines of orders."""
    house = begun()
    letter = newest_to(house, ANNA)
    ordering = replace(letter, outgoing=replace(letter.outgoing, body="A flo - pst\nSET WAIT\n"))
    deliver(house, report_with(house, ordering, HARD, returns), "")

    assert house.on_file("L") == []
    assert scores(house, ANNA) == [2]
