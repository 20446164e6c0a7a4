"""What stands on the pages about a game as a whole, in words: the listing without people."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from hashlib import sha256

from machjudge.adjudicator.model.moments import read_moment
from machjudge.letters.page.head import phase_name
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.clock.times_listed import times
from machjudge.service.ending.ending import outcome
from machjudge.service.game.view import zone_of
from machjudge.service.info.listings import brief, broken_off, usable_scenario
from machjudge.service.model.records import Game
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services
from machjudge.service.setup.habits import rules_told


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as its page and the index tell it; nobody's name stands in it."""

    id: str
    name: str
    variant: str
    phase: str
    """In words; empty while it forms."""
    state: tuple[str, ...]
    """Until when, for whom it waits, how it ended."""
    rules: tuple[str, ...]
    """The rules, the press, the times, what the master says."""
    has_begun: bool

    def mark(self, version: str, position: int | None, press: int) -> str:
        """What changes when a page does: it follows from what everybody may see alone."""
        told = repr((version, astuple(self), position, press))
        return sha256(told.encode()).hexdigest()[:16]


def card_of(services: Services, uow: UnitOfWork, game: Game, phase: str) -> GameCard:
    """The card of a game in a phase with that code."""
    say, about, scenario = services.paper.say, brief(services, uow, game, phase), None
    if (scenario := usable_scenario(services, game)) is not None:
        words = Words(services.world(game))
        moment = read_moment(phase)
        phase = say(phase_name(words, moment)) if moment is not None else ""
    rules = () if scenario is None else (say(rules_told(scenario, game)),)
    set_here = (Sentence("press.rules", rules=game.conduct.press), times(game.conduct))
    return GameCard(
        game.id,
        game.name,
        about.variant,
        phase,
        tuple(say(line) for line in _state(services, game, about.needed, about.open)),
        (
            *rules,
            *(say(line) for line in set_here if not game.is_imported),
            *game.conduct.comment,
        ),
        game.position is not None,
    )


def _state(
    services: Services, game: Game, needed: int | None, seats: tuple[str, ...]
) -> Iterator[Sentence]:
    zone, clock = zone_of(services, None), game.clock
    if game.ending is not None and usable_scenario(services, game) is not None:
        yield outcome(Words(services.world(game)), game.ending)
    if game.position is None and needed is not None:
        yield Sentence("web.needed", n=needed)
    ends = broken_off(clock, zone) if clock is not None else None
    if ends is not None:
        yield ends
    elif clock is not None and clock.paused is not None:
        yield Sentence("web.paused")
    elif clock is not None:
        yield Sentence("web.deadline", at=clock.deadline, zone=zone)
    if seats and game.position is not None and game.ending is None:
        yield Sentence("web.open", powers=seats)


def cards(services: Services, uow: UnitOfWork, games: list[Game]) -> Mapping[str, GameCard]:
    """The cards of some games, by their ids."""
    phases = uow.phases.now(games)
    return {game.id: card_of(services, uow, game, phases.get(game.id, "")) for game in games}
