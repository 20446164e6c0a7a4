"""Press is answered by answering: words go to its writer, and order nothing."""

from dataclasses import replace

import pytest

from machjudge.judge.credentials import PressToken, code_of
from machjudge.judge.game_settings import FromLate, Tones
from machjudge.judge.mails import Outgoing
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import Carrier, answer, flat, message_to, reply, work, write
from tests.judge.press.test_press_rules import (
    ANNA,
    DINO,
    MARCO,
    OGLE,
    press,
    to_others,
    with_master,
)

LUCIA = "lucia@player.example"
QUESTION = ("Shall we meet in Bologna?", "ENDPRESS")
SIGNED, GREY = Tones.WHITE, Tones.WHITE_GREY


def got(house: House, reader: str, line: str = "PRESS TO IV") -> Outgoing:
    """The message that a reader gets of press from Florence."""
    return message_to(press(house, line, *QUESTION), reader)


def ruled(house: House, **rules: object) -> None:
    """Change the press rules of the game, as its master may."""
    game = house.game()
    press_rules = replace(game.settings.press, **rules)
    changed = replace(game, settings=replace(game.settings, press=press_rules))
    house.store.tables.games[game.id] = changed


def filed(house: House, power: str):
    """What is on file for a power; None if nothing is."""
    return house.view().order_sets.get(power)


@pytest.mark.parametrize("carrier", Carrier)
def test_words_go_to_the_writer_and_the_receipt_says_so(carrier: Carrier) -> None:
    """With greeting and farewell, as they were written, whatever carries the code."""
    house = with_master()
    said = ("Hi Anna,", "", "gladly. I come on Friday,", "at noon.", "", "Best,", "Marco")
    sent = reply(house, got(house, MARCO), *said, carrier=carrier)

    assert set(to_others(sent, MARCO)) == {"anna"}
    assert "Press from Venice to Florence:" in answer(sent, ANNA)
    assert "\n".join(f"  {line}".rstrip() for line in said) in answer(sent, ANNA)
    assert answer(sent, MARCO).startswith("Sent to Florence: your words")
    assert "    gladly. I come on Friday,\n    at noon." in answer(sent, MARCO)


def test_a_signature_block_below_the_name_stays_behind() -> None:
    """It often tells the writer's full name, address or telephone."""
    house = with_master()
    said = ("Gladly.", "", "Marco", "-- ", "Marco Polo, +39 041 1234", "marco@home.example")
    sent = reply(house, got(house, MARCO), *said)

    assert "  Gladly.\n\n  Marco\n" in answer(sent, ANNA)
    assert not any("1234" in each.body or "home.example" in each.body for each in sent)


def test_nothing_in_it_is_an_order_and_lines_that_look_like_one_are_named() -> None:
    """Neither orders nor commands, nor an error flag for what nobody could read."""
    house = with_master()
    house.file("V", "F Ven H")
    before, letter = filed(house, "V"), got(house, MARCO)
    words = ("I order", "A pad - fer", "F Ven - Atlantis", "SET WAIT", "CLEAR")
    sent = reply(house, letter, *words)
    told = flat(answer(sent, MARCO))

    assert filed(house, "V") == before
    assert not next(seat for seat in house.game().seats if "V" in seat.powers).waits
    assert "These lines went to Florence as words: A pad - fer; SET WAIT; CLEAR." in told
    assert "to order them, send them in a reply to this message" in told
    assert "NOT TAKEN" not in told
    assert filed(house, "V").flawed is False


def test_the_answer_to_the_receipt_orders_again() -> None:
    """As the receipt is a message of the judge and no press."""
    house = with_master()
    sent = reply(house, got(house, MARCO), "A pad - fer")
    reply(house, message_to(sent, MARCO), "A pad - fer")

    assert [line.canonical for line in filed(house, "V").lines] == ["A pad - fer"]


def test_an_answer_begins_with_other_readers_where_all_are_meant() -> None:
    """The line that the message shows for that, and the words below it without an end."""
    house = with_master()
    letter = got(house, MARCO)
    sent = reply(house, letter, "PRESS TO LI", "", "Hear me both:", "A pad - fer")

    assert "begin your reply with: PRESS TO LI" in flat(letter.body)
    assert set(to_others(sent, MARCO)) == {"anna", LUCIA.partition("@")[0]}
    assert "Sent to Milan and Florence" in flat(answer(sent, MARCO))
    assert filed(house, "V") is None


def test_an_answer_that_ends_its_own_text_goes_on_with_orders() -> None:
    """It says itself what is for whom, and so does one that signs on."""
    house = with_master()
    letter = got(house, MARCO)
    reply(house, letter, "PRESS TO L", "Yes.", "ENDPRESS", "A pad - fer")
    assert [line.canonical for line in filed(house, "V").lines] == ["A pad - fer"]

    reply(house, letter, "SIGNON Vborgia pwV", "F dal H")
    assert "F dal h" in [line.canonical for line in filed(house, "V").lines]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"tones": Tones.NONE}, "there is no press in this game"),
        ({"partial": False}, "there is no press to some in this game"),
        ({"must_order": True}, "order first"),
    ],
)
def test_what_may_not_be_sent_comes_back(rules: dict[str, object], why: str) -> None:
    """With the reason and the whole text; nobody else hears of it."""
    house = with_master()
    letter = got(house, MARCO)
    ruled(house, **rules)
    sent = reply(house, letter, "Gladly.", "A pad - fer")
    told = flat(answer(sent, MARCO))

    assert [each.to for each in sent] == [MARCO]
    assert why in told.lower()
    assert "YOUR TEXT, WHICH WAS NOT SENT Gladly. A pad - fer" in told
    assert "This line of your reply ordered nothing: A pad - fer;" in told
    assert filed(house, "V") is None


