"""Substitutes: who offers, who is asked for an open seat, and what their answer does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person
from machjudge.judge.records import AddressStanding, Attendance, Role, Seat
from tests.judge.game.test_attendance import hold_all
from tests.judge.house import House, seat_of
from tests.judge.letters_in import answer, reply, tick, write
from tests.judge.phases.test_mastering import GINA, master, ruled, said
from tests.judge.returned import HARD, come_back
from tests.judge.year import order

FLORA, PIETRO = "flora@far.example", "pietro@far.example"
MARCO = "marco@player.example"
ALL = "IVLPNTAF"
OFFERED = ((FLORA, "OFFER SUBSTITUTE"),)


def asking(
    *more: str, offers: tuple[tuple[str, str], ...] = ((FLORA, "OFFER SUBSTITUTE"),)
) -> House:
    """A game that asks substitutes, each for a day, and some who have offered."""
    house = ruled("nomoney")
    for address, name in ((FLORA, "Flora"), (PIETRO, "Pietro")):
        person = new_person(house.services, address, name, house.now)
        known = replace(person, standing=AddressStanding.CONFIRMED)
        house.store.tables.persons[person.id] = known
    for address, line in offers:
        house.later(minutes=1)
        write(house, address, line)
    master(house, "SET SUBSTITUTES 24", *more)
    house.mails_out()
    return house


def abandon(house: House, power: str = "V") -> list[Outgoing]:
    """A player resigns; what comes of it."""
    return [*order(house, power, "RESIGN"), *tick(house)]


def requests(letters: list[Outgoing]) -> list[Outgoing]:
    """The questions to substitutes among messages."""
    return [each for each in letters if "will you lead" in each.subject]


def holder(house: House, power: str) -> str:
    """The name of a power's player; empty for none."""
    person = seat_of(house, power).person
    return house.store.tables.persons[person].name if person is not None else ""


def test_substitute_who_says_yes_leads_the_seat() -> None:
    """The orders below that word count, and everybody is told."""
    house = asking()
    (asked,) = requests(abandon(house))
    sent = reply(house, asked, "Yes\n\nA pad H\nA ver H\nF dal H\nG ven H")
    own = " ".join(answer(sent, FLORA).split())

    assert asked.to == FLORA
    assert "Venice has no player in Borgia." in " ".join(asked.body.split())
    assert "You lead Venice now" in own
    assert "COMPLETE: all orders of Venice are on file." in own
    assert holder(house, "V") == "Flora"
    assert any("Flora" in m.body for m in sent if m.to == "anna@player.example")
    assert house.game().seating.asked == ()


def test_request_tells_nothing_that_the_seat_alone_may_know() -> None:
    """Neither orders nor the name of the last player; the answer shows the orders on file."""
    house = asking("SET HIDDEN MONEY")
    order(house, "V", "A pad - fer", "A ver H")
    (asked,) = requests(abandon(house))

    assert "Ferrara" not in asked.body
    assert "Marco" not in asked.body
    assert "Ferrara" in answer(reply(house, asked, "Yes"), FLORA)


def test_next_is_asked_when_one_declines_or_is_silent() -> None:
    """In the order in which they offered, each once."""
    house = asking(offers=((PIETRO, "OFFER SUBSTITUTE"), (FLORA, "OFFER SUBSTITUTE borgia")))
    (first,) = requests(abandon(house))
    sent = reply(house, first, "No, sorry")
    (second,) = requests([*sent, *tick(house)])
    house.later(hours=23)
    early = tick(house)
    house.later(hours=1)
    tick(house)
    late = " ".join(answer(reply(house, second, "Maybe"), FLORA).split())

    assert (first.to, second.to) == (PIETRO, FLORA)
    assert "somebody else is asked" in " ".join(answer(sent, PIETRO).split())
    assert requests(early) == []
    assert "Answer YES" in late
    assert holder(house, "V") == ""
    assert requests(tick(house)) == []


def test_who_answers_late_takes_the_seat_as_long_as_nobody_has_it() -> None:
    """And reads that it is too late once somebody has."""
    house = asking(offers=((PIETRO, "OFFER SUBSTITUTE"), (FLORA, "OFFER SUBSTITUTE")))
    (first,) = requests(abandon(house))
    house.later(hours=24)
    (second,) = requests(tick(house))
    reply(house, first, "Yes")
    late = " ".join(answer(reply(house, second, "Yes"), FLORA).split())

    assert holder(house, "V") == "Pietro"
    assert "Too late: that seat has a player again" in late


def test_code_of_a_request_opens_its_seat_to_nobody_else() -> None:
    """Neither another seat, nor this one once it has changed hands."""
    house = asking()
    (asked,) = requests(abandon(house))
    write(house, PIETRO, "SIGNON Vborgia tulip9")
    sent = answer(reply(house, asked, "A pad H"), FLORA)

    assert holder(house, "V") == "Pietro"
    assert "Too late" in sent
    assert house.on_file("V") == []


@pytest.mark.parametrize("who", ["player", "former", "master"])
def test_who_has_or_had_a_seat_is_no_substitute(who: str) -> None:
    """They know what the seat must not; the offer for that game is refused."""
    house = asking(offers=())
    address = {"player": "anna@player.example", "former": MARCO, "master": GINA}[who]
    if who == "former":
        abandon(house)
        abandon(house, "T")
    refused = " ".join(answer(write(house, address, "OFFER SUBSTITUTE borgia"), address).split())
    write(house, address, "OFFER SUBSTITUTE")
    asked = requests([*abandon(house, "N"), *tick(house)])

    assert "a substitute must know no more than the seat" in refused
    assert asked == []


