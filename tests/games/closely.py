"""Random games looked at as closely as can be, one after the other."""

from collections.abc import Iterable, Iterator, Sequence

from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from tests.games import looks
from tests.games.game import BrokenGame, Deal, Look, Tally, play_game
from tests.games.letters import Bookkeeper
from tests.games.post import PostalGame, verdict
from tests.judge.house import House

GAMES = 200
"""Games of each scenario in a whole round."""

GAMES_BY_PRESET = 50
"""Games of each scenario by each preset in a whole round."""


def everything(world: World, start: State) -> Iterator[Look]:
    """All further looks at one game."""
    yield looks.canonical_texts_read_back
    yield looks.what_stands_stands_again
    yield looks.json_reads_back
    yield looks.mails_in_any_order_do_the_same
    yield Bookkeeper(world, start)


def play_by_mail(scenario: str, options: Sequence[str], seed: int, years: int) -> PostalGame:
    """Play a game through the judge's desk; what is wrong with it stands in its flaws."""
    house = House()
    house.start(scenario, options)
    game = PostalGame(house, Deal(scenario, seed).chance("post"))
    game.play(years)
    game.flaws += verdict(game)
    return game


def play_all(deals: Iterable[Deal]) -> tuple[Tally, list[str]]:
    """Play games; what was played, and what is wrong with those that are broken."""
    tally, broken = Tally(), []
    for deal in deals:
        try:
            tally.add(play_game(deal, everything))
        except BrokenGame as game:
            broken.append(str(game))
    return tally, broken
