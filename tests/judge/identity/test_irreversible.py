"""What cannot be taken back: at once with a token, with a password alone after an answer."""

import pytest

from machjudge.judge.credentials import ActToken
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, master, reply, write
from tests.judge.year import address_of

MALLORY = "mallory@evil.example"
DINO = "dino@player.example"
MASTER = "lucia@player.example"


@pytest.fixture
def house() -> House:
    """A game that has just begun, at a judge that believes no From."""
    house = House(confirm=True)
    house.start(options=["nomoney"])
    return house


def is_held(house: House, power: str) -> bool:
    """True if somebody leads a power."""
    return next(seat.person for seat in house.game().seats if power in seat.powers) is not None


def question(letters):
    """The message that asks whether an act is meant."""
    (found,) = [each for each in letters if isinstance(each.reply, ActToken)]
    return found


@pytest.mark.parametrize("where", ["from the address on file", "from elsewhere"])
def test_a_password_alone_resigns_nobody(house, where) -> None:
    """Anybody can write any From: a message goes to the address on file, and nothing happens."""
    marco = address_of(house, "L")
    sender = marco if where == "from the address on file" else MALLORY
    letters = write(house, sender, "SIGNON Lborgia pwL", "RESIGN")

    assert is_held(house, "L")
    assert question(letters).to == marco
    assert "RESIGN WAITS, because it cannot be taken back" in answer(
        [each for each in letters if not isinstance(each.reply, ActToken)], sender
    )


@pytest.mark.parametrize(
    "said", [(), ("Yes, please.",), ("Dear judge,", "sì", "", "Anna"), ("RESIGN",), ("ok",)]
)
def test_the_answer_does_it(house, said) -> None:
    """Empty, with a word of agreement, or with the command again."""
    asked = question(write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "RESIGN"))
    text = answer(reply(house, asked, *said), address_of(house, "L"))

    assert "You have left the game Borgia." in text
    assert not is_held(house, "L")
    assert "Nothing was done" in answer(reply(house, asked), address_of(house, "L"))


@cases
def test_other_words_do_nothing(house, said) -> None:
    """The notice of an absence that nothing marks as automatic is no agreement."""
    asked = question(write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "RESIGN"))
    text = answer(reply(house, asked, *said), address_of(house, "L"))

    assert "Nothing was done about RESIGN: reply with the word YES, or with NO." in text
    assert is_held(house, "L")


def test_no_drops_it_and_a_new_password_shuts_the_door(house) -> None:
    """The owner of the seat answers once, and the person who knew the password knows nothing."""
    asked = question(write(house, MALLORY, "SIGNON Lborgia pwL", "RESIGN"))
    reply(house, asked, "NO", "SET PASSWORD fresh77")
    write(house, MALLORY, "SIGNON Lborgia pwL", "RESIGN")
    reply(house, asked, "YES")

    assert is_held(house, "L")
    assert house.store.tables.acts == {}


def test_it_waits_for_three_days(house) -> None:
    """After that an answer says that it is too late."""
    asked = question(write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "RESIGN"))
    house.later(days=3)
    text = answer(reply(house, asked, "YES"), address_of(house, "L"))

    assert "Nothing was done: the time for that is over" in text
    assert is_held(house, "L")


def test_a_token_does_it_at_once(house) -> None:
    """An answer to a message of the judge, from the address on file."""
    (letter,) = write(house, address_of(house, "L"), "SIGNON Lborgia pwL")
    reply(house, letter, "RESIGN")

    assert not is_held(house, "L")


def test_a_token_from_elsewhere_waits_too(house) -> None:
    """People quote and forward their mails."""
    (letter,) = write(house, address_of(house, "L"), "SIGNON Lborgia pwL")
    letters = reply(house, letter, "RESIGN", sender=MALLORY)

    assert is_held(house, "L")
    assert question(letters).to == address_of(house, "L")


def test_two_mails_ask_once(house) -> None:
    """Anyone who sends the same again fills nobody's mailbox."""
    write(house, MALLORY, "SIGNON Lborgia pwL", "RESIGN")
    again = write(house, MALLORY, "SIGNON Lborgia pwL", "RESIGN")

    assert [each for each in again if isinstance(each.reply, ActToken)] == []
    assert "waits already" in answer(again, MALLORY)


def test_what_would_be_refused_is_refused_at_once(house) -> None:
    """Nobody answers a message about a command that cannot be carried out."""
    letters = write(house, MASTER, "SIGNON Mborgia masterkey", "EJECT Nobody")

    assert "Nobody here is 'Nobody'" in answer(letters, MASTER)
    assert house.store.tables.acts == {}


@pytest.mark.parametrize("act", ["EJECT Florence", "PROCESS S1454M", "TERMINATE", "DECLARE DRAW"])
def test_a_master_answers_too(house, act) -> None:
    """What ends, plays or empties a game waits for the answer from the master's address."""
    before = house.game()
    letters = write(house, MASTER, "SIGNON Mborgia masterkey", act)
    assert house.game().seats == before.seats
    assert (house.game().position, house.game().ending) == (before.position, before.ending)
    reply(house, question(letters), "YES")

    now = house.game()
    assert (now.seats, now.position, now.status, now.clock) != (
        before.seats,
        before.position,
        before.status,
        before.clock,
    )


