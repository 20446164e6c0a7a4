"""The PyPI package diplomacy in the race."""

import re

from diplomacy import Game

from tests.bench.phases import Phase
from tests.bench.race import Task


class Texts:
    """``set_orders`` for every power, then ``process()``."""

    name = "diplomacy: set_orders and process()"

    def ready(self, phase: Phase) -> Task:
        """A game at the position; the orders are set within the time."""
        game = game_at(phase)
        orders = orders_of(phase)

        def run() -> Game:
            for power, sheet in orders.items():
                game.set_orders(power, sheet)
            game.process()
            return game

        return run

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units that are not dislodged."""
        return units_of(phase, outcome)


class Process:
    """``process()`` alone."""

    name = "diplomacy: process() alone"

    def ready(self, phase: Phase) -> Task:
        """A game at the position with all orders set."""
        game = game_at(phase)
        for power, sheet in orders_of(phase).items():
            game.set_orders(power, sheet)

        def run() -> Game:
            game.process()
            return game

        return run

    def units_after(self, phase: Phase, outcome: object) -> list[str] | None:
        """The units that are not dislodged."""
        return units_of(phase, outcome)


def game_at(phase: Phase) -> Game:
    """A game at the position of a phase."""
    game = Game()
    game.clear_units()
    game.set_current_phase(phase.record["position"]["phase"])
    names = names_of(phase)
    for letter, name in names.items():
        own = [theirs(unit[2:]) for unit in phase.units if unit.startswith(f"{letter} ")]
        game.set_units(name, own, reset=True)
    return game


def names_of(phase: Phase) -> dict[str, str]:
    """The package's names of the powers by our letters."""
    return {power.id: power.name.upper() for power in phase.scenario.powers.values()}


def theirs(text: str) -> str:
    """A unit or an order in the package's notation: capitals, and Norway is NWY."""
    return re.sub(r"\bnor\b", "nwy", text).upper()


def ours(text: str) -> str:
    """A unit of the package in our notation."""
    return f"{text[0]} {text[2:].lower().replace('nwy', 'nor')}"


def orders_of(phase: Phase) -> dict[str, list[str]]:
    """The orders as the package reads them."""
    names = names_of(phase)
    return {names[power]: [theirs(line) for line in sheet] for power, sheet in phase.lines.items()}


def units_of(phase: Phase, outcome: object) -> list[str]:
    """The units on the map, sorted, in our notation."""
    assert isinstance(outcome, Game)
    return sorted(
        f"{letter} {ours(unit)}"
        for letter, name in names_of(phase).items()
        for unit in outcome.get_units(name)
        if not unit.startswith("*")
    )
