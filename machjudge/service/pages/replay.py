"""The replay: a game as one web page that needs nothing else, phase by phase.

It shows what its reader may see, by their `Sight`, and holds nothing else anywhere.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import View
from machjudge.drawing import as_played, lacking
from machjudge.drawing.bands import HEIGHT, WIDTH, bands
from machjudge.drawing.flipbook import Flipbook
from machjudge.drawing.palette import Colours, colours_of
from machjudge.drawing.scene import Scene
from machjudge.letters.page.head import Reader
from machjudge.letters.receipt.todo import cities_that_count
from machjudge.letters.wording.sentences import Told
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.ending.ending import outcome
from machjudge.service.model.records import Game, StoredPhase
from machjudge.service.pages.press_read import ReadPress, press_for
from machjudge.service.pages.turns import TurnRead, TurnReader, line_of_phases
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services

Section = tuple[Wording, Sequence[Told]]
"""A title, and what stands below it."""


@dataclass(frozen=True, slots=True)
class PowerStanding:
    """What a power has after a turn."""

    power: PowerId
    name: str
    cities: int
    ducats: int | None
    """None where the reader may not see them, and in games without money."""


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn, or the opening, as the page tells it."""

    title: Wording
    at: datetime
    view: View
    scene: Scene
    sections: tuple[Section, ...]
    standing: tuple[PowerStanding, ...]
    press: tuple[ReadPress, ...]
    """What was written from then until the next turn."""

    @property
    def ends_year(self) -> bool:
        """Whether it belongs into the tables of years: the opening, and each Fall."""
        return self.view.moment.stage is Stage.ADJUSTMENT


@dataclass(frozen=True, slots=True)
class GameCourse:
    """A game with all its turns, as one reader may see it."""

    game: Game
    words: Words
    sight: Sight
    turns: tuple[TurnShown, ...]

    @property
    def years(self) -> tuple[TurnShown, ...]:
        """The opening, the end of each Fall, and the position now."""
        last = len(self.turns) - 1
        return tuple(t for n, t in enumerate(self.turns) if n in (0, last) or t.ends_year)


def course_of(services: Services, uow: UnitOfWork, game: Game, sight: Sight) -> GameCourse | None:
    """The turns of a game that has begun; None of one that has not."""
    phases = line_of_phases(uow, game)
    if not phases:
        return None
    words = Words(services.world(game))
    turns = [*TurnReader(services, uow, game, sight).turns(phases)]
    first = _opening(words, phases, sight)
    shown = [first, *(_shown(words, turn, sight) for turn in turns)]
    return GameCourse(
        game, words, sight, tuple(_with_press(shown, press_for(uow, game, words, sight)))
    )


def _with_press(turns: Sequence[TurnShown], press: Iterable[ReadPress]) -> Iterator[TurnShown]:
    """The turns, each with the press from then until the next; what is older goes to the first."""
    starts = [turn.at for turn in turns]
    by_turn: dict[int, list[ReadPress]] = defaultdict(list)
    for each in press:
        by_turn[max(0, bisect_right(starts, each.at) - 1)].append(each)
    for number, turn in enumerate(turns):
        yield replace(turn, press=tuple(by_turn[number]))


def replay_of(services: Services, course: GameCourse, reader: Reader) -> str:
    """The page of a replay."""
    return services.paper.document("replay", {**facts_of(services, course), "reader": reader})


def facts_of(
    services: Services, course: GameCourse, *, last_only: bool = False
) -> Mapping[str, object]:
    """What the page is made of; *last_only* has the map of the position now alone."""
    game, scenario = course.game, course.words.world.scenario
    colours = colours_of(scenario.powers)
    held = [{each.power: each.cities for each in turn.standing} for turn in course.turns]
    return {
        "game": game,
        "scenario": scenario,
        "is_secret": course.sight.sees_all and not course.sight.is_over,
        "outcome": outcome(course.words, game.ending) if game.ending is not None else None,
        "turns": course.turns,
        "years_shown": course.years,
        "has_money": any(
            each.ducats is not None for turn in course.turns for each in turn.standing
        ),
        "powers": [
            (power, course.words.power(power), colours[power]) for power in scenario.in_play
        ],
        "map": _map(services, course, course.turns[-1:] if last_only else course.turns),
        "patterns": "".join(each.pattern for each in colours.values()),
        "chart_drawn": bands(held, _in_play(scenario, colours)),
        "chart_size": (WIDTH, HEIGHT),
    }


@dataclass(frozen=True, slots=True)
class ReplayMap:
    """The map of a replay as SVG."""

    width: int
    height: int
    definitions: str
    bottom: str
    grounds: tuple[str, ...]
    middle: str
    above: tuple[str, ...]


def _map(services: Services, course: GameCourse, turns: Sequence[TurnShown]) -> ReplayMap | None:
    """The map; None where the board has no drawing."""
    scenario = course.words.world.scenario
    shapes = services.atlas.shapes(scenario.board)
    if shapes is None:
        return None
    book = Flipbook(shapes, as_played(scenario, lacking(course.game.rules)))
    leaves = [book.leaf(turn.scene) for turn in turns]
    return ReplayMap(
        book.frame.width,
        book.frame.height,
        book.definitions(),
        book.bottom(),
        tuple(leaf.ground for leaf in leaves),
        book.middle(),
        tuple(leaf.above for leaf in leaves),
    )


def _in_play(scenario: Scenario, colours: Mapping[PowerId, Colours]) -> Mapping[PowerId, Colours]:
    return {power: colours[power] for power in scenario.in_play}


def _opening(words: Words, phases: Sequence[StoredPhase], sight: Sight) -> TurnShown:
    """The position in which the game began."""
    view = sight.view(words.world, phases[0].after, phases[-1].after.moment)
    return TurnShown(
        Sentence("replay.opening", moment=words.moment(view.moment)),
        phases[0].processed,
        view,
        Scene(view),
        (),
        _standing(words, view, sight),
        (),
    )


def _shown(words: Words, turn: TurnRead, sight: Sight) -> TurnShown:
    moment = turn.words.moment(turn.before.moment)
    told = turn.told(sight)
    if told is None:
        title: Wording = Sentence("replay.corrected", moment=moment)
        sections: tuple[Section, ...] = ((Sentence("replay.corrections"), turn.corrected),)
    else:
        title = moment
        sections = tuple(told.sections())
    standing = _standing(words, turn.after, sight)
    return TurnShown(title, turn.at, turn.after, turn.scene(sight), sections, standing, ())


def _standing(words: Words, view: View, sight: Sight) -> tuple[PowerStanding, ...]:
    return tuple(
        PowerStanding(
            power,
            words.power(power),
            cities_that_count(words, view, power),
            view.treasuries.get(power, 0)
            if view.treasuries and sight.sees_money_of(power)
            else None,
        )
        for power in words.world.scenario.in_play
    )
