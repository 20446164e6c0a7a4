"""An answer proves an address, and gives no forger a seat; all by raw mail over SMTP.

Somebody forges a mail in the name of V; V answers the question of the judge.
"""

import tomllib
from pathlib import Path

import pytest

from tests.databases import put_back, rows_of
from tests.journeys.conftest import (
    CATERINA,
    DIARY,
    LORENZA,
    MASTER,
    SECRET_PRESS,
    ask,
    code_address,
)
from tests.journeys.judge import Judge, QueuedMessage
from tests.journeys.pens import Writer, plain

HERE = Path(__file__).parent
FORGED = (HERE / "forged_observe.eml").read_bytes()
ANSWERS = tomllib.loads((HERE / "answers.toml").read_text())
V = Writer("V", "v@p.example", "")
NINA = Writer("Nina", "nina@new.example", "")
EVE = Writer("Eve", "eve@evil.example", "")
ASKS = "Reply to this message, empty or with your orders, to confirm your address."
SEATS = "SELECT game, number, role, address FROM seats WHERE NOT coalesce(is_claim, FALSE)"
CLAIMS = "SELECT count(*) FROM seats WHERE is_claim"


def question(judge: Judge, raw: bytes, to: str) -> QueuedMessage:
    """What the judge asks the address that a forged mail claims."""
    earlier = sum(letter.to == to for letter in judge.letters())
    judge.send(raw, sender="mallory@evil.example")
    return judge.wait_for(earlier + 1, lambda letter: letter.to == to, "a question")[-1]


def outcome(judge: Judge, asked: QueuedMessage, words: str, sender: Writer = V) -> str:
    """What an answer to a question does: it asks, confirms or undoes."""
    before = judge.rows(SEATS)
    told = ask(judge, sender, *words.split("\n"), to=code_address(asked))
    judge.rest()
    if judge.rows(SEATS) != before:
        return "confirms"
    if judge.rows(CLAIMS) == [(0,)]:
        return "undoes"
    return "asks" if ASKS in told.text else told.text


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_confirms_if_it_has_no_words_agrees_or_begins_to_play(believer, kind) -> None:
    """To anything else the question is asked once more, and nothing is confirmed."""
    asked = question(believer, FORGED, V.address)
    believer.rest()
    before = rows_of(believer.application.engine)
    found = {}
    for name, answers in ANSWERS[kind].items():
        for words in answers:
            found[name, words] = outcome(believer, asked, words)
            put_back(believer.application.engine, before)

    assert found == dict.fromkeys(found, kind)


def test_what_is_asked_once_more_may_be_answered(believer) -> None:
    """The second message confirms like the first."""
    asked = question(believer, FORGED, V.address)
    again = ask(believer, V, "Who are you?", to=code_address(asked))
    assert "nothing is confirmed" in again.text

    assert outcome(believer, again, "yes") == "confirms"


def test_an_answer_below_its_question_without_marks_confirms_nothing(believer) -> None:
    """The question names words that confirm, and some programs quote it as if it were written."""
    asked = question(believer, FORGED, V.address)

    assert outcome(believer, asked, f"What is this?\n\n{asked.text}") != "confirms"


def test_a_further_address_is_nobodys_by_an_answer_that_wonders(believer) -> None:
    """A player may name any address; only the person who reads there may say that it is theirs."""
    addresses = "SELECT count(*) FROM addresses WHERE address = 'nina@new.example'"
    ask(believer, LORENZA, "SIGNON Lborgia giglio15", f"SET ADDRESS {NINA.address}")
    asked = believer.wait_for(1, lambda letter: letter.to == NINA.address, "a question")[0]

    ask(believer, NINA, "What is this? I did not ask for it.", to=code_address(asked))
    assert believer.rows(addresses) == [(0,)]

    ask(believer, NINA, "yes", to=code_address(asked))
    assert believer.rows(addresses) == [(1,)]


# --- what observers see ----------------------------------------------------------------------


def test_an_observers_seat_shows_what_observers_see(believer) -> None:
    """Anyone who forged it knows its password: nothing is read there of the owner's other seats."""
    mail = plain(CATERINA, ("OBSERVE borgia evilpass1",))
    asked = question(believer, mail.copies[0], CATERINA.address)
    ask(believer, CATERINA, "yes", to=code_address(asked))
    lines = ("HISTORY", "DIARY LIST", "DIARY READ 1", "POSTAL LIST", "WHO", "LIST")
    for sender in (EVE, CATERINA):
        read = ask(believer, sender, "SIGNON Oborgia evilpass1", *lines)
        assert not [text for text in (SECRET_PRESS, DIARY) if text in read.text]

    own = ask(believer, CATERINA, "SIGNON Vborgia laguna22", "HISTORY", "DIARY READ 1")
    assert SECRET_PRESS in own.text
    assert DIARY in own.text


