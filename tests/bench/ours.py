"""machjudge in the race.  It keeps neither lines nor positions from one phase to the next."""

from dataclasses import dataclass

from machjudge.adjudicator.battle.results import resolve_movement
from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.evolve import Turn
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.orders import Orders as Sheets
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import Played, play
from machjudge.formats.position import position_of, read_dice, read_position, read_rules
from machjudge.language.lexicon import Lexicon, lexicon_of
from machjudge.language.orders import parse_order
from tests.bench.phases import Lines, Phase
from tests.bench.race import Task


@dataclass(frozen=True)
class Scene:
    """A phase as the adjudicator takes it."""

    world: World
    state: State
    dice: Dice


def scene_of(phase: Phase) -> Scene:
    """World, position and dice of a phase."""
    world = world_of(phase.scenario, read_rules(phase.record["rules"], phase.scenario))
    state = read_position(phase.record["position"], world)
    return Scene(world, state, read_dice(phase.record.get("dice", {}), state.moment))


def read(lines: Lines, lexicon: Lexicon, stage: Stage) -> Sheets:
    """The orders that the lines give."""
    return {
        power: tuple(
            order for line in sheet for order in parse_order(line, lexicon, stage).understood
        )
        for power, sheet in lines.items()
    }


def units_of(phase: Phase, outcome: object) -> list[str] | None:
    """The units on the map after a phase."""
    if not isinstance(outcome, Played):
        return None
    units = position_of(outcome.state, scene_of(phase).world)["units"]
    assert isinstance(units, list)
    return sorted(map(str, units))


class Phases:
    """Orders as values in; every result with its reason, and the next position out."""

    name = "machjudge: the whole phase, with control, homes, victory and the next position"

    def ready(self, phase: Phase) -> Task:
        """Play the whole phase."""
        scene = scene_of(phase)
        orders = read(phase.lines, lexicon_of(phase.scenario), scene.state.moment.stage)
        return lambda: play(scene.world, scene.state, orders, scene.dice)

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units of the next position."""
        return units_of(phase, outcome)


class Movement:
    """Lawful orders as values in, results with reasons and the open retreats out.

    Lawful is what pydip's ``resolve_turn`` asks for, too.
    """

    name = "machjudge: lawful orders as values to results with reasons"

    def ready(self, phase: Phase) -> Task:
        """Resolve the movement of orders that were sorted out before."""
        scene = scene_of(phase)
        orders = read(phase.lines, lexicon_of(phase.scenario), scene.state.moment.stage)
        standing = sort_out(scene.world, scene.state, orders).standing
        turn = Turn(scene.world, standing, scene.dice, scene.state, scene.state, ())
        return lambda: resolve_movement(turn)

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """Events are no position."""
        return units_of(phase, outcome)


class Orders:
    """Any orders as values in, as pydip's makers of commands take them; the rest is the same."""

    name = "machjudge: the same, with the check whether each order is lawful"

    def ready(self, phase: Phase) -> Task:
        """Sort the orders out and resolve the movement."""
        scene = scene_of(phase)
        orders = read(phase.lines, lexicon_of(phase.scenario), scene.state.moment.stage)

        def run() -> object:
            standing = sort_out(scene.world, scene.state, orders).standing
            return resolve_movement(
                Turn(scene.world, standing, scene.dice, scene.state, scene.state, ())
            )

        return run

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """Events are no position."""
        return units_of(phase, outcome)


class Parsing:
    """Lines in, orders out."""

    name = "machjudge: order text to orders as values (parsing alone)"

    def ready(self, phase: Phase) -> Task:
        """Read all lines."""
        lexicon = lexicon_of(phase.scenario)
        stage = scene_of(phase).state.moment.stage
        return lambda: read(phase.lines, lexicon, stage)

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """Orders are no position."""
        return units_of(phase, outcome)


class Texts:
    """Lines in; every result with its reason and the next position out."""

    name = "machjudge: order text to results"

    def ready(self, phase: Phase) -> Task:
        """Read all lines and play the phase."""
        scene, lexicon = scene_of(phase), lexicon_of(phase.scenario)
        stage = scene.state.moment.stage
        lines = phase.lines
        return lambda: play(scene.world, scene.state, read(lines, lexicon, stage), scene.dice)

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units of the next position."""
        return units_of(phase, outcome)
