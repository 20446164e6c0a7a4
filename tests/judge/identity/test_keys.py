"""Forgotten passwords, guessed passwords, changed addresses."""

import re
from datetime import datetime, timedelta

import pytest

from machjudge.judge.limits import waits_until
from machjudge.judge.mails import Outgoing
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, write

LUCIA, OLD, NEW = "lucia@player.example", "lucia@player.example", "lucia@new.example"
MALLORY = "mallory@far.example"


def token_in(letters: list[Outgoing], to: str) -> str:
    """The token in the letter to an address."""
    bodies = [letter.body for letter in letters if letter.to == to]
    (found,) = {
        word for body in bodies for word in re.findall(r"(?:SIGNON \S+|CONFIRM) (\S+)", body)
    }
    return found


def token_of_milan(house: House) -> str:
    """A token for Lucia's seat; her master's seat has another one."""
    letters = write(house, LUCIA, "SEND TOKEN borgia")
    (token,) = {word for each in letters for word in re.findall(r"SIGNON I\S+ (\S+)", each.body)}
    return token


def password_of(house: House, number: int = 2) -> str:
    """The hash of a seat's password."""
    return next(seat.password for seat in house.game().seats if seat.number == number)


# --- a forgotten password --------------------------------------------------------------------


def test_a_token_opens_the_seat_and_sets_a_new_password() -> None:
    """It comes by mail, and is as good as the password, once."""
    house = started()
    token = token_of_milan(house)
    write(house, LUCIA, f"SIGNON Iborgia {token}", "SET PASSWORD fresh77")

    assert password_of(house) == house.services.passwords.hash("fresh77")
    again = answer(write(house, LUCIA, f"SIGNON Iborgia {token}"), LUCIA)
    assert "do not go together" in again


def test_anyone_who_asks_for_a_token_learns_nothing() -> None:
    """The same answer to players, to strangers and for games that there are not."""
    house = started()
    told = [
        [line for line in answer(write(house, who, ask), who).splitlines() if "token" in line]
        for who, ask in ((MALLORY, "SEND TOKEN borgia"), (MALLORY, "SEND TOKEN nogame"))
    ]
    letters = write(house, LUCIA, "SEND TOKEN borgia")

    assert told[0] == told[1]
    assert {letter.to for letter in letters} == {LUCIA}
    assert told[0][0] in next(one.body for one in letters if "Re:" in one.subject)


def test_a_token_goes_to_the_addresses_on_file_only() -> None:
    """Anyone who writes in the name of another's address gets nothing by asking for answers."""
    house = started()
    write(house, LUCIA, "SIGNON Iborgia pwI", f"SET ADDRESS {NEW}")
    letters = write(house, LUCIA, "SEND TOKEN borgia")

    assert {one.to for one in letters if "a way back to your seat" in one.subject} == {NEW, LUCIA}


def test_a_token_is_mailed_once_an_hour() -> None:
    """A flood of wishes brings one letter; an hour later another one comes."""
    house = started()
    first = write(house, LUCIA, "SEND TOKEN borgia", "SEND TOKEN borgia")
    second = write(house, LUCIA, "SEND TOKEN borgia")
    house.later(minutes=61)
    third = write(house, LUCIA, "SEND TOKEN borgia")
    ways = [
        sum("a way back to your seat" in letter.subject for letter in letters)
        for letters in (first, second, third)
    ]

    # Lucia also keeps the game: her two seats are in one message.
    assert ways == [1, 0, 1]


def test_a_token_ends_after_a_day() -> None:
    """What lies in an old mailbox opens nothing."""
    house = started()
    letters = write(house, "marco@player.example", "SEND TOKEN borgia")
    token = token_in(letters, "marco@player.example")
    house.later(hours=25)
    sent = answer(
        write(house, "marco@player.example", f"SIGNON Vborgia {token}"), "marco@player.example"
    )

    assert "do not go together" in sent


def test_a_token_is_kept_as_its_hash_only() -> None:
    """Nobody who reads the tables can open a seat."""
    house = started()
    token = token_in(
        write(house, "marco@player.example", "SEND TOKEN borgia"), "marco@player.example"
    )

    assert token not in repr(house.store.tables.tokens)


def test_a_token_of_a_lost_seat_opens_nothing() -> None:
    """It is its owner's as long as he sits there."""
    house = started()
    marco, rosa = "marco@player.example", "fresh@far.example"
    token = token_in(write(house, marco, "SEND TOKEN borgia"), marco)
    write(house, marco, "SIGNON Vborgia pwV", "RESIGN")
    write(house, rosa, "REGISTER", "Name: Fresh", "END", "SIGNON Vborgia fresh77")
    sent = answer(write(house, marco, f"SIGNON Vborgia {token}"), marco)

    assert "do not go together" in sent


# --- guessing --------------------------------------------------------------------------------


def guess(house: House, times: int, who: str = MALLORY) -> str:
    """Wrong passwords for Venice, and the last answer."""
    told = ""
    for number in range(times):
        told = answer(write(house, who, f"SIGNON Vborgia wrong{number}"), who)
    return told