# --- two claims ------------------------------------------------------------------------------


@pytest.fixture
def forming(believer) -> Judge:
    """The same judge with a game that forms, by invitation."""
    lines = ("CREATE ?sforza giudice5 1385 nomoney nodice", f"SET ALLOW PLAYER {NINA.address}")
    made = ask(believer, MASTER, *lines)
    ask(believer, MASTER, to=code_address(made))
    return believer


def opens(judge: Judge, password: str, sender: Writer = NINA) -> bool:
    """True if a password opens Nina's seat; that is tried without an effect."""
    said = ask(judge, sender, f"SIGNON ?sforza {password}", "SET PREFERENCES V")
    return "joined" not in said.text and "Preferences" in said.text


@pytest.mark.parametrize("answered", ["the forger's message", "her own message"])
def test_of_two_claims_no_password_counts(forming, answered) -> None:
    """The answer takes the seat, to whichever message, and sets a password."""
    forged = ask(forming, NINA, "SIGNON ?sforza evil1")
    own = ask(forming, NINA, "SIGNON ?sforza tulip9")
    assert "its password" in " ".join(forged.text.split())
    assert "2 mails have asked" in own.text
    assert "its password" not in " ".join(own.text.split())

    to = code_address(forged if answered.startswith("the") else own)
    told = ask(forming, NINA, "yes", to=to)
    forming.rest()
    assert "You have joined the game sforza." in told.text
    assert "No password opens this seat yet" in told.text
    for password in ("evil1", "tulip9"):
        refused = ask(forming, NINA, f"SIGNON ?sforza {password}", "SET PREFERENCES V")
        assert "Sign-in failed" in refused.text or "not" in refused.text
        assert forming.game("sforza").seats[-1].preferences == ""
    assert len(forming.game("sforza").seats) == 2

    ask(forming, NINA, "SET PASSWORD tulip10", to=code_address(told))
    ask(forming, NINA, "SIGNON ?sforza tulip10", "SET PREFERENCES V")
    assert forming.game("sforza").seats[-1].preferences == "V"


@pytest.mark.parametrize("line", ["SET PASSWORD tulip10", "SIGNON ?sforza tulip10"])
def test_the_answer_itself_sets_the_password(forming, line) -> None:
    """Nothing else has to be sent."""
    ask(forming, NINA, "SIGNON ?sforza evil1")
    own = ask(forming, NINA, "SIGNON ?sforza tulip9")

    told = ask(forming, NINA, line, to=code_address(own))
    ask(forming, NINA, "SIGNON ?sforza tulip10", "SET PREFERENCES V")

    assert "No password opens this seat yet" not in told.text
    assert forming.game("sforza").seats[-1].preferences == "V"


def test_one_claim_has_its_password(forming) -> None:
    """And a mail that is sent twice is one claim."""
    ask(forming, NINA, "SIGNON ?sforza tulip9")
    again = ask(forming, NINA, "SIGNON ?sforza tulip9")

    ask(forming, NINA, to=code_address(again))
    ask(forming, NINA, "SIGNON ?sforza tulip9", "SET PREFERENCES V")

    assert forming.game("sforza").seats[-1].preferences == "V"


def test_a_message_about_another_claim_opens_the_same_seat(forming) -> None:
    """Anyone who answers both messages has one seat."""
    first = ask(forming, NINA, "SIGNON ?sforza tulip8")
    second = ask(forming, NINA, "SIGNON ?sforza tulip9")
    for letter in (first, second):
        ask(forming, NINA, "SET PREFERENCES V", to=code_address(letter))
    forming.rest()

    assert [seat.address for seat in forming.game("sforza").seats[1:]] == [NINA.address]


# --- many claims -----------------------------------------------------------------------------


@pytest.fixture
def open_game(believer) -> Judge:
    """The same judge with a game that everybody may join."""
    made = ask(believer, MASTER, "CREATE ?sforza giudice5 1385 nomoney nodice")
    ask(believer, MASTER, to=code_address(made))
    return believer


