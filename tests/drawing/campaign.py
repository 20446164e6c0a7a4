"""A campaign in which much happens, played once, for the tests of its picture."""

from dataclasses import dataclass, replace
from functools import cache

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import world_of
from machjudge.adjudicator.year.steps import play
from machjudge.drawing import set_up
from machjudge.drawing.scene import Scene, scene_of_phase
from machjudge.judge.game_view import read_order_texts
from machjudge.judge.rule_settings import usual_rules
from machjudge.map_files.folders import Atlas
from machjudge.messages.results import orders_by_unit
from machjudge.messages.wording import parts_of
from tests.map_files.small import MAPS, scenario_of

UNITS = "I A pav, I A cre, I A mil, V A pad, V A ver, L A flo, L A sie, L A mod, P A bol, \
P A per, N F gon, N A mes, N F pal, T A alb"
ORDERS = {
    "I": ["A pav - mon", "A cre - man", "A mil - trt"],
    "V": ["A ver - man"],
    "L": ["A flo - bol", "A mod S A flo - bol", "A sie B", "expense 1: 30 ducats buy A per"],
    "P": ["A bol S A mod", "A per H"],
    "N": ["F gon T A mes - cap", "A mes - gon - cap"],
    "T": ["A alb - dur"],
}


@dataclass(frozen=True)
class Campaign:
    """A phase as it was played."""

    scenario: Scenario
    before: State
    after: State
    orders: Orders
    events: tuple[Event, ...]


@cache
def campaign() -> Campaign:
    """Moves, a bounce, supports, a convoy, a siege, a dislodged unit, and one bought."""
    scenario = scenario_of(Atlas([MAPS]), "1454")
    rules = usual_rules(scenario)
    world = world_of(scenario, rules)
    units = [
        Unit(PowerId(owner), Kind(kind), PlaceId(place))
        for owner, kind, place in map(str.split, UNITS.split(", "))
    ]
    before = replace(
        set_up(scenario),
        field={unit.place: unit for unit in units},
        treasuries=dict.fromkeys(scenario.powers, 40),
    )
    orders = {
        PowerId(power): read_order_texts(world, Stage.CAMPAIGN, lines)
        for power, lines in ORDERS.items()
    }
    played = play(world, before, orders, SecretDice(b"0" * 32, before.moment.code))
    return Campaign(scenario, before, played.state, played.standing, tuple(played.events))


def scene() -> Scene:
    """The campaign as somebody sees it who may see all."""
    played = campaign()
    at_moves = parts_of(View.of(played.before), played.events).at_moves
    return scene_of_phase(played.after, played.events, orders_by_unit(at_moves, played.orders))
