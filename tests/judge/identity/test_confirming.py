"""An address counts once somebody has answered from it; until then nothing is done in its name."""

from dataclasses import replace

import pytest

from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId, Role, Status
from machjudge.judge.tick import look_at_games
from tests.judge.house import House
from tests.judge.letters_in import answer, message_to, reply, write

BOB = "bob@new.example"
MARCO = "marco@player.example"
ASKS = "Reply to this message, empty or with your orders, to confirm your address."
CLAIMED = "Somebody has used your address for this, without a password of yours."


@pytest.fixture
def house() -> House:
    """A judge that has addresses confirmed."""
    return House(confirm=True)


@pytest.fixture
def forming(house: House) -> House:
    """A judge with a game for two that one has made."""
    sent = write(house, "gina@new.example", "CREATE ?small masterkey 1454 players 2")
    reply(house, message_to(sent, "gina@new.example"))
    return house


@pytest.fixture
def running(house: House) -> House:
    """A judge with a game that has just begun."""
    house.start()
    return house


def names(house: House) -> set[str]:
    """Everybody whose address is confirmed."""
    return {each.name for each in house.store.tables.persons.values() if each.is_confirmed}


# --- the first contact -----------------------------------------------------------------------


def test_first_mail_asks_for_an_answer(forming: House) -> None:
    """The seat waits, the master is told nothing, and the game counts nobody."""
    sent = write(forming, BOB, "SIGNON ?small bobs7", "SET PREFERENCES LV")

    (claim,) = forming.game("small").claims
    assert ASKS in answer(sent, BOB)
    assert {letter.to for letter in sent} == {BOB}
    assert (claim.address, claim.preferences) == (BOB, "LV")
    assert len(forming.game("small").seats) == 1
    assert "Bob" not in names(forming)


def test_what_a_waiting_seat_is_to_have_is_told_as_to_come(forming: House) -> None:
    """Nothing of it counts before the answer; a confirmed seat has it at once."""
    asks = ("SIGNON ?small bobs7", "SET PREFERENCES LV", "SET PUBLIC ADDRESS")
    sent = write(forming, BOB, *asks)
    confirmed = answer(reply(forming, message_to(sent, BOB), "SET PREFERENCES VL"), BOB)

    told = answer(sent, BOB).partition("DONE\n")[2]
    assert told.startswith("  Once you have confirmed your address:\n  Your preferences: LV")
    assert told.count("Once you have") == 1
    assert "Your preferences: VL" in confirmed
    assert "Once you have" not in confirmed


def test_who_takes_over_asks_for_no_preferences_of_the_last_player(house: House) -> None:
    """What the last one wished for is nobody's wish any more."""
    house.start()
    seats = house.game().seats
    house.change(seats=tuple(replace(x, person=None) if "V" in x.powers else x for x in seats))
    told = " ".join(answer(write(house, BOB, "SIGNON Vborgia bobs7"), BOB).split())

    assert "Your answer sets, as the mail asked: its password and the name Bob." in told
    assert "preferences" not in told


@pytest.mark.parametrize("said", ["yes", "Yes, please.", "OK"])
def test_a_word_that_agrees_is_not_named_as_unread(forming: House, said: str) -> None:
    """The seat is given, and what stands below the word counts."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")
    told = answer(reply(forming, message_to(sent, BOB), said, "SET PREFERENCES LV"), BOB)

    assert "NOT READ" not in told
    assert forming.game("small").seats[-1].preferences == "LV"


@pytest.mark.parametrize("said", ["NOT ME", "No!", "Hello, this was not me.", "That wasn't me"])
def test_anyone_who_did_not_ask_says_so_in_their_own_words(forming: House, said: str) -> None:
    """Nothing is kept, and nobody has a seat by that answer."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")
    reply(forming, message_to(sent, BOB), said)

    assert not forming.game("small").claims
    assert len(forming.game("small").seats) == 1
    assert "Bob" not in names(forming)


def test_empty_answer_gives_the_seat(forming: House) -> None:
    """Then the others are told, and what was wished for counts."""
    sent = write(forming, BOB, "SIGNON ?small bobs7", "SET PREFERENCES LV")

    told = reply(forming, message_to(sent, BOB))

    seat = forming.game("small").seats[-1]
    assert (seat.role, seat.address, seat.preferences) == (Role.PLAYER, BOB, "LV")
    assert not forming.game("small").claims
    assert "You have joined the game small." in answer(told, BOB)
    assert "NOT TAKEN" not in answer(told, BOB)
    assert "Bob has joined" in answer(told, "gina@new.example")
    assert "Bob" in names(forming)


