"""The picture that ``machjudge map draw`` writes: of a set-up, or of a phase with its orders."""

from dataclasses import dataclass
from typing import BinaryIO

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.atlas import Atlas
from machjudge.atlas.shapes import Shapes
from machjudge.cli import CommandFault
from machjudge.cli.adjudicate import Spoken
from machjudge.cli.said import say
from machjudge.codec.adjudication.answer import AnsweredLine, answer
from machjudge.drawing import draw, draw_part, set_up
from machjudge.drawing.frame import Frame, for_message, near
from machjudge.drawing.planned import scene_of_orders
from machjudge.drawing.png import png_of
from machjudge.drawing.scene import Scene, places_of
from machjudge.letters.results.moves import orders_by_unit
from machjudge.letters.results.results import PlayedPhase
from machjudge.letters.wording.sight import EVERYTHING
from machjudge.letters.wording.words import moment_words
from machjudge.sentence import Sentence
from machjudge.service.pictures.seen import phase_seen


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options ask for."""

    phase: BinaryIO | None
    played: bool
    power: str | None
    crop: str | None
    png: bool


def picture_of(atlas: Atlas, scenario: Scenario, wanted: Wanted) -> bytes:
    """The picture as SVG or PNG.  Raises CommandFault, BrokenMap."""
    shapes = atlas.shapes(scenario.board)
    if shapes is None:
        message = f"the board {scenario.board.id} has no drawing"
        raise CommandFault(message)
    power = _power(scenario, wanted.power)
    scene = _scene(atlas, scenario, wanted)
    if wanted.crop is None and power is None:
        svg = whole_board(shapes, scene, scenario)
        return png_of(svg, shapes.width) if wanted.png else svg.encode()
    own = places_of(scene or Scene(set_up(scenario)), [power] if power else [])
    frame: Frame = for_message(shapes) if wanted.crop == "all" else near(shapes, own)
    svg = draw_part(shapes, scene or Scene(set_up(scenario)), scenario, frame, own, _legend)
    return png_of(svg, frame.width) if wanted.png else svg.encode()


def whole_board(shapes: Shapes, state: State | Scene | None, scenario: Scenario) -> str:
    """The board with a position, or the set-up without one, and its legend in English, as SVG."""
    when = Sentence("map.set_up", year=scenario.year)
    if state is not None:
        when = moment_words((state.state if isinstance(state, Scene) else state).moment)
    title = say(Sentence("map.title", scenario=scenario.title, when=when))
    return draw(shapes, state, scenario, title, _legend)


def _legend(entry: str) -> str:
    return say(Sentence(f"map.legend.{entry}"))


def _power(scenario: Scenario, letter: str | None) -> PowerId | None:
    if letter is None:
        return None
    power = PowerId(letter.upper())
    if power not in scenario.powers:
        known = ", ".join(scenario.in_play)
        message = f"There is no power {letter!r} in {scenario.id}; there are {known}."
        raise CommandFault(message)
    return power


def _scene(atlas: Atlas, scenario: Scenario, wanted: Wanted) -> Scene | None:
    """The scene of the file; None without one.  Raises CommandFault."""
    if wanted.phase is None:
        if wanted.played:
            message = "--played needs the orders of a --phase"
            raise CommandFault(message)
        return None
    told = answer(wanted.phase.readline(), atlas, Spoken())
    if not isinstance(told, AnsweredLine):
        message = f"{told.where}: {told.says}"
        raise CommandFault(message)
    task, played = told.task, told.played
    if task.world.scenario.board.id != scenario.board.id:
        message = f"the phase is one of {task.world.scenario.id}, not of {scenario.id}"
        raise CommandFault(message)
    if wanted.played:
        seen = EVERYTHING.phase(task.world, task.state, played.state, played.events)
        return phase_seen(PlayedPhase(seen, played.standing), EVERYTHING)
    state = EVERYTHING.view(task.world, task.state)
    others = [(power, order) for power, own in played.standing.items() for order in own]
    return scene_of_orders(state, orders_by_unit(state, played.standing), others)
