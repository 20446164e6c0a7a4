"""Mails that no person wrote are noted and never answered."""

import pytest

from machjudge.service.guard import is_own
from tests.service.house import House
from tests.service.letters_in import deliver, raw_mail

LUCIA = "lucia@player.example"


@pytest.mark.parametrize("sender", ["", LUCIA])
def test_whoever_has_no_return_path_is_not_answered(sender) -> None:
    """Bounces name nobody in their envelope (RFC 5321, 4.5.5), whatever stands in the mail."""
    answers = deliver(House(), raw_mail(LUCIA, ["HELP"]), sender)

    assert [letter.to for letter in answers] == ([LUCIA] if sender else [])


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("judge@mach.example", True),
        ("Judge+borgia@Mach.Example", True),
        ("judges@mach.example", False),
        ("judge@mach.example.org", False),
        ("judge", False),
    ],
)
def test_the_judge_knows_its_own_address(address, own) -> None:
    """With and without an extension, in any case of letters."""
    assert is_own(address, "judge@mach.example") is own
