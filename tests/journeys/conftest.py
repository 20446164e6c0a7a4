from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.judge import Judge, judging
from tests.journeys.story import Play, Told, script_of

FIRST_YEAR = script_of(Path(__file__).with_name("first_year.toml"))
"""The game of eight that `year` plays."""


@pytest.fixture(scope="session")
def first_judge(tmp_path_factory) -> Iterator[Judge]:
    """The judge at which the first year is played."""
    with judging(tmp_path_factory.mktemp("first_year")) as judge:
        yield judge


@pytest.fixture(scope="session")
def year(first_judge) -> dict[str, Told]:
    """The first year, act by act, played once for all tests."""
    play = Play(first_judge, FIRST_YEAR)
    return {told.act.name: told for told in play.acts()}
