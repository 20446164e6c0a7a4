"""What the tests of the language share: the names of two boards, and short ways to read a line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.atlas import Atlas
from machjudge.language import Lexicon, Parsed, lexicon_of, parse_order, write

MAPS = Path(__file__).parents[2] / "maps"

Read = Callable[..., Parsed]
Canonical = Callable[..., list[str]]


def _lexicon(scenario_id: str) -> Lexicon:
    scenario = Atlas([MAPS]).scenario(scenario_id)
    assert scenario is not None
    return lexicon_of(scenario)


@pytest.fixture(scope="session")
def classic() -> Lexicon:
    """The eight powers of 1454 on the classic board."""
    return _lexicon("1454")


@pytest.fixture(scope="session")
def standard() -> Lexicon:
    """The seven powers on the standard Diplomacy board."""
    return _lexicon("standard")


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
