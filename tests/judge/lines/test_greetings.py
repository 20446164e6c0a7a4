"""`hello` signs on, and people greet with it: a greeting costs nobody his orders."""

import pytest

from machjudge.judge.mail_context import LineParser
from machjudge.judge.mail_context import read_mail as read
from machjudge.judge.people import NOT_OPENED
from machjudge.judge.worker import game_concerned
from tests.judge.house import message_renderer
from tests.judge.letters_in import answer, write
from tests.mail_parser.mails import mail

ANNA = "anna@player.example"
SIGNON = "SIGNON Lborgia pwL"
ORDERS = ("A are H", "A flo H", "F psa H")


@pytest.mark.parametrize(
    "greeting",
    ["Hello", "Hello!", "hello judge", "Hello dear judge", "Hello judge, here are my orders:"],
)
@pytest.mark.parametrize("at", [0, 1, 4])
def test_a_greeting_costs_nothing(house, greeting, at) -> None:
    """Above the signon, behind it and below the orders; the answer shows that it was not read."""
    lines = [SIGNON, *ORDERS]
    lines.insert(at, greeting)
    body = answer(write(house, ANNA, *lines), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body
    assert f"line {at + 1}: " in body.partition("NOT READ")[2]


@pytest.mark.parametrize(
    "sentence",
    ["Hope you are well. Here are my orders:", "These are my orders for Spring:", "Sorry, Gina!"],
)
def test_a_sentence_between_greeting_and_orders_costs_nothing(house, sentence) -> None:
    """It is named as not read, and raises no error flag."""
    body = answer(write(house, ANNA, SIGNON, "Hi Gina,", sentence, *ORDERS), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body
    assert f"line 3: {sentence}" in body.partition("NOT READ")[2]


@pytest.mark.parametrize(
    "first",
    ["Florence: A flo H", "My orders for Florence: A flo H", "Orders for Florence: A flo H"],
)
def test_an_order_behind_the_name_of_the_power_counts(house, first) -> None:
    """What stands behind the colon is no part of a greeting."""
    body = answer(write(house, ANNA, SIGNON, first, "A are H", "F psa H"), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT READ" not in body


def test_the_power_that_signs_a_mail_of_few_orders_is_no_order(house) -> None:
    """In a campaign no order is a bare name, whatever stands above."""
    body = answer(write(house, ANNA, SIGNON, "A flo H", "A are H", "", "Florence"), ANNA)

    assert "line 5: Florence" in body.partition("NOT READ")[2]
    assert "ERROR FLAG" not in body


@pytest.mark.parametrize(
    "sentence",
    ["Get well soon!", "Who told you that?", "Help me out here!", "Watch your back!"],
)
def test_a_sentence_that_begins_like_a_question_to_the_judge_costs_nothing(house, sentence) -> None:
    """It is for somebody else: named as not read, and the orders below it count."""
    body = answer(write(house, ANNA, SIGNON, sentence, *ORDERS), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body
    assert f"line 2: {sentence[:10]}" in body.partition("NOT READ")[2]


@pytest.mark.parametrize("question", ["Get rulez, please.", "Get map of moon!"])
def test_a_question_to_the_judge_with_a_slip_is_answered(house, question) -> None:
    """It names a text or a game, or nearly."""
    body = answer(write(house, ANNA, SIGNON, question, *ORDERS), ANNA)

    assert f"line 2: {question}" in body.partition("NOT TAKEN")[2]


@pytest.mark.parametrize(
    "heading",
    [
        "mis órdenes para la primavera:",
        "I miei ordini per la primavera:",
        "Meine Züge für das Frühjahr:",
        "Voici mes ordres:",
    ],
)
def test_a_heading_in_another_language_is_no_order(house, heading) -> None:
    """It stands above the orders, and all of them count."""
    body = answer(write(house, ANNA, SIGNON, heading, *ORDERS), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body


@pytest.mark.parametrize("heading", ["My orders: A flo s A are.", "Hi, A flo s A are."])
def test_an_order_behind_a_greeting_is_not_lost(house, heading) -> None:
    """Its line is read: the order counts, or the phase waits for a clean mail."""
    body = answer(write(house, ANNA, SIGNON, heading, "A are H", "F psa H"), ANNA)

    assert "NOT TAKEN" in body
    assert "ERROR FLAG" in body


def test_a_name_between_the_orders_and_signoff_is_a_signature(house) -> None:
    """It is the writer's own, and no misspelt place."""
    body = answer(write(house, ANNA, SIGNON, *ORDERS, "Anna", "SIGNOFF"), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body
    assert "line 5: Anna" in body.partition("NOT READ")[2]


@pytest.mark.parametrize("greeting", ["Hello judge,", "Hello!", "Dear judge,", "Hi there"])
def test_a_greeting_above_a_question_is_no_line(house, greeting) -> None:
    """Anyone who asks without a signon reads the answer, and nothing of what was not read."""
    body = answer(
        write(house, "nobody@player.example", greeting, "GET RULES SIE-07"), "nobody@player.example"
    )

    assert "SIE-07" in body
    assert "NOT READ" not in body
    assert "NOT TAKEN" not in body


def test_hello_signs_on(house) -> None:
    """With the letter of a seat, the game and the password."""
    body = answer(write(house, ANNA, "hello Lborgia pwL", *ORDERS), ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body


@pytest.mark.parametrize("game", ["borgia", "medici"])
def test_a_hello_that_opens_nothing_is_answered_as_any_signon(house, game) -> None:
    """With or without the game, no order counts."""
    body = answer(write(house, ANNA, f"hello L{game} tulip9", *ORDERS), ANNA)

    assert message_renderer().say(NOT_OPENED)[1:] in body
    assert "tulip9" not in body
    assert house.view().order_sets == {}


def test_a_greeting_of_a_stranger_is_answered_with_a_welcome(house) -> None:
    """They are told how to begin, in ten lines, and of no error."""
    body = answer(
        write(house, "nobody@player.example", "Hello,", "what is this?"), "nobody@player.example"
    )

    assert "To join, send these lines" in body
    assert "NOT TAKEN" not in body
    assert "NOT READ" not in body
    assert len(body.partition("WELCOME\n")[2].partition("\n\n")[0].splitlines()) <= 10


@pytest.mark.parametrize(
    ("lines", "game"),
    [
        ("Hello dear judge\nSIGNON Lborgia pwL", "borgia"),
        ("hello Lborgia pwL\nA are H", "borgia"),
        ("Hello my friend\nSIGNOFF\nSIGNON Lborgia pwL", "y"),
        ("Dear judge", None),
    ],
)
def test_a_mail_is_for_the_game_that_it_signs_on_to(lines, game) -> None:
    """A greeting names one only if nothing else does."""
    assert game_concerned(LineParser(), read(mail(lines))) == game
