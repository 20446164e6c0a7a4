"""Who was ejected stays out; an open seat is never taken by an old password; the guest lists."""

from dataclasses import replace

import pytest

from machjudge.judge.records import PersonId, Role
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import FLO, GINA, master, previewed, ruled, said
from tests.judge.seats.test_seating import CARO, DINO, ask, forming, registered
from tests.judge.year import SPRING, address_of, order, play
from tests.results_told import tells_results

OTHER = "anna@work.example"
"""A second address of Anna's."""


@built_once
def ejected() -> House:
    """A game from which the master has ejected Anna, who led Florence."""
    house = ruled("nomoney")
    people = house.store.tables.persons
    anna = next(person for person in people.values() if person.name == "Anna")
    people[anna.id] = replace(anna, addresses=(*anna.addresses, OTHER))
    master(house, "EJECT Florence")
    return house


def leads(house: House, power: str) -> PersonId | None:
    """Who leads a power."""
    return next(seat.person for seat in house.game().seats if power in seat.powers)


@pytest.mark.parametrize("sender", ["anna@player.example", OTHER])
@cases
def test_an_ejected_player_stays_out(sender: str, line: str) -> None:
    """By any of their addresses, with any password, at any seat; and no deadline changes."""
    house = ejected()
    order(house, "V", "RESIGN")
    before = house.game()
    house.later(hours=1)
    sent = write(house, sender, line)

    assert house.game() == before
    assert [letter.to for letter in sent] == [sender]


def test_an_ejected_player_reads_why_nothing_opens() -> None:
    """One sentence, whichever password was used."""
    house = ejected()
    anna = "anna@player.example"

    for password in ("pwL", "newpass7"):
        assert "keeps you out of this game" in ask(house, f"SIGNON Lborgia {password}", sender=anna)
    assert "keeps you out of this game" in ask(house, "OBSERVE borgia new7", sender=anna)


def test_the_master_reads_how_to_let_an_ejected_player_in_again() -> None:
    """The line in the answer does it: then the seat can be taken with a new password."""
    house = ruled("nomoney")
    sent = said(master(house, "EJECT Florence"))
    anna = "anna@player.example"

    assert "You have ejected Anna" in sent
    assert "SET ALLOW PLAYER Anna" in sent
    again = said(master(house, "SET ALLOW PLAYER Anna"))
    assert "Anna may take a seat or watch again" in again
    assert "everybody may join" in again
    assert "password of its last player" in ask(house, "SIGNON Lborgia pwL", sender=anna)
    assert "You lead Florence now" in ask(house, "SIGNON Lborgia newpass7", sender=anna)


def test_no_invitation_lets_an_ejected_player_in() -> None:
    """Who was invited before the ejection is out; the others on the list are not."""
    house = ruled("nomoney")
    registered(house, DINO)
    master(house, "SET ALLOW PLAYER *@player.example", f"SET ALLOW PLAYER {DINO}")
    master(house, "EJECT Florence")

    refused = ask(house, "SIGNON Lborgia newpass7", sender="anna@player.example")
    assert "keeps you out" in refused
    assert "You lead Florence now" in ask(house, "SIGNON Lborgia newpass7")


def test_all_seats_of_somebody_are_taken_at_once() -> None:
    """Who leads one power and has taken over another loses both, and is told of both."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    order(house, "V", "RESIGN")
    write(house, anna, "SIGNON Vborgia newpass7")
    sent = master(house, "EJECT Florence")

    assert leads(house, "L") is leads(house, "V") is None
    own = next(x.body for x in sent if x.to == anna)
    assert "your seat of Venice and Florence" in " ".join(own.split())
    others = next(x.body for x in sent if x.to == address_of(house, "P"))
    assert "SIGNON LBorgia" in others
    assert "SIGNON VBorgia" in others


def test_an_ejected_player_joins_no_forming_game_again() -> None:
    """Nor does somebody whom the master has not approved."""
    house = forming()
    write(house, DINO, "SIGNON ?borgia tulip9")
    write(house, CARO, "SIGNON ?borgia tulip9")
    master(house, "EJECT Dino", "SET NOAPPROVE Caro")

    for sender in (DINO, CARO):
        assert "keeps you out" in ask(house, "SIGNON ?borgia tulip9", sender=sender)
    assert [seat.role for seat in house.game().seats] == [Role.MASTER]


def test_who_resigned_does_not_take_the_seat_again_by_accident() -> None:
    """The old password takes it for nobody, and no deadline changes; a new one does."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    order(house, "L", "RESIGN")
    registered(house, DINO)
    before = house.game()
    house.later(hours=1)

    for sender in (anna, DINO, "anna@cafe.example"):
        assert "password of its last player" in ask(house, "SIGNON Lborgia pwL", sender=sender)
    assert house.game() == before
    assert "You lead Florence now" in ask(house, "SIGNON Lborgia newpass7", sender=anna)


