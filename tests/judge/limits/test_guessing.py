"""Which passwords are tried, and how many of them."""

from datetime import timedelta

import pytest

from machjudge.judge.faults import Stale
from machjudge.judge.limits import FREE_AT_GAME, PASSWORDS_IN_A_MAIL, waits_until
from machjudge.judge.mail_context import MailWriter
from tests.judge.house import NOON, House, started
from tests.judge.letters_in import answer, write

MARCO, OGLE = "marco@player.example", "ogle@far.example"


def borgia() -> House:
    """A running game in which Marco leads Venice, with an observer."""
    house = started()
    write(house, OGLE, "OBSERVE borgia tulip9")
    return house


def guess(house: House, seat: str, number: int, who: str = "") -> str:
    """The answer to a wrong password, from an address of its own unless one is named."""
    liar = who or f"liar{number}@far.example"
    return " ".join(answer(write(house, liar, f"SIGNON {seat}borgia wrong{number}"), liar).split())


def compared(house: House) -> list[str]:
    """The passwords that were compared since the last call."""
    found, house.services.passwords.compared = house.services.passwords.compared, []
    return found


def test_a_seat_is_guessed_at_from_many_addresses_five_times() -> None:
    """The sixth password is compared with nothing, and the answer says how to get in."""
    house = borgia()
    told = [guess(house, "V", number) for number in range(6)]

    assert compared(house) == [f"wrong{number}" for number in range(5)]
    assert "Too many passwords were wrong" in told[5]
    assert "SEND TOKEN" in told[5]


def test_observers_are_guessed_at_no_more_often() -> None:
    """Not by SIGNON O, and OBSERVE compares nothing with the seats of others."""
    house = borgia()
    compared(house)
    for number in range(7):
        guess(house, "O", number)
    assert len(compared(house)) == 5

    write(house, "liar@far.example", "OBSERVE borgia tulip9")
    assert compared(house) == []
    assert len([seat for seat in house.game().seats if seat.role.value == "observer"]) == 2


def test_all_seats_of_a_game_are_guessed_at_together() -> None:
    """Who tries one seat after the other is slowed at the game."""
    house = borgia()
    compared(house)
    for number in range(40):
        guess(house, "VIFNMPTA"[number % 8], number)

    assert len(compared(house)) == FREE_AT_GAME


def test_a_game_that_nobody_knows_is_guessed_at_like_one_that_is_there() -> None:
    """The answers do not tell whether an unlisted game exists."""
    house = borgia()
    game = [guess(house, "V", number) for number in range(6)]
    none = [
        " ".join(answer(write(house, who, f"SIGNON Vnogame wrong{number}"), who).split())
        for number in range(6)
        for who in [f"other{number}@far.example"]
    ]

    is_blocked = ["too many passwords" in told for told in none]
    assert is_blocked == ["too many passwords" in told for told in game]


def test_a_right_password_is_not_counted() -> None:
    """Ten mails in an hour lock nobody out, from whatever address."""
    house = borgia()
    phone = "marco@phone.example"
    for _ in range(10):
        assert "Venice in Borgia" in answer(write(house, phone, "SIGNON Vborgia pwV", "A x"), phone)


def test_an_observer_clears_nothing_for_guesses_at_the_others() -> None:
    """Anyone who signs on to a seat of their own in between guesses no faster."""
    house = borgia()
    write(house, "liar@far.example", "OBSERVE borgia mine77")
    compared(house)
    for number in range(9):
        guess(house, "O", number)
        write(house, "liar@far.example", "SIGNON Oborgia mine77")

    assert len({each for each in compared(house) if each.startswith("wrong")}) == 5


