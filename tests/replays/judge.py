"""The judge as the command line puts it together, for records."""

from typing import Any

from machjudge.adjudicator.board import Board
from machjudge.cli.adjudicate import Spoken
from machjudge.formats.adjudicate import answer, document_of
from machjudge.map_files.folders import Atlas
from machjudge.settings import maps_folder
from tests.replays.records import Record, question

ATLAS = Atlas([maps_folder()])
SPOKEN = Spoken()


def answer_to(record: Record) -> dict[str, Any]:
    """Our answer to the question of a record."""
    return document_of(answer(question(record), ATLAS, SPOKEN))


def board_of(record: Record) -> Board:
    """The board of a record's scenario."""
    scenario = ATLAS.scenario(record["scenario"])
    assert scenario is not None
    return scenario.board
