"""Which addresses are the judge's."""

import pytest

from machjudge.mail.addresses import MailRoute, is_postmaster, is_sound, route, tagged
from tests.cases import cases

JUDGE = "judge@mach.example"


@cases
def test_the_judge_is_found_under_all_his_names(address, tag) -> None:
    """Whatever the case, with ``+anything`` or without."""
    assert route(JUDGE, address) == MailRoute(tag)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "judge",
        "@mach.example",
        "judge@",
        "judge@mach.example.org",
        "judge@sub.mach.example",
        "ajudge@mach.example",
        "judges@mach.example",
        "+judge@mach.example",
        "judge-x@mach.example",
        "other@mach.example",
        "judge@other@mach.example",
        "judge+a\r\nb@mach.example",
        "judge+a\x00b@mach.example",
        "judge+\udcff@mach.example",
        "judge+a b@mach.example",
        f"judge+{'x' * 400}@mach.example",
    ],
)
def test_nobody_else_is_the_judge(address) -> None:
    """Not even nearly; nor an address that could not be kept."""
    assert route(JUDGE, address) is None


def test_a_tagged_address_is_ours() -> None:
    """Bounces come back to an address that says which letter it was."""
    assert route(JUDGE, tagged(JUDGE, "bounce.7")) == MailRoute("bounce.7")


def test_the_empty_sender_of_bounces_is_sound() -> None:
    """RFC 5321, 4.5.5."""
    assert is_sound("")


@cases
def test_postmaster_is_taken_in_any_case_of_letters(address, is_ours) -> None:
    """RFC 5321, 4.5.1: with the judge's domain, or with none."""
    assert is_postmaster("judge@mach.example", address) is is_ours