@built_once
def opened() -> House:
    """A game in which the seat of Florence was opened, because nothing came."""
    house = ruled("nomoney")
    play(house, SPRING, without="L")
    for _ in range(2):
        house.later(days=8)
        look_at_games(house.services, house.now)
    house.mails_out()
    assert leads(house, "L") is None
    return house


def test_a_late_player_whose_seat_was_opened_comes_back() -> None:
    """With the password that they know, as the late notice says; no clock changes for that.

    But for the number of the calendars' entries: theirs comes back.
    """
    house = opened()
    before = house.game()
    sent = ask(house, "SIGNON Lborgia pwL", sender="anna@player.example")
    seat = next(seat for seat in house.game().seats if "L" in seat.powers)

    assert "You lead Florence again" in sent
    assert before.clock is not None
    entered = house.game().clock.entered
    assert house.game().clock == replace(before.clock, entered=entered)
    assert (seat.former, seat.address) == (None, "anna@player.example")


def test_a_late_player_can_be_ejected_before_coming_back() -> None:
    """The seat was open already; it is theirs no more."""
    house = opened()
    sent = said(master(house, "EJECT Florence"))

    assert "You have ejected Anna" in sent
    assert "keeps you out" in ask(house, "SIGNON Lborgia pwL", sender="anna@player.example")


@pytest.mark.parametrize(("line", "gets"), [("LIST borgia", True), ("EJECT Florence", False)])
def test_who_was_ejected_gets_no_results(line: str, gets: bool) -> None:
    """Who only was late gets those of the phase in which the seat was opened."""
    house = opened()
    master(house, line)
    sent = master(house, previewed(house))
    told = {letter.to for letter in sent if tells_results(letter.body)}

    assert ("anna@player.example" in told) is gets
    assert GINA in told


def test_a_new_player_of_an_opened_seat_ends_the_way_back() -> None:
    """The old password is worth nothing once somebody has taken the seat."""
    house = opened()
    registered(house, DINO)
    ask(house, "SIGNON Lborgia newpass7")
    sent = ask(house, "SIGNON Lborgia pwL", sender="anna@player.example")

    assert "do not go together" in sent
    assert "You lead Florence now" not in sent


# --- the lists -------------------------------------------------------------------------------


def test_a_player_is_kept_out_by_name() -> None:
    """The name of somebody who is registered stands for all their addresses."""
    house = forming()
    registered(house, DINO)
    sent = master(house, "SET DENY PLAYER dino")

    assert "Kept out: Dino." in said(sent)
    assert DINO not in said(sent)
    assert "keeps you out" in ask(house, "SIGNON ?borgia tulip9")
    assert "keeps you out" in ask(house, "OBSERVE borgia tulip9")
    assert "Nobody is kept out." in said(master(house, "SET NODENY PLAYER Dino"))
    assert "You have joined" in ask(house, "SIGNON ?borgia tulip9")


def test_a_name_of_several_words_is_one_name() -> None:
    """Up to the next comma; an invitation by name works as well."""
    house = forming()
    write(house, DINO, "REGISTER", "Name: Dino Della Scala", "END")
    registered(house, CARO)
    sent = said(master(house, "SET ALLOW PLAYER Dino della Scala, NODICE"))

    assert "Invited: Dino Della Scala. Only they may join." in sent
    assert "dice are off" in sent
    assert "not invited you" in ask(house, "SIGNON ?borgia tulip9", sender=CARO)
    assert "You have joined" in ask(house, "SIGNON ?borgia tulip9")


@pytest.mark.parametrize("which", ["ALLOW", "DENY"])
def test_a_word_that_is_nobody_is_refused(which: str) -> None:
    """And stands on no list."""
    house = forming()
    before = house.game()
    sent = said(master(house, f"SET {which} PLAYER rival"))

    assert "nobody who is registered here is called 'rival'" in sent.replace("Nobody", "nobody")
    assert "write a mail address" in sent
    assert house.game().settings == before.settings


def test_a_name_that_two_people_have_is_asked_back() -> None:
    """The address says which of them; in older databases two people have the same name."""
    house = forming()
    registered(house, DINO, "dino@far.example")
    people = house.store.tables.persons
    people.update(
        {key: replace(each, name="Dino") for key, each in people.items() if each.name == "Dino 2"}
    )

    assert "several people are called" in said(master(house, "SET DENY PLAYER Dino")).lower()
    assert DINO in said(master(house, f"SET DENY PLAYER {DINO}"))


