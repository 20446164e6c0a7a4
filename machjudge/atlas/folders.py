"""The atlas: boards and scenarios by their ids, found in several folders and loaded once."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas.boardfile import load_board
from machjudge.atlas.faults import BrokenMap
from machjudge.atlas.ownnames import load_names
from machjudge.atlas.scenariofile import load_scenario
from machjudge.atlas.shapes import Shapes, load_shapes
from machjudge.atlas.sheet import open_sheet
from machjudge.atlas.variants import find_variant, varied_id, vary

BOARDS, SCENARIOS, NAMES = "boards", "scenarios", "names"
"""The folders of each kind of file below each folder of an atlas."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
Thing = TypeVar("Thing", Board, Scenario)


class Atlas:
    """The boards and scenarios of some folders; where two have the same id, the first counts.

    An id is the name of a file, or one of the further ids that the file gives itself.  Nothing
    outside the folders can be named by an id.  What was loaded stays: everybody gets the same
    board for the same id.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._boards: dict[str, Board] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._shapes: dict[str, Shapes | None] = {}
        self._others: dict[str, Mapping[str, Path]] = {}

    def board(self, name: str) -> Board | None:
        """The board of an id, None if there is none.  Raises BrokenMap."""
        return self._find(BOARDS, name, self._boards, self._load_board)

    def scenario(self, name: str) -> Scenario | None:
        """The scenario of an id, None if there is none; ``1454-4`` is 1454 for four players.

        Raises BrokenMap.
        """
        found = self._find(SCENARIOS, name, self._scenarios, self._load_scenario)
        return found or self._varied(name.casefold())

    def scenario_file(self, file: Path) -> Scenario:
        """A scenario that somebody wrote, in whatever folder.  Raises BrokenMap.

        Its board is one of the atlas, or a file of that name beside the scenario.
        """
        beside = Atlas([file.parent, file.parent.parent])

        def board_named(name: str) -> Board | None:
            written = file.parent / f"{name}.toml"
            known = self.board(name) or beside.board(name)
            return known or (load_board(written) if is_id(name) and written.is_file() else None)

        return load_scenario(file, board_named)

    def shapes(self, board: Board) -> Shapes | None:
        """The drawing of a board, None if it has none.  Raises BrokenMap."""
        if board.id not in self._shapes:
            names = [folder / BOARDS / f"{board.id}.shapes.json" for folder in self._folders]
            file = next((name for name in names if name.is_file()), None)
            self._shapes[board.id] = load_shapes(file, board) if file else None
        return self._shapes[board.id]

    def scenario_ids(self) -> tuple[str, ...]:
        """The ids of all scenarios, sorted."""
        return tuple(sorted(self._files(SCENARIOS)))

    def _varied(self, name: str) -> Scenario | None:
        """A scenario for another number of players, by its id or one of its other ids."""
        for parts in (1, 2):
            base_name, *numbers = name.rsplit("-", parts)
            base = self._find(SCENARIOS, base_name, self._scenarios, self._load_scenario)
            variant = find_variant(base, "-".join((base.id, *numbers))) if base else None
            if base is not None and variant is not None:
                own = varied_id(base, variant)
                return self._scenarios.get(own) or self._scenarios.setdefault(
                    own, vary(base, variant)
                )
        return None

    @cached_property
    def names(self) -> Mapping[str, Mapping[str, str]]:
        """By language what places and powers are called there, by their names.

        A broken file is passed over: its language has the usual names.
        """
        found: dict[str, dict[str, str]] = {}
        for folder in reversed(self._folders):
            for file in sorted((folder / NAMES).glob("*.toml")):
                with suppress(BrokenMap):
                    found.setdefault(file.stem, {}).update(load_names(file))
        return found

    def _load_board(self, file: Path) -> Board:
        return replace(load_board(file), names=self.names)

    def _load_scenario(self, file: Path) -> Scenario:
        return load_scenario(file, self.board)

    def _find(
        self, kind: str, name: str, known: dict[str, Thing], load: Callable[[Path], Thing]
    ) -> Thing | None:
        wanted = name.casefold()
        if wanted not in known and is_id(wanted):
            file = self._files(kind).get(wanted) or self._other_ids(kind).get(wanted)
            if file is None:
                return None
            known[wanted] = known.get(file.stem) or known.setdefault(file.stem, load(file))
        return known.get(wanted)

    def _files(self, kind: str) -> Mapping[str, Path]:
        """The files of a kind by their own ids."""
        files = {}
        for folder in reversed(self._folders):
            for file in (folder / kind).glob("*.toml"):
                if is_id(file.stem):
                    files[file.stem] = file
        return files

    def _other_ids(self, kind: str) -> Mapping[str, Path]:
        """The files of a kind by the further ids that they give themselves."""
        if kind not in self._others:
            self._others[kind] = {
                other.casefold(): file
                for _, file in sorted(self._files(kind).items(), reverse=True)
                for other in _further_ids(file, kind.removesuffix("s"))
            }
        return self._others[kind]


def is_id(name: str) -> bool:
    """Whether a board or a scenario may have this name."""
    return _ID.fullmatch(name) is not None


def _further_ids(file: Path, table: str) -> tuple[str, ...]:
    """The further ids of a file; none of a broken one, which must not hide the others."""
    try:
        return open_sheet(file).sheet(table).texts("also")
    except BrokenMap:
        return ()
