"""A pause with a reason and an end: everybody reads both, and the game goes on by itself."""

from datetime import timedelta

from machjudge.judge.tick import look_at_games
from tests.judge.phases.test_mastering import GINA, master, ruled, said
from tests.judge.year import address_of

FRIDAY = "PAUSE UNTIL 27 Nov 2026 20:00 BECAUSE the master is on a journey"


def test_players_read_the_reason_and_the_end() -> None:
    """And the master when it goes on."""
    house = ruled("nomoney")
    sent = master(house, FRIDAY)
    anna = next(" ".join(x.body.split()) for x in sent if x.to == address_of(house, "L"))

    assert "The reason: the master is on a journey." in anna
    assert "goes on by itself Fri 27 Nov 2026, 20:00 UTC" in anna
    assert "It goes on by itself Fri 27 Nov 2026, 20:00 UTC" in said(sent)


def test_the_game_goes_on_at_the_end_of_the_pause() -> None:
    """Its deadline moves by as long as the clocks stood; everybody is told."""
    house = ruled("nomoney")
    deadline, since = house.view().clock.deadline, house.now
    master(house, FRIDAY)
    house.later(days=7, hours=7)
    look_at_games(house.services, house.now)
    assert house.view().clock.paused is not None
    house.later(hours=1)
    look_at_games(house.services, house.now)
    clock = house.view().clock

    assert clock.paused is None
    assert clock.resumes is None
    assert timedelta(0) <= clock.deadline - deadline - (house.now - since) <= timedelta(hours=1)
    sent = house.mails_out()
    assert {x.to for x in sent} >= {GINA, address_of(house, "L")}
    assert all("the game goes on" in x.subject for x in sent)


def test_a_pause_is_changed_by_another_line() -> None:
    """Its end and its reason, and since when the clocks stand stays."""
    house = ruled("nomoney")
    master(house, "PAUSE")
    since = house.view().clock.paused
    house.later(hours=1)
    master(house, "PAUSE UNTIL +48h")

    assert house.view().clock.paused == since
    assert house.view().clock.resumes is not None
    assert "The game is paused already" in said(master(house, "PAUSE"))


def test_a_pause_that_says_neither_is_asked_back() -> None:
    """Nobody's clock stops by half a sentence; an end in the past is none."""
    house = ruled("nomoney")

    assert "Say until when, or why, or both" in said(master(house, "PAUSE for a week"))
    assert "is over" in said(master(house, "PAUSE UNTIL 1 Nov 2026"))
    assert house.view().clock.paused is None


def test_resume_ends_a_pause_sooner() -> None:
    """And nothing comes at its end."""
    house = ruled("nomoney")
    master(house, FRIDAY)
    master(house, "RESUME")

    assert house.view().clock.resumes is None
    assert house.view().clock.paused is None
