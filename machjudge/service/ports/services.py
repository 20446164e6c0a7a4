"""Everything that a use case works with, in one value that wiring makes once."""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.world import World, world_of
from machjudge.atlas import Atlas, BrokenMap
from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.library import Library
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import Game, Judge
from machjudge.service.ports.interfaces import Chance, Passwords, SenderChecks, Store


class ScenarioUnusable(MachjudgeError):
    """A game is played on a scenario whose file was broken, or taken away, after it began."""

    def __init__(self, game: Game, faults: Sequence[str]) -> None:
        """Say which game cannot go on, and what is wrong with the file."""
        super().__init__(game.scenario, *faults)
        self.game = game
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Services:
    """The judge's desk: who it is, where things are kept, its maps and its templates."""

    judge: Judge
    store: Store
    passwords: Passwords
    chance: Chance
    atlas: Atlas
    paper: Stationery
    library: Library
    secret: JudgeSecret
    senders: SenderChecks

    def scenario(self, game: Game) -> Scenario:
        """The scenario of a game.  Raises ScenarioUnusable."""
        try:
            scenario = self.atlas.scenario(game.scenario)
        except BrokenMap as fault:
            raise ScenarioUnusable(game, [str(each) for each in fault.faults]) from fault
        if scenario is None:
            raise ScenarioUnusable(game, [f"there is no scenario {game.scenario}"])
        return scenario

    def world(self, game: Game) -> World:
        """The scenario of a game under its rules.  Raises ScenarioUnusable."""
        return world_of(self.scenario(game), game.rules)
