"""Questions in plain words, in three languages, are answered with what their asker may know."""

import pytest

from machjudge.language.words import Topic, topic_of
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, flat, write
from tests.judge.year import OPENING, order, play

ANNA = "anna@player.example"
MASTER = "lucia@player.example"

ASKED = {
    Topic.DEADLINE: (
        "When is the deadline?",
        "how much time do we have left?",
        "¿Cuándo vence el plazo?",
        "¿Cuánto tiempo queda?",
        "Quando è la scadenza?",
        "quanto tempo resta?",
    ),
    Topic.MASTER: (
        "Who is the master?",
        "who is the game master?",
        "who runs this game?",
        "¿Quién es el máster?",
        "Chi è il master?",
    ),
    Topic.PLAYERS: (
        "who plays Venice?",
        "Who is leading Venice?",
        "¿Quién juega Venecia?",
        "¿quién lleva Venecia?",
        "Chi gioca Venezia?",
        "chi guida Venezia?",
    ),
    Topic.CHANGE: (
        "can I still change my orders?",
        "Is it too late to change orders?",
        "¿Puedo cambiar mis órdenes todavía?",
        "Posso ancora cambiare i miei ordini?",
    ),
    Topic.SILENCE: (
        "What happens if I don't order?",
        "What happens if I do not send any orders?",
        "what will happen if I miss the deadline?",
        "What happens if somebody is late?",
        "Do my units hold if I send nothing?",
        "What if I forget to order?",
        "What becomes of my army without orders?",
        "¿Qué pasa si no mando órdenes?",
        "¿Qué ocurre si no te envío nada?",
        "¿Qué pasa si llego tarde?",
        "Che cosa succede se non mando ordini?",
        "cosa succede se non ordino nulla?",
        "Cosa succede se perdo la scadenza?",
    ),
    Topic.RECEIVED: (
        "did you get my orders?",
        "Have you received my moves?",
        "what are my orders?",
        "Am I ready?",
        "What is missing?",
        "¿Me falta algo?",
        "Cosa manca?",
        "¿Han llegado mis órdenes?",
        "¿Recibiste mis órdenes?",
        "Hai ricevuto i miei ordini?",
        "Sono arrivati i miei ordini?",
    ),
    Topic.REACH: (
        "what can A Florence do?",
        "Where can my army in Florence go?",
        "can A Florence move to Rome?",
        "¿Qué puede hacer A Florence?",
        "Che cosa può fare A Florence?",
    ),
    Topic.HOW: (
        "how do I build?",
        "How can I build units?",
        "What can I build?",
        "which units can I build?",
        "¿Qué unidades puedo construir?",
        "Quali unità posso costruire?",
        "¿Cómo construyo?",
        "¿Cómo se construye una unidad?",
        "Come si costruisce?",
        "come posso costruire?",
    ),
    Topic.PRICE: (
        "What does a mercenary cost?",
        "How much is an elite mercenary?",
        "¿Cuánto cuesta un mercenario?",
        "¿Qué precio tienen los mercenarios?",
        "Quanto costa un mercenario?",
        "Qual è il prezzo dei mercenari?",
    ),
    Topic.RULE: (
        "What is a siege?",
        "¿Qué es un asedio?",
        "Che cos'è un assedio?",
        "Cos'è l'assedio?",
    ),
    Topic.MONEY: (
        "How many ducats do I have?",
        "How many chits do I have?",
        "¿Cuántas fichas de asesinato me quedan?",
        "Quanti segnalini mi restano?",
        "¿Cuántos ducados tengo?",
        "Quanti ducati ho?",
    ),
    Topic.LATE: (
        "Who is late?",
        "who has not ordered yet?",
        "¿Quién falta?",
        "Chi manca?",
    ),
    Topic.PHASE: ("Which phase is it?", "¿En qué fase estamos?", "In che fase siamo?"),
}
SAID = {
    Topic.MASTER: "Master: ",
    Topic.DEADLINE: "orders are due Fri 27 Nov 2026, 13:00 CET (12:00 UTC), in 7 days.",
    Topic.PLAYERS: "Venice: Marco",
    Topic.CHANGE: "Yes, until the phase is played",
    Topic.RECEIVED: "1 order of Florence is on file",
    Topic.SILENCE: "Those whose orders are missing then:",
    Topic.REACH: "A Florence reaches Arezzo, Bologna, Pisa, Pistoia, Romagna, Siena, Urbino.",
    Topic.HOW: "Units are built in an adjustment, one line each: build A Florence",
    Topic.PRICE: "An elite mercenary unit costs 6 ducats to build and 6 a year to maintain;",
    Topic.RULE: "The rules on this, as they are played here: GET RULES SIE",
    Topic.MONEY: "Florence: 6 ducats in the treasury.",
    Topic.LATE: "8 powers still without complete orders.",
    Topic.PHASE: "Spring 1454, campaign",
}
QUESTIONS = [(topic, text) for topic, texts in ASKED.items() for text in texts]


@pytest.fixture
@built_once
def house() -> House:
    """1454 in its first Spring; Anna leads Florence, Marco Venice, Lucia Milan and the game."""
    house = started("nodice")
    play(house, OPENING)
    house.mails_out()
    return house


@pytest.mark.parametrize(("topic", "text"), QUESTIONS)
@pytest.mark.parametrize("is_above", [True, False])
def test_a_question_is_answered_beside_orders_that_count(
    house: House, topic: Topic, text: str, is_above: bool
) -> None:
    """Above or below them; it is no error, raises no flag, and asks for no other command."""
    lines = [text, "A flo H"] if is_above else ["A flo H", text]
    body = answer(order(house, "L", *lines), ANNA)
    told = flat(body.partition("YOUR QUESTIONS")[2])

    assert topic_of(text) is topic
    assert told.startswith(flat(text))
    assert SAID[topic] in told
    assert "NOT TAKEN" not in body
    assert "A Florence H" in body
    assert not house.view().flagged()