def test_after_the_deadline_the_rule_for_the_late_holds_for_answers() -> None:
    """Venice has not ordered."""
    house = with_master(late=FromLate.NONE)
    letter = got(house, MARCO)
    house.later(days=7, minutes=1)
    work(house)
    house.mails_out()
    sent = reply(house, letter, "Gladly.")

    assert "Your orders are late" in flat(answer(sent[:1], MARCO))
    assert not any("Gladly" in each.body for each in sent[1:])


# --- writers whom nobody knows --------------------------------------------------------------------


def test_anonymous_press_is_answered_without_learning_who_wrote_it() -> None:
    """Neither the answer nor its receipt names the writer, who reads what is answered."""
    house = with_master(tones=GREY)
    letter = got(house, MARCO, "PRESS GREY TO IV")
    sent = reply(house, letter, "Who are you?")

    assert "To answer its writer, reply to this message." in letter.body
    assert set(to_others(sent, MARCO)) == {"anna"}
    assert "Press from Venice to the writer of anonymous press:" in answer(sent, ANNA)
    assert "Sent to the writer of anonymous press" in answer(sent, MARCO)
    for each in (letter.body, answer(sent, MARCO), answer(write_history(house), MARCO)):
        assert "Florence" not in each.replace("Milan and Florence", "")


def write_history(house: House) -> list[Outgoing]:
    """What Venice reads in the history."""
    return write(house, MARCO, "SIGNON Vborgia pwV", "HISTORY")


def test_an_anonymous_writer_answers_an_answer_anonymously() -> None:
    """A plain reply gives nobody away."""
    house = with_master(tones=GREY)
    sent = reply(house, got(house, MARCO, "PRESS GREY TO IV"), "Who are you?")
    again = reply(house, message_to(sent, ANNA), "A friend.")

    assert "Anonymous press to you" in flat(answer(again, MARCO))
    assert "Florence" not in answer(again, MARCO)
    assert "anonymous press went to Venice" in flat(answer(again, ANNA))


def test_codes_of_two_anonymous_messages_of_one_writer_have_nothing_in_common() -> None:
    """Two that are the same would tell that one person wrote both."""
    house = with_master(tones=GREY)
    letters = [got(house, MARCO, "PRESS GREY TO IV") for _ in range(2)]
    codes = {code_of(SECRET, each.reply) for each in letters if each.reply is not None}

    assert len(codes) == 2
    assert {each.reply.writer for each in letters} == {4}


def test_an_answer_to_an_anonymous_writer_who_has_left_is_told_like_any_other() -> None:
    """That nobody reads it would tell whose seat it was."""
    house = with_master(tones=GREY)
    letter = got(house, MARCO, "PRESS GREY TO IV")
    there = flat(answer(reply(house, letter, "Who are you?"), MARCO))
    write(house, DINO, "SIGNON Mborgia masterkey", "EJECT Florence")
    gone = flat(answer(reply(house, letter, "Who are you?"), MARCO))

    assert gone.partition("NEXT")[0].replace(" NOTICES", "") == there.partition("NEXT")[0]


# --- others, and machines -------------------------------------------------------------------------


def test_an_observer_is_answered_alone() -> None:
    """And not all observers of the game."""
    house = with_master()
    write(house, "ugo@player.example", "OBSERVE Borgia rosebud8", "REGISTER", "Name: Ugo", "END")
    signon = "SIGNON Oborgia tulip9"
    sent = write(house, OGLE, signon, "PRESS TO V", *QUESTION)
    back = reply(house, message_to(sent, MARCO), "Gladly.")

    assert set(to_others(back, MARCO)) == {"ogle"}


@pytest.mark.parametrize("quote", [(), ("", "On Friday, MACH judge wrote:", "> Shall we meet?")])
def test_an_answer_without_words_sends_nothing(quote: tuple[str, ...]) -> None:
    """And says what to do."""
    house = with_master()
    sent = reply(house, got(house, MARCO), *quote)

    assert [each.to for each in sent] == [MARCO]
    assert "Nothing was sent: your reply has no words of its own." in flat(answer(sent, MARCO))


def test_a_password_in_the_words_goes_to_nobody() -> None:
    """As in any press."""
    house = with_master()
    sent = reply(house, got(house, MARCO), "SET PASSWORD fresh77")

    assert "fresh77" not in "".join(each.body for each in sent)


TOLD = {
    "es": ("Para contestar a Florencia, contesta a este mensaje.", "Enviado a Florencia:"),
    "it": ("Per rispondere a Firenze, rispondi a questo messaggio.", "Mandato a Firenze:"),
}


@pytest.mark.parametrize("language", TOLD)
def test_reader_and_receipt_speak_the_language_of_who_answers(language: str) -> None:
    """From the message to the receipt."""
    house = with_master()
    write(house, MARCO, "SIGNON Vborgia pwV", f"SET LANGUAGE {language}")
    letter = got(house, MARCO)
    sent = reply(house, letter, "Gladly.")

    assert TOLD[language][0] in flat(letter.body)
    assert TOLD[language][1] in flat(answer(sent, MARCO))


def test_press_of_one_mail_has_one_code_for_its_one_writer() -> None:
    """Also where it brings several texts at once."""
    house = with_master()
    sent = press(house, "PRESS TO IV", *QUESTION, "PRESS TO V", "Or in Pisa?", "ENDPRESS")
    letter = message_to(sent, MARCO)

    assert isinstance(letter.reply, PressToken)
    assert letter.body.count("To answer Florence, reply to this message.") == 2
    assert set(to_others(reply(house, letter, "Gladly."), MARCO)) == {"anna"}