def test_the_word_that_agrees_is_not_named_as_unread(house) -> None:
    """It was asked for, and was read."""
    asked = question(write(house, MASTER, "SIGNON Mborgia masterkey", "PAUSE", "EJECT Florence"))

    assert "NOT READ" not in answer(reply(house, asked, "YES"), MASTER)


def test_lines_below_the_word_that_agrees_are_named(house) -> None:
    """They are not read, and the person who wrote them has to know."""
    asked = question(write(house, MASTER, "SIGNON Mborgia masterkey", "EJECT Florence"))
    text = answer(reply(house, asked, "YES", "SET DEADLINE +3d"), MASTER)

    assert "line 2: SET DEADLINE +3d" in text
    assert "send the rest in a mail of its own" in text


def test_what_is_about_the_phase_is_refused_below_a_rollback_that_waits(house) -> None:
    """It was meant for the phase to which the game goes back, and would change this one."""
    played(house)
    before = house.game()
    letters = write(
        house,
        MASTER,
        "SIGNON Mborgia masterkey",
        "ROLLBACK",
        "FIX UNIT nobody A mil BECAUSE it was lost",
        "SET DEADLINE +3d",
        "SET COMMENT We go back.",
    )
    text = answer([each for each in letters if each.reply != question(letters).reply], MASTER)

    assert text.count("ROLLBACK S1454M waits for your answer: send this when it is done.") == 2
    assert (house.game().position, house.game().clock) == (before.position, before.clock)
    assert house.game().settings.comment


def test_a_rollback_that_waits_goes_to_the_phase_that_was_meant(house) -> None:
    """The game may go on before the answer."""
    played(house)
    letters = write(house, MASTER, "SIGNON Mborgia masterkey", "ROLLBACK")
    played(house)

    assert "  ROLLBACK S1454M" in question(letters).body
    assert "Nothing was done" in answer(reply(house, question(letters), "ROLLBACK"), MASTER)
    reply(house, question(letters), "YES")
    assert house.view().state.moment.code == "S1454M"


def played(house: House) -> None:
    """The next phase is played as its master says."""
    code = house.view().state.moment.code
    reply(
        house,
        question(write(house, MASTER, "SIGNON Mborgia masterkey", f"PROCESS {code}")),
        "YES",
    )


def test_a_chit_is_given_after_the_answer() -> None:
    """It is an order, and takes effect at once, for good."""
    house = House(confirm=True)
    house.start()
    letters = write(
        house, address_of(house, "L"), "SIGNON Lborgia pwL", "give chit on France to Milan"
    )
    asked = question(letters)
    before = house.view().state.chits
    reply(house, asked, "YES")

    assert house.view().state.chits != before


def test_the_same_seat_with_another_player_does_nothing(house) -> None:
    """The answer says so; anyone who came after has resigned nothing."""
    asked = question(write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "RESIGN"))
    write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "SET PASSWORD fresh77")
    house.later(hours=1)

    assert "Nothing was done" in answer(reply(house, asked, "YES"), asked.to)
    assert is_held(house, "L")


def test_a_new_address_answers_for_nothing_yet(house) -> None:
    """Anyone who has a password could name an address of their own, and answer from there."""
    anna = address_of(house, "L")
    write(house, MALLORY, "SIGNON Lborgia pwL", f"SET ADDRESS {MALLORY}")
    letters = write(house, MALLORY, "SIGNON Lborgia pwL", "RESIGN")

    assert question(letters).to == anna
    (letter,) = [each for each in letters if each.to == MALLORY]
    if letter.reply is not None:
        reply(house, letter, "RESIGN")
    assert is_held(house, "L")


def test_a_new_password_in_the_same_mail_does_not_void_the_act(house) -> None:
    """The question speaks for the seat as the mail leaves it."""
    mail = ("SIGNON Lborgia pwL", "SET PASSWORD fresh77", "RESIGN")
    reply(house, question(write(house, address_of(house, "L"), *mail)), "YES")

    assert not is_held(house, "L")


def test_an_ejection_that_waits_names_whom_it_takes_the_seat_from(house) -> None:
    """In the question and in the answer; the line as it was typed agrees as well."""
    letters = master(house, "EJECT Florence")
    asked = question(letters)
    text = answer([each for each in letters if each is not asked], MASTER)

    assert "EJECT Florence (Anna)\n" in asked.body
    assert "EJECT Florence (Anna) WAITS" in text
    assert "You have ejected Anna" in answer(reply(house, asked, "EJECT Florence"), MASTER)


def test_an_ejection_that_waits_takes_no_seat_from_anyone_who_took_it_over(house) -> None:
    """Anna has resigned meanwhile, and Dino sits there."""
    asked = question(master(house, "EJECT Florence"))
    reply(
        house, question(write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "RESIGN")), "YES"
    )
    (confirm,) = write(house, DINO, "REGISTER", "Name: Dino", "END")
    reply(house, confirm)
    (confirm,) = write(house, DINO, "SIGNON Lborgia newpass7")
    reply(house, confirm)
    assert address_of(house, "L") == DINO
    text = " ".join(answer(reply(house, asked, "YES"), MASTER).split())

    assert "Florence is not held by Anna any more, so nobody is ejected." in text
    assert is_held(house, "L")


@cases
def test_an_act_that_is_half_repeated_waits_on(house, act, said) -> None:
    """The first words may be another act, or be cut short."""
    asked = question(master(house, act))
    text = answer(reply(house, asked, said), MASTER)
    reply(house, asked, act)

    assert "Nothing was done about" in text
    assert not is_held(house, "L") or house.game().ending is not None
