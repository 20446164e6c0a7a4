"""The borders and straits of a board under certain rules: options may open or close some."""

from collections.abc import Mapping
from itertools import permutations

from machjudge.adjudicator.model.board import Board, Patch, Spot, Strait
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.options import OPTIONS, value_text
from machjudge.adjudicator.model.rules import Rules

Armies = Mapping[PlaceId, frozenset[PlaceId]]
Fleets = Mapping[Spot, frozenset[Spot]]


def borders_of(board: Board, rules: Rules) -> tuple[Armies, Fleets]:
    """Where armies and fleets may go, with the patches that *rules* ask for."""
    army, fleet = dict(board.army), dict(board.fleet)
    for patch in board.patches:
        if applies(patch, rules):
            for start, end in permutations(sorted(patch.between)):
                _patch_army(army, patch, start, end)
                _patch_fleet(fleet, patch, board.spots(start), board.spots(end))
    return army, fleet


def applies(patch: Patch, rules: Rules) -> bool:
    """Whether the rules have the option that the patch is for as the patch asks."""
    return value_text(OPTIONS[patch.option].of(rules)) in patch.values


def straits_of(board: Board, rules: Rules) -> Mapping[frozenset[PlaceId], Strait]:
    """The straits by the border that they close, without those that *rules* leave out (MAP-10)."""
    return {
        strait.edge: strait
        for strait in board.straits
        if not strait.option or OPTIONS[strait.option].of(rules)
    }


def _patch_army(
    army: dict[PlaceId, frozenset[PlaceId]], patch: Patch, start: PlaceId, end: PlaceId
) -> None:
    if patch.army is not None:
        army[start] = army[start] | {end} if patch.army else army[start] - {end}


def _patch_fleet(
    fleet: dict[Spot, frozenset[Spot]],
    patch: Patch,
    starts: tuple[Spot, ...],
    ends: tuple[Spot, ...],
) -> None:
    if patch.fleet is not None:
        for spot in starts:
            fleet[spot] = fleet[spot] | {*ends} if patch.fleet else fleet[spot] - {*ends}
