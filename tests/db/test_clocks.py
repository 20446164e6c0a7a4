"""The times of games, absences and the last look at the clock come back as they were put in."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.faults import Stale
from machjudge.judge.records import Absence, Clock, Jump
from tests.db.examples import GAME, LUCIA, NOW, OTTO

HOUR = timedelta(hours=1)
CLOCK = Clock(
    NOW,
    NOW + 72 * HOUR,
    late_told=NOW + HOUR,
    start=NOW + 12 * HOUR,
    grace=NOW + 100 * HOUR,
    warned=(24, 8),
    opened=True,
    paused=NOW + 2 * HOUR,
    turned_out=((2, OTTO.id),),
    vacant=(PowerId("L"), PowerId("V")),
    jump=Jump(NOW, timedelta(days=3, seconds=7), 80 * HOUR, None, timedelta(0)),
    ends=NOW + 170 * HOUR,
)
AWAY = (Absence(NOW, NOW + HOUR), Absence(NOW + 5 * HOUR, NOW + 9 * HOUR))


def timed():
    """A game with everything that a clock and a seat may say about time."""
    master, *others = GAME.seats
    away = replace(master, absences=AWAY, priority=("A mil", "gen", "F"))
    return replace(GAME, clock=CLOCK, seats=(away, *others))


@pytest.fixture
def filled(house):
    """A database with that game."""
    with house.store().writing() as uow:
        uow.games.add(timed())
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.commit()
    return house


def test_times_come_back_whole(filled) -> None:
    """Every field of the clock; absences and priorities of the seats."""
    with filled.store().reading() as uow:
        assert uow.games.get(GAME.id) == timed()


def test_last_look_at_the_clock_is_kept(house) -> None:
    """None before the first; then always the last."""
    with house.store().reading() as uow:
        assert uow.heartbeat.last() is None
    for hours in (0, 5, 3):
        with house.store().writing() as uow:
            uow.heartbeat.beat(NOW + hours * HOUR)
            uow.commit()

    with house.store().reading() as uow:
        assert uow.heartbeat.last() == NOW + 3 * HOUR
        assert uow.heartbeat.usual() is None
    with house.store().writing() as uow:
        uow.heartbeat.beat(NOW, 7 * HOUR)
        uow.commit()
    with house.store().reading() as uow:
        assert uow.heartbeat.usual() == 7 * HOUR


def test_many_who_note_the_first_look_at_once_disturb_nobody(house) -> None:
    """One of them has noted it; anyone who came second tries again or lets it be."""
    together = Barrier(8)

    def note(number: int) -> bool:
        together.wait()
        with suppress(Stale), house.store().writing() as uow:
            uow.heartbeat.beat(NOW + number * HOUR)
            uow.commit()
            return True
        return False

    with ThreadPoolExecutor(8) as pool:
        noted = list(pool.map(note, range(8)))

    with house.store().reading() as uow:
        last = uow.heartbeat.last()
    assert last in {NOW + number * HOUR for number in range(8) if noted[number]}
