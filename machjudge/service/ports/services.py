"""Everything that a use case works with, in one value that wiring makes once."""

from dataclasses import dataclass

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.world import World, world_of
from machjudge.atlas import Atlas
from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.library import Library
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import Game, Judge
from machjudge.service.ports.interfaces import Chance, Passwords, SenderChecks, Store


class ScenarioMissing(MachjudgeError):
    """A game is played on a scenario whose file is no longer there."""


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
        """The scenario of a game.  Raises ScenarioMissing, BrokenMap."""
        scenario = self.atlas.scenario(game.scenario)
        if scenario is None:
            msg = f"the scenario {game.scenario!r} of the game {game.name!r} is missing"
            raise ScenarioMissing(msg)
        return scenario

    def world(self, game: Game) -> World:
        """The scenario of a game under its rules.  Raises ScenarioMissing, BrokenMap."""
        return world_of(self.scenario(game), game.rules)
