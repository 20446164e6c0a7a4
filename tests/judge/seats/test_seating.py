"""Who sits at a game: ejecting, promoting, inviting, beginning with empty seats, the comment."""

import pytest

from machjudge.judge.records import Role, Status
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer, ask, write
from tests.judge.phases.test_mastering import GINA, MASTER, master, ruled, said
from tests.judge.year import address_of, order

DINO = "dino@other.example"
CARO = "caro@other.example"


def registered(house: House, *addresses: str) -> None:
    """People who are known here."""
    for address in addresses:
        name = address.partition("@")[0].capitalize()
        write(house, address, "REGISTER", f"Name: {name}", "END")


@built_once
def forming() -> House:
    """A game that forms, of which Gina is the master."""
    house = House()
    write(house, GINA, "CREATE ?borgia masterkey 1454 nomoney")
    return house


def test_ejected_player_is_told_and_his_seat_is_open() -> None:
    """His password opens nothing; somebody else takes over."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    sent = master(house, "EJECT Florence")
    registered(house, DINO)

    assert "You have ejected Anna" in said(sent)
    assert any(x.to == anna and "seat taken" in x.subject for x in sent)
    assert "keeps you out" in ask(house, "SIGNON Lborgia pwL", sender=anna)
    assert "You lead Florence now" in ask(house, "SIGNON Lborgia tulip9")


def test_observer_is_ejected_by_name() -> None:
    """His seat is gone."""
    house = ruled("nomoney")
    write(house, DINO, "OBSERVE borgia tulip9")
    master(house, "EJECT Dino")

    assert not [seat for seat in house.game().seats if seat.role is Role.OBSERVER]


@pytest.mark.parametrize("who", ["Gina", "Sparta", "M"])
def test_nobody_is_ejected_by_mistake(who: str) -> None:
    """Not the master, and nobody who is not there."""
    house = ruled("nomoney")
    before = house.game()
    master(house, f"EJECT {who}")

    assert house.game() == before


def test_promoted_observer_runs_the_game_too() -> None:
    """With his own password; he may resign, and promotes nobody himself."""
    house = ruled("nomoney")
    write(house, DINO, "OBSERVE borgia tulip9")
    sent = master(house, f"PROMOTE {DINO}")
    registered(house, CARO)
    write(house, CARO, "OBSERVE borgia rosen8")

    assert "Dino is a co-master now" in said(sent)
    assert not [x for x in sent if DINO in x.body and x.to != GINA]
    co = "SIGNON Mborgia tulip9"
    assert "forts are on" in ask(house, co, "SET FORTS")
    assert "for the master only" in ask(house, co, "PROMOTE Caro")
    assert "You have left" in ask(house, co, "RESIGN")


def test_only_observers_are_promoted() -> None:
    """A player stays one."""
    house = ruled("nomoney")

    assert "only an observer" in said(master(house, "PROMOTE Anna")).replace("Only", "only")


def test_game_begins_with_empty_seats() -> None:
    """They are taken over later; nobody's address or password is empty in a signon."""
    house = forming()
    write(house, DINO, "SIGNON ?borgia tulip9", "SET PREFERENCES L")
    sent = master(house, "FORCE BEGIN")
    registered(house, CARO)

    assert house.game().status is Status.RUNNING
    opened = said(sent).partition("Open seats: ")[2].partition(".")[0]
    assert set(opened.replace("and", "").replace(",", "").split()) == set("AFINPTV")
    assert all(letter.to for letter in sent)
    assert "You lead Venice now" in ask(house, "SIGNON Vborgia rosen8", sender=CARO)


def test_game_does_not_begin_without_players_or_twice() -> None:
    """With a sentence each."""
    house = forming()

    assert "Nobody has joined yet" in said(master(house, "FORCE BEGIN"))
    assert "begun already" in said(master(ruled(), "FORCE BEGIN"))


def test_comment_stands_in_the_listing() -> None:
    """Line by line, until it is cleared."""
    house = ruled("nomoney")
    master(house, "SET COMMENT Be kind, all of you.", "SET COMMENT No faked mails.")

    assert "THE MASTER SAYS Be kind, all of you. No faked mails." in ask(house, "LIST borgia")
    master(house, "SET NOCOMMENT")
    assert "THE MASTER SAYS" not in ask(house, "LIST borgia")


def test_only_the_invited_may_join() -> None:
    """From the first invitation on; it can be taken back."""
    house = forming()
    registered(house, DINO, CARO)
    master(house, f"SET ALLOW PLAYER {DINO}")

    assert "has not invited you" in ask(house, "SIGNON ?borgia tulip9", sender=CARO)
    assert "You have joined" in ask(house, "SIGNON ?borgia tulip9")
    master(house, f"SET ALLOW PLAYER -{DINO}")
    assert "You have joined" in ask(house, "SIGNON ?borgia tulip9", sender=CARO)


def test_denied_address_takes_no_seat() -> None:
    """Neither a new one nor an open one; an invitation beats it."""
    house = ruled("nomoney")
    registered(house, DINO)
    order(house, "L", "RESIGN")
    master(house, f"SET DENY PLAYER {DINO}")

    assert "has not invited you" in ask(house, "SIGNON Lborgia tulip9")
    master(house, f"SET ALLOW PLAYER {DINO}")
    assert "You lead Florence now" in ask(house, "SIGNON Lborgia tulip9")


def test_lists_show_no_address_to_anybody_else() -> None:
    """They are in the answer to the master, and in no log."""
    house = ruled("nomoney")
    sent = master(house, f"SET DENY PLAYER {CARO}")

    assert CARO in said(sent)
    assert {letter.to for letter in sent} == {GINA}
    assert not [n for n in house.store.tables.notices if CARO in n.text]


def test_new_address_is_confirmed_to_the_old_one() -> None:
    """And to nobody else with the address in it; a new password is told there, too."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    sent = write(house, CARO, "SIGNON Lborgia pwL", "SET PASSWORD rosen88")
    assert [x.to for x in sent if "password for this game is changed" in x.body] == [CARO, anna]
    assert not [x for x in sent if "rosen88" in x.body]

    sent = write(house, anna, "SIGNON Lborgia rosen88", f"SET ADDRESS {CARO}")
    assert any(x.to == anna and "another address" in x.body for x in sent)
    assert MASTER not in "".join(x.body for x in sent)


@pytest.mark.parametrize("second", [f", {CARO}", f" {CARO}", f"; {CARO}", f" and {CARO}"])
def test_a_seat_has_one_address(second: str) -> None:
    """Two are refused with a clear sentence, and the first of them is not taken either."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    sent = order(house, "L", f"SET ADDRESS {DINO}{second}")
    body = " ".join(answer(sent, anna).split()).lower()

    assert address_of(house, "L") == anna
    assert "mails of a seat go to one address: write set address and that one" in body


def test_two_observers_with_the_same_password_have_a_seat_each() -> None:
    """Somebody who picks another's password by chance does not get that seat."""
    house = ruled("nomoney")
    registered(house, DINO, CARO)
    for each in (DINO, CARO, CARO):
        write(house, each, "OBSERVE borgia tulip9")

    watching = [s.address for s in house.game().seats if s.role is Role.OBSERVER]
    assert watching == [DINO, CARO]
