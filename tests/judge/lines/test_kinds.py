"""Prose is no error: only what looks like an order and cannot be read holds a phase up."""

import pytest

from machjudge.judge.rows import is_order_like
from machjudge.mail_parser.lines import LineKind
from tests.judge.house import House
from tests.judge.letters_in import answer
from tests.judge.year import order

ANNA = "anna@player.example"
COMPLETE = ("A are H", "A flo H", "F psa H")
PROSE = (
    "Please excuse any typos.",
    "Verstuurd vanaf mijn Galaxy",
    "Jeg er ikke på kontoret før mandag den 30.",
    "Ich bin bis Montag nicht im Haus.",
    "Halte dich fern von Venedig!",
    "Ci vediamo a Pisa domani",
    "Vado a Venezia, torno presto",
    "Nos vemos en Florencia el lunes",
    "A man must do what he must",
    "A friend of mine told me that.",
    "Nino told me that he wants Rome.",
    "I hold Venice dear",
    "you should support me this year",
    "If you support me into Bologna I will give you Siena.",
    "Move fast and break things",
    "keep calm and carry on",
    "Save paper, save trees",
    "Tel. +39 055 123 456",
    "www.player.example",
    "3 of us are late, sorry",
    "~~A flo - bol~~",
    "Слава Флоренции!",
)
"""In several languages: with places and no units, with verbs and no places, with neither."""
ORDER_LIKE = (
    "A flo - Atlantis",
    "A flroence - bol",
    "A xyz - flo",
    "maintian a arezzo",
    "the army in Florence goes where it likes",
    "el ejército de Florencia, a casa",
    "Hi, A flo - Atlantis!",
    "build something nice in the north",
    "maintain everything that I have got",
    "remove it",
    "pay whatever it costs",
    "E1 whatever",
    "counter-bribe everybody",
    "F psa supprts A flo twice",
    "Arezoo hlods.",
)


def said(house: House, *lines: str) -> str:
    """The answer to a mail of Florence."""
    sent = [each for each in order(house, "L", *lines) if each.subject.startswith("Re:")]
    return answer(sent, ANNA)


@pytest.mark.parametrize("at", [0, 2, 3])
@pytest.mark.parametrize("line", PROSE)
def test_prose_is_named_as_not_read_and_is_no_error(house: House, line: str, at: int) -> None:
    """Above, between and below the orders."""
    lines = [*COMPLETE[:at], line, *COMPLETE[at:]]
    body = said(house, *lines)

    assert body.startswith("COMPLETE: all orders of Florence are on file.")
    assert "NOT TAKEN" not in body
    assert f"line {at + 2}: {line[:12]}" in body.partition("NOT READ")[2]
    assert not house.view().flagged()


def test_a_mail_of_prose_alone_changes_nothing(house: House) -> None:
    """Neither orders nor the flag, and it is answered with what is on file."""
    said(house, *COMPLETE)
    before = house.view().order_sets
    body = said(house, *PROSE)

    assert house.view().order_sets == before
    assert "[Errors]" not in body
    assert "NOT TAKEN" not in body
    assert "ORDERS ON FILE" in body


@pytest.mark.parametrize("line", ORDER_LIKE)
def test_a_row_like_an_order_that_cannot_be_read_is_named_and_holds_the_phase(
    house: House, line: str
) -> None:
    """It may be an order of which its writer thinks that it counts."""
    body = said(house, *COMPLETE, line)

    assert "line 5: " in body.partition("NOT TAKEN")[2]
    assert house.view().flagged() == {"L"}


def test_every_kind_has_its_name() -> None:
    """Six of them: what a row is, is said once."""
    assert {each.value for each in LineKind} == {
        "command",
        "order",
        "text",
        "agreement",
        "question",
        "prose",
    }


@pytest.mark.parametrize("line", ["A flo - bol", "maintain A flo", "E1 3d bribe A flo"])
def test_without_a_game_a_row_is_known_by_its_words(line: str) -> None:
    """As for who shows how a mail is read."""
    assert is_order_like(line, None)
    assert not is_order_like("Please excuse any typos.", None)


@pytest.mark.parametrize(
    "line",
    [
        "hold all, and when do we process?",
        "Morning! hold all, and when do we process?",
        "Hi! hold all. When do we process?",
    ],
)
def test_an_order_for_all_units_is_not_lost_beside_a_question(house: House, line: str) -> None:
    """It is carried out, and the question is answered."""
    body = said(house, line)

    assert body.startswith("COMPLETE: all orders of Florence are on file.")
    assert "hen do we process?" in body.partition("YOUR QUESTIONS")[2]
