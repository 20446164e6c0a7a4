"""Press reaches its readers word for word, and yet gives no seat away."""

import pytest

from tests.service.house import House
from tests.service.letters_in import answer, write

ANNA = "anna@player.example"
LUCIA = "lucia@player.example"


@pytest.fixture
def house() -> House:
    """1454 without money; Lucia leads Milan, Anna Florence."""
    house = House()
    house.start(options=["nomoney"])
    return house


def read_in_milan(house: House, *lines: str) -> list[str]:
    """What Lucia reads of a message that Anna writes."""
    sent = write(house, ANNA, "SIGNON Lborgia pwL", "PRESS TO I", *lines, "ENDPRESS")
    body = [letter.body for letter in sent if letter.to == LUCIA][-1].split("\n")
    begin = next(at for at, line in enumerate(body) if line.startswith("Press from")) + 2
    return [line.removeprefix("  ") for line in body[begin : begin + len(lines)]]


@pytest.mark.parametrize(
    "line",
    [
        "Hello Milan, peace?",
        "Hello my dear friend and neighbour",
        "hello Borgia friends",
        "Watch Venice closely, and observe the sea!",
        "I watch Venice; login is what we call it.",
        "Let us create something new.",
        "Set your army on Pavia, as the password is trust.",
        "My password is nobody's business: it is pw:safe.",
        "Sign on tomorrow, please.",
        "Set P free, and set passwords aside.",
    ],
)
def test_words_that_open_nothing_pass_unharmed(house, line) -> None:
    """Greetings, and talk of signing on."""
    assert read_in_milan(house, line) == [line]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("SIGNON Vborgia laguna22", "SIGNON Vborgia ********"),
        ("Write: signon Vborgia, laguna22 and you are in", "Write: signon Vborgia, ********"),
        ("hello Venice@borgia laguna22", "hello Venice@borgia ********"),
        ("sign on ?medici laguna22", "sign on ?medici ********"),
        ("observe borgia laguna22", "observe borgia ********"),
        ("mine is pwL, keep it", "mine is ********, keep it"),
        ("SIGNON Lmedici pwother", "SIGNON Lmedici ********"),
        ("signon Vborgai laguna22", "signon Vborgai ********"),
        ("hello Vborgia laguna22", "hello Vborgia ********"),
        ("set password laguna22", "set password ********"),
        ("I wrote set pw: laguna22, then left", "I wrote set pw: ******** then left"),
        ("SET PASWORD laguna22", "SET PASWORD ********"),
    ],
)
def test_what_opens_a_seat_is_redacted(house, line, read) -> None:
    """What looks like a signon or ``set password``, and one's own password as a word."""
    assert read_in_milan(house, line) == [read]


def test_a_password_in_the_next_line_is_redacted(house) -> None:
    """As where a mail program has broken the line."""
    read = read_in_milan(house, "SIGNON Vborgia", "laguna22", "and so on")

    assert read == ["SIGNON Vborgia", "********", "and so on"]


def test_the_writer_is_told_of_a_password(house) -> None:
    """What he reads in his receipt is redacted as well."""
    text = ["PRESS TO I", "SIGNON Vborgia laguna22", "ENDPRESS"]
    body = answer(write(house, ANNA, "SIGNON Lborgia pwL", *text), ANNA)

    assert "A password in 1 line of your text was replaced: ********." in body
    assert "laguna22" not in body


def test_the_writer_reads_his_message_as_it_went_out(house) -> None:
    """The receipt repeats it."""
    sent = write(house, ANNA, "SIGNON Lborgia pwL", "PRESS TO I", "Hello Milan, peace?", "ENDPRESS")

    assert "    Hello Milan, peace?" in answer(sent, ANNA).split("\n")
