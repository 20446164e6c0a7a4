"""A letter to somebody else that went to the judge: its sentences cost neither orders nor room."""

import pytest

from tests.judge.house import House
from tests.judge.letters_in import answer
from tests.judge.year import order

ORDERS = ("A are H", "A flo H", "F psa H")
LETTER = (
    "Dear Paolo,",
    "We had a very long summer here.",
    "About the game, I believe we should work together.",
    "Let us meet at the cafe on Tuesday.",
    "The weather should be fine.",
    "Bring your maps with you.",
    "I will bring the wine.",
    "Have you heard from Fritz?",
    "He has not answered my letters.",
    "Perhaps he is on holiday.",
    "ich hoffe, es geht dir gut.",
    "Querido Paolo, espero que estés bien.",
    "as soon as the others have answered us",
    "Please tell me what you think.",
    "Do not tell Marco about this.",
)


def said(house: House, *lines: str) -> str:
    """The answer to a mail of Florence."""
    return answer(order(house, "L", *lines), "anna@player.example")


@pytest.mark.parametrize("at", [1, 3])
def test_a_letter_by_mistake_is_one_note_below_the_orders_that_were_understood(house, at) -> None:
    """Twelve lines are shown, and up to which one it goes; nobody waits for it."""
    body = said(house, *ORDERS[:at], *LETTER, *ORDERS[at:])
    above, _, note = body.partition("NOT READ")

    assert above.startswith("COMPLETE: all orders of Florence are on file.")
    assert "NOT TAKEN" not in body
    assert above.index("ORDERS ON FILE") < above.index("  A Arezzo H")
    assert f"  line {at + 2}: {LETTER[0]}\n  line {at + 3}: {LETTER[1]}\n" in note
    assert f"  and 2 more lines, up to line {at + 16}\n" in note
    assert "  PRESS TO M\n  Have you heard from Fritz?\n  ENDPRESS\n" in body
    assert not house.view().flagged()


@pytest.mark.parametrize(
    "line",
    [
        "Your army in Rome frightens me, to be honest.",
        "build something nice in the north",
        "Arezoo hlods.",
        "please cancel my last order",
    ],
)
def test_a_sentence_with_a_unit_and_a_place_or_a_verb_of_orders_is_refused(house, line) -> None:
    """So is what is near to an order, and a wish: it may be one."""
    refused = said(house, *ORDERS, *LETTER, line).partition("NOT TAKEN")[2].partition("ORDERS ON")

    assert f"line {len(ORDERS) + len(LETTER) + 2}: {line}" in refused[0]


def test_lines_below_each_other_that_cannot_be_read_are_refused_for_one_reason(house) -> None:
    """Each is shown, and the reason stands below the last of them."""
    lines = ("Your army in Rome frightens me.", "His fleet is still near Venice then.")
    body = said(house, *ORDERS, *lines)

    assert f"line 5: {lines[0]}\nline 6: {lines[1]}\nThis is no order;" in body
    assert body.count("This is no order;") == 1


def test_a_sentence_that_begins_with_if_costs_no_order_below_it(house) -> None:
    """It is named as not read, and no condition of what follows."""
    lines = ("If you support me into Bologna I will give you Siena.", "If not, we are lost.")
    more = ("Then we can win together.", "If Anna asks, tell her that I hold.")
    body = said(house, ORDERS[0], *lines, *more, *ORDERS[1:])

    assert body.startswith("COMPLETE: all orders of Florence are on file.")
    assert f"  line 3: {lines[0][:30]}" in body
    assert f"  line 4: {lines[1]}\n  line 5: Then we can win together.\n" in body


def test_a_sentence_that_begins_with_for_is_nobody_s_name(house) -> None:
    """The orders below it are those of the writer."""
    body = said(house, ORDERS[0], "For the moment I trust you.", *ORDERS[1:])
    above, _, note = body.partition("NOT READ")

    assert above.startswith("COMPLETE")
    assert "NOT TAKEN" not in above
    assert all(f"  {each}\n" in above for each in ("A Arezzo H", "A Florence H", "F Pisa H"))
    assert "line 3: For the moment I trust you.\n" in note


def test_for_a_power_that_there_is_not_is_asked_about(house) -> None:
    """What stands below is meant for somebody else, and no order of the writer."""
    body = said(house, ORDERS[0], "For Venize", *ORDERS[1:])

    assert "line 3: For Venize" in body.partition("NOT TAKEN")[2]
    assert "  A Florence H\n" not in body.partition("ORDERS ON FILE")[2].partition("NOT READ")[0]


def test_a_question_that_begins_like_a_condition_is_none(house) -> None:
    """It costs the orders below it nothing."""
    body = said(house, "Then, if Siena rebels, could I take it?", "A flo h")

    assert "ENDIF" not in body
    assert "  A Florence H\n" in body


@pytest.mark.parametrize(
    ("lines", "unread"),
    [
        (("IF xyz owns Pisa THEN", "A flo - pis"), "line 3: A flo - pis"),
        (("If you own Pisa.", "A flo - pis", "ENDIF"), ""),
        (("If you agree, come.", "A flo - pis", "ENDIF"), ""),
        (("If I ownn Pisa", "A flo - pis"), "line 3: A flo - pis"),
        (("If you own Pisa.", "A flo - pis"), "line 3: A flo - pis"),
        (("IF A xyz THEN", "IF A flo THEN A flo - pis"), "line 3: A flo - pis"),
    ],
)
def test_orders_of_a_condition_that_cannot_be_read_are_named_where_no_endif_is(
    house, lines, unread
) -> None:
    """None of them is taken, as nobody knows on what it depends."""
    body = said(house, *lines)

    assert "Nothing from here to its ENDIF was taken." in body
    assert "  A Florence: no order" in body
    assert unread in body
    assert ("NOT READ" in body) == bool(unread)