def test_reliable_people_are_asked_first() -> None:
    """A poor record comes last, whoever offered earlier; below what the game asks for, never."""
    house = asking(offers=((PIETRO, "OFFER SUBSTITUTE"), (FLORA, "OFFER SUBSTITUTE")))
    people = {each.name: each.id for each in house.store.tables.persons.values()}
    write(house, GINA, "CREATE ?sforza masterkey 1454")
    other = house.game("sforza")
    poor = replace(other, attendance=(Attendance(people["Pietro"], on_time=1, late=1),))
    house.store.tables.games[other.id] = poor
    (first,) = requests(abandon(house))
    master(house, "SET RELIABILITY 80")
    sent = reply(house, first, "no")

    assert first.to == FLORA
    assert requests([*sent, *tick(house)]) == []


def test_notice_and_bounces_keep_somebody_from_being_asked() -> None:
    """Who needs more time than there is, and whose messages come back."""
    house = asking(
        offers=((FLORA, "OFFER SUBSTITUTE NOTICE 400"), (PIETRO, "OFFER SUBSTITUTE NOTICE 24"))
    )
    write(house, PIETRO, "PING")
    house.store.tables.outbox.clear()
    (asked,) = requests(abandon(house))

    assert asked.to == PIETRO
    come_back(house, PIETRO, HARD)
    house.later(hours=25)
    assert requests(tick(house)) == []


def test_bot_waits_until_nobody_is_left_to_ask() -> None:
    """A substitute comes before a bot."""
    house = asking("SET VACANT BOT")
    (asked,) = requests(abandon(house))
    waiting = house.view().bots()
    reply(house, asked, "no")
    tick(house)

    assert waiting == frozenset()
    assert house.view().bots() == {"V"}


def test_offer_is_taken_back() -> None:
    """For one game, or for all; forgetting somebody takes all of them back."""
    house = asking(offers=((FLORA, "OFFER SUBSTITUTE"), (FLORA, "OFFER SUBSTITUTE borgia")))
    assert len(house.store.tables.substitutes) == 2
    write(house, FLORA, "OFFER NO SUBSTITUTE borgia")
    assert [each.game for each in house.store.tables.substitutes] == [""]
    write(house, FLORA, "OFFER NO SUBSTITUTE")

    assert house.store.tables.substitutes == []
    assert requests(abandon(house)) == []


def test_game_without_the_setting_asks_nobody() -> None:
    """The seat is open to all, as ever."""
    house = asking()
    master(house, "SET NOSUBSTITUTES")

    assert requests(abandon(house)) == []
    assert "asked to take an open seat, each for 24 hours" not in said(master(house, "LIST"))


def test_seat_lost_by_silence_is_offered_only_after_it_was_opened() -> None:
    """The old player may come back as long as nobody has said yes."""
    house = asking()
    master(house, "SET MOVES GRACE 24", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("V", ""))
    house.now = house.view().clock.deadline
    assert requests(tick(house)) == []
    grace = house.view().clock.grace
    assert grace is not None
    house.now = grace
    (asked,) = requests([*tick(house), *tick(house)])
    write(house, MARCO, "SIGNON Vborgia pwV")
    late = answer(reply(house, asked, "yes"), FLORA)

    assert holder(house, "V") == "Marco"
    assert "Too late" in late


def test_observer_who_reads_press_along_is_no_substitute() -> None:
    """Where observers read everything, they know more than the seat."""
    house = asking("SET WATCH ALL PRESS")
    game, flora = (
        house.game(),
        next(each for each in house.store.tables.persons.values() if each.name == "Flora"),
    )
    seat = Seat(20, Role.OBSERVER, flora.id, FLORA, "")
    house.change(seats=(*game.seats, seat))

    assert requests(abandon(house)) == []
    sent = master(house, "SET NOWATCH ALL PRESS")
    assert len(requests([*sent, *tick(house)])) == 1


def test_time_to_answer_is_looked_at_when_it_is_over() -> None:
    """A game that rests wakes for it."""
    house = asking(offers=((PIETRO, "OFFER SUBSTITUTE"), (FLORA, "OFFER SUBSTITUTE")))
    requests(abandon(house))
    house.later(hours=24)

    sent = requests(tick(house))
    assert [each.to for each in sent] == [FLORA]
    assert house.game().seating.asked[-1].until == house.now + timedelta(hours=24)


def rest_of(house: House) -> timedelta:
    """How long the judge looks at the game no more."""
    until = house.store.tables.rests[house.game().id]
    assert until is not None
    return until - house.now


def test_game_that_asks_nobody_is_looked_at_again_soon() -> None:
    """Somebody may offer themselves meanwhile; who is asked has a day."""
    house = asking(offers=())
    abandon(house)
    tick(house)
    assert rest_of(house) == timedelta(minutes=15)

    write(house, FLORA, "OFFER SUBSTITUTE")
    house.mails_out()
    (asked,) = requests(tick(house))
    assert asked.to == FLORA
    assert rest_of(house) == timedelta(hours=24)
