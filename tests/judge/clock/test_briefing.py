"""Before each deadline the masters read once who is missing, and what they can do."""

from dataclasses import replace

import pytest

from machjudge.judge.game_settings import Policy
from machjudge.judge.mails import Outgoing
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import later, reply
from tests.judge.phases.test_mastering import GINA, master, ruled, said
from tests.judge.returned import HARD, come_back
from tests.judge.year import SPRING, order

NINO = "nino@player.example"
SUBJECT = " missing ("
LUCIA = "lucia@player.example"


def briefed(letters: list[Outgoing]) -> dict[str, str]:
    """Who reads what is missing, in one line each."""
    return {x.to: " ".join(x.body.split()) for x in letters if SUBJECT in x.subject}


@built_once
def all_but_turkey() -> House:
    """A game in which everybody but Turkey has ordered."""
    house = ruled("nomoney")
    for power, lines in SPRING.items():
        if power != "T":
            order(house, power, *lines)
    house.mails_out()
    return house


def test_masters_read_a_day_before_the_deadline_who_is_missing() -> None:
    """Once, with everybody who has ordered, what will happen, and buttons."""
    house = all_but_turkey()
    left = house.view().clock.deadline - house.now
    assert briefed(later(house, hours=left.total_seconds() // 3600 - 25)) == {}
    sent = later(house, hours=1)
    told = briefed(sent)

    assert set(told) == {GINA}
    assert "– Turkey missing (" in next(x.subject for x in sent if x.to == GINA)
    assert "Turkey: Nino" in told[GINA]
    assert "ALL ORDERS ARE IN Milan, Venice" in told[GINA]
    assert "The game waits for those who are late" in told[GINA]
    for line in ("NUDGE", "EJECT Turkey", "PREVIEW", "SET DEADLINE 2026-"):
        assert line in told[GINA]
    assert briefed(later(house, hours=1)) == {}


def test_nobody_reads_a_word_where_everybody_has_ordered() -> None:
    """There is nothing to decide: the game plays by itself."""
    house = ruled("nomoney")
    play_all_waiting(house)

    assert briefed(later(house, days=6, hours=1)) == {}


def play_all_waiting(house: House) -> None:
    """Everybody orders, and Florence waits for the deadline."""
    for power, lines in SPRING.items():
        own = lines[:3] if power == "I" else lines  # no garrison is there yet
        order(house, power, *own, *(["SET WAIT"] if power == "L" else []))
    house.mails_out()


def test_a_button_of_the_message_reminds_that_player_alone() -> None:
    """NUDGE and a power; the others who are missing hear nothing."""
    house = all_but_turkey()
    sent = later(house, days=6)
    briefing = next(x for x in sent if SUBJECT in x.subject)
    answers = reply(house, briefing, "NUDGE Turkey")

    assert "Reminded: Turkey" in said(answers)
    assert {x.to for x in answers if "orders by" in x.subject or x.to == NINO} == {NINO}


def test_whose_messages_come_back_stands_in_the_same_message() -> None:
    """And no second message says so."""
    house = all_but_turkey()
    come_back(house, NINO, HARD)
    sent = later(house, days=6)

    assert NINO in briefed(sent)[GINA]
    assert not any("cannot be reached" in x.subject for x in later(house, hours=2))


def test_how_long_somebody_has_been_silent_is_counted() -> None:
    """A phase played without a mail of theirs, and this one, are two."""
    house = ruled("nomoney")
    house.change_settings(policy=Policy.CIVIL_DISORDER)
    for power, lines in SPRING.items():
        if power != "T":
            order(house, power, *lines)
    later(house, days=7)
    later(house, days=8)
    sent = next(found for _ in range(200) if briefed(found := later(house, hours=1)))

    assert "Turkey: no mail with orders in 2 phases in a row" in briefed(sent)[GINA]


def test_a_master_who_plays_reads_no_more_than_who_is_missing() -> None:
    """Neither which units lack an order, nor how long somebody was silent."""
    house = started("nomoney")
    order(house, "V", "A pad h")
    told = briefed(later(house, days=6))[LUCIA]

    assert "Turkey" in told
    assert "Verona" not in told
    assert "in a row" not in told
    assert "PROCESS S1454M" in told
    assert "PREVIEW" not in told


def test_the_message_comes_when_the_master_wants_it_or_not_at_all() -> None:
    """SET BRIEFING 48, SET NOBRIEFING."""
    house = all_but_turkey()
    assert "48 hours before each deadline" in said(master(house, "SET BRIEFING 48"))
    assert set(briefed(later(house, days=5))) == {GINA}

    house = all_but_turkey()
    assert "No message comes" in said(master(house, "SET NOBRIEFING"))
    assert briefed(later(house, days=6, hours=12)) == {}


def test_in_a_short_phase_it_comes_halfway() -> None:
    """A day before the deadline would be before the phase began."""
    house = all_but_turkey()
    master(house, "SET DEADLINE +12h")
    begun = replace(house.view().clock, began=house.now)
    house.change(clock=begun)

    assert briefed(later(house, hours=5)) == {}
    assert set(briefed(later(house, hours=1))) == {GINA}


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (Policy.HOLD, "Then the phase is played without them."),
        (Policy.CIVIL_DISORDER, "Then the phase is played without them."),
        (Policy.WAIT, "Their seats are open to others from"),
    ],
)
def test_it_says_what_will_happen_at_the_deadline(policy: Policy, says: str) -> None:
    """By the policy of the game."""
    house = all_but_turkey()
    house.change_settings(policy=policy)

    assert says in briefed(later(house, days=6))[GINA]


def test_a_moved_deadline_brings_the_message_again() -> None:
    """What was read before is no longer true."""
    house = all_but_turkey()
    assert briefed(later(house, days=6))
    master(house, "SET DEADLINE +72h")

    assert set(briefed(later(house, hours=48))) == {GINA}
