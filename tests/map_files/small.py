"""A small board and its scenario, for tests to break, and what the tests of maps share."""

from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

from machjudge.adjudicator.board import Scenario
from machjudge.map_files.folders import Atlas

MAPS = Path(__file__).parents[2] / "maps"
"""The maps that come with the program."""


def words(text: str) -> list[str]:
    """The words of a text, as a list that is easy to read."""
    return text.split()


def scenario_of(atlas: Atlas, name: str) -> Scenario:
    """A scenario that has to be there."""
    scenario = atlas.scenario(name)
    assert scenario is not None
    return scenario


def parsed(svg: str) -> Element:
    """A drawing as XML; it is our own, so it may be trusted."""
    return fromstring(svg)  # noqa: S314 - the drawing was made a moment ago


BOARD = Path(__file__).with_name("small.toml").read_text("utf-8")

SCENARIO = Path(__file__).with_name("duel.toml").read_text("utf-8")
