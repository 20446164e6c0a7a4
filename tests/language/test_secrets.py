"""Passwords are blotted out of anything that is kept."""

import pytest

from machjudge.language import blot
from machjudge.language.secrets import blotted_column, has_secret


@pytest.mark.parametrize(
    ("line", "blotted"),
    [
        ("SIGNON Lborgia secret", "SIGNON Lborgia *****"),
        ("sign on Lborgia my secret ", "sign on Lborgia ***** "),
        ("> signon Lborgia secret", "> signon Lborgia *****"),
        ("signon ?borgia secret LVP", "signon ?borgia ***** LVP"),
        ("signon ? secret", "signon ? *****"),
        ("login Lborgia secret", "login Lborgia *****"),
        ("create ?borgia secret 1454", "create ?borgia ***** 1454"),
        ("observe borgia secret", "observe borgia *****"),
        ("set password secret", "set password *****"),
        ("set nowait, pw secret, dice", "set nowait, pw *****, dice"),
        ("set p: secret", "set p: *****"),
        ("set deadline mon", "set deadline mon"),
        ("A per h", "A per h"),
        ("", ""),
    ],
)
def test_password_is_blotted_out(line: str, blotted: str) -> None:
    """Whatever the command that it stands in, quoted or not."""
    assert blot(line) == blotted
    assert has_secret(line) == (line != blotted)


def test_columns_move_with_the_blot() -> None:
    """A caret behind a password still points at the same word, one inside at its beginning."""
    line = "create ?b secret 1454"

    assert [blotted_column(line, at) for at in (0, 10, 12, 17)] == [0, 10, 10, 16]
