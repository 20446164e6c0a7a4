"""Values that only the judge can compute, and tokens among them."""

from collections.abc import Iterable

import pytest

from machjudge.judge.credentials import ActToken, AddressToken, SeatToken, code_of, presented
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
    """Whoever replaces the secret ends all tokens, whatever hashes are still kept."""
    code = code_of(SECRET, SEAT)

    assert list(presented(SECRET, Kept(), [code])) == [(code, SEAT)]
    assert list(presented(OTHER, Kept(), [code])) == []


def test_a_short_secret_is_none() -> None:
    """It has 32 bytes at least."""
    with pytest.raises(SecretUnusable):
        fixed(bytes(31)).check()
