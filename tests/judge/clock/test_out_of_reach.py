"""Masters learn in time whose messages come back; nobody else does."""

from dataclasses import replace

from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person, with_seat
from machjudge.judge.records import AddressStanding, Role
from machjudge.judge.setup import take_seat
from tests.judge.house import House
from tests.judge.letters_in import later, message_to, write
from tests.judge.returned import HARD, SOFT, SPAM, come_back

ANNA, MARCO, PAOLO = (f"{name}@player.example" for name in ("anna", "marco", "paolo"))
GINA, OTTO = "gina@player.example", "otto@player.example"
MASTERS = ((GINA, "Gina"), (OTTO, "Otto"))
SUBJECT = "cannot be reached"


def begun() -> House:
    """A game with a master and a co-master who do not play, a day before its first deadline.

    They read nothing else before it.
    """
    house = House()
    game = house.start()
    gina, otto = (new_person(house.services, *who, house.now) for who in MASTERS)
    first = replace(game.seats[0], person=gina.id, address=GINA)
    game = replace(game, master=gina.id, seats=(first, *game.seats[1:]))
    game = with_seat(game, take_seat(game, Role.MASTER, otto, house.services.passwords.hash("co")))
    house.store.tables.games[game.id] = game
    for person in (gina, otto):
        house.store.tables.persons[person.id] = replace(person, standing=AddressStanding.CONFIRMED)
    write(house, GINA, "SIGNON Mborgia masterkey", "SET DEADLINE +24h", "SET NOBRIEFING")
    return house


def told(letters: list[Outgoing]) -> dict[str, str]:
    """Who is told of seats that cannot be reached, and how."""
    return {each.to: each.body for each in letters if SUBJECT in each.subject}


def test_both_masters_are_told_before_the_deadline() -> None:
    """In one message with all seats; one whose bounces do not suffice is none of them."""
    house = begun()
    for to, status in ((ANNA, HARD), (MARCO, SOFT), (PAOLO, SPAM)):
        come_back(house, to, status)
    early, due = later(house, hours=11), later(house, hours=1)

    assert told(early) == {}
    assert set(told(due)) == {GINA, OTTO}
    body = told(due)[GINA]
    assert "(Anna): anna@player.example, since Fri 20 Nov 2026, 12:00 UTC" in body
    assert MARCO not in body
    assert PAOLO not in body
    assert "The deadline is Sat 21 Nov 2026" in body


def test_each_seat_is_told_once_in_a_phase() -> None:
    """And again in the next one, if it still cannot be reached."""
    house = begun()
    come_back(house, ANNA, HARD)
    first, again = later(house, hours=12), later(house, hours=1)
    come_back(house, MARCO, HARD)
    another = told(later(house, hours=1))[GINA]

    assert (set(told(first)), told(again)) == ({GINA, OTTO}, {})
    assert (ANNA in another, MARCO in another) == (True, True)
    assert told(later(house, hours=1)) == {}
    clock = house.view().clock
    assert clock.out_of_reach == tuple(sorted(clock.out_of_reach))
    assert len(clock.out_of_reach) == 2


def test_who_has_written_meanwhile_is_not_named() -> None:
    """The mail proves that somebody is there."""
    house = begun()
    come_back(house, ANNA, HARD)
    write(house, ANNA, "SIGNON Lborgia pwL")

    assert told(later(house, hours=12)) == {}


def test_soft_bounces_of_two_days_name_a_seat() -> None:
    """A mailbox that is still full on the next day."""
    house = begun()
    write(house, GINA, "SIGNON Mborgia masterkey", "SET DEADLINE +72h")
    come_back(house, MARCO, SOFT)
    house.later(days=1)
    write(house, GINA, "SIGNON Mborgia masterkey", "NUDGE")
    come_back(house, MARCO, SOFT)

    assert MARCO in told(later(house, hours=24))[GINA]


def test_a_master_who_cannot_be_reached_is_told_of_to_the_other_one() -> None:
    """A message to the one would come back as well."""
    house = begun()
    write(house, GINA, "SIGNON Mborgia masterkey", "SET COMMENT Hello", "END")
    write(house, OTTO, "SIGNON Mborgia co")
    come_back(house, OTTO, HARD)
    found = told(later(house, hours=12))

    assert set(found) == {GINA}
    assert "a master (Otto): otto@player.example" in found[GINA]


def test_an_observer_holds_nobody_up() -> None:
    """That their messages come back is no matter of the master's."""
    house = begun()
    write(house, "olga@player.example", "OBSERVE borgia secret9")
    come_back(house, "olga@player.example", HARD)

    assert told(later(house, hours=12)) == {}


def test_the_listing_shows_masters_alone_who_cannot_be_reached() -> None:
    """The others learn nothing, nor does the one whose messages come back."""
    house = begun()
    come_back(house, ANNA, HARD)
    shown = {
        to: "CANNOT BE REACHED" in message_to(write(house, to, signon, "LIST Borgia"), to).body
        for to, signon in ((GINA, "SIGNON Mborgia masterkey"), (MARCO, "SIGNON Mborgia x"))
    }

    assert shown == {GINA: True, MARCO: False}


def test_reminders_say_it_to_whom_it_concerns() -> None:
    """Should one arrive; the late notice says it to the masters, too."""
    house = begun()
    come_back(house, ANNA, HARD)
    reminders = [x for x in later(house, hours=12) if "reminder" in x.subject]
    late = [x for x in later(house, hours=12) if "late" in x.subject or "waiting" in x.subject]

    assert {x.to for x in reminders if f"Messages to {ANNA} came back" in x.body} == {ANNA}
    assert {x.to for x in late if f"Messages to {ANNA} came back" in x.body} == {ANNA}
    assert {x.to for x in late if "CANNOT BE REACHED" in x.body} == {GINA, OTTO}
    assert len(late) > 3


def test_results_still_go_where_messages_come_back() -> None:
    """The address may work again, and a result must not be lost."""
    house = begun()
    come_back(house, ANNA, HARD)
    sent = write(house, GINA, "SIGNON Mborgia masterkey", "SET COMMENT Hello", "END")

    assert message_to(sent, ANNA)
