"""The judge's clock jumps, or the judge was down: who is told, and what stays as it was."""

from datetime import timedelta

from machjudge.service.jumps import watch_clock
from tests.service.house import NOON, House
from tests.service.letters_in import write

MASTER = "lucia@player.example"


def running() -> House:
    """A game that has just started, and a judge who has looked at his clock."""
    house = House()
    house.start()
    watch_clock(house.desk, house.now)
    return house


def test_leap_is_told_to_everybody_and_the_keeper() -> None:
    """Eight players, and the keeper."""
    house = running()
    house.later(days=2)
    leap = watch_clock(house.desk, house.now)

    assert leap is not None
    assert leap.by == timedelta(days=2)
    assert len(house.mails_out()) == 9
    assert house.situation().clock.deadline == NOON + timedelta(days=9)


def test_second_look_does_not_move_anything_again() -> None:
    """However many processes look."""
    house = running()
    house.later(days=2)
    watch_clock(house.desk, house.now)
    house.mails_out()

    assert watch_clock(house.desk, house.now) is None
    assert house.mails_out() == []
    assert house.situation().clock.deadline == NOON + timedelta(days=9)


def test_leap_whose_end_was_not_written_moves_a_game_once() -> None:
    """The judge may die between the games and the note that he looked."""
    house = running()
    house.later(days=2)
    watch_clock(house.desk, house.now)
    house.store.tables.pulse = NOON
    watch_clock(house.desk, house.now)

    assert house.situation().clock.deadline == NOON + timedelta(days=9)


def test_silence_of_some_hours_is_no_leap() -> None:
    """Nobody is told of a server that was restarted."""
    house = running()
    house.later(hours=5)

    assert watch_clock(house.desk, house.now) is None
    assert house.mails_out() == []


def test_paused_game_does_not_move() -> None:
    """Its clock stands anyway, and moves when it goes on."""
    house = running()
    write(house, MASTER, "SIGNON Mborgia masterkey", "PAUSE")
    house.later(days=2)
    watch_clock(house.desk, house.now)

    assert house.situation().clock.deadline == NOON + timedelta(days=7)
    write(house, MASTER, "SIGNON Mborgia masterkey", "RESUME")
    assert house.situation().clock.deadline == NOON + timedelta(days=9)


def test_look_of_a_process_that_starts_writes_nothing() -> None:
    """Unless there was a leap."""
    house = House()
    watch_clock(house.desk, house.now, beats=False)
    assert house.store.tables.pulse is None
    watch_clock(house.desk, house.now)
    house.later(days=1)

    assert watch_clock(house.desk, house.now, beats=False) is not None
    assert house.store.tables.pulse == house.now


def test_a_process_that_was_overtaken_does_not_set_the_last_look_back() -> None:
    """Otherwise the time between its look and the next one would pass for a leap."""
    house = running()
    house.later(hours=1)
    earlier, later = house.now, house.now + timedelta(hours=5)

    def overtake() -> None:
        house.store.tables.pulse = later

    house.store.before_writing = overtake

    assert watch_clock(house.desk, earlier) is None
    assert house.store.tables.pulse == later
    assert watch_clock(house.desk, later + timedelta(hours=5)) is None
