"""No password is kept or sent back; the judge's own sentences stay whole."""

from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, write

ANNA = "anna@player.example"


def kept(house: House) -> str:
    """The last mail as it is kept."""
    return house.store.tables.inbox[-1].mail.raw.decode()


@cases
def test_a_secret_below_a_failed_signon_is_not_kept(house: House, line: str) -> None:
    """What was never read as a command is redacted in the stored mail and in the answer as well."""
    letters = write(house, ANNA, "SIGNON Lborgia wrong1", line)

    assert "9f86d081884c7d659a2f" not in kept(house)
    assert "9f86d081884c7d659a2f" not in answer(letters, ANNA)


def test_the_judges_own_help_is_not_redacted(house: House) -> None:
    """What tells how to sign on can be read."""
    body = answer(write(house, ANNA, "SET WAIT"), ANNA)

    assert "Sign on first, with SIGNON Lgame password." in body


def test_what_was_done_is_not_redacted(house: House) -> None:
    """An observer reads how to open the seat."""
    body = answer(
        write(house, "olga@player.example", "OBSERVE borgia rosebud5"), "olga@player.example"
    )

    assert "SIGNON OBorgia and your password open your seat." in body


def test_a_sentence_that_repeats_the_mail_is_redacted(house: House) -> None:
    """The second word of a password stands in quotes in the reason."""
    body = answer(write(house, ANNA, "SIGNON Lborgia pwL", "SET PASSWORD my rosebud5"), ANNA)

    assert "rosebud5" not in body
