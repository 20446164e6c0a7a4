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


BOARD = """\
[board]
title = "A small board"
also = ["tiny"]

[inland]
hil = { name = "Hill", city = "fortified", income = 3 }
val = { name = "Valley", city = "unfortified", also = ["dale"] }

[coastal]
bay = { name = "Bayside", city = "fortified", port = true }
cap = { name = "Cape", coasts = "nc sc" }
isl = { name = "Island", city = "fortress", port = true }
lag = { name = "Lagoon City", city = "fortified", port = true, venice = true }

[sea]
oce = { name = "Ocean" }
str = { name = "Strait", also = ["st"] }

[ambiguous]
ha = "hil bay"

[army]
bay = "cap hil"
cap = "bay val"
hil = "bay val"
val = "cap hil"

[fleet]
bay = "cap/nc oce"
"cap/nc" = "bay oce"
"cap/sc" = "str"
isl = "oce str"
lag = "str"
oce = "bay cap/nc isl str"
str = "cap/sc isl lag oce"

[[strait]]
guard = "isl"
between = "oce str"

[famine]
#      2   3   4   5   6   7   8   9  10  11  12
2 = "hil  .   .   .   .   .   .   .   .   .  bay"
12 = " .   .   .   .   .  val  .   .   .   .   . "

[plague]
7 = " .   .   .   .   .  cap  .   .   .   .   . "

[storm]
7 = " .   .   .   .   .  oce  .   .   .   .   . "

[income]
north = [0, 1, 1, 2, 2, 3]

[rules]
coastal_convoys = false

[report]
provinces = "val hil"
cities = "lag bay"
"""

SCENARIO = """\
[scenario]
title = "A duel"
also = ["two"]
board = "small"
year = 1500
forts = true
preset = "judge"
autonomous = "isl"
autonomous_units = "F oce"
notes = ["Nobody ever won it."]

[powers.N]
name = "North"
adjective = "Northern"
also = ["Northerners"]
home = "hil val"
units = "A hil, A val em"
income = { line = "north", dice = 2 }
special = "ep cm"
ducats = 5

[powers.S]
name = "South"
adjective = "Southern"
home = "bay lag"
holds = "cap"
units = "F cap/sc, G bay, G lag, F str"
income = { line = "south" }

[city_income]
isl = { line = "north", dice = 1 }

[income]
south = [1, 2, 3, 4, 5, 6]

[rules]
summer = false

[[variants]]
players = 2
each_chooses = 1

[[variants]]
players = 1
sides = ["N"]
dropped = "S"
dropped_open = true
suits_basic_victory = false
note = "Alone."
"""
