"""How many games, seats and texts there are for one person."""

from dataclasses import replace

import pytest

from machjudge.judge.faults import Stale
from machjudge.judge.records import JudgeLimits
from tests.judge.house import UNLIMITED, House
from tests.judge.letters_in import answer, write

LUCIA, MARCO, DINO = "lucia@player.example", "marco@player.example", "dino@far.example"


def house_with(**limits: int) -> House:
    """A running game; nothing is limited but what is named."""
    house = House(limits=replace(UNLIMITED, **limits))
    house.start()
    return house


def said(house: House, who: str, *lines: str) -> str:
    """The answer to a mail, in one line."""
    return " ".join(answer(write(house, who, *lines), who).split())


def create(house: House, name: str, who: str = DINO) -> str:
    """The answer to somebody who makes a game."""
    return said(house, who, f"CREATE ?{name} tulip99 1454")


def test_the_usual_limits() -> None:
    """As the documents have them."""
    assert JudgeLimits() == JudgeLimits(5, 3, 10, 40, 60)


def test_somebody_makes_so_many_games_a_day() -> None:
    """The next one is refused with its reason, and made a day later."""
    house = house_with(games_a_day=2)
    for name in ("one", "two"):
        assert "is created" in create(house, name)
    refused = create(house, "three")
    house.later(hours=25)

    assert "ou have made 2 games in 24 hours" in refused
    assert "is created" in create(house, "three")


def test_others_make_games_meanwhile() -> None:
    """It is counted for each person."""
    house = house_with(games_a_day=1)
    create(house, "one")

    assert "is created" in create(house, "two", MARCO)


def test_what_was_refused_is_not_counted() -> None:
    """A name that is taken costs no game."""
    house = house_with(games_a_day=1)
    assert "already" in create(house, "borgia")

    assert "is created" in create(house, "one")


def test_somebody_takes_so_many_seats_a_day() -> None:
    """As a player or an observer."""
    house = house_with(seats_a_day=2)
    for name in ("one", "two", "three"):
        create(house, name, LUCIA)
    told = [said(house, DINO, f"SIGNON ?{name} tulip9") for name in ("one", "two", "three")]
    watching = said(house, DINO, "OBSERVE borgia tulip9")

    assert ["joined" in each for each in told] == [True, True, False]
    assert "ou have taken 2 seats in 24 hours" in told[2]
    assert "ou have taken 2 seats in 24 hours" in watching


def test_a_game_has_so_many_observers() -> None:
    """Who watches already still gets in."""
    house = house_with(observers=2)
    told = [said(house, f"d{n}@far.example", "OBSERVE borgia tulip9") for n in range(3)]

    assert ["ou watch Borgia" in each for each in told] == [True, True, False]
    assert "has 2 observers, as many as a game may have" in told[2]
    assert "Observer in Borgia" in said(house, "d0@far.example", "OBSERVE borgia tulip9")


def test_a_seat_sends_so_many_texts_an_hour() -> None:
    """Each further line is refused and its text given back; orders of the mail count."""
    house = house_with(press_an_hour=3)
    texts = [line for n in range(5) for line in ("BROADCAST", f"text {n}", "ENDPRESS")]
    told = said(house, MARCO, "SIGNON Vborgia pwV", *texts, "LIST")
    later = said(house, MARCO, "SIGNON Vborgia pwV", "BROADCAST", "hear me", "ENDPRESS")
    house.later(minutes=61)
    again = said(house, MARCO, "SIGNON Vborgia pwV", "BROADCAST", "hear me", "ENDPRESS")

    assert told.count("ou have sent 3 texts in an hour") == 2
    assert "text 4" in told.partition("YOUR TEXT, WHICH WAS NOT SENT")[2]
    assert "Your press went to everybody" in told
    assert "ou have sent 3 texts in an hour" in later
    assert "Your press went to everybody" in again


@pytest.mark.memory
def test_two_mails_at_once_use_up_no_more_than_there_is() -> None:
    """The one that comes second begins anew, and is refused."""
    house = house_with(games_a_day=1)
    said(house, DINO, "REGISTER", "Name: Dino", "END")
    persons = house.store.tables.persons.values()
    (dino,) = [f"person {each.id}" for each in persons if DINO in each.addresses]

    def faster() -> None:
        """Somebody in another process makes a game for Dino meanwhile."""
        now = house.now
        house.store.tables.counts += [(f"games/{key}", now) for key in (DINO, dino)]

    commits = iter([None, None, faster])

    def before_commit() -> None:
        if (step := next(commits, None)) is not None:
            step()
            raise Stale

    house.store.before_commit = before_commit

    assert "ou have made 1 game in 24 hours" in create(house, "two")


@pytest.mark.parametrize("number", [1, 70])
def test_nothing_is_limited_where_the_keeper_says_so(number: int) -> None:
    """0 sets no limit."""
    house = house_with()
    texts = [line for n in range(number) for line in ("BROADCAST", f"text {n}", "ENDPRESS")]

    told = said(house, MARCO, "SIGNON Vborgia pwV", *texts)
    assert "in an hour" not in told