def test_a_question_is_answered_by_what_the_mail_itself_has_ordered(house: House) -> None:
    """What stands below it counts as well."""
    body = answer(order(house, "L", "Did you get my orders?", "A flo H", "A are H"), ANNA)

    assert "2 orders of Florence are on file" in flat(body)


def test_another_question_comes_back_as_press_to_the_master(house: House) -> None:
    """Ready to be sent; nothing is sent by itself."""
    text = "Can we have the deadline a day later?"
    sent = order(house, "L", text)
    body = answer(sent, ANNA)

    assert f"  PRESS TO M\n  {text}\n  ENDPRESS" in body
    assert [each.to for each in sent] == [ANNA]
    assert "NOT TAKEN" not in body


def test_the_master_is_not_sent_to_the_master(house: House) -> None:
    """Who asks from the seat of the master reads where the guide is."""
    sent = write(house, MASTER, "SIGNON Mborgia masterkey", "Shall we play on?")

    assert "GET MASTERING is the guide for masters." in flat(answer(sent, MASTER))


def test_an_order_with_a_question_mark_is_an_order(house: House) -> None:
    """Or an error, where it cannot be read: it may be meant."""
    order(house, "L", "A flo - sie?")
    body = answer(order(house, "L", "A flo - Atlantis?"), ANNA)

    assert house.view().flagged() == {"L"}
    assert "A flo - Atlantis?" in body.partition("NOT TAKEN")[2]


def test_names_stay_hidden_in_an_anonymous_game(house: House) -> None:
    """A question shows no more than the command."""
    house.change_settings(anonymous=True)
    body = answer(order(house, "L", "Who plays Venice?"), ANNA)

    assert "Marco" not in body


def test_treasuries_of_others_are_not_told(house: House) -> None:
    """The answer is about the asker's own."""
    body = answer(order(house, "L", "How many ducats does Venice have?"), ANNA)

    assert "Venice:" not in body.partition("YOUR QUESTIONS")[2]


@cases
def test_prices_are_those_of_the_rules_in_force(
    options: list[str], text: str, says: str, never: str
) -> None:
    """Of units, expenses, loans and assassins; what is not played has none."""
    house = started(*options)
    body = flat(answer(order(house, "L", text), ANNA))

    assert says in body
    assert "PRESS TO M" not in body
    assert not never or never not in body


@pytest.mark.parametrize(
    "text",
    [
        "Who is late? When is the deadline?",
        "How many ducats do I have? When is the deadline? Thanks!",
        "When is the deadline? Can we get pizza?",
    ],
)
def test_each_question_of_a_line_has_an_answer(house: House, text: str) -> None:
    """In turn, below its own words; the master may be asked what the judge does not know."""
    body = answer(order(house, "L", text), ANNA)

    for question in text.split("? "):
        assert question in body
    assert SAID[Topic.DEADLINE] in flat(body)
    for part, said in (
        ("late", SAID[Topic.LATE]),
        ("ducats", SAID[Topic.MONEY]),
        ("pizza", "PRESS TO M"),
    ):
        assert part not in text or said in flat(body)


def test_the_opening_adjustment_lists_what_can_be_built() -> None:
    """Who asks what they can build reads it."""
    house = House()
    house.start()

    body = answer(order(house, "L", "What can I build?"), ANNA)

    assert "build G Arezzo, G Florence, G Pisa" in body


def test_chits_are_told_with_the_ducats() -> None:
    """Where there are assassins."""
    house = House()
    house.start()
    body = answer(order(house, "L", "SET LANGUAGE en", "How many chits do I have?"), ANNA)

    assert "Assassination chits: one on each power." in body.partition("YOUR QUESTIONS")[2]


def test_two_questions_of_one_sentence_have_an_answer_each(house: House) -> None:
    """Not the first alone."""
    body = flat(answer(order(house, "L", "When is the deadline and who is late?"), ANNA))

    assert SAID[Topic.DEADLINE] in body
    assert SAID[Topic.LATE] in body


@cases
def test_answers_come_in_the_language_of_the_reader(
    house: House, language: str, text: str, says: str
) -> None:
    """Whatever language the question is in."""
    body = answer(order(house, "L", f"SET LANGUAGE {language}", text), ANNA)

    assert says in flat(body)


@pytest.mark.parametrize(
    ("line", "filed"),
    [
        ("keep everything please. When is the deadline?", 3),
        ("When is the deadline? maintain A flo, F psa.", 2),
        ("maintain A flo. How much money do I have? And who is the master?", 1),
    ],
)
def test_a_question_beside_an_order_costs_it_nothing(line: str, filed: int) -> None:
    """Both are heard: the order is on file, the question is answered."""
    house = House()
    house.start()

    said = answer(order(house, "L", line), ANNA)

    assert len(house.view().order_sets["L"].lines) == filed
    assert not house.view().order_sets["L"].flawed
    assert "NOT TAKEN" not in said
    assert "YOUR QUESTION" in said
    assert "PRESS TO M" not in said


def test_an_order_with_a_question_mark_stays_one() -> None:
    """Behind it "OK?" asks for nothing."""
    house = House()
    house.start()

    said = answer(order(house, "L", "maintain A flo? OK?"), ANNA)

    assert [each.canonical for each in house.view().order_sets["L"].lines] == ["maintain A flo"]
    assert "YOUR QUESTION" not in said
