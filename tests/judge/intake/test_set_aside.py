"""Mails that are set aside by a fault of the judge: everybody whom it concerns is told at once."""

from datetime import timedelta

import pytest

from machjudge.judge import worker
from machjudge.judge.tick import look_at_games
from machjudge.judge.worker import MAX_DEATHS
from tests.judge.house import House, started
from tests.judge.letters_in import raw_mail, work
from tests.judge.phases.test_mastering import GINA as MASTER
from tests.judge.phases.test_mastering import ruled

ANNA = "anna@player.example"
PHONE = "anna@telephone.example"
KEEPER = "keeper@mach.example"


@pytest.fixture
def house() -> House:
    """1454 in its first Spring, with a master who does not play."""
    return ruled("nomoney")


def receive(house: House, *lines: str, sender: str = ANNA) -> None:
    """Keep a mail; nobody handles it yet."""
    house.store.receive(raw_mail(sender, lines), sender, house.now)


def die(house: House, times: int) -> None:
    """Processes take the oldest mail up, and are gone."""
    for _ in range(times):
        with house.store.writing() as uow:
            assert uow.inbox.claim(house.now) is not None
            uow.commit()
        house.store.die()
        house.later(minutes=11)


def fail(house: House) -> None:
    """The mail raises an error each time that it is handled."""
    for _ in range(3):
        work(house)
        house.later(seconds=3)


@pytest.fixture
def broken(monkeypatch) -> None:
    """No answer can be written."""

    def cannot(_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(worker, "answer_messages", cannot)


def told(house: House) -> dict[str, str]:
    """What came to whom."""
    return {letter.to: letter.body for letter in house.mails_out()}


def test_deaths_of_processes_set_no_mail_aside(house: House) -> None:
    """Five unlucky moments are no error of the orders."""
    receive(house, "SIGNON Lborgia pwL", "A flo h")
    die(house, 5)
    work(house)

    assert house.on_file() == ["A flo h"]
    assert list(told(house)) == [ANNA]


def test_a_mail_that_kills_every_process_has_an_end(house: House) -> None:
    """Its sender and the master are told when it is set aside, and the keeper why."""
    receive(house, "SIGNON Lborgia pwL", "A flo h")
    die(house, MAX_DEATHS)
    work(house)
    letters = told(house)

    assert house.store.tables.inbox[0].aside == "ProcessDied"
    assert set(letters) == {ANNA, MASTER, KEEPER}
    assert "could not be handled, and nothing in it was carried out" in " ".join(
        letters[ANNA].split()
    )
    assert "Please send it again" in letters[ANNA]
    assert "A flo h" in letters[ANNA]
    assert "A mail of Florence of " in letters[MASTER]
    assert "pwL" not in "".join(letters.values())


@pytest.mark.usefixtures("broken")
def test_a_mail_with_a_proof_is_never_set_aside_in_silence(house: House) -> None:
    """From wherever it came: to its sender, to the address on file, and to the master."""
    receive(house, "SIGNON Lborgia pwL", "A flo h", sender=PHONE)
    fail(house)
    letters = told(house)

    assert house.store.tables.inbox[0].aside.startswith("ZeroDivisionError at ")
    assert set(letters) == {PHONE, ANNA, MASTER, KEEPER}
    assert "A mail of Florence of " in letters[MASTER]
    assert "SET DEADLINE or PAUSE gives them time" in letters[MASTER]


@pytest.mark.usefixtures("broken")
def test_a_mail_that_proves_nothing_is_told_once_a_day(house: House) -> None:
    """Anyone who forges Anna's address brings her one small message, and the master, too."""
    receive(house, "SIGNON Lborgia wrong", "A flo h")
    fail(house)
    letters = told(house)
    assert set(letters) == {KEEPER, ANNA, MASTER}
    assert "wrong" not in "".join(letters.values())

    receive(house, "SIGNON Lborgia wrong", "A flo - bol", "word " * 2000)
    fail(house)
    assert told(house) == {}


def test_a_stranger_whose_mails_kill_is_told_once_a_day(house: House) -> None:
    """They are on file nowhere; the keeper hears of the kind of fault, and nobody else."""
    for n in range(2):
        receive(house, f"HELP {n}", sender=PHONE)
        die(house, MAX_DEATHS)
        work(house)
    sent = [letter.to for letter in house.mails_out()]
    assert sorted(sent) == [PHONE, KEEPER]


def test_a_master_who_plays_does_not_learn_who_wrote() -> None:
    """Who plays may not know whose orders are missing."""
    house = started("nomoney")
    receive(house, "SIGNON Lborgia pwL", "A flo h")
    die(house, MAX_DEATHS)
    work(house)

    assert "A mail of somebody at this game of " in told(house)["lucia@player.example"]


def test_the_phase_is_played_after_everybody_was_told(house: House) -> None:
    """The messages stand in the outbox before the results."""
    receive(house, "SIGNON Lborgia pwL", "A flo h")
    die(house, MAX_DEATHS)
    clock = house.view().clock
    house.now = max(house.now, (clock.grace or clock.deadline) + timedelta(minutes=1))
    work(house)
    look_at_games(house.services, house.now)
    subjects = [letter.subject for letter in house.mails_out() if letter.to == ANNA]

    assert "not handled" in subjects[0]


@pytest.mark.usefixtures("broken")
def test_a_list_that_has_rewritten_the_sender_gets_nothing(house: House) -> None:
    """The text goes to the address on file of the seat alone."""
    raw = raw_mail("players@lists.example", ["SIGNON Lborgia pwL", "A flo h"], name="Anna via Us")
    house.store.receive(
        b"List-Id: <players.lists.example>\n" + raw, "players@lists.example", house.now
    )
    fail(house)

    letters = told(house)
    assert set(letters) == {ANNA, MASTER, KEEPER}
    assert "A flo h" in letters[ANNA]
