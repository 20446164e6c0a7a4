"""A whole game with random orders through the adjudicator, every phase of it looked at."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import VictoryReached
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.land.homes import living_powers
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import play
from machjudge.judge.opening import opening_events, set_up
from machjudge.map_files.folders import Atlas
from tests.games.invariants import Phase, flaws
from tests.games.players import orders_for
from tests.games.variations import Variation, rules_of, variations

LONGEST = 20
"""Years that a game lasts at most."""

Look = Callable[[Phase, Orders, Random], Iterable[str]]
"""A further look at a phase and its orders; chance decides what is tried."""

Looks = Callable[[World, State], Iterable[Look]]
"""Makes the further looks at one game from its world and the position that it starts from."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Which game is played: the same deal is always the same game."""

    scenario: str
    seed: int
    most_years: int = LONGEST
    chosen: Variation | None = None
    """The rules, if not those whose turn it is."""

    @property
    def variation(self) -> Variation:
        """The rules; each has its turn where none are chosen."""
        return self.chosen or variations()[self.seed % len(variations())]

    def chance(self, purpose: str) -> Random:
        """What decides in this game; a chance of its own for each purpose."""
        return Random(f"{self.scenario}/{self.seed}/{purpose}")  # noqa: S311 - no secret

    @property
    def secret(self) -> bytes:
        """The secret of its dice."""
        return sha256(f"{self.scenario}/{self.seed}".encode()).digest()

    @property
    def years(self) -> int:
        """How long it lasts at most: every third game as long as it may."""
        drawn = 1 + self.chance("years").randrange(LONGEST)
        return self.most_years if self.seed % 3 == 0 else min(drawn, self.most_years)

    def __str__(self) -> str:
        chosen = f" --preset {self.chosen.preset}" if self.chosen else ""
        return f"--scenario {self.scenario} --seed {self.seed} --years {self.most_years}{chosen}"


@dataclass(slots=True)
class Tally:
    """What was played."""

    games: int = 0
    phases: int = 0
    years: int = 0
    victories: int = 0
    eliminations: int = 0

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.phases} phases, {self.years} years, "
            f"{self.victories} victories, {self.eliminations} eliminations"
        )

    def add(self, other: "Tally") -> None:
        """Count the games of another tally, too."""
        self.games += other.games
        self.phases += other.phases
        self.years += other.years
        self.victories += other.victories
        self.eliminations += other.eliminations


class BrokenGame(Exception):
    """A game in which something is not as it must be; the text says how to repeat it."""


@cache
def atlas() -> Atlas:
    """The maps of the project, loaded once."""
    return Atlas([Path(__file__).parents[2] / "maps"])


def world_for(deal: Deal) -> World:
    """The scenario of a game under its rules."""
    scenario = atlas().scenario(deal.scenario)
    assert scenario is not None
    return world_of(scenario, rules_of(deal.variation, scenario))


def opening(world: World, secret: bytes) -> State:
    """The position from which a game starts, the income of the year before paid (INC-16)."""
    start = set_up(world)
    return evolve_all(start, opening_events(world, start, SecretDice(secret, start.moment.code)))


def play_game(deal: Deal, make_looks: Looks) -> Tally:
    """Play a game to its end: a victory, a last survivor, or its last year.

    Raises BrokenGame at the first phase in which something is wrong.
    """
    world, tally = world_for(deal), Tally(games=1)
    state = opening(world, deal.secret)
    looks = tuple(make_looks(world, state))
    last = world.scenario.year + deal.years - 1
    while state.moment.year <= last and not tally.victories:
        phase = play_phase(deal, world, state, looks)
        state = phase.after
        tally.phases += 1
        tally.victories += any(isinstance(event, VictoryReached) for event in phase.played.events)
        if len(living_powers(world, state)) <= 1:
            break
    tally.years = state.moment.year - world.scenario.year
    tally.eliminations = len(state.eliminated)
    return tally


def play_phase(deal: Deal, world: World, state: State, looks: Iterable[Look]) -> Phase:
    """Play one phase and look at it.  Raises BrokenGame."""
    chance = deal.chance(state.moment.code)
    orders = orders_for(world, state, chance)
    dice = SecretDice(deal.secret, state.moment.code)
    try:
        phase = Phase(world, state, dice, play(world, state, orders, dice))
        found = [*flaws(phase), *(flaw for look in looks for flaw in look(phase, orders, chance))]
    except Exception as error:
        raise BrokenGame(_where(deal, state, [repr(error)])) from error
    if found:
        raise BrokenGame(_where(deal, state, found))
    return phase


def _where(deal: Deal, state: State, found: Iterable[str]) -> str:
    again = f"python -m tests.games {deal}"
    return "\n  ".join([f"{again}\n  {deal.variation}, {state.moment.code}:", *found])