def test_an_empty_list_of_the_invited_says_that_everybody_may_join() -> None:
    """And that who is taken from it did not stand on it."""
    sent = said(master(forming(), f"SET ALLOW PLAYER -{DINO}"))

    assert f"{DINO} was not invited" in sent
    assert "everybody may join" in sent


@pytest.mark.parametrize("line", ["SET ALLOW PLAYER", "SET DENY PLAYER", "SET NOALLOW PLAYER -"])
def test_a_list_without_a_name_changes_nothing_by_accident(line: str) -> None:
    """Without a name the list is shown."""
    house = forming()
    master(house, f"SET DENY PLAYER {DINO}")
    before = house.game().settings
    sent = said(master(house, line))

    assert house.game().settings == before
    assert "NOT TAKEN" not in sent


def test_who_sits_there_already_is_not_moved_by_a_list() -> None:
    """The answer says what takes the seat."""
    house = ruled("nomoney")
    sent = said(master(house, "SET DENY PLAYER Anna"))

    assert "Anna still has a seat here: EJECT L takes it." in sent
    assert leads(house, "L") is not None


def test_the_listing_shows_the_lists_to_the_master_alone() -> None:
    """So that nobody else learns an address from it."""
    house = ruled("nomoney")
    registered(house, DINO)
    master(house, f"SET DENY PLAYER {CARO}", "EJECT Florence")

    assert f"Kept out: Anna and {CARO}." in said(master(house, "LIST borgia"))
    for sender in (DINO, address_of(house, "P")):
        assert CARO not in ask(house, "LIST borgia", sender=sender)
    assert GINA not in ask(house, "LIST borgia")


# --- giving a seat back ----------------------------------------------------------------------


def test_reinstate_gives_the_seat_back_with_its_password_and_orders() -> None:
    """As it was, with the vote and the wait of the phase; the player and the others are told."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    order(house, "L", "A flo - pst", "SET WAIT")
    before = house.game()
    assert "TO UNDO THIS REINSTATE Florence" in said(master(house, "EJECT Florence"))
    sent = master(house, "REINSTATE Florence")

    assert "Anna has the seat of Florence again" in said(sent)
    assert any(x.to == anna and "given your seat of Florence back" in x.body for x in sent)
    assert any(x.to == address_of(house, "V") and "back to its owner" in x.body for x in sent)
    seat, was = (next(s for s in g.seats if "L" in s.powers) for g in (house.game(), before))
    assert replace(seat, generation=0) == replace(was, generation=0)
    assert house.game().settings == before.settings
    assert [x.canonical for x in house.view().order_sets[FLO].lines] == ["A flo - pst"]
    assert "A Florence - Pistoia" in ask(house, "SIGNON Lborgia pwL", sender=anna)


def test_who_sits_there_now_keeps_the_seat() -> None:
    """The answer says that it is taken, and nothing changes."""
    house = ejected()
    registered(house, DINO)
    write(house, DINO, "SIGNON Lborgia newpass7")
    before = house.game()

    assert "Somebody else has taken the seat of Florence since" in said(
        master(house, "REINSTATE Florence")
    )
    assert house.game().seats == before.seats


def test_observers_and_co_masters_come_back_with_their_words() -> None:
    """By name; their passwords open their seats as before."""
    house = ruled("nomoney")
    registered(house, DINO)
    write(house, DINO, "OBSERVE borgia spyglass4")
    before = [replace(seat, generation=0) for seat in house.game().seats]
    assert "TO UNDO THIS REINSTATE Dino" in said(master(house, "EJECT Dino"))
    assert DINO not in {seat.address for seat in house.game().seats}
    master(house, "REINSTATE Dino")

    assert [replace(seat, generation=0) for seat in house.game().seats] == before


def test_nobody_else_is_reinstated() -> None:
    """Who left by themselves takes the seat anew."""
    house = ruled("nomoney")
    order(house, "L", "RESIGN")

    assert "Nobody who was ejected is meant by 'Florence'" in said(
        master(house, "REINSTATE Florence")
    )


def test_a_co_master_becomes_an_observer_again() -> None:
    """DEMOTE takes PROMOTE back; the password stays."""
    house = ruled("nomoney")
    registered(house, DINO)
    write(house, DINO, "OBSERVE borgia spyglass4")
    assert "TO UNDO THIS DEMOTE Dino" in said(master(house, "PROMOTE Dino"))
    sent = master(house, "DEMOTE Dino")

    assert "TO UNDO THIS PROMOTE Dino" in said(sent)
    assert any(x.to == DINO and "You are an observer again" in x.body for x in sent)
    assert house.game().seats[-1].role is Role.OBSERVER
    assert "only a co-master" in said(master(house, "DEMOTE Dino")).lower()
