"""Nobody passes for the master, a power or somebody else, by SMTP."""

import pytest

from tests.journeys.conftest import SMALL, answer
from tests.journeys.pens import Writer

pytestmark = pytest.mark.slow


def test_an_observer_is_not_called_like_others(judge) -> None:
    """Not the master, not a power, not a player, nor anything that looks like one."""
    judge.serve()
    taken = SMALL.people["L"].name
    lookalike = taken.replace("o", "\N{CYRILLIC SMALL LETTER O}")
    for number, name in enumerate(["the master", "Venice", taken, lookalike]):
        liar = Writer(name, f"liar{number}@far.example", "")
        told = answer(judge, liar, "OBSERVE borgia tulip9")
        assert "is not free here" in told
    for number, name in enumerate(["the master", "Venice", taken, lookalike]):
        liar = Writer("Dario", f"dario{number}@far.example", "")
        told = answer(judge, liar, "REGISTER", f"Name: {name}", "END")
        assert "choose another one" in told

    names = [name for (name,) in judge.rows("SELECT name FROM persons")]
    assert names.count(taken) == 1
    assert not {"the master", "Venice", lookalike} & set(names)