def counted(house: House, key: str) -> list[datetime]:
    """When something was counted."""
    return [at for name, at in house.store.tables.counts if name == key]


def test_after_five_wrong_passwords_one_has_to_wait() -> None:
    """The sixth is not even tried, and the answer says until when."""
    house = started()
    assert "oo many passwords were wrong" not in guess(house, 4)
    told = " ".join(guess(house, 1).split())
    right = answer(write(house, MALLORY, "SIGNON Vborgia pwV"), MALLORY)

    assert "oo many passwords were wrong" in told
    assert "12:01 UTC" in told
    assert "oo many passwords were wrong" in " ".join(right.split())


def test_the_wait_grows_to_an_hour_and_no_further() -> None:
    """It is a minute, then two, then four."""
    house = started()
    waits = []
    for _ in range(12):
        guess(house, 5 if not waits else 1)
        until = waits_until(counted(house, f"tries/from/{MALLORY}"), house.now)
        waits.append((until - house.now) // timedelta(minutes=1))
        house.now = until

    assert waits[:4] == [1, 2, 4, 8]
    assert waits[-1] == 60


def test_the_rightful_player_is_not_locked_out() -> None:
    """Strangers' guesses do not count for anyone who writes from the address on file."""
    house = started()
    guess(house, 8)
    marco = "marco@player.example"
    sent = answer(write(house, marco, "SIGNON Vborgia pwV"), marco)

    assert "Venice in Borgia" in sent


def test_a_token_works_whatever_was_tried() -> None:
    """Even for anyone who has locked himself out."""
    house = started()
    marco = "marco@player.example"
    guess(house, 8, marco)
    token = token_in(write(house, marco, "SEND TOKEN borgia"), marco)
    sent = write(house, marco, f"SIGNON Vborgia {token}", "SET PASSWORD fresh77")

    assert "Venice in Borgia" in next(one.body for one in sent if "Re:" in one.subject)


@built_once
def locked_out() -> House:
    """A game in which somebody has tried wrong passwords in Marco's name, and from elsewhere."""
    house = started()
    guess(house, 8, "marco@player.example")
    guess(house, 8)
    return house


def opens(house: House, who: str, password: str) -> bool:
    """True if a signon for Venice opens the seat."""
    return "Venice in Borgia" in answer(write(house, who, f"SIGNON Vborgia {password}"), who)


def test_a_reset_by_token_ends_the_wait() -> None:
    """From the right address the new password opens the seat at once."""
    house = locked_out()
    marco = "marco@player.example"
    token = token_in(write(house, marco, "SEND TOKEN borgia"), marco)
    write(house, marco, f"SIGNON Vborgia {token}", "SET PASSWORD fresh77")

    assert opens(house, marco, "fresh77")


def test_a_token_from_a_strange_address_ends_the_owners_wait() -> None:
    """Anyone who resets the password on the way writes from home again."""
    house = locked_out()
    marco, phone = "marco@player.example", "marco@phone.example"
    token = token_in(write(house, marco, "SEND TOKEN borgia"), marco)
    write(house, phone, f"SIGNON Vborgia {token}", "SET PASSWORD fresh77")

    assert opens(house, marco, "fresh77")


def test_the_right_password_from_anywhere_ends_the_owners_wait() -> None:
    """At the seat and at all addresses of its owner; a stranger's own wait goes on."""
    house = locked_out()
    marco, phone = "marco@player.example", "marco@phone.example"
    assert not opens(house, marco, "pwV")
    tables = house.store.tables
    tables.counts = [each for each in tables.counts if each[0] != "tries/seat/borgia/V"]
    assert opens(house, phone, "pwV")

    assert opens(house, marco, "pwV")
    assert not opens(house, MALLORY, "pwV")


@pytest.mark.parametrize("line", ["OBSERVE borgia rosen88", "SIGNON ?borgia rosen88"])
def test_a_token_opens_every_kind_of_seat_from_anywhere(line: str) -> None:
    """It is no password of a new seat."""
    house = House()
    write(house, LUCIA, "CREATE ?borgia masterkey 1454")
    rosa, phone = "rosa@far.example", "rosa@phone.example"
    write(house, rosa, line)
    sent = write(house, rosa, "SEND TOKEN borgia")
    token = token_in(sent, rosa)
    letter = "O" if line.startswith("OBSERVE") else "?"
    sent = write(house, phone, f"SIGNON {letter}borgia {token}", "SET PASSWORD fresh77")

    assert len(house.game().seats) == 2
    assert "Your token has opened the seat" in next(x.body for x in sent if x.to == phone)


def test_greetings_guess_nothing_for_free() -> None:
    """``hello`` counts like a signon where there is such a game."""
    house = started()
    write(house, MALLORY, *(f"hello Vborgia wrong{number}" for number in range(30)))

    assert len(counted(house, f"tries/from/{MALLORY}")) == 5


def test_wrong_passwords_are_logged_without_them(logged: list) -> None:
    """The keeper sees that somebody guesses, not what."""
    guess(started(), 1)

    assert [entry["event"] for entry in logged] == ["signon.refused"]
    assert "wrong0" not in repr(logged)


@pytest.mark.parametrize("who", [MALLORY, "marco@player.example"])
def test_a_day_later_all_is_forgotten(who: str) -> None:
    """Nobody carries old slips with him."""
    house = started()
    guess(house, 9, who)
    house.later(hours=25)

    assert "too many" not in guess(house, 1, who)


# --- changes ---------------------------------------------------------------------------------


def test_a_changed_address_is_told_to_the_old_one_and_undone_from_there() -> None:
    """Anyone who has guessed a password cannot take a seat away for good."""
    house = started()
    letters = write(
        house, MALLORY, "SIGNON Vborgia pwV", f"SET ADDRESS {MALLORY}", "SET PASSWORD stolen7"
    )
    marco = "marco@player.example"
    told = next(
        one for one in letters if one.to == marco and "changes to your access" in one.subject
    )
    token = token_in([told], marco)
    write(house, marco, f"SIGNON Vborgia {token}", "SET PASSWORD fresh77")
    seat = next(seat for seat in house.game().seats if "V" in seat.powers)

    assert seat.address == marco
    assert seat.password == house.services.passwords.hash("fresh77")


def test_a_changed_password_is_told_to_the_old_address() -> None:
    """With a way back."""
    house = started()
    letters = write(house, MALLORY, "SIGNON Vborgia pwV", "SET PASSWORD stolen7")

    assert [one.to for one in letters if "changes to your access" in one.subject] == [
        "marco@player.example"
    ]
    assert "stolen7" not in "".join(one.body for one in letters)


# --- one more address ------------------------------------------------------------------------


def test_an_address_is_linked_by_a_token_to_the_old_one() -> None:
    """The new one is the same person's from then on."""
    house = started()
    letters = write(house, NEW, f"I AM ALSO {OLD}")
    assert {one.to for one in letters} == {NEW, OLD}
    write(house, NEW, f"CONFIRM {token_in(letters, OLD)}")
    lucia = next(p for p in house.store.tables.persons.values() if OLD in p.addresses)

    assert lucia.addresses == (OLD, NEW)


def test_anyone_who_claims_an_address_learns_nothing() -> None:
    """Known or not, the answer is the same but for the address."""
    house = started()
    known = answer([one for one in write(house, NEW, f"I AM ALSO {OLD}") if one.to == NEW], NEW)
    unknown = answer(write(house, NEW, "I AM ALSO nobody@far.example"), NEW)

    assert known.replace(OLD, "X") == unknown.replace("nobody@far.example", "X")


def test_an_address_of_somebody_is_not_linked_to_another() -> None:
    """Two registrations stay two; neither loses his seats."""
    house = started()
    letters = write(house, "marco@player.example", f"I AM ALSO {OLD}")
    sent = answer(
        write(house, "marco@player.example", f"CONFIRM {token_in(letters, OLD)}"),
        "marco@player.example",
    )

    assert "already registered" in sent


# Sign-ins that went wrong: the password is neither repeated nor left in the stored mail.


FORMS = """
password tulip9
pass tulip9
token tulip9
my password tulip9
here is my password tulip9
change password tulip9
password tulip9 please
password - tulip9
password -> tulip9
I forgot. password tulip9
signon Vborgia/tulip9
signon Vborgia|tulip9
signon Vborgia,tulip9
signon Vborgia-tulip9
signon Vborgia+tulip9
signon Vborgia@tulip9
signon Vborgia#tulip9
signon Vborgia.tulip9
signon Vborgia_tulip9
signon Vborgia(tulip9)
signon V/borgia/tulip9
signon ?borgia/tulip9
signon tulip9
login Vborgia/tulip9
observe borgia/tulip9
watch borgia/tulip9
create ?ferrara/tulip9
join borgia tulip9
Vborgia/tulip9
Vborgia tulip9
borgia V tulip9
"""


@pytest.mark.parametrize("sender", ["anna@player.example", "eve@elsewhere.example"])
@pytest.mark.parametrize("form", FORMS.strip().splitlines())
def test_a_password_in_a_line_that_failed_is_redacted(form: str, sender: str) -> None:
    """In every form that people type, no matter who writes."""
    house = started("nomoney")

    letters = write(house, sender, form, "A flo h")

    assert all("tulip9" not in letter.body + letter.subject for letter in letters)
    assert b"tulip9" not in house.store.tables.inbox[-1].mail.raw


def test_a_password_below_the_word_for_it_is_redacted() -> None:
    """On a line of its own."""
    house = started("nomoney")

    (letter,) = write(house, "eve@elsewhere.example", "password", "tulip9")

    assert "tulip9" not in letter.body
    assert b"tulip9" not in house.store.tables.inbox[-1].mail.raw


def test_words_beside_the_word_password_stay_readable() -> None:
    """What holds no digit is a sentence rather than a password, and hides no other word."""
    house = started("nomoney")

    write(house, "eve@elsewhere.example", "I lost my password again", "again, please help")

    assert b"again, please help" in house.store.tables.inbox[-1].mail.raw
