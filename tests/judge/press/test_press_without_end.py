"""Press without an end must not swallow orders and carry them to a rival."""

import pytest

from machjudge.adjudicator.names import PowerId
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, write

ANNA, MARCO = "anna@player.example", "marco@player.example"
SIGNON = "SIGNON Lborgia pwL"


@pytest.mark.parametrize("opening", ["PRESS TO V", "BROADCAST", "DIARY"])
@pytest.mark.parametrize("end", [[], ["SIGNOFF"], ["Regards,", "Anna"]])
def test_a_message_with_orders_below_it_is_held_back(house, opening: str, end: list[str]) -> None:
    """Its writer gets the text, learns which lines look like orders, and what to send."""
    text = ["Dear Marco,", "I shall not attack you.", "A flo - bol", "SET WAIT"]
    letters = write(house, ANNA, SIGNON, "A are H", opening, *text, *end)
    body = " ".join(answer(letters, ANNA).split())

    assert {letter.to for letter in letters} == {ANNA}
    assert house.on_file() == ["A are h"]
    assert "This text has no ENDPRESS, and lines 6 and 7 look like orders." in body
    assert "with ENDPRESS below it, and your orders below that" in body
    assert "NOT READ: lines 6 and 7, which look like orders; see below." in body
    assert "YOUR TEXT, WHICH WAS NOT SENT Dear Marco, I shall not attack you." in body
    assert house.view().order_sets[PowerId("L")].flawed


def test_a_message_that_is_ended_may_hold_anything(house: House) -> None:
    """Proposals for orders go out, and what stands below the end is read."""
    lines = ["PRESS TO V", "Would you write:", "A ven - fer", "SET WAIT", "ENDPRESS", "A are H"]
    letters = write(house, ANNA, SIGNON, *lines)

    assert "  A ven - fer" in answer(letters, MARCO)
    assert house.on_file() == ["A are h"]


@cases
def test_prose_needs_no_end(house: House, line: str) -> None:
    """A message in plain sentences goes out without ENDPRESS, as ever."""
    letters = write(house, ANNA, SIGNON, "PRESS TO V", "Dear Marco,", line, "Anna")

    assert line in answer(letters, MARCO)