@pytest.mark.parametrize("word", ["confirm", "Confirm please", "I confirm.", "CONFIRM!"])
def test_an_answer_that_says_confirm_is_no_mistake(forming: House, word: str) -> None:
    """The reply does it; the word is not taken for the command of that name without its token."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")

    told = message_to(reply(forming, message_to(sent, BOB), word), BOB)

    assert "You have joined the game small." in told.body
    assert not told.subject.startswith("Re: [Errors]")


def test_answer_may_come_from_another_address(forming: House) -> None:
    """The token went to the claimed address, wherever the answer comes from."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")

    reply(forming, message_to(sent, BOB), sender="bob@telephone.example")

    assert forming.game("small").seats[-1].address == BOB


def test_game_begins_with_confirmed_seats_only(forming: House) -> None:
    """The last answer begins it, and the preferences in that answer count."""
    first = write(forming, BOB, "SIGNON ?small bobs7")
    second = write(forming, "eva@new.example", "SIGNON ?small evas7")
    assert forming.game("small").status is Status.FORMING
    reply(forming, message_to(first, BOB))
    assert forming.game("small").status is Status.FORMING

    reply(forming, message_to(second, "eva@new.example"), "SET PREFERENCES T")

    assert forming.game("small").status is Status.RUNNING
    (eva,) = [s for s in forming.game("small").seats if s.address == "eva@new.example"]
    assert eva.preferences == "T"


def test_anyone_who_answers_first_has_the_seat(forming: House) -> None:
    """A stranger's silent seats keep nobody out; the late one reads why."""
    waiting = {
        name: write(forming, f"{name}@new.example", f"SIGNON ?small {name}pw")
        for name in ("bob", "eva", "ida")
    }
    for name in ("eva", "ida"):
        reply(forming, message_to(waiting[name], f"{name}@new.example"))

    late = reply(forming, message_to(waiting["bob"], BOB))

    assert "all seats of small are taken" in answer(late, BOB)
    assert not [s for s in forming.game("small").seats if s.address == BOB]


def test_seat_that_waits_is_opened_by_its_own_password(forming: House) -> None:
    """And shows nothing but itself; press and orders wait for the answer."""
    write(forming, BOB, "SIGNON ?small bobs7")

    sent = write(forming, BOB, "SIGNON ?small bobs7", "SET PREFERENCES T", "BROADCAST", "hi")

    (claim,) = forming.game("small").claims
    assert claim.preferences == "T"
    assert "our address is not confirmed" in answer(sent, BOB)
    assert {letter.to for letter in sent} == {BOB}


def test_not_me_undoes_it(forming: House) -> None:
    """One line in the answer, and nothing is kept."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")

    told = reply(forming, message_to(sent, BOB), "NOT ME")

    assert not forming.game("small").claims
    assert "Bob" not in {each.name for each in forming.store.tables.persons.values()}
    assert "Nothing is kept" in answer(told, BOB)
    again = reply(forming, message_to(sent, BOB))
    assert "does not wait any more" in answer(again, BOB)


def test_same_message_may_be_answered_again(forming: House) -> None:
    """People reply to the same message twice; it still opens the seat."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")
    reply(forming, message_to(sent, BOB))

    reply(forming, message_to(sent, BOB), "SET PREFERENCES T")

    assert forming.game("small").seats[-1].preferences == "T"


def test_resigning_withdraws_a_seat_that_waits(forming: House) -> None:
    """Nothing is left of it."""
    write(forming, BOB, "SIGNON ?small bobs7")

    write(forming, BOB, "SIGNON ?small bobs7", "RESIGN")

    assert not forming.game("small").claims


# --- registering and creating ----------------------------------------------------------------


def test_registration_waits_for_an_answer(house: House) -> None:
    """Then it is written down, and answers to that message need no further round."""
    sent = write(house, BOB, "REGISTER", "Name: Bob Neri", "Timezone: Europe/Rome", "END")
    assert not names(house)

    told = reply(house, message_to(sent, BOB))

    assert names(house) == {"Bob Neri"}
    made = reply(house, message_to(told, BOB), "CREATE ?small masterkey 1454 players 2")
    assert house.game("small").is_confirmed
    assert ASKS not in answer(made, BOB)


def test_new_game_is_seen_by_nobody_before_its_creator_has_answered(house: House) -> None:
    """It is neither listed nor joined; settings in the same mail count."""
    lines = ("CREATE ?small masterkey 1454 players 2", "SET NOFAMINE")
    sent = write(house, "gina@new.example", *lines)

    listed = write(house, BOB, "LIST")
    joined = write(house, BOB, "SIGNON ?small bobs7")

    assert "small" not in answer(listed, BOB)
    assert "There is no game of that name" in answer(joined, BOB)
    reply(house, message_to(sent, "gina@new.example"))
    assert "small" in answer(write(house, BOB, "LIST"), BOB)
    assert house.game("small").rules.disaster.famine is False


