"""Addresses of one letter say nothing of how many letters there are."""

from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.mails import (
    OutboxId,
    hidden_number,
    leaving_tag,
    message_left,
    message_returned,
    return_tag,
    shown_number,
)
from machjudge.judge.secret import fixed
from tests.judge.fakes import SECRET

NUMBERS = st.integers(1, 2**40 - 1).map(OutboxId)


def to(tag: str) -> str:
    """The judge's address with a tag."""
    return f"judge+{tag}@mach.example"


@given(NUMBERS)
def test_each_address_is_that_of_its_letter(number: OutboxId) -> None:
    """For bounces and for leaving, in capital letters too; not for a judge with another secret."""
    assert message_returned(SECRET, to(return_tag(SECRET, number)).upper()) == number
    assert message_left(SECRET, to(leaving_tag(SECRET, number))) == number
    assert message_left(SECRET, to(return_tag(SECRET, number))) is None
    assert message_returned(fixed(b"t" * 32), to(return_tag(SECRET, number))) is None


@given(NUMBERS)
def test_a_hidden_number_shows_itself_to_its_judge_alone(number: OutboxId) -> None:
    """Another secret makes another number of it; what nobody wrote shows none."""
    written = hidden_number(SECRET, number)

    assert shown_number(SECRET, written) == number
    assert shown_number(fixed(b"t" * 32), written) != number
    assert shown_number(SECRET, written[:-1]) is None
    assert shown_number(SECRET, f"{written[:-1]}1") is None


@given(NUMBERS)
def test_addresses_of_earlier_versions_still_count(number: OutboxId) -> None:
    """Those in which the number stands as it is."""
    seal = return_tag(SECRET, number).rpartition(".")[2]

    assert message_returned(SECRET, to(f"bounce.{number}.{seal}")) == number


def test_letters_beside_each_other_look_like_any_others() -> None:
    """The part of a hundred addresses that stands for the number has no order."""
    parts = [return_tag(SECRET, OutboxId(n)).split(".")[1] for n in range(1, 101)]

    assert len(set(parts)) == 100
    assert parts != sorted(parts)
    assert len({part[:3] for part in parts}) > 90
