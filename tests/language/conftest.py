"""What the tests of the language share: the names of two boards, and short ways to read a line."""

from collections.abc import Callable

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Lexicon, Parsed, parse_order, write
from tests.language.boards import lexicon

Read = Callable[..., Parsed]
Canonical = Callable[..., list[str]]


@pytest.fixture(scope="session")
def classic() -> Lexicon:
    """The eight powers of 1454 on the classic board."""
    return lexicon("1454")


@pytest.fixture(scope="session")
def standard() -> Lexicon:
    """The seven powers on the standard Diplomacy board."""
    return lexicon("standard")


@pytest.fixture(scope="session")
def read(classic: Lexicon) -> Read:
    """Read a line of 1454, for a campaign unless another kind of phase is given."""

    def read_line(text: str, stage: Stage = Stage.CAMPAIGN) -> Parsed:
        return parse_order(text, classic, stage)

    return read_line


@pytest.fixture(scope="session")
def canonical(classic: Lexicon) -> Canonical:
    """Read a line of 1454 that has no problem, and write what it says in the short notation."""

    def canonical_lines(text: str, stage: Stage = Stage.CAMPAIGN) -> list[str]:
        parsed = parse_order(text, classic, stage)
        assert parsed.refused == ()
        return [write(order, classic) for order in parsed.understood]

    return canonical_lines