# --- somebody who is known -------------------------------------------------------------------


def test_known_address_gets_one_notice_and_an_answer_takes_the_seat(running: House) -> None:
    """The owner of the address has the seat, under his own name; no second person is left."""
    sent = write(running, MARCO, "OBSERVE Borgia spy77")

    assert CLAIMED in answer(sent, MARCO)
    assert {letter.to for letter in sent} == {MARCO}
    told = reply(running, message_to(sent, MARCO))

    marco = next(p for p in running.store.tables.persons.values() if p.name == "Marco")
    watching = [s for s in running.game().seats if s.role is Role.OBSERVER]
    assert [seat.person for seat in watching] == [marco.id]
    assert "You watch Borgia" in answer(told, MARCO)
    assert all(person.is_confirmed for person in running.store.tables.persons.values())


def test_name_changes_when_the_owner_answers(running: House) -> None:
    """A registration without proof renames nobody before that."""
    sent = write(running, MARCO, "REGISTER", "Name: Marco Polo", "END")
    assert "Marco" in names(running)

    reply(running, message_to(sent, MARCO))

    assert "Marco Polo" in names(running)


def test_registration_with_a_password_counts_at_once(running: House) -> None:
    """The open seat proves who writes."""
    write(running, MARCO, "SIGNON VBorgia pwV", "REGISTER", "Name: Marco Polo", "END")

    assert "Marco Polo" in names(running)


# --- taking over -----------------------------------------------------------------------------


def test_power_is_taken_over_by_the_answer_and_its_orders_count(running: House) -> None:
    """The first mail gives no orders and learns nothing of the power."""
    here = write(running, MARCO, "SIGNON VBorgia pwV")
    reply(running, message_to(here, MARCO), "RESIGN")

    sent = write(running, BOB, "SIGNON VBorgia bobs7", "A pad - fer", "HISTORY ORDERS")

    assert "Venice in the game Borgia waits for you." in answer(sent, BOB)
    assert "our address is not confirmed" in answer(sent, BOB)
    assert not running.view().order_sets
    told = reply(running, message_to(sent, BOB), "maintain A Padua")
    assert "You lead Venice now" in answer(told, BOB)
    assert set(running.view().order_sets) == {"V"}


def test_unlisted_game_is_shown_only_to_those_who_prove_to_sit_there(running: House) -> None:
    """Not to the address in From, and not to the person who waits to watch it."""
    write(running, "lucia@player.example", "SIGNON MBorgia masterkey", "SET NOLISTED")
    write(running, MARCO, "OBSERVE Borgia spy77")

    asked = write(running, MARCO, "LIST", "HISTORY Borgia")
    spied = write(running, MARCO, "SIGNON OBorgia spy77", "LIST Borgia", "HISTORY Borgia")

    assert "Borgia" not in answer(asked, MARCO).replace("HISTORY Borgia", "")
    assert answer(spied, MARCO).count("There is no game of that name to show") == 2
    own = write(running, MARCO, "SIGNON VBorgia pwV", "LIST Borgia")
    assert "THE GAME BORGIA" in answer(own, MARCO)
    assert running.game().id == GameId("borgia")


# --- time ------------------------------------------------------------------------------------


def passes(house: House, **time: float) -> list[Outgoing]:
    """Time passes, and cron calls."""
    look_at_games(house.services, house.later(**time))
    return house.mails_out()


def test_reminder_comes_once_after_a_day(forming: House) -> None:
    """It can be answered like the first message."""
    write(forming, BOB, "SIGNON ?small bobs7")
    assert not passes(forming, hours=23)

    (reminder,) = passes(forming, hours=2)

    assert "to confirm your address" in reminder.body
    assert not passes(forming, hours=24)
    reply(forming, reminder)
    assert forming.game("small").seats[-1].address == BOB


def test_reminder_comes_before_a_short_time_is_over(forming: House) -> None:
    """Where the master gives six hours it comes after three: nobody loses a seat without one."""
    write(forming, "gina@new.example", "SIGNON Msmall masterkey", "SET CONFIRM 6 HOURS")
    write(forming, BOB, "SIGNON ?small bobs7")
    assert not passes(forming, hours=2)

    (reminder,) = passes(forming, hours=1)

    assert reminder.to == BOB
    assert "to confirm your address" in reminder.body
    assert not passes(forming, hours=2)
    assert forming.game("small").claims


