"""Values that only the judge can compute, and tokens among them."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.credentials import ActToken, AddressToken, SeatToken, code_of, presented
from machjudge.judge.mails import (
    OutboxId,
    hidden_number,
    leaving_tag,
    message_left,
    message_returned,
    return_tag,
    shown_number,
)
from machjudge.judge.records import GameId, PersonId
from machjudge.judge.secret import SecretUnusable, fixed
from tests.judge.fakes import SECRET

OTHER = fixed(bytes(32))
SEAT = SeatToken(GameId("borgia"), 3, 0, "S1454M")
ALL = [
    SEAT,
    SeatToken(GameId("borgia"), 3, 1, "S1454M"),
    SeatToken(GameId("borgia"), 30, 0, "S1454M"),
    SeatToken(GameId("borgia"), 3, 0),
    SeatToken(GameId("borgia/3"), 3, 0, "S1454M"),
    AddressToken(PersonId("borgia"), "3"),
    AddressToken(PersonId("borgia"), "3", "0"),
    ActToken("borgia"),
]


class Kept:
    """Knows one token by any hash."""

    def meanings(self, hashes: Iterable[str]) -> dict[str, SeatToken]:
        """That of the seat."""
        return dict.fromkeys(hashes, SEAT)


def test_each_seat_generation_phase_and_kind_has_a_token_of_its_own() -> None:
    """128 bits in 26 letters and digits; another judge has others."""
    codes = {code_of(secret, token_scopes) for secret in (SECRET, OTHER) for token_scopes in ALL}

    assert len(codes) == 2 * len(ALL)
    assert {len(code) for code in codes} == {26}


def test_a_token_of_another_secret_counts_no_more() -> None:
    """Anyone who replaces the secret ends all tokens, whatever hashes are still kept."""
    code = code_of(SECRET, SEAT)

    assert list(presented(SECRET, Kept(), [code])) == [(code, SEAT)]
    assert list(presented(OTHER, Kept(), [code])) == []


def test_a_short_secret_is_none() -> None:
    """It has 32 bytes at least."""
    with pytest.raises(SecretUnusable):
        fixed(bytes(31)).check()


# Addresses of one letter say nothing of how many letters there are.


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
