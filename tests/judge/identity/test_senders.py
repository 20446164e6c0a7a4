"""From whom a game takes mails: any sender with a proof, known addresses, verified senders."""

import pytest

from tests.judge.house import House, started
from tests.judge.letters_in import answer, reply, work, write

MALLORY = "mallory@evil.example"
MASTER = "lucia@player.example"


def house_of(senders: str) -> House:
    """A running game that takes mails of such senders."""
    house = started("nomoney")
    house.services.senders.verified = {MASTER}
    write(house, MASTER, "SIGNON Mborgia masterkey", f"SET SENDER {senders}")
    return house


def owner(house: House) -> str:
    """The address of Florence's player."""
    return next(seat.address for seat in house.game().seats if "L" in seat.powers)


def orders(house: House, sender: str) -> str:
    """The answer to orders with the password, from somewhere."""
    return answer(write(house, sender, "SIGNON Lborgia pwL", "A flo H"), sender)


def has_ordered(house: House) -> bool:
    """True if Florence has orders on file."""
    return "L" in house.view().order_sets


def test_any_sender_with_a_proof_counts_and_the_owner_hears_of_it() -> None:
    """The address on file gets a copy that names the sender."""
    house = house_of("any")
    letters = write(house, MALLORY, "SIGNON Lborgia pwL", "A flo H")

    assert has_ordered(house)
    assert f"This mail came from {MALLORY}." in answer(letters, owner(house))


@pytest.mark.parametrize(("senders", "says"), [("known", "on file only"), ("verified", "verified")])
def test_a_password_from_elsewhere_opens_nothing(senders, says) -> None:
    """The answer says why, and shows nothing of the seat."""
    house = house_of(senders)
    text = orders(house, MALLORY)

    assert says in text
    assert "ORDERS ON FILE" not in text
    assert not has_ordered(house)


@pytest.mark.parametrize("senders", ["known", "verified"])
def test_a_token_from_elsewhere_opens_nothing_either(senders) -> None:
    """People quote and forward their mails."""
    house = house_of("any")
    (letter,) = write(house, owner(house), "SIGNON Lborgia pwL")
    write(house, MASTER, "SIGNON Mborgia masterkey", f"SET SENDER {senders}")
    text = answer(reply(house, letter, "A flo H", sender=MALLORY), MALLORY)

    assert "Nothing was done" in text
    assert not has_ordered(house)


def test_a_known_address_counts() -> None:
    """Whatever its mail server says."""
    house = house_of("known")
    orders(house, owner(house))

    assert has_ordered(house)


def test_a_known_address_must_be_verified_where_the_game_says_so() -> None:
    """A forged From is no more than a claim."""
    house = house_of("verified")
    text = orders(house, owner(house))
    assert "nothing proves that yours comes from your address on file" in " ".join(text.split())
    assert not has_ordered(house)

    house.services.senders.verified.add(owner(house))
    orders(house, owner(house))
    assert has_ordered(house)


@pytest.mark.parametrize("senders", ["known", "verified"])
def test_masters_do_not_lock_themselves_out(senders) -> None:
    """The mail that sets it has to be one that counts afterwards."""
    house = started("nomoney")
    sender = MALLORY if senders == "known" else MASTER
    letters = write(house, sender, "SIGNON Mborgia masterkey", f"SET SENDER {senders}")

    assert "your own mails would not count" in answer(letters, sender).replace("\n", " ").lower()
    assert house.game().settings.sender.value == "any"


def test_everybody_hears_of_it() -> None:
    """A player must know why a mail is refused."""
    house = started("nomoney")
    letters = write(house, MASTER, "SIGNON Mborgia masterkey", "SET SENDER KNOWN")

    assert "Mails count from addresses on file only" in answer(letters, owner(house))


def test_a_verified_sender_resigns_with_a_password_at_once() -> None:
    """The mail proves its sender, so no further message is needed."""
    house = House(confirm=True)
    house.start(options=["nomoney"])
    house.services.senders.verified = {owner(house), MALLORY}
    write(house, MALLORY, "SIGNON Lborgia pwL", "RESIGN")
    assert [seat for seat in house.game().seats if seat.person is None] == []

    write(house, owner(house), "SIGNON Lborgia pwL", "RESIGN")
    assert [seat.powers for seat in house.game().seats if seat.person is None] == [("L",)]


def test_a_mail_waits_for_a_name_server_that_does_not_answer() -> None:
    """Its orders count as soon as the server does; nobody was told that they are refused."""
    house = house_of("verified")
    house.services.senders.verified.add(owner(house))
    house.services.senders.is_silent = True
    sent = write(house, owner(house), "SIGNON Lborgia pwL", "A flo H")
    house.services.senders.is_silent = False
    house.later(minutes=1)
    work(house)

    assert sent == []
    assert has_ordered(house)
    assert "ORDERS ON FILE" in answer(house.mails_out(), owner(house))


def test_a_name_server_that_never_answers_proves_nothing() -> None:
    """After ten minutes the mail is answered as one that proves nothing."""
    house = house_of("verified")
    house.services.senders.is_silent = True
    sent = write(house, owner(house), "SIGNON Lborgia pwL", "A flo H")
    for _ in range(9):
        house.later(minutes=1)
        work(house)
        sent += house.mails_out()
    house.later(minutes=1)
    work(house)

    assert sent == []
    assert "verified" in answer(house.mails_out(), owner(house))
    assert not has_ordered(house)


def test_elsewhere_nobody_waits_for_a_name_server() -> None:
    """A password proves enough."""
    house = house_of("any")
    house.services.senders.is_silent = True
    orders(house, owner(house))

    assert has_ordered(house)
