"""Sign-ins that went wrong: the password is neither repeated nor left in the stored mail."""

import pytest

from tests.judge.house import started
from tests.judge.letters_in import write

FORMS = """
password tulip9
pass tulip9
token tulip9
my password tulip9
here is my password tulip9
change password tulip9
password tulip9 please
password - tulip9
password -> tulip9
I forgot. password tulip9
signon Vborgia/tulip9
signon Vborgia|tulip9
signon Vborgia,tulip9
signon Vborgia-tulip9
signon Vborgia+tulip9
signon Vborgia@tulip9
signon Vborgia#tulip9
signon Vborgia.tulip9
signon Vborgia_tulip9
signon Vborgia(tulip9)
signon V/borgia/tulip9
signon ?borgia/tulip9
signon tulip9
login Vborgia/tulip9
observe borgia/tulip9
watch borgia/tulip9
create ?ferrara/tulip9
join borgia tulip9
Vborgia/tulip9
Vborgia tulip9
borgia V tulip9
"""


@pytest.mark.parametrize("sender", ["anna@player.example", "eve@elsewhere.example"])
@pytest.mark.parametrize("form", FORMS.strip().splitlines())
def test_a_password_in_a_line_that_failed_is_redacted(form: str, sender: str) -> None:
    """In every form that people type, whoever writes."""
    house = started("nomoney")

    letters = write(house, sender, form, "A flo h")

    assert all("tulip9" not in letter.body + letter.subject for letter in letters)
    assert b"tulip9" not in house.store.tables.inbox[-1].mail.raw


def test_a_password_below_the_word_for_it_is_redacted() -> None:
    """On a line of its own."""
    house = started("nomoney")

    (letter,) = write(house, "eve@elsewhere.example", "password", "tulip9")

    assert "tulip9" not in letter.body
    assert b"tulip9" not in house.store.tables.inbox[-1].mail.raw


def test_words_beside_the_word_password_stay_readable() -> None:
    """What holds no digit is a sentence rather than a password, and hides no other word."""
    house = started("nomoney")

    write(house, "eve@elsewhere.example", "I lost my password again", "again, please help")

    assert b"again, please help" in house.store.tables.inbox[-1].mail.raw
