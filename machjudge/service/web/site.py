"""The pages of a judge: an index, and of each game that is listed a page and its replay.

What is hidden stands in none of them, and none changes because of it: who watches the files
learns no more than who reads them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import structlog

from machjudge.letters.page.head import Reader
from machjudge.letters.page.map_text import map_in_words
from machjudge.service.game.view import reader_of
from machjudge.service.info.listings import may_list
from machjudge.service.model.records import Game, GameId
from machjudge.service.pages.replay import GameCourse, course_of, facts_of, replay_of
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import sight_of
from machjudge.service.web.cards import GameCard, cards
from machjudge.service.web.places import INDEX

log = structlog.get_logger(__name__)

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page, and what it was made of."""

    path: str
    """Below the folder: ``games/borgia.html``."""
    content: str


Known = Callable[[str], str]
"""The mark of the page at a path, empty where there is none."""


@dataclass(frozen=True, slots=True)
class Site:
    """What is to be written, and which games have pages."""

    pages: tuple[WebPage, ...]
    games: frozenset[str]


def site_of(services: Services, known: Known) -> Site:
    """The pages that are not yet as they shall be; *known* tells what is there."""
    with services.store.reading() as uow:
        games = [game for game in uow.games.unfinished() if may_list(game, None)]
        over = uow.games.finished()
        press = uow.press.to_all()
        going = cards(services, uow, games)
        marks: dict[str, str] = {
            game.id: going[game.id].mark(_version(services), game.position, press.get(game.id, 0))
            for game in games
        }
        # A finished game changes no more but for its press, and is not read each time.
        marks |= {game: _mark(services, "over", game, press.get(game, 0)) for game in over}
        pages = [*_of_games(services, uow, games, going, marks, known)]
        pages += _of_finished(services, uow, over, marks, known)
        pages += _index(services, uow, (going, over), marks, known)
    return Site(tuple(pages), frozenset(marks))


def _version(services: Services) -> str:
    return services.judge.version


def _mark(services: Services, *parts: object) -> str:
    return sha256(repr((_version(services), *parts)).encode()).hexdigest()[:16]


def _of_games(
    services: Services,
    uow: UnitOfWork,
    games: Sequence[Game],
    told: Mapping[str, GameCard],
    marks: Mapping[str, str],
    known: Known,
) -> Iterator[WebPage]:
    for game in games:
        if known(f"games/{game.id}.html") != marks[game.id]:
            yield from _pages_of(services, uow, game, told[game.id], marks[game.id])


def _of_finished(
    services: Services,
    uow: UnitOfWork,
    over: Sequence[GameId],
    marks: Mapping[str, str],
    known: Known,
) -> Iterator[WebPage]:
    for name in over:
        game = uow.games.get(name) if known(f"games/{name}.html") != marks[name] else None
        if game is not None:
            told = cards(services, uow, [game])[game.id]
            yield from _pages_of(services, uow, game, told, marks[name])


def _pages_of(
    services: Services, uow: UnitOfWork, game: Game, card: GameCard, mark: str
) -> Iterator[WebPage]:
    """The page of a game, and its replay; none of one that cannot be shown, which is logged."""
    reader = _reader(services)
    try:
        course = course_of(services, uow, game, sight_of(game, []))
        if course is not None:
            yield WebPage(f"replays/{game.id}.html", replay_of(services, course, reader))
        yield WebPage(f"games/{game.id}.html", _game_page(services, card, course, reader, mark))
    except Exception:  # one game's fault must not keep the others from their pages
        log.exception("page not written", game=game.id)


def _game_page(
    services: Services, card: GameCard, course: GameCourse | None, reader: Reader, mark: str
) -> str:
    drawn = {} if course is None else facts_of(services, course, last_only=True)
    facts = {**drawn, "card": card, "reader": reader, "mark": mark, "course": course}
    if course is not None:
        facts["in_words"] = map_in_words(course.words, course.turns[-1].view)
    return services.paper.document("game", facts)


def _index(
    services: Services,
    uow: UnitOfWork,
    games: tuple[Mapping[str, GameCard], Sequence[GameId]],
    marks: Mapping[str, str],
    known: Known,
) -> Iterator[WebPage]:
    going, over = games
    mark = _mark(services, sorted(marks.items()))
    if known(INDEX) == mark:
        return
    found = [game for name in over if (game := uow.games.get(name)) is not None]
    facts = {
        "judge": services.judge,
        "reader": _reader(services),
        "mark": mark,
        "going": list(going.values()),
        "over": list(cards(services, uow, found).values()),
    }
    yield WebPage(INDEX, services.paper.document("index", facts))


def _reader(services: Services) -> Reader:
    """Anybody: no instant of theirs stands in a page, else each would be another one."""
    return reader_of(services, None, _NEVER)
