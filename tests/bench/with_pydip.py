"""The PyPI package pydip in the race."""

from collections.abc import Callable
from dataclasses import dataclass

from pydip.map.predefined.vanilla_dip import generate_map
from pydip.player.command.command import (
    Command,
    ConvoyMoveCommand,
    ConvoyTransportCommand,
    HoldCommand,
    MoveCommand,
    SupportCommand,
)
from pydip.player.player import Player
from pydip.player.unit import Unit, UnitTypes
from pydip.turn.resolve import resolve_turn

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.orders import Advance, Hold, Named, Order, Support, Transport
from machjudge.adjudicator.units import Kind
from machjudge.language.lexicon import lexicon_of
from tests.bench.ours import read
from tests.bench.phases import Phase
from tests.bench.race import Task

NAMES = {
    "eas": "Eastern Mediterranean Sea",
    "wes": "Western Mediterranean Sea",
    "mar": "Marseilles",
    "stp": "St. Petersburg",
}
"""Places that pydip calls otherwise."""
COASTS = {"nc": "North Coast", "ec": "North Coast", "sc": "South Coast", "": "Coast"}
"""The eastern coast of Bulgaria is its northern one there."""


class Turns:
    """Commands in, ``resolve_turn``, units with their retreats out; no reasons."""

    name = "pydip: resolve_turn"

    def ready(self, phase: Phase) -> Task:
        """All commands, built before."""
        board = Vanilla(phase.scenario)
        commands = [make() for make in makers(board, phase)]
        return lambda: resolve_turn(board.map, commands)

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units that need no retreat."""
        return units_of(phase, outcome)


class Commands:
    """As ``Turns``, with the making of the commands, which checks whether they are lawful."""

    name = "pydip: build commands and resolve_turn"

    def ready(self, phase: Phase) -> Task:
        """Everything that the commands are made of."""
        board = Vanilla(phase.scenario)
        made_by = makers(board, phase)
        return lambda: resolve_turn(board.map, [make() for make in made_by])

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units that need no retreat."""
        return units_of(phase, outcome)


class Vanilla:
    """The package's board, and its names of our places."""

    def __init__(self, scenario: Scenario) -> None:
        self.map = generate_map()
        self.places = {
            place.id: NAMES.get(place.id, place.name) for place in scenario.board.places.values()
        }
        self.ids = self._ids(scenario)

    def _ids(self, scenario: Scenario) -> dict[str, str]:
        """Our spots by the package's names."""
        ids = {name: str(place) for place, name in self.places.items()}
        for place in scenario.board.places.values():
            for coast in place.coasts or ("",):
                spot = f"{place.id}/{coast}" if coast else str(place.id)
                ids[f"{self.places[place.id]} {COASTS[coast]}"] = spot
        return ids

    def spot(self, kind: Kind | None, place: str, coast: str) -> str:
        """Where a unit of that kind stands or goes."""
        name = self.places[place]
        is_sea = f"{name} Coast" not in self.map.name_map and not self.has_coasts(name)
        return name if kind is not Kind.FLEET or is_sea else f"{name} {COASTS[coast]}"

    def has_coasts(self, name: str) -> bool:
        """True if a province has two coasts."""
        return f"{name} North Coast" in self.map.name_map


@dataclass(frozen=True)
class Sheet:
    """What the commands of one phase refer to."""

    board: Vanilla
    players: dict[str, Player]
    units: dict[str, Unit]
    """By our place."""
    goals: dict[str, tuple[str, str]]
    """Our place of a unit that moves -> our place where it goes, and the name of that spot."""


def makers(board: Vanilla, phase: Phase) -> list[Callable[[], Command]]:
    """A maker for the command of every unit; what the package refuses becomes a hold."""
    players = players_of(board, phase)
    units = {
        board.ids[unit.position].partition("/")[0]: unit
        for player in players.values()
        for unit in player.units
    }
    orders = [
        (power, order)
        for power, sheet in read(phase.lines, lexicon_of(phase.scenario), Stage.CAMPAIGN).items()
        for order in sheet
    ]
    goals = {
        order.unit.place: (order.to, board.spot(order.unit.kind, order.to, order.coast))
        for _, order in orders
        if isinstance(order, Advance)
    }
    sheet = Sheet(board, players, units, goals)
    return [lawful(sheet, power, order) for power, order in orders]


def players_of(board: Vanilla, phase: Phase) -> dict[str, Player]:
    """The powers with their units."""
    players = {}
    for power in phase.scenario.powers:
        own = [unit.split()[1:] for unit in phase.units if unit.startswith(f"{power} ")]
        start = [
            {
                "territory_name": board.spot(Kind(kind), spot[:3], spot[4:]),
                "unit_type": UnitTypes.FLEET if kind == "F" else UnitTypes.TROOP,
            }
            for kind, spot in own
        ]
        players[power] = Player(power, board.map, start)
    return players


def lawful(sheet: Sheet, power: str, order: Order) -> Callable[[], Command]:
    """The maker of an order's command, or of a hold where the package takes it for unlawful."""
    make = maker(sheet, power, order)
    try:
        make()
    except AssertionError:
        assert isinstance(order, Advance | Support | Transport)
        return hold(sheet, power, order.unit)
    return make


def hold(sheet: Sheet, power: str, named: Named) -> Callable[[], Command]:
    """The maker of a hold."""
    player, unit = sheet.players[power], sheet.units[named.place]
    return lambda: HoldCommand(player, unit)


def maker(sheet: Sheet, power: str, order: Order) -> Callable[[], Command]:
    """The maker of an order's command."""
    assert isinstance(order, Hold | Advance | Support | Transport)
    player, unit = sheet.players[power], sheet.units[order.unit.place]
    match order:
        case Hold():
            return hold(sheet, power, order.unit)
        case Advance():
            name = sheet.board.spot(order.unit.kind, order.to, order.coast)
            kind = ConvoyMoveCommand if order.by_sea else MoveCommand
            return lambda: kind(player, unit, name)
        case Support():
            helped = sheet.units[order.supported.place]
            into = goal_supported(sheet, order, helped)
            return lambda: SupportCommand(player, unit, helped, into)
        case Transport():
            army = sheet.units[order.army.place]
            shore = sheet.board.places[order.to]
            return lambda: ConvoyTransportCommand(player, unit, army, shore)


def goal_supported(sheet: Sheet, order: Support, helped: Unit) -> str:
    """The spot that a support goes into: for a move, the very coast of that move."""
    if order.to is None:
        return helped.position
    to, spot = sheet.goals.get(order.supported.place, (None, ""))
    if to == order.to:
        return spot
    kind = Kind.FLEET if helped.unit_type is UnitTypes.FLEET else Kind.ARMY
    coasts = ("",) if not sheet.board.has_coasts(sheet.board.places[order.to]) else ("nc", "sc")
    spots = [sheet.board.spot(kind, order.to, coast) for coast in coasts]
    near = sheet.board.map.adjacency[helped.position]
    return next((spot for spot in spots if spot in near), spots[0])


def units_of(phase: Phase, outcome: object) -> list[str]:
    """The units on the map, sorted, in our notation."""
    assert isinstance(outcome, dict)
    board = Vanilla(phase.scenario)
    return sorted(
        f"{power} {'F' if unit.unit_type is UnitTypes.FLEET else 'A'} {board.ids[unit.position]}"
        for power, units in outcome.items()
        for unit, retreats in units.items()
        if retreats is None
    )
