"""What the words behind ``signon`` may mean, the likeliest reading first."""

import pytest

from machjudge.language import ParseError, parse_command
from machjudge.language.commands import Join, SignOn, spellings
from tests.cases import cases


def readings(line: str) -> list[tuple[str, str, str, str]]:
    """Seat, game, password and rest of each."""
    said = parse_command(line)
    assert isinstance(said, SignOn)
    return [(each.seat, each.game, each.password, each.rest) for each in (said, *said.others)]


@cases
def test_plain_forms_have_the_same_first_reading(line: str) -> None:
    """However they are joined and marked."""
    assert readings(line)[0] == ("L", "borgia", "pw9", "")


def test_three_words_may_name_the_power_in_full() -> None:
    """A reader who knows the games decides which of them is the game."""
    assert readings("signon Florence borgia pw9") == [
        ("F", "lorence", "borgia", "pw9"),
        ("Florence", "borgia", "pw9", ""),
        ("borgia", "Florence", "pw9", ""),
    ]


def test_what_follows_the_password_is_kept() -> None:
    """Words of other commands among it make no difference."""
    assert readings("signon Lborgia pw9 pay 5 d to Milan")[0] == (
        *("L", "borgia", "pw9"),
        "pay 5 d to Milan",
    )


def test_nothing_of_it_is_shown_by_accident() -> None:
    """Neither password nor rest, nor those of the other readings."""
    assert "pw9" not in repr(parse_command("signon Florence borgia pw9 and more"))


@pytest.mark.parametrize("line", ["signon", "signon L", "signon Lborgia", "signon ?borgia"])
def test_what_is_not_complete_is_a_problem(line: str) -> None:
    """With no reading at all."""
    assert isinstance(parse_command(line), ParseError)


def test_a_question_mark_joins() -> None:
    """With ``join`` as well, which is a word of prose without it."""
    assert parse_command("join ?borgia pw9") == Join("borgia", "pw9")
    assert not isinstance(parse_command("join me against Venice"), Join)


def test_a_password_may_be_meant_without_its_signs() -> None:
    """As typed first, then without quotes and stops, then without other ends of a sentence."""
    assert spellings("pw9") == ("pw9",)
    assert spellings('"pw9".') == ('"pw9".', "pw9")
    assert spellings("pw9!.") == ("pw9!.", "pw9!", "pw9")
