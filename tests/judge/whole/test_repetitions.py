"""What stands in a mail a thousand times is answered once."""

import pytest

from tests.judge.house import started
from tests.judge.letters_in import write

ANNA = "anna@player.example"


@pytest.mark.parametrize("line", ["GET MAP", "GET RULES", "LIST", "HELP", "WHO borgia"])
def test_a_text_is_sent_once_however_often_it_is_asked_for(line) -> None:
    """With its files: otherwise a small mail would bring a very large letter."""
    house = started("nomoney")
    (once,) = write(house, ANNA, line)
    (often,) = write(house, ANNA, *[line] * 20)

    assert often.body == once.body
    assert often.attachments == once.attachments


def test_lines_that_replace_each_other_are_told_in_short() -> None:
    """The order set is what counts."""
    house = started("nomoney")
    (letter,) = write(house, ANNA, "SIGNON Lborgia pwL", *["A flo H"] * 500)

    assert "And 474 more lines replaced in the same way." in letter.body
    assert len(letter.body.splitlines()) < 60
