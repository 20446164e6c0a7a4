"""What is decoded of games, kept for the next transaction that reads them.

A game's version goes up with everything that changes of it, so what was decoded of one version
stays right as long as that is the version in the database.  Each transaction reads the version
first; other processes may have changed the game since.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, TypeVar

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import Game, GameId, PersonId, Sheet

T = TypeVar("T")
Key = tuple[str] | tuple[str, int]
"""The name of a part of a game, and its number where there are several."""

GAME: Key = ("game",)
DOCUMENTS: Key = ("documents",)
"""The rules and the conduct of the game, as they are stored."""
LAST_PHASE: Key = ("last phase",)
NOTES: Key = ("notes",)
PLANS: Key = ("plans",)
PHASE, SHEETS = "phase", "sheets"

MOST_GAMES = 64
"""How many games are kept in memory; which ones were read longest ago go first."""


@dataclass(frozen=True, slots=True)
class Known:
    """The decoded parts of one version of a game; no part is ever changed."""

    version: int
    secret: bytes
    """Tells a game from a later one of the same name."""
    parts: dict[Key, Any] = field(default_factory=dict)

    @property
    def people(self) -> Collection[PersonId]:
        """The people at the game."""
        game: Game = self.parts[GAME]
        return game.people

    def is_of(self, version: int, secret: bytes) -> bool:
        """Whether it is that version of that game."""
        return (self.version, self.secret) == (version, secret)

    def lacks_only_sheets(self, version: int, since: int | None, secret: bytes) -> bool:
        """Whether it is that version of that game but for order sets, added *since* a version."""
        start = version if since is None else since
        return self.secret == secret and start <= self.version <= version

    def without_sheets(self, version: int) -> "Known":
        """A later version to which only order sets were added; those have to be read."""
        parts = {key: part for key, part in self.parts.copy().items() if key[0] != SHEETS}
        parts[GAME] = replace(parts[GAME], version=version)
        return Known(version, self.secret, parts)


class GameCache:
    """The games that were read or written last, for all threads of a process."""

    def __init__(self, most: int = MOST_GAMES) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[GameId, Known] = OrderedDict()

    def get(self, game: GameId) -> Known | None:
        """The newest version that was kept."""
        with self._lock:
            if game in self._known:
                self._known.move_to_end(game)
            return self._known.get(game)

    def put(self, game: GameId, known: Known) -> None:
        """Keep a version, unless a newer one is kept already."""
        with self._lock:
            kept = self._known.get(game)
            if kept is not None and kept.secret == known.secret and kept.version > known.version:
                return
            self._known[game] = known
            self._known.move_to_end(game)
            if len(self._known) > self._most:
                self._known.popitem(last=False)

    def drop(self, game: GameId) -> None:
        """Keep nothing of a game."""
        with self._lock:
            self._known.pop(game, None)


class CachedGames:
    """The cache as one transaction sees it.

    Only a transaction that reads takes from it: it sees one state of everything.  What one that
    writes has changed gets into the cache when it is committed.
    """

    def __init__(self, cache: GameCache, *, is_reading: bool) -> None:
        self._cache = cache
        self._is_reading = is_reading
        self._read: dict[GameId, Known] = {}
        self._earlier: dict[GameId, Known] = {}
        self._fewer_sheets: dict[GameId, Known] = {}
        self._written: dict[GameId, Known | None] = {}

    def kept(self, game: GameId) -> Known | None:
        """What is kept of a game; it is good for nothing unless its version is still stored."""
        known = self._cache.get(game) if self._is_reading else None
        return known if known is not None and GAME in known.parts else None

    def use(self, game: GameId, known: Known, version: int) -> Game:
        """Take from what is kept; to the *version* that is stored only order sets were added."""
        if known.version != version:
            self._fewer_sheets[game] = known
            known = known.without_sheets(version)
            self._cache.put(game, known)
        self._read[game] = known
        return self._game_of(known)

    def found(self, game: Game, documents: object) -> None:
        """Keep a game that was read as it is stored, with its documents."""
        if not self._is_reading:
            return
        kept = self._cache.get(game.id)
        is_it = kept is not None and kept.is_of(game.version, game.secret)
        if kept is not None and kept.secret == game.secret:
            self._earlier[game.id] = kept
        known = kept if kept is not None and is_it else Known(game.version, game.secret)
        known.parts.update({GAME: game, DOCUMENTS: documents})
        self._read[game.id] = known
        self._cache.put(game.id, known)

    def part(self, game: GameId, key: Key, read: Callable[[], T]) -> T:
        """A part of a game; *read* it where it is not kept."""
        known = self._read.get(game)
        if known is None:
            return read()
        if key not in known.parts:
            known.parts[key] = read()
        part: T = known.parts[key]
        return part

    def earlier(self, game: GameId, key: Key) -> Any:  # noqa: ANN401 - a part is of any type
        """A part of another version of a game that is being read; None if there is none."""
        known = self._earlier.get(game)
        return None if known is None else known.parts.get(key)

    def sheets_before(self, game: GameId, after: int) -> Mapping[PowerId, Sheet]:
        """The order sets for the phase following *after* to which others were only added."""
        known = self._fewer_sheets.get(game)
        return {} if known is None else known.parts.get((SHEETS, after), {})

    def saved(self, game: Game, read: Game | None) -> None:
        """A version of a game was written, in place of the one that was *read*."""
        known = self._cache.get(game.id)
        if read is None or known is None or not known.is_of(read.version, read.secret):
            self._written[game.id] = None
            return
        parts = dict(known.parts)
        if GAME in parts and replace(game, version=read.version) == read:
            # As it was decoded, whatever the database makes of a new value.
            parts[GAME] = replace(self._game_of(known), version=game.version)
        else:
            parts.pop(GAME, None)
        self._written[game.id] = Known(game.version, game.secret, parts)

    def removed(self, game: GameId) -> None:
        """A game is gone."""
        self._written[game] = None

    def changed(self, game: GameId, *names: str) -> None:
        """Parts of a game were written: they have to be read again."""
        known = self._written.setdefault(game, None)
        if known is not None:
            for key in [key for key in known.parts if key[0] in names]:
                del known.parts[key]

    def change(self, game: GameId, key: Key, change: Callable[[T], T]) -> None:
        """A part of a game was written, and this is how it reads now."""
        known = self._written.setdefault(game, None)
        if known is not None and key in known.parts:
            known.parts[key] = change(known.parts[key])

    def committed(self) -> None:
        """What was written is stored."""
        for game, known in self._written.items():
            if known is None:
                self._cache.drop(game)
            else:
                self._cache.put(game, known)

    def _game_of(self, known: Known) -> Game:
        game: Game = known.parts[GAME]
        return game