def forge(judge: Judge, writer: Writer, line: str, times: int = 1) -> None:
    """Send forged mails, each with a password of its own."""
    for number in range(times):
        mail = plain(writer, (f"{line} evil{number}x",))
        judge.send(*mail.copies, sender=EVE.address)
    judge.rest()


def test_many_forged_mails_close_no_game(open_game) -> None:
    """The oldest claim gives way, and the person who answers has the seat."""
    for number in range(51):
        forge(open_game, Writer("X", f"x{number}@forged.example", ""), "SIGNON ?sforza")
    assert open_game.rows(CLAIMS) == [(50,)]

    asked = ask(open_game, NINA, "SIGNON ?sforza tulip9")
    told = ask(open_game, NINA, to=code_address(asked))

    assert "You have joined the game sforza." in told.text


def test_anyone_who_had_to_give_way_takes_the_seat_with_one_answer(open_game) -> None:
    """The answer proves the address, so that its line counts at once."""
    asked = ask(open_game, NINA, "SIGNON ?sforza tulip9")
    for number in range(51):
        forge(open_game, Writer("X", f"x{number}@forged.example", ""), "SIGNON ?sforza")

    told = ask(open_game, NINA, "SIGNON ?sforza tulip9", to=code_address(asked))

    assert "You have joined the game sforza." in told.text
    assert open_game.game("sforza").seats[-1].address == NINA.address


def test_forged_mails_in_somebodys_own_name_keep_them_out_of_nothing(open_game) -> None:
    """Three claims wait for one address at most; the answer to one that is gone takes the seat."""
    asked = ask(open_game, NINA, "SIGNON ?sforza tulip9")
    forge(open_game, NINA, "SIGNON ?sforza", times=3)
    assert open_game.rows(CLAIMS) == [(3,)]

    told = ask(open_game, NINA, "yes", to=code_address(asked))

    assert "You have joined the game sforza." in told.text
    assert "No password opens this seat yet" in told.text
    assert open_game.rows(CLAIMS) == [(0,)]


def test_an_answer_may_join_another_game_than_it_was_asked_about(open_game) -> None:
    """It comes from the address, and confirms nothing of what the forged mail asked for."""
    mail = plain(NINA, ("OBSERVE borgia evilpass1",))
    asked = question(open_game, mail.copies[0], NINA.address)

    told = ask(open_game, NINA, "SIGNON ?sforza tulip9", to=code_address(asked))

    assert "You have joined the game sforza." in told.text
    assert not open_game.rows("SELECT 1 FROM seats WHERE role = 'observer' AND NOT is_claim")


# --- the name of a game ----------------------------------------------------------------------


@pytest.mark.parametrize("is_first", [True, False], ids=["forged before", "forged afterwards"])
def test_a_forged_game_takes_no_name(believer, is_first) -> None:
    """Anyone who confirms first has it, with what they asked for."""
    lines = ("CREATE ?sforza giudice5 1385 nomoney nodice", "SET NOPRESS")
    if is_first:
        forge(believer, LORENZA, "CREATE ?sforza")
    asked = ask(believer, NINA, *lines)
    if not is_first:
        forge(believer, LORENZA, "CREATE ?sforza")
        asked = ask(believer, NINA, *lines, to=code_address(asked))
    else:
        ask(believer, NINA, to=code_address(asked))
    believer.rest()

    game = believer.game("sforza")
    assert [seat.address for seat in game.seats] == [NINA.address]
    assert not game.claims
    assert game.scenario == "1385"


def test_a_game_that_is_confirmed_keeps_its_name(believer) -> None:
    """Nobody takes it away by asking for it again."""
    made = ask(believer, NINA, "CREATE ?sforza giudice5 1385 nomoney nodice")
    ask(believer, NINA, to=code_address(made))
    forge(believer, LORENZA, "CREATE ?sforza")
    told = ask(believer, EVE, "CREATE ?sforza evil1")

    assert "sforza" in told.text
    assert [seat.address for seat in believer.game("sforza").seats] == [NINA.address]
    assert not believer.game("sforza").claims


def test_anyone_who_asks_for_a_game_twice_may_answer_either_message(believer) -> None:
    """The second mail, with the same password, is the one that counts."""
    first = ask(believer, NINA, "CREATE ?sforza giudice5")
    ask(believer, NINA, "CREATE ?sforza giudice5 1385 nomoney nodice")
    ask(believer, NINA, "yes", to=code_address(first))
    believer.rest()

    assert believer.game("sforza").is_confirmed
    assert believer.game("sforza").scenario == "1385"
