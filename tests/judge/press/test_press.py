"""Press reaches its readers word for word, and yet gives no seat away."""

from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, write

ANNA = "anna@player.example"
LUCIA = "lucia@player.example"


def read_in_milan(house: House, *lines: str) -> list[str]:
    """What Lucia reads of a message that Anna writes."""
    sent = write(house, ANNA, "SIGNON Lborgia pwL", "PRESS TO I", *lines, "ENDPRESS")
    body = [letter.body for letter in sent if letter.to == LUCIA][-1].split("\n")
    begin = next(at for at, line in enumerate(body) if line.startswith("Press from")) + 2
    return [line.removeprefix("  ") for line in body[begin : begin + len(lines)]]


@cases
def test_words_that_open_nothing_pass_unharmed(house, line) -> None:
    """Greetings, and talk of signing on."""
    assert read_in_milan(house, line) == [line]


@cases
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
