"""What a line asks to be adjudicated: the world, the position, the orders' lines, the dice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.dice import Dice
from machjudge.adjudicator.model.names import MachjudgeError, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World, world_of
from machjudge.codec.document.ground import PositionGround, ground_of
from machjudge.codec.document.position import read_position
from machjudge.codec.document.rulebook import read_rules
from machjudge.codec.document.shape import (
    Json,
    Unfit,
    as_text,
    each,
    entries,
    entry,
    needed,
    refuse,
    shown,
)
from machjudge.codec.document.throws import read_dice


class Shelf(Protocol):
    """Whoever finds boards and scenarios; the atlas, when the program runs."""

    def board(self, name: str) -> Board | None:
        """The board of an id, always the same; None if there is none."""
        ...

    def scenario(self, name: str) -> Scenario | None:
        """The scenario of an id, always the same; None if there is none.

        MachjudgeError if its file is broken.
        """
        ...


Sheets = Mapping[PowerId, tuple[str, ...]]
"""The lines of each power, in the order given."""


@dataclass(frozen=True, slots=True)
class Task:
    """One phase to adjudicate."""

    world: World
    state: State
    sheets: Sheets
    dice: Dice


def read_task(fields: Mapping[str, Json], shelf: Shelf) -> Task:
    """The phase that a line describes.  Fields that the format does not know are passed over.

    Raises Unfit with the first fault.
    """
    scenario = _read_scenario(fields, shelf)
    rules = needed(fields, "rules", lambda value: read_rules(value, scenario))
    world = world_of(scenario, rules)
    state = needed(fields, "position", lambda value: read_position(value, world))
    ground = ground_of(world)
    sheets = entry(fields, "orders", lambda value: _read_sheets(value, ground)) or {}
    dice = entry(fields, "dice", lambda value: read_dice(value, state.moment))
    return Task(world, state, sheets, dice or read_dice({}, state.moment))


def _read_scenario(fields: Mapping[str, Json], shelf: Shelf) -> Scenario:
    scenario = needed(fields, "scenario", lambda value: _named_scenario(as_text(value), shelf))
    name = needed(fields, "board", as_text)
    board = shelf.board(name)
    # A scenario may have a board of its own making, with the id of the one that it changes.
    if board is None or board.id != scenario.board.id:
        known = f"{scenario.id} is played on {scenario.board.id}"
        refuse(f'{known}, not on "{shown(name)}"', "board")
    return scenario


def _named_scenario(name: str, shelf: Shelf) -> Scenario:
    try:
        scenario = shelf.scenario(name)
    except MachjudgeError as broken:
        raise Unfit(str(broken)) from broken
    if scenario is None:
        refuse(f'there is no scenario "{shown(name)}"')
    return scenario


def _read_sheets(value: Json, ground: PositionGround) -> Sheets:
    return dict(entries(value, lambda power, lines: _read_sheet(power, lines, ground)))


def _read_sheet(power: str, lines: Json, ground: PositionGround) -> tuple[PowerId, tuple[str, ...]]:
    if power not in ground.powers:
        refuse(ground.flaw_of_power(power))
    if power not in ground.world.in_play:
        refuse(f"nobody plays {power} in the scenario {ground.world.scenario.id}")
    return PowerId(power), tuple(each(lines, as_text))
