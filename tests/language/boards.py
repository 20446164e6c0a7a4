"""The names of two boards, from the maps that come with the program."""

from functools import cache
from pathlib import Path

from machjudge.language import Lexicon, lexicon_of
from machjudge.map_files.folders import Atlas

MAPS = Path(__file__).parents[2] / "maps"


@cache
def lexicon(scenario_id: str) -> Lexicon:
    """The lexicon of a scenario of the program's maps."""
    scenario = Atlas([MAPS]).scenario(scenario_id)
    assert scenario is not None
    return lexicon_of(scenario)
