"""Names as texts: the usual one everywhere, another one where a message is said."""

from copy import copy, deepcopy

import pytest

from machjudge.translatable import (
    Capital,
    CommonName,
    Message,
    Name,
    capitalized,
    joined,
    phrase,
)

OWN = {"es": {"Venice": "Venecia"}}
VENICE = Name("Venice", OWN)
NOBODY = CommonName("nobody", Message("text.nobody"))


def said(text: str) -> str:
    """A text in Spanish."""
    assert isinstance(text, Name | CommonName | Capital) or hasattr(text, "said")
    return text.said("es", lambda _: "nadie")


@pytest.mark.parametrize(
    ("text", "usual", "spanish"),
    [
        (VENICE, "Venice", "Venecia"),
        (NOBODY, "nobody", "nadie"),
        (phrase("{} H", phrase("{} {}", "A", VENICE)), "A Venice H", "A Venecia H"),
        (joined(", ", [VENICE, "Rome", NOBODY]), "Venice, Rome, nobody", "Venecia, Rome, nadie"),
        (capitalized(NOBODY), "Nobody", "Nadie"),
    ],
)
def test_a_text_with_names_is_the_usual_one_until_it_is_said(text, usual, spanish) -> None:
    """Also after it was copied."""
    assert text == usual
    assert said(text) == spanish
    assert said(copy(text)) == said(deepcopy(text)) == spanish


def test_a_text_without_names_is_no_more_than_a_text() -> None:
    """Signs of a form that stand in it mean nothing."""
    assert type(phrase("{} {}", "{}", "b")) is str
    assert phrase("{} {}", "{0}", VENICE).said("es", str) == "{0} Venecia"  # type: ignore[attr-defined]
    assert type(joined(", ", ())) is str
    assert capitalized("venice") == "Venice"