def test_seat_opens_again_after_the_time_of_the_master(forming: House) -> None:
    """Three days, unless the master sets another time; nothing is left of it."""
    write(forming, "gina@new.example", "SIGNON Msmall masterkey", "SET CONFIRM 36 HOURS")
    sent = write(forming, BOB, "SIGNON ?small bobs7")
    passes(forming, hours=25)
    assert forming.game("small").claims

    passes(forming, hours=12)

    assert not forming.game("small").claims
    assert "Bob" not in {each.name for each in forming.store.tables.persons.values()}
    late = reply(forming, message_to(sent, BOB))
    assert "does not wait any more" in answer(late, BOB)


def test_game_of_an_unconfirmed_creator_disappears(house: House) -> None:
    """Its name is free again."""
    write(house, "gina@new.example", "CREATE ?small masterkey 1454 players 2")

    passes(house, days=3)

    assert not house.store.tables.games
    assert not house.store.tables.persons


def test_registration_that_nobody_confirms_disappears(house: House) -> None:
    """After three days."""
    write(house, BOB, "REGISTER", "Name: Bob Neri", "END")
    passes(house, days=2)
    assert house.store.tables.persons

    passes(house, days=1)

    assert not house.store.tables.persons


def test_master_sees_how_many_wait(forming: House) -> None:
    """And nobody else does."""
    write(forming, BOB, "SIGNON ?small bobs7")

    master = write(forming, "gina@new.example", "SIGNON Msmall masterkey", "LIST small")
    others = write(forming, "eva@new.example", "LIST small")

    assert "Unconfirmed: 1 seat waits for an answer." in answer(master, "gina@new.example")
    assert "nconfirmed" not in answer(others, "eva@new.example")


# --- closed networks -------------------------------------------------------------------------


def test_nothing_is_confirmed_where_the_keeper_trusts_every_sender() -> None:
    """``confirm = "off"``: the address in From counts at once."""
    house = House(confirm=False)

    write(house, "gina@new.example", "CREATE ?small masterkey 1454 players 2")
    sent = write(house, BOB, "SIGNON ?small bobs7")

    assert house.game("small").seats[-1].address == BOB
    assert ASKS not in answer(sent, BOB)


# --- one more address ------------------------------------------------------------------------


def test_seats_mails_go_to_a_new_address_when_it_has_answered(running: House) -> None:
    """Until then they go to the old one, which is told of the change when it happens."""
    new = "marco@office.example"
    asked = write(running, MARCO, "SIGNON VBorgia pwV", f"SET ADDRESS {new}")
    assert MARCO in {seat.address for seat in running.game().seats}

    told = reply(running, message_to(asked, new))

    assert MARCO not in {seat.address for seat in running.game().seats}
    assert f"Mails of this game go to {new}." in answer(told, new)
    (marco,) = [p for p in running.store.tables.persons.values() if p.name == "Marco"]
    assert marco.addresses == (MARCO, new)
    assert [letter for letter in told if letter.to == MARCO and "was changed" in letter.body]


def test_second_address_is_ones_own_when_both_have_answered(running: House) -> None:
    """The token from the old address alone links nobody else's address."""
    new = "bob@new.example"
    asked = write(running, new, f"I AM ALSO {MARCO}")
    (token,) = [x.split()[-1] for x in answer(asked, MARCO).splitlines() if "CONFIRM" in x]

    sent = write(running, MARCO, f"CONFIRM {token}")

    (marco,) = [p for p in running.store.tables.persons.values() if p.name == "Marco"]
    assert marco.addresses == (MARCO,)
    reply(running, message_to(sent, new))
    (marco,) = [p for p in running.store.tables.persons.values() if p.name == "Marco"]
    assert marco.addresses == (MARCO, new)


def test_address_that_answers_too_late_is_nobodys(running: House) -> None:
    """After three days the message links nothing."""
    asked = write(running, MARCO, "SIGNON VBorgia pwV", "SET ADDRESS marco@office.example")
    running.later(days=3)

    told = reply(running, message_to(asked, "marco@office.example"))

    assert "too long ago" in answer(told, "marco@office.example")
    assert MARCO in {seat.address for seat in running.game().seats}


def test_empty_answer_gets_no_help(forming: House) -> None:
    """Nothing is missing in it."""
    sent = write(forming, BOB, "SIGNON ?small bobs7")

    told = reply(forming, message_to(sent, BOB))

    assert "HELP" not in answer(told, BOB)
    assert "no text" not in answer(told, BOB)