@pytest.mark.memory
def test_a_mail_that_is_handled_again_is_counted_once() -> None:
    """Somebody was faster at the last moment, and the mail began anew."""
    house = borgia()
    faults = iter([None, None, None, Stale("faster"), None])

    def before_commit() -> None:
        """The fourth transaction is that of the mail's end."""
        if (fault := next(faults, None)) is not None:
            raise fault

    house.store.before_commit = before_commit
    guess(house, "V", 1)

    tried = [key for key, _ in house.store.tables.counts if key == "tries/seat/borgia/V"]
    assert len(compared(house)) == 2
    assert len(tried) == 1


def test_one_mail_has_a_few_passwords_hashed() -> None:
    """The rest of it is not read, and the answer says so."""
    house = borgia()
    lines = [f"SET PASSWORD new{number}" for number in range(100)]
    told = [
        each.body
        for each in write(house, MARCO, "SIGNON Vborgia pwV", *lines)
        if "NOT TAKEN" in each.body
    ]

    changed = " ".join(told[0].split()).count("Your password for this game is changed")
    assert changed <= PASSWORDS_IN_A_MAIL
    assert "too many passwords in it" in " ".join(told[0].split())


def test_the_password_of_the_last_player_is_guessed_no_more_often() -> None:
    """An abandoned seat is guessed at like one that is held."""
    house = borgia()
    write(house, MARCO, "SIGNON Vborgia pwV", "RESIGN")
    compared(house)
    for number in range(9):
        guess(house, "V", number)

    assert len(compared(house)) == 5


def test_instants_from_the_future_are_no_wait() -> None:
    """A clock that was set back locks nobody out."""
    wrong = [NOON + timedelta(days=1, minutes=number) for number in range(9)]

    assert waits_until(wrong, NOON) is None


def test_a_verified_owner_is_not_kept_out_by_forged_mails(monkeypatch) -> None:
    """Guesses in Marco's name fill one counter; what surely comes from him has another."""
    house = borgia()
    for number in range(8):
        guess(house, "V", number, MARCO)
    forged = answer(write(house, MARCO, "SIGNON Vborgia pwV"), MARCO)
    monkeypatch.setattr(MailWriter, "is_verified", property(lambda _: True))
    sure = answer(write(house, MARCO, "SIGNON Vborgia pwV"), MARCO)

    assert "Venice in Borgia" not in forged
    assert "Venice in Borgia" in sure


def test_a_process_that_took_its_mail_earlier_tries_no_password_more() -> None:
    """Another one has counted meanwhile, at an instant that is later than its own."""
    wrong = [NOON - timedelta(minutes=2)] * 5 + [NOON + timedelta(milliseconds=344)]

    assert waits_until(wrong, NOON) is not None


def test_a_remembered_password_is_no_guess() -> None:
    """Nothing is compared or counted for it; a wrong one beside it is."""
    house = borgia()
    house.services.passwords.remembered.add("pwV")
    compared(house)
    told = answer(write(house, MARCO, "SIGNON Vborgia pwV", "A x"), MARCO)

    assert "Venice in Borgia" in told
    assert compared(house) == []
    guess(house, "V", 1, MARCO)
    assert compared(house) == ["wrong1"]


def test_a_remembered_password_ends_what_was_counted() -> None:
    """As any right one: it is compared, and the next guesses are free again."""
    house = borgia()
    house.services.passwords.remembered.add("pwV")
    for number in range(4):
        guess(house, "V", number, MARCO)
    compared(house)
    write(house, MARCO, "SIGNON Vborgia pwV", "A x")
    assert compared(house) == ["pwV"]

    write(house, MARCO, "SIGNON Vborgia pwV", "A x")
    assert compared(house) == []


def test_a_remembered_password_opens_no_seat_that_is_locked() -> None:
    """Anyone who guesses learns nothing from a password that is right."""
    house = borgia()
    house.services.passwords.remembered.add("pwV")
    for number in range(6):
        guess(house, "V", number, MARCO)
    compared(house)
    told = answer(write(house, MARCO, "SIGNON Vborgia pwV", "A x"), MARCO)

    assert "Venice in Borgia" not in told
    assert compared(house) == []
